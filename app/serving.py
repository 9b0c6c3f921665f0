"""How the web app is served: by uvicorn, with a log that names no token, and an end that takes three seconds."""

import logging
import re
import socket
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.config import LOGGING_CONFIG

GRACE = 3  # seconds for open streams to end when the server stops
PATIENCE = 60  # seconds a worker may be silent, also while it loads: with less, a busy machine never gets one up
TOKEN = re.compile(
    r"^(/(?:enter|join)/)[^?]+"  # whatever stands where a token belongs, whole or mistyped
    r"|([?&](?:token|code|key)=)[^&]*"
    r"|(/)[A-Za-z0-9_-]{40,}(?=[/?]|$)",  # and what looks like one elsewhere
    re.IGNORECASE,
)


class MaskTokens(logging.Filter):
    """Takes the token out of an access line: whoever reads the log must not be able to sit down in a seat."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(masked(word) if isinstance(word, str) else word for word in record.args)
        return True


def masked(path: str) -> str:
    """An address without what would open a seat: `/enter/abc?x=1` becomes `/enter/…?x=1`."""
    return TOKEN.sub(lambda found: (found[1] or found[2] or found[3]) + "…", path)


def logging_config(file: Path | None = None) -> dict[str, Any]:
    """uvicorn's logging with masked tokens; with a file, everything goes there and only warnings to the terminal."""
    config = deepcopy(LOGGING_CONFIG)
    config["filters"] = {"mask": {"()": "app.serving.MaskTokens"}}
    config["handlers"]["access"]["filters"] = ["mask"]
    if file is not None:
        config["formatters"]["default"].update(fmt="%(asctime)s %(levelprefix)s %(message)s", use_colors=False)
        access = '%(asctime)s %(client_addr)s "%(request_line)s" %(status_code)s'
        config["formatters"]["access"].update(fmt=access, use_colors=False)
        into = {"class": "logging.handlers.RotatingFileHandler", "filename": str(file), "maxBytes": 5_000_000}
        into |= {"backupCount": 2, "encoding": "utf-8"}
        config["handlers"]["access"] = {**into, "formatter": "access", "filters": ["mask"]}
        config["handlers"]["file"] = {**into, "formatter": "default"}
        config["handlers"]["default"]["level"] = "ERROR"
        config["loggers"]["uvicorn"]["handlers"] = ["default", "file"]
    return config


def serve(host: str, port: int, workers: int) -> None:
    """Serve until a signal comes. With several workers each builds the app itself, from the environment."""
    uvicorn.run(
        "app.main:create_app",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        log_config=logging_config(),
        timeout_graceful_shutdown=GRACE,
        timeout_worker_healthcheck=PATIENCE,
        server_header=False,
    )


class Announcing(uvicorn.Server):
    """A server in this process that says so once it answers."""

    def __init__(self, app: FastAPI, log: Path, announce: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app, log_config=logging_config(log), timeout_graceful_shutdown=GRACE, server_header=False, lifespan="on"
            )
        )
        self.announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.announce()
