"""NATS: one subject for all hints; each process listens on one connection and sends on another."""

import asyncio
from collections.abc import Callable

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error, SlowConsumerError

from app.table.bus.aftermath import OutsideCarrier
from app.table.bus.look import LOOK_SECONDS
from app.table.bus.waking import Lost, WakingBus

SUBJECT = "signet"
CONNECT_SECONDS = 5
PROOF_SECONDS = 5  # between two pings; an unanswered one means that the connection is lost
SEND_SECONDS = 2
FAILURES = (Error, OSError, TimeoutError, EOFError)


class ByNats(OutsideCarrier):
    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self._sender: Client | None = None

    async def listen(self, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        lost = asyncio.Event()

        async def take(message: Msg) -> None:
            heard(message.data.decode(errors="replace"))

        try:
            client = await self._connect(lost, missed)
            try:
                await client.subscribe(SUBJECT, cb=take)
                await client.flush(CONNECT_SECONDS)
                missed()
                await lost.wait()
            finally:
                await client.close()
        except FAILURES as error:
            raise Lost(type(error).__name__) from None
        raise Lost("closed")

    async def send(self, hints: list[str]) -> None:
        try:
            if self._sender is None or not self._sender.is_connected:
                self._sender = await self._connect(asyncio.Event(), lambda: None)
            for hint in hints:
                await self._sender.publish(SUBJECT, hint.encode())
            await self._sender.flush(SEND_SECONDS)  # the server has answered: it has them
        except FAILURES as error:
            await self._hang_up()
            raise Lost(type(error).__name__) from None

    async def close(self) -> None:
        await super().close()
        await self._hang_up()

    async def _hang_up(self) -> None:
        sender, self._sender = self._sender, None
        if sender is not None:
            await sender.close()

    async def _connect(self, lost: asyncio.Event, missed: Callable[[], None]) -> Client:
        """Connect once. Trying again is the bus's own work, for after that all have to be woken."""

        async def closed() -> None:
            lost.set()

        async def failed(error: Exception) -> None:
            if isinstance(error, SlowConsumerError):
                missed()

        return await nats.connect(
            self._address,
            name="signet",
            allow_reconnect=False,
            max_reconnect_attempts=1,  # 0 would be for ever, also for a first connection
            reconnect_time_wait=0,
            connect_timeout=CONNECT_SECONDS,
            ping_interval=PROOF_SECONDS,
            max_outstanding_pings=1,
            closed_cb=closed,
            error_cb=failed,
        )


class NatsBus(WakingBus):
    def __init__(self, address: str, database: str, look: float = LOOK_SECONDS) -> None:
        super().__init__(database, ByNats(address), look)
