"""Pages with a live part, which open pages fetch again at `<address>/live` after a change."""

from typing import Any

from fastapi import Request, Response

from app.web.http.errors import route
from app.web.http.templating import block, render


def page_or_live(request: Request, template: str, status: int = 200, **context: Any) -> Response:
    """The whole page, or only its block "live" if the address ends in /live."""
    if route(request.scope).endswith("/live"):
        return block(request, template, "live", status, **context)
    return render(request, template, status, **context)
