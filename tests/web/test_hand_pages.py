"""A fight's pages as a browser without JavaScript uses them: two decisions a round, faults at fields, no leaks."""

import html
import json
import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from fastapi import FastAPI

import app.rulesets
from app.campaign import seats, tokens
from app.table.house import House
from tests.web.browser import Browser, Page
from tests.web.hand_rules import PEOPLE, lay, rules_with_fights

pytestmark = pytest.mark.anyio
PAGE_AT_MOST = 30_000  # bytes of a duel's page in its first round, which is sent as it is


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

    async def answer(self, who: str, kind: str, /, **typed: str) -> Page:
        """Send the form of that kind as it stands, with some fields typed over; `__` in names is a dot."""
        page = await self.page(who)
        typed = {name.replace("__", "."): value for name, value in typed.items()}
        places = [json.loads(html.unescape(text)) for text in re.findall(r"data-seal='([^']+)'", page.html)]
        step = next(place["step"] for place in places if place["ask"] == kind)
        form = next(f for f in page.forms if f.action.endswith("/lay") and ("_step", step) in f.fields
                    and not any(n == "_act" and v == "take_back" for n, v in f.fields))  # fmt: skip
        kept = [(name, value) for name, value in form.fields if name not in typed and name != "_act"]
        return await self.browsers[who].post(form.action, [*kept, *typed.items(), ("_act", "seal")])


@pytest.fixture
def fights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.rulesets, "RULESETS", rules_with_fights())


@pytest.fixture
async def begin(fights: None, site: FastAPI, open_browser: Callable[[], Browser]) -> AsyncIterator[Callable[..., Any]]:
    async def begin_one(given: Any = None, settings: Any = None) -> Fight:
        house: House = site.state.house
        browsers = {}
        async with house.sessions.begin() as session:
            laid = await lay(session, house.vault, given=given, settings=settings)
            for name, member in laid.people.items():
                token = tokens.fresh()
                await seats.sit_down(session, member, "test", token)
                browsers[name] = open_browser()
                path = f"/c/{laid.campaign.slug}/{name}"
                browsers[name].http.cookies.set("signet", token, domain="signet.test", path=path)
        return Fight(f"/c/{laid.campaign.slug}/{{who}}/scene/{laid.scene}", browsers)

    yield begin_one


async def test_a_duel_to_its_end_in_two_decisions_a_round(begin: Callable[..., Any]) -> None:
    table: Fight = await begin(settings={"hand_between": "go-on"})
    assert await table.asked("gm") == ["setting"]
    await table.answer("gm", "setting", description="The ford at dusk.")
    for who in ("ella", "morten"):
        assert await table.asked(who) == ["ready"]
        assert (await table.answer(who, "ready")).status == 200
    asked: dict[tuple[str, str], int] = {}
    for _ in range(200):
        waiting = [(who, kinds[0]) for who in PEOPLE if (kinds := await table.asked(who))]
        if not waiting:
            break
        for who, kind in waiting:
            page = await table.page(who)
            number = re.findall(r'"step": "(r\d+)/', html.unescape(page.html))[0]
            assert number != "r1" or len(page.html) < PAGE_AT_MOST, len(page.html)
            asked[number, who] = asked.get((number, who), 0) + 1
            page = await table.answer(who, kind, **_deed(page, who) if kind == "act" else {})
            assert page.status == 200, re.findall(r'class="fault"[^>]*>([^<]*)', page.html)
    assert max(asked.values()) == 2, asked
    text = (await table.page("sam")).text
    assert "The fight is over" in text and "has won" in text


def _deed(page: Page, who: str) -> dict[str, str]:
    name = f"of.{who}.action"
    return {name: next(d for d in ("kill", "vicious", "stand", "wait") if f'name="{name}" value="{d}"' in page.html)}
