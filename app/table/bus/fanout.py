"""The part of the bus that all carriers share: the streams that wait in this process, woken by hints."""

import asyncio
import contextlib
import logging
import random
import uuid
from collections.abc import AsyncIterator, Iterator

from sqlalchemy.ext.asyncio import AsyncSession

from app.loop import end
from app.observability import metrics
from app.table.bus.carrier import LONGEST_RETRY, RETRY_SECONDS, Carrier, Lost
from app.table.bus.counts import EVERYBODY, count
from app.table.bus.poller import LOOK_SECONDS, Poller

log = logging.getLogger("signet.bus")


class Waiting:
    """The streams of this process, by campaign and member."""

    def __init__(self) -> None:
        self._events: dict[str, dict[str, set[asyncio.Event]]] = {}

    @contextlib.contextmanager
    def sit(self, campaign: str, member: str) -> Iterator[asyncio.Event]:
        event = asyncio.Event()
        self._events.setdefault(campaign, {}).setdefault(member, set()).add(event)
        try:
            yield event
        finally:
            members = self._events[campaign]
            members[member].discard(event)
            if not members[member]:
                del members[member]
            if not members:
                del self._events[campaign]

    def watched(self) -> list[tuple[str, str]]:
        """Returns the keys that streams here wait for: each campaign with `EVERYBODY`, and with each member."""
        return [(campaign, who) for campaign, members in self._events.items() for who in (EVERYBODY, *members)]

    def wake(self, hint: str) -> None:
        campaign, _, whom = hint.partition(":")
        members = self._events.get(campaign, {})
        for events in members.values() if whom == EVERYBODY else [members.get(whom, ())]:
            for event in events:
                event.set()

    def wake_all(self) -> None:
        for members in self._events.values():
            for events in members.values():
                for event in events:
                    event.set()


class WakingBus:
    """A bus over any carrier: it listens, and polls the database for hints that the carrier lost."""

    def __init__(self, database: str, carrier: Carrier, look: float = LOOK_SECONDS) -> None:
        self._carrier = carrier
        self._waiting = Waiting()
        self.poller = Poller(database, self._waiting, look)
        self._task: asyncio.Task[None] | None = None
        self.listening = asyncio.Event()  # set while it listens

    async def publish(self, session: AsyncSession, campaign: uuid.UUID, whom: str, *, counted: bool = False) -> None:
        if not counted:
            await count(session, campaign, whom)
        hint = f"{campaign.hex}:{whom}"
        metrics.hint_sent(hint)
        await self._carrier.publish(session, hint)

    @contextlib.asynccontextmanager
    async def subscribe(self, campaign: uuid.UUID, member: uuid.UUID) -> AsyncIterator[asyncio.Event]:
        self.start()
        with self._waiting.sit(campaign.hex, str(member)) as event:
            await self.poller.begin(campaign.hex, str(member))
            yield event

    def start(self) -> None:
        """Starts to listen and to poll in the running loop, unless it has already."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._listen_always(), name="signet-bus")
        self.poller.start()

    async def close(self) -> None:
        await end(self._task)
        await self.poller.close()
        await self._carrier.close()

    async def _listen_always(self) -> None:
        wait, told = RETRY_SECONDS, False

        def missed() -> None:
            nonlocal wait, told
            if told:
                log.info("the bus is heard again")
            wait, told = RETRY_SECONDS, False
            self._waiting.wake_all()
            self.listening.set()

        while True:
            try:
                await self._carrier.listen(self._heard, missed)
            except Lost as lost:
                if not told:
                    log.warning("the bus is not heard (%s); trying again and again", str(lost))
                told = True
            except Exception:
                log.exception("the bus failed; trying again")
            finally:
                self.listening.clear()
            await asyncio.sleep(wait * random.uniform(0.5, 1))  # not all processes at the same instant
            wait = min(wait * 2, LONGEST_RETRY)

    def _heard(self, hint: str) -> None:
        metrics.hint_heard(hint)
        self.poller.heard(hint)
        self._waiting.wake(hint)
