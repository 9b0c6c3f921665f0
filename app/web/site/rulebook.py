"""The rulebook pages: each ruleset's rules, to read from front to back, to search, and to link to by id.

Anyone reads them at /rulebook; members read the same below their own address, so that the bar on top shows their turn.
"""

import functools
import re
from collections.abc import Callable
from importlib.resources import files
from itertools import groupby, pairwise
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from app import rulesets
from app.engine.rulebook import Rule
from app.engine.ruleset import Ruleset
from app.web.http.seat_session import SeatSession, current_seat
from app.web.http.templating import render
from app.web.scene.trial import offered

router = APIRouter()

MOST_WORDS = 200
SEAT = "/c/{slug}/{handle}"
_ID = re.compile(r"\b[A-Z]{2,4}-(?:[A-Z]{2,4}-)?\d{2,3}\b")


async def _seat(request: Request) -> SeatSession | None:
    """The seat that the rulebook is read from; None at the address that is open to all."""
    at = request.path_params
    return await current_seat(request, at["slug"], at["handle"]) if "slug" in at else None


ReaderSeat = Annotated[SeatSession | None, Depends(_seat)]


@router.get("/rulebook")
@router.get(f"{SEAT}/rulebook")
async def books(request: Request, seated: ReaderSeat) -> Response:
    return render(request, "site/rulebook/books.html", seated=seated, rulesets=rulesets.RULESETS)


@router.get("/rulebook/{key}")
@router.get(f"{SEAT}/rulebook/{{key}}")
async def book(request: Request, seated: ReaderSeat, key: str, q: str = "") -> Response:
    """All rules of a ruleset by chapter, or those that contain every word of `q`."""
    ruleset = _find(key)
    wanted = q[:MOST_WORDS].strip()
    found = ruleset.rulebook.search(wanted)
    return render(
        request,
        "site/rulebook/book.html",
        seated=seated,
        ruleset=ruleset,
        wanted=wanted,
        count=len(found),
        chapters=[(title, list(rules)) for title, rules in groupby(found, key=lambda rule: rule.chapter)],
        has_guide=guide(key) is not None,
        trial=offered(key),
        prose=_prose(seated, key),
    )


@router.get("/rulebook/{key}/how-to-play")
@router.get(f"{SEAT}/rulebook/{{key}}/how-to-play")
async def how_to_play(request: Request, seated: ReaderSeat, key: str) -> Response:
    """The ruleset's own help for players."""
    ruleset = _find(key)
    text = guide(key)
    if text is None:
        raise HTTPException(404)
    return render(request, "site/rulebook/guide.html", seated=seated, ruleset=ruleset, text=_prose(seated, key)(text))


@router.get("/rulebook/{key}/{rule_id}")
@router.get(f"{SEAT}/rulebook/{{key}}/{{rule_id}}")
async def rule(request: Request, seated: ReaderSeat, key: str, rule_id: str) -> Response:
    """One rule; a lower-case id redirects to the rule."""
    ruleset = _find(key)
    if rule_id not in ruleset.rulebook:
        if rule_id.upper() in ruleset.rulebook:
            return RedirectResponse(f"{seated.base if seated else ''}/rulebook/{key}/{rule_id.upper()}", 308)
        raise HTTPException(404)
    before, after = _neighbours(list(ruleset.rulebook), rule_id)
    return render(
        request,
        "site/rulebook/rule.html",
        seated=seated,
        ruleset=ruleset,
        rule=ruleset.rulebook[rule_id],
        before=before,
        after=after,
        prose=_prose(seated, key),
    )


def _find(key: str) -> Ruleset[Any, Any]:
    try:
        return rulesets.find(key)
    except LookupError:
        raise HTTPException(404) from None


def _neighbours(rules: list[Rule], rule_id: str) -> tuple[Rule | None, Rule | None]:
    """The rules before and after one, in reading order."""
    row = [None, *rules, None]
    for (before, here), after in zip(pairwise(row), row[2:], strict=False):
        if here is not None and here.id == rule_id:
            return before, after
    return None, None


@functools.cache
def guide(key: str) -> str | None:
    """How to play by a ruleset, as Markdown; None if the ruleset has no help."""
    ruleset = rulesets.find(key)
    room = files(ruleset.package)
    return "\n".join((room / name).read_text(encoding="utf-8") for name in ruleset.help) or None


def _prose(seated: SeatSession | None, key: str) -> Callable[[str], Markup]:
    """`prose` whose links stay below the reader's own address."""
    at = f'href="{seated.base if seated else ""}/rulebook/'
    return lambda text: Markup(str(prose(text, key)).replace('href="/rulebook/', at))


@functools.cache
def prose(text: str, key: str) -> Markup:
    """Our own Markdown as HTML, without raw HTML: rule ids become links, tables scroll."""
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    html = html.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")
    html = re.sub(r' style="text-align:(\w+)"', r' class="\1"', html)
    known = rulesets.find(key).rulebook
    return Markup(_ID.sub(lambda found: _link(found[0], key) if found[0] in known else found[0], html))


def _link(rule_id: str, key: str) -> str:
    return f'<a href="/rulebook/{escape(key)}/{rule_id}">{rule_id}</a>'
