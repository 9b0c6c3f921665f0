"""What a change shows once: a link, a code. It crosses the redirect behind the change in a cookie of this seat.

So the address that the browser then shows is a page's own, which can be loaded again, kept or sent on, and the secret
stands in no address and no log. Whoever shows it looks first whether it still opens what the page says.
"""

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from app.web.http.security import secure

COOKIE = "signet_shown"
SECONDS = 600


def show_at(request: Request, seat: str, page: str, what: str, secret: str) -> Response:
    """Lead to a page under a seat's own address, and let it show the secret; `what` stands in its address."""
    answer = RedirectResponse(f"{seat}{page}?new={what}", 303)
    answer.set_cookie(
        COOKIE, secret, max_age=SECONDS, path=seat, secure=secure(request), httponly=True, samesite="strict"
    )
    return answer


def secret_to_show(request: Request, what: str) -> str:
    """The secret that a page of this address may show now; "" where it was another one, or too long ago."""
    return request.cookies.get(COOKIE, "") if request.query_params.get("new") == what else ""


def forget_shown(request: Request, answer: Response, seat: str) -> Response:
    """Take it out of the browser of somebody who leaves."""
    answer.delete_cookie(COOKIE, path=seat, secure=secure(request), httponly=True, samesite="strict")
    return answer
