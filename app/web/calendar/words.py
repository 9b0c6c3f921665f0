"""The calendar in words: kinds, dates, hours, visibility, repetition."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from urllib.parse import urlencode

from markupsafe import Markup

from app import rulesets
from app.almanac.calendar_state import CalendarState
from app.almanac.entries import OF_TIME
from app.almanac.history import DayRecord
from app.almanac.visibility import Filter, Occurrence
from app.calendar.days import Reckoning
from app.calendar.repeat import EveryDays, NthWeekday, OnDate, Rule, Weekly, WithMoon, WithSeason, misses
from app.calendar.shape import Shape
from app.engine.sentences import and_list
from app.play.chain import Ties
from app.web.calendar.month import CalendarItem

KINDS: Mapping[str, str] = {
    "scene": "Scene",
    "leg": "Journey leg",
    "arrival": "Arrival",
    "completion": "Work finished",
    "healing": "Healing",
    "reckoning": "Yearly reckoning",
    "event": "Event",
    "holiday": "Feast day",
    "note": "Note",
    "session": "Session",
}
SIGNS: Mapping[str, str] = {
    "scene": "drama",
    "leg": "signpost",
    "arrival": "map-pin",
    "completion": "hammer",
    "healing": "heart",
    "reckoning": "scale",
    "event": "star",
    "holiday": "utensils",
    "note": "pencil",
    "session": "users",
}
"""Each kind's icon in static/kinds.svg: colours alone tell nobody anything."""
STATES: Mapping[str, str] = {"open": "planned", "paused": "paused", "done": "done", "dropped": "cancelled"}
NO_TIES = Ties()
NTH = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last"}


def kinds_for(*, is_gm: bool, now: str = "") -> list[tuple[str, str]]:
    """The kinds that a member may choose. Those that a time walk writes are for GMs, unless the entry is one `now`."""
    return [(key, words) for key, words in KINDS.items() if is_gm or key not in OF_TIME or key == now]


@dataclass(frozen=True, slots=True)
class CalendarQuery:
    """The filters of a calendar page, and addresses that preserve them."""

    base: str
    kind: str = ""
    who: str = ""
    place: str = ""
    q: str = ""
    cal: str = ""  # the key of the further calendar that the page is drawn in; "": the campaign's own

    @property
    def narrows(self) -> bool:
        return bool(self.kind or self.who or self.place or self.q)

    @property
    def want(self) -> Filter:
        return Filter(
            kinds=frozenset({self.kind} if self.kind else ()),
            people=frozenset({self.who} if self.who else ()),
            text=self.q,
            place=self.place,
        )

    def to(self, path: str = "", **at: object) -> str:
        """An address of the calendar with the same filters."""
        said = urlencode({**{name: value for name, value in at.items() if value not in ("", None)}, **self._parts})
        return f"{self.base}/calendar{path}{'?' if said else ''}{said}"

    def bare(self, at: Mapping[str, object]) -> str:
        """The query of the same place without filters."""
        return urlencode({**at, **({"cal": self.cal} if self.cal else {})})

    def kept(self) -> Markup:
        """The filters as hidden fields."""
        field = Markup('<input type="hidden" name="{}" value="{}">')
        return Markup("").join(field.format(name, value) for name, value in self._parts.items())

    @property
    def _parts(self) -> dict[str, str]:
        return {name: value for name in ("kind", "who", "place", "q", "cal") if (value := getattr(self, name))}


def hour(shape: Shape, minute: int) -> str:
    """A minute of the day as the calendar's clocks show it."""
    return f"{minute // shape.minutes}:{minute % shape.minutes:0{len(str(shape.minutes - 1))}}"


def kind_of(one: Occurrence) -> str:
    """The kind of an entry, and its number among the legs of a long scene."""
    return KINDS.get(one.kind, "Entry") + (f" {one.leg}" if one.leg else "")


def word(
    one: Occurrence, book: CalendarState, base: str, names: Mapping[str, str], tied: Ties = NO_TIES
) -> CalendarItem:
    """An occurrence in short; `names` are the characters' by slug."""
    before = hour(book.shape, one.minute) if book.shape.show_hours and one.minute is not None else ""
    private = kept_from(one)
    said = f"{kind_of(one)}: {one.title}"
    said += f", {one.place}" if one.place else ""
    said += f", with {and_list(names.get(slug, slug) for slug in one.people)}" if one.people else ""
    said += f". {when(book.count, one.first, one.last)}"
    said += f", {before}" if before else ""
    said += f". {STATES[one.state].capitalize()}" if one.state != "open" else ""
    said += f". Follows from “{tied.follows}”" if tied.follows else ""
    said += f". Led to {and_list(f'“{title}”' for title in tied.led_to)}" if tied.led_to else ""
    said += f". {private}" if private else ""
    return CalendarItem(
        key=str(one.id),
        kind=one.kind,
        title=one.title + (f", leg {one.leg}" if one.leg else ""),
        said=said,
        href=f"{base}/calendar/entries/{one.id}?on={one.first}",
        first=one.first,
        last=one.last,
        before=before,
        starts_at=one.starts_at,
        state=one.state,
        private=private,
        follows=tied.follows,
        led_to=tied.led_to,
        version=one.version if one.editable else None,
    )


def words(
    some: Iterable[Occurrence],
    book: CalendarState,
    base: str,
    names: Mapping[str, str],
    tied: Mapping[uuid.UUID, Ties],
) -> list[CalendarItem]:
    """Like `word`, for many; `tied` by the entry's id."""
    return [word(one, book, base, names, tied.get(one.id, NO_TIES)) for one in some]


def folded(
    pairs: Iterable[tuple[Occurrence, CalendarItem]], book: CalendarState, base: str
) -> list[tuple[Occurrence, CalendarItem]]:
    """Occurrences with each repeat as one line, on its first day of these; what falls only once stays as it is."""
    some = list(pairs)
    days: dict[str, list[int]] = {}
    for one, item in some:
        if one.rule is not None:
            days.setdefault(item.key, []).append(one.first)
    lines: list[tuple[Occurrence, CalendarItem]] = []
    for one, item in some:
        falls = days.get(item.key, [])
        if one.rule is None or len(falls) < 2:
            lines.append((one, item))
        elif one.first == falls[0]:
            often = "twice" if len(falls) == 2 else f"{len(falls)} times"
            again = f"{repeats(one.rule, book.shape)} ({often})"
            title = f"{KINDS.get(one.kind, 'Entry')}: {one.title}, {again}. {when(book.count, falls[0], falls[-1])}"
            lines.append((one, replace(item, again=again, said=title, href=f"{base}/calendar/entries/{one.id}")))
    return lines


def kept_from(one: Occurrence) -> str:
    """The viewers of an entry with limited visibility, in words; "" if all members see it."""
    match one.seen_by:
        case "gm":
            return "Only the GM and its author can see this" if not one.mine else "Only you and the GM can see this"
        case "named":
            return "Only some people can see this"
        case _:
            return ""


def when(count: Reckoning, first: int, last: int) -> str:
    """One day, or the first and the last of several."""
    return count.said(first) if last <= first else f"{count.said(first)} to {count.said(last)}"


def distance(days: int) -> str:
    """A day's distance from today."""
    if abs(days) <= 1:
        return {-1: "yesterday", 0: "today", 1: "tomorrow"}[days]
    return f"in {days:,} days" if days > 0 else f"{-days:,} days ago"


def repeats(rule: Rule, shape: Shape) -> str:
    """A rule in everyday words."""
    match rule:
        case EveryDays():
            said = "every day" if rule.days == 1 else f"every {rule.days:,} days"
        case Weekly():
            said = f"every {and_list(_one(shape.weekdays, day, 'weekday') for day in sorted(rule.weekdays))}"
        case OnDate():
            day = "the last day" if rule.day == -1 else f"day {rule.day}"
            said = f"on {day} of {_month(shape, rule.month)}"
        case NthWeekday():
            weekday = _one(shape.weekdays, rule.weekday, "weekday")
            said = f"on the {NTH[rule.nth]} {weekday} of {_month(shape, rule.month)}"
        case WithMoon():
            moons = [moon.name for moon in shape.moons]
            said = f"when {_one(moons, rule.moon, 'a moon that is gone')} is {_phase(rule.phase)}"
        case WithSeason():
            seasons = [season.name for season in shape.seasons]
            said = f"when {_one(seasons, rule.season, 'a season that is gone')} begins"
    return said


def skipped(rule: Rule, count: Reckoning) -> str:
    """Which years or months a rule skips since they lack its day, in a sentence; "" if there are none."""
    if not misses(rule, count):
        return ""
    assert isinstance(rule, OnDate | NthWeekday)
    if isinstance(rule, NthWeekday):
        day = f"{NTH[rule.nth]} {_one(count.shape.weekdays, rule.weekday, 'weekday')}"
    else:
        day = "last day" if rule.day == -1 else f"day {rule.day}"
    if rule.month is None:
        return f"Months without a {day} are skipped."
    return f"Years in which {_month(count.shape, rule.month)} has no {day} are skipped."


def _phase(phase: str) -> str:
    return phase if phase in ("new", "full") else f"in its {phase}"


def _month(shape: Shape, month: int | None) -> str:
    return "every month" if month is None else _one([one.name for one in shape.months], month - 1, "a month")


def _one(names: Iterable[str], at: int, otherwise: str) -> str:
    some = list(names)
    return some[at] if at < len(some) else otherwise


@dataclass(frozen=True, slots=True)
class DayEventLine:
    """One event of a day, with the address of its rule below the rulebook, and its dice: the value and size of each."""

    what: DayRecord
    why: str
    dice: tuple[tuple[int, int], ...]


def day_event_line(one: DayRecord, key: str) -> DayEventLine:
    """A day's event for a page; `key` is the key of its ruleset."""
    rules = next((rules for rules in rulesets.RULESETS if rules.key == key), None)
    shows = rules.days.shows if rules is not None and rules.days is not None else attrgetter("face")
    why = f"/{key}/{one.rule}" if one.rule and key else ""
    return DayEventLine(one, why, tuple((shows(roll), roll.size) for roll in one.rolls))
