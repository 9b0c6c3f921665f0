"""Rolling a character: once, on the server, with every die stored, and never again; the same for each level."""

import os
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field

from app.campaign import characters, level_up, names, tokens
from app.engine.chance import SeededChance
from app.errors import NotThere
from app.web.characters.sheets import (
    NO_BUTTON,
    Head,
    character_of,
    first_owner,
    may_make,
    rules_of,
    show,
    show_new,
)
from app.web.forms.reading import Version, fill, read, take
from app.web.http.seat_session import CurrentSeat, changing

router = APIRouter(prefix="/c/{slug}/{handle}/characters")


class Rolling(Head):
    """The owner and the name of the rolled character."""

    name: names.Title
    once: Annotated[str, Field(alias="_once", max_length=60)] = ""


@router.post("/new/roll")
async def roll(request: Request, seated: CurrentSeat) -> Response:
    """Roll a character. The dice come from the system's randomness; a form sent twice gives the same character."""
    may_make(seated)
    typed = await read(request)
    form = fill(Rolling, typed)
    rules = rules_of(typed.get("ruleset"))
    if rules.generate is None:
        raise NotThere(
            f"{rules.title} has no dice for making characters.", "Start with an empty sheet or a ready-made hero."
        )
    with form.refusing(NotThere):
        given = form.checked()
        sheet, dice = rules.generate(given.name, SeededChance(os.urandom(32), os.urandom(32)))
        written: Any = rules.character.dump_python(sheet, mode="json")
        async with changing(request, seated.campaign.id) as session:
            made = await characters.create(
                session,
                seated.campaign,
                given.name,
                rules.key,
                written,
                await first_owner(session, seated, given.owner),
                seated.member,
                character_id=tokens.derive_id(given.once, f"rolled/{seated.member.id}"),
                dice=characters.DICE.dump_python(dice, mode="json"),
            )
        return RedirectResponse(f"{seated.base}/characters/{made.slug}?did=rolled#dice", 303)
    return await show_new(request, seated, rules, rolling=form, status=form.status)


class Growing(BaseModel):
    """The version of the sheet that the page had shown."""

    version: Version = 0


@router.post("/{who}/grow")
async def grow(request: Request, seated: CurrentSeat, who: str) -> Response:
    """Roll the next level; a form sent twice rolls once."""
    character = await character_of(request, seated, who)
    form = await take(request, Growing)
    with form.refusing():
        version = form.checked(NO_BUTTON).version
        async with changing(request, seated.campaign.id) as session:
            await level_up.grow(session, rules_of(character.ruleset), character, version, seated.member)
        return RedirectResponse(f"{seated.base}/characters/{who}?did=grown#dice", 303)
    return await show(request, seated, who, form.status, wrong=form.wrong)
