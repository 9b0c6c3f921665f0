"""Error pages, or fragments for htmx: what happened, why, and what to do now.

An error page shows the typed text again if the form was read. The log names the place in the code and the kind of an
error, never its text: that may hold a form, and a form may hold a sealed declaration.
"""

import contextlib
import logging
import random
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse, RedirectResponse
from sqlalchemy.exc import DataError, InterfaceError, InternalError, OperationalError, TimeoutError
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.db import troubles, waiting
from app.errors import Refusal, SeatClosed, TooMany, Unreadable
from app.models.base import new_id
from app.observability.logs import whereabouts
from app.web.forms.reading import read
from app.web.http.templating import block, render

log = logging.getLogger("signet.web")

_TITLES = {
    400: "Bad request",
    401: "You're not signed in",
    403: "You can't do that",
    404: "Page not found",
    405: "That does not work here",
    409: "Something changed first",
    410: "Too late",
    413: "Too much text",
    415: "Not a form",
    422: "Check your input",
    429: "Too many tries",
    500: "Signet made a mistake",
    503: "One moment",
}

_SAID = {
    400: ("Signet could not read what your browser sent.", "Go back and send it again."),
    404: (
        "There is nothing at this address.",
        "Check the address for a missing part, or start from your campaign's page.",
    ),
    405: ("You cannot use this address that way.", "Go back and use the page's buttons."),
    422: ("What you sent does not fit this form.", "Go back and send it again."),
}


def problem(request: Request, refusal: Refusal) -> Response:
    """The response to a refused request."""
    headers = {"Retry-After": str(refusal.wait)} if isinstance(refusal, TooMany) else {}
    if isinstance(refusal, SeatClosed):
        headers["WWW-Authenticate"] = 'Signet realm="seat"'
        if not _wants_fragment(request):
            context = {"slug": refusal.slug, "cookies": bool(request.cookies)}
            return render(request, "members/closed.html", refusal.status, headers, **context)
    return page(request, refusal.status, refusal.message, refusal.hint, headers)


def page(
    request: Request,
    status: int,
    message: str = "",
    hint: str = "",
    headers: dict[str, str] | None = None,
    number: str = "",
    again: Sequence[tuple[str, str]] = (),
) -> Response:
    """An error page; for htmx only its inner part, which goes into the page's #problem and leaves forms alone."""
    usual = _SAID.get(status, ("That did not work.", "Go back and try again."))
    context: dict[str, Any] = {
        "status": status,
        "headline": _TITLES.get(status, "That did not work"),
        "message": message or usual[0],
        "hint": hint if message else usual[1],
        "number": number,
        "typed": () if _wants_fragment(request) else _typed(request),
        "again": again,
        "path": f"{request.scope['path']}?{request.url.query}".rstrip("?"),
    }
    if _wants_fragment(request):
        answer = block(request, "error.html", "problem", status_code=status, **context)
        answer.headers.update({"HX-Retarget": "#problem", "HX-Reswap": "innerHTML", **(headers or {})})
        return answer
    return render(request, "error.html", status, headers, **context)


def _wants_fragment(request: Request) -> bool:
    return request.headers.get("HX-Request") == "true"


def _typed(request: Request) -> Sequence[str]:
    """The texts of the failed form, each once, without the page's own fields, whose names begin with "_"."""
    pairs = request.scope.get("signet.typed", ())
    return list(dict.fromkeys(value for name, value in pairs if value.strip() and not name.startswith("_")))


def install(app: FastAPI) -> None:
    """Answer every error with a page. `Crash` has to be added as middleware separately."""

    def on(kind: type[Exception], answer: Callable[[Request, Any], Response]) -> None:
        async def handler(request: Request, error: Exception) -> Response:
            return answer(request, error)

        app.add_exception_handler(kind, handler)

    on(Refusal, problem)
    on(HTTPException, _said_by_http)
    on(RequestValidationError, _invalid)
    for kind in (OperationalError, InterfaceError, InternalError):
        app.add_exception_handler(kind, _no_database)
    app.add_exception_handler(waiting.GaveUp, _gave_up)
    app.add_exception_handler(TimeoutError, _too_many)
    for kind in (DataError, UnicodeEncodeError):
        on(kind, lambda request, e: page(request, 422, "Part of what you sent is not text that Signet can store."))


def _said_by_http(request: Request, error: HTTPException) -> Response:
    """Redirects a GET for an address that only takes POSTs (a reload, a shared link) to the nearest page above it,
    which has the form."""
    above = _page_above(request) if error.status_code == 405 and request.method == "GET" else None
    if above is not None:
        return RedirectResponse(above, 303)
    return page(request, error.status_code, headers=dict(error.headers or {}))


def _page_above(request: Request) -> str | None:
    parts = request.scope["path"].split("/")
    for most in range(len(parts) - 1, 0, -1):
        for above in ("/".join(parts[:most]), "/".join([*parts[:most], ""])):
            scope = {**request.scope, "method": "GET", "path": above}
            if any(one.matches(scope)[0] == Match.FULL for one in request.app.routes):
                return quote(above)
    return None


def _invalid(request: Request, error: RequestValidationError) -> Response:
    """404 if a part of the address has the wrong form, else 422."""
    in_address = any(fault["loc"][:1] == ("path",) for fault in error.errors())
    return page(request, 404 if in_address else 422)


async def _no_database(request: Request, error: Exception) -> Response:
    trouble = troubles.of(error)
    if trouble is not None:
        return await _in_trouble(request, error, trouble)
    if isinstance(error, InternalError):
        raise error
    report(error, "the database did not answer", logging.WARNING)
    if request.method == "GET":
        now = "Nothing was lost. Try again in a few seconds."
        return page(request, 503, "The database is not answering.", now, {"Retry-After": "3"})
    return await _uncertain(request, "The database is not answering", 3)


async def _in_trouble(request: Request, error: Exception, trouble: troubles.Trouble) -> Response:
    """A trouble that has a name. A change that the database refused before its commit has surely not happened."""
    report(error, trouble.said, logging.ERROR if trouble.lasts else logging.WARNING)
    seconds, then = (
        (60, "Tell the people who run this server.") if trouble.lasts else (3, "Try again in a few seconds.")
    )
    headers = {"Retry-After": str(seconds)}
    if request.method == "GET":
        return page(request, 503, f"{trouble.said}.", f"Nothing was lost. {then}", headers)
    if not (trouble.lasts and troubles.changed_nothing(error)):
        return await _uncertain(request, trouble.said, seconds)
    again = await _to_send_again(request)
    return page(
        request, 503, f"{trouble.said}.", f"Nothing was changed. {then} Send it again later.", headers, "", again
    )


async def _gave_up(request: Request, error: Exception) -> Response:
    """Somebody else was changing the same thing for too long, or a statement took too long: it is undone."""
    report(error, "a wait for the database was given up", logging.WARNING)
    why = "Another change is taking too long"
    if request.method == "GET":
        return page(request, 503, f"{why}.", "Nothing was lost. Try again in a few seconds.", {"Retry-After": "3"})
    return await _not_taken(request, why, 3)


async def _too_many(request: Request, error: Exception) -> Response:
    """No connection to the database became free in time. Browsers reload a page by themselves, after a random delay so
    that they do not all come back in the same second."""
    report(error, "no connection to the database was free", logging.WARNING)
    seconds, why = random.randint(3, 9), "Too many people are using Signet at once"
    if request.method != "GET":
        return await _not_taken(request, why, seconds)
    headers, now = {"Retry-After": str(seconds)}, "Nothing was lost. Try again in a few seconds."
    if not _wants_fragment(request):
        headers["Refresh"] = str(seconds)
        now = f"Nothing was lost. This page will try again in {seconds} seconds."
    return page(request, 503, f"{why}.", now, headers)


async def _not_taken(request: Request, why: str, seconds: int) -> Response:
    """Nothing was changed, unless something was committed before: what came later is undone."""
    if waiting.has_committed():
        return await _uncertain(request, why, seconds)
    again = await _to_send_again(request, harmless=True)
    now = "Send it again in a few seconds." if again else "Go back and send it again in a few seconds."
    headers = {"Retry-After": str(seconds)}
    return page(request, 503, f"{why}, so Signet stopped waiting. Nothing was changed.", now, headers, again=again)


async def _uncertain(request: Request, why: str, seconds: int) -> Response:
    """The change may have been stored, if the failure came after it: the page makes no claim either way."""
    again = await _to_send_again(request)
    return page(
        request,
        503,
        f"{why}, so Signet can't tell whether this still went through.",
        "Send it again in a few seconds. It only counts once, however often you send it."
        if again
        else "Wait a few seconds and check whether it is there before you send it again.",
        {"Retry-After": str(seconds)},
        again=again,
    )


async def _to_send_again(request: Request, *, harmless: bool = False) -> Sequence[tuple[str, str]]:
    """The whole form if it can be sent twice without harm, as where it carries a `_request` id; else nothing. A form
    that takes a file could not be sent whole."""
    if "signet.typed" not in request.scope:  # the seat is looked up before the form is read
        with contextlib.suppress(Unreadable):
            await read(request)
    pairs: Sequence[tuple[str, str]] = request.scope.get("signet.typed", ())
    harmless = harmless and "multipart" not in request.headers.get("content-type", "")
    return pairs if harmless or any(name == "_request" for name, _ in pairs) else ()


def note(error: BaseException, what: str, level: int = logging.ERROR) -> str:
    """Log an error without its message; returns the number it is logged under."""
    number = new_id().hex[-12:]
    report(error, f"{what} [{number}]", level)
    return number


def report(error: BaseException, what: str, level: int = logging.ERROR) -> None:
    """Log an error without its message and without a number, so that the same one is logged once a minute."""
    kinds, where = whereabouts(error)
    log.log(level, "%s", what, extra={"error": kinds, "where": where})


class Crash:
    """Turns an unexpected exception into a page with a number, and a log entry with the same number."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False
        waiting.begin_request()

        async def noted(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except Exception as error:
            number = note(error, f"{scope['method']} {route(scope)} failed")
            if not started:
                await _crashed(Request(scope), number)(scope, receive, send)


def _crashed(request: Request, number: str) -> Response:
    says, now = "Signet made a mistake, and nothing was changed.", "Try again."
    if request.method != "GET" and waiting.has_committed():
        says = "Signet made a mistake, and can't tell whether this still went through."
        now = "Check whether it is there before you send it again."
    now += " If it happens again, give the people who run this server the number below."
    try:
        return page(request, 500, says, now, number=number)
    except Exception as error:  # every page may depend on the part that failed
        note(error, "the page of an error failed")
        return PlainTextResponse(f"{says} {now}\n\n{number}\n", 500)


def route(scope: Scope) -> str:
    """The pattern of the address, not the address itself, which may hold a token."""
    return str(getattr(scope.get("route"), "path", "an unknown address"))
