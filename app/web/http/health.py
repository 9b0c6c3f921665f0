"""Health checks for supervisors and proxies: one word, no content of a campaign, no seat needed."""

import asyncio
import time
from dataclasses import dataclass, field

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from app.crypto.vault import key_name
from app.db.engine import revisions
from app.table.bus.fanout import WakingBus
from app.table.runtime import Runtime

router = APIRouter(prefix="/health")

DEADLINE = 2.0
"""Seconds within which every check must finish: a supervisor would not wait longer."""

FRESH = 1.0
"""Seconds for which a result is reused: this page is public and must cost nothing."""

WRITES_FRESH = 10.0
"""Seconds for which a successful write counts; after a failed one, the next check tries again."""

_COMMIT = text("SELECT pg_current_xact_id()")
_MAY_FILL = text("SELECT has_database_privilege(current_database(), 'TEMP')")
_FILL = text(
    "CREATE TEMPORARY TABLE signet_writes ON COMMIT DROP AS SELECT repeat('x', 1900) FROM generate_series(1, 40)"
)
"""Ten pages on disk, dropped at commit: fails on a full disk and on a read-only database."""


@dataclass(slots=True)
class Health:
    """The last result. The key is checked only until it fits once, as the check reads all scenes."""

    at: float = float("-inf")
    word: str = ""
    wrote_at: float = float("-inf")
    key_fits: bool = False
    looking: asyncio.Lock = field(default_factory=asyncio.Lock)


@router.get("/live")
async def live() -> PlainTextResponse:
    """Reports that this process answers; checks nothing behind it."""
    return _say("alive")


@router.get("/ready")
async def ready(request: Request) -> PlainTextResponse:
    """Returns 200 `ready`, or 503 and the first thing missing: database, migrate, key, writes, bus."""
    state = request.app.state
    if not hasattr(state, "health"):
        state.health = Health()
    health: Health = state.health
    async with health.looking:
        if time.monotonic() > health.at + FRESH:
            health.word = await _missing(state.runtime, health)
            health.at = time.monotonic()
    return _say(health.word or "ready", 503 if health.word else 200)


async def _missing(runtime: Runtime, health: Health) -> str:
    """The first thing missing, or ""."""
    try:
        async with asyncio.timeout(DEADLINE):
            word = await _missing_there(runtime, health)
    except (TimeoutError, SQLAlchemyError, OSError):
        return "database"
    if not word and time.monotonic() > health.wrote_at + WRITES_FRESH:
        word = await _written(runtime, health)
    if word:
        return word
    if isinstance(runtime.bus, WakingBus):
        runtime.bus.start()
        try:
            async with asyncio.timeout(DEADLINE):
                await runtime.bus.listening.wait()
        except TimeoutError:
            return "bus"
    return ""


async def _written(runtime: Runtime, health: Health) -> str:
    """Returns "" if a write succeeds, else "writes": with a full disk, reads may work for long."""
    try:
        async with asyncio.timeout(DEADLINE), runtime.sessions.begin() as session:
            await session.execute(_COMMIT)
            if await session.scalar(_MAY_FILL):
                await session.execute(_FILL)
    except (TimeoutError, SQLAlchemyError, OSError):
        return "writes"
    health.wrote_at = time.monotonic()
    return ""


async def _missing_there(runtime: Runtime, health: Health) -> str:
    older, _ = await asyncio.to_thread(revisions)
    async with runtime.sessions() as session:
        there = await session.scalar(text("SELECT to_regclass('alembic_version') IS NOT NULL"))
        here = await session.scalar(text("SELECT version_num FROM alembic_version")) if there else None
        # A revision unknown here belongs to a newer Signet, whose tables work here too (migrations only add): during a
        # rolling upgrade the old workers must not all be reported as sick at once.
        if here is None or here in older:
            return "migrate"
        if not health.key_fits:
            names = [key_name(key) for key in runtime.vault.keys]
            query = text("SELECT EXISTS (SELECT FROM scenes WHERE substring(root FROM 1 FOR 4) <> ALL(:names))")
            health.key_fits = not await session.scalar(query, {"names": names})
    return "" if health.key_fits else "key"


def _say(word: str, status: int = 200) -> PlainTextResponse:
    return PlainTextResponse(f"{word}\n", status, {"Cache-Control": "no-store"})
