"""A fight's pages as a browser without JavaScript uses them: two decisions a round, faults at fields, no leaks."""

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI

from tests.hand_fight import PEOPLE, lay
from tests.web.browser import Browser, Page
from tests.web.seated_fight import Fight, seated

pytestmark = pytest.mark.anyio
PAGE_AT_MOST = 31_500  # bytes of a duel's page in its first round, which is sent as it is


@pytest.fixture
def begin(site: FastAPI, open_browser: Callable[[], Browser]) -> Callable[..., Any]:
    async def begin_one(given: Any = None, settings: Any = None) -> Fight:
        return await seated(site, open_browser, lay, given=given, settings=settings)

    return begin_one


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
        if not waiting and await table.asked("gm") == ["next"]:
            page = await table.page("gm")  # one is down, the other stands: only the GM knows whether that is the end
            assert "Fighters who are down still defend" in page.text and "Down" in page.text
            assert (await table.answer("gm", "next", go="end")).status == 200
            continue
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
    assert "The fight is over" in text
    fell = [name for name in ("Ella", "Morten") if re.search(rf"{name}, side [AB], [^.]*(?:Helpless|Down)", text)]
    assert "has won" in text or len(fell) == 2, "of two who fall at once nobody has won"
    why = set(re.findall(r'href="([^"]+/why/\d+)"', (await table.page("sam")).html))
    for address in sorted(why)[:6]:
        assert "CHR-" in (await table.browsers["sam"].get(address)).text
    campaign = table.at.format(who="gm").split("/scene/")[0]
    sheets = [await table.browsers["gm"].get(f"{campaign}/characters/{who}") for who in PEOPLE]
    assert any("Major wound of the" in page.html and "a Major wound" in page.text for page in sheets)


def _deed(page: Page, who: str) -> dict[str, str]:
    name = f"of.{who}.action"
    return {name: next(d for d in ("kill", "vicious", "stand", "wait") if f'name="{name}" value="{d}"' in page.html)}


async def test_what_is_wrong_stands_at_its_field_and_nothing_typed_is_lost(begin: Callable[..., Any]) -> None:
    table: Fight = await begin()
    page = await table.answer("gm", "setting", description="A narrow bridge.", width="9", blocked="here")
    assert page.status == 422 and "Write squares as x,y" in page.text
    assert "A narrow bridge." in page.text and 'value="here"' in page.html and 'value="9"' in page.html
    await table.answer("gm", "setting", description="A narrow bridge.", width="9", height="5", blocked="4,1 4,2",
                       gap="2", ambush="b")  # fmt: skip
    for who in PEOPLE:
        await table.answer(who, "ready")
    page = await table.answer("ella", "act", of__ella__action="stand")
    assert page.status == 422 and "You are already on your feet." in page.text
    page = await table.answer("ella", "act", of__ella__action="ready", of__ella__into="")
    assert page.status == 422 and "Choose the hand you want to change." in page.text
    page = await table.answer("gm", "desk", what="correct", who="morten", reason="")
    assert page.status == 422 and "Say why; everyone reads it." in page.text
    await table.answer("gm", "desk", what="correct", who="morten", reason="He slipped.", prone="yes",
                       wounds__left_arm__minor="2")  # fmt: skip
    await table.answer("gm", "desk", what="join", template="brigand", name="Rurik", side="b", reason="Out of the wood")
    page = await table.page("sam")
    assert "He slipped." in page.text and "PRONE" in page.text and "2 Minor wounds: left arm" in page.text
    assert "Rurik" in page.text and "Blocked: 4,1." in page.text and "Side B springs an ambush." in page.text
    assert page.text.count(", facing ") == 2


async def test_standing_choices_are_nobody_elses(begin: Callable[..., Any]) -> None:
    """Two tables that differ in nothing but Ella's standing choices look the same to everybody else."""
    seen: list[dict[str, str]] = []
    for stand in ({}, {"protect": "right_leg", "strike": "head", "suffer": "body", "prefer": "dodge", "dodge": "sw"}):
        table: Fight = await begin()
        await table.answer("gm", "setting", description="The ford.")
        typed = {f"of.ella.stand.{name}": value for name, value in stand.items()}
        await table.answer("ella", "ready", **typed)
        await table.answer("morten", "ready")
        own = (await table.page("ella")).html
        assert ("protect the right leg" in own) == bool(stand)
        found = {}
        for who in ("gm", "morten", "sam"):
            for part in ("", "/story", "/verify"):
                page = await table.browsers[who].get(table.at.format(who=who) + part)
                found[who + part] = _told(page.html)
        seen.append(found)
    for place in seen[0]:
        assert "right leg" not in seen[1][place] or "right leg" in seen[0][place], place
    assert seen[0].keys() == seen[1].keys()
    for place, text in seen[1].items():
        assert text.count("<li") == seen[0][place].count("<li"), f"{place} counts what is hidden"


def _told(text: str) -> str:
    return re.sub(r"<summary>Standing choices.*?</details>", "", text, flags=re.S)


async def test_who_wants_to_be_asked_is_asked(begin: Callable[..., Any]) -> None:
    """Footwork on the ground, a part to protect, a part to hit: each has a form that answers as it stands."""
    table: Fight = await begin(settings={"hand_between": "go-on"})
    await table.answer("gm", "setting")
    ask = {f"stand.{name}": "ask" for name in ("distance", "protect", "strike", "suffer", "follow", "steps", "contest")}
    for who in PEOPLE:
        await table.answer(who, "ready", **{f"of.{who}.{name}": value for name, value in ask.items()})
    seen: set[str] = set()
    deeds = ("quick", "push", "trip", "tackle", "hold", "controlled", "bash", "feint", "flurry", "vicious")
    for turn in range(120):
        waiting = [(who, kinds[0]) for who in PEOPLE if (kinds := await table.asked(who))]
        if not waiting or seen >= {"move", "act", "defend", "protect", "pick"}:
            break
        for who, kind in waiting:
            typed = {}
            if kind in ("protect", "pick"):
                page = await table.page(who)
                name = re.findall(r'type="radio" name="(of\.[a-z]+)"', page.html)[0]
                parts = re.findall(rf'name="{re.escape(name)}" value="(\w+)">', page.html)
                assert len(parts) >= 4
                typed = {name: parts[0]}
            if kind == "act":
                html_now = (await table.page(who)).html
                may = [d for d in ("quick", *deeds[turn % 10 :], "stand", "break-tackle", "break-hold", "wait")
                       if f'name="of.{who}.action" value="{d}"' in html_now]  # fmt: skip
                typed = {f"of.{who}.action": may[0]}
            page = await table.answer(who, kind, **typed)
            assert page.status == 200, (kind, re.findall(r'class="fault"[^>]*>([^<]*)', page.html))
            seen.add(kind)
    assert seen >= {"move", "act", "defend"} and seen & {"protect", "pick"}, seen


async def test_a_fight_is_opened_from_its_form(begin: Callable[..., Any]) -> None:
    table: Fight = await begin()
    base = table.at.format(who="gm").split("/scene/")[0]
    page = await table.browsers["gm"].get(f"{base}/scenes/new?ruleset=chronicle&kind=hand")
    assert "Town guard" in page.text
    typed = {"title": "At the gate", "seat[]": "ella", "given.muster.guard.count": "x"}
    form = next(f for f in page.forms if f.action.endswith("/scenes/new"))
    rest = [(name, value) for name, value in form.fields if name not in typed]
    page = await table.browsers["gm"].post(form.action, [*rest, *typed.items()])
    assert page.status == 422 and "enter how many" in page.text and 'value="At the gate"' in page.html
    typed |= {"given.muster.guard.count": "3", "held": "copy"}  # Ella fights at the ford, too
    page = await table.browsers["gm"].post(form.action, [*rest, *typed.items()])
    assert page.status == 200 and "Town guard 3" in page.text and "lay out the ground" in page.text
