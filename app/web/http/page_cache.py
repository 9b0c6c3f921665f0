"""Pages of scenes and of the calendar that were drawn already and are still true for their reader.

Kept in this process, for players and spectators, and never a page that shows words which are still closed. What differs
from one answer to the next, the hour and the ids of presses, is put in anew. Whoever asks for a page that is just being
drawn for the very same reader and version waits for it, instead of drawing it once more.
"""

import asyncio
import re
import uuid
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from cachetools import LRUCache

from app.db.page_version import PageVersion
from app.table.reading import SceneSight

MOST_BYTES = 24 * 1024 * 1024
NOW = re.compile(r'data-now="[^"]*"')
PATIENCE = 5.0  # seconds to wait for a page that is being drawn, before drawing it oneself
REQUEST = re.compile(r'name="_request" value="[0-9a-f-]{36}"')

Key = tuple[str, str, str, bytes, bool]
"""Slug, handle and scene as the address spells them, the SHA-256 of the cookie's token, whether it is the live part."""

Version = tuple[str | None, ...]
K = TypeVar("K", bound=Hashable)
R = TypeVar("R", bound=Hashable)


@dataclass(frozen=True, slots=True)
class _Page(Generic[R]):
    reader: R
    what: Version
    parts: tuple[str, ...]  # between what is put in anew
    holes: str  # what goes between them: "n" the hour, "r" a press


@dataclass(slots=True)
class PageCache(Generic[K, R]):
    """The pages of one process, the least used forgotten first: each for one reader, true for one version.
    Nobody waits for, or is given, what is drawn for another reader or version."""

    _pages: LRUCache[K, _Page[R]] = field(
        default_factory=lambda: LRUCache(MOST_BYTES, getsizeof=lambda page: sum(map(len, page.parts)) + 500)
    )

    _turns: WeakValueDictionary[tuple[K, R, tuple[str | None, ...]], asyncio.Lock] = field(
        default_factory=WeakValueDictionary
    )

    @asynccontextmanager
    async def turn(self, key: K, reader: R, version: PageVersion) -> AsyncIterator[None]:
        """Meanwhile nobody else draws this page: look again whether it is kept, then draw and keep it. If that fails or
        is broken off, the next in line draws."""
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
        """For whom a page was drawn that is kept under this key."""
        page = self._pages.get(key)
        return None if page is None else page.reader

    def get(self, key: K, reader: R, version: PageVersion) -> str | None:
        """The page, if it was drawn for the same reader and version."""
        page = self._pages.get(key)
        if page is None or (page.reader, page.what) != (reader, version.what):
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
        page = _Page(reader, version.what, parts, "".join(hole for _, hole in found))
        if sum(map(len, parts)) < MOST_BYTES // 8:
            self._pages[key] = page


def may_be_kept(sight: SceneSight) -> bool:
    """Whether nothing on the page lies in an envelope still."""
    asks = [ask for step in sight.steps for ask in step.asks]
    return not any(ask.mine is not None or ask.spoken is not None for ask in asks)


def _press() -> str:
    return f'name="_request" value="{uuid.uuid4()}"'
