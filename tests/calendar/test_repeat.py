"""What repeats: jumping from one occurrence to the next says the same as asking every single day."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from app.calendar.days import Date, Reckoning, reckoning
from app.calendar.presets import PRESETS
from app.calendar.repeat import (
    RULE,
    EveryDays,
    NthWeekday,
    OnDate,
    Rule,
    Weekly,
    WithMoon,
    WithSeason,
    falls_on,
    occurrences,
    possible,
    upcoming,
)
from app.calendar.shape import Shape
from tests.calendar.test_days import shapes

steady = settings(max_examples=60)
OURS = reckoning(PRESETS["gregorian"])
REALM = reckoning(PRESETS["festivals"])
MONTHS = st.one_of(st.none(), st.integers(1, 9))


@pytest.mark.parametrize(
    "rule",
    [
        Weekly(weekdays=frozenset({29})),
        OnDate(day=32),
        OnDate(day=30, month=2),
        OnDate(day=1, month=13),
        NthWeekday(nth=1, weekday=7),
        WithMoon(moon=11),
        WithSeason(season=11),
    ],
)
def test_what_can_never_fall_is_told_without_looking_for_it(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page with a hundred of them, left over from another calendar, must not look through three thousand years."""
    looked: list[int] = []

    def look(count: Reckoning, year: int) -> tuple[int, ...]:
        looked.append(year)
        return (30,) * 12

    monkeypatch.setattr(Reckoning, "lengths", look)
    assert upcoming(rule, OURS, 0) == [] and len(looked) < 5


def test_short_years_end_the_look_ahead_too() -> None:
    tiny = reckoning(Shape.model_validate({"name": "x", "months": [{"name": "Day", "days": 1}], "weekdays": ["A"]}))
    assert upcoming(NthWeekday(nth=1, weekday=0), tiny, 5, 2) == [6, 7]
    assert upcoming(Weekly(weekdays=frozenset({0}), skip=frozenset(range(6, 400))), tiny, 5, 1) == [400]
    assert upcoming(EveryDays(days=1_000_000, start=6), tiny, 6, 1) == [1_000_006]


@given(st.data())
@steady
def test_what_falls_is_possible(data: st.DataObject) -> None:
    shape, rule = data.draw(shapes()), data.draw(rules())
    if any(falls_on(rule, reckoning(shape), day) for day in range(rule.start, rule.start + 400)):
        assert possible(rule, shape)


@st.composite
def rules(draw: Any) -> Rule:
    bounds: dict[str, Any] = {"start": draw(st.integers(-900, 900))}
    if draw(st.booleans()):
        bounds["until"] = bounds["start"] + draw(st.integers(0, 900))
    bounds["skip"] = draw(st.frozensets(st.integers(-900, 1800), max_size=5))
    one: Rule = draw(
        st.one_of(
            st.builds(EveryDays, days=st.integers(1, 60), **_fixed(bounds)),
            st.builds(Weekly, weekdays=st.frozensets(st.integers(0, 8), min_size=1, max_size=4), **_fixed(bounds)),
            st.builds(OnDate, day=st.integers(-1, 45).filter(bool), month=MONTHS, **_fixed(bounds)),
            st.builds(
                NthWeekday,
                nth=st.sampled_from([1, 2, 3, 4, 5, -1]),
                weekday=st.integers(0, 8),
                month=MONTHS,
                **_fixed(bounds),
            ),
            st.builds(
                WithMoon,
                moon=st.integers(0, 2),
                phase=st.sampled_from(["new", "first quarter", "full", "last quarter"]),
                **_fixed(bounds),
            ),
            st.builds(WithSeason, season=st.integers(0, 4), **_fixed(bounds)),
        )
    )
    return one


def _fixed(bounds: dict[str, Any]) -> dict[str, Any]:
    return {name: st.just(value) for name, value in bounds.items()}


@steady
@given(shapes(), rules(), st.integers(-1000, 1000))
def test_jumping_says_the_same_as_every_single_day(shape: Shape, rule: Rule, first: int) -> None:
    moons, seasons = (
        PRESETS["festivals"].moons,
        ({"name": "Dry", "month": next(n for n, month in enumerate(shape.months) if month.days), "day": 1},),
    )
    count = reckoning(Shape.model_validate({**shape.model_dump(), "moons": moons, "seasons": seasons}))
    slow = [number for number in range(first, first + 800) if falls_on(rule, count, number)]
    assert list(occurrences(rule, count, first, first + 799)) == slow


@steady
@given(rules(), st.integers(-2000, 2000))
def test_what_comes_next_is_what_falls_next(rule: Rule, after: int) -> None:
    found = upcoming(rule, REALM, after, 3)
    assert found == sorted(found) and all(number > after and falls_on(rule, REALM, number) for number in found)


@steady
@given(rules())
def test_a_rule_survives_json(rule: Rule) -> None:
    assert RULE.validate_json(RULE.dump_json(rule)) == rule


def test_rules_as_people_mean_them() -> None:
    start = OURS.number(Date(2024, 1, 1))
    said = lambda rule: [OURS.said(n).split(", ")[1] for n in upcoming(rule, OURS, start - 1, 3)]  # noqa: E731
    assert said(OnDate(day=31, start=start)) == ["31 January 2024 AD", "31 March 2024 AD", "31 May 2024 AD"]
    assert said(OnDate(day=29, month=2, start=start))[:2] == ["29 February 2024 AD", "29 February 2028 AD"]
    assert said(OnDate(day=-1, month=2, start=start))[:2] == ["29 February 2024 AD", "28 February 2025 AD"]
    assert said(NthWeekday(nth=-1, weekday=4, start=start))[0] == "26 January 2024 AD"
    assert said(NthWeekday(nth=2, weekday=6, month=5, start=start))[:2] == ["12 May 2024 AD", "11 May 2025 AD"]
    assert (
        said(WithSeason(season=0, start=start))[0] == "20 March 2024 AD" or "21 March" in said(WithSeason(season=0))[0]
    )


def test_what_never_fits_gives_up() -> None:
    assert upcoming(OnDate(day=400), REALM, 0) == []
    assert upcoming(WithMoon(moon=9), REALM, 0) == []
    assert upcoming(EveryDays(start=0, until=3), REALM, 10) == []


@pytest.mark.parametrize(
    "wrong", [{"kind": "days", "days": 0}, {"kind": "date", "day": 0}, {"kind": "weekly", "weekdays": []}]
)
def test_rules_that_say_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        RULE.validate_python(wrong)
