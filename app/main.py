"""The web app: `create_app(settings)`, called by `signet play`, `signet serve` and the tests."""

import asyncio
import contextlib
import gc
import logging
from collections.abc import AsyncIterator

from fastapi import FastAPI
from sqlalchemy.exc import InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as NoneFree
from sqlalchemy.ext.asyncio import async_sessionmaker
from starlette.datastructures import State

from app.crypto.vault import Vault
from app.db import troubles
from app.db.engine import make_engine
from app.foreign.door import Door
from app.loop import end
from app.observability import metrics
from app.play import decisions
from app.settings import Settings, load
from app.table.bus import make_bus
from app.table.queues import Queues
from app.table.runtime import Runtime
from app.web import install
from app.web.http.errors import report
from app.web.http.page_cache import PageCache
from app.web.http.signed_in import SignedIn

log = logging.getLogger("signet")

SWEEP_SECONDS = 0.5  # how late a deadline takes effect at most
SWEEPS_OUT = 2.0  # seconds that a running sweep has at shutdown before it is cancelled


def create_app(settings: Settings | None = None) -> FastAPI:
    """Returns the app for one process; without `settings` it reads them from the environment."""
    state = new_state(settings or load())
    app = FastAPI(title="Signet", docs_url=None, redoc_url=None, openapi_url=None, lifespan=_lifespan)
    app.state = state
    install(app)
    gc.collect()
    gc.freeze()  # objects loaded at startup are never garbage: shorter pauses later
    return app


def new_state(settings: Settings) -> State:
    """Returns all that an app remembers, as it is before the first request."""
    caches = {"drawn": PageCache(), "calendars": PageCache()}
    return State({"settings": settings, "door": Door(), "signed_in": SignedIn(), **caches})


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    engine = make_engine(
        settings.database,
        settings.patience,
        pool_size=settings.pool_size,
        max_overflow=settings.pool_overflow,
        pool_timeout=settings.pool_wait,
    )
    connections = settings.pool_size + settings.pool_overflow
    metrics.watch_pool(engine.sync_engine, connections)
    bus = make_bus(settings.bus_url, settings.database)
    runtime = Runtime(async_sessionmaker(engine, expire_on_commit=False), Vault(settings.keys), bus, decisions.after)
    runtime.queues = Queues(max(1, connections // 4), settings.patience.lock)
    app.state.runtime = runtime
    over = asyncio.Event()
    sweeper = asyncio.create_task(_sweep_until(over, runtime), name="signet-sweeper")
    try:
        yield
    finally:
        await app.state.door.close()
        over.set()  # a sweep that is cancelled at once may lose its connection
        await asyncio.wait([sweeper], timeout=SWEEPS_OUT)
        await end(sweeper)
        await bus.close()
        await engine.dispose()


async def _sweep_until(over: asyncio.Event, runtime: Runtime) -> None:
    """Closes the steps that are due. Every worker does; the row locks make sure that each step closes once."""
    while not over.is_set():
        try:
            await runtime.sweep()
        except (OperationalError, InternalError, NoneFree, OSError) as lost:
            trouble = troubles.of(lost)
            why = trouble.said if trouble else type(lost).__name__
            log.warning("the sweeper lost the database (%s); trying again", why)
        except Exception as error:
            report(error, "the sweeper failed; trying again")  # without the error's text: it may quote a declaration
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SWEEP_SECONDS):
                await over.wait()
