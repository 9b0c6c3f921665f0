"""A fight's pages as a browser without JavaScript uses them: two decisions a round, faults at fields, no leaks."""

import html
import json
import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from fastapi import FastAPI

import app.rulesets
from app.campaign import characters, founding, seats, tokens
from app.campaign.models import Role
from app.engine.ruleset import GM, Brief, Seat
from app.rulesets.chronicle.sheets import Sheet, Skills
from app.table.house import House
from app.table.opening import open_scene
from tests.web.browser import Browser, Page
from tests.web.hand_rules import with_fights

pytestmark = pytest.mark.anyio
PAGE_AT_MOST = 90_000  # bytes of a duel's page with a declaration open


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


PEOPLE = {
    "ella": Sheet(name="Ella", skills=Skills(control=5, fighting_mind=4, speed=5, strength=3), weapons=("sword",)),
    "morten": Sheet(name="Morten", skills=Skills(control=3, fighting_mind=3, speed=3, strength=4), weapons=("hammer",)),
}


@pytest.fixture
def fights(monkeypatch: pytest.MonkeyPatch) -> None:
    others = [ruleset for ruleset in app.rulesets.RULESETS if ruleset.key != "chronicle"]
    monkeypatch.setattr(app.rulesets, "RULESETS", (with_fights(), *others))


@pytest.fixture
async def begin(fights: None, site: FastAPI, open_browser: Callable[[], Browser]) -> AsyncIterator[Callable[..., Any]]:
    async def begin_one(given: Any = None, settings: Any = None) -> Fight:
        house: House = site.state.house
        rules = with_fights()
        browsers = {}
        async with house.sessions.begin() as session:
            founded = await founding.found(session, "The Valley", rules.key, "GM", "test")
            people = {"gm": founded.member}
            for key, sheet in PEOPLE.items():
                people[key] = await seats.add_member(session, founded.campaign, sheet.name, Role.PLAYER)
                typed = rules.character.dump_python(sheet, mode="json")
                await characters.create(session, founded.campaign, sheet.name, rules.key, typed, people[key])
            people["sam"] = await seats.add_member(session, founded.campaign, "Sam", Role.SPECTATOR)
            who = {Seat(key): (key,) for key in PEOPLE} | {GM: ()}
            brief = Brief(kind="hand", title="At the ford", seats=who, given=given or {})
            scene = await open_scene(session, house.vault, founded.campaign.id, rules.key, brief, settings or {})
            for name, member in people.items():
                token = tokens.fresh()
                await seats.sit_down(session, member, "test", token)
                browsers[name] = open_browser()
                path = f"/c/{founded.campaign.slug}/{name}"
                browsers[name].http.cookies.set("signet", token, domain="signet.test", path=path)
        return Fight(f"/c/{founded.campaign.slug}/{{who}}/scene/{scene}", browsers)

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
            assert len(page.html) < PAGE_AT_MOST, len(page.html)
            number = re.findall(r'"step": "(r\d+)/', html.unescape(page.html))[0]
            asked[number, who] = asked.get((number, who), 0) + 1
            page = await table.answer(who, kind, **_deed(page, who) if kind == "act" else {})
            assert page.status == 200, re.findall(r'class="fault"[^>]*>([^<]*)', page.html)
    assert max(asked.values()) == 2, asked
    text = (await table.page("sam")).text
    assert "The fight is over" in text and "has won" in text


def _deed(page: Page, who: str) -> dict[str, str]:
    name = f"of.{who}.action"
    return {name: next(d for d in ("kill", "vicious", "stand", "wait") if f'name="{name}" value="{d}"' in page.html)}
