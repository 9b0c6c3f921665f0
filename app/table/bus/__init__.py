"""The bus of hints: a hint says that something changed in a campaign, and for whom; it has no content and no number.

All carriers share the waiting streams (`fanout`) and the poller, which finds lost hints: a lost hint costs a few
seconds, and no page stays wrong.
"""

import contextlib
import importlib
import uuid
from asyncio import Event
from typing import Protocol
from urllib.parse import urlsplit

from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import UserError
from app.table.bus.counts import EVERYBODY as EVERYBODY
from app.table.bus.postgres import PostgresBus as PostgresBus

OUTSIDE = {
    "nats": ("app.table.bus.nats", "NatsBus"),
    "tls": ("app.table.bus.nats", "NatsBus"),
    "redis": ("app.table.bus.valkey", "ValkeyBus"),
    "rediss": ("app.table.bus.valkey", "ValkeyBus"),
    "valkey": ("app.table.bus.valkey", "ValkeyBus"),
    "valkeys": ("app.table.bus.valkey", "ValkeyBus"),
}


class Bus(Protocol):
    async def publish(self, session: AsyncSession, campaign: uuid.UUID, whom: str, *, counted: bool = False) -> None:
        """Sends a hint that `whom` (`EVERYBODY` or a member's id) has something new to see, if this session commits.
        Counts it for the poller, unless the caller has `counted` it on a scene or a seat; locks come before it."""
        ...

    def subscribe(self, campaign: uuid.UUID, member: uuid.UUID) -> contextlib.AbstractAsyncContextManager[Event]:
        """Gives an event that is set when there may be something new for that member; the caller clears it."""
        ...

    async def close(self) -> None: ...


def make_bus(address: str | None, database: str) -> Bus:
    """Returns the bus for an address (SIGNET_BUS_URL); for None, the database itself. Raises UserError where the
    address is unknown or its library is missing."""
    if address is None:
        return PostgresBus(database)
    scheme = urlsplit(address).scheme
    if scheme not in OUTSIDE:
        raise UserError(
            "SIGNET_BUS_URL is not the address of a bus. It must start with nats://, valkey:// or redis://.", code=2
        )
    module, name = OUTSIDE[scheme]
    try:
        made: Bus = getattr(importlib.import_module(module), name)(address, database)
    except ModuleNotFoundError as missing:
        raise UserError(
            f"For SIGNET_BUS_URL the extra 'bus' has to be installed, as in `pip install 'signet-table[bus]'` "
            f"({missing.name} is missing).",
            code=2,
        ) from None
    return made
