"""Guards before every page: forged requests are refused, and browsers are told what a page may do.

Forgery. A change must come from one of our own pages. Browsers say so themselves: `Sec-Fetch-Site` where the
connection is trusted (https, this computer), else `Origin`, which must name the host that was asked. A request with
neither is no browser of this decade. It may pass as long as it brings no seat's cookie, for without one there is
nothing that a forger could borrow. No form needs a token for this.

Both middlewares are plain ASGI, so that streams pass through unbuffered.
"""

from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import Headers as RequestHeaders
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.errors import Forged, problem

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SAFE = ("GET", "HEAD", "OPTIONS")
COOKIE, SECURE_COOKIE = "signet", "__Secure-signet"
SECRET_PAGES = ("/join/", "/enter/", "/new/")
PRIVATE_PAGES = ("/c/", "/new", "/code", *SECRET_PAGES)
FEEDS = "/feed/"  # secret addresses too, but calendar programs may keep what they got and ask whether it changed


class NoForgery:
    """Refuses changes that another site asks a member's browser for, and other sites' peeks at a member's pages."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and forged(scope["method"], scope["path"], RequestHeaders(scope=scope)):
            refusal = Forged(
                "This did not come from one of Signet's own pages, so nothing was done.",
                "Open the page here and press its button yourself.",
            )
            await problem(Request(scope), refusal)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def forged(method: str, path: str, headers: RequestHeaders) -> bool:
    """Whether a request must be refused because another site may stand behind it."""
    site = headers.get("sec-fetch-site")
    if method in SAFE:
        foreign = site is not None and site not in ("same-origin", "none")
        return foreign and path.startswith("/c/") and headers.get("sec-fetch-mode", "navigate") != "navigate"
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    if origin is not None:
        return urlsplit(origin).netloc.lower() != headers.get("host", "").lower() or not headers.get("host")
    return any(f"{name}=" in headers.get("cookie", "") for name in (COOKIE, SECURE_COOKIE))


class SafeHeaders:
    """Sets what every answer says to browsers, and the cookies that pages behind it asked for."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        cookies: list[str] = scope.setdefault("signet.cookies", [])

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                _set(headers, scope)
                for cookie in cookies:
                    headers.append("Set-Cookie", cookie)
            await send(message)

        await self.app(scope, receive, with_headers)


def _set(headers: MutableHeaders, scope: Scope) -> None:
    path: str = scope["path"]
    headers["Content-Security-Policy"] = CSP
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    # "no-referrer" would be stricter, but makes browsers hide the Origin of our own forms, which `forged` needs on a
    # plain-http network. "strict-origin" never tells anybody the path, and that is where the token is.
    headers["Referrer-Policy"] = "strict-origin" if path.startswith((*SECRET_PAGES, FEEDS)) else "same-origin"
    if _trusted(scope):  # elsewhere browsers ignore it and complain in the console
        headers["Cross-Origin-Opener-Policy"] = "same-origin"
    if path.startswith(PRIVATE_PAGES):
        headers["Cache-Control"] = "no-store"
    else:
        headers.setdefault("Cache-Control", "no-cache")
    if path.startswith((*SECRET_PAGES, FEEDS)):
        headers["X-Robots-Tag"] = "noindex, nofollow"


def _trusted(scope: Scope) -> bool:
    """Whether browsers regard this connection as a secure context."""
    host = RequestHeaders(scope=scope).get("host", "")
    name = urlsplit(f"//{host}").hostname if host.isprintable() and "[" not in host[1:] else None
    return scope.get("scheme") == "https" or name in ("localhost", "127.0.0.1", "::1")
