"""The text of a declaration: read back before it is sealed, and in the log after the reveal.

Combatants have the names that `view.name` gives this viewer. The script that reads back a form being filled in uses the
same `PHRASES`.
"""

from collections.abc import Mapping
from dataclasses import replace

from app.engine.ifthen import GROUPS, ME, THEM
from app.engine.sentences import and_list
from app.rulesets.arcana.fight import ifthens
from app.rulesets.arcana.fight.declarations import Action, Free, React, Turn, When
from app.rulesets.arcana.fight.form_values import CARE
from app.rulesets.arcana.fight.ifthens import TEXT, menu
from app.rulesets.arcana.rules.book import ARMOUR as WORN
from app.rulesets.arcana.rules.book import WEAPONS
from app.rulesets.arcana.rules.grid import Cell, gap2
from app.rulesets.arcana.rules.items import is_named
from app.rulesets.arcana.rules.labels import LONG_NAMES
from app.rulesets.arcana.view.view_values import Visible

PHRASES: Mapping[str, tuple[str, str]] = {  # "I …", "Ada …"
    "attack": ("attack {target} with {weapon}{power}", "attacks {target} with {weapon}{power}"),
    "quickloose": ("quickly attack {target} with {weapon}{power}", "quickly attacks {target} with {weapon}{power}"),
    "cast": ("cast {spell}{points}{on}", "casts {spell}{points}{on}"),
    "book": ("cast {spell} from a book{on}", "casts {spell} from a book{on}"),
    "quickspell": ("quickly cast {spell}{points}{on}", "quickly casts {spell}{points}{on}"),
    "move": ("go {to}", "goes {to}"),
    "special": ("climb, crawl or swim {to}", "climbs, crawls or swims {to}"),
    "considered": ("move carefully {to}", "moves carefully {to}"),
    "search": ("search", "searches"),
    "hide": ("hide", "hides"),
    "stand": ("stand up", "stands up"),
    "shake_off": ("try to shake off what holds me", "tries to shake off what holds them"),
    "custom": ("try this with {attr}{long}: {words}", "tries this with {attr}{long}: {words}"),
    "custom_minor": ("quickly try this with {attr}: {words}", "quickly tries this with {attr}: {words}"),
    "use_major": ("handle {item}", "handles {item}"),
    "handle": ("handle something: {words}", "handles something: {words}"),
    "take": ("take {item} in hand", "takes {item} in hand"),
    "take_other": ("take {item} in the other hand", "takes {item} in the other hand"),
    "care": ("give emergency care to {target}", "gives emergency care to {target}"),
    "trade": ("trade with {target}{gives}", "trades with {target}{gives}"),
    "grapple": ("grapple {target}", "grapples {target}"),
    "shove": ("shove {target} back", "shoves {target} back"),
    "throw_down": ("shove {target} to the ground", "shoves {target} to the ground"),
    "help": ("help {target} with what they try", "helps {target} with what they try"),
    "maintain": ("keep my spell up", "keeps a spell up"),
    "don": ("put on {item}", "puts on {item}"),
    "aim": ("take aim with {weapon}", "takes aim with {weapon}"),
    "continue": ("continue what I have begun", "continues what they have begun"),
    "evade": ("evade", "evades"),
    "brace": ("brace myself", "braces"),
    "use": ("use {item}{on}", "uses {item}{on}"),
    "use_so": ("use {item}{on}: {words}", "uses {item}{on}: {words}"),
    "drop": ("put down {item}", "puts down {item}"),
    "communicate": ("say to everyone: {words}", "says to everyone: {words}"),
    "coded": ("say in code to {allies}: {words}", "says in code to {allies}: {words}"),
    "whispered": ("say something in code to {allies}", "says something in code to {allies}"),
    "counterspell": ("prepare a counterspell{named}", "prepares a counterspell{named}"),
    "step": ("step {to}", "steps {to}"),
    "face": ("turn towards {place}", "turns towards {place}"),
    "emerge": ("come out of cover", "comes out of cover"),
    "back": ("go back into cover", "goes back into cover"),
    "hold": ("wait and do nothing", "waits and does nothing"),
}
SELF = ("myself", "themselves")
FIRST = "before it happens "  # of an interrupt, between "then" and the actor
COMPASS = ("east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east")
POWER = ", giving up {less} accuracy for {more} damage"
LONG = ", for {cycles} cycles"
GIVES = ", offering {gives}"
RESISTS = {
    "never": "I resist nothing.",
    "ask": "I want to be asked before I resist.",
    "list": "I resist {spells} only.",
}
ARMOUR = "My critical strikes break armour."
SPARES = "If I would kill someone, I leave them unconscious instead, if I can."
WATCHES = "I keep an eye on {watch}."
BACK = (
    "I let every attack hit me and strike {target} once more with {weapon}.",
    "{name} lets every attack hit and strikes {target} once more with {weapon}.",
)
ATTACKER = "one of the attackers"
LEAPS = "If an area attack misses me, I leap out of it."


def turn(view: Visible, who: str, said: Turn, *, me: bool = False, mine: bool = False) -> str:
    """Returns a whole declaration in one or two sentences; `me`: in the first person, with its author's secrets.

    `mine`: it is not revealed yet, so movements are measured from the current places.
    """
    name, mine = "I" if me else view.name(who), me or mine
    acts = [
        *_free(view, who, said.free, me=me, mine=mine),
        *(action(view, who, one, me=me, mine=mine) for one in said.plain()),
    ]
    found = [f"{name} {and_list(acts)}."] if acts else []
    if said.when is not None:
        found.append(clause(view, who, said, me=me, mine=mine))
    elif not said.plain():
        found = [f"{name} {and_list([*acts, PHRASES['hold'][not me]])}."]
    if said.back is not None:
        target = _target(view, who, said.back.target, me=me) if said.back.target else ATTACKER
        found.append(BACK[not me].format(name=name, target=target, weapon=thing(view, who, said.back.weapon)))
    if me:
        found += _react(view, said.react)
    return " ".join(found)


def action(view: Visible, who: str, said: Action, *, me: bool = False, mine: bool = False) -> str:
    """Returns one action without its actor: "casts Mend on Ada", or with `me` "cast Mend on Ada"."""
    own = view.people.get(who)
    start = own.place if own is not None else None
    target = _target(view, who, said.target, me=me)
    several = and_list(dict.fromkeys(_target(view, who, key, me=me) for key in said.split))
    on = (
        f" on {several}"
        if said.split
        else f" on {target}"
        if said.target
        else f" at {spot(said.at)}"
        if said.at is not None
        else ""
    )
    return PHRASES[_phrase(said)][not me].format(
        target=target,
        on=on,
        weapon=thing(view, who, said.weapon) or "something",
        spell=thing(view, who, said.spell) or "a spell",
        points=points(said.pp),
        named=f": {thing(view, who, said.spell)}" if said.spell else "",
        item=thing(view, who, said.item) or "something",
        to=way(said.to, start if me or mine else None),
        attr=LONG_NAMES[said.attr],
        power=POWER.format(less=said.power, more=2 * said.power) if said.power else "",
        long=LONG.format(cycles=said.cycles) if said.cycles > 1 else "",
        gives=GIVES.format(gives=and_list(thing(view, who, key) for key in said.gives)) if said.gives else "",
        words=quoted(said.words),
        allies=and_list(view.name(key) for key in said.allies),
    )


def clause(view: Visible, who: str, said: Turn, *, me: bool = False, mine: bool = False) -> str:
    """Returns an if-then as one sentence: "If Troll attacks Ada, then I cast Mend on Ada." """
    when = said.when
    assert when is not None
    name = "I" if me else view.name(who)
    acts = [action(view, who, one, me=me, mine=mine) for one in said.guarded()] or [PHRASES["hold"][not me]]
    then = f"{FIRST if when.mode == 'interrupt' else ''}{name} {and_list(acts)}"
    if when.verb == TEXT:
        return f"If this is true: {quoted(when.words)}, then {then}."
    words = view.menus.get(who) or menu(view.known, who)
    if when.verb not in words.verbs:
        return f"If {_watched(view, when)} does something, then {then}."
    found = ifthens.clause(when)
    if not me:  # in the third person, "me" becomes the owner's name
        words, found = replace(words, owner=""), replace(found, whom=who if when.whom == ME else when.whom)
    return words.read_back(found, then)


def thing(view: Visible, who: str, key: str) -> str:
    """Returns the name of a spell, a weapon or an item."""
    if not key:
        return ""
    spell = view.known.spell(key)
    if spell is not None:
        return spell.name
    own = view.people.get(who)
    weapon = (own.body.weapons.get(key) if own is not None else None) or WEAPONS.get(key)
    if weapon is None and key in WORN:
        return WORN[key].name
    return weapon.name if weapon is not None else key if is_named(key) else key.replace("_", " ")


def way(to: Cell | None, start: Cell | None = None) -> str:
    """Returns the direction of a movement: "2.5 m south-east"; without a start "to 12,4"."""
    if to is None:
        return "somewhere"
    if start is None or to == start:
        return f"to {spot(to)}"
    return f"{metres(gap2(start, to) ** 0.5)} {compass(start, to)}"


def metres(far: float) -> str:
    """Returns centimetres as metres with at most one decimal."""
    return f"{round(far / 10) / 10:g} m"


def compass(start: Cell, to: Cell) -> str:
    """Returns one of eight directions; the map's second number grows southwards."""
    across, along = to[0] - start[0], to[1] - start[1]
    number = 0 if abs(across) > 2 * abs(along) else 2 if abs(along) > 2 * abs(across) else 1
    if number == 0:
        return COMPASS[0 if across > 0 else 4]
    if number == 2:
        return COMPASS[2 if along > 0 else 6]
    return COMPASS[(1 if across > 0 else 3) if along > 0 else (7 if across > 0 else 5)]


def spot(cell: Cell | None) -> str:
    return f"{cell[0]},{cell[1]}" if cell is not None else "a place"


def points(pp: int) -> str:
    return f" with {pp} power point{'s' if pp > 1 else ''}" if pp else ""


def quoted(words: str) -> str:
    return f"“{' '.join(words.split())}”"


def _phrase(said: Action) -> str:
    if said.do == "attack" and said.quick:
        return "quickloose"
    if said.do == "shove" and said.choice == "prone":
        return "throw_down"
    if said.do == "move" and said.gait == "special":
        return "special"
    if said.do == "communicate" and said.allies:
        return "coded" if said.words else "whispered"
    if said.do == "cast" and said.book:
        return "book"
    if said.do == "use" and said.words:
        return "use_so"
    if said.do == "use_major" and said.item == CARE:
        return "care"
    if said.do == "use_major" and said.item:
        return "take_other" if said.hand else "take"
    return "handle" if said.do == "use_major" and said.words else said.do


def _target(view: Visible, who: str, key: str, *, me: bool) -> str:
    if key == who:
        return SELF[not me]
    if key == THEM or not key:
        return THEM if key else "somebody"
    return view.name(key)


def _watched(view: Visible, when: When) -> str:
    return GROUPS.get(when.who) or view.name(when.who)


def _free(view: Visible, who: str, free: Free, *, me: bool, mine: bool) -> list[str]:
    own = view.people.get(who)
    start = own.place if own is not None and mine else None
    found = []
    if free.emerge:
        found.append(PHRASES["emerge"][not me])
    if free.back:
        found.append(PHRASES["back"][not me])
    if free.step is not None:
        found.append(PHRASES["step"][not me].format(to=way(free.step, start)))
    if free.face is not None:
        found.append(PHRASES["face"][not me].format(place=spot(free.face)))
    return found


def _react(view: Visible, react: React) -> list[str]:
    """The reactions that differ from the default."""
    names = and_list(thing(view, "", key) for key in react.spells) or "nothing"
    found = [RESISTS[react.resist].format(spells=names)] if react.resist in RESISTS else []
    found += [ARMOUR] * (react.on_critical == "armour")
    watched = [view.name(key) for key in react.watch if key in view.people]
    found += [WATCHES.format(watch=and_list(watched))] if watched else []
    return found + [SPARES] * (react.on_killing == "spare") + [LEAPS] * (react.on_area == "leap")
