"""The version of a page, read by one query: while it stays the same, the page need not be rendered again."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class PageVersion:
    """Equal `what`: the same page, except for the time `now`."""

    now: datetime
    what: tuple[str | None, ...]
