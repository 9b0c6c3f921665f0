"""Carriers take hints from process to process. A hint is sent only once its transaction has been committed.

A rolled-back transaction sends nothing. A carrier's failure does not fail a transaction: its hints wait here, each
once, until the carrier is back; the poller finds those that are lost for good.
"""

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session, SessionTransaction

from app.loop import end

log = logging.getLogger("signet.bus")

RETRY_SECONDS = 0.25  # before the first retry; doubled up to the longest
LONGEST_RETRY = 5.0
MOST = 10_000  # hints that wait for a carrier to come back; older ones are left to the poller
FAREWELL = 1.0  # seconds for the last hints when the process ends
PENDING = "signet.hints"  # in the session: a transaction, and its hints to send after the commit


class Lost(Exception):
    """The connection to the carrier is lost; the text names the kind of error, never an address."""


class Carrier(ABC):
    """Takes hints from each process to all processes, itself included."""

    def __init__(self) -> None:
        self._out: dict[str, None] = {}  # each hint once: repeating it adds nothing
        self._some = asyncio.Event()
        self._none = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def publish(self, session: AsyncSession, hint: str) -> None:
        """Sends this hint after the session's transaction has been committed."""
        inner = session.sync_session
        if not inner.in_transaction():
            await session.connection()
        assert not inner.in_nested_transaction(), "a savepoint that is rolled back would not take its hint along"
        transaction = inner.get_transaction()
        pending: Pending | None = inner.info.get(PENDING)
        if pending is None or pending[0] is not transaction:  # the first, or the session continues after a rollback
            pending = (transaction, list[tuple[Carrier, str]]())
            inner.info[PENDING] = pending
        pending[1].append((self, hint))

    def send_soon(self, hint: str) -> None:
        """Queues a hint whose transaction has been committed. Does not wait and does not fail."""
        self._none.clear()
        self._put([hint])
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._send_always(), name="signet-hints")

    async def close(self) -> None:
        if self._task is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL):
                    await self._none.wait()
            await end(self._task)

    @abstractmethod
    async def listen(self, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        """Calls `heard` with each hint until the connection is lost, then raises Lost. Calls `missed` when hints may
        have been missed: as soon as it listens, and whenever the carrier has dropped some."""

    @abstractmethod
    async def send(self, hints: list[str]) -> None:
        """Returns when the carrier has all the hints; raises Lost where it has not."""

    def _put(self, hints: list[str]) -> None:
        self._out |= dict.fromkeys(hints)
        while len(self._out) > MOST:
            del self._out[next(iter(self._out))]
        self._some.set()

    async def _send_always(self) -> None:
        wait = RETRY_SECONDS
        while True:
            await self._some.wait()
            self._some.clear()
            hints = list(self._out)
            self._out.clear()
            try:
                await self.send(hints)
            except Lost as lost:
                if wait == RETRY_SECONDS:
                    log.warning("hints cannot be sent (%s); trying again and again", str(lost))
                self._put(hints)
                await asyncio.sleep(wait)
                wait = min(wait * 2, LONGEST_RETRY)
                continue
            except Exception:
                log.exception("hints were lost")
            wait = RETRY_SECONDS
            if not self._out:
                self._none.set()


Pending = tuple[SessionTransaction | None, list[tuple[Carrier, str]]]


@event.listens_for(Session, "after_commit")
def _kept(session: Session) -> None:
    """Sends the hints of a committed transaction. The release of a savepoint also calls this, and is ignored."""
    if session.in_nested_transaction() or PENDING not in session.info:
        return
    pending: Pending = session.info.pop(PENDING)
    transaction, hints = pending
    if transaction is session.get_transaction():
        for carrier, hint in hints:
            carrier.send_soon(hint)
