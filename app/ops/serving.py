"""Serves the web app: with uvicorn, a log of known fields only, and three seconds for open streams at the end."""

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess

from app.observability import logs, metrics
from app.ops.connections import Connection
from app.settings import Settings

GRACE = 3  # seconds for open streams to end when the server stops
PATIENCE = 60  # seconds a worker may be silent, also while it loads: with less, none ever starts on a busy machine


def serve(settings: Settings, host: str, port: int, workers: int) -> None:
    """Serves until a signal comes. With several workers each builds the app itself, from the environment."""
    if "founding" not in settings.model_fields_set:
        os.environ["SIGNET_FOUNDING"] = "invited"  # a public server should not let every visitor found campaigns
    options: dict[str, Any] = {
        "app": "app.main:create_app",
        "factory": True,
        "http": Connection,
        "host": host,
        "port": port,
        "workers": workers,
        "log_config": logs.config("json"),
        "access_log": False,
        "timeout_graceful_shutdown": GRACE,
        "server_header": False,
        **_believing(settings),
    }
    with metrics.serving_metrics(settings.metrics_address, settings.database):
        if workers == 1:
            uvicorn.run(**options)
        else:
            config = uvicorn.Config(**options, loop="app.loop:SharingLoop", timeout_worker_healthcheck=PATIENCE)
            Supervisor(config, [config.bind_socket()]).run()


class Supervisor(Multiprocess):
    """Runs the workers, and replaces those that have died.

    uvicorn's own waits `PATIENCE` for the answer of a worker that dies while it is asked whether it lives, and neither
    replaces it meanwhile nor obeys a signal.
    """

    def keep_subprocess_alive(self) -> None:
        for worker in self.processes:
            worker.child_conn.close()  # the worker has its own copy; without this one, its death ends the wait
        super().keep_subprocess_alive()


def _believing(settings: Settings) -> dict[str, Any]:
    """Returns the proxies that uvicorn trusts to name a client's address (for limits) and scheme (for cookies)."""
    return {"proxy_headers": bool(settings.proxies), "forwarded_allow_ips": settings.proxies}


class Announcing(uvicorn.Server):
    """A server in this process that calls `announce` once it answers."""

    def __init__(self, app: FastAPI, log: Path, announce: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=Connection,
                log_config=logs.config("lines", log),
                access_log=False,
                timeout_graceful_shutdown=GRACE,
                server_header=False,
                lifespan="on",
                **_believing(app.state.settings),
            )
        )
        self.announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.announce()
