"""Everybody at a scene, each in a browser of their own without JavaScript."""

import html
import json
import re
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import seats, tokens
from app.table.runtime import Runtime
from tests.web.browser import Browser, Page, PageForm


class Fight:
    """Everybody at a fight, each with a browser."""

    def __init__(self, at: str, browsers: dict[str, Browser]) -> None:
        self.at, self.browsers = at, browsers

    async def page(self, who: str) -> Page:
        page = await self.browsers[who].get(self.at.format(who=who))
        assert page.status == 200, page.text
        return page

    async def asked(self, who: str) -> list[str]:
        """The kinds of what is asked of somebody now, the GM's desk left out."""
        places = re.findall(r"data-seal='([^']+)'", (await self.page(who)).html)
        return [kind for text in places if (kind := json.loads(html.unescape(text))["ask"]) != "desk"]

    async def answer(self, who: str, kind: str, /, act: str = "seal", **typed: str) -> Page:
        """Send the form of that kind as it stands, with some fields typed over; `__` in names is a dot."""
        return await self.send(who, await self.form(who, kind), act, **typed)

    async def form(self, who: str, kind: str) -> PageForm:
        """The form that answers what is asked of somebody, as it stands in their page."""
        page = await self.page(who)
        places = [json.loads(html.unescape(text)) for text in re.findall(r"data-seal='([^']+)'", page.html)]
        step = next(place["step"] for place in places if place["ask"] == kind)
        return next(f for f in page.forms if f.action.endswith("/lay") and ("_step", step) in f.fields
                    and not any(n == "_act" and v == "take_back" for n, v in f.fields))  # fmt: skip

    async def send(self, who: str, form: PageForm, /, act: str = "seal", **typed: str) -> Page:
        """Send a form with some fields typed over. One that was refused can be sent again."""
        typed = {name.replace("__", "."): value for name, value in typed.items()}
        kept = [(name, value) for name, value in form.fields if name not in typed and name != "_act"]
        return await self.browsers[who].post(form.action, [*kept, *typed.items(), ("_act", act)])

    async def step(self, who: str, kind: str) -> str:
        """The key of the step in which that is asked of somebody."""
        places = re.findall(r"data-seal='([^']+)'", (await self.page(who)).html)
        return next(str(one["step"]) for text in places if (one := json.loads(html.unescape(text)))["ask"] == kind)


async def sit(session: AsyncSession, open_browser: Callable[[], Browser], laid: Any) -> dict[str, Browser]:
    """Put everybody of a scene into their chair, each with a browser; `laid` has its campaign and its people."""
    browsers = {}
    for name, member in laid.people.items():
        token = tokens.fresh()
        await seats.sit_down(session, member, "test", token)
        browsers[name] = open_browser()
        path = f"/c/{laid.campaign.slug}/{name}"
        browsers[name].http.cookies.set("signet", token, domain="signet.test", path=path)
    return browsers


async def seated(site: FastAPI, open_browser: Callable[[], Browser], lay: Callable[..., Any], **given: Any) -> Fight:
    """Lay a scene, and put everybody into their chair."""
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        laid = await lay(session, runtime.vault, **given)
        browsers = await sit(session, open_browser, laid)
    return Fight(f"/c/{laid.campaign.slug}/{{who}}/scene/{laid.scene}", browsers)
