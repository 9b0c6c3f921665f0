"""Queues before the scenes: how many requests of a process wait for one scene's row, each with a connection.

A scene that is locked for long would else take all connections, and with them every page of every campaign.
"""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from app.db.waiting import GaveUp


@dataclass(slots=True)
class Queues:
    """The queues of one process. The other requests for a scene wait without a connection, for `seconds` at most."""

    at_once: int = 5
    seconds: float = 0
    """0 waits for ever."""
    _places: WeakValueDictionary[uuid.UUID, asyncio.Semaphore] = field(default_factory=WeakValueDictionary)

    @asynccontextmanager
    async def place(self, scene: uuid.UUID) -> AsyncIterator[None]:
        """Holds a place in the scene's queue. Raises `GaveUp` where none becomes free in time."""
        places = self._places.setdefault(scene, asyncio.Semaphore(self.at_once))
        try:
            async with asyncio.timeout(self.seconds or None):
                await places.acquire()
        except TimeoutError as late:
            raise GaveUp("", None, late) from None
        try:
            yield
        finally:
            places.release()
