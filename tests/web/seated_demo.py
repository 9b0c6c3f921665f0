"""The people of a game's demo, each with a browser without JavaScript, and the scene that waits for them."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from fastapi import FastAPI
from sqlalchemy import select

from app.campaign import seats, tokens
from app.engine import form_text
from app.models.people import Campaign
from app.models.scenes import Scene
from app.play.demo import USUAL, ensure_demo
from app.table import loaded_scene
from app.table.loaded_scene import LoadedScene
from app.table.runtime import Runtime
from tests.web.browser import Browser, Page, PageForm


@dataclass(frozen=True)
class Demo:
    runtime: Runtime
    campaign: Campaign
    scene: str
    browsers: dict[str, Browser]

    @property
    def road(self) -> str:
        return f"/c/{self.campaign.slug}"

    async def desk(self) -> Page:
        return await self.browsers["gm"].get(f"{self.road}/gm/desk")

    async def page(self, who: str) -> Page:
        return await self.browsers[who].get(f"{self.road}/{who}/scene/{self.scene}")

    async def live(self) -> LoadedScene:
        async with self.runtime.repeatable_read() as session:
            return await loaded_scene.read(session, self.runtime.vault, self.campaign.id, uuid.UUID(self.scene))

    async def form(self, who: str, word: str) -> PageForm:
        """The form of the open step whose key has that word, as it stands in that member's page."""
        forms = (await self.page(who)).forms
        return next(one for one in forms if any(n == "_step" and word in v for n, v in one.fields))

    async def seal(self, who: str, word: str, /, **typed: str) -> Page:
        """Seal that form as it stands, with some fields typed over; `__` in names is a dot."""
        form, over = await self.form(who, word), {name.replace("__", "."): value for name, value in typed.items()}
        kept = [(name, value) for name, value in form.fields if name not in over and name != "_act"]
        return await self.browsers[who].post(form.action, [*kept, *over.items(), ("_act", "seal")])

    async def declared(self, form: PageForm) -> Any:
        """What a form says as it stands, for the rules."""
        live = await self.live()
        key = dict(form.fields)["_step"]
        ask = next(one for step in live.kind.steps(live.state) if step.key == key for one in step.asks)
        words = form_text.unflatten((n, v) for n, v in form.fields if not n.startswith("_"))
        return live.kind.declaration.validate_python({**words, "ask": ask.kind})


async def seated_demo(site: FastAPI, open_browser: Callable[[], Browser], game: str = USUAL) -> Demo:
    runtime: Runtime = site.state.runtime
    browsers = {}
    async with runtime.sessions.begin() as session:
        await ensure_demo(session, runtime.vault, game)
        campaign = (await session.scalars(select(Campaign).where(Campaign.demo))).one()
        scene = (await session.scalars(select(Scene).where(Scene.campaign_id == campaign.id))).one()
        for member in await seats.members(session, campaign.id):
            token = tokens.fresh()
            await seats.sit_down(session, member, "test", token)
            browsers[member.handle] = open_browser()
            path = f"/c/{campaign.slug}/{member.handle}"
            browsers[member.handle].http.cookies.set("signet", token, domain="signet.test", path=path)
    return Demo(runtime, campaign, str(scene.id), browsers)


async def another(demo: Demo, kind: str, **typed: str) -> Demo:
    """A scene of that kind besides, opened by the form, with copies of the characters; `__` in names is a dot."""
    gm, at = demo.browsers["gm"], f"{demo.road}/gm/scenes/new"
    fields = {name.replace("__", "."): value for name, value in typed.items()}
    page = await gm.get(f"{at}?kind={kind}")
    kept = [(name, value) for name, value in page.form("/scenes/new").fields if name not in fields]
    opened = await gm.post(at, [*kept, *fields.items(), ("held", "copy")])
    assert "/scene/" in opened.path, opened.text
    return replace(demo, scene=opened.path.rpartition("/")[2])
