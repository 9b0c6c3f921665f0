"""The page that says how the steps of each kind of scene open in this campaign; the GM's desk leads to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from app import rulesets
from app.campaign import step_openings
from app.campaign.step_openings import GMS, LIMITS, Opening
from app.engine.ruleset import SceneKind
from app.errors import MissingRules, Unfit
from app.table.gm_actions import spoken
from app.web.forms.reading import Form, TypedPairs
from app.web.forms.reading import read as read_pairs
from app.web.http.seat_session import GmSeat, SeatSession, sessions
from app.web.http.templating import render

router = APIRouter(prefix="/c/{slug}/{handle}/desk/steps")
NOTICE = "Saved. It holds for steps that open from now on."
USUAL, NONE = "", "none"
CHOICES = ((USUAL, "as the scene’s settings say"), (NONE, "none"), *((str(one), spoken(one)) for one in LIMITS))


@dataclass(frozen=True, slots=True)
class Row:
    """One phase, or all steps that ask only the GM."""

    phase: str
    words: str
    may_be_held: bool
    held: bool
    limit: str


@dataclass(frozen=True, slots=True)
class Openings:
    """The form for a kind of scene; `kind` names its ruleset too."""

    kind: str
    title: str
    rows: tuple[Row, ...]
    limits: tuple[tuple[str, str], ...] = CHOICES

    @property
    def version(self) -> str:
        return " ".join(f"{row.phase}:{row.held}:{row.limit}" for row in self.rows)


@router.get("")
async def page(request: Request, seated: GmSeat, kind: str = "", did: str = "") -> Response:
    return await _show(request, seated, kind, notice=NOTICE if did == "saved" else "")


@router.post("")
async def change(request: Request, seated: GmSeat) -> Response:
    """Changes how the steps of a kind of scene open."""
    typed = await read_pairs(request)
    kind = typed.get("kind")
    try:
        wanted = read(typed)
    except Unfit as refused:
        return await _show(request, seated, kind, 422, form=Form(typed, faults={refused.field: refused.text}))
    async with sessions(request).begin() as session:
        await step_openings.change(session, seated.campaign.id, wanted)
    return RedirectResponse(f"{seated.base}/desk/steps?{urlencode({'kind': kind, 'did': 'saved'})}", 303)


async def _show(
    request: Request,
    seated: SeatSession,
    kind: str,
    status: int = 200,
    *,
    form: Form[Any] | None = None,
    notice: str = "",
) -> Response:
    """All kinds of scene, `kind` unfolded; those of the campaign's usual rules and votes come first."""
    async with sessions(request)() as session:
        settings = await step_openings.read(session, seated.campaign.id)
    usual = settings.get("ruleset", "")
    books = sorted(rulesets.RULESETS, key=lambda book: (book.key != usual, not book.utility))
    kinds = [(book, [form_of(settings, book.key, one) for one in book.kinds if one.phases]) for book in books]
    context: dict[str, Any] = {"seated": seated, "kinds": kinds, "unfolded": kind, "notice": notice}
    context |= {"forms": {kind: form} if form else {}, "empty": Form()}
    return render(request, "desk/openings.html", status, **context)


def form_of(settings: Mapping[str, Any], ruleset: str, kind: SceneKind[Any, Any, Any, Any, Any, Any]) -> Openings:
    """Returns the form with a campaign's settings."""
    rows = []
    for phase, words in (*step_openings.phases(kind), (GMS, "Steps that ask only the GM")):
        now = step_openings.chosen(settings, step_openings.key(ruleset, kind.key, phase))
        limit = USUAL if now.limit is None else str(now.limit or NONE)
        rows.append(Row(phase, words, phase != GMS, now.held, limit))
    return Openings(f"{ruleset}/{kind.key}", kind.title, tuple(rows))


def read(form: TypedPairs) -> dict[str, Opening]:
    """Returns what the form says, by the key of the setting. Raises Unfit for what it does not offer."""
    ruleset, _, kind_key = form.get("kind").partition("/")
    try:
        kind = rulesets.find_kind(ruleset, kind_key)[1]
    except MissingRules as missing:
        raise Unfit("Signet could not read that form. Reload the page and try again.") from missing
    found = {}
    for row in form_of({}, ruleset, kind).rows:
        name = f"limit.{row.phase}"
        limit = form.get(name)
        if limit not in dict(CHOICES):
            raise Unfit("Choose one of the time limits.", field=name)
        seconds = None if limit == USUAL else 0 if limit == NONE else int(limit)
        held = row.may_be_held and f"held.{row.phase}" in form
        found[step_openings.key(ruleset, kind.key, row.phase)] = Opening(held, seconds)
    return found
