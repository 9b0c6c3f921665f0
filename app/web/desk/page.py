"""The GM's desk: everything that is open in a campaign on one page, with the controls of each scene."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from app.campaign import character_visibility, characters, handouts, seats, tokens
from app.campaign.characters import Holding
from app.engine.ruleset import Faults
from app.errors import Refusal
from app.models.people import Character, Member
from app.table import desk
from app.table.runtime import Runtime
from app.web.calendar.words import distance
from app.web.characters.history import state
from app.web.desk import notes, npcs, prepared
from app.web.desk.address import panel_asked, query, query_of
from app.web.desk.world import world
from app.web.forms.moments import ZONES
from app.web.forms.reading import EMPTY, Form, NotesForm, TypedPairs
from app.web.http.live import page_or_live
from app.web.http.seat_session import GmSeat, SeatSession, sessions
from app.web.http.templating import block

router = APIRouter(prefix="/c/{slug}/{handle}/desk")

PAGE = "desk/desk.html"
NAME = "desk"
"""What a form's field "_page" says if it stands on this page: its answer leads back here."""

NOTICES = {
    "noted": "Your notes are saved.",
    "foe": "Saved. The new character is among your own; only GMs can see it.",
    "shown": "Saved. Players see it at once.",
    "filed": "Moved.",
    "kept": "Saved under Prepared scenes.",
    "opened": "The scene is open.",
    "copied": "Copied.",
    "removed": "Removed from the list. You can put it back.",
    "restored": "Back in the list.",
}
PANELS = (("notes", "Notes", "n"), ("npcs", "NPCs", "c"), ("handouts", "Handouts", "i"), ("log", "Log", "l"))
"""What stands at the right, one at a time: its name in the address, its title, its letter on the keyboard. The first is
shown if the address names none."""


@dataclass(frozen=True, slots=True)
class RefusedAct:
    """A refused form of a scene's card: shown again with its faults, and with what was typed."""

    scene: str = ""
    what: str = ""
    step: str = ""
    notice: str = ""
    typed: TypedPairs = EMPTY
    faults: Faults = field(default_factory=dict)

    def has_place(self, cards: Sequence[desk.Card]) -> bool:
        """Whether its scene and its step, if it has one, are still open, so that it is shown again where it stood."""
        here = next((card for card in cards if str(card.id) == self.scene), None)
        whole = not self.step and not self.faults
        return here is not None and (whole or any(one.step.key == self.step for one in here.steps))

    def form(self, scene: object, what: str, step: str) -> Form[Any]:
        """The form of that place: this one if it was refused there, else an empty one."""
        if (self.scene, self.what, self.step) == (str(scene), what, step):
            return Form(self.typed, faults=self.faults)
        return Form()


@dataclass(frozen=True, slots=True)
class Person:
    """A member at the table with the characters they play; None: the GM's own characters."""

    member: Member | None
    characters: tuple[Character, ...]


@router.get("")
@router.get("/live")
async def page(request: Request, seated: GmSeat, did: str = "", panel: str = "") -> Response:
    return await show(request, seated, panel=panel, notice=NOTICES.get(did, ""))


def is_from_here(form: TypedPairs) -> bool:
    """Whether a form was sent from the desk."""
    return form.get("_page").partition("/")[0] == NAME


def panel_of(form: TypedPairs) -> str:
    """The panel that stood on the desk when a form was sent: "log" of the field's value "desk/log"."""
    return form.get("_page").partition("/")[2]


async def after_change(
    request: Request, seated: SeatSession, panel: str = "", did: str = "", place: str = ""
) -> Response:
    """The response after a change: the live part for htmx, else a redirect to a place of the page, so a reload repeats
    nothing."""
    if request.headers.get("HX-Request"):
        return await show(request, seated, panel=panel, notice=NOTICES.get(did, ""))
    asked = urlencode([(name, text) for name, text in (("panel", panel), ("did", did)) if text])
    return RedirectResponse(f"{seated.base}/desk{'?' if asked else ''}{asked}{place}", 303)


async def refused_act(
    request: Request, seated: SeatSession, scene: str, what: str, form: TypedPairs, refused: Refusal
) -> Response:
    """The desk with the reason of the refusal on the scene's card, and what was typed there."""
    faults = {refused.field: refused.text} if refused.field else {}
    again = RefusedAct(scene, what, form.get("step"), refused.text, form, faults)
    return await show(request, seated, refused.status, panel=panel_of(form), refused=again)


async def show(
    request: Request,
    seated: SeatSession,
    status: int = 200,
    *,
    panel: str = "",
    refused: RefusedAct | None = None,
    noting: Form[NotesForm] | None = None,
    filing: Form[Any] | None = None,
    notice: str = "",
) -> Response:
    """The desk, or its live part for htmx, with the typed text of a refused form, if any."""
    look = noting.typed if noting else query_of(request)  # its form says which notes it stands for
    shown = "notes" if noting else "npcs" if filing else panel_asked(look, [key for key, _, _ in PANELS], panel)
    runtime: Runtime = request.app.state.runtime
    campaign = seated.campaign.id
    async with runtime.repeatable_read() as session:
        context: dict[str, Any] = {
            "cards": await desk.cards(session, runtime.vault, seated.member, runtime.histories),
            "acts": await desk.recent_acts(session, campaign),
        }
    async with sessions(request)() as session:
        cast = [c for c in await character_visibility.known_characters(session, seated.member) if not c.retired_at]
        context["people"] = _people(await seats.members(session, campaign), cast)
        context["held"] = held = await characters.in_scenes(session, campaign)
        played = {card.id: card.sheets for card in context["cards"]}
        context |= await prepared.panel(session, runtime.vault, seated)
        context |= await world(session, seated)
        match shown:
            case "notes":
                context |= await notes.panel(session, seated, look, noting or Form())
            case "npcs":
                context |= await npcs.panel(session, seated, look, context["cards"], filing or Form())
            case "handouts":
                context["handouts"] = await handouts.all_known(session, runtime.vault, seated.member)
    listed = {one.character for card in context["cards"] for one in card.vitals}  # their cards have them already
    context["states"] = {c.slug: state(c, _changes(c.slug, held, played)) for c in cast if c.slug not in listed}
    context |= {"seated": seated, "refused": refused or RefusedAct(), "noting": noting or Form(), "zones": ZONES}
    context |= {"notice": notice, "distance": distance, "panels": PANELS, "panel": shown}
    context |= {"query": query(look, shown), "once": tokens.fresh()}
    if request.headers.get("HX-Request"):
        return block(request, PAGE, "live", status, **context)
    return page_or_live(request, PAGE, status, **context)


def _changes(slug: str, held: Mapping[str, Holding], played: Mapping[uuid.UUID, Mapping[str, Any]]) -> Any:
    """What the open scene that holds a character has changed of its sheet so far; None for nothing."""
    return played.get(held[slug].scene_id, {}).get(slug) if slug in held else None


def _people(members: Any, cast: list[Character]) -> list[Person]:
    there = [Person(one, tuple(c for c in cast if c.owner_id == one.id)) for one in members]
    return [*there, Person(None, tuple(c for c in cast if c.owner_id is None))]
