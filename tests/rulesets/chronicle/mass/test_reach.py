"""Movement against walks that are tried out one by one, and retreats, ways off the map and surrounded armies."""

from itertools import product
from random import Random

import pytest

from app.rulesets.chronicle.mass.field import Barrier, Field
from app.rulesets.chronicle.mass.hexes import Hex, neighbours
from app.rulesets.chronicle.mass.reach import Passage, surrounded
from tests.rulesets.chronicle.mass.boards import random_field

Walk = tuple[Hex, ...]


def _random_passage(seed: int, *, pass_friends: bool, size: int = 7) -> tuple[Passage, Hex]:
    rng = Random(seed)
    field = random_field(rng, size, size)
    units = rng.sample([hex for hex in field if field.passable(hex)], 9)
    return Passage(field, units[1:5], units[5 : rng.choice((6, 9))], pass_friends), units[0]


def _near(passage: Passage, hex: Hex) -> bool:
    return any(passage.field.adjacent(hex, enemy) for enemy in passage.enemies)


def _goes(passage: Passage, start: Hex, walk: Walk) -> bool:
    """The rules of a walk, step by step: CHR-TER-04, -11, -14, CHR-MOV-05, -07."""
    here, field = start, passage.field
    for number, hex in enumerate(walk, 1):
        last = number == len(walk)
        if hex not in field or hex in passage.enemies or not field.may_step(here, hex):
            return False
        if hex in passage.friends and (last or not passage.pass_friends):
            return False
        if _near(passage, hex) and not last:
            return False
        here = hex
    return True


def _walks(start: Hex, most: int) -> dict[Walk, None]:
    """All walks of up to so many steps, in the order of their directions, shorter ones first."""
    found: list[Walk] = [()]
    for steps in range(1, most + 1):
        for choice in product(range(6), repeat=steps):
            walk, here = list[Hex](), start
            for direction in choice:
                here = neighbours(here)[direction]
                walk.append(here)
            found.append(tuple(walk))
    return dict.fromkeys(found)


@pytest.mark.parametrize("pass_friends", [False, True])
@pytest.mark.parametrize("seed", range(25))
def test_reach_against_all_walks(seed: int, pass_friends: bool) -> None:
    passage, start = _random_passage(seed, pass_friends=pass_friends)
    ways = dict[Hex, Walk]()
    for walk in _walks(start, 4):
        goes = _goes(passage, start, walk)
        assert (passage.way_fault(start, walk, 4) == "") is goes, walk
        if goes and (end := walk[-1] if walk else start) not in ways:
            ways[end] = walk
    assert passage.reach(start, 4) == {end: len(walk) for end, walk in ways.items()}
    for end in passage.field:
        expected = ways.get(end)
        assert passage.way(start, end, 4) == (None if expected is None else list(expected))
        assert (passage.way(start, end, 2) is not None) is (expected is not None and len(expected) <= 2)


def _way_out_lengths(passage: Passage, start: Hex) -> int | None:
    """The fewest steps to the edge (CHR-END-03), by growing the set of hexes that can be reached."""
    field, grown, steps = passage.field, {start}, 0
    while True:
        if grown & field.edge - set(passage.friends):
            return steps
        ring = {hex for here in grown for hex in field if field.may_step(here, hex) and not _near(passage, hex)}
        ring -= set(passage.enemies) | (set() if passage.pass_friends else set(passage.friends))
        if ring <= grown:
            return None
        grown, steps = grown | ring, steps + 1


@pytest.mark.parametrize("pass_friends", [False, True])
@pytest.mark.parametrize("seed", range(80))
def test_ways_out(seed: int, pass_friends: bool) -> None:
    passage, start = _random_passage(seed, pass_friends=pass_friends, size=9)
    way, expected = passage.way_out(start), _way_out_lengths(passage, start)
    assert (None if way is None else len(way)) == expected
    if way:
        assert way[-1] in passage.field.edge and _goes(passage, start, tuple(way))
        assert not any(_near(passage, hex) for hex in way)
    army = [start, *passage.friends]
    alone = [
        _way_out_lengths(Passage(passage.field, [a for a in army if a != unit], passage.enemies, pass_friends), unit)
        for unit in army
    ]
    trapped = surrounded(passage.field, army, passage.enemies, pass_friends=pass_friends)
    assert trapped is all(steps is None for steps in alone)


def test_the_way_out_touches_no_enemy_up_to_its_end() -> None:
    """CHR-END-03: the edge in the north is near, and watched from the side."""
    passage = Passage(Field(), [], [(0, 4), (0, 7)])
    assert passage.way_out((2, 5)) == [(2, 4), (2, 3), (1, 2), (0, 2)]


RING = [(10, 9), (10, 10), (11, 8), (11, 10), (12, 9), (12, 10)]  # around (11, 9)


def test_an_army_in_a_ring_is_surrounded() -> None:
    """CHR-PLC-09: six enemies two hexes away leave no gap, four do; a unit's own hex is exempt."""
    field, middle = Field(), (11, 9)
    far = [(11, 7), (11, 11), (9, 8), (9, 10), (13, 8), (13, 10)]
    assert surrounded(field, [middle], far)
    assert not any(surrounded(field, [middle], [hex for hex in far if hex not in gap]) for gap in (far[::3], far[:2]))
    assert surrounded(field, [middle], RING) and not surrounded(field, [middle, (0, 0)], RING)
    assert not surrounded(field, [(0, 5)], [(0, 4), (0, 6), (1, 4), (1, 5)]), "it stands on the edge"


@pytest.mark.parametrize(
    ("walk", "fault"),
    [
        ([], ""),
        ([(11, 6), (11, 7)], ""),
        ([(11, 7)], "Step 1, to L8: it is not next to L6."),
        ([(11, 6), (11, 5), (11, 6), (11, 5)], "Step 4, to L6: this unit moves at most 3 hexes."),
        ([(11, 6), (11, 7), (10, 7)], "Step 3, to K8: it stops at L8, next to an enemy."),
        ([(10, 5)], "Step 1, to K6: nobody can enter Impassable ground."),
        ([(11, 4)], "Step 1, to L5: a hard barrier is in the way."),
        ([(10, 6)], "Step 1, to K7: another unit stands there."),
        ([(11, 6), (11, 7), (11, 8)], "Step 3, to L9: it stops at L8, next to an enemy."),
        ([(-1, 0)], "Step 1, to @1: it is not on the map."),
    ],
)
def test_the_first_step_that_cannot_be_made(walk: list[Hex], fault: str) -> None:
    field = Field(kinds={(10, 5): "impassable"}, barriers=(Barrier("hard", (11, 5), (11, 4)),))
    assert Passage(field, [(10, 6)], [(11, 8)]).way_fault((11, 5), walk, 3) == fault


def test_an_engaged_unit_moves_and_stops_at_once() -> None:
    """CHR-MOV-07: it may leave, its first step next to the same or another enemy ends its move."""
    passage = Passage(Field(), [], [(11, 6)])
    reached = passage.reach((11, 5), 2)
    assert (reached[11, 5], reached[11, 4], reached[11, 3], reached[10, 6]) == (0, 1, 2, 1)
    assert (10, 7) not in reached and (11, 6) not in reached
    assert (
        passage.way_fault((11, 5), [(11, 4), (11, 5), (11, 4)], 3) == "Step 3, to L5: it stops at L6, next to an enemy."
    )


def test_contact_locks_all_enemies_near() -> None:
    """CHR-MOV-06, and not across a hard barrier."""
    field = Field(barriers=(Barrier("hard", (11, 5), (11, 6), True),))
    passage = Passage(field, [], [(11, 6), (11, 4), (10, 5), (11, 8)])
    assert passage.touched((11, 5)) == [(11, 4), (10, 5)]


def test_falling_back() -> None:
    """CHR-MEL-06: lowest row first, then lowest column."""
    assert Field().away((11, 5), (11, 6), [(11, 6)]) == [(10, 5), (11, 4), (12, 5)]
    field = Field(kinds={(10, 5): "impassable"}, barriers=(Barrier("hard", (11, 5), (12, 5)),))
    assert field.away((11, 5), (11, 6), [(11, 6)]) == [(11, 4)]
    assert field.away((11, 5), (11, 6), [(11, 4), (11, 6)]) == []
    assert Field().away((11, 0), (11, 1), [(11, 1), (9, 0)]) == [(10, 0), (12, 0)], "next to another enemy"


def test_single_steps() -> None:
    field = Field(kinds={(11, 6): "impassable"})
    assert field.steps((11, 5), [(11, 4), (10, 5)]) == [(10, 6), (12, 6), (12, 5)]
