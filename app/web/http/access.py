"""The access log: one line per request, with the pattern of its address, as the address itself may hold a token."""

import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.observability import metrics
from app.web.http.errors import route

log = logging.getLogger("signet.access")

QUIET = ("/health/", "/static/")
"""Machines request these too often to log every request; only failures are logged."""

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class Access:
    """The outermost middleware: logs the status of the final response and the time taken."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not (log.isEnabledFor(logging.INFO) or metrics.counting()):
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), None

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            method = scope["method"] if scope["method"] in METHODS else "another method"
            metrics.answered(method, route(scope), status or 0)
            if not (status is not None and status < 400 and scope["path"].startswith(QUIET)):
                ms = round((time.perf_counter() - began) * 1000, 1)
                line = {"method": method, "route": route(scope), "status": status, "ms": ms}
                log.info("request", extra=line)
