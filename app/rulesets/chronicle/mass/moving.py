"""Orders to move, one unit after the other, as they are checked and as they are carried out; and leaving the map."""

from collections.abc import Collection

from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass import forms
from app.rulesets.chronicle.mass.hexes import DIRECTIONS, Hex, read, spell
from app.rulesets.chronicle.mass.hexes import go as step
from app.rulesets.chronicle.mass.reach import Passage
from app.rulesets.chronicle.mass.state import Side, State, in_order

Ways = dict[str, list[Hex]]
Faults = dict[str, str]  # field of the form -> what is wrong


def quick_count(state: State, side: Side) -> int:
    """How many units of a side are quick (CHR-MOV-03)."""
    return max(1, len(state.of(side)) // 2)


def fastest(state: State, side: Side) -> list[str]:
    """The quick units of a side that does not choose; ties by id."""
    units = sorted(state.of(side), key=lambda unit: -unit.kind.movement)
    return sorted((unit.key for unit in units[: quick_count(state, side)]), key=list(state.units).index)


def mover(state: State) -> Side:
    """The side of a movement phase (CHR-MOV-04)."""
    return state.turns[(state.turn - 1) % 2]


def movers(state: State) -> list[str]:
    """The units that may move in this phase: quick ones in the first two, and only while nobody is in contact with them
    who moved there (CHR-MOV-04, -05). None if no unit has a way, as there is nothing to decide then.
    """
    units = [
        unit for unit in state.of(mover(state)) if unit.here and not unit.locked and unit.quick == (state.turn <= 2)
    ]
    taken = state.taken
    return [unit.key for unit in units] if any(state.ground.steps(unit.at, taken) for unit in units) else []


def plan(state: State, keys: Collection[str], says: forms.Moves) -> tuple[Ways, Faults]:
    """The ways of some units in order, from where all stand now, until one cannot go its way."""
    sequence, strange = in_order(says.order, list(keys))
    if strange:
        return {}, {"order": f"There is no unit “{strange[:20]}” to move. Leave it out."}
    hexes, found = state.hexes(), Ways()
    for key in sequence:
        going = says.of.get(key, forms.Going())
        field, read_way, text = ("by", _by_steps, going.by) if going.by.strip() else ("to", _to, going.to)
        way, wrong = read_way(state.passage(key, hexes), hexes[key], text, state.units[key].kind.movement)
        if wrong:
            return found, {f"of.{key}.{field}": f"{state.name(key)}: {wrong}"}
        if way:
            found[key], hexes[key] = way, way[-1]
    return found, {}


def _to(passage: Passage, start: Hex, to: str, movement: int) -> tuple[list[Hex], str]:
    if not to.strip():
        return [], ""
    end = read(to)
    if end is None:
        return [], f"“{to.strip()[:20]}” is no hex. Write a letter and a number, like L6."
    way = passage.way(start, end, movement)
    if way is not None:
        return way, ""
    return [], f"It cannot reach {spell(end)}: {_why_not(passage, end)}."


def _why_not(passage: Passage, end: Hex) -> str:
    if end not in passage.field:
        return "it is not on the map"
    if not passage.field.passable(end):
        return "nobody can enter Impassable ground"
    if not passage.free(end):
        return "another unit stands there"
    return "it is too far, or units and barriers are in the way"


def _by_steps(passage: Passage, start: Hex, by: str, movement: int) -> tuple[list[Hex], str]:
    way, here = list[Hex](), start
    for word in by.upper().replace(",", " ").split():
        if word not in DIRECTIONS:
            return [], f"“{word[:20]}” is no direction. Use {', '.join(DIRECTIONS)}."
        here = step(here, word)
        if here not in passage.field:
            return [], f"Step {len(way) + 1}, {word}: it is not on the map."
        way.append(here)
    return way, passage.way_fault(start, way, movement)


def go(log: ev.BattleLog, key: str, way: list[Hex]) -> None:
    """Moves a unit along its way, as far as it is free; next to enemies it stops and all are locked (CHR-MOV)."""
    state, unit = log.state, log.state.units[key]
    passage, start, movement = state.passage(key), unit.at, unit.kind.movement
    free = next(count for count in range(len(way), -1, -1) if not passage.way_fault(start, way[:count], movement))
    if gone := way[:free]:
        near = passage.touched(gone[-1])
        touched = tuple(one for one, hex in state.hexes().items() if hex in near)
        event = ev.Moved(key, start, tuple(gone), touched)
        log.emit(event, rule="CHR-MOV-05" if touched else "CHR-MOV-09")
    if free < len(way):
        log.emit(ev.Blocked(key, way[-1], way[free]), rule="CHR-TER-14")


def leavers(state: State, side: Side) -> list[str]:
    """The units that can leave, in the order in which they go if nobody decides: the nearest to the edge first, each
    as the earlier ones free the way (step F2).
    """
    hexes, found = state.hexes(), list[str]()
    while can := {
        unit.key: len(way)
        for unit in state.of(side)
        if unit.key in hexes and (way := state.passage(unit.key, hexes).way_out(unit.at)) is not None
    }:
        found.append(min(can, key=lambda key: can[key]))
        del hexes[found[-1]]
    return found


def leaving(state: State, side: Side, chosen: Collection[str], order: str) -> tuple[Ways, Faults]:
    """The ways on which chosen units leave the map one after the other, until one of them cannot (CHR-END-04)."""
    sequence, _ = in_order(order, leavers(state, side))
    hexes, found = state.hexes(), Ways()
    stuck = [key for key in chosen if key not in sequence and state.units[key].side == side]
    for key in [*(key for key in sequence if key in chosen), *stuck]:
        way = state.passage(key, hexes).way_out(hexes[key])
        if way is None:
            words = "cannot leave without coming next to an enemy. Let others leave before it, or let it stay."
            return found, {f"of.{key}.leave": f"{state.name(key)} {words}"}
        found[key] = way
        del hexes[key]
    return found, {}


def light_steps(state: State, key: str) -> list[Hex]:
    """The hexes of a light infantry's free step after melee (CHR-ARM-04)."""
    unit, field = state.units[key], state.ground
    return [
        hex
        for hex in field.steps(unit.at, state.taken)
        if "closed" in (field.kind(unit.at), field.kind(hex)) or field.soft(unit.at, hex)
    ]
