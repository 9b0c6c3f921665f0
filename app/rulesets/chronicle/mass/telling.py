"""What the log, the film and the ending of a battle say: units in sentences, moves of an order, what each side lost."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from app.engine.sentences import and_list
from app.rulesets.chronicle.checks import Checked, said
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass.ending import for_good
from app.rulesets.chronicle.mass.field_text import FIELDS
from app.rulesets.chronicle.mass.hexes import Axis, Hex, spell
from app.rulesets.chronicle.mass.placing import row_in_words
from app.rulesets.chronicle.mass.state import SIDES, Line, Side, State, Unit
from app.rulesets.chronicle.mass.strength import Addend, in_words, total
from app.rulesets.chronicle.mass.troops import TROOPS


class NumberedEvent(Protocol):
    """An event with its number."""

    @property
    def number(self) -> int: ...

    @property
    def event(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class Going:
    """How an order moves one unit."""

    who: str
    to: str = ""  # "": it does not move
    touched: tuple[str, ...] = ()  # enemies beside whom it stops
    taken: str = ""  # the hex that it finds taken


@dataclass(frozen=True, slots=True)
class Toll:
    """What the battle cost a side so far: its men, and its units by what became of them."""

    side: Side
    men: int
    lost: int  # in the battle
    for_good: int
    here: int
    destroyed: int
    left: int
    out: int  # taken out by the GM

    @property
    def back(self) -> int:
        """Men who were lost in the battle and come back."""
        return self.lost - self.for_good


@dataclass(frozen=True, slots=True)
class Sizes:
    """The units of one type of troops when an army is divided."""

    name: str
    men: tuple[int, ...]


def orders(events: Sequence[NumberedEvent], number: int) -> list[Going]:
    """How the units of an order move, in their order; its event has this number."""
    found = dict[str, Going]()
    for event in following(events, number):
        match event:
            case ev.Moved(who=who, way=way, touched=touched):
                found[who] = Going(who, spell(way[-1]), touched)
            case ev.Blocked(who=who, taken=taken):
                moved = found.get(who, Going(who))
                found[who] = Going(who, moved.to, moved.touched, spell(taken))
            case _:
                break
    return list(found.values())


def following(events: Sequence[NumberedEvent], number: int) -> Iterator[Any]:
    """The events after the one with this number."""
    return (told.event for told in events if told.number > number)


@dataclass(frozen=True, slots=True)
class Telling:
    """The part of a view that puts events into words: of the battle it reads what no later event changes."""

    battle: State

    def the(self, side: Side) -> str:
        return self.battle.the(side)

    def verb(self, key: str, one: str, many: str) -> str:
        """The verb of a unit: "Heavy cavalry 1 falls back", "Pikemen 1 fall back"."""
        return many if self.battle.units[key].kind.plural else one

    def listed(self, keys: Collection[str]) -> str:
        """ "Pikemen 4 and 5, Heavy cavalry 9": units of one side, in order of id."""
        own = [key for key in self.battle.units if key in keys]
        troops = dict.fromkeys(self.battle.units[key].troop for key in own)
        groups = ([key for key in own if self.battle.units[key].troop == troop] for troop in troops)
        found = [self._numbered(group) for group in groups]
        return and_list(found) if len(found) == len(keys) else ", ".join(found)

    def _numbered(self, keys: Sequence[str]) -> str:
        first, *others = map(self.battle.name, keys)
        return and_list([first, *(name.rpartition(" ")[2] for name in others)])

    def of_side(self, keys: Collection[str], side: Side) -> list[str]:
        return [key for key in keys if self.battle.units[key].side == side]

    def spot(self, hex: Hex) -> str:
        return spell(hex)

    def field_name(self, place: str, name: str = "") -> str:
        """ "a river with two fords", or the name of a map that the campaign keeps."""
        if name:
            return f"“{name}”"
        return FIELDS[place][:1].lower() + FIELDS[place][1:] if place in FIELDS else "a map drawn for this battle"

    def row(self, axis: Axis, number: int, sign: int) -> str:
        """A straight row of the field in words, from its end."""
        line = Line(axis, number, 1 if sign > 0 else -1)
        return row_in_words(line, self.battle.ground.straight_row(axis, number))

    def parts(self, key: str, parts: Sequence[Addend]) -> str:
        """ "pikemen 4, against cavalry +3 = 7"; a strength of one part is not summed up."""
        words = in_words(parts, self.battle.units[key].troop)
        return f"{words} = {total(parts)}".replace("= -", "= −") if len(parts) > 1 else words

    def odds(self, checked: Checked) -> str:
        return said(checked.acting, checked.opposing)

    def orders(self, events: Sequence[NumberedEvent], number: int) -> list[Going]:
        return orders(events, number)

    def falls_back(self, events: Sequence[NumberedEvent], number: int, who: str) -> ev.Fell | None:
        """Where a unit falls back right after losses, whose event has this number."""
        found = next(following(events, number), None)
        return found if isinstance(found, ev.Fell) and found.who == who else None

    def troop(self, key: str) -> str:
        return TROOPS[key].name

    def sizes(self, units: Sequence[tuple[str, Side, str, int]], side: Side) -> list[Sizes]:
        """The units of a side by type of troops, in the order of the rules."""
        own = [(self.battle.units[key].kind.name, men) for key, of, _, men in units if of == side]
        return [Sizes(name, tuple(men for one, men in own if one == name)) for name in dict.fromkeys(n for n, _ in own)]

    def tolls(self) -> list[Toll]:
        """What the battle cost both sides, if it ended now."""
        lasting = for_good(self.battle)
        return [_toll(side, [one for one in self.battle.units.values() if one.side == side], lasting) for side in SIDES]


def _toll(side: Side, units: Sequence[Unit], lasting: Mapping[str, int]) -> Toll:
    return Toll(
        side,
        sum(unit.men for unit in units),
        sum(unit.losses for unit in units),
        sum(lasting[unit.key] for unit in units),
        *(sum(unit.gone == gone for unit in units) for gone in ("", "destroyed", "left", "out")),
    )
