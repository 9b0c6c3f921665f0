"""One line in the log for each request: the address's pattern, not the address, for a token may stand in that."""

import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.observability import metrics
from app.web.http.errors import route

log = logging.getLogger("signet.access")

QUIET = ("/health/", "/static/")
"""Asked for so often, by machines, that they would bury everything else; where they fail they are told."""

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class Access:
    """The outermost middleware: sees what was really answered, and how long that took."""

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
