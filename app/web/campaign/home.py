"""A campaign's home page: scenes, characters, people, what comes next; for GMs also their notes and its settings."""

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field, StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from app import rulesets
from app.campaign import character_visibility, founding, inviting, names, notes, seats
from app.campaign.sealing_shows import CHOICES, SealingShows, chosen
from app.play import challenges, decisions
from app.table import listing
from app.web.campaign.dashboard import now, troupes
from app.web.forms.reading import Form, NotesForm, take
from app.web.homebrew import pages
from app.web.http.live import page_or_live
from app.web.http.seat_session import CurrentSeat, GmSeat, SeatSession, changing, sessions
from app.web.members import group_link
from app.web.members.my_seat import personal_link
from app.web.scene import sandboxes, trial

router = APIRouter(prefix="/c/{slug}/{handle}")

NOTICES = {
    **group_link.NOTICES,
    "noted": "Your notes are saved.",
    "renamed": "Campaign settings saved. The address stays the same.",
    "challenged": "Challenge sent. The duel starts as soon as it is accepted.",
    "declined": "Challenge declined.",
    "withdrawn": "Challenge withdrawn.",
    "aided": "Saved.",
    "promoted": "Confirmed: a player has taken over the character.",
    "asked": "Request sent. The character is yours as soon as a GM confirms it.",
    "unpromoted": "Request closed. Nothing has changed.",
    "ways": "Decision settings saved.",
}


class Naming(BaseModel):
    title: names.Title
    about: Annotated[names.Prose, StringConstraints(max_length=2000)] = ""
    ruleset: Annotated[str, Field(max_length=40)]
    sealing_shows: SealingShows | None = None


@router.get("/")
@router.get("/live")
async def home(request: Request, seated: CurrentSeat, did: str = "") -> Response:
    return await show(request, seated, notice=NOTICES.get(did, ""))


async def show(
    request: Request,
    seated: SeatSession,
    status: int = 200,
    *,
    noting: Form[NotesForm] | None = None,
    naming: Form[Naming] | None = None,
    challenging: Form[Any] | None = None,
    notice: str = "",
) -> Response:
    """The home page, with the typed text of a refused form, if any."""
    campaign = seated.campaign
    async with sessions(request)() as session:
        sheets = await character_visibility.known_characters(session, seated.member)
        context: dict[str, Any] = {
            "scenes": await listing.scenes(session, campaign.id, seated.member),
            "members": await seats.members(session, campaign.id),
            "characters": [one for one in sheets if one.retired_at is None],
            "retired": [one for one in sheets if one.retired_at is not None],
            "held": await character_visibility.holdings(session, seated.member),
            "named": await _only_named(session, seated),
            "link": await personal_link(request, session, seated),
            "invitations": await inviting.invitations(session, campaign) if seated.is_gm else [],
            "challenges": await challenges.open_challenges(session, seated.member),
            "to_challenge": await challenges.rivals(session, seated.member),
            "ladder": await challenges.ladder(session, seated.member),
            "page": await notes.read(session, campaign.id, seated.member) if seated.is_gm else None,
        }
        context["own"] = await pages.offered(session, seated)
        context |= await group_link.for_gms(request, session, seated)
        context |= await now(session, seated, sheets)
    context["troupes"] = troupes(context["members"], context["characters"], seated.member)
    fighters = [one for one in context["characters"] if one.ruleset in {r.key for r in challenges.rulesets()}]
    context["mine_to_fight"] = [one for one in fighters if challenges.plays(seated.member, one)]
    context["may_decide"] = decisions.may_call(campaign, seated.member)
    context["asks_usually"] = decisions.asks_usually(campaign.settings.get("ruleset"))
    context["drafts_cast"] = seated.is_gm and decisions.drafts_cast(campaign)
    context["challenging"] = challenging or Form()
    context |= {"seated": seated, "noting": noting or Form(), "naming": naming or Form(), "notice": notice}
    context["founded"] = request.query_params.get("new") == "campaign"
    context["sealing_choices"], context["sealing_shows"] = CHOICES, chosen(campaign.settings)
    alone = sandboxes.of(campaign) is not None
    context["trial"] = None if alone else trial.offered(str(campaign.settings.get("ruleset", "")))
    context["choices"] = [(one.key, one.title) for one in rulesets.games()]
    return page_or_live(request, "campaign/home.html", status, **context)


async def _only_named(session: AsyncSession, seated: SeatSession) -> list[str]:
    """Names that a GM has told the players, of characters whose pages they cannot open; none for GMs."""
    if seated.is_gm:
        return []
    told = await character_visibility.told_names(session, seated.campaign.id)
    return list(told.values())


@router.post("/notes")
async def write_notes(request: Request, seated: GmSeat) -> Response:
    """Save the GM's notes on the campaign."""
    form = await take(request, NotesForm)
    with form.refusing():
        data = form.checked()
        async with sessions(request).begin() as session:
            await notes.write(session, seated.campaign.id, seated.member, data.body, data.version)
        return RedirectResponse(f"{seated.base}/?did=noted#notes", 303)
    return await show(request, seated, form.status, noting=form)


@router.post("/campaign")
async def rename(request: Request, seated: GmSeat) -> Response:
    """Change the campaign's title, its description, its usual rules, and what players see of others' seals."""
    form = await take(request, Naming)
    if form.data is not None and form.data.ruleset not in {ruleset.key for ruleset in rulesets.games()}:
        form.faults["ruleset"] = "Choose one of the options."
    with form.refusing():
        data = form.checked()
        async with changing(request, seated.campaign.id) as session:
            given = (data.title, data.about, data.ruleset, data.sealing_shows)
            await founding.change(session, seated.campaign, *given)
        return RedirectResponse(f"{seated.base}/?did=renamed", 303)
    return await show(request, seated, form.status, naming=form)
