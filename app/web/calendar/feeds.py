"""Feeds for calendar programs: the page where a member makes and revokes their addresses, and the feeds themselves."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel

from app.almanac import calendar_state
from app.campaign import tokens
from app.errors import NotThere
from app.play import feeds, ics
from app.web.forms.reading import Form, take
from app.web.http import limits
from app.web.http.limits import limit
from app.web.http.seat_session import CurrentSeat, SeatSession, absolute, only_here, seat_path, sessions
from app.web.http.shown_once import secret_to_show, show_at
from app.web.http.templating import render

router = APIRouter()

NOTICE = "Address deleted. It no longer works."


class Choosing(BaseModel):
    """One of the two kinds of feed."""

    kind: feeds.Kind


@router.get("/c/{slug}/{handle}/calendar/feeds")
async def page(request: Request, seated: CurrentSeat, did: str = "") -> Response:
    token, fresh = secret_to_show(request, "address"), None
    async with sessions(request)() as session:
        found = await feeds.find(session, seated.campaign.slug, token)
    if found is not None and found[1].id == seated.member.id:
        fresh = (found[2].kind, absolute(request, f"/feed/{seated.campaign.slug}/{token}.ics"))
    return await _page(request, seated, fresh=fresh, notice=NOTICE if did == "revoked" else "")


async def _page(
    request: Request,
    seated: SeatSession,
    status: int = 200,
    *,
    form: Form[Choosing] | None = None,
    fresh: tuple[str, str] | None = None,
    notice: str = "",
) -> Response:
    async with sessions(request)() as session:
        mine = await feeds.mine(session, seated.member)
        world = await calendar_state.read(session, seated.campaign.id)
        anchor = await feeds.anchor(session, world)
    return render(
        request,
        "calendar/feeds.html",
        status,
        seated=seated,
        form=form or Form(),
        mine=mine,
        book=world,
        anchor=anchor,
        fresh=fresh,
        notice=notice,
        only_here=only_here(request),
        once=tokens.fresh(),
    )


@router.post("/c/{slug}/{handle}/calendar/feeds/make")
async def make(request: Request, seated: CurrentSeat) -> Response:
    """A new address, shown once by the next page; the previous one stops working."""
    form = await take(request, Choosing)
    if form.data is None:
        return await _page(request, seated, 422, form=form)
    async with sessions(request).begin() as session:
        token = await feeds.make(session, seated.member, form.data.kind, form.typed.once)
    return show_at(request, seated.base, "/calendar/feeds", "address", token)


@router.post("/c/{slug}/{handle}/calendar/feeds/revoke")
async def revoke(request: Request, seated: CurrentSeat) -> Response:
    form = await take(request, Choosing)
    if form.data is None:
        return await _page(request, seated, 422, form=form)
    async with sessions(request).begin() as session:
        await feeds.revoke(session, seated.member, form.data.kind)
    return RedirectResponse(f"{seated.base}/calendar/feeds?did=revoked", 303)


@router.get("/feed/{slug}/{token}.ics")
async def feed(request: Request, slug: str, token: str) -> Response:
    """The entries that the token's member may see now, as an iCalendar file; 304 if the program has it already."""
    limit(request, limits.FEED)
    async with request.app.state.runtime.repeatable_read() as session:
        found = await feeds.find(session, slug, token)
        if found is None:
            raise NotThere(
                "This calendar address does not work. It was deleted or replaced, or part of it is missing.",
                "Make a new one on your campaign's calendar, under “Subscribe in your calendar app”.",
            )
        campaign, member, row = found
        link = absolute(request, f"{seat_path(campaign.slug, member.handle)}/calendar")
        if row.kind == "world":
            body = ics.world_file(await feeds.world(session, member), campaign.title, link, row.made_at)
        else:
            body = ics.real_file(await feeds.real(session, member), campaign.title, link, row.made_at)
    headers = {"ETag": ics.etag(body), "Cache-Control": "private, no-cache"}
    if headers["ETag"] in [
        tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")
    ]:
        return Response(status_code=304, headers=headers)
    headers["Content-Disposition"] = f'inline; filename="{campaign.slug}-{row.kind}.ics"'
    return Response(body, media_type="text/calendar; charset=utf-8", headers=headers)
