"""Case files about passing days: `[[day]]` in place of `[[step]]`, for what days do to a ruleset's characters."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from app.casefiles.diff import differs, missing
from app.casefiles.words import Expected, Wrong, unlisted
from app.engine.chance import ScriptedChance
from app.engine.ruleset import DayEvent, LoggedEvent, Ruleset


@dataclass(frozen=True)
class DayLine:
    """An effect of a day, as an event to compare with."""

    about: str
    text: str
    marks: bool
    kind: str = "passed"


class Day(BaseModel):
    """One `[[day]]` of one character: the care, the luck, and the expected events."""

    model_config = ConfigDict(extra="forbid")

    who: str
    care: dict[str, Any] | None = None  # None: the usual care
    luck: dict[str, int | str] = Field(default_factory=dict)
    expect: list[Expected] = Field(default_factory=list)
    only: bool = True
    said: list[str] | None = None  # the character's condition in words, afterwards


def play_days(
    ruleset: Ruleset[Any, Any],
    sheets: dict[str, Any],
    days: list[Day],
    settings: Mapping[str, Any],
    end: Mapping[str, Any],
) -> str:
    """Returns the differences as text, empty if there are none; changes `sheets`. `settings` are the campaign's
    settings for days, `end` has the expected sheets by character."""
    rules = ruleset.days
    if rules is None:
        return f"days do nothing in {ruleset.key}"
    if settings:
        if rules.settings is None or rules.settled is None:
            return f"nothing about days can be settled in {ruleset.key}"
        wrong = Wrong()
        read = wrong.read(rules.settings, settings, "settings: ")
        wrong.tell()
        rules = rules.settled(read)
    for number, day in enumerate(days, 1):
        where, sheet = f"day {number}", sheets[day.who]
        wrong = Wrong()
        care = rules.usual(sheet) if day.care is None else wrong.read(rules.care, day.care, f"{where}: care: ")
        wrong.tell()
        chance = ScriptedChance(day.luck)
        sheets[day.who], passed = rules.live(sheets, day.who, care, chance)
        told = [
            LoggedEvent(number=n, rule=one.rule, because=(), event=DayLine(one.about, one.text, one.marks))
            for n, one in enumerate(passed, 1)
        ]
        problem = missing(day.expect, told, day.only, lambda event, seat: True, told)
        unknown = [one.rule for one in passed if one.rule not in ruleset.rulebook]
        strange = [*chance.unused(), *unknown, *unlisted(sorted(chance.drawn), ruleset.luck)]
        if problem or strange:
            return f"{where}: {problem} {', '.join(strange)}\n{_shown(passed)}"
        if day.said is not None and day.said != list(rules.condition(sheets[day.who])):
            return f"{where}: in words it is {list(rules.condition(sheets[day.who]))}"
        if len({one.about for one in passed}) < len(passed):
            return f"{where}: two things are told about the same\n{_shown(passed)}"
    return "\n".join(differs("", end, sheets))


def _shown(passed: tuple[DayEvent, ...]) -> str:
    return "\n".join(f"{one.rule} {one.text}" for one in passed)
