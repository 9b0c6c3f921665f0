"""The grid of half metres: distances as squared whole centimetres, straight movement, one combatant per cell."""

from collections.abc import Iterator, Mapping
from math import isqrt

from app.rulesets.arcana.rules.rulings import Edge

Cell = tuple[int, int]
GRID = 50  # cm


def gap2(one: Cell, other: Cell) -> int:
    """Returns the straight distance between the middles of two cells, in cm, squared."""
    return GRID * GRID * ((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)


def within(one: Cell, other: Cell, reach: int) -> bool:
    """Whether two cells are at most `reach` cm apart; exactly `reach` counts (ARC-165)."""
    return gap2(one, other) <= reach * reach


def around(place: Cell, ring: int) -> Iterator[Cell]:
    """Yields the cells at exactly this many rows or columns from a place."""
    for side in (-ring, ring):
        for n in range(-ring, ring + 1):
            yield place[0] + n, place[1] + side
        for n in range(1 - ring, ring):
            yield place[0] + side, place[1] + n


def penalty(distance2: int, size: int) -> int:
    """Returns the addition of distance and small size to a stationary value: floor(d / (10 × size)) (ARC-80)."""
    return isqrt(distance2 // (10 * size) ** 2)


def behind(attacker: Cell, target: Cell, facing: Cell) -> bool:
    """Whether the attacker is more than 90° from the target's facing; exactly abeam is not behind (ARC-69)."""
    across, along = attacker[0] - target[0], attacker[1] - target[1]
    return across * facing[0] + along * facing[1] < 0


def inside(form: str, metres: int, origin: Cell, facing: Cell, cell: Cell) -> bool:
    """Whether the middle of a cell is in an area (ARC-161). `metres` is in cm.

    A cone is as wide to each side as it is long at that point; a line is one cell wide; the side of a cube is `metres`.
    The origin of a cone, a line or a ring is outside.
    """
    across, along = cell[0] - origin[0], cell[1] - origin[1]
    if form == "cube":
        return 2 * GRID * max(abs(across), abs(along)) <= metres
    if not within(origin, cell, metres):
        return False
    if form in ("sphere", "cylinder"):
        return True
    if cell == origin:
        return False
    ahead, aside = across * facing[0] + along * facing[1], across * facing[1] - along * facing[0]
    length2 = facing[0] ** 2 + facing[1] ** 2
    if form == "cone":
        return ahead > 0 and abs(aside) <= ahead
    if form == "line":
        return ahead > 0 and 4 * aside * aside <= length2
    return True


def between(one: Cell, other: Cell) -> Iterator[tuple[Cell, ...]]:
    """Yields the cells on the straight line between the middles of two cells, without these two: one at a time, or the
    two beside it where it passes exactly through a corner (ARC-62). Symmetric."""
    (x, y), wide, high = one, abs(other[0] - one[0]), abs(other[1] - one[1])
    east, south = (1 if other[0] > x else -1), (1 if other[1] > y else -1)
    across = along = 0
    while (x, y) != other:
        ahead = (1 + 2 * across) * high - (1 + 2 * along) * wide  # its sign: the side of the cell the line leaves by
        if ahead == 0:
            yield (x + east, y), (x, y + south)
        if ahead <= 0:
            x, across = x + east, across + 1
        if ahead >= 0:
            y, along = y + south, along + 1
        if (x, y) != other:
            yield ((x, y),)


def sides(place: Cell, origin: Cell) -> tuple[Edge, ...]:
    """Returns the sides of a place that face an origin: one, or two on an exact diagonal (ARC-70). North is up."""
    across, along = origin[0] - place[0], origin[1] - place[1]
    found: list[Edge] = []
    if along and abs(along) >= abs(across):
        found.append("south" if along > 0 else "north")
    if across and abs(across) >= abs(along):
        found.append("east" if across > 0 else "west")
    return tuple(found)


def cut(start: Cell, goal: Cell, allowance: int) -> Cell:
    """Returns the cell `allowance` cm towards the goal in a straight line; axes round towards the start (ARC-66)."""
    whole = gap2(start, goal)
    if whole <= allowance * allowance:
        return goal
    return _part(start[0], goal[0], allowance, whole), _part(start[1], goal[1], allowance, whole)


def _part(start: int, goal: int, allowance: int, whole: int) -> int:
    way = goal - start
    part = isqrt(way * way * allowance * allowance // whole)
    return start + (part if way > 0 else -part)


def settle(starts: Mapping[str, Cell], goals: Mapping[str, Cell]) -> tuple[dict[str, Cell], tuple[str, ...]]:
    """Returns all places after one phase of movement, and the ids in a body slam (ARC-20, ARC-21).

    `starts` has everyone, each in a separate cell; `goals` only the movers. Only the ends count: paths may cross and
    two may change places. Movers in a clash go back along their path by half a metre at a time; a combatant that did
    not move is not displaced. A combatant they back into is not slammed, unless no path is left to go back.
    """
    at = {who: goals.get(who, start) for who, start in starts.items()}
    left = {who: isqrt(gap2(starts[who], goal)) for who, goal in goals.items()}
    slammed: set[str] = set()
    while shared := _shared(at):
        for group in shared:
            movers = [who for who in group if who in goals and at[who] != starts[who]]
            back = [who for who in movers if who in slammed]
            if not back:
                slammed.update(group)
                back = movers
            for who in back:
                left[who] = max(0, left[who] - GRID)
                at[who] = cut(starts[who], goals[who], left[who])
    return at, tuple(sorted(slammed))


def settle_on_the_way(
    starts: Mapping[str, Cell], goals: Mapping[str, Cell]
) -> tuple[dict[str, Cell], tuple[str, ...], dict[str, Cell]]:
    """Like `settle`, but paths count too: all move at an even pace, and movers who would enter an occupied cell, or
    change places, stay in the cell before and are in a body slam (ARC-21). Also returns the contested cells by id."""
    at, going, where = dict(starts), set(goals), dict[str, Cell]()
    pairs = [(starts[who], goals[who]) for who in goals]
    ticks = max((max(abs(b[0] - a[0]), abs(b[1] - a[1])) for a, b in pairs), default=0)
    for tick in range(1, ticks + 1):
        want = {who: _at(starts[who], goals[who], tick, ticks) for who in going}
        while met := _met(at, want):
            for cell, group in met:
                for who in group:
                    where.setdefault(who, cell)
                    want.pop(who, None)
                    going.discard(who)
        at.update(want)
    return at, tuple(sorted(where)), where


def _at(start: Cell, goal: Cell, tick: int, ticks: int) -> Cell:
    across, along = ((b - a, a) for a, b in zip(start, goal, strict=True))
    return tuple(a + (way * tick // ticks if way > 0 else -(-way * tick // ticks)) for way, a in (across, along))  # type: ignore[return-value]


def _met(at: Mapping[str, Cell], want: Mapping[str, Cell]) -> list[tuple[Cell, list[str]]]:
    """Clashes of this instant: each contested cell with those who would share it or change places."""
    found = [(({**at, **want})[group[0]], group) for group in _shared({**at, **want})]
    here = {cell: who for who, cell in at.items()}
    for who, cell in sorted(want.items()):
        other = here.get(cell, who)
        if other != who and want.get(other) == at[who]:
            found.append((min(cell, at[who]), [who, other]))
    return [(cell, group) for cell, group in found if any(who in want for who in group)]


def _shared(at: Mapping[str, Cell]) -> list[list[str]]:
    cells: dict[Cell, list[str]] = {}
    for who, cell in at.items():
        cells.setdefault(cell, []).append(who)
    return [group for group in cells.values() if len(group) > 1]


def way(one: Cell, other: Cell) -> list[Cell]:
    """Returns the cells of the straight path between two places, both included."""
    across, along = other[0] - one[0], other[1] - one[1]
    steps = max(1, abs(across), abs(along))
    return [(one[0] + across * n // steps, one[1] + along * n // steps) for n in range(steps + 1)]
