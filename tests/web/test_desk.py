"""The GM's desk without JavaScript: two battles and a vote from one page, and refusals that keep what was typed."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from fastapi import FastAPI

from app.campaign import seats, tokens
from app.play.demo import ensure_demo
from app.table.runtime import Runtime
from tests.web.browser import Browser

pytestmark = pytest.mark.anyio

ROAD = "/c/the-goblin-road"
Sit = Callable[[str], Browser]


@pytest.fixture
async def sit(site: FastAPI, open_browser: Callable[[], Browser]) -> Sit:
    """The demo's people with open browsers: a battle waits for the GM."""
    runtime: Runtime = site.state.runtime
    cookies = {}
    async with runtime.sessions.begin() as session:
        await ensure_demo(session, runtime.vault)
        campaign = await seats.by_slug(session, "the-goblin-road")
        assert campaign is not None
        for member in await seats.members(session, campaign.id):
            cookies[member.handle] = tokens.fresh()
            await seats.sit_down(session, member, "test", cookies[member.handle])

    def open_one(handle: str) -> Browser:
        browser = open_browser()
        browser.http.cookies.set("signet", cookies[handle], domain="signet.test", path=f"{ROAD}/{handle}")
        return browser

    return open_one


async def opened(gm: Browser) -> tuple[str, str]:
    """A second battle, with copies of the characters, and a vote; returns the ids of both."""
    page = await gm.get(f"{ROAD}/gm/scenes/new")
    typed = {"title": "The king’s ferry", "given.muster.wolf.count": "2"}
    fields = [(name, value) for name, value in page.form("/scenes/new").fields if name not in typed]
    battle = await gm.post(f"{ROAD}/gm/scenes/new", [*fields, *typed.items(), ("held", "copy")])
    asked = {"given.purpose": "Which way?", "given.options": "the pass\nthe ferry"}
    vote = await gm.send(await gm.get(f"{ROAD}/gm/decide/vote"), "/decide/vote", asked)
    assert "/scene/" in battle.path and "/scene/" in vote.path, (battle.text, vote.text)
    return battle.path.rpartition("/")[2], vote.path.rpartition("/")[2]


async def test_a_gm_works_two_battles_and_a_vote_from_one_page(sit: Sit) -> None:
    gm = sit("gm")
    battle, vote = await opened(gm)
    page = await gm.get(f"{ROAD}/gm/desk")
    text = page.text
    assert all(title in text for title in ("Goblins in the woods", "The king’s ferry", "Which way?"))
    assert "Set the scene (skipped)" in text and "You: set the scene" in text and "15 of 15 HP" in text
    assert "Open now: Alice, Bob, Charlie and you will abstain" in text
    assert "Open now: Alice, Bob, Charlie and you will stand ready" in text
    page = await gm.send(page, f"/scene/{battle}/act/time", {})
    assert page.path == f"{ROAD}/gm/scene/{battle}/act/time", "a time limit needs one of the buttons"
    assert page.status == 409 and "Give a time between one second and thirty days." in page.text
    page = await gm.post(
        f"{ROAD}/gm/scene/{battle}/act/time", [*page.form(f"{battle}/act/time").fields, ("seconds", "300")]
    )
    assert page.path == f"{ROAD}/gm/desk" and "GM set a time limit of 5 minutes." in page.text
    page = await gm.send(page, f"/scene/{vote}/act/pause")
    assert page.path == f"{ROAD}/gm/desk" and "Paused by the GM" in page.text
    assert not page.has_form(f"/scene/{vote}/act/open"), "what would be refused is not offered"
    page = await gm.send(page, f"/scene/{vote}/act/go-on")
    page = await gm.send(page, f"/scene/{vote}/act/open")
    assert "Which way?" not in [one for one in page.text.split(" · ")] and not page.has_form(f"/scene/{vote}/act/pause")
    page = await gm.send(page, f"/scene/{battle}/act/go-without")
    assert "Not waiting for Alice any more." in page.text and "GM continued without Alice." in page.text
    assert "Open now: Alice, Bob, Charlie and you will stand ready" in page.text, "still says whom it is about"
    page = await gm.send(page, f"/scene/{battle}/act/wait-again")
    assert "GM waits for Alice again." in page.text
    page = await gm.send(page, f"/scene/{battle}/act/open")
    assert "Declarations, done" in page.text and "GM opened “Round 1” early." in page.text
    live = await gm.get(f"{ROAD}/gm/desk/live")
    assert 'id="live"' in live.html and "<html" not in live.html
    home = await gm.get(f"{ROAD}/gm/")
    assert home.links.count(f"{ROAD}/gm/desk") == 2, "in the head of each of the GM's pages, and on this one"


async def test_what_is_refused_is_said_on_its_card(sit: Sit) -> None:
    gm, alice = sit("gm"), sit("alice")
    page = await gm.get(f"{ROAD}/gm/desk")
    first = await gm.send(page, "/act/pause")
    again = await gm.send(page, "/act/pause")
    assert again.status == 409 and "The scene is already paused." in again.text and "Notes" in again.text
    assert first.has_form("/act/go-on")
    assert (await alice.get(f"{ROAD}/alice/desk")).status == 403
    assert f"{ROAD}/alice/desk" not in (await alice.get(f"{ROAD}/alice/")).links


async def test_a_deadline_keeps_what_was_typed_until_it_can_be_read(sit: Sit) -> None:
    gm = sit("gm")
    _, vote = await opened(gm)
    at = f"/scene/{vote}/act/deadline"
    page = await gm.get(f"{ROAD}/gm/desk")
    wrong = {"real_date": "2026-13-01", "real_time": "at eight", "zone": "Mars/Olympus"}
    refused = await gm.send(page, at, wrong)
    assert refused.status == 422 and "Enter a date like 2026-12-24." in refused.text
    assert dict(refused.form(at).fields).items() >= wrong.items(), "what was typed, the zone too"
    past = {"real_date": "2001-01-01", "real_time": "20:00", "zone": "Europe/Vienna"}
    refused = await gm.send(refused, at, past)
    assert refused.status == 409 and "That moment has passed." in refused.text
    assert dict(refused.form(at).fields).items() >= past.items()
    soon = datetime.now(UTC) + timedelta(days=2)
    page = await gm.send(refused, at, {"real_date": f"{soon:%Y-%m-%d}", "real_time": "20:00", "zone": "UTC+2"})
    assert page.path == f"{ROAD}/gm/desk" and "18:00 UTC." in page.text, "the notice"
    on_its_day = f"{soon.day} {soon:%B}" + (f" {soon.year}" if soon.year != datetime.now(UTC).year else "")
    assert f"until {on_its_day}, 18:00 UTC" in page.text, "not a time of today"
    held = await gm.send(page, f"/scene/{vote}/act/hold")
    assert f"by {on_its_day}, 18:00 UTC at the latest." in " ".join(held.text.split())
    page = await gm.send(held, f"/scene/{vote}/act/release")
    page = await gm.send(page, f"/scene/{vote}/act/no-limit")
    assert "GM removed the time limit." in page.text and not page.has_form(f"/scene/{vote}/act/no-limit")
    paused = await gm.send(page, f"/scene/{vote}/act/pause")
    assert not paused.has_form(at) and "until" in paused.text, "a pause has an end, and takes no deadline"
    assert "renewed the pause" in (await gm.send(paused, f"/scene/{vote}/act/renew")).text
    await gm.send(paused, f"/scene/{vote}/act/go-on")
    await gm.send(page, f"/scene/{vote}/act/open")
    late = await gm.send(page, at, past)
    assert late.status == 409 and "This scene is over." in late.text and "2001-01-01" in late.text


async def test_notes_are_written_at_the_desk_and_a_clash_keeps_both(sit: Sit) -> None:
    gm = sit("gm")
    page = await gm.get(f"{ROAD}/gm/desk")
    saved = await gm.send(page, "/desk/notes", {"body": "The miller’s son is under the bridge."})
    assert saved.path == f"{ROAD}/gm/desk" and "Your notes are saved." in saved.text
    clash = await gm.send(page, "/desk/notes", {"body": "The shaman runs below 4 HP."})
    assert clash.status == 409 and "Goblins in the woods" in clash.text, "the answer is the desk"
    assert "The shaman runs below 4 HP." in clash.html and "The miller’s son is under the bridge." in clash.text


async def test_a_held_step_opens_at_the_gms_word(sit: Sit) -> None:
    """What players read while nothing happens, on a scene's page and on others; what a campaign settles beforehand."""
    gm, alice = sit("gm"), sit("alice")
    _, vote = await opened(gm)
    page = await gm.get(f"{ROAD}/gm/desk/steps")
    wanted = {"kind": "council/vote", "limit.vote": "3600", "held.vote": "yes", "limit.gm": ""}
    assert any(set(wanted) == form.names for form in page.forms)
    refused = await gm.post(f"{ROAD}/gm/desk/steps", {**wanted, "limit.vote": "a while"})
    assert refused.status == 422 and "Choose one of the time limits." in refused.text
    page = await gm.post(f"{ROAD}/gm/desk/steps", wanted)
    assert "Saved. It holds for steps that open from now on." in page.text
    page = await gm.get(f"{ROAD}/gm/desk?panel=log")
    assert "are listed here" in page.text
    page = await gm.send(page, f"/scene/{vote}/act/nudge")
    assert "GM nudged Alice, Bob and Charlie: the table is waiting." in page.text
    again = await gm.send(page, f"/scene/{vote}/act/nudge")
    assert again.status == 409 and "You can nudge again in 10 minutes." in again.text
    people = await alice.get(f"{ROAD}/alice/people")
    assert "The GM is waiting for your seal:" in people.text and 'data-awaited="nudged"' in people.html
    awaits = (await alice.get(f"{ROAD}/alice/awaits")).html
    assert '"nudged":true' in awaits
    await gm.send(page, f"/scene/{vote}/act/hold")
    for handle, one in (("alice", alice), ("bob", sit("bob")), ("charlie", sit("charlie")), ("gm", gm)):
        ballot = await one.get(f"{ROAD}/{handle}/scene/{vote}")
        fields = [*ballot.form(f"/scene/{vote}/lay").fields, ("choice", "1"), ("_act", "seal")]
        assert (await one.post(f"{ROAD}/{handle}/scene/{vote}/lay", fields)).status == 200
    waiting = await alice.get(f"{ROAD}/alice/scene/{vote}")
    assert "All have sealed. It opens when the GM says." in waiting.text
    assert "The GM is waiting" not in (await alice.get(f"{ROAD}/alice/people")).text
    page = await gm.get(f"{ROAD}/gm/desk")
    assert "Everyone has sealed. It opens when you say." in page.text
    page = await gm.send(page, f"/scene/{vote}/act/give-back")
    assert "decide again." in page.text or "gave all seals back." in page.text
    page = await gm.send(page, f"/scene/{vote}/act/open")
    assert not page.has_form(f"/scene/{vote}/act/open")
    _, vote = await opened(gm)
    page = await gm.get(f"{ROAD}/gm/desk")
    assert page.has_form(f"/scene/{vote}/act/release") and page.has_form(f"/scene/{vote}/act/no-limit")
