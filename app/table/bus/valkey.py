"""Valkey or Redis: pub/sub, one channel for all hints; each process listens on one connection and sends on another."""

from collections.abc import Callable

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from app.table.bus.carrier import Carrier, Lost
from app.table.bus.fanout import WakingBus
from app.table.bus.poller import LOOK_SECONDS

CHANNEL = "signet"
CONNECT_SECONDS = 5
PROOF_SECONDS = 5.0  # of silence before a ping; the same time again without an answer: the connection is lost
FAILURES = (RedisError, OSError, TimeoutError)


class ByValkey(Carrier):
    def __init__(self, address: str) -> None:
        super().__init__()
        # redis-py accepts only the schemes of Redis.
        self._address = address.replace("valkey", "redis", 1) if address.startswith("valkey") else address
        self._sender: Redis | None = None

    async def listen(self, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        try:
            async with self._client() as client, client.pubsub() as channel:
                await channel.subscribe(CHANNEL)
                proved = True
                while True:
                    message = await channel.get_message(timeout=PROOF_SECONDS)
                    if message is None and not proved:
                        raise Lost("silent")
                    proved = message is not None
                    if message is None:
                        await channel.ping()
                    elif message["type"] == "subscribe":
                        missed()
                    elif isinstance(message["data"], bytes):
                        heard(message["data"].decode(errors="replace"))
        except FAILURES as error:
            raise Lost(type(error).__name__) from None

    async def send(self, hints: list[str]) -> None:
        try:
            if self._sender is None:
                self._sender = self._client()
            async with self._sender.pipeline(transaction=False) as sending:
                for hint in hints:
                    sending.publish(CHANNEL, hint)
                await sending.execute()
        except FAILURES as error:
            raise Lost(type(error).__name__) from None

    async def close(self) -> None:
        await super().close()
        sender, self._sender = self._sender, None
        if sender is not None:
            await sender.aclose()

    def _client(self) -> Redis:
        """Returns a client that tries once. The bus itself retries, because it must wake all streams afterwards."""
        return Redis.from_url(
            self._address,
            client_name="signet",
            socket_connect_timeout=CONNECT_SECONDS,
            socket_timeout=CONNECT_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )


class ValkeyBus(WakingBus):
    def __init__(self, address: str, database: str, look: float = LOOK_SECONDS) -> None:
        super().__init__(database, ByValkey(address), look)
