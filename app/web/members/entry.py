"""Ways in: a new campaign, an invitation, a personal link, a code from another device.

Opening any of these addresses changes nothing; only the button on the page does. So a link preview in a chat, or a
browser that prefetches, uses nothing up.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field
from sqlalchemy.ext.asyncio import AsyncSession

from app import rulesets
from app.campaign import (
    founding,
    founding_invitations,
    group_links,
    heroes,
    inviting,
    lines_and_veils,
    names,
    seats,
    tokens,
)
from app.campaign.seats import NewSeat
from app.engine.ruleset import Ruleset
from app.errors import NotThere, Refusal
from app.models.people import Campaign, Member, Role
from app.play import decisions
from app.table.bus import EVERYBODY
from app.web.forms.reading import EMPTY, Form, TypedPairs, read, take
from app.web.http import limits
from app.web.http.limits import limit
from app.web.http.seat_session import COOKIE_SECONDS, cookie_name, seat_path, sessions, set_seat_cookie
from app.web.http.security import secure
from app.web.http.shown_once import show_at
from app.web.http.templating import render
from app.web.members.browsers import label

router = APIRouter()

JOINED = "signet_joined"
"""A cookie for the address of an invitation or a group link: the handle of the member who joined there, no secret."""


class Founding(BaseModel):
    """The form for a new campaign."""

    title: names.Title
    ruleset: Annotated[str, Field(max_length=40)]
    name: names.Name


class Joining(BaseModel):
    """The form that accepts an invitation. `hero` is the key of a ready-made hero, or empty; `me` is ticked by the
    person whose name the invitation has filled in."""

    name: names.Name
    hero: Annotated[str, Field(max_length=60)] = ""
    me: Annotated[str, Field(max_length=3)] = ""


class Coding(BaseModel):
    """A code from another device, and the campaign it was made in."""

    campaign: Annotated[str, Field(min_length=1, max_length=300)]
    code: Annotated[str, Field(min_length=1, max_length=64)]


@router.get("/new")
async def new(request: Request) -> Response:
    return _new(request, Form(), 200)


@router.get("/new/{token}")
async def invited(request: Request, token: str) -> Response:
    """The same form, for a person with an invitation from the server's operator."""
    limit(request, limits.LOOK)
    if not _may_found(request, token):
        return _new(request, Form(), 410)
    return _new(request, Form(), 200, token)


def _used(request: Request, invitation: str) -> str | None:
    """The invitation if the server requires one; otherwise it must not decide which campaign this is."""
    return invitation if request.app.state.settings.founding == "invited" else None


def _may_found(request: Request, invitation: str = "") -> bool:
    who = request.app.state.settings.founding
    return who == "anyone" or (
        who == "invited" and founding_invitations.holds(request.app.state.runtime.vault, invitation)
    )


def _new(request: Request, form: Form[Founding], status: int, invitation: str = "") -> Response:
    context = {
        "form": form,
        "once": form.typed.once or tokens.fresh(),
        "rulesets": _rulesets(),
        "invitation": invitation,
        "open": _may_found(request, invitation),
        "founding": request.app.state.settings.founding,
        "spoiled": status == 410,
    }
    return render(request, "members/new.html", status, **context)


@router.post("/new")
async def create_campaign(request: Request) -> Response:
    """Create a campaign; redirects to its page, which shows the GM's personal link, once, and the group link."""
    form = await take(request, Founding)
    invitation = form.typed.get("_invitation")
    if not _may_found(request, invitation):
        return _new(request, form, 410 if invitation else 403)
    if form.data is not None and form.data.ruleset not in {ruleset.key for ruleset in _rulesets()}:
        form.faults["ruleset"] = "Choose one of the options."
    with form.refusing():
        data = form.checked()
        limit(request, limits.FOUND)
        used = _used(request, invitation)
        async with sessions(request).begin() as session:
            who = (data.name, label(request), form.typed.once)
            new_seat = await founding.found_campaign(
                session, data.title, data.ruleset, *who, used, decisions.usual_settings(data.ruleset)
            )
            await group_links.ensure(session, request.app.state.runtime.vault, new_seat.campaign)
        return _keep(request, new_seat, fresh=True)
    return _new(request, form, form.status, invitation)


@router.get("/join/{slug}/{token}")
async def invitation(request: Request, slug: str, token: str) -> Response:
    limit(request, limits.LOOK)
    return await _invitation(request, slug, token, Form(), 200)


async def _invitation(request: Request, slug: str, token: str, form: Form[Joining], status: int) -> Response:
    async with sessions(request)() as session:
        sight = await inviting.preview(session, slug, token)
        agreed = await lines_and_veils.bounds(session, sight.campaign.id) if sight.state == "open" else []
    if sight.state in ("over", "revoked"):
        status = 410
    once, here = form.typed.once or tokens.fresh(), ""
    if (
        sight.claimer is not None
        and sight.claimer.removed_at is None
        and request.cookies.get(JOINED) == sight.claimer.handle
    ):
        here = seat_path(slug, sight.claimer.handle)
    plays = sight.invitation.role == Role.PLAYER and not sight.characters
    offered = heroes.offered(heroes.usual_rules(sight.campaign)) if plays else ()
    context = {"form": form, "once": once, "sight": sight, "agreed": agreed, "here": here, "heroes": offered}
    return render(request, "members/join.html", status, **context)


@router.post("/join/{slug}/{token}")
async def join(request: Request, slug: str, token: str) -> Response:
    """Join the campaign, perhaps with a ready-made hero; redirects to its page, which shows the personal link, once."""
    form = await take(request, Joining)
    with form.refusing():
        data, once = form.checked(), form.typed.once
        limit(request, limits.JOIN)
        async with sessions(request).begin() as session:
            await _must_be_meant(session, slug, token, data)
            new_seat = await inviting.claim(session, slug, token, data.name, label(request), once)
            await _take_hero(session, new_seat, data.hero, once)
            await request.app.state.runtime.bus.publish(session, new_seat.campaign.id, EVERYBODY)
        return _seated(request, new_seat)
    return await _invitation(request, slug, token, form, form.status)


async def _must_be_meant(session: AsyncSession, slug: str, token: str, data: Joining) -> None:
    """Raises Refusal where the invitation has filled the name in and nobody has ticked that it is for them: a program
    that follows links and presses the one button it finds must not use it up."""
    sight = await inviting.preview(session, slug, token)
    if sight.state == "open" and sight.invitation.for_name and not data.me:
        raise Refusal("Tick this box, then join.", field="me")


async def _take_hero(session: AsyncSession, new_seat: NewSeat, hero: str, once: str | None) -> None:
    if hero and new_seat.member.role == Role.PLAYER:
        rules = heroes.ruleset_of(heroes.usual_rules(new_seat.campaign), hero)
        who = (new_seat.member, new_seat.member)
        await heroes.take(session, new_seat.campaign, rules, hero, *who, tokens.derive_id(once, "hero"))


def _seated(request: Request, new_seat: NewSeat) -> Response:
    answer = _keep(request, new_seat)
    # A seat's cookie goes only to that seat's addresses, so this one recognises the member at the invitation's.
    answer.set_cookie(
        JOINED,
        new_seat.member.handle,
        max_age=COOKIE_SECONDS,
        path=request.scope["path"],
        secure=secure(request),
        httponly=True,
        samesite="lax",
    )
    return answer


def _keep(request: Request, new_seat: NewSeat, *, fresh: bool = False) -> Response:
    """Redirect after joining, to the campaign's page, which shows the personal link, once."""
    set_seat_cookie(request, new_seat.campaign, new_seat.member, new_seat.token)
    home = seat_path(new_seat.campaign.slug, new_seat.member.handle)
    if new_seat.link is None:
        return RedirectResponse(f"{home}/", 303)
    return show_at(request, home, "/", "campaign" if fresh else "seat", new_seat.link)


@router.get("/enter/{slug}/{token}")
async def personal_link(request: Request, slug: str, token: str) -> Response:
    limit(request, limits.LOOK)
    campaign, member = await _by_link(request, slug, token)
    return render(request, "members/enter.html", campaign=campaign, member=member, token=token)


@router.post("/c/{slug}/{handle}/enter")
async def enter(request: Request, slug: str, handle: str) -> Response:
    """Sign in by the personal link. The address is under the seat's own path, so a browser already signed in sends its
    cookie and keeps it, instead of becoming one more device."""
    limit(request, limits.ENTER)
    typed = await read(request)
    campaign, member = await _by_link(request, slug, typed.get("_token"))
    if member.handle != handle:
        raise _no_link()
    async with sessions(request).begin() as session:
        await seats.hold(session, campaign.id)
        if await seats.by_link(session, slug, typed.get("_token")) is None:  # replaced since, or its owner removed
            raise _no_link()
        sitting = await seats.find(session, slug, handle, request.cookies.get(cookie_name(request), ""))
        if sitting is None:
            token = tokens.fresh()
            await seats.sit_down(session, member, label(request), token)
            set_seat_cookie(request, campaign, member, token)
    return RedirectResponse(seat_path(slug, handle) + "/", 303)


async def _by_link(request: Request, slug: str, token: str) -> tuple[Campaign, Member]:
    async with sessions(request)() as session:
        found = await seats.by_link(session, slug, token)
    if found is None:
        raise _no_link()
    return found


def _no_link() -> NotThere:
    return NotThere(
        "This personal link does not work. Part of it may be missing, or its owner has made a new one.",
        "Use your newest link, enter a code from a device you are signed in on, or ask your GM for a new invitation.",
    )


@router.get("/code")
@router.get("/code/{slug}")
async def code_page(request: Request, slug: str = "") -> Response:
    form: Form[Coding] = Form(TypedPairs((("campaign", slug[:40]),)) if slug else EMPTY)
    return render(request, "members/code.html", form=form)


@router.post("/code")
async def use_code(request: Request) -> Response:
    """Sign in by a short code. Tries are counted by address: a stranger's wrong tries do not use up a member's code."""
    form = await take(request, Coding)
    if form.data is None:
        return render(request, "members/code.html", 422, form=form)
    limit(request, limits.CODE)
    slug = _slug_of(form.data.campaign)
    async with sessions(request).begin() as session:
        new_seat = await seats.use_code(session, slug, form.data.code, label(request))
    if new_seat is None:
        form.faults["code"] = (
            "This code does not work: a letter may be wrong, it was used already, or its ten minutes are over. "
            "Show a new one on the other device."
        )
        return render(request, "members/code.html", 422, form=form)
    set_seat_cookie(request, new_seat.campaign, new_seat.member, new_seat.token)
    return RedirectResponse(seat_path(new_seat.campaign.slug, new_seat.member.handle) + "/", 303)


def _slug_of(typed: str) -> str:
    """The campaign's slug, also from a whole address ("…/c/the-goblin-road/alice/") or its title."""
    parts = [part for part in typed.strip().lower().split("/") if part]
    for marker in ("c", "code", "join", "enter"):
        if marker in parts[:-1]:
            return parts[parts.index(marker) + 1]
    return names.slug(parts[-1], "-") if parts else ""


def _rulesets() -> tuple[Ruleset[Any, Any], ...]:
    return rulesets.games()
