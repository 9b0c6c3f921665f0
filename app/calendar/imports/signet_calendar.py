"""Signet's own file of a calendar: its shape, its date and its entries, for another campaign. Written and read here.

Days are day numbers, so nothing is converted. What belongs to people stays behind: who wrote an entry and who is named
on it, characters, briefs of scenes, answers.
"""

import json
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from app.calendar.days import Reckoning, reckoning
from app.calendar.imports.fields import Fields, Format
from app.calendar.imports.plain_text import MOST_TEXT
from app.calendar.imports.reading import (
    MOST_DAY,
    MOST_STEPS_OF_ALL,
    MOST_TITLE,
    ForeignEntry,
    Imported,
    Losses,
    Section,
    Unusable,
    converted_entries,
    shaped,
)
from app.calendar.order import KINDS
from app.calendar.repeat import Rule, Steps, upcoming
from app.calendar.shape import Shape

SOURCE = "Signet"
FORMAT, VERSION = "signet-calendar", 1
MOST_NUMBER = 10**12
MOST_DEPTH = 6  # how deep lists and objects of a shape and of an entry are nested, and one more

Day = Annotated[int, Field(ge=-MOST_DAY, le=MOST_DAY)]


class FileEntry(BaseModel):
    """An entry as the file has it. "gms": for GMs alone, also what was for named members."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    kind: str = "note"
    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MOST_TITLE)]
    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=MOST_TEXT)] = ""
    place: Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)] = ""
    day: Day
    last_day: Day | None = None
    minute: Annotated[int, Field(ge=0, lt=1_000_000)] | None = None
    rule: Rule | None = None
    known_to: Literal["all", "gms"] = "gms"
    standing: Literal["stop", "pass"] | None = None
    done: bool = False
    starts_at: AwareDatetime | None = None
    minutes: Annotated[int, Field(ge=1, le=100_000)] | None = None

    @field_validator("starts_at")
    @classmethod
    def _near(cls, moment: AwareDatetime | None) -> AwareDatetime | None:
        """As a form allows it: the database and calendar apps have no moments beyond."""
        if moment is not None and not 1970 <= moment.year <= 9000:
            raise ValueError("That year is too far away.")
        return moment

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.kind not in KINDS:
            raise ValueError("There is no such kind of entry.")
        if self.kind == "session" and self.starts_at is None:
            raise ValueError("A session needs a real-world date.")
        if self.last_day is not None and self.last_day < self.day:
            raise ValueError("The end is before the start.")
        return self


FIELDS = Format(
    (Fields("", "format version today shape"), Fields("entries[]", " ".join(FileEntry.model_fields)))  # all there are
)


def is_one(file: Section) -> bool:
    """Whether a file says that it is one of Signet's, of any version."""
    return file.value.get("format") == FORMAT


def written(shape: Shape, today: int, entries: Sequence[ForeignEntry]) -> str:
    """Returns the text of a file with this calendar."""
    data = {
        "format": FORMAT,
        "version": VERSION,
        "today": today,
        "shape": shape.model_dump(mode="json"),
        "entries": [_file_entry(one).model_dump(mode="json", exclude_none=True) for one in entries],
    }
    return json.dumps(data, ensure_ascii=False, indent=1)


def convert(file: Section) -> Imported:
    """Reads a file. Raises `Unusable` if its shape or date cannot be used; entries that cannot be read are left out."""
    version = file.whole("version", 0)
    if version != VERSION:
        raise Unusable(
            f"its format has version {version}, and this server reads version {VERSION}.",
            "Export it again from a Signet that is as old as this one." if version > VERSION else None,
        )
    shape = shaped(_clean(file.group("shape").value))
    count, losses, steps = reckoning(shape), Losses(), Steps(MOST_STEPS_OF_ALL)
    today = file.whole("today", 0, -MOST_DAY, MOST_DAY)
    rows = file.rows("entries")
    found = converted_entries(rows, "entries", losses, lambda row: _entry(row, count, losses, steps))
    FIELDS.tell(file.value, losses)
    return Imported(SOURCE, shape, today, found, losses.sentences())


def _file_entry(one: ForeignEntry) -> FileEntry:
    return FileEntry(
        kind=one.kind,
        title=one.title,
        text=one.text,
        place=one.place,
        day=one.day,
        last_day=one.last_day,
        minute=one.minute,
        rule=one.rule,
        known_to="gms" if one.hidden else "all",
        standing=one.standing,
        done=one.done,
        starts_at=one.starts_at,
        minutes=one.minutes,
    )


def _entry(row: Section, count: Reckoning, losses: Losses, steps: Steps) -> ForeignEntry | None:
    """An entry; None for one that repeats on days that never come. Raises ValidationError if it cannot be read."""
    one = FileEntry.model_validate(_clean(row.value))
    rule = None if one.rule is None else one.rule.model_copy(update={"start": one.day})
    if rule is not None and one.kind == "session":
        losses.add("These sessions repeat. A session has one real-world date, so each is imported once.", one.title)
        rule = None
    if rule is not None and not upcoming(rule, count, one.day - 1, 1, steps):
        losses.add("These entries repeat on days that never come up in this calendar.", one.title)
        return None
    return ForeignEntry(
        title=one.title,
        day=one.day,
        last_day=one.last_day,
        rule=rule,
        minute=one.minute,
        text=one.text,
        kind=one.kind,
        hidden=one.known_to == "gms",
        place=one.place,
        standing=one.standing,
        done=one.done,
        starts_at=one.starts_at,
        minutes=one.minutes,
    )


def _clean(value: Any, depth: int = MOST_DEPTH) -> Any:
    """A part of the file without characters that no text may have; what is nested too deeply is left out. Raises
    `Unusable` for numbers that no calendar has: they would be kept, and shown, at any length."""
    match value:
        case int() if abs(value) > MOST_NUMBER:
            raise Unusable(f"it has a number with more than {len(str(MOST_NUMBER)) - 1} digits.")
        case str():
            return "".join(sign for sign in value if sign != "\x00" and not "\ud800" <= sign <= "\udfff")
        case list() if depth:
            return [_clean(one, depth - 1) for one in value]
        case dict() if depth:
            return {_clean(name): _clean(one, depth - 1) for name, one in value.items()}
        case list() | dict():
            return None
        case _:
            return value
