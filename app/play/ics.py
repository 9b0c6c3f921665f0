"""Feeds as iCalendar files (RFC 5545). The `icalendar` library folds, escapes and encodes; this module has the content.

The same content gives the same bytes, so that an ETag can show that nothing changed: no file holds the time when it was
written. An entry always keeps its UID.
"""

import hashlib
import uuid
from datetime import date, datetime, timedelta

from icalendar import Calendar, Event

from app.almanac.visibility import Occurrence
from app.play.feeds import RealFeed, Session, WorldFeed
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
        "and so on day by day. Each entry gives its in-world date."
    )
    calendar = _calendar(f"{campaign}: in-world calendar", about)
    calendar.add_component(_today(feed, made_at, link))
    for one in feed.entries:
        calendar.add_component(_entry(one, feed, made_at, link))
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


def _entry(one: Occurrence, feed: WorldFeed, made_at: datetime, link: str) -> Event:
    """Returns an all-day event; each occurrence of a repeating entry is an event of its own."""
    which = f"{one.id}-{one.first}" if one.repeats else str(one.id)
    event = _all_day(f"entry-{which}", made_at, one.title, link, feed.anchor.on(one.first), feed.anchor.on(one.last))
    event.add("sequence", one.version - 1)
    event.add("categories", [one.kind])
    if one.place:
        event.add("location", clean(one.place))
    count = feed.book.count
    said = count.said(one.first) if one.last == one.first else f"{count.said(one.first)} to {count.said(one.last)}"
    _describe(event, f"{said}.", one.text)
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
