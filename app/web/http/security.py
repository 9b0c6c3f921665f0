"""Checks before every page: forged requests are refused, and headers limit what a page may do in the browser.

Forgery. A change must come from one of our own pages. Browsers report the origin: in `Sec-Fetch-Site` where the
connection is trusted (https, this computer), else in `Origin`, which must name the scheme and the host of the request.
Every current browser sends one of them; a request with neither passes only without a seat's cookie, as there is then
nothing that a forger could borrow. No form needs a token for this.

Both middlewares are plain ASGI, so that streams pass through unbuffered.
"""

import re
from ipaddress import IPv6Address
from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import Headers as RequestHeaders
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import Forged
from app.web.http.errors import page, problem

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SAFE = ("GET", "HEAD", "OPTIONS")
COOKIE, SECURE_COOKIE = "signet", "__Secure-signet"
SECRET_PAGES = ("/join/", "/enter/", "/new/", "/group/")
PRIVATE_PAGES = ("/c/", "/new", "/code", *SECRET_PAGES)
FEEDS = "/feed/"  # secret addresses too, but calendar programs may cache the response and ask whether it changed


class NoForgery:
    """Refuses changes that another site requests through a member's browser, and scripted reads of a member's pages."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        if not readable(request.headers.get("host", "")):
            await page(request, 400, "The request does not name a host.", _ADDRESS)(scope, receive, send)
            return
        if forged(scope["method"], scope["path"], request.headers, "https" if secure(request) else "http"):
            refusal = Forged(
                "This did not come from one of Signet's own pages, so nothing was changed.",
                "Open the page here and press the button yourself.",
            )
            await problem(request, refusal)(scope, receive, send)
            return
        await self.app(scope, receive, send)


_ADDRESS = "Check the address for an extra character, or start from the front page."


_HOST = re.compile(
    r"(?:(?P<name>[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?)"
    r"|\[(?P<six>[0-9a-f:.]+)\])(?::(?P<port>[0-9]{1,5}))?",
    re.ASCII | re.IGNORECASE,
)


def readable(host: str) -> bool:
    """Whether a Host header is a name or an address with an optional port; an empty one is fine too. Links that people
    send to each other are made from it if SIGNET_PUBLIC_URL is not set."""
    found = _HOST.fullmatch(host)
    if found is None:
        return not host
    if found["six"]:
        try:
            IPv6Address(found["six"])
        except ValueError:
            return False
    return len(found["name"] or "") <= 253 and int(found["port"] or 1) in range(1, 65536)


def secure(request: Request) -> bool:
    """Whether the browser uses https, perhaps through a proxy that does not report it."""
    public = urlsplit(request.app.state.settings.public_url or "")
    return request.scope.get("scheme") == "https" or (
        public.scheme == "https" and public.netloc == request.headers.get("host")
    )


def forged(method: str, path: str, headers: RequestHeaders, scheme: str = "http") -> bool:
    """Whether to refuse a request because it may come from another site; `scheme` is the browser's."""
    site = headers.get("sec-fetch-site")
    if method in SAFE:
        foreign = site is not None and site not in ("same-origin", "none")
        return foreign and path.startswith("/c/") and headers.get("sec-fetch-mode", "navigate") != "navigate"
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    if origin is not None:
        return not headers.get("host") or origin.lower() != f"{scheme}://{headers['host']}".lower()
    return any(f"{name}=" in headers.get("cookie", "") for name in (COOKIE, SECURE_COOKIE))


class SafeHeaders:
    """Sets the security headers on every response, and the cookies that pages asked for."""

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
    # plain-http network. "strict-origin" never sends the path, which holds the token.
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
    name = urlsplit(f"//{host}").hostname if readable(host) else None
    return scope.get("scheme") == "https" or name in ("localhost", "127.0.0.1", "::1")
