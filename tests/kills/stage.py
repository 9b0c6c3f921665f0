"""What is played while things are killed: many scenes of the demo campaign, each one seal short of its reveal.

Scenes are brought there through `Runtime` in the test's own process; the last seal goes over HTTP to a real worker.
"""

import uuid
from dataclasses import dataclass
from typing import ClassVar

import httpx2
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncEngine, async_sessionmaker
from sqlalchemy.pool import NullPool

from app.campaign import seats, tokens
from app.crypto.vault import Vault
from app.db.engine import make_engine
from app.models.people import Campaign, Member
from app.models.scenes import Envelope, EventRow, StepRow
from app.play import decisions
from app.play.demo import ensure_demo
from app.receipts.file import parse
from app.receipts.verify import check
from app.rulesets.whiskey import samples
from app.table import envelopes, receipt
from app.table.bus import PostgresBus
from app.table.envelopes import Submission
from app.table.opening import open_scene
from app.table.reading import SceneSight, sight
from app.table.runtime import Runtime
from tests.server import KEY
from tests.table.integrity import check_scene
from tests.web.browser import Browser, Fields, Page

ROAD = "/c/the-goblin-road"
TARGETS = {"alice": "sword-goblin", "bob": "red-axe", "charlie": "old-axe"}
LAST = "charlie"
DECLARE = "r1/declare"


@dataclass(frozen=True)
class Press:
    """One press of the button that seals for Charlie, the last one who is awaited."""

    scene: uuid.UUID
    fields: Fields
    who: str = LAST

    @property
    def path(self) -> str:
        return f"{ROAD}/{self.who}/scene/{self.scene}"

    @property
    def request(self) -> uuid.UUID:
        return uuid.UUID(dict(self.fields)["_request"])


@dataclass
class Truth:
    """What the database says about one scene."""

    closed: bool
    seals: dict[uuid.UUID, int]  # of Charlie's in the step: request and revision
    events: int


@dataclass
class Stage:
    engine: AsyncEngine
    runtime: Runtime
    campaign: uuid.UUID
    people: dict[str, Member]
    cookies: dict[str, str]
    words: ClassVar[dict[tuple[str, str], Fields]] = {}  # what each seat says in each step

    @classmethod
    async def build(cls, url: str) -> "Stage":
        engine = make_engine(url, poolclass=NullPool)  # a kept connection may be one to a server that was killed
        runtime = Runtime(
            async_sessionmaker(engine, expire_on_commit=False), Vault([KEY]), PostgresBus(url), decisions.after
        )
        cookies = {}
        async with runtime.sessions.begin() as session:
            await ensure_demo(session, runtime.vault)
            campaign = (await session.scalars(select(Campaign.id).where(Campaign.demo))).one()
            people = {member.handle: member for member in await session.scalars(select(Member))}
            for handle, member in people.items():
                cookies[handle] = tokens.fresh()
                await seats.sit_down(session, member, "kills", cookies[handle])
        return cls(engine, runtime, campaign, people, cookies)

    async def close(self) -> None:
        await self.runtime.bus.close()
        await self.engine.dispose()

    def browser(self, origin: str, who: str) -> Browser:
        """One that sits in a seat. Nothing is kept alive, so each request finds whoever serves now."""
        http = httpx2.AsyncClient(
            base_url=origin,
            headers={"Cookie": f"signet={self.cookies[who]}", "Connection": "close"},
            timeout=20,
            trust_env=False,
            verify=False,  # there is no TLS here, and its set-up would take longer than the request
        )
        return Browser(http)

    async def open(self) -> uuid.UUID:
        """A new scene, with sheets of its own."""
        _, brief = samples.goblins_in_the_woods()
        async with self.runtime.sessions.begin() as session:
            return await open_scene(session, self.runtime.vault, self.campaign, "whiskey", brief, held="copy")

    async def learn(self, origin: str) -> None:
        """Play one scene through its pages up to the reveal, and remember what was sent; once is enough."""
        if self.words:
            return
        scene = await self.open()
        for who in ("gm", "gm", "alice", "bob", "charlie"):
            browser = self.browser(origin, who)
            page = await browser.get(f"{ROAD}/{who}/scene/{scene}")
            fields = seal_fields(page, who)
            said = dict(fields)
            self.words[said["_step"], said["_seat"]] = [(n, v) for n, v in fields if not n.startswith("_")]
            answer = await browser.post(f"{ROAD}/{who}/scene/{scene}/lay", fields)
            assert answer.status == 200, answer.text
            await browser.http.aclose()
        assert (await self.truth(scene)).closed

    async def nearly_revealed(self, but: tuple[str, ...] = (LAST,)) -> Press:
        """A scene in which all but the last have sealed, and the form that the last one is about to send."""
        scene = await self.open()
        for (step, seat), pairs in self.words.items():
            if step != DECLARE or seat not in but:
                laid = Submission(step, seat, pairs, 0, uuid.uuid4(), True)
                async with self.runtime.locked_scene(self.campaign, scene) as (session, held):
                    await envelopes.lay(session, held, self.people[seat].id, laid)
        return self.press(LAST, scene)

    def press(self, who: str, scene: uuid.UUID, revision: int = 0, shout: str = "") -> Press:
        """The form that this player is about to send in the first round, perhaps with a line of their own."""
        own = [("_step", DECLARE), ("_seat", who), ("_revision", str(revision)), ("_request", str(uuid.uuid4()))]
        words = dict(self.words[DECLARE, who])
        if shout:
            words |= {f"of.{who}.rider": "text", f"of.{who}.rider_text": shout}
        return Press(scene, [*words.items(), *own, ("_act", "seal")], who)

    async def say(self, origin: str, who: str, scene: uuid.UUID, words: str) -> int | None:
        answer = await self.post(origin, who, f"{ROAD}/{who}/scene/{scene}/say", [("said", words)])
        return answer and answer.status_code

    async def send(self, origin: str, press: Press) -> int | None:
        """The status of the answer; None if there was none."""
        answer = await self.post(origin, press.who, f"{press.path}/lay", press.fields)
        return answer and answer.status_code

    async def post(self, origin: str, who: str, path: str, fields: Fields) -> httpx2.Response | None:
        browser = self.browser(origin, who)
        said = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate"}
        try:
            return await browser.http.post(path, data=dict(fields), headers=said)
        except httpx2.TransportError:
            return None
        finally:
            await browser.http.aclose()

    async def page(self, origin: str, who: str, scene: uuid.UUID) -> Page:
        browser = self.browser(origin, who)
        try:
            return await browser.get(f"{ROAD}/{who}/scene/{scene}")
        finally:
            await browser.http.aclose()

    async def sight(self, who: str, scene: uuid.UUID) -> SceneSight:
        async with self.runtime.sessions() as session:
            return await sight(session, self.runtime.vault, self.campaign, scene, self.people[who])

    async def truth(self, scene: uuid.UUID) -> Truth:
        """What is so in the database; fails where the scene is neither wholly before a reveal nor wholly after it."""
        here = {"campaign_id": self.campaign, "scene_id": scene}
        async with self.runtime.sessions() as session:
            steps = await check_scene(session, self.runtime.vault, self.campaign, scene)
            mine = select(Envelope).filter_by(**here, step_key=DECLARE, seat=LAST)
            seals = {envelope.request_id: envelope.revision for envelope in await session.scalars(mine)}
            events = await session.scalar(select(func.count()).select_from(EventRow).filter_by(**here))
        declared = next((step for step in steps if step.key == DECLARE), None)
        return Truth(declared is not None and declared.status == "closed", seals, events or 0)

    async def receipts_hold(self, scene: uuid.UUID) -> None:
        """What Charlie may download of this scene proves itself, without any server."""
        async with self.runtime.sessions() as session:
            written = await receipt.lines(session, self.runtime.vault, self.campaign, scene, self.people[LAST])
        assert check(parse(written)).wrong == []

    async def stuck_or_waiting(self) -> list[str]:
        """What has no business to be in the database after all that: stuck steps, locks that nobody gives back."""
        async with self.runtime.sessions() as session:
            stuck = await session.scalars(select(StepRow.key).where(StepRow.status == "stuck"))
            old = await session.scalars(
                text(
                    "SELECT application_name || ' ' || state FROM pg_stat_activity"
                    " WHERE backend_type = 'client backend' AND datname = current_database()"
                    " AND state LIKE 'idle in transaction%' AND xact_start < clock_timestamp() - interval '2 seconds'"
                )
            )
            return [*stuck, *old]


def seal_fields(page: Page, who: str) -> Fields:
    """What a browser sends when the first open question of this page is sealed."""
    form = next(form for form in page.forms if form.action.endswith("/lay") and len(form.names) > 4)
    typed = {f"of.{who}.attack": TARGETS[who]} if f"of.{who}.attack" in form.names else {}
    return [(n, v) for n, v in form.fields if n not in typed] + [*typed.items(), ("_act", "seal")]
