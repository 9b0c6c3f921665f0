"""Places: what is within reach, what is behind, moving and bumping into one another."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rulesets.arcana.rules.grid import Cell, behind, cut, gap2, inside, settle, within


def test_exactly_a_metre_is_within_reach() -> None:
    """ARC-165."""
    assert within((0, 0), (2, 0), 100) and not within((0, 0), (2, 1), 100)
    assert gap2((0, 0), (3, 4)) == 250**2


@pytest.mark.parametrize(
    ("attacker", "is_behind"), [((-1, 0), True), ((1, 0), False), ((0, 5), False), ((-1, 9), True)]
)
def test_abeam_is_not_behind(attacker: Cell, is_behind: bool) -> None:
    """ARC-69."""
    assert behind(attacker, (0, 0), (1, 0)) is is_behind


def test_less_than_the_allowance_may_be_used_and_more_is_cut_short() -> None:
    """ARC-T04, ARC-66."""
    assert cut((0, 0), (2, 0), 150) == (2, 0)
    assert cut((0, 0), (10, 0), 150) == (3, 0)
    assert cut((0, 0), (-6, -8), 250) == (-3, -4)
    assert cut((5, 5), (9, 9), 0) == (5, 5)


def test_two_who_want_one_cell_recoil() -> None:
    """ARC-20, ARC-21."""
    at, slammed = settle({"ada": (0, 0), "ben": (8, 0), "cleo": (4, 4)}, {"ada": (4, 0), "ben": (4, 0)})
    assert at == {"ada": (3, 0), "ben": (5, 0), "cleo": (4, 4)} and slammed == ("ada", "ben")


def test_who_stands_is_not_displaced() -> None:
    """ARC-21."""
    at, slammed = settle({"ada": (0, 0), "ben": (4, 0)}, {"ada": (4, 0)})
    assert at == {"ada": (3, 0), "ben": (4, 0)} and slammed == ("ada", "ben")


def test_changing_places_and_crossing_is_allowed() -> None:
    """ARC-21."""
    assert settle({"ada": (0, 0), "ben": (4, 0)}, {"ada": (4, 0), "ben": (0, 0)})[1] == ()


def test_going_back_into_a_third_does_not_hurt_him_unless_there_is_no_way() -> None:
    at, slammed = settle({"a": (0, 0), "b": (8, 0), "c": (3, 3)}, {"a": (4, 0), "b": (4, 0), "c": (3, 0)})
    assert slammed == ("a", "b") and at == {"a": (2, 0), "b": (5, 0), "c": (3, 0)}
    at, slammed = settle({"a": (0, 0), "b": (1, 0), "c": (0, 3)}, {"a": (1, 0), "c": (0, 0)})
    assert slammed == ("a", "b", "c") and at == {"a": (0, 0), "b": (1, 0), "c": (0, 1)}


cells = st.tuples(st.integers(0, 5), st.integers(0, 5))


@settings(deadline=None)
@given(st.lists(cells, min_size=2, max_size=8, unique=True), st.data())
def test_nobody_shares_a_cell_in_the_end(starts: list[Cell], data: st.DataObject) -> None:
    """And each mover stays on the way there: never farther from the start than the goal is."""
    standing = {f"p{n}": cell for n, cell in enumerate(starts)}
    goals = {who: data.draw(cells) for who in standing if data.draw(st.booleans())}
    at, slammed = settle(standing, goals)
    assert len(set(at.values())) == len(at)
    assert all(at[who] == start for who, start in standing.items() if who not in goals)
    assert all(gap2(standing[who], at[who]) <= gap2(standing[who], goal) for who, goal in goals.items())
    again = settle(dict(reversed(standing.items())), dict(reversed(goals.items())))
    assert again == (at, slammed), "nobody is first"


@settings(deadline=None)
@given(cells, cells, st.integers(0, 400))
def test_nobody_moves_farther_than_the_allowance(start: Cell, goal: Cell, allowance: int) -> None:
    end = cut(start, goal, allowance)
    assert gap2(start, end) <= allowance * allowance or end == goal == start
    assert gap2(end, goal) <= gap2(start, goal)


@pytest.mark.parametrize(
    ("form", "metres", "cells"),
    [
        ("sphere", 100, 13),
        ("circle", 100, 12),
        ("cube", 100, 9),
        ("line", 200, 4),
        ("cone", 200, 14),
        ("cone", 0, 0),
    ],
)
def test_what_is_in_an_area(form: str, metres: int, cells: int) -> None:
    """ARC-161: by the middle of the cell, looking along; a line is one cell wide, a cone opens at 45° to each side."""
    found = [(x, y) for x in range(-6, 7) for y in range(-6, 7) if inside(form, metres, (0, 0), (3, 0), (x, y))]
    assert len(found) == cells, found
    if form in ("line", "cone"):
        assert all(x > 0 for x, _ in found)
