"""A cache of drawn pages of scenes and of the calendar, each used only while still true for its reader.

Held in this process, for players and spectators, and never for a page that shows words of an unopened envelope. The
parts that differ between responses, the time and the ids of presses, are filled in anew. A request for a page that is
being drawn for the same reader and version waits for it instead of drawing it again.
"""

import asyncio
import re
import uuid
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, date
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from cachetools import LRUCache

from app.db.page_version import PageVersion
from app.table.reading import SceneSight

MOST_BYTES = 24 * 1024 * 1024
MOST_READERS = 20_000  # whom this process knows without asking who sits behind a cookie
NOW = re.compile(r'data-now="[^"]*"')
PATIENCE = 5.0  # seconds to wait for a page that another request is drawing, before drawing it too
REQUEST = re.compile(r'name="_request" value="[0-9a-f-]{36}"')

Key = tuple[str, str, str, bytes, bool]
"""Slug, handle and scene as the address spells them, the SHA-256 of the cookie's token, whether only the live part."""

Version = tuple[str | None, ...]
K = TypeVar("K", bound=Hashable)
R = TypeVar("R", bound=Hashable)


@dataclass(frozen=True, slots=True)
class _Page(Generic[R]):
    reader: R
    what: Version
    day: date  # pages leave out the date of moments of the day on which they are drawn
    parts: tuple[str, ...]  # the text between the parts that are filled in anew
    holes: str  # what goes between them: "n" the time, "r" the id of a press


@dataclass(slots=True)
class PageCache(Generic[K, R]):
    """The cached pages of one process, the least recently used dropped first; each for one reader and one version.
    A request never waits for, or gets, a page drawn for another reader or version."""

    _pages: LRUCache[K, _Page[R]] = field(
        default_factory=lambda: LRUCache(MOST_BYTES, getsizeof=lambda page: sum(map(len, page.parts)) + 500)
    )
    _readers: LRUCache[K, R] = field(default_factory=lambda: LRUCache(MOST_READERS))
    _turns: WeakValueDictionary[tuple[K, R, tuple[str | None, ...]], asyncio.Lock] = field(
        default_factory=WeakValueDictionary
    )

    @asynccontextmanager
    async def turn(self, key: K, reader: R, version: PageVersion) -> AsyncIterator[None]:
        """Hold the turn to draw this page: the caller looks into the cache again, then draws and keeps the page. If it
        fails or is cancelled, the next request in line draws."""
        lock = self._turns.setdefault((key, reader, version.what), asyncio.Lock())
        try:
            async with asyncio.timeout(PATIENCE):
                await lock.acquire()
        except TimeoutError:
            lock = asyncio.Lock()
            await lock.acquire()
        try:
            yield
        finally:
            lock.release()

    def reader(self, key: K) -> R | None:
        """The reader who last asked under this key, or None. Their version says whether they still may."""
        return self._readers.get(key)

    def note(self, key: K, reader: R) -> None:
        """Remember who asks under this key."""
        self._readers[key] = reader

    def get(self, key: K, reader: R, version: PageVersion) -> str | None:
        """The page if it was drawn for the same reader and version, else None."""
        page = self._pages.get(key)
        if page is None or (page.reader, page.what, page.day) != (reader, version.what, _day(version)):
            return None
        fresh = {"n": lambda: f'data-now="{version.now.isoformat()}"', "r": _press}
        text = [page.parts[0]]
        for hole, part in zip(page.holes, page.parts[1:], strict=True):
            text += [fresh[hole](), part]
        return "".join(text)

    def keep(self, key: K, reader: R, version: PageVersion, text: str) -> None:
        found = sorted(
            [(one.span(), "n") for one in NOW.finditer(text)] + [(one.span(), "r") for one in REQUEST.finditer(text)]
        )
        ends = [0, *(end for (_, end), _ in found)]
        starts = [*(start for (start, _), _ in found), len(text)]
        parts = tuple(text[end:start] for end, start in zip(ends, starts, strict=True))
        page = _Page(reader, version.what, _day(version), parts, "".join(hole for _, hole in found))
        if sum(map(len, parts)) < MOST_BYTES // 8:
            self._pages[key] = page
        self.note(key, reader)


def may_be_kept(sight: SceneSight) -> bool:
    """Whether the page shows no content of an unopened envelope."""
    asks = [ask for step in sight.steps for ask in step.asks]
    return not any(ask.mine is not None or ask.spoken is not None for ask in asks)


def _day(version: PageVersion) -> date:
    return version.now.astimezone(UTC).date()


def _press() -> str:
    return f'name="_request" value="{uuid.uuid4()}"'
