"""Every route × every role.

The list of routes is the app's own: a route without a verdict here fails, and so does a verdict without a route.
"""

import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from sqlalchemy import select

from app.campaign import founding, seats, tokens
from app.models.people import Campaign, Device, Member
from app.models.scenes import Scene
from app.play.demo import ensure_demo
from app.table.runtime import Runtime
from tests.web.browser import Browser
from tests.web.role_matrix import ENTRIES, SEAT, SPECTATORS_NOT, VERDICTS, address

pytestmark = pytest.mark.anyio


@dataclass
class Table:
    site: FastAPI
    open_browser: Callable[[], Browser]
    campaign: Campaign
    scene: uuid.UUID
    foreign: Campaign
    cookies: dict[str, str]

    def path(self, route: str, handle: str, *, foreign: bool = False, **ids: object) -> str:
        """A route's address for one seat; with `foreign` it stands under the other campaign's GM."""
        slug = (self.foreign if foreign else self.campaign).slug
        return address(route, slug=slug, handle=handle, scene_id=self.scene, **ids)

    def browser(self, *handles: str) -> Browser:
        """A browser in which these seats are open; "foreign" is the other campaign's GM."""
        browser = self.open_browser()
        for handle in handles:
            slug, seat = (self.foreign.slug, "gm") if handle == "foreign" else (self.campaign.slug, handle)
            browser.http.cookies.set("signet", self.cookies[handle], domain="signet.test", path=f"/c/{slug}/{seat}")
        return browser


@pytest.fixture
async def table(site: FastAPI, open_browser: Callable[[], Browser]) -> Table:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        await ensure_demo(session, runtime.vault)
        campaign = (await session.scalars(select(Campaign).where(Campaign.demo))).one()
        scene = (await session.scalars(select(Scene.id))).one()
        other = await founding.found_campaign(session, "Elsewhere", "whiskey", "GM", "test")
        cookies = {"foreign": other.token}
        for member in await session.scalars(select(Member).where(Member.campaign_id == campaign.id)):
            cookies[member.handle] = tokens.fresh()
            await seats.sit_down(session, member, "test", cookies[member.handle])
    return Table(site, open_browser, campaign, scene, other.campaign, cookies)


async def test_every_route_has_a_verdict(site: FastAPI) -> None:
    found = {(m, r.path) for r in iter_route_contexts(site.routes) for m in getattr(r, "methods", None) or ()}
    assert found - {("HEAD", path) for _, path in found} == set(VERDICTS)


async def _ask(browser: Browser, method: str, path: str) -> int:
    said = {"Sec-Fetch-Site": "same-origin"}
    data = {"role": "player"} if method == "POST" and path.endswith("/role") else None
    return (await browser.http.request(method, path, headers=said, data=data)).status_code


@pytest.mark.parametrize("role", ["stranger", "neighbour", "alice", "sam", "gm"])
async def test_who_may_come_in(table: Table, role: str) -> None:
    """Stranger: no seat at all. Neighbour: sits as Alice and asks at the GM's address."""
    handle = role if role in ("alice", "sam") else "gm"
    browser = table.browser(*{"stranger": [], "neighbour": ["alice"]}.get(role, [role]))
    wrong = []
    for (method, route), verdict in VERDICTS.items():
        if verdict == "stream" or route in ("/try/{key}", "/practice"):
            continue
        status = await _ask(browser, method, table.path(route, handle))
        if verdict == "all":
            fine = status not in (401, 403) and status < 500
        elif role in ("stranger", "neighbour"):
            fine = status == 401
        elif (
            (verdict == "own" and role != "alice")
            or (verdict == "gm" and role != "gm")
            or (role == "sam" and route in SPECTATORS_NOT)
        ):
            fine = status == 403
        else:
            fine = status < 500 and status != 401
        if not fine:
            wrong.append((role, method, route, status))
    assert wrong == []


async def test_every_address_that_a_browser_shows_can_be_loaded_again(table: Table) -> None:
    """Where only changes are made, whoever asks for the page is led to one above it: after a refusal the browser shows
    that address, and it may be loaded again or sent on."""
    gets = {route for method, route in VERDICTS if method == "GET"}
    known = [re.compile(re.sub(r"{\w+}", "[^/]+", route)) for route in gets]
    browser, wrong = table.browser("gm"), []
    for method, route in VERDICTS:
        if method == "POST" and route not in gets:
            path = table.path(route, "gm")
            answer = await browser.http.get(path)
            to = answer.headers.get("location", "")
            if answer.status_code != 303 or not path.startswith(to) or not any(one.fullmatch(to) for one in known):
                wrong.append((route, answer.status_code, to))
    assert wrong == []


async def test_head_of_every_page_is_its_get_without_a_body(table: Table) -> None:
    """For proxies, monitors and link previews: never the way to another page that a GET would not take."""
    browser, stranger, wrong = table.browser("gm"), table.browser(), []
    for route in [route for method, route in VERDICTS if method == "GET"]:
        path = table.path(route, "gm")
        for who in (browser, stranger):
            head = await who.http.head(path)
            if VERDICTS["GET", route] == "stream":  # its GET has no end
                fine = head.status_code == (200 if who is browser else 401)
            else:
                get = await who.http.get(path)
                fine = (head.status_code, head.headers.get("location"), head.headers.get("content-type")) == (
                    get.status_code,
                    get.headers.get("location"),
                    get.headers.get("content-type"),
                )
            if not fine or head.content:
                wrong.append((route, head.status_code, head.headers.get("location")))
    assert wrong == []


NO_CAMPAIGNS = {"slug", "handle", "key", "rule_id"}
"""Parts of addresses that name nothing of one campaign: the seat itself, and rules that everybody reads."""


async def test_another_campaigns_ids_are_nowhere(table: Table) -> None:
    """The GM of another campaign, at an address of their own, with this campaign's ids: 404, never 403.

    Every part of an address that names a thing is tried, in every route, so a new route is tried too."""
    runtime: Runtime = table.site.state.runtime
    async with runtime.sessions() as session:
        here = Device.campaign_id == table.campaign.id
        devices = list(await session.scalars(select(Device.id).where(here, Device.member_id.is_not(None))))
    invited = await table.browser("gm").post(table.path(f"{SEAT}/people/invite", "gm"), {"role": "spectator"})
    invitation = re.search(r"/invitations/([0-9a-f-]{36})/revoke", invited.html)
    book = await table.browser("gm").get(table.path(f"{SEAT}/own/new", "gm") + "?rules=arcana&kind=spells")
    written = await table.browser("gm").send(book, "/own", {"own.name": "Frost"})
    assert (await table.browser("gm").get(table.path(f"{SEAT}/own/{{thing}}", "gm"))).status == written.status == 200
    put = {"title": "Council", "day": "1", "month": "1", "year": "1"}
    noted = await table.browser("gm").post(table.path(ENTRIES, "gm"), put)
    assert invitation and devices and noted.status == 200
    opened = await table.browser("gm").post(table.path(f"{SEAT}/people/group-link", "gm"))
    group = opened.values["group-link"].removeprefix("http://signet.test")
    await table.open_browser().send(await table.open_browser().get(group), "", {"name": "Newt"})
    asked = re.search(r"/requests/([0-9a-f-]{36})/admit", (await table.browser("gm").get(opened.path)).html)
    assert asked
    browser = table.browser("foreign")
    wrong = []
    for (method, route), verdict in VERDICTS.items():
        if verdict in ("all", "stream") or set(re.findall(r"{(\w+)}", route)) <= NO_CAMPAIGNS:
            continue
        ids = {"device_id": devices[0], "invitation_id": invitation[1], "entry_id": noted.path.rpartition("/")[2]}
        ids["request_id"] = asked[1]
        status = await _ask(browser, method, table.path(route, "gm", foreign=True, **ids))
        if status != 404:
            wrong.append((method, route, status))
    assert wrong == []


async def test_streams_open_to_their_seat_alone(table: Table) -> None:
    for handles in ((), ("alice",), ("foreign",)):
        assert await _ask(table.browser(*handles), "GET", table.path(f"{SEAT}/stream", "bob")) == 401
