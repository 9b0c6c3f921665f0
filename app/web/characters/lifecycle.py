"""Changes of a character's life: handing over, promotion, a successor for the dead, care, aid; and the GMs' notes."""

import uuid
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import aid, character_visibility, characters, downtime, goals, notes, people, promoting, seats
from app.errors import NotThere, NotYours, Unfit
from app.models.people import Character, Member, Role
from app.web.characters.downtime import form_of
from app.web.characters.history import topic
from app.web.characters.sheets import NO_BUTTON, character_of, may_make, rules_of, show, show_new, usual_rules
from app.web.forms.reading import NotesForm, fill, read, take
from app.web.http.seat_session import CurrentSeat, GmSeat, SeatSession, changing, sessions

router = APIRouter(prefix="/c/{slug}/{handle}")


class Handing(BaseModel):
    """The new owner's handle; an empty one means the GMs."""

    to: Annotated[str, Field(max_length=60)] = ""


class Promoting(BaseModel):
    """The new player of the character, and the dead character that it replaces."""

    to: Annotated[str, Field(max_length=60)] = ""
    instead_of: Annotated[str, Field(max_length=60)] = ""


class Wishing(BaseModel):
    """The GM's character that a player asks to play."""

    who: Annotated[str, Field(min_length=1, max_length=60)]


class Choosing(BaseModel):
    """The successor of a dead character, and the page to go back to."""

    who: Annotated[str, Field(min_length=1, max_length=60)]
    then: Literal["", "desk"] = ""


class Aiding(BaseModel):
    """The helper of a dying character, or none, and the page to go back to."""

    helper: Annotated[str, Field(max_length=60)] = ""
    nobody: Literal["", "yes"] = ""
    then: Literal["", "desk", "home"] = ""


class Waiting(BaseModel):
    """Whether time may pass before a dead character has a successor."""

    later: Literal["yes", "no"]
    then: Literal["", "desk"] = ""


@router.post("/characters/{who}/goals")
async def want(request: Request, seated: CurrentSeat, who: str) -> Response:
    """Write a character's goals, which only its player can ever read (CHR-CHA-08)."""
    character = await character_of(request, seated, who)
    form = await take(request, NotesForm)
    with form.refusing():
        data, vault = form.checked(), request.app.state.runtime.vault
        async with sessions(request).begin() as session:
            await goals.write(session, vault, character, seated.member, data.body, data.version)
        return _back(seated, who, "wanted", "#goals")
    return await show(request, seated, who, form.status, wanting=form)


class Caring(BaseModel):
    """The fields of the care's form besides the care itself: the version that the page had shown."""

    seen: Annotated[str, Field(max_length=40)] = ""


@router.post("/characters/{who}/care")
async def care(request: Request, seated: CurrentSeat, who: str) -> Response:
    """Settle how a character spends passing days; allowed even while an open scene holds it."""
    async with sessions(request)() as session:
        character = await _mine(session, seated, who)
        rules = rules_of(character.ruleset)
        company = await downtime.company(session, seated.member, character)
    if rules.days is None:
        raise NotThere(f"In {rules.title}, nothing changes as days pass.", "There is nothing to set up here.")
    form = fill(Caring, await read(request))
    given, shape, faults = form_of(rules, character, company).read(form.typed)
    form.faults.update(faults)
    with form.refusing():
        seen = form.checked().seen
        async with changing(request, seated.campaign.id) as session:
            await downtime.settle(session, character, given, seen, seated.member)
        return _back(seated, who, "cared", "#care")
    return await show(request, seated, who, form.status, caring=form, cares=shape)


@router.post("/characters/{who}/hand-over")
async def hand_over(request: Request, seated: CurrentSeat, who: str) -> Response:
    """Give a character to another member or to the GMs: GMs any, players their own."""
    character = await character_of(request, seated, who)
    form = await take(request, Handing)
    with form.refusing(NotThere):
        handle = form.checked().to
        async with changing(request, seated.campaign.id) as session:
            to = await seats.member_by_handle(session, seated.campaign.id, handle) if handle else None
            given = await people.hand_over(session, seated.campaign.id, character.id, to, seated.member)
            stays = given.slug not in await character_visibility.hidden(session, seated.member)
        return _back(seated, who, "handed") if stays else RedirectResponse(f"{seated.base}/people?did=handed", 303)
    return await show(request, seated, who, form.status, handing=form)


@router.post("/characters/{who}/promote")
async def promote(request: Request, seated: GmSeat, who: str) -> Response:
    """As a GM, make one of the GMs' characters a player's."""
    character = await character_of(request, seated, who)
    form = await take(request, Promoting)
    with form.refusing(NotThere):
        data = form.checked()
        async with changing(request, seated.campaign.id) as session:
            to = await seats.member_by_handle(session, seated.campaign.id, data.to)
            instead_of = await _mine(session, seated, data.instead_of) if data.instead_of else None
            await promoting.propose(session, character, to, seated.member, instead_of)
        return _back(seated, who, "promoted")
    return await show(request, seated, who, form.status, promoting=form)


@router.post("/promotions")
async def wish(request: Request, seated: CurrentSeat) -> Response:
    """Ask to play a GM's character that the player has met; a GM confirms it."""
    may_make(seated)
    form = await take(request, Wishing)
    with form.refusing(NotThere):
        wanted = form.checked().who
        async with changing(request, seated.campaign.id) as session:
            chosen = await promoting.chosen(session, seated.member, wanted)
            at_once = await promoting.propose(session, chosen, seated.member, seated.member)
        return RedirectResponse(f"{seated.base}/?did={'promoted' if at_once else 'asked'}", 303)
    return await show_new(request, seated, usual_rules(seated), wishing=form, status=form.status)


@router.post("/characters/{who}/successor")
async def successor(request: Request, seated: CurrentSeat, who: str) -> Response:
    """Choose a dead character's successor: its player (a GM then confirms), or a GM at once."""
    async with sessions(request)() as session:
        dead = await _mine(session, seated, who)
    form = await take(request, Choosing)
    with form.refusing(NotThere):
        data = form.checked()
        async with changing(request, seated.campaign.id) as session:
            chosen = await promoting.chosen(session, seated.member, data.who, dead)
            to = await _owner(session, dead) or seated.member
            at_once = await promoting.propose(session, chosen, to, seated.member, dead)
        if data.then:
            return RedirectResponse(f"{seated.base}/calendar/move?did=decided", 303)
        return _back(seated, chosen.slug, "promoted") if at_once else _back(seated, who, "asked")
    return await show(request, seated, who, form.status, choosing=form)


@router.post("/characters/{who}/later")
async def later(request: Request, seated: CurrentSeat, who: str) -> Response:
    """Let time pass before a dead character has a successor, or make it wait after all."""
    async with sessions(request)() as session:
        dead = await _mine(session, seated, who)
    form = await take(request, Waiting)
    with form.refusing():
        data = form.checked(NO_BUTTON)
        async with changing(request, seated.campaign.id) as session:
            await promoting.put_off(session, dead, seated.member, later=data.later == "yes")
        if data.then:
            return RedirectResponse(f"{seated.base}/calendar/move?did=decided", 303)
        return _back(seated, who, "later" if data.later == "yes" else "waits", "#successor")
    return await show(request, seated, who, form.status, wrong=form.wrong)


@router.post("/characters/{who}/aid")
async def come(request: Request, seated: CurrentSeat, who: str) -> Response:
    """Choose who helps a character that would die on the next day, or that no helper comes (CHR-HEA-10, -11)."""
    character = await character_of(request, seated, who)
    form = await take(request, Aiding)
    with form.refusing():
        data = form.checked(NO_BUTTON)
        if bool(data.helper) == bool(data.nobody):
            raise Unfit(NO_BUTTON)
        async with changing(request, seated.campaign.id) as session:
            await aid.answer(session, character, data.helper, seated.member)
        ways = {"desk": f"{seated.base}/calendar/move?did=decided", "home": f"{seated.base}/?did=aided"}
        return RedirectResponse(ways[data.then], 303) if data.then else _back(seated, who, "aided", "#aid")
    return await show(request, seated, who, form.status, wrong=form.wrong)


@router.post("/promotions/{promotion_id}/confirm")
async def confirm(request: Request, seated: GmSeat, promotion_id: uuid.UUID) -> Response:
    async with changing(request, seated.campaign.id) as session:
        await promoting.confirm(session, seated.campaign.id, promotion_id, seated.member)
    return RedirectResponse(f"{seated.base}/?did=promoted", 303)


@router.post("/promotions/{promotion_id}/close")
async def close(request: Request, seated: CurrentSeat, promotion_id: uuid.UUID) -> Response:
    """Decline a wish as a GM, or withdraw it as its player."""
    async with changing(request, seated.campaign.id) as session:
        await promoting.close(session, seated.campaign.id, promotion_id, seated.member)
    return RedirectResponse(f"{seated.base}/?did=unpromoted", 303)


@router.post("/characters/{who}/notes")
async def write_notes(request: Request, seated: GmSeat, who: str) -> Response:
    """The GMs' own notes on a character."""
    character = await character_of(request, seated, who)
    form = await take(request, NotesForm)
    with form.refusing():
        data = form.checked()
        async with sessions(request).begin() as session:
            await notes.write(session, seated.campaign.id, seated.member, data.body, data.version, topic(character))
        return _back(seated, who, "noted", "#notes")
    return await show(request, seated, who, form.status, noting=form)


async def _mine(session: AsyncSession, seated: SeatSession, slug: str) -> Character:
    """A character that this member may edit. Raises `NotYours` for any other."""
    character = await character_visibility.find(session, seated.member, slug)
    if not characters.editable_by(character, seated.member):
        raise NotYours(f"{character.name} is not your character.", "Ask its player or a GM.")
    return character


async def _owner(session: AsyncSession, character: Character) -> Member | None:
    members = await seats.members(session, character.campaign_id)
    found = next((one for one in members if one.id == character.owner_id), None)
    return found if found is not None and found.role != Role.SPECTATOR else None


def _back(seated: SeatSession, who: str, did: str, place: str = "") -> Response:
    return RedirectResponse(f"{seated.base}/characters/{who}?did={did}{place}", 303)
