"""Every route × every role, and a sweep for words that nobody but their author may read.

The list of routes is the app's own: a route without a verdict here fails, and so does a verdict without a route.
"""

import base64
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from sqlalchemy import select

from app.campaign import founding, seats, tokens
from app.campaign.demo import ensure_demo
from app.campaign.models import Campaign, Device, Member
from app.table.house import House
from app.table.models import Scene
from tests.web.browser import Browser, Page

pytestmark = pytest.mark.anyio

SEAT, SCENE = "/c/{slug}/{handle}", "/c/{slug}/{handle}/scene/{scene_id}"

CHALLENGES = {f"{SEAT}/challenges{path}" for path in ("", "/{challenge_id}/accept", "/{challenge_id}/close")}
ENTRIES = f"{SEAT}/calendar/entries"
WRITING = {f"{ENTRIES}{path}" for path in ("", *(f"/{{entry_id}}/{act}" for act in ("change", "mark", "reply")))}

# Who may come in: everybody, whoever sits at that address, only GMs who do, or only whose own it is (Alice).
VERDICTS: dict[tuple[str, str], str] = {
    **{("GET", path): "all" for path in ("/", "/about", "/rulebook", "/rulebook/{key}", "/new", "/code")},
    **{("GET", path): "all" for path in ("/rulebook/{key}/how-to-play", "/rulebook/{key}/{rule_id}", "/code/{slug}")},
    **{("GET", f"/health/{word}"): "all" for word in ("live", "ready")},
    **{("GET", path): "all" for path in ("/join/{slug}/{token}", "/enter/{slug}/{token}", "/new/{token}")},
    **{
        ("POST", path): "all"
        for path in ("/tutorial", "/practice", "/new", "/code", "/join/{slug}/{token}", f"{SEAT}/enter")
    },
    **{("GET", SEAT + path): "seat" for path in ("/", "/live", "/people", "/people/live", "/you", "/awaits")},
    **{("GET", f"{SEAT}/calendar{path}"): "seat" for path in ("", "/year", "/agenda", "/day", "/of/{who}")},
    ("GET", "/feed/{slug}/{token}.ics"): "all",
    ("GET", f"{SEAT}/calendar/feeds"): "seat",
    **{(way, f"{SEAT}/calendar/shape{path}"): "gm" for way in ("GET", "POST") for path in ("", "/import")},
    **{("POST", f"{SEAT}/calendar/feeds/{path}"): "seat" for path in ("make", "revoke")},
    ("GET", f"{ENTRIES}/{{entry_id}}"): "seat",
    ("GET", f"{ENTRIES}/new"): "seat",
    **{("POST", path): "seat" for path in WRITING},
    **{("GET", f"{SEAT}/calendar{path}"): "gm" for path in ("/move", "/moved/{crossing_id}")},
    **{("POST", f"{SEAT}/calendar{path}"): "gm" for path in ("/go", "/moved/{crossing_id}/undo")},
    **{("POST", f"{ENTRIES}/{{entry_id}}/{path}"): "gm" for path in ("open", "decide/{what}")},
    **{("GET", f"{SEAT}/characters{path}"): "seat" for path in ("/new", "/{who}", "/{who}/edit")},
    **{
        ("GET", SCENE + path): "seat"
        for path in ("", "/live", "/why/{number}", "/verify", "/receipts", "/story", "/story.txt", "/replay")
    },
    **{("POST", f"{SEAT}/you/{path}"): "seat" for path in ("name", "link", "code", "devices/close-others")},
    ("POST", f"{SEAT}/you/devices/{{device_id}}/close"): "seat",
    **{("POST", f"{SEAT}/characters{path}"): "seat" for path in ("", "/roll", "/{who}", "/{who}/aside", "/{who}/back")},
    **{("POST", f"{SCENE}/{path}"): "seat" for path in ("lay", "say", "stop")},
    **{
        ("POST", f"{SEAT}/characters/{{who}}/{path}"): "seat"
        for path in ("hand-over", "promote", "successor", "later", "care", "grow")
    },
    ("POST", f"{SEAT}/characters/{{who}}/goals"): "own",
    **{("POST", path): "gm" for path in (f"{SEAT}/characters/{{who}}/notes", f"{SCENE}/notes")},
    ("GET", f"{SCENE}/notes"): "gm",
    ("POST", f"{SEAT}/promotions/{{promotion_id}}/confirm"): "gm",
    ("POST", f"{SEAT}/promotions/{{promotion_id}}/close"): "seat",
    ("POST", f"{SEAT}/people/hand-over"): "seat",
    **{("GET", f"{SEAT}/lines{path}"): "seat" for path in ("", "/live")},
    **{("POST", f"{SEAT}/lines{path}"): "seat" for path in ("", "/{bound_id}")},
    # Players may where the campaign says so (tests/web/test_deciding.py); here it does not.
    **{(method, f"{SEAT}/decide/{kind}"): "gm" for kind in ("vote", "order", "roll") for method in ("GET", "POST")},
    ("POST", f"{SEAT}/decide/ways"): "gm",
    **{(method, f"{SEAT}/draft"): "gm" for method in ("GET", "POST")},
    ("GET", f"{SEAT}/own"): "seat",
    ("GET", f"{SEAT}/own/new"): "gm",
    **{("POST", f"{SEAT}/own{path}"): "gm" for path in ("", "/{thing}", "/{thing}/delete")},
    ("GET", f"{SEAT}/own/{{thing}}"): "gm",
    ("POST", f"{SCENE}/next"): "gm",
    **{("POST", path): "seat" for path in CHALLENGES},
    **{(method, f"{SEAT}/delete"): "gm" for method in ("GET", "POST")},
    ("GET", f"{SEAT}/scenes/new"): "gm",
    ("POST", f"{SEAT}/scenes/new"): "gm",
    ("POST", f"{SCENE}/act/{{what}}"): "gm",
    **{("POST", f"{SEAT}/{path}"): "gm" for path in ("notes", "campaign", "people/invite")},
    **{("POST", f"{SEAT}/people/invitations/{{invitation_id}}/{path}"): "gm" for path in ("renew", "revoke")},
    **{("POST", f"{SEAT}/people/of/{{who}}/{path}"): "gm" for path in ("invite", "role", "remove")},
    ("GET", f"{SEAT}/stream"): "stream",  # endless: held to the same guard by test_streams_open_to_their_seat_alone
}
SPECTATORS_NOT = (
    CHALLENGES
    | WRITING
    | {
        f"{ENTRIES}/new",
        f"{SEAT}/characters/new",
        f"{SEAT}/characters",
        f"{SEAT}/characters/roll",
        f"{SEAT}/characters/{{who}}/edit",
    }
)


def address(route: str, **parts: object) -> str:
    """A route's address: with these parts, and something of the right form for all others."""
    usual: dict[str, object] = {
        "number": 1,
        "who": "alice",
        "key": "whiskey",
        "rule_id": "WHI-12",
        "token": "x" * 43,
        "device_id": uuid.uuid4(),
        "invitation_id": uuid.uuid4(),
        "entry_id": uuid.uuid4(),
        "crossing_id": uuid.uuid4(),
        "challenge_id": uuid.uuid4(),
        "promotion_id": uuid.uuid4(),
        "bound_id": uuid.uuid4(),
        "thing": "own_frost",
        "what": "pause",
    }
    return route.format(**{**usual, **parts})


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
    house: House = site.state.house
    async with house.sessions.begin() as session:
        await ensure_demo(session, house.vault)
        campaign = (await session.scalars(select(Campaign).where(Campaign.demo))).one()
        scene = (await session.scalars(select(Scene.id))).one()
        other = await founding.found(session, "Elsewhere", "whiskey", "GM", "test")
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
        if verdict == "stream" or route in ("/tutorial", "/practice"):
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


async def test_another_campaigns_ids_are_nowhere(table: Table) -> None:
    """The GM of another campaign, at an address of their own, with this campaign's ids: 404, never 403.

    Every part of an address that names a thing is tried, in every route, so a new route is tried too."""
    house: House = table.site.state.house
    async with house.sessions() as session:
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
    browser = table.browser("foreign")
    wrong = []
    for (method, route), verdict in VERDICTS.items():
        if verdict in ("all", "stream") or set(re.findall(r"{(\w+)}", route)) <= {"slug", "handle"}:
            continue
        ids = {"device_id": devices[0], "invitation_id": invitation[1], "entry_id": noted.path.rpartition("/")[2]}
        status = await _ask(browser, method, table.path(route, "gm", foreign=True, **ids))
        if status != 404:
            wrong.append((method, route, status))
    assert wrong == []


async def test_streams_open_to_their_seat_alone(table: Table) -> None:
    for handles in ((), ("alice",), ("foreign",)):
        assert await _ask(table.browser(*handles), "GET", table.path(f"{SEAT}/stream", "bob")) == 401


async def test_sealed_words_are_nowhere_before_the_reveal(table: Table) -> None:
    """A seal, a draft, a replaced seal, a seal taken back and refused posts each carry a canary. Nobody else's page has
    one of them in it, in any spelling, and neither does an error page of the author's own browser in another seat."""
    canaries = {name: uuid.uuid4().hex for name in ("seal", "replaced", "draft", "refused", "stale", "taken")}
    gm, alice, bob, charlie = (table.browser(name) for name in ("gm", "alice", "bob", "charlie"))
    await _lay(table, gm, "gm", "gm", "r1/scene", {}, 0)
    await _lay(table, alice, "alice", "alice", "r1/declare", _words("alice", canaries["replaced"]), 0)
    await _lay(table, alice, "alice", "alice", "r1/declare", _words("alice", canaries["seal"]), 1)
    await _lay(table, bob, "bob", "bob", "r1/declare", _words("bob", canaries["draft"]), 0, act="draft")
    refused = await _lay(table, bob, "bob", "bob", "r1/declare", _words("bob", canaries["refused"], "attack"), 1)
    assert refused.status == 422 and canaries["refused"] in refused.html, "typed text is kept"
    stale = await _lay(table, bob, "bob", "bob", "r1/declare", _words("bob", canaries["stale"]), 7)
    assert stale.status == 409 and canaries["stale"] in stale.html, "typed text is kept"
    await _lay(table, charlie, "charlie", "charlie", "r1/declare", _words("charlie", canaries["taken"]), 0)
    await _lay(table, charlie, "charlie", "charlie", "r1/declare", {}, 1, act="take_back")
    allowed = {"alice": {"seal"}, "bob": {"draft"}, "charlie": {"taken"}}
    for reader in ("gm", "alice", "bob", "charlie", "sam", "foreign"):
        seen = await _everything(table, reader)
        for name, canary in canaries.items():
            if name not in allowed.get(reader, set()):
                assert not any(spelt in seen for spelt in _spellings(canary)), f"{reader} reads the {name}"
    page = (await alice.get(table.path(SCENE, "alice"))).html
    assert canaries["seal"] in page and canaries["replaced"] not in page


def _words(who: str, canary: str, intent: str = "stand") -> dict[str, str]:
    return {f"of.{who}.intent": intent, f"of.{who}.rider": "text", f"of.{who}.rider_text": canary}


async def _lay(
    table: Table,
    browser: Browser,
    handle: str,
    seat: str,
    step: str,
    words: dict[str, str],
    seen: int,
    act: str = "seal",
) -> Page:
    control = {"_step": step, "_seat": seat, "_revision": str(seen), "_request": str(uuid.uuid4()), "_act": act}
    return await browser.post(table.path(f"{SCENE}/lay", handle), {**control, **words})


def _spellings(canary: str) -> list[str]:
    raw = canary.encode()
    shifted = [base64.b64encode(b"x" * n + raw).decode()[4:-4] for n in range(3)]
    return [canary, raw.hex(), *shifted]


async def _everything(table: Table, reader: str) -> str:
    """Every page this reader can open at an address of their own, headers included, as one text."""
    browser, texts = table.browser(reader), []
    for method, route in VERDICTS:
        if method == "GET" and VERDICTS[method, route] != "stream":
            handle = "gm" if reader == "foreign" else reader
            answer = await browser.http.get(table.path(route, handle, foreign=reader == "foreign"))
            texts += [answer.text, str(dict(answer.headers))]
    return "\n".join(texts)
