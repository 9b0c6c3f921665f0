"""Moments that people type: a date, a time and a time zone, in the fields "real_date", "real_time" and "zone"; the
hidden field "shown" has the moment that the form has shown."""

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

ZONES = (
    "UTC", "Europe/London", "Europe/Lisbon", "Europe/Paris", "Europe/Berlin", "Europe/Vienna", "Europe/Madrid",
    "Europe/Rome", "Europe/Warsaw", "Europe/Helsinki", "Europe/Athens", "Europe/Istanbul", "Europe/Moscow",
    "Africa/Cairo", "Africa/Lagos", "Africa/Nairobi", "Africa/Johannesburg", "Asia/Dubai", "Asia/Kolkata",
    "Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo", "Asia/Seoul", "Australia/Perth", "Australia/Sydney",
    "Pacific/Auckland", "America/Sao_Paulo", "America/Argentina/Buenos_Aires", "America/Halifax", "America/New_York",
    "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Anchorage", "Pacific/Honolulu",
)  # fmt: skip
"""The zones offered; any other zone name is accepted too."""


class WrongMoment(ValueError):
    """A text that is no date, time or zone; `field` is the form's field."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field


def moment_of(day: str, hour: str, zone: str, shown: str = "") -> datetime:
    """Returns the moment in UTC. A time that clocks skip is refused. Of a time that comes twice, the first counts,
    unless the form has `shown` the other: what says the same minute as that moment is that moment. Raises
    WrongMoment."""
    if not day.strip():
        raise WrongMoment("real_date", "Enter a date.")
    try:
        there = date.fromisoformat(day.strip())
    except ValueError:
        raise WrongMoment("real_date", "Enter a date like 2026-12-24.") from None
    found = re.fullmatch(r"([01]?[0-9]|2[0-3])[:.]([0-5][0-9])", hour.strip())
    if found is None:
        raise WrongMoment("real_time", "Enter a time like 19:30.")
    if not 1970 <= there.year <= 9000:
        raise WrongMoment("real_date", "That year is too far away.")
    at = zone_of(zone)
    local = datetime.combine(there, time(int(found[1]), int(found[2])), at)
    before = _parsed(shown)
    if before is not None and f"{before.astimezone(at):%Y-%m-%d %H:%M}" == f"{local:%Y-%m-%d %H:%M}":
        return before
    moment = local.astimezone(UTC)
    if moment.astimezone(at).replace(tzinfo=None) != local.replace(tzinfo=None):
        raise WrongMoment(
            "real_time", "That night the clocks go forward, and this time does not exist. Choose another."
        )
    return moment


def _parsed(shown: str) -> datetime | None:
    """The moment that a form has shown, as it sent it; None if there is none."""
    try:
        moment = datetime.fromisoformat(shown)
    except ValueError:
        return None
    return moment.astimezone(UTC) if moment.tzinfo is not None and 1970 <= moment.year <= 9000 else None


def zone_of(name: str) -> tzinfo:
    """Returns a time zone by its name, "Europe/Vienna", or by its offset, "UTC+2". Raises WrongMoment."""
    away = re.fullmatch(r"(?:UTC|GMT)(?:([+-])(\d{1,2})(?::?([0-5]\d))?)?", name.strip().upper().replace("−", "-"))
    if away is not None:
        minutes = int(away[2] or 0) * 60 + int(away[3] or 0)
        if minutes <= 14 * 60:
            return timezone(timedelta(minutes=-minutes if away[1] == "-" else minutes))
    elif re.fullmatch(r"[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*", name.strip()):
        try:
            return ZoneInfo(name.strip())
        except (KeyError, ValueError, OSError):
            pass
    raise WrongMoment("zone", "Enter a time zone like Europe/Vienna or UTC+2.")
