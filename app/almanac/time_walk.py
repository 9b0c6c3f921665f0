"""The time walk: lets days pass, with what happens on each, in which order, and where time has to stop. Pure.

When a day is *reached*, its year turn, arrivals, completions, healing and events run, in the order of CHR-CAL-11. Then
it is *left*, unless something on it or before it waits for a member: an open scene, or any entry whose standing answer
is "stop". So all that can run by itself on a day has run when time stops on it.
"""

import uuid
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.almanac.calendar_state import CalendarState
from app.calendar.days import Date
from app.calendar.order import PLAYED, place_in_day
from app.calendar.repeat import Rule, occurrences, upcoming
from app.engine.chance import Chance, Roll
from app.engine.ruleset import Days, Ruleset

RUNS = frozenset({"arrival", "completion", "healing", "reckoning", "event"})
"""Kinds that are done once their day has run. Notes and holidays do nothing; sessions are dates of the real world."""

MOST_THINGS = 2000
"""The limit on happenings in one movement: after the day that reaches it, time stops until the next movement."""


class RulesFailed(Exception):
    """The rules failed on a character's day; the text names the character."""


@dataclass(frozen=True, slots=True)
class TimeItem:
    """An entry for the time walk. `due`: the day on which it happens, or on which a paused scene continues."""

    id: uuid.UUID
    made_no: int
    kind: str
    state: str
    title: str
    text: str
    due: int
    length: int
    minute: int | None
    rule: Rule | None
    standing: str
    people: tuple[str, ...]
    seen_by: str
    viewers: tuple[str, ...]

    @property
    def stops(self) -> bool:
        return self.standing == "stop"


@dataclass(slots=True)
class CharacterDays:
    """A character that days may affect; `in_scene` is the title of the open scene that holds it."""

    slug: str
    name: str
    ruleset: Ruleset[Any, Any]
    days: Days[Any]  # under the campaign's house rules
    sheet: Any
    care: Mapping[str, Any]
    in_scene: str = ""
    has_no_successor: bool = False  # a player's character whose replacement is neither proposed nor put off

    @property
    def cared(self) -> Any:
        """The character's care, as its days use it."""
        return self.days.cared(self.care, self.sheet)

    @property
    def waits(self) -> bool:
        """Whether a day would affect it; days do not affect a character in an open scene."""
        return not self.in_scene and self.days.waits(self.sheet)

    @property
    def needs_successor(self) -> bool:
        """Whether time stops until it is replaced (CHR-CHA-11)."""
        return self.has_no_successor and not self.in_scene and self.ruleset.dead(self.sheet)


@dataclass(slots=True)
class World:
    """All that a movement of time depends on. `already`: what has run before, by thing and day."""

    book: CalendarState
    items: Sequence[TimeItem]
    cast: Sequence[CharacterDays]  # in cast order
    already: Collection[tuple[str, int]]
    luck: Callable[[str, int], Chance]  # by character and day
    lost: Sequence[tuple[str, str]] = ()  # slug and name of the dead without a successor whose rules have no days


@dataclass(frozen=True, slots=True)
class Upcoming:
    """One thing ahead, listed before it happens; `does` says what will happen."""

    day: int
    last: int  # of a span, or of days of healing
    kind: str
    title: str
    does: str  # runs, passes, stops, lives, held
    entry_id: uuid.UUID | None = None
    people: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DayOutcome:
    """One happening of a day, as it will be stored; `entry` is None for those that have none on the calendar."""

    day: int
    thing: str
    kind: str
    title: str
    text: str = ""
    rule: str = ""
    rolls: tuple[Roll, ...] = ()
    people: tuple[str, ...] = ()
    seen_by: str = "all"
    viewers: tuple[str, ...] = ()
    marks: bool = False  # gets an entry of its own, done
    mark: str = ""  # the title of that entry
    entry: TimeItem | None = None


@dataclass(frozen=True, slots=True)
class OpenEntry:
    """An occurrence of a repeating entry, or a year turn, that needs a decision and becomes an open entry."""

    day: int
    title: str
    of: TimeItem | None  # None: the year turn


@dataclass(frozen=True, slots=True)
class SheetAfterDay:
    """A character's sheet after a day."""

    day: int
    slug: str
    sheet: Any


Act = DayOutcome | OpenEntry | SheetAfterDay


@dataclass(slots=True)
class Journey:
    """A movement of time: its acts in order, and its end; `stops` says why it ends before the wanted day."""

    from_day: int
    to_day: int
    wanted: int
    acts: list[Act] = field(default_factory=list)
    stops: list[Upcoming] = field(default_factory=list)
    enough: bool = False  # it ends because of `MOST_THINGS`


@dataclass(frozen=True, slots=True)
class _Due:
    """One thing due on a day, with its place in the day's order; without `item` and `being`, the year turn."""

    place: tuple[int, int, int]
    item: TimeItem | None = None
    being: CharacterDays | None = None


# ---- before: what lies ahead -------------------------------------------------------------------------------------


def foresee(world: World, wanted: int) -> tuple[Journey, list[Upcoming]]:
    """Returns the movement to a day without its acts, and a list of all that lies ahead, in order; uses no luck.

    Healing is one line for each patient, because the dice of a day are not known before it (CHR-CAL-16).
    """
    walk = _Walk(world, wanted)
    told: list[Upcoming] = []
    for day, dues in walk.days(foreseeing=True):
        for due in dues:
            if due.item is not None:
                told.append(_told(due.item, day))
            elif due.being is None:
                stops = world.book.settings.at_turn == "stop"
                told.append(Upcoming(day, day, "reckoning", _year(world.book, day), "stops" if stops else "runs"))
    first, last = world.book.today + 1, walk.journey.to_day
    for being in world.cast:
        if last >= first and being.days.waits(being.sheet):
            title = f"{being.name} is in “{being.in_scene}”" if being.in_scene else f"{being.name}: healing, day by day"
            does = "held" if being.in_scene else "lives"
            told.insert(_after(told, first), Upcoming(first, last, "healing", title, does, people=(being.slug,)))
    return walk.journey, told


def _after(told: Sequence[Upcoming], day: int) -> int:
    """Returns the index for healing that begins on this day: after year turn, arrivals, completions and healing."""
    for index, line in enumerate(told):
        if line.day > day or (line.day == day and place_in_day(line.kind, None, 0)[0] > 2):
            return index
    return len(told)


def _told(item: TimeItem, day: int) -> Upcoming:
    does = "stops" if item.stops else "runs" if item.kind in RUNS else "passes"
    return Upcoming(day, day + item.length, item.kind, item.title, does, item.id, item.people)


# ---- then: what happens ------------------------------------------------------------------------------------------


def run(world: World, wanted: int) -> Journey:
    """Lets days pass up to `wanted`, or to the first that needs a decision. Changes the sheets in `world.cast`, so that
    each day begins with the results of the one before."""
    walk = _Walk(world, wanted)
    for day, dues in walk.days():
        for due in dues:
            if due.being is not None:
                walk.journey.acts += live(world, due.being, day)
            elif due.item is not None:
                walk.journey.acts += _run(due.item, day)
            else:
                walk.journey.acts += _turn(world.book, day)
    return walk.journey


def _run(item: TimeItem, day: int) -> Iterator[Act]:
    if item.stops:
        if item.rule is not None:
            yield OpenEntry(day, item.title, item)
    elif item.kind in RUNS or item.kind in PLAYED:
        yield DayOutcome(
            day, f"entry/{item.id}", item.kind, item.title, item.text, people=item.people, seen_by=item.seen_by,
            viewers=item.viewers, entry=item,
        )  # fmt: skip


def _turn(book: CalendarState, day: int) -> Iterator[Act]:
    yield DayOutcome(day, "year", "reckoning", _year(book, day))
    if book.settings.at_turn == "stop":
        yield OpenEntry(day, _year(book, day), None)


def _beside(world: World, being: CharacterDays) -> dict[str, Any]:
    """Returns the sheets that a character's day may use: those of the same ruleset that are in no scene, by slug."""
    return {one.slug: one.sheet for one in world.cast if one.ruleset.key == being.ruleset.key and not one.in_scene}


def foretell(world: World, slug: str, days: int) -> list[DayOutcome]:
    """Returns a character's marked outcomes of the next `days`, rolled ahead (CHR-CAL-16), until nothing is left to do
    or its aid needs a decision. Changes the sheets in `world.cast`."""
    found = list[DayOutcome]()
    being = next((one for one in world.cast if one.slug == slug), None)
    for day in range(world.book.today + 1, world.book.today + 1 + days):
        if being is None or not being.waits or being.days.pleads(_beside(world, being), slug, being.cared) is not None:
            break
        for one in world.cast:
            acts = list(live(world, one, day)) if one.waits else []
            found += [act for act in acts if one is being and isinstance(act, DayOutcome) and act.marks]
    return found


def live(world: World, being: CharacterDays, day: int) -> Iterator[Act]:
    """Lives one day of a character and yields its acts. Raises RulesFailed where the rules fail."""
    sheets = _beside(world, being)
    try:
        sheet, passed = being.days.live(sheets, being.slug, being.cared, world.luck(being.slug, day))
        dumped = being.ruleset.character.dump_python(sheet, mode="json")
        before = being.ruleset.character.dump_python(being.sheet, mode="json")
    except Exception as wrong:
        raise RulesFailed(f"The rules failed on {being.name}'s day: {type(wrong).__name__}.") from wrong
    being.sheet = sheet
    for one in passed:
        yield DayOutcome(
            day, f"days/{being.slug}/{one.about}", "healing", being.name, one.text, one.rule, one.rolls, (being.slug,),
            marks=one.marks, mark=f"{being.name}: {one.mark}" if one.mark else being.name,
        )  # fmt: skip
    if dumped != before:
        if not passed:
            yield DayOutcome(day, f"days/{being.slug}", "healing", being.name, people=(being.slug,))
        yield SheetAfterDay(day, being.slug, dumped)


# ---- the walk ----------------------------------------------------------------------------------------------------


class _Walk:
    """Goes from day to day, only through days on which something is due."""

    def __init__(self, world: World, wanted: int) -> None:
        self.world, self.wanted = world, wanted
        self.book = world.book
        self.journey = Journey(self.book.today, self.book.today, wanted)
        self._once: dict[int, list[TimeItem]] = {}
        for item in world.items:
            if item.rule is None and item.kind != "session":
                self._once.setdefault(item.due, []).append(item)
        self._again = [item for item in world.items if item.rule is not None and item.kind != "session"]
        self._days = sorted(set(self._once) | self._repeats())
        waiting = (item for items in self._once.values() for item in items if item.stops)
        self._waiting = sorted(waiting, key=lambda item: (item.due, item.made_no))
        self._lived = {(thing.split("/")[1], day) for thing, day in world.already if thing.startswith("days/")}
        self._met = 0

    def days(self, foreseeing: bool = False) -> Iterator[tuple[int, list[_Due]]]:
        """Yields each day on which something is due, with the dues in order. Today was reached before: only entries
        written for it since then run now, and only if it is left."""
        day = self.book.today
        while day < self.wanted:
            self.journey.stops = list(self._undecided(day))
            self.journey.enough = self._met >= MOST_THINGS
            if self.journey.stops or self.journey.enough:
                return
            if day == self.book.today:
                yield day, self._written_since(day)
            day = self._next(day, foreseeing)
            dues = self._on(day, foreseeing)
            self._met += len(dues)
            self.journey.to_day = day
            yield day, dues

    def _next(self, day: int, foreseeing: bool) -> int:
        if not foreseeing and any(being.waits for being in self.world.cast):
            return day + 1
        later = self._days[bisect_right(self._days, day) :][:1]
        return min(*later, self._turn_after(day), self.wanted)

    def _repeats(self) -> set[int]:
        low = self.book.today + 1
        return {day for item in self._again for day in self._falls(item, low, self.wanted)}

    def _falls(self, item: TimeItem, low: int, high: int) -> Iterator[int]:
        assert item.rule is not None
        for number, day in enumerate(occurrences(item.rule, self.book.count, low, high)):
            yield day
            if number >= MOST_THINGS:
                return

    def _turn_after(self, day: int) -> int:
        year = self.book.count.date(day).year
        while True:
            turn = turn_day(self.book, year)
            if turn > day:
                return turn
            year = 1 if self.book.shape.skip_zero and year == -1 else year + 1

    def _undecided(self, day: int) -> Iterator[Upcoming]:
        """Yields the reasons why time stops on this day: missing successors, aid, entries for it or earlier days."""
        for slug, name in (*self.world.lost, *((one.slug, one.name) for one in self.world.cast if one.needs_successor)):
            yield Upcoming(day, day, "successor", f"Who takes {name}’s place?", "stops", people=(slug,))
        for being in self.world.cast:
            if being.waits and being.days.pleads(_beside(self.world, being), being.slug, being.cared) is not None:
                yield Upcoming(day, day, "aid", f"Who helps {being.name}?", "stops", people=(being.slug,))
        for item in self._waiting:
            if item.due > day:
                break
            yield _told(item, item.due)
        if day > self.book.today:
            for item in self._again:
                if item.stops and self._runs(item, day):
                    yield _told(item, day)
            if self.book.settings.at_turn == "stop" and self._turns(day):
                yield Upcoming(day, day, "reckoning", _year(self.book, day), "stops")

    def _turns(self, day: int) -> bool:
        """Whether the year turns on this day, for the first time."""
        year = self.book.count.date(day).year
        return turn_day(self.book, year) == day and ("year", day) not in self.world.already

    def _runs(self, item: TimeItem, day: int) -> bool:
        assert item.rule is not None
        return any(True for _ in occurrences(item.rule, self.book.count, day, day)) and (
            f"entry/{item.id}", day
        ) not in self.world.already  # fmt: skip

    def _written_since(self, day: int) -> list[_Due]:
        found = [_Due(place_in_day(one.kind, one.minute, one.made_no), one) for one in self._once.get(day, ())]
        return sorted((due for due in found if self._fresh(due, day)), key=lambda due: due.place)

    def _on(self, day: int, foreseeing: bool) -> list[_Due]:
        items = [*self._once.get(day, ()), *(one for one in self._again if self._runs(one, day))]
        found = [_Due(place_in_day(one.kind, one.minute, one.made_no), one) for one in items]
        if self._turns(day):
            found.append(_Due((0, -1, 0)))
        if not foreseeing:
            patients = enumerate(self.world.cast)
            found += [
                _Due((2, 0, place), being=being)
                for place, being in patients
                if being.waits and (being.slug, day) not in self._lived
            ]
        return sorted((due for due in found if self._fresh(due, day)), key=lambda due: due.place)

    def _fresh(self, due: _Due, day: int) -> bool:
        if due.item is None:
            return True
        return due.item.state == "open" and (f"entry/{due.item.id}", day) not in self.world.already


def turn_day(book: CalendarState, year: int) -> int:
    """Returns the day number of the year turn in a year (CHR-CAL-15)."""
    wanted = Date(year, book.settings.turn_month, book.settings.turn_day)
    return book.count.number(book.count.clamp(wanted))


def next_of(item: TimeItem, book: CalendarState, day: int) -> int | None:
    """Returns the first day of a repeating entry's next occurrence after `day`, or None."""
    assert item.rule is not None
    found = upcoming(item.rule, book.count, day, 1)
    return found[0] if found else None


def _year(book: CalendarState, day: int) -> str:
    return f"The year {book.count.year_name(book.count.date(day).year)} begins"
