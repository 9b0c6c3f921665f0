"""Texts and pictures that GMs hand out: everyone's page of what they have been handed, and the GMs' forms."""

import uuid
from contextlib import AsyncExitStack, suppress
from typing import Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import handouts, names, pictures, seats
from app.campaign.pictures import MOST_BYTES, Picture
from app.errors import BadFile, NotThere, Refusal
from app.foreign.door import Busy, Door, Job
from app.models.people import Member, Role
from app.models.scenes import Scene
from app.table import gm_actions
from app.table.loaded_scene import LoadedScene, OldRules
from app.table.runtime import UNREADABLE, Runtime
from app.web.desk import page as desk
from app.web.forms.reading import Form, TypedPairs, Version, fill, read, read_upload
from app.web.http.live import page_or_live
from app.web.http.seat_session import CurrentSeat, GmSeat, SeatSession, changing, sessions
from app.web.http.templating import render

router = APIRouter(prefix="/c/{slug}/{handle}/handouts")

EVERYONE = "everyone"
PICTURE = Job(
    "picture",
    "Make it smaller, or save it anew in another program.",
    pictures.as_bytes,
    pictures.restored,
    most_in=MOST_BYTES,
    most_out=2 * MOST_BYTES,
    seconds=15,
)
NOTICES = {"gone": "Removed. Nobody can read it any more."}


class Written(BaseModel):
    """A handout as typed, and the version that the page had shown; its picture is the form's file."""

    title: names.Title
    text: names.Prose = ""
    version: Version = 0
    no_picture: Literal["", "yes"] = ""


@router.get("")
@router.get("/live")
async def page(request: Request, seated: CurrentSeat, did: str = "") -> Response:
    """What this member has been handed; for GMs all handouts, with who has which."""
    runtime: Runtime = request.app.state.runtime
    async with sessions(request)() as session:
        known = await handouts.all_known(session, runtime.vault, seated.member)
        people = await readers(session, seated)
    if seated.member.handed_at is not None:
        async with sessions(request).begin() as session:
            await handouts.looked_at(session, seated.member)
            await runtime.bus.publish(session, seated.campaign.id, str(seated.member.id))
    context = {"seated": seated, "known": known, "people": people, "notice": NOTICES.get(did, "")}
    return page_or_live(request, "campaign/handouts.html", **context)


@router.get("/new")
async def new(request: Request, seated: GmSeat) -> Response:
    return render(request, "campaign/handout-form.html", seated=seated, form=Form(), one=None)


@router.post("/new")
async def add(request: Request, seated: GmSeat) -> Response:
    form, made = await _taken(request)
    vault = request.app.state.runtime.vault
    with form.refusing():
        data = form.checked()
        async with changing(request, seated.campaign.id) as session:
            handout = await handouts.add(session, vault, seated.member, data.title, data.text, made)
        return RedirectResponse(f"{seated.base}/handouts#handout-{handout}", 303)
    return render(request, "campaign/handout-form.html", form.status, seated=seated, form=form, one=None)


@router.get("/{handout_id}/picture")
async def picture(request: Request, seated: CurrentSeat, handout_id: uuid.UUID) -> Response:
    runtime: Runtime = request.app.state.runtime
    async with sessions(request)() as session:
        body = await handouts.picture(session, runtime.vault, seated.member, handout_id)
    return Response(body, media_type="image/webp")


@router.get("/{handout_id}/change")
async def change_form(request: Request, seated: GmSeat, handout_id: uuid.UUID) -> Response:
    return await _change_page(request, seated, handout_id, Form())


@router.post("/{handout_id}/change")
async def change(request: Request, seated: GmSeat, handout_id: uuid.UUID) -> Response:
    form, made = await _taken(request)
    vault = request.app.state.runtime.vault
    with form.refusing():
        data = form.checked()
        what = (handout_id, data.version, data.title, data.text, made)
        async with changing(request, seated.campaign.id) as session:
            await handouts.change(session, vault, seated.member, *what, no_picture=bool(data.no_picture))
        return RedirectResponse(f"{seated.base}/handouts#handout-{handout_id}", 303)
    return await _change_page(request, seated, handout_id, form)


@router.post("/{handout_id}/{act}")
async def act(request: Request, seated: GmSeat, handout_id: uuid.UUID, act: str) -> Response:
    """Hands it out (give) or takes it back (take-back), `to` everyone or a member's handle; or removes it."""
    form = await read(request)
    everyone = act == "give" and form.get("to") == EVERYONE
    async with changing(request, seated.campaign.id) as session, AsyncExitStack() as locked:
        scenes = await _open_scenes(request, session, seated, locked) if everyone else []
        if await _perform(session, seated, handout_id, act, form) and scenes:
            await _tell(request, session, seated, handout_id, scenes)
    if desk.is_from_here(form):
        return await desk.after_change(request, seated, desk.panel_of(form))
    did = "?did=gone" if act == "remove" else f"#handout-{handout_id}"
    return RedirectResponse(f"{seated.base}/handouts{did}", 303)


async def readers(session: AsyncSession, seated: SeatSession) -> list[Member]:
    """The members whom something can be handed; [] unless for a GM."""
    if not seated.is_gm:
        return []
    return [one for one in await seats.members(session, seated.campaign.id) if one.role != Role.GM]


async def _perform(session: AsyncSession, seated: SeatSession, handout: uuid.UUID, act: str, form: TypedPairs) -> bool:
    """Returns whether someone has been handed something new."""
    if act == "remove":
        await handouts.remove(session, seated.member, handout)
        return False
    if act not in ("give", "take-back"):
        raise NotThere("This page has no such button.")
    await handouts.exists(session, seated.member, handout)
    to = None
    if form.get("to") != EVERYONE:
        to = next((one for one in await readers(session, seated) if one.handle == form.get("to")), None)
        if to is None:
            raise Refusal("Choose everyone, or someone of this campaign who is no GM.")
    if act == "give":
        return await handouts.give(session, seated.member, handout, to)
    await handouts.take_back(session, seated.member, handout, to)
    return False


async def _open_scenes(
    request: Request, session: AsyncSession, seated: SeatSession, locked: AsyncExitStack
) -> list[LoadedScene]:
    """Locks the campaign and its open scenes, so that no notice is lost: either all are stored with what was given, or
    nothing is. A scene that cannot be read has no page to show a notice on."""
    runtime: Runtime = request.app.state.runtime
    await seats.hold(session, seated.campaign.id)
    here = Scene.campaign_id == seated.campaign.id, Scene.status == "open"
    found = []
    for scene in (await session.scalars(select(Scene.id).where(*here).order_by(Scene.id))).all():
        with suppress(OldRules, *UNREADABLE):
            found.append(await locked.enter_async_context(runtime.joined(session, seated.campaign.id, scene)))
    return [live for live in found if live.row.status == "open"]


async def _tell(
    request: Request, session: AsyncSession, seated: SeatSession, handout: uuid.UUID, scenes: list[LoadedScene]
) -> None:
    """A notice in each open scene that something was handed to everyone."""
    one = await handouts.find(session, request.app.state.runtime.vault, seated.member, handout)
    for live in scenes:
        gm_actions.handed_out(session, live, seated.member, one.title)


async def _taken(request: Request) -> tuple[Form[Written], Picture | None]:
    """The form, and its picture made anew."""
    typed, uploaded = await read_upload(request, "picture", MOST_BYTES)
    form = fill(Written, typed)
    if not uploaded:
        if form.data is not None and not form.data.text and not form.data.version:
            form.faults["text"] = "Write something, or choose a picture."
        return form, None
    door: Door = request.app.state.door
    try:
        return form, await door.read(PICTURE, uploaded)
    except BadFile as wrong:
        form.faults["picture"] = str(wrong)
    except Busy as busy:
        form.faults["picture"] = busy.text
    return form, None


async def _change_page(request: Request, seated: SeatSession, handout: uuid.UUID, form: Form[Written]) -> Response:
    runtime: Runtime = request.app.state.runtime
    async with sessions(request)() as session:
        one = await handouts.find(session, runtime.vault, seated.member, handout)
    return render(request, "campaign/handout-form.html", form.status, seated=seated, form=form, one=one)
