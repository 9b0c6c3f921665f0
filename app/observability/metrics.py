"""Metrics for the operator: how much and how fast, never who or what. Off unless SIGNET_METRICS is set.

Labels come from fixed sets (a ruleset's key, a route's pattern, a status), so they never hold a name or an id. All
workers write into one folder (prometheus_client's multiprocess mode) and their parent process answers for all: one
address for any number of workers, and counters that survive a worker's death.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, event, text
from sqlalchemy.exc import SQLAlchemyError

from app.db.engine import sync_engine
from app.errors import UserError

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
STUCK_SECONDS = 30.0  # how long a count of stuck steps is reused
FORGET_SECONDS = 30.0  # a hint that was not heard by then was lost, or its transaction was rolled back
MOST_HINTS = 1000


@dataclass(slots=True)
class Meters:
    """The meters of a worker, and the times at which its hints were sent."""

    seals: "Counter"
    reveals: "Counter"
    requests: "Counter"
    streams: "Gauge"
    closing: "Histogram"
    lag: "Histogram"
    pool_used: "Gauge"
    pool_most: "Gauge"
    sent: dict[str, float] = field(default_factory=dict)


@cache
def _meters() -> Meters | None:
    """Returns this process's meters, or None without metrics. Decided once, at the first use."""
    if not (os.environ.get("SIGNET_METRICS") and os.environ.get(FOLDER)):
        return None
    # Imported late: on import it decides by the environment whether to write into the folder.
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

    own = CollectorRegistry()
    fine = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
    alive: Any = {"registry": own, "multiprocess_mode": "livesum"}
    return Meters(
        Counter("signet_seals", "Envelopes laid", ["ruleset", "how"], registry=own),
        Counter("signet_reveals", "Steps closed", ["ruleset", "by"], registry=own),
        Counter("signet_requests", "Answers by route and status", ["method", "route", "status"], registry=own),
        Gauge("signet_streams", "Open streams", **alive),
        Histogram("signet_step_close_seconds", "How long a closing took", ["ruleset"], buckets=fine, registry=own),
        Histogram("signet_hint_lag_seconds", "From a hint's sending to its arrival", buckets=fine, registry=own),
        Gauge("signet_pool_in_use", "Connections to the database that are in use", **alive),
        Gauge("signet_pool_most", "Connections to the database that there may be", **alive),
    )


# ---- counting -----------------------------------------------------------------------------------------------------


def sealed(ruleset: str, how: str) -> None:
    """Counts an envelope that was laid: a seal, a draft, or a seal taken back."""
    if meters := _meters():
        meters.seals.labels(ruleset, how if how in ("seal", "draft", "take_back") else "seal").inc()


def closed(ruleset: str, by: str, seconds: float) -> None:
    """Counts a closed step; `seconds` is the time of the closing with everything that followed from it."""
    if meters := _meters():
        meters.closing.labels(ruleset).observe(seconds)
        meters.reveals.labels(ruleset, by).inc()


def answered(method: str, route: str, status: int) -> None:
    if meters := _meters():
        meters.requests.labels(method, route, str(status)).inc()


def counting() -> bool:
    return _meters() is not None


@contextmanager
def streaming() -> Iterator[None]:
    """Counts one open stream within the block."""
    meters = _meters()
    if meters is None:
        yield
        return
    meters.streams.inc()
    try:
        yield
    finally:
        meters.streams.dec()


def hint_sent(hint: str) -> None:
    """Starts timing a hint when it goes into a transaction; the time ends when this process hears the hint."""
    meters = _meters()
    if meters is None:
        return
    now = time.monotonic()
    if len(meters.sent) >= MOST_HINTS:
        meters.sent = {one: at for one, at in meters.sent.items() if at > now - FORGET_SECONDS}
    if len(meters.sent) < MOST_HINTS:
        meters.sent.setdefault(hint, now)


def hint_heard(hint: str) -> None:
    meters = _meters()
    if meters is not None and (at := meters.sent.pop(hint, None)) is not None:
        lag = time.monotonic() - at
        if lag < FORGET_SECONDS:
            meters.lag.observe(lag)


def watch_pool(engine: Engine, most: int) -> None:
    """Counts the connections in use, of at most `most`."""
    meters = _meters()
    if meters is None:
        return
    meters.pool_most.set(most)
    used = meters.pool_used

    def lent(*_: object) -> None:
        used.inc()

    def back(*_: object) -> None:
        used.dec()

    event.listen(engine, "checkout", lent)
    event.listen(engine, "checkin", back)


# ---- serving ------------------------------------------------------------------------------------------------------


@contextmanager
def serving_metrics(address: tuple[str, int] | None, database: str) -> Iterator[None]:
    """Serves the metrics of this process and its workers at this address within the block, over plain HTTP."""
    if address is None:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="signet-metrics-", ignore_cleanup_errors=True) as folder:
        os.environ[FOLDER] = folder
        from prometheus_client import start_http_server

        host, port = address
        try:
            server, thread = start_http_server(port, host, registry=_registry(Path(folder), database))
        except OSError as error:
            raise UserError(f"SIGNET_METRICS: cannot publish metrics at {host}:{port}: {error.strerror}.") from None
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


def _registry(folder: Path, database: str) -> "CollectorRegistry":
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    class Living(MultiProcessCollector):
        def collect(self) -> "Iterable[Metric]":
            _bury(folder)
            found: Iterable[Metric] = super().collect()
            return found

    registry = CollectorRegistry(auto_describe=False)
    Living(registry, str(folder))
    registry.register(_Table(database))
    return registry


def _bury(folder: Path) -> None:
    """Drops the open streams and used connections of workers that are gone, however they died."""
    from prometheus_client.multiprocess import mark_process_dead

    for file in folder.glob("gauge_live*_*.db"):
        pid = int(file.stem.rsplit("_", 1)[1])
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            mark_process_dead(pid, str(folder))
        except PermissionError:
            pass


class _Table:
    """The metrics that come from the database, queried at most twice a minute."""

    def __init__(self, database: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._clock = clock
        self._at = float("-inf")
        self._stuck: int | None = None

    def collect(self) -> "Iterator[Metric]":
        from prometheus_client.core import GaugeMetricFamily

        if self._clock() > self._at + STUCK_SECONDS:
            self._stuck, self._at = self._count(), self._clock()
        yield GaugeMetricFamily("signet_database_up", "Whether the database answered", self._stuck is not None)
        if self._stuck is not None:
            yield GaugeMetricFamily("signet_stuck_steps", "Steps that an error in the rules left open", self._stuck)

    def _count(self) -> int | None:
        engine = sync_engine(self._database)
        try:
            with engine.connect() as connection:
                return connection.scalar(text("SELECT count(*) FROM steps WHERE status = 'stuck'"))
        except SQLAlchemyError:
            return None
        finally:
            engine.dispose()
