"""`signet close`: retries stuck steps after a fix of the rules."""

import asyncio

from sqlalchemy.ext.asyncio import async_sessionmaker

from app.crypto.vault import Vault
from app.db.engine import make_engine
from app.play import decisions
from app.settings import Settings
from app.table.bus import make_bus
from app.table.runtime import Retried, Runtime, retry_stuck
from app.terminal import say


def retry_all(settings: Settings) -> int:
    """Retries every stuck step and prints a line for each. Returns 0 if none is stuck any more, 1 if some still are."""
    results = asyncio.run(_retry(settings))
    for one in results:
        fails = f"cannot be retried: {one.why}" if one.why else "still fails. See the server's log."
        say(f"{one.title}: step {one.key} " + ("is closed, and play continues." if one.closed else fails))
    if not results:
        say("No steps are stuck.")
    return 0 if all(one.closed for one in results) else 1


async def _retry(settings: Settings) -> list[Retried]:
    engine = make_engine(settings.database)
    bus = make_bus(settings.bus_url, settings.database)
    try:
        sessions = async_sessionmaker(engine, expire_on_commit=False)
        return await retry_stuck(Runtime(sessions, Vault(settings.keys), bus, decisions.after))
    finally:
        await bus.close()  # sends its pending hints
        await engine.dispose()
