"""Answers without the pieces that their browser has already (app/web/drawing/page_fragments.py).

Pages are drawn and cached whole; only an answer on its way to one browser is emptied, by what that browser says it has.
"""

from fastapi import Request
from fastapi.responses import HTMLResponse

from app.web.drawing.page_fragments import without

HEADER = "Signet-Kept"
"""The header in which a page with scripts sends the names of its pieces, with blanks between them."""
MOST = 250  # names that are read of a header


def answer(request: Request, text: str, status_code: int = 200) -> HTMLResponse:
    """A part of a page, without the pieces that its browser says it has; whole if it says nothing of pieces."""
    said = request.headers.get(HEADER)
    lean = text if said is None else without(text, frozenset(said.split()[:MOST]))
    return HTMLResponse(lean, status_code=status_code)
