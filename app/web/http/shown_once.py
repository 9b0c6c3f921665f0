"""Secrets that a page shows once, such as a link or a code: carried across the redirect in a cookie of the seat.

The address after the redirect is an ordinary page's, safe to reload, keep or send on, and the secret is in no address
and no log. The page that shows the secret first checks that it still works.
"""

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from app.web.http.security import secure

COOKIE = "signet_shown"
SECONDS = 600


def show_at(request: Request, seat: str, page: str, what: str, secret: str) -> Response:
    """Redirect to a page under the seat's address and let it show the secret; `what` goes into the address."""
    answer = RedirectResponse(f"{seat}{page}?new={what}", 303)
    answer.set_cookie(
        COOKIE, secret, max_age=SECONDS, path=seat, secure=secure(request), httponly=True, samesite="strict"
    )
    return answer


def secret_to_show(request: Request, what: str) -> str:
    """The secret that this page may show now; "" if the secret is of another kind or has expired."""
    return request.cookies.get(COOKIE, "") if request.query_params.get("new") == what else ""


def forget_shown(request: Request, answer: Response, seat: str) -> Response:
    """Delete the secret's cookie, for a member who leaves."""
    answer.delete_cookie(COOKIE, path=seat, secure=secure(request), httponly=True, samesite="strict")
    return answer
