"""Every demo, walked through by everybody: each link is followed, and each harmless form is sent as the page fills it.

What is shown to somebody leads somewhere, and what it offers can be taken.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urldefrag, urlencode, urljoin, urlsplit

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.campaign import seats, tokens
from app.models.people import Campaign, Member
from app.play.demo import DEMOS, ensure_demo
from app.table.runtime import Runtime
from tests.web.browser import Browser, Fields, Page, PageForm
from tests.web.role_matrix import VERDICTS

pytestmark = [pytest.mark.anyio, pytest.mark.nightly]

ENOUGH = 3  # addresses of one kind, as there is a page for every day
HARMFUL = re.compile(
    r"/(delete|remove|revoke|undo|aside|abandon|hand-over|close|close-others|leave|stop|role|successor|renew)$"
    r"|/act/(end|abandon|stop)"
)
"""Forms that take something away: what the rest of the walk needs, or the walker's own seat."""
FINE = {200, 409, 422}
"""A page, or one that says what was missing, or what has changed meanwhile; each has the form again."""

ROUTES = sorted({route for _, route in VERDICTS}, key=lambda route: (route.count("{"), route))
KINDS = [(route, re.compile(re.sub(r"{\w+}", "[^/]+", route))) for route in ROUTES]


def kind(address: str) -> tuple[str, ...]:
    """What addresses of the same kind have in common: the route, and what is asked of it."""
    parts = urlsplit(address)
    route = next((route for route, shape in KINDS if shape.fullmatch(parts.path)), parts.path)
    return (route, *sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}))


@dataclass
class Walk:
    """One seat's way through all that it is shown."""

    browser: Browser
    seen: dict[str, Page] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    many: Counter[tuple[str, ...]] = field(default_factory=Counter)
    sent: set[tuple[object, ...]] = field(default_factory=set)
    wrong: list[object] = field(default_factory=list)

    async def follow(self, *begin: str) -> None:
        """Open these pages, and all that can be reached from them."""
        way = [("", at) for at in begin]
        while way:
            after, at = way.pop(0)
            if at in self.known or self.many[kind(at)] >= ENOUGH:
                continue
            self.known.add(at)
            self.many[kind(at)] += 1
            page = await self.browser.get(at)
            self._judge(f"{after} → GET", at, page, {200})
            if page.headers.get("content-type", "").startswith("text/html"):
                self.seen[at] = page
                way += [(at, link) for link in self._links(at, page)]

    async def send(self) -> None:
        """Send each form of each page once, with each of its buttons, and follow what comes of it."""
        for at in list(self.seen):
            for number in range(len(self.seen[at].forms)):
                for button in self.seen[at].forms[number].buttons or [("", "")]:
                    await self._send(at, number, button)

    async def _send(self, at: str, number: int, button: tuple[str, str]) -> None:
        offered = self.seen[at].forms[number]
        if offered.method == "dialog":
            return
        to = urljoin(at, offered.action or at)
        about = (kind(to), offered.method, button, *sorted(offered.names))
        if about in self.sent or HARMFUL.search(urlsplit(to).path) or HARMFUL.search(f"/{button[1]}"):
            return
        self.sent.add(about)
        page = await self.browser.get(at)  # as it is now, after all that was sent before
        for form in page.forms:
            if (form.action, form.names) == (offered.action, offered.names):
                await self._press(at, to, form, button)
                return

    async def _press(self, at: str, to: str, form: PageForm, button: tuple[str, str]) -> None:
        fields: Fields = [*form.fields, *([button] if button[0] else [])]
        if form.method.lower() == "get":
            await self.follow(f"{urlsplit(to).path}?{urlencode(fields)}")
        else:
            answer = await self.browser.post(to, fields)
            self._judge(f"{at} → POST", to, answer, FINE)
            await self.follow(*self._links(to, answer))

    def _links(self, at: str, page: Page) -> list[str]:
        base = urljoin("http://signet.test", at if urlsplit(at).path == page.path else page.path)
        found = (urldefrag(urljoin(base, link)).url for link in page.links if not link.startswith("#"))
        ours = (link.removeprefix("http://signet.test") for link in found if link.startswith("http://signet.test/"))
        return [link for link in ours if not link.startswith("/static/")]

    def _judge(self, method: str, at: str, page: Page, fine: set[int]) -> None:
        if page.status not in fine:
            self.wrong.append((method, at, page.status, " ".join(page.text.split())[:80]))
        elif page.headers.get("content-type", "").startswith("text/html") and "<html" in page.html:
            if not any(link != at for link in self._links(at, page)):
                self.wrong.append((method, at, "leads nowhere"))


@pytest.mark.parametrize("role", ["gm", "player", "spectator", "stranger"])
@pytest.mark.parametrize("game", DEMOS)
async def test_nothing_that_is_shown_leads_astray(
    site: FastAPI, open_browser: Callable[[], Browser], game: str, role: str
) -> None:
    """Finds links and forms that no other test knows of, in pages as they come."""
    runtime: Runtime = site.state.runtime
    walk = Walk(open_browser())
    async with runtime.sessions.begin() as session:
        labels = await ensure_demo(session, runtime.vault, game, calendar=True)
        campaign = (await session.scalars(select(Campaign).where(Campaign.demo))).one()
        begin = ["/", *(path for _, path in labels[:1] if role == "stranger")]
        if role != "stranger":
            here = select(Member).where(Member.campaign_id == campaign.id, Member.role == role)
            member = (await session.scalars(here.order_by(Member.handle))).first()
            assert member is not None
            token = tokens.fresh()
            await seats.sit_down(session, member, "test", token)
            home = f"/c/{campaign.slug}/{member.handle}"
            walk.browser.http.cookies.set("signet", token, domain="signet.test", path=home)
            begin = [f"{home}/"]
    await walk.follow(*begin)
    await walk.send()
    assert walk.wrong == []
    assert len(walk.seen) > 20 or role == "stranger"
