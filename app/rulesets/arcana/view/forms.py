"""The form of a declaration: choices with reasons, initial values, and data for its script (ARC-08)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from app.engine.ifthen import GROUPS
from app.rulesets.arcana.fight import form_values
from app.rulesets.arcana.fight.casting import price
from app.rulesets.arcana.fight.declarations import Action, Turn, reacting
from app.rulesets.arcana.fight.trading import carried
from app.rulesets.arcana.phases.legal import SAYS, meant
from app.rulesets.arcana.rules import wording
from app.rulesets.arcana.rules.book import SPELLS
from app.rulesets.arcana.rules.grid import Cell, gap2, within
from app.rulesets.arcana.rules.items import DRAUGHTS, OTHERS, is_named
from app.rulesets.arcana.rules.labels import LONG_NAMES
from app.rulesets.arcana.view import declaration_text, item_words
from app.rulesets.arcana.view.options import Can, SpellCan
from app.rulesets.arcana.view.view_values import Visible

SPELT_OUT = 30  # up to this many combatants of a seat have fields of their own; the others follow their habits
FEW = 60  # up to this many combatants, forms say who is behind a wall
MAJORS: Mapping[str, tuple[str, str]] = {
    "attack": ("Attack", "Strike or shoot with a weapon."),
    "cast": ("Cast a spell", "From memory, with as many power points as you like."),
    "move": ("Move", "As far as you can go, but nothing else."),
    "search": ("Search", "Look for hidden people, at +2, for the whole cycle."),
    "hide": ("Hide", "Where no enemy can see you."),
    "stand": ("Stand up", "From the ground."),
    "shake_off": ("Shake it off", "Repeat your Resist against whatever holds you."),
    "continue": ("Continue", "Continue an action of several cycles."),
    "aim": ("Take aim", "Each cycle of aiming increases a weapon's range."),
    "don": ("Change clothes or armour", "It takes several cycles in a row."),
    "use_major": ("Handle something", "Draw or change a weapon, open something, prise it open."),
    "trade": ("Trade", "You must both choose this, within 1 m of each other."),
    "grapple": ("Grapple", "Your strength against their strength or quickness, within 1 m. If you win, they are held."),
    "shove": ("Shove", "The same, to knock them down or push them back a metre."),
    "help": ("Help", "Help someone who tries something in their own words: the better of you rolls, with advantage."),
    "custom": ("Something else", "In your own words; the GM says how hard it is."),
}
MINORS: Mapping[str, tuple[str, str]] = {
    "considered": ("Considered movement", "It happens first."),
    "evade": ("Evade", "Your best Dodge; attacks on you have disadvantage."),
    "brace": ("Brace", "Your best Block; attacks on you have disadvantage."),
    "quickspell": ("Quickspell", "At full price, with disadvantage to hit."),
    "attack": ("Quick shot", "Together with a considered movement, with disadvantage to hit."),
    "use": ("Use something", "Drink, glance, take something from a bag."),
    "drop": ("Put something down", "It lies where you stand; anyone within 1 m can pick it up."),
    "communicate": ("Say something", "To everyone, or in code to some."),
    "counterspell": (
        "Prepare a counterspell",
        "When a spell or missile comes at you, you have seconds to name a spell.",
    ),
    "custom_minor": ("Something else", "In your own words, about a second long."),
}
SELDOM = frozenset(
    {"grapple", "shove", "help", "continue", "use_major", "trade", "don", "aim"}
)  # offered only when they are possible
OURS, OBJECTS = "Your side", "Objects"
MEETING = 200  # cm: touch, and a free step by each
FEET = {"considered": "considered", "move": "transport"}


@dataclass(frozen=True, slots=True)
class Choice:
    """An action to choose: its name, its description, and why it is not possible now ("" if it is)."""

    do: str
    name: str
    about: str
    why_not: str


@dataclass(frozen=True, slots=True)
class Person:
    """A combatant to aim at or to watch, or an object to aim at."""

    key: str
    name: str
    group: str  # "Against you", "Your side", "Objects"
    about: str  # distance and apparent health


def choices(can: Can, which: str, offers: Iterable[str] = ()) -> tuple[Choice, ...]:
    """Returns the majors or minors of a combatant, without those that cannot be of use."""
    words = MAJORS if which == "major" else MINORS
    known = [do for do in words if do not in SELDOM or do in offers]
    known = [do for do in known if do != "drop" or can.gives]
    known = [do for do in known if which == "major" or do != "attack" or can.quick]
    return tuple(Choice(do, *_named(can, which, do, *words[do]), _why_not(can, do)) for do in known)


def _named(can: Can, which: str, do: str, name: str, about: str) -> tuple[str, str]:
    if do == "attack" and which == "minor" and can.strikes:
        return "Quick attack", "With disadvantage to hit."
    if do == "continue" and can.going is not None:
        price = f", {can.going.price} FP" if can.going.price else ""
        return name, f"{can.going.done} of {can.going.cycles} cycles done{price}."
    far = getattr(can, FEET[do]) if do in FEET else 0
    return (name, f"Up to {far / 100:g} m. {about}" if do == "considered" else f"Up to {far / 100:g} m.") if far else (
        name, about)  # fmt: skip


def _why_not(can: Can, do: str) -> str:
    if can.why_not.get(do):
        return can.why_not[do]
    if do in ("cast", "quickspell"):
        there = can.spells + (can.books if do == "cast" else ())
        if not there:
            return "You do not know any spell by heart."
        return there[0].why_not if all(one.why_not for one in there) else ""
    if do == "attack" and not can.weapons:
        return "You have nothing to strike with."
    return ""


def people(view: Visible, key: str) -> tuple[Person, ...]:
    """Returns all living combatants this one knows of: enemies first, the nearer before the others."""
    own = view.people[key]
    found = [(one.side == own.side, gap2(own.place, one.place), other) for other, one in view.people.items()
             if other != key and not one.dead]  # fmt: skip
    return tuple(
        Person(other, view.name(other), OURS if friend else "Against you",
               f"{declaration_text.metres(far ** 0.5)}, {view.looks.get(other, '')}{_covered(view, own.place, other)}")
        for friend, far, other in sorted(found)
    )  # fmt: skip


def objects(view: Visible, key: str) -> tuple[Person, ...]:
    """Returns the objects that can be attacked, the nearest first (ARC-79)."""
    place = view.people[key].place
    found = sorted((gap2(place, one.at), one.key, one) for one in view.known.objects.values() if not one.broken)
    return tuple(
        Person(
            one.key,
            one.label,
            OBJECTS,
            ", ".join(filter(None, (declaration_text.metres(far**0.5), one.measures, one.health))),
        )
        for far, _, one in found
    )


def _covered(view: Visible, place: Cell, other: str) -> str:
    if len(view.people) > FEW:
        return ""
    if view.known.cover(other) == "full":
        return ", in full cover"
    return ", behind a wall" if view.known.walled(place, view.people[other].place) else ""


def filled(view: Visible, key: str) -> dict[str, Any]:
    """Returns a form's initial values: the GM's habits, or a continued Focus or task; reactions stay as they were."""
    one = view.people[key]
    turn = view.hand.get(key) or getattr(view, "silent", {}).get(key) or Turn()
    form = spread(turn) if turn.major or turn.minors or key in view.hand else {}
    return {**form, "react": _react(one.last)}


def of_seat(view: Visible) -> dict[str, dict[str, Any]]:
    """Returns the initial values of a seat's whole form; combatants who cannot act have none."""
    able = {number: key for number, key in enumerate(view.mine) if view.can[key].able}
    return {key: filled(view, key) if number < SPELT_OUT else {"what": "habit"} for number, key in able.items()}


def spread(turn: Turn) -> dict[str, Any]:
    """Returns a declaration as nested form fields."""
    form: dict[str, Any] = {
        "what": "major" if turn.major else "minors" if turn.minors else "hold",
        "minors": {str(number): _fields(one) for number, one in enumerate(turn.minors)},
        "free": {"step": _spot(turn.free.step), "face": _spot(turn.free.face),
                 "emerge": "yes" if turn.free.emerge else "", "back": "yes" if turn.free.back else ""},
        "react": _react(turn),
    }  # fmt: skip
    if turn.extra:
        form["extra"] = _fields(turn.extra)
    if turn.back:
        form["back"] = _fields(turn.back)
    if turn.major:
        form["major"] = _fields(turn.major)
        if turn.major.do == "maintain":
            to = next((_spot(one.to) for one in turn.minors if one.do == "considered"), "")
            form |= {"what": "keep", "keep": {"to": to}}
    if turn.when:
        form["when"] = {**turn.when.model_dump(), "at": ""}
        if turn.when.whom.startswith(f"{form_values.PLACE}:"):
            form["when"] |= {"whom": form_values.PLACE, "at": turn.when.whom.removeprefix(f"{form_values.PLACE}:")}
    return form


def shown_again(form: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the submitted values, each minor at the position where it was checked; malformed values are left out."""
    minors = form.get("minors")
    rows = form_values.row(minors) if isinstance(minors, Mapping) else []
    groups = {name: _group(form.get(name)) for name in ("free", "major", "extra", "back", "keep", "when", "react")}
    return {
        **groups,
        "what": form["what"] if isinstance(form.get("what"), str) else "",
        "minors": {str(number): _group(one) for number, one in enumerate(rows)},
    }


def _group(given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        return {}
    return {name: value for name, value in given.items() if isinstance(value, (str, list))}


def spelt(view: Visible, key: str, form: Mapping[str, Any]) -> Turn | None:
    """Returns the declaration of these fields; None while they are invalid."""
    try:
        return meant(view.known, key, Turn.model_validate(dict(form)))
    except ValidationError:
        return None


def said(view: Visible, key: str, form: Mapping[str, Any], *, me: bool = True) -> str:
    """Returns the declaration in words with its cost; "" while the fields are invalid."""
    turn = spelt(view, key, form)
    if turn is None or (form.get("what") == "major" and turn.major is None):
        return ""
    cost = fp(view, key, turn)
    one = view.people[key]
    read = declaration_text.turn(view, key, turn, me=me, mine=True)
    return read + (f" This costs {cost} of {one.fp} FP." if cost else "")


def fp(view: Visible, key: str, turn: Turn) -> int:
    """Returns the price of a declaration's spells together."""
    majors = [one for one in (turn.major, turn.extra) if one is not None]
    acts: list[Action] = [*majors, *turn.minors]
    found = ((one, view.known.spell(one.spell)) for one in acts if one.do in ("cast", "quickspell"))
    return sum(price(view.people[key], spell, one.pp, book=one.book) for one, spell in found if spell is not None)


def spell(can: SpellCan, level: int) -> str:
    """Returns a spell in one line: "Novice restoration, to 100 m. Heals 2d4 HP." """
    one = can.spell
    return f"{one.level.capitalize()} {one.school}, {wording.aimed(one, level)}. {wording.spell(one, level)}"


def things(view: Visible, key: str) -> list[tuple[str, str]]:
    """Returns the options after "with", by name; for the GM only those of combatants here, to keep the list short."""
    words = view.menus[key].things
    if view.is_gm:
        here = {one for other in view.people.values() for one in (*other.body.spells, *other.body.weapons)}
        words = {one: name for one, name in words.items() if one in here}
    return sorted(words.items(), key=lambda pair: pair[1])


def script(view: Visible, key: str) -> dict[str, Any]:
    """Returns the data with which the script reads a form back while it is filled in; lengths in cm."""
    can, one = view.can[key], view.people[key]
    return {
        "id": key,
        "at": list(one.place),
        "name": "" if Planning(view, key).alone else view.the(key),
        "again": Planning(view, key).again,
        "fp": one.fp,
        "dead": [other for other, fighter in view.people.items() if fighter.dead],
        "far": {"step": can.step, "considered": can.considered, "walk": can.transport, "special": can.special},
        "spells": {
            book + row.id: [row.name, row.price, row.aim, row.reach, _throws(row), bool(book), row.hostile]
            for book, rows in (("", can.spells), (form_values.FROM_BOOK, can.books))
            for row in rows
        },
        "weapons": {row.id: [Planning(view, key).held(row.id), max(row.reach, row.range)] for row in can.weapons},
        "people": {other: view.the(other) for other in (*view.people, *view.known.objects)},
        "where": {
            **{other: list(fighter.place) for other, fighter in view.people.items()},
            **{other: list(thing.at) for other, thing in view.known.objects.items()},
        },
        "still": [
            *(other for other, fighter in view.people.items() if fighter.still or fighter.forbidden("movement")),
            *view.known.objects,
        ],
        "verbs": {verb.key: [verb.says, verb.made, verb.unnamed, verb.on] for verb in view.menus[key].verbs.values()},
    }


def _throws(can: SpellCan) -> bool:
    """Whether it needs a place besides its target."""
    return any(one.op == "throw" for one in can.spell.effect)


def words() -> dict[str, Any]:
    """Returns the texts that are the same in all forms."""
    return {
        "phrases": dict(declaration_text.PHRASES), "self": declaration_text.SELF, "first": declaration_text.FIRST,
        "compass": declaration_text.COMPASS, "resists": declaration_text.RESISTS, "armour": declaration_text.ARMOUR,
        "power": declaration_text.POWER, "long": declaration_text.LONG, "gives": declaration_text.GIVES,
        "spares": declaration_text.SPARES, "leaps": declaration_text.LEAPS, "watches": declaration_text.WATCHES,
        "back": declaration_text.BACK, "attacker": declaration_text.ATTACKER,
        "towards": declaration_text.TOWARDS, "attrs": LONG_NAMES, "groups": GROUPS, "says": SAYS, "drunk": [*DRAUGHTS],
    }  # fmt: skip


def _fields(action: Action) -> dict[str, Any]:
    given = action.model_dump()
    spots = {name: _spot(given[name]) for name in ("at", "to")}
    ticks = {name: "yes" if value else "" for name, value in given.items() if isinstance(value, bool)}
    lists = {name: list(value) for name, value in given.items() if isinstance(value, tuple) and name not in spots}
    numbers = {name: str(given[name]) for name in ("pp", "power", "cycles")}
    name, field = form_values.NAMED.get(action.do, ("", ""))
    named = {name: given[field]} if name else {}
    spell = f"{form_values.FROM_BOOK if action.book else ''}{action.spell}"
    return {**given, **spots, **ticks, **lists, **numbers, **named, "spell": spell}


def _react(turn: Turn) -> dict[str, Any]:
    return {**turn.react.model_dump(), "spells": list(turn.react.spells), "watch": list(turn.react.watch)}


def _spot(cell: tuple[int, int] | None) -> str:
    return declaration_text.spot(cell) if cell is not None else ""


@dataclass(frozen=True, slots=True)
class Planning:
    """The form of one combatant's declaration."""

    view: Visible
    key: str

    @property
    def alone(self) -> bool:
        """Whether it is the seat's only combatant, so that texts say "I"."""
        seat = self.view.people[self.key].seat
        return sum(self.view.people[key].seat == seat for key in self.view.mine) == 1 and not self.view.is_gm

    @property
    def can(self) -> Can:
        return self.view.can[self.key]

    @property
    def offers(self) -> frozenset[str]:
        """Seldom used actions that are possible now."""
        own = self.view.people[self.key]
        near = any(within(own.place, self.view.people[one.key].place, MEETING) for one in self.people)
        there = {"continue": own.task, "don": self.can.wardrobe, "aim": self.can.aims, "trade": near, "use_major": True}
        there["grapple"] = there["shove"] = self.view.settings.grappling == "on"
        there["help"] = any(one.group == OURS for one in self.people)
        return frozenset(do for do, found in there.items() if found)

    @property
    def takes(self) -> list[tuple[str, str]]:
        """Items that a trade may be limited to: draughts, weapons of nearby allies, and all other things."""
        own = self.view.people[self.key]
        near = [self.view.people[one.key] for one in self.people if one.group == OURS]
        arms = {key for one in near if within(own.place, one.place, MEETING) for key in carried(one)}
        known = {**DRAUGHTS, **{key: self.thing(key) for key in arms if not is_named(key) and key not in DRAUGHTS}}
        return [*sorted(known.items(), key=lambda pair: pair[1]), (OTHERS, "all other things")]

    def spelling(self, n: str, do: str, which: str) -> str:
        """The form condition for chosen spells with `which`: "choices" or "split"."""
        books = [(form_values.FROM_BOOK, one) for one in self.can.books] if do == "cast" else []
        found = [(book, one) for book, one in [*(("", one) for one in self.can.spells), *books] if getattr(one, which)]
        return "|".join(f"{n}do={do}&{n}spell={book}{one.id}" for book, one in found)

    def drinking(self, n: str) -> str:
        """The form condition for no item, or one that needs no words: a draught."""
        return "|".join(f"{n}do=use&{n}item={key}" for key in ("", *DRAUGHTS))

    @property
    def focus(self) -> str:
        """The name of the spell that is kept up; "" for none."""
        held = getattr(self.view.people[self.key], "focus", None)
        return self.thing(held.spell) if held is not None else ""

    @property
    def watched(self) -> list[str]:
        """Names of foes a sentinel watches already (ARC-109)."""
        return [self.view.the(key) for key in self.view.people[self.key].watched if key in self.view.people]

    @property
    def room(self) -> int | None:
        """How many more foes it may watch; None: not rolled yet."""
        own = self.view.people[self.key]
        return own.watches - own.watching if own.watches else None

    @property
    def skills(self) -> frozenset[str]:
        """The combatant's skills, some of which give choices (ARC-174)."""
        return frozenset(self.view.people[self.key].body.skills)

    @property
    def resistable(self) -> list[tuple[str, str]]:
        """Spells that allow a Resist, by name."""
        found = [(key, one.name) for key, one in {**SPELLS, **self.view.known.own_spells}.items() if one.resist]
        return sorted(found, key=lambda pair: pair[1])

    @property
    def majors(self) -> tuple[Choice, ...]:
        return choices(self.can, "major", self.offers)

    @property
    def minors(self) -> tuple[Choice, ...]:
        return choices(self.can, "minor", self.offers)

    @property
    def people(self) -> tuple[Person, ...]:
        return people(self.view, self.key)

    @property
    def objects(self) -> tuple[Person, ...]:
        return objects(self.view, self.key)

    @property
    def spells(self) -> list[tuple[SpellCan, str]]:
        """Spells that can be cast now, each in a line."""
        level = self.view.people[self.key].body.level
        return [(one, spell(one, level)) for one in self.can.spells if not one.why_not]

    @property
    def books(self) -> list[tuple[SpellCan, str]]:
        """Spells that can be cast from a book now, each in a line (ARC-155)."""
        level = self.view.people[self.key].body.level
        return [(one, spell(one, level)) for one in self.can.books if not one.why_not]

    @property
    def barred(self) -> list[SpellCan]:
        by_heart = {one.id for one in self.can.spells}
        books = [one for one in self.can.books if one.id not in by_heart]
        return [one for one in (*self.can.spells, *books) if one.why_not]

    @property
    def things(self) -> list[tuple[str, str]]:
        return things(self.view, self.key)

    @property
    def filled(self) -> dict[str, Any]:
        return filled(self.view, self.key)

    @property
    def again(self) -> str:
        """The last declaration in words, for repeating; "" if there is none."""
        last = reacting(self.view.people[self.key].last, Turn().react)
        if not last.major and not last.minors:
            return ""
        return declaration_text.turn(self.view, self.key, last, me=self.alone, mine=True)

    @property
    def script(self) -> dict[str, Any]:
        return script(self.view, self.key)

    def shown(self, form: Mapping[str, Any]) -> dict[str, Any]:
        return shown_again(form or self.filled)

    def said(self, form: Mapping[str, Any]) -> str:
        return said(self.view, self.key, form, me=self.alone)

    def thing(self, key: str) -> str:
        return item_words.listed_name(self.view, self.key, key)

    def held(self, key: str) -> str:
        """A weapon or an item with its article, as the declaration has it."""
        return item_words.with_article(self.view, self.key, key, me=self.alone)

    def watching(self, key: str) -> str:
        """What a condition may name after "with": a spell, or a weapon with its article."""
        return self.thing(key) if self.view.known.spell(key) else item_words.with_article(self.view, "", key)
