"""Placing both armies, and the straight row between them (CHR-PLC)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.hexes import Hex, distance, go, read, spell, value
from app.rulesets.chronicle.mass.reach import surrounded
from app.rulesets.chronicle.mass.state import Line, Shape, Side, State
from app.rulesets.chronicle.mass.units import MOST_UNITS

Arrangement = Literal["line", "two lines", "wedge", "column", "camp"]
Arrange = Arrangement | Literal[""]

ROW, COLUMN, MARCH_ROW = 16, 6, 11  # of the usual field (steps M5)
USUAL_ROWS, USUAL_COLUMNS = 23, 20
CAMP = 2  # hexes from the middle of a camp (CHR-PLC-07)
APART = 3  # hexes between both armies, if nobody decides (step M7)
NO_LINE = "No straight row along this army leaves room for the attackers. Place it nearer to one edge."


def placer(state: State) -> Side:
    """The side that places now: the defender or the ambushed first (CHR-PLC-12)."""
    first = state.defender
    return state.attacker if any(unit.here for unit in state.of(first)) else first


def is_first(state: State, side: Side) -> bool:
    return side == state.defender


def zone(state: State, side: Side) -> list[Hex]:
    """The free hexes that a side may use, row by row."""
    field, taken = state.ground, state.taken
    line = None if is_first(state, side) else state.line
    return [hex for hex in field if field.passable(hex) and hex not in taken and (not line or line.beyond(hex) >= 0)]


def lines(field: Field, army: Collection[Hex], count: int, axes: Literal["all", "horizontal"] = "all") -> list[Line]:
    """The straight rows that the defender may choose for `count` attacking units (CHR-PLC-05, -06).

    The one along his northernmost units comes first.
    """
    found = list[Line]()
    for axis in ("z", "x", "y") if axes == "all" else ("z",):
        values = [value(hex, axis) for hex in army]
        for line in (Line(axis, min(values), -1), Line(axis, max(values), 1)):
            room = sum(line.beyond(hex) >= 0 and hex not in army and field.passable(hex) for hex in field)
            if room >= count:
                found.append(line)
    return found


def usual(state: State, side: Side) -> list[Hex]:
    """The hexes of a side that does not decide, in the order of its units; then the others it may use."""
    spots, field = zone(state, side), state.ground
    if is_first(state, side):
        named = _row(spots, field) if state.how == "set" else chain(field, len(state.of(side)))
        return list(dict.fromkeys([*named, *spots]))
    near = {hex: min((distance(hex, other) for other in state.hexes().values()), default=APART) for hex in spots}
    close = sorted(spots, key=lambda hex: (near[hex] < APART, near[hex], hex))
    if state.line or not _traps(state, close[: len(state.of(side))]):
        return close
    return sorted(spots, key=lambda hex: (-near[hex], hex))


def rows(state: State) -> dict[str, Line]:
    """The straight rows that the defender may choose once he is placed, by axis and sign: "z-"."""
    army = [unit.at for unit in state.of(state.defender) if unit.here]
    found = lines(state.ground, army, len(state.of(state.attacker)), state.settings.setbattle_axes)
    return {f"{line.axis}{'+' if line.sign == 1 else '-'}": line for line in found}


def _row(spots: Sequence[Hex], field: Field) -> list[Hex]:
    """From column 6 of row 16 on, then the rows behind it, then those before it; likewise on fields of other sizes."""
    row, column = ROW * field.rows // USUAL_ROWS, COLUMN * field.columns // USUAL_COLUMNS
    return sorted(spots, key=lambda hex: (hex[0] < row, abs(hex[0] - row), hex[1] < column, hex[1]))


def chain(field: Field, count: int) -> list[Hex]:
    """A march column: hexes each next to the one before, along row 11 if the ground allows it; empty if none can be."""
    start = MARCH_ROW * field.rows // USUAL_ROWS, COLUMN * field.columns // USUAL_COLUMNS
    for head in sorted((hex for hex in field if field.passable(hex)), key=lambda hex: (distance(hex, start), hex)):
        if found := _longer(field, [head], count):
            return found
    return []


def _longer(field: Field, way: list[Hex], count: int) -> list[Hex]:
    if len(way) == count:
        return way
    ahead = (hex for hex in field.neighbours(way[-1]) if field.passable(hex) and hex not in way)
    return next((found for hex in ahead if (found := _longer(field, [*way, hex], count))), [])


def arranged(state: State, side: Side, how: Arrange) -> list[Hex]:
    """The hexes of a side in an arrangement, in the order of its units; then the others it may use.

    Where a hex is taken or not for standing, the nearest free one counts.
    """
    order, count = usual(state, side), len(state.of(side))
    if not how or not order:
        return order
    rest, found = set(order), list[Hex]()
    for wanted in shape(how, order[min(count, len(order)) // 2], count, _back(state, side)):
        if rest:
            found.append(min(rest, key=lambda hex: (distance(hex, wanted), hex)))
            rest.discard(found[-1])
    return list(dict.fromkeys([*found, *order]))


def _back(state: State, side: Side) -> Literal[1, -1]:
    """Whether the rear of an army lies to the south (1) or to the north."""
    rows = [hex[0] for key, hex in state.hexes().items() if state.units[key].side != side]
    middle = sum(rows) / len(rows) if rows else 0
    return 1 if usual(state, side)[0][0] >= middle else -1


def shape(how: Arrangement, front: Hex, count: int, back: Literal[1, -1]) -> list[Hex]:
    """The hexes of an arrangement around its front, as if the ground were open and had no end.

    >>> shape("line", (5, 5), 3, 1), shape("wedge", (5, 5), 3, 1), shape("column", (5, 5), 3, -1)
    ([(5, 4), (5, 5), (5, 6)], [(5, 5), (6, 5), (6, 6)], [(5, 5), (4, 5), (3, 5)])
    """
    row, column = front
    match how:
        case "line":
            return _abreast(row, column, count)
        case "two lines":
            ahead = (count + 1) // 2
            return [*_abreast(row, column, ahead), *_abreast(row + back, column, count - ahead)]
        case "wedge":
            ends = ("SW", "SE") if back == 1 else ("NW", "NE")
            wings = [go(front, end, number) for number in range(1, count) for end in ends]
            return [front, *wings][:count]
        case "column":
            return [(row + back * number, column) for number in range(count)]
        case "camp":
            around = [
                (row + down, column + right) for down in range(-CAMP, CAMP + 1) for right in range(-CAMP, CAMP + 1)
            ]
            return sorted(around, key=lambda hex: (distance(hex, front), hex))[:count]


def _abreast(row: int, middle: int, count: int) -> list[Hex]:
    return [(row, middle - count // 2 + number) for number in range(count)]


def placed(state: State, side: Side, named: Mapping[str, str], how: Arrange) -> dict[str, Hex | None]:
    """The hex of each unit: the one that a form names, else the next of the arrangement; None if nothing is left or the
    name is no hex.
    """
    said = {key: read(text) for key, text in named.items() if text.strip()}
    spots = iter(hex for hex in arranged(state, side, how) if hex not in said.values())
    return {unit.key: said[unit.key] if unit.key in said else next(spots, None) for unit in state.of(side)}


def faults(state: State, side: Side, at: Mapping[str, Hex | None], form: Shape) -> dict[str, str]:
    """What is wrong with the hexes of an army, by unit; "" for the army as a whole."""
    found, free, taken = dict[str, str](), set(zone(state, side)), dict[Hex, str]()
    for key, hex in at.items():
        if hex is None:
            found[key] = "That is no hex. Write a letter and a number, like L6."
        elif hex not in free:
            found[key] = f"{spell(hex)} is {_why_not(state, hex)}. Choose another hex."
        elif hex in taken:
            found[key] = f"{state.name(taken[hex])} is to stand on {spell(hex)} as well. Choose another hex."
        else:
            taken[hex] = key
    if not found and (whole := army_fault(state, side, [hex for hex in at.values() if hex], form)):
        found[""] = whole
    return found


def _why_not(state: State, hex: Hex) -> str:
    if hex not in state.ground:
        return "not on the map"
    if not state.ground.passable(hex):
        return "Impassable"
    return "taken" if hex in state.taken else "on the defenders’ side of the row"


def army_fault(state: State, side: Side, army: Sequence[Hex], form: Shape) -> str:
    """What is wrong with the place of an army as a whole, or "" (CHR-PLC-06, -07, -09)."""
    if not is_first(state, side):
        wrong = state.how == "ambush" and _traps(state, army) and not _traps(state, usual(state, side)[: len(army)])
        return (
            "The ambushed army would be surrounded. Leave at least one of its units a way off the map." if wrong else ""
        )
    if state.how == "set":
        others = len(state.of(state.attacker))
        return "" if lines(state.ground, army, others, state.settings.setbattle_axes) else NO_LINE
    if form == "camp":
        whole = any(all(distance(hex, one) <= CAMP for one in army) for hex in state.ground)
        return "" if whole else f"In a camp all units are within {CAMP} hexes of one hex. Move them together."
    return "" if in_chain(army) else "On the march the units form one chain. Close the gaps."


def _traps(state: State, attackers: Sequence[Hex]) -> bool:
    army = [unit.at for unit in state.of(state.defender) if unit.here]
    loose = state.settings.battle_pass_friends == "on"
    return state.settings.ambush_surround == "leave-gap" and surrounded(
        state.ground, army, attackers, pass_friends=loose
    )


def in_chain(army: Sequence[Hex]) -> bool:
    """Whether hexes, in some order, are each next to the one before (CHR-PLC-07)."""

    def goes_on(here: Hex, rest: frozenset[Hex]) -> bool:
        return not rest or any(distance(here, hex) == 1 and goes_on(hex, rest - {hex}) for hex in rest)

    return any(goes_on(hex, frozenset(army) - {hex}) for hex in army)


def room_fault(field: Field) -> str:
    """Whether a field has no room for two whole armies, however they meet; "" if it has."""
    free = [hex for hex in field if field.passable(hex)]
    row = _row(free, field)[:MOST_UNITS]
    if len(row) == MOST_UNITS and lines(field, row, MOST_UNITS, "horizontal") and chain(field, MOST_UNITS):
        return ""
    return f"The map has no room for two armies of {MOST_UNITS} units. Draw more Open or Closed ground."


def row_in_words(line: Line, army: Iterable[Hex]) -> str:
    """A row in words: "through L6 from west to east, the attackers to the north"."""
    on = min(hex for hex in army if line.beyond(hex) == 0)
    course = {"z": "west to east", "x": "north-west to south-east", "y": "north-east to south-west"}[line.axis]
    beyond = {
        ("z", 1): "south", ("z", -1): "north", ("x", 1): "north-east", ("x", -1): "south-west",
        ("y", 1): "north-west", ("y", -1): "south-east",
    }[line.axis, line.sign]  # fmt: skip
    return f"through {spell(on)} from {course}, the attackers to the {beyond}"
