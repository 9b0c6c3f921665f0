"""Feeds as iCalendar files (RFC 5545). The `icalendar` library folds, escapes and encodes; here is what stands in them.

The same content gives the same bytes, so that an ETag can say that nothing changed: no file holds the moment it was
written. An entry keeps its UID for as long as it lives.
"""

import hashlib
import uuid
from datetime import date, datetime, timedelta

from icalendar import Calendar, Event

from app.almanac.visibility import Occurrence
from app.play.feeds import RealFeed, Session, WorldFeed
from app.table.listing import Call

USUAL_MINUTES = 180
"""How long a session is taken to last where nobody said."""

SAID = {"yes": "You said that you can come.", "maybe": "You said that you may come.", "no": "You said that you cannot."}


def real_file(feed: RealFeed, campaign: str, link: str, made_at: datetime) -> bytes:
    """Sessions and deadlines. `link` leads to the campaign's calendar, `made_at` is the feed's own age."""
    calendar = _calendar(f"{campaign}: sessions and deadlines", "When we meet, and until when your answer is awaited.")
    for one in feed.sessions:
        calendar.add_component(_session(one, campaign, link))
    for call in feed.calls:
        calendar.add_component(_call(call, campaign, link, made_at))
    return calendar.to_ical()


def world_file(feed: WorldFeed, campaign: str, link: str, made_at: datetime) -> bytes:
    """The in-world year, each day where `feed.anchor` puts it, with the in-world date in the text."""
    count = feed.book.count
    first = count.said(feed.anchor.first)
    about = (
        f"Days of the world, not of your own calendar: {first} stands on {_day(feed.anchor.begins)}, "
        "and each day after it one day later. The true date is in each entry."
    )
    calendar = _calendar(f"{campaign}: in the world", about)
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
    """A deadline: a moment. A step that is prolonged keeps its UID, and so moves."""
    assert call.due_at is not None
    named = uuid.uuid5(call.scene_id, call.call)
    event = _event(f"deadline-{named}", made_at, f"Until now: {call.call}", link)
    event.add("dtstart", call.due_at)
    event.add("transp", "TRANSPARENT")
    _describe(event, campaign, f"{call.scene}: {call.call}", "After this moment the step closes without you.")
    return event


def _entry(one: Occurrence, feed: WorldFeed, made_at: datetime, link: str) -> Event:
    """An all-day event; each time of something that repeats is one of its own."""
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
    _describe(event, "Here the world stands. It moves when your group lets time pass.")
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
    """A text without signs that calendar programs stumble over."""
    kept = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(sign for sign in kept if sign == "\n" or sign.isprintable())
