"""Bare apps under the same uvicorn with the same settings: the cost of a page and of a broadcast on their own.

`python -m benchmarks.bare page|streams --port PORT`; SIZE is the page's size in bytes.
"""

import argparse
import asyncio
import os
from collections.abc import AsyncIterator

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import DictLoader, Environment, select_autoescape
from sse_starlette import EventSourceResponse, ServerSentEvent

from app.observability import logs
from app.web.scene.stream import PING_SECONDS, SEND_SECONDS

PAGE = """<!doctype html><html lang="en"><head><title>{{ title }}</title></head><body><h1>{{ title }}</h1>
{% for line in lines %}<p class="line" id="line-{{ loop.index }}">{{ line }}</p>
{% endfor %}</body></html>"""
LINE = "Somebody & somebody else stand at the bridge, and neither of them has made up their mind about the other yet."


def page() -> FastAPI:
    """Returns an app with one page: a template with a loop of escaped lines, of SIZE bytes or a few more."""
    app = FastAPI()
    template = Environment(loader=DictLoader({"page": PAGE}), autoescape=select_autoescape(default=True))
    size = int(os.environ.get("SIZE", "20000"))

    def rendered(lines: list[str]) -> str:
        return template.get_template("page").render(title="A bare page", lines=lines)

    one = len(rendered([LINE])) - len(rendered([]))
    lines = [LINE] * max(1, (size - len(rendered([]))) // one)
    while len(rendered(lines)) < size:
        lines[-1] += "."

    @app.get("/page")
    async def show(request: Request) -> Response:
        return HTMLResponse(rendered(list(lines)))

    return app


def streams() -> FastAPI:
    """Returns an app that broadcasts: every listener at /stream gets a hint when /hint is posted."""
    app = FastAPI()
    waiting: set[asyncio.Event] = set()

    async def hints() -> AsyncIterator[ServerSentEvent]:
        changed = asyncio.Event()
        waiting.add(changed)
        try:
            yield ServerSentEvent(data="changed", retry=500)
            while True:
                await changed.wait()
                changed.clear()
                yield ServerSentEvent(data="changed")
        finally:
            waiting.discard(changed)

    @app.get("/stream")
    async def stream(request: Request) -> EventSourceResponse:
        return EventSourceResponse(hints(), ping=PING_SECONDS, send_timeout=SEND_SECONDS)

    @app.post("/hint")
    async def hint() -> Response:
        for event in waiting:
            event.set()
        return Response(status_code=204)

    return app


APPS = {"page": page, "streams": streams}

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("app", choices=APPS)
    parser.add_argument("--port", type=int, required=True)
    given = parser.parse_args()
    uvicorn.run(
        APPS[given.app](), host="127.0.0.1", port=given.port, log_config=logs.config("json"), access_log=False,
        server_header=False,
    )  # fmt: skip
