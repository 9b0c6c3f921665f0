"""What one question says of a page, so that it need not be drawn again while the answer stays the same."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class PageVersion:
    """Equal versions: the same page, but for the time of day."""

    now: datetime
    what: tuple[str | None, ...]
