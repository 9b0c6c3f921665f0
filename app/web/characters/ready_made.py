"""Ready-made heroes: a player takes one with one press; a GM gives one to a member or keeps it."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field

from app.campaign import heroes, tokens
from app.errors import NotThere
from app.web.characters.sheets import first_owner, may_make, rules_of, show_new
from app.web.forms.reading import fill, read
from app.web.http.seat_session import CurrentSeat, changing

router = APIRouter(prefix="/c/{slug}/{handle}/characters")


class Taking(BaseModel):
    hero: Annotated[str, Field(max_length=60)] = ""
    owner: Annotated[str, Field(max_length=60)] = ""
    once: Annotated[str, Field(alias="_once", max_length=60)] = ""


@router.post("/new/ready")
async def take(request: Request, seated: CurrentSeat) -> Response:
    """Make a character from a ready-made hero; a form sent twice makes only one."""
    may_make(seated)
    typed = await read(request)
    form = fill(Taking, typed)
    rules = rules_of(typed.get("ruleset"))
    with form.refusing(NotThere):
        data = form.checked()
        once = f"ready/{seated.member.id}/{data.hero}"
        async with changing(request, seated.campaign.id) as session:
            owner = await first_owner(session, seated, data.owner)
            who = (owner, seated.member, tokens.derive_id(data.once, once))
            made = await heroes.take(session, seated.campaign, rules, data.hero, *who)
        return RedirectResponse(f"{seated.base}/characters/{made.slug}?did=made", 303)
    return await show_new(request, seated, rules, status=form.status, taking=form)
