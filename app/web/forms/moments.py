"""A date and an hour in a time zone, as a form sends them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from app.errors import Refusal


def moment_of(at: str, zone: str) -> datetime:
    """Returns the moment in UTC of a local time such as `2026-11-25T20:00` in a zone such as `Europe/Berlin` (UTC if
    it is empty). An hour that comes twice means the first one. Raises Refusal where either cannot be read, and for an
    hour that the clocks skip."""
    try:
        local = datetime.fromisoformat(at.strip())
    except ValueError as wrong:
        raise Refusal("Give the date and the hour, for example 2026-11-25 at 20:00.") from wrong
    if local.tzinfo is not None:
        raise Refusal("Give the date and the hour without a time zone; the zone has a field of its own.")
    try:
        there = ZoneInfo(zone.strip() or "UTC")
        moment = local.replace(tzinfo=there).astimezone(UTC)
    except (ZoneInfoNotFoundError, ValueError, OSError) as wrong:
        raise Refusal(f"“{zone.strip()[:60]}” is not a time zone we know. Try “Europe/Berlin” or “UTC”.") from wrong
    except OverflowError as wrong:
        raise Refusal("That date is out of range.") from wrong
    if moment.astimezone(there).replace(tzinfo=None) != local:
        raise Refusal("The clocks skip that hour on that day. Pick another hour.")
    return moment
