"""Pages whose inside is fetched again, at their address with /live behind it, by pages that heard of a change."""

from typing import Any

from fastapi import Request, Response

from app.web.http.errors import route
from app.web.http.templating import block, render


def page_or_live(request: Request, template: str, status: int = 200, **context: Any) -> Response:
    """The page, or its block "live" alone where that is asked for."""
    if route(request.scope).endswith("/live"):
        return block(request, template, "live", status, **context)
    return render(request, template, status, **context)
