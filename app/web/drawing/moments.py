"""Moments of the real world on pages: in UTC, with the date unless that is today. static/js/local-time.js writes the
same in the zone of the viewer."""

from datetime import UTC, datetime
from typing import Literal

from markupsafe import Markup

Form = Literal["time", "both", "date", "short"]


def moment_said(at: datetime, now: datetime | None = None, form: Form = "time", *, seconds: bool = False) -> str:
    """A moment in UTC: "18:13 UTC", on another day than `now` "30 November, 18:13 UTC", in another year with the year.
    "both" and "short" always have the date, "short" also the weekday; "date" is the date alone, with its year.
    `seconds`: with them, if it is today."""
    at, now = at.astimezone(UTC), (now or datetime.now(UTC)).astimezone(UTC)
    year = f" {at.year}" if form == "date" or at.year != now.year else ""
    day = f"{at:%a} {at.day} {at:%b}{year}" if form == "short" else f"{at.day} {at:%B}{year}"
    if form == "date":
        return day
    if form == "time" and at.date() == now.date():
        return f"{at:%H:%M:%S} UTC" if seconds else f"{at:%H:%M} UTC"
    return f"{day}, {at:%H:%M} UTC"


def time_tag(at: datetime, form: Form = "time") -> Markup:
    """A moment as an element of a page."""
    tag = Markup('<time datetime="{}" data-local="{}">{}</time>')
    return tag.format(at.isoformat(), form, moment_said(at, form=form))


def clock_tag(due: datetime, now: datetime) -> Markup:
    """A time limit as an element that static/js/clock.js counts down; `now` is the server's time."""
    tag = Markup('<time class="clock" datetime="{0}" data-due="{0}" data-now="{1}">until {2}</time>')
    return tag.format(due.isoformat(), now.isoformat(), moment_said(due, now, seconds=True))
