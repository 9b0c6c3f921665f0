"""The text of a declaration: read back before it is sealed, and in the log after the reveal.

Combatants have the names that `view.the` gives this viewer. Movements have a direction and a distance where their start
is known, never coordinates. The script that reads back a form being filled in uses the
same `PHRASES`.
"""

from collections.abc import Mapping
from dataclasses import replace

from app.engine.ifthen import GROUPS, ME, THEM
from app.engine.sentences import and_list, capital
from app.rulesets.arcana.fight import ifthens
from app.rulesets.arcana.fight.declarations import Action, Free, React, Turn, When
from app.rulesets.arcana.fight.form_values import CARE
from app.rulesets.arcana.fight.ifthens import TEXT, menu
from app.rulesets.arcana.rules.grid import Cell, gap2
from app.rulesets.arcana.rules.labels import LONG_NAMES
from app.rulesets.arcana.view.item_words import listed_name, with_article
from app.rulesets.arcana.view.view_values import Visible

PHRASES: Mapping[str, tuple[str, str]] = {  # "I …", "Ada …"
    "attack": ("attack {target} with {weapon}{power}", "attacks {target} with {weapon}{power}"),
    "quickloose": ("quickly attack {target} with {weapon}{power}", "quickly attacks {target} with {weapon}{power}"),
    "cast": ("cast {spell}{points}{on}", "casts {spell}{points}{on}"),
    "book": ("cast {spell} from a book{on}", "casts {spell} from a book{on}"),
    "quickspell": ("quickly cast {spell}{points}{on}", "quickly casts {spell}{points}{on}"),
    "move": ("move{to}", "moves{to}"),
    "special": ("climb, crawl or swim{to}", "climbs, crawls or swims{to}"),
    "considered": ("move carefully{to}", "moves carefully{to}"),
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
    "step": ("step{to}", "steps{to}"),
    "face": ("turn{to}", "turns{to}"),
    "emerge": ("come out of cover", "comes out of cover"),
    "back": ("go back into cover", "goes back into cover"),
    "hold": ("wait and do nothing", "waits and does nothing"),
}
SELF = ("myself", "themselves")
FIRST = "before it happens, "  # of an interrupt, between "then" and the actor
COMPASS = ("east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east")
POWER = ", trading {less} accuracy for {more} damage"
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
    "I let every attack hit me and strike back at {target} with {weapon}.",
    "{name} lets every attack hit and strikes back at {target} with {weapon}.",
)
ATTACKER = "an attacker"
LEAPS = "If an area attack misses me, I leap out of it."
TOWARDS = 300  # cm: how near a movement ends to what it leads towards


def turn(
    view: Visible, who: str, said: Turn, *, me: bool = False, mine: bool = False, start: Cell | None = None
) -> str:
    """Returns a whole declaration in one or two sentences; `me`: in the first person, with its author's secrets.

    `mine`: it is not revealed yet, so movements are measured from the current places. Else from `start`, if given.
    """
    name, start = "I" if me else view.the(who), _start(view, who, start, now=me or mine)
    towards = me or mine
    acts = [
        *_free(view, said.free, start, me=me),
        *(_action(view, who, one, start, me=me, towards=towards) for one in said.plain()),
    ]
    found = [f"{capital(name)} {and_list(acts)}."] if acts else []
    if said.when is not None:
        found.append(clause(view, who, said, me=me, mine=mine, start=start))
    elif not said.plain():
        found = [f"{capital(name)} {and_list([*acts, PHRASES['hold'][not me]])}."]
    if said.back is not None:
        target = _target(view, who, said.back.target, me=me) if said.back.target else ATTACKER
        weapon = with_article(view, who, said.back.weapon, me=me)
        found.append(BACK[not me].format(name=capital(name), target=target, weapon=weapon))
    if me:
        found += _react(view, said.react)
    return " ".join(found)


def action(view: Visible, who: str, said: Action) -> str:
    """Returns one revealed action without its actor: "casts Mend on Ada"."""
    return _action(view, who, said, None, me=False, towards=False)


def _action(view: Visible, who: str, said: Action, start: Cell | None, *, me: bool, towards: bool) -> str:
    target = _target(view, who, said.target, me=me)
    several = and_list(dict.fromkeys(_target(view, who, key, me=me) for key in said.split))
    aimed = f" on {several or target}" if said.split or said.target else ""
    return PHRASES[_phrase(said)][not me].format(
        target=target,
        on=aimed or (f" at {point(said.at, start)}" if said.at is not None else ""),
        weapon=with_article(view, who, said.weapon, me=me),
        spell=listed_name(view, who, said.spell) or "a spell",
        points=points(said.pp),
        named=f": {listed_name(view, who, said.spell)}" if said.spell else "",
        item=with_article(view, who, said.item, me=me),
        to=way(said.to, start) + (_towards(view, who, start, said.to) if towards else ""),
        attr=LONG_NAMES[said.attr],
        power=POWER.format(less=said.power, more=2 * said.power) if said.power else "",
        long=LONG.format(cycles=said.cycles) if said.cycles > 1 else "",
        gives=_gives(view, who, said, me=me),
        words=quoted(said.words),
        allies=and_list(view.the(key) for key in said.allies),
    )


def _gives(view: Visible, who: str, said: Action, *, me: bool) -> str:
    given = [with_article(view, who, key, me=me) for key in said.gives]
    return GIVES.format(gives=and_list(given)) if given else ""


def clause(
    view: Visible, who: str, said: Turn, *, me: bool = False, mine: bool = False, start: Cell | None = None
) -> str:
    """Returns an if-then as one sentence: "If the troll attacks Ada, then I cast Mend on Ada." """
    when, start = said.when, _start(view, who, start, now=me or mine)
    assert when is not None
    name = "I" if me else view.the(who)
    guarded = [_action(view, who, one, start, me=me, towards=me or mine) for one in said.guarded()]
    acts = guarded or [PHRASES["hold"][not me]]
    then = f"{FIRST if when.mode == 'interrupt' else ''}{name} {and_list(acts)}"
    if when.verb == TEXT:
        return f"If this is true: {quoted(when.words)}, then {then}."
    words = view.menus.get(who) or menu(view.known, who)
    if when.verb not in words.verbs:
        return f"If {_watched(view, when)} does something, then {then}."
    found = ifthens.clause(when)
    if not me:  # in the third person, "me" becomes the owner's name
        words, found = replace(words, owner=""), replace(found, whom=who if when.whom == ME else when.whom)
    place = found.whom if found.whom in words.places else ""
    people = {key: view.the(key) for key in (found.who, found.whom) if key not in ("", ME, place)}
    things = {key: name if view.known.spell(key) else with_article(view, "", key) for key, name in words.things.items()
              if key == found.using}  # fmt: skip
    places = {place: _where(_cell(place), start, "me" if me else name)} if place else {}
    return replace(words, people=people, things=things, places=places).read_back(found, then)


def _where(at: Cell, start: Cell | None, whom: str) -> str:
    return point(at, start) if start in (None, at) else f"{point(at, start)} of {whom}"


def _start(view: Visible, who: str, start: Cell | None, *, now: bool) -> Cell | None:
    return view.people[who].place if start is None and now and who in view.people else start


def way(to: Cell | None, start: Cell | None) -> str:
    """Returns the direction of a movement, behind its verb: " 2.5 m south-east"; "" without a start."""
    if to is None:
        return " somewhere"
    if start is None:
        return ""
    return " on the spot" if to == start else f" {metres(gap2(start, to) ** 0.5)} {compass(start, to)}"


def point(at: Cell, start: Cell | None) -> str:
    """Returns a place that is aimed at: "a point 6 m east"."""
    if start is None:
        return "a place"
    return "this very spot" if at == start else f"a point{way(at, start)}"


def heading(view: Visible, start: Cell, end: Cell) -> str:
    """Returns a finished movement: "4 m east towards the gate"."""
    places = {one.called: one.at for one in view.known.objects.values()}
    return f"{way(end, start).lstrip()}{_nearer(places, start, end)}"


def _towards(view: Visible, who: str, start: Cell | None, to: Cell | None) -> str:
    """Whom or what a movement leads to, in the same direction: " towards the gate"; "" for nothing."""
    if start is None or to is None or to == start:
        return ""
    places = {view.the(key): one.place for key, one in view.people.items() if key != who and not one.dead}
    return _nearer({**{one.called: one.at for one in view.known.objects.values()}, **places}, start, to)


def _nearer(places: Mapping[str, Cell], start: Cell, to: Cell) -> str:
    if to == start:
        return ""
    ahead = {
        name: gap2(to, at)
        for name, at in places.items()
        if at != start and compass(start, at) == compass(start, to) and gap2(to, at) <= TOWARDS**2
    }
    return f" towards {min(ahead, key=lambda name: (ahead[name], name))}" if ahead else ""


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
    """Returns a place as forms have it."""
    return f"{cell[0]},{cell[1]}" if cell is not None else ""


def _cell(place: str) -> Cell:
    across, along = place.partition(":")[2].split(",")
    return int(across), int(along)


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
        return THEM if key else "someone"
    return view.the(key)


def _watched(view: Visible, when: When) -> str:
    return GROUPS.get(when.who) or view.the(when.who)


def _free(view: Visible, free: Free, start: Cell | None, *, me: bool) -> list[str]:
    found = []
    if free.emerge:
        found.append(PHRASES["emerge"][not me])
    if free.back:
        found.append(PHRASES["back"][not me])
    if free.step is not None:
        found.append(PHRASES["step"][not me].format(to=way(free.step, start)))
    if free.face is not None:
        towards = f" {compass(start, free.face)}" if start is not None and start != free.face else ""
        found.append(PHRASES["face"][not me].format(to=towards))
    return found


def _react(view: Visible, react: React) -> list[str]:
    """The reactions that differ from the default."""
    names = and_list(listed_name(view, "", key) for key in react.spells) or "nothing"
    found = [RESISTS[react.resist].format(spells=names)] if react.resist in RESISTS else []
    found += [ARMOUR] * (react.on_critical == "armour")
    watched = [view.the(key) for key in react.watch if key in view.people]
    found += [WATCHES.format(watch=and_list(watched))] if watched else []
    return found + [SPARES] * (react.on_killing == "spare") + [LEAPS] * (react.on_area == "leap")
