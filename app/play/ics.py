"""Feeds as iCalendar files (RFC 5545). The `icalendar` library folds, escapes and encodes; this module has the content.

The same content gives the same bytes, so that an ETag can show that nothing changed: no file holds the time when it was
written. An entry always keeps its UID.
"""

import hashlib
import uuid
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta

from icalendar import Calendar, Event

from app.almanac.visibility import Occurrence
from app.calendar.repeat import falls_on
from app.play.feeds import RealFeed, Session, WorldFeed
from app.play.recurrence import recurrence_of
from app.table.listing import Call

USUAL_MINUTES = 180
"""The length of a session that has none."""

SAID = {
    "yes": "You said that you can come.",
    "maybe": "You said that you might come.",
    "no": "You said that you cannot.",
}


def real_file(feed: RealFeed, campaign: str, link: str, made_at: datetime) -> bytes:
    """Returns the file of sessions and deadlines. `link` leads to the campaign's calendar; the feed was made at
    `made_at`."""
    calendar = _calendar(f"{campaign}: sessions and deadlines", "When we meet, and when your turns are due.")
    for one in feed.sessions:
        calendar.add_component(_session(one, campaign, link))
    for call in feed.calls:
        calendar.add_component(_call(call, campaign, link, made_at))
    return calendar.to_ical()


def world_file(feed: WorldFeed, campaign: str, link: str, made_at: datetime) -> bytes:
    """Returns the file of in-world entries, on the dates of `feed.anchor`, with the in-world date in the text."""
    count = feed.book.count
    first = count.said(feed.anchor.first)
    about = (
        f"In-world days, shown on real dates: {first} is shown as {_day(feed.anchor.begins)}, "
        "and so on day by day. Each entry gives its in-world date; one that repeats, its first and last."
    )
    calendar = _calendar(f"{campaign}: in-world calendar", about)
    calendar.add_component(_today(feed, made_at, link))
    for some in _by_entry(feed.entries):
        for event in _entry(some, feed, made_at, link):
            calendar.add_component(event)
    return calendar.to_ical()


def etag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def _calendar(name: str, about: str) -> Calendar:
    calendar = Calendar()
    calendar.add("prodid", "-//Signet//Signet//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    for key in ("name", "x-wr-calname"):
        calendar.add(key, clean(name))
    for key in ("description", "x-wr-caldesc"):
        calendar.add(key, clean(about))
    calendar.add("refresh-interval", timedelta(hours=1), parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    return calendar


def _session(one: Session, campaign: str, link: str) -> Event:
    event = _event(f"session-{one.id}", one.changed_at, one.title or "We meet", link)
    event.add("dtstart", one.starts_at)
    event.add("dtend", one.starts_at + timedelta(minutes=one.minutes or USUAL_MINUTES))
    event.add("last-modified", one.changed_at)
    event.add("sequence", one.version - 1)
    if one.place:
        event.add("location", clean(one.place))
    _describe(event, campaign, one.text, SAID.get(one.answer, "You have not said yet whether you can come."))
    return event


def _call(call: Call, campaign: str, link: str, made_at: datetime) -> Event:
    """Returns a deadline as a moment. If its step gets more time, the UID stays the same, so the event moves."""
    assert call.due_at is not None
    named = uuid.uuid5(call.scene_id, call.stored)
    event = _event(f"deadline-{named}", made_at, f"Deadline: {call.call}", link)
    event.add("dtstart", call.due_at)
    event.add("transp", "TRANSPARENT")
    _describe(event, campaign, f"{call.scene}: {call.call}", "After this moment the step closes without you.")
    return event


def _by_entry(entries: Iterable[Occurrence]) -> Iterable[list[Occurrence]]:
    """The occurrences of each entry, in the order of their first ones."""
    found: dict[uuid.UUID, list[Occurrence]] = {}
    for one in entries:
        found.setdefault(one.id, []).append(one)
    return found.values()


def _entry(some: Sequence[Occurrence], feed: WorldFeed, made_at: datetime, link: str) -> Iterator[Event]:
    """Yields an entry's all-day events: one with a rule for a repeat where a rule gives exactly its days, else one for
    each of them. The event with a rule has the UID that the entry would have without repeating."""
    first = some[0]
    rule = recurrence_of([feed.anchor.on(one.first) for one in some], _skipped(some, feed))
    count = feed.book.count
    if rule is None:
        for one in some:
            until = f" to {count.said(one.last)}" if one.last > one.first else ""
            which = f"{one.id}-{one.first}" if one.repeats else str(one.id)
            yield _from(one, feed, made_at, link, which, f"{count.said(one.first)}{until}.")
        return
    said = f"In the world {len(some)} times, from {count.said(first.first)} to {count.said(some[-1].last)}."
    event = _from(first, feed, made_at, link, str(first.id), said)
    event.add("rrule", rule.rule)
    if rule.without:
        event.add("exdate", list(rule.without), parameters={"VALUE": "DATE"})
    yield event


def _skipped(some: Sequence[Occurrence], feed: WorldFeed) -> list[date]:
    """The days between these on which their rule would fall, were they not left out."""
    rule = some[0].rule
    if rule is None:
        return []
    whole, between = rule.model_copy(update={"skip": frozenset()}), range(some[0].first, some[-1].first)
    return [feed.anchor.on(day) for day in rule.skip if day in between and falls_on(whole, feed.book.count, day)]


def _from(one: Occurrence, feed: WorldFeed, made_at: datetime, link: str, uid: str, said: str) -> Event:
    """Returns the event of an occurrence, with its days in the world as text."""
    event = _all_day(f"entry-{uid}", made_at, one.title, link, feed.anchor.on(one.first), feed.anchor.on(one.last))
    event.add("sequence", one.version - 1)
    event.add("categories", [one.kind])
    if one.place:
        event.add("location", clean(one.place))
    _describe(event, said, one.text)
    return event


def _today(feed: WorldFeed, made_at: datetime, link: str) -> Event:
    where = feed.anchor.on(feed.book.today)
    said = feed.book.count.said(feed.book.today)
    event = _all_day("today", made_at, f"Today in the world: {said}", link, where, where)
    event["uid"] = f"today-{uuid.uuid5(uuid.NAMESPACE_URL, link)}@signet"
    event.add("sequence", feed.book.version - 1)
    _describe(event, "This is today in the world. It changes when your group lets time pass.")
    return event


def _all_day(uid: str, stamp: datetime, summary: str, link: str, first: date, last: date) -> Event:
    event = _event(uid, stamp, summary, link)
    event.add("dtstart", first)
    event.add("dtend", last + timedelta(days=1))
    event.add("transp", "TRANSPARENT")
    return event


def _event(uid: str, stamp: datetime, summary: str, link: str) -> Event:
    event = Event()
    event.add("uid", f"{uid}@signet")
    event.add("dtstamp", stamp)
    event.add("summary", clean(summary))
    event.add("url", link)
    return event


def _describe(event: Event, *parts: str) -> None:
    event.add("description", clean("\n\n".join(part for part in parts if part)))


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def clean(text: str) -> str:
    """Returns a text without characters that calendar programs may reject."""
    kept = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(sign for sign in kept if sign == "\n" or sign.isprintable())
