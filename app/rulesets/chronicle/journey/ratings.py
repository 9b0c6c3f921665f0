"""The ratings of a side: the best or the worst of its people, its size, its pace (CHR-TRV-11 to -13)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from app.rulesets.chronicle.journey.events import Summands
from app.rulesets.chronicle.journey.state import Pace, Side, State

CROWD = 10  # people; in a larger group the leader's ratings count, not the worst ones
SIZES = ((1000, -6), (100, -4), (CROWD, -2))  # more people than that -> on Hide
HIDES: dict[Pace, int] = {"careful": 2, "forced": -2}
NOTICES: dict[Pace, int] = {"forced": -2}
IN_HIDING = 2
SCOUTS = frozenset({"LI", "LC"})  # light infantry and light cavalry (CHR-TRV-04)
NOBODY = "guide rating"


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating, and where it comes from."""

    parts: Summands

    @property
    def total(self) -> int:
        return sum(number for _, number in self.parts)


def _of(state: State, side: Side, skill: str, choose: Callable[[State, Side, str], str]) -> tuple[str, int]:
    """The rating of one of a side's people, by name; the guide rating of a side that has nobody."""
    if not state.here(side):
        return NOBODY, state.companies[side].guide
    who = choose(state, side, skill)
    return state.people[who].name, _rating(state, who, skill)


def _rating(state: State, who: str, skill: str) -> int:
    return state.people[who].sheet.rating(skill, state.terrain)


def _best(state: State, side: Side, skill: str) -> str:
    return max(state.here(side), key=lambda who: _rating(state, who, skill))


def _worst(state: State, side: Side, skill: str) -> str:
    return min(state.here(side), key=lambda who: _rating(state, who, skill))


def _leader(state: State, side: Side, skill: str) -> str:
    return state.leader(side)


def best(state: State, side: Side, skill: str) -> tuple[str, int]:
    """The best rating of a side in a skill; the first of several."""
    return _of(state, side, skill, _best)


def worst(state: State, side: Side, skill: str) -> tuple[str, int]:
    """The worst rating of up to ten people, else the leader's (CHR-TRV-13)."""
    return _of(state, side, skill, _worst if state.count(side) <= CROWD else _leader)


def _rated(first: tuple[str, int], more: Iterable[tuple[str, int]]) -> Rated:
    return Rated((first, *((word, number) for word, number in more if number)))


def has_scouts(state: State, side: Side) -> bool:
    """Whether a side has scouts: ones that were named, or light troops (CHR-TRV-04)."""
    company = state.companies[side]
    return company.scouts or any(company.men.get(troop) for troop in SCOUTS)


def notice(state: State, side: Side, pace: Pace = "") -> Rated:
    """Notice: the best of the side, scouts, a forced pace, weariness (CHR-TRV-11 to -13)."""
    course = state.courses[side]
    pace = pace or course.pace
    more = (("scouts", int(has_scouts(state, side))), ("forced pace", NOTICES.get(pace, 0)), ("worn", -course.worn))
    return _rated(best(state, side, "notice"), more)


def hide(state: State, side: Side, pace: Pace = "") -> Rated:
    """Hide: the worst of the side or its leader, its size, its pace, or that it lies hidden (CHR-TRV-11, -13)."""
    course, count = state.courses[side], state.count(side)
    pace = pace or course.pace
    size, less = next(((size, less) for size, less in SIZES if count > size), (0, 0))
    more = (
        (f"more than {size:,} people", less),
        (f"{pace} pace", HIDES.get(pace, 0)),
        ("in hiding", IN_HIDING if course.hidden else 0),
    )
    return _rated(worst(state, side, "hide"), more)


def moving(state: State, side: Side, skill: str) -> Rated:
    """The moving skill of a route: the worst of the side or its leader, weariness (CHR-TRV-12, -13)."""
    return _rated(worst(state, side, skill), (("worn", -state.courses[side].worn),))


def endurance(state: State, side: Side) -> Rated:
    """Endurance of the decider's character (CHR-TRV-12)."""
    return _rated(_of(state, side, "endurance", _leader), ())


def survive(state: State, side: Side) -> Rated:
    """Survive of a catcher on another route: the best of the side (CHR-TRV-23)."""
    return _rated(best(state, side, "survive"), ())


def tactics(state: State, side: Side) -> Rated:
    """Tactics of a side: the best, as its commander in a battle (CHR-TRV-18)."""
    return _rated(best(state, side, "tactics"), ())
