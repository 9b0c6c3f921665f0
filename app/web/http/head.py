"""HEAD: every page that can be read answers it as it answers GET, without the body.

FastAPI's GET routes do not take HEAD by themselves; what reads only heads (proxies, link previews, monitors) would be
told that the page does not exist. Plain ASGI, so that streams pass through unbuffered.
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadAsGet:
    """The innermost middleware: what is outside of it, and the server, see the method that was asked for. A stream of
    events ends with the response, as when its reader leaves."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return
        asked = {**scope, "method": "GET"}
        over = False

        async def head_only(message: Message) -> None:
            nonlocal over
            if message["type"] == "http.response.start":
                await send(message)
            elif not over:
                over = True
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        try:
            await self.app(asked, receive, head_only)
        finally:
            if "route" in asked:  # for the log
                scope["route"] = asked["route"]
