"""NATS: one subject for all hints; each process listens on one connection and sends on another."""

import asyncio
from collections.abc import Callable

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error, SlowConsumerError

from app.table.bus.carrier import Carrier, Lost
from app.table.bus.fanout import WakingBus
from app.table.bus.poller import LOOK_SECONDS

SUBJECT = "signet"
CONNECT_SECONDS = 5
PROOF_SECONDS = 5  # between two pings; an unanswered one means that the connection is lost
SEND_SECONDS = 2
FAILURES = (Error, OSError, TimeoutError, EOFError)


class ByNats(Carrier):
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
                await _through(client, CONNECT_SECONDS)
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
            await _through(self._sender, SEND_SECONDS)
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
        """Connects once. The bus itself retries, because it must wake all streams afterwards."""

        async def closed() -> None:
            lost.set()

        async def failed(error: Exception) -> None:
            if isinstance(error, SlowConsumerError):
                missed()

        client = Client()
        try:
            await client.connect(
                self._address,
                name="signet",
                allow_reconnect=False,
                max_reconnect_attempts=1,  # 0 would mean for ever, even for a first connection
                reconnect_time_wait=0,
                connect_timeout=CONNECT_SECONDS,
                ping_interval=PROOF_SECONDS,
                max_outstanding_pings=1,
                closed_cb=closed,
                error_cb=failed,
            )
        except BaseException:
            await client.close()  # the library leaves a connection half open
            raise
        return client


async def _through(client: Client, seconds: float) -> None:
    """Returns when the server has received everything sent to it.

    A flush of nats-py sends its ping ahead of data that waits to be written, so its answer proves nothing about that
    data. It is written during the wait, and the answer to a second ping comes after it.
    """
    async with asyncio.timeout(seconds):
        await client.flush(CONNECT_SECONDS)
        await client.flush(CONNECT_SECONDS)


class NatsBus(WakingBus):
    def __init__(self, address: str, database: str, look: float = LOOK_SECONDS) -> None:
        super().__init__(database, ByNats(address), look)
