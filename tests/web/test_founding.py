"""Who may found campaigns, and how much of anything one may do."""

import base64
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI, Request
from sqlalchemy import func, select

from app.campaign import founding_invitations, seats, tokens
from app.crypto.vault import Vault
from app.errors import TooMany
from app.models.people import Campaign, Member
from app.play.demo import ensure_demo
from app.settings import Settings
from app.web.http import limits
from app.web.http.seat_session import SeatSession
from app.web.scene.stream import stream
from tests.server import KEY
from tests.web.browser import Browser, Page
from tests.web.one_app import app_with

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

Open = Callable[[], Browser]


@asynccontextmanager
async def site(url: str, **more: object) -> AsyncIterator[tuple[FastAPI, Open]]:
    app = app_with(Settings(database_url=url, key=base64.b64encode(KEY).decode(), **more))  # type: ignore[arg-type]
    opened: list[httpx2.AsyncClient] = []

    def browser() -> Browser:
        opened.append(httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://signet.test"))
        return Browser(opened[-1])

    async with app.router.lifespan_context(app):
        yield app, browser
        for one in opened:
            await one.aclose()


async def campaigns(app: FastAPI) -> int:
    async with app.state.runtime.sessions() as session:
        return int(await session.scalar(select(func.count()).select_from(Campaign)))


def found(browser: Browser, page: Page, title: str = "Moors") -> Awaitable[Page]:
    return browser.send(page, "/new", {"title": title, "name": "Gerda"})


async def test_where_only_the_invited_may_found_an_invitation_founds_one_campaign(db_url: str) -> None:
    async with site(db_url, founding="invited") as (app, open_browser):
        gerda, other = open_browser(), open_browser()
        page = await gerda.get("/new")
        assert page.status == 200 and not page.has_form("/new") and "need an invitation" in page.text
        refused = await gerda.post("/new", {"title": "Moors", "name": "Gerda", "ruleset": "toy"})
        assert refused.status == 403 and "need an invitation" in refused.text

        link = f"/new/{founding_invitations.invite(app.state.runtime.vault)}"
        form = await gerda.get(link)
        assert form.headers["referrer-policy"] == "strict-origin" and "noindex" in form.headers["x-robots-tag"]
        assert form.headers["cache-control"] == "no-store"
        wrong = await gerda.send(form, "/new", {"title": "", "name": "Gerda"})
        assert wrong.status == 422
        made = await found(gerda, wrong)
        assert made.status == 200 and "/enter/" in made.html
        again = await found(gerda, form)
        assert again.status == 200, "a second press in the same browser gives the same campaign"

        late = await found(other, await other.get(link), "Stolen")
        assert late.status == 409 and "This invitation was used" in late.text
        assert (await other.get("/c/moors/gerda/")).status == 401
        assert await campaigns(app) == 1
        assert (await open_browser().post("/try/whiskey")).status == 200, "trying it stays open, and is swept away"


async def test_whoever_made_the_invitation_cannot_sit_in_the_gms_seat(db_url: str) -> None:
    """The founder's secrets come from the founder's own form, not from the link that went through other hands."""
    async with site(db_url, founding="invited") as (app, open_browser):
        invitation = founding_invitations.invite(app.state.runtime.vault)
        gerda, keeper = open_browser(), open_browser()
        assert (await found(gerda, await gerda.get(f"/new/{invitation}"))).status == 200
        keeper.http.cookies.set(
            "signet", tokens.derive(invitation, "cookie"), domain="signet.test", path="/c/moors/gerda"
        )
        assert (await keeper.get("/c/moors/gerda/")).status == 401


async def test_invitations_end_and_cannot_be_made_up(db_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with site(db_url, founding="invited") as (app, open_browser):
        vault, browser = app.state.runtime.vault, open_browser()
        good = founding_invitations.invite(vault)
        bad = [
            founding_invitations.invite(vault, -1),
            founding_invitations.invite(Vault([bytes(32)])),
            "x" * 43,
            good[:-1],
            f"B{good[1:]}",
        ]
        for invitation in bad:
            page = await browser.get(f"/new/{invitation}")
            assert page.status == 410 and not page.has_form("/new") and "does not work" in page.text
            sent = {"title": "Moors", "name": "G", "ruleset": "toy", "_invitation": invitation}
            assert (await browser.post("/new", sent)).status == 410
        assert await campaigns(app) == 0
        rotated = Vault([bytes(32), KEY])
        assert founding_invitations.holds(rotated, good) and not founding_invitations.holds(Vault([bytes(32)]), good)
        ends = datetime.now(UTC) + timedelta(days=3)
        assert (
            int.from_bytes(base64.urlsafe_b64decode(founding_invitations.invite(vault, 3) + "=")[:8], "big")
            - ends.timestamp()
            < 5
        )


async def test_where_nobody_may_an_invitation_does_not_help(db_url: str) -> None:
    async with site(db_url, founding="nobody") as (app, open_browser):
        browser = open_browser()
        invitation = founding_invitations.invite(app.state.runtime.vault)
        for path in ("/new", f"/new/{invitation}"):
            page = await browser.get(path)
            assert not page.has_form("/new") and "takes no new campaigns" in page.text
        sent = {"title": "Moors", "name": "G", "ruleset": "toy", "_invitation": invitation}
        assert (await browser.post("/new", sent)).status in (403, 410)
        assert await campaigns(app) == 0


async def test_where_everybody_may_an_invitation_changes_nothing(db_url: str) -> None:
    async with site(db_url) as (app, open_browser):
        link = f"/new/{founding_invitations.invite(app.state.runtime.vault)}"
        for title in ("One", "Two"):
            browser = open_browser()
            assert (await found(browser, await browser.get(link), title)).status == 200
        assert await campaigns(app) == 2


async def test_acts_are_counted_by_member_and_what_was_typed_survives(db_url: str) -> None:
    async with site(db_url, acts_per_minute=3) as (app, open_browser):
        browsers = {}
        async with app.state.runtime.sessions.begin() as session:
            links = await ensure_demo(session, app.state.runtime.vault)
        for name, (_, link) in zip(("gm", "alice", "bob"), links, strict=False):
            browsers[name] = open_browser()
            home = await browsers[name].send(await browsers[name].get(link), "/enter")
            scene = home.html.partition("/scene/")[2][:36]
        for n in range(4):
            for name in ("alice", "bob"):
                said = await browsers[name].post(f"/c/the-goblin-road/{name}/scene/{scene}/say", {"said": f"words {n}"})
                assert said.status == (200 if n < 3 else 429), name
                if n == 3:
                    assert "words 3" in said.html and int(said.headers["retry-after"]) <= 60
        control = {"_step": "r1/scene", "_seat": "gm", "_revision": "0", "_act": "draft"}
        at = f"/c/the-goblin-road/gm/scene/{scene}/lay"
        answers = [(await browsers["gm"].post(at, {**control, "_request": str(uuid.uuid4())})).status for _ in range(4)]
        assert answers[3] == 429 and 429 not in answers[:3]


def asking(app: FastAPI, host: str) -> Request:
    return Request({"type": "http", "app": app, "client": (host, 1), "headers": [], "path": "/", "method": "GET"})


async def test_streams_are_capped_by_member_and_by_address() -> None:
    app = app_with(Settings(streams_per_member=2, streams_per_address=3))
    one, two, three = (uuid.uuid4() for _ in range(3))
    away, near = asking(app, "198.51.100.7"), asking(app, "127.0.0.1")
    elsewhere = asking(app, "198.51.100.8")
    with limits.one_stream(away, one), limits.one_stream(away, one):
        with pytest.raises(TooMany), limits.one_stream(near, one):
            pass  # from wherever
        with limits.one_stream(away, two):
            with pytest.raises(TooMany), limits.one_stream(away, three):
                pass
            with limits.one_stream(elsewhere, three), limits.one_stream(near, three):
                pass
        with limits.one_stream(away, three):
            pass
    assert not app.state.streams, "nothing is kept of who was here"


async def test_a_stream_too_many_is_refused_and_one_that_ends_makes_room(db_url: str) -> None:
    async with site(db_url, streams_per_member=1) as (app, open_browser):
        async with app.state.runtime.sessions.begin() as session:
            links = await ensure_demo(session, app.state.runtime.vault)
        alice = open_browser()
        await alice.send(await alice.get(links[1][1]), "/enter")
        member = next(one for one in await _members(app) if one.handle == "alice")
        with limits.one_stream(asking(app, "198.51.100.7"), member.id):
            refused = await alice.http.get("/c/the-goblin-road/alice/stream")
            assert refused.status_code == 429 and refused.headers["retry-after"]
        at = asking(app, "198.51.100.7")
        seated = SeatSession((await _campaign(app)), member, uuid.uuid4())
        first = await stream(at, seated)
        for _ in range(3):
            with pytest.raises(TooMany):
                await stream(at, seated)  # though nobody has read from the first one yet
        with pytest.raises(RuntimeError, match="gone"):
            await first({"type": "http", "method": "HEAD"}, _gone, _gone)
        assert not app.state.streams, "one that was never read from makes room, too"


async def _gone(*given: object) -> Any:
    raise RuntimeError("gone")


async def _campaign(app: FastAPI) -> Campaign:
    async with app.state.runtime.sessions() as session:
        return (await session.scalars(select(Campaign))).one()


async def _members(app: FastAPI) -> list[Member]:

    async with app.state.runtime.sessions() as session:
        campaign = (await session.scalars(select(Campaign))).one()
        return list(await seats.members(session, campaign.id))
