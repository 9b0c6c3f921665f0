"""What brings hints from process to process. A hint leaves only when the transaction it belongs to has been kept.

What was rolled back sends nothing. A carrier that fails fails no transaction: its hints wait here, each once, and go
when it is back; what is lost for good, the look finds.
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

RETRY_SECONDS = 0.25  # before the first new try to connect; doubled up to the longest
LONGEST_RETRY = 5.0
MOST = 10_000  # hints that wait for a carrier to come back; older ones are left to the look
FAREWELL = 1.0  # seconds for the last hints when the process ends
PENDING = "signet.hints"  # in the session: a transaction, and what to send when it is kept


class Lost(Exception):
    """The way to the carrier is gone; its text names the kind of error, never an address."""


class Carrier(ABC):
    """Brings hints from each process to all of them, itself included; knows nothing of streams."""

    def __init__(self) -> None:
        self._out: dict[str, None] = {}  # each hint once: it says the same however often it is said
        self._some = asyncio.Event()
        self._none = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def publish(self, session: AsyncSession, hint: str) -> None:
        """Send this hint if the session's transaction is kept, and not before."""
        inner = session.sync_session
        if not inner.in_transaction():
            await session.connection()
        assert not inner.in_nested_transaction(), "a savepoint that is rolled back would not take its hint along"
        transaction = inner.get_transaction()
        pending: Pending | None = inner.info.get(PENDING)
        if pending is None or pending[0] is not transaction:  # the first, or the session was rolled back and goes on
            pending = (transaction, list[tuple[Carrier, str]]())
            inner.info[PENDING] = pending
        pending[1].append((self, hint))

    def send_soon(self, hint: str) -> None:
        """Take over a hint whose transaction has been kept. Does not wait and does not fail."""
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
        """Call `heard` with each hint until the connection is lost (`Lost`). `missed` says that hints may have been
        missed until now: once as soon as it listens, and whenever the carrier had to drop some."""

    @abstractmethod
    async def send(self, hints: list[str]) -> None:
        """Return when the carrier has them all; else `Lost`."""

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
    """The database has said that the transaction is kept. A savepoint's end comes here too and means nothing."""
    if session.in_nested_transaction() or PENDING not in session.info:
        return
    pending: Pending = session.info.pop(PENDING)
    transaction, hints = pending
    if transaction is session.get_transaction():
        for carrier, hint in hints:
            carrier.send_soon(hint)
