"""A character by the dice: rolled here once, kept with every die, and never rolled again; the same for each level."""

import os
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field

from app.campaign import characters, growing, known, names, seats, tokens
from app.engine.chance import SeededChance
from app.errors import NotThere, NotYours, Refusal
from app.models.people import Member, Role
from app.web.characters.sheets import Head, may_make, rules_of, show, show_new
from app.web.forms.reading import fill, read, take
from app.web.http.seat_session import Visiting, changing, sessions

router = APIRouter(prefix="/c/{slug}/{handle}/characters")


class Rolling(Head):
    """Whose the rolled character is, and what it is called."""

    name: names.Title
    once: Annotated[str, Field(alias="_once", max_length=60)] = ""


@router.post("/new/roll")
async def roll(request: Request, visit: Visiting) -> Response:
    """Roll somebody. The dice are the system's own; whoever sends the form twice gets the same character."""
    may_make(visit)
    typed = await read(request)
    form = fill(Rolling, typed)
    rules = rules_of(typed.get("ruleset"))
    if rules.rolled is None:
        raise NotThere(f"{rules.title} rolls nobody.", "Begin with an empty sheet, or with one of the book's people.")
    if form.data is None:
        return await show_new(request, visit, rules, rolling=form, status=422)
    sheet, dice = rules.rolled(form.data.name, SeededChance(os.urandom(32), os.urandom(32)))
    written: Any = rules.character.dump_python(sheet, mode="json")
    try:
        async with changing(request, visit.campaign.id) as session:
            owner: Member | None = visit.member
            if visit.is_gm:
                to = form.data.owner
                owner = await seats.member_by_handle(session, visit.campaign.id, to) if to else None
                if owner is not None and owner.role == Role.SPECTATOR:
                    raise Refusal(f"{owner.name} only watches. Make them a player first.", field="owner")
            made = await characters.create(
                session,
                visit.campaign,
                form.data.name,
                rules.key,
                written,
                owner,
                visit.member,
                character_id=tokens.derive_id(form.data.once, f"rolled/{visit.member.id}"),
                dice=characters.DICE.dump_python(dice, mode="json"),
            )
    except Refusal as refusal:
        return await show_new(request, visit, rules, rolling=form.refuse(refusal), status=409)
    return RedirectResponse(f"{visit.base}/characters/{made.slug}?did=rolled#dice", 303)


class Growing(BaseModel):
    """Which version of the sheet the page had shown."""

    version: Annotated[int, Field(ge=0, le=2_000_000_000)] = 0


@router.post("/{who}/grow")
async def grow(request: Request, visit: Visiting, who: str) -> Response:
    """Roll the next level; a form sent twice rolls once."""
    async with sessions(request)() as session:
        character = await known.find(session, visit.member, who)
    form = await take(request, Growing)
    if form.data is None:
        return await show(request, visit, who, 422, wrong="That button was not one of this page. Press one of these.")
    try:
        async with changing(request, visit.campaign.id) as session:
            await growing.grow(session, rules_of(character.ruleset), character, form.data.version, visit.member)
    except (NotThere, NotYours):
        raise
    except Refusal as refusal:
        return await show(request, visit, who, 409, wrong=f"{refusal.says} {refusal.now}".strip())
    return RedirectResponse(f"{visit.base}/characters/{who}?did=grown#dice", 303)
