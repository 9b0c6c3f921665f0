"""What was stored at commit 3730be3 is restored, read, played on and verified by the code of today.

A test that fails here has found a change after which campaigns, copies or receipts that people have do not open any
more, read otherwise, or are called dishonest. Nothing in the folder 3730be3 may be mended for it.
"""

import base64
import json
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.archive.arriving import arrive
from app.campaign import characters, goals, inviting, notes, seats
from app.db.engine import database_revisions, revisions, sync_engine
from app.main import create_app
from app.models.almanac import Crossing, Entry
from app.models.people import Character
from app.models.scenes import AskRow
from app.play.demo import ensure_demo
from app.receipts.file import parse
from app.receipts.verify import check, check_many
from app.rulesets import RULESETS, find
from app.table import receipt
from app.table.reading import SceneSight, sight
from tests.selection import nightly
from tests.stored.conftest import SCENES, THEN, WAYS_IN, Stored, Then, found, housed, receipts, settings
from tests.web.browser import Browser
from tests.web.role_matrix import SCENE, SEAT, VERDICTS, address
from tests.web.test_every_page import Evening

pytestmark = pytest.mark.anyio

YOUNGER = frozenset({("throw", "throw"), ("skirmish", "skirmish")})
"""Kinds of scenes, ruleset first, that were made after commit 3730be3: nothing of them can be stored there."""
VERSION = "1"
"""Of every ruleset at commit 3730be3."""
OPEN = [one for one in SCENES if one.status == "open"]
OVER = [one for one in SCENES if one.status == "over"]
LOOKS = ("gm", "ann")  # whose pages are opened
SEEN_AS = f"{SCENE}/as/{{seat}}"  # of a scene that is open; its lines have numbers of their own
PAGES = [route for method, route in VERDICTS if method == "GET" and route.startswith(SCENE) and "/as/" not in route]
CAMPAIGN = (
    *("/", "/people", "/you", "/lines", "/own", "/own/{thing}", "/characters/{who}", "/scenes/new", "/calendar"),
    *(f"/calendar/{path}" for path in ("year", "agenda", "move", "entries/{entry_id}", "moved/{crossing_id}")),
)


def test_every_kind_of_scene_is_stored() -> None:
    """A new kind is named in YOUNGER; one that is stored stays a kind for ever."""
    now = {(rules.key, kind.key) for rules in RULESETS for kind in rules.kinds}
    for stored in (OPEN, OVER):
        kinds = {(one.ruleset, one.kind) for one in stored}
        assert kinds | YOUNGER == now and not kinds & YOUNGER


def test_the_dump_comes_to_our_tables(restored: str) -> None:
    engine = sync_engine(restored)
    with engine.connect() as connection:
        assert database_revisions(connection) == (revisions()[1],) * 2
    engine.dispose()


async def seen(then: Then, scene: uuid.UUID, who: str) -> SceneSight:
    async with then.runtime.repeatable_read() as session:
        return await sight(session, then.runtime.vault, then.campaign.id, scene, then.people[who])


def events(read: SceneSight) -> list[list[Any]]:
    return [[one.number, one.rule, list(one.because), one.event] for chapter in read.chapters for one in chapter.events]


def as_told(one: Stored, who: str) -> list[list[Any]]:
    """The events that somebody had read, as the rules of today spell them."""
    event = find(one.ruleset).kind(one.kind).event
    return [[*where, event.validate_json(json.dumps(said))] for *where, said in one.told[who]]


async def test_scenes_read_as_they_did(then: Then) -> None:
    """The same events, by the same rules, with the same reasons, to each of its people; and the same seals lie."""
    for one in SCENES:
        for who in one.told:
            read = await seen(then, one.scene, who)
            assert (one, who, read.status, events(read)) == (one, who, one.status, as_told(one, who))
            assert (one, sealed(read)) == (one, one.steps) or who != "sam"


def sealed(read: SceneSight) -> dict[str, list[str]]:
    """Who has sealed, by the key of the open step."""
    return {step.key: [ask.seat for ask in step.asks if ask.status == "ready"] for step in read.steps}


def test_stored_receipts_are_honest() -> None:
    """No file of then is called wrong now. Only a scene into which somebody came cannot be played again whole, for
    then nobody recorded the sheet (docs/fairness.md), and none at all of rules that have another version now."""
    files = receipts()
    late = {f"{one.ruleset}-{one.kind}-{one.status}" for one in OVER if one.late or other_rules(one)}
    assert {name.rsplit("-", 1)[0] for name in files} == {f"{one.ruleset}-{one.kind}-{one.status}" for one in SCENES}
    for who in ("ann", "sam"):
        mine = {name.removesuffix(f"-{who}"): file for name, file in files.items() if name.endswith(f"-{who}")}
        reports, apart = check_many(list(mine.values()))
        found = {name: (report.code, report.wrong) for name, report in zip(mine, reports, strict=True)}
        assert found == {name: (3 if name in late else 0, []) for name in mine}
        assert apart == []
        assert all(
            bool(report.replayed) == (find(file.header.ruleset).version == file.header.version)
            for report, file in zip(reports, mine.values(), strict=True)
            if file.opened
        )


def other_rules(one: Stored) -> bool:
    """Whether its rules have another version by now, so that it goes on but cannot be played again from its file."""
    return find(one.ruleset).version != VERSION


async def test_records_are_given_out_as_they_were(then: Then) -> None:
    """Line for line what was hashed then, so that files of then and of now are of one scene."""
    for name, old in receipts().items():
        ruleset, kind, status, who = name.split("-")
        one = next(one for one in SCENES if (one.ruleset, one.kind, one.status) == (ruleset, kind, status))
        new = parse(await file_of(then, one.scene, who))
        assert (name, new.records, new.mine, new.opened) == (name, old.records, old.mine, old.opened)
        assert new.header == old.header


async def file_of(then: Then, scene: uuid.UUID, who: str) -> str:
    async with then.runtime.repeatable_read() as session:
        return await receipt.lines(session, then.runtime.vault, then.campaign.id, scene, then.people[who])


@dataclass
class Site:
    """Today's app over the stored database, and browsers that hold the cookies of then."""

    then: Then
    browsers: dict[str, Browser]

    async def wrong(self, viewer: str, route: str, **parts: object) -> list[tuple[str, str, int]]:
        """A page that somebody does not get, or gets against the matrix of routes."""
        path = address(route, slug=self.then.campaign.slug, handle=viewer, **parts)
        answer = await self.browsers[viewer].get(path + ("?step=999" if route.endswith("/replay") else ""))
        expected = 403 if VERDICTS["GET", route] == "gm" and viewer != "gm" else 200
        return [] if answer.status == expected and answer.html else [(viewer, path, answer.status)]


@pytest.fixture
async def site(then: Then, restored: str) -> AsyncIterator[Site]:
    app: FastAPI = create_app(settings(restored))
    async with app.router.lifespan_context(app):
        browsers = {}
        for who, cookie in (("", ""), *WAYS_IN["cookies"].items()):
            transport = httpx2.ASGITransport(app=app, raise_app_exceptions=True)
            browsers[who] = Browser(httpx2.AsyncClient(transport=transport, base_url="http://signet.test"))
            browsers[who].http.cookies.set(
                "signet", cookie, domain="signet.test", path=f"/c/{then.campaign.slug}/{who}"
            )
        yield Site(then, browsers)
        for browser in browsers.values():
            await browser.http.aclose()


async def test_every_page_opens_by_the_cookies_of_then(site: Site) -> None:
    """Each scene to a GM and a player: the scene itself, and by night all its other pages.
    Then people, characters and their lives, the calendar and what happened, own things."""
    wrong = []
    for one in SCENES:
        routes = PAGES if nightly() else [SCENE]
        if one.status == "open":
            routes = [*routes, SEEN_AS]
        for who in LOOKS:
            number = one.told[who][-1][0] if one.told[who] else 0
            for route in routes:
                if number or "{number}" not in route:
                    wrong += await site.wrong(who, route, scene_id=one.scene, number=number)
    async with site.then.runtime.sessions() as session:
        mine = site.then.campaign.id
        known = (Character.campaign_id == mine, Character.owner_id.is_not(None))  # the others only GMs know
        cast = await session.execute(select(Character.ruleset, Character.slug).where(*known))
        dates = await session.scalars(select(Entry.id).where(Entry.campaign_id == mine, Entry.seen_by == "all"))
        moved = await session.scalars(select(Crossing.id).where(Crossing.campaign_id == mine))
        parts = [
            {"who": slug, "entry_id": date, "crossing_id": move, "thing": "own_frost_ring"}
            for slug, date, move in zip_longest({rules: slug for rules, slug in cast}.values(), dates, moved)
        ]
    for who in LOOKS:
        for route in CAMPAIGN:
            for part in parts if "{" in route.removeprefix(SEAT) else parts[:1]:
                if all(value is not None for name, value in part.items() if f"{{{name}}}" in route):
                    wrong += await site.wrong(who, SEAT + route, **part)
    assert wrong == []


async def test_links_of_then_open_their_seats(site: Site) -> None:
    """A personal link, a calendar's address, the links of a demo; an invitation is known until it is over."""
    slug, browser, runtime = site.then.campaign.slug, site.browsers[""], site.then.runtime
    feed = await browser.http.get(f"/feed/{slug}/{WAYS_IN['feed']}.ics")
    assert feed.status_code == 200 and "BEGIN:VCALENDAR" in feed.text
    assert (await browser.get(f"/enter/{slug}/{WAYS_IN['link']}")).status == 200
    async with runtime.sessions() as session:
        by_link = await seats.by_link(session, slug, WAYS_IN["link"])
        assert by_link is not None and by_link[1].handle == "ann"
        invited = await inviting.preview(session, slug, WAYS_IN["invitation"])
        assert (invited.state, invited.invitation.for_name) in (("open", "Dora"), ("over", "Dora"))
        assert [link for _, link in await ensure_demo(session, runtime.vault)] == WAYS_IN["demo"]
        await session.rollback()


async def test_what_is_written_in_boxes_opens(then: Then) -> None:
    async with then.runtime.sessions() as session:
        alice = await characters.find(session, then.campaign.id, "alice")
        assert (await goals.read(session, then.runtime.vault, alice, then.people["ann"])).words == "Find my sister."
        assert (await notes.read(session, then.campaign.id, then.people["gm"])).body.startswith("The baron did it.")


async def test_belongings_of_then_count_as_they_did_and_are_stored_as_they_were(then: Then) -> None:
    """Sheets of Chronicle had words alone; whoever reads one writes the same words again."""
    rules, found = find("chronicle"), dict[str, list[str]]()
    async with then.runtime.repeatable_read() as session:
        for sheet in await session.scalars(select(Character.sheet).where(Character.ruleset == rules.key)):
            read = rules.character.validate_python(sheet)
            found[read.name] = [read.armour.armour, *(one.item for one in read.weapons)]
            dumped = rules.character.dump_python(read, mode="json")
            assert (dumped["weapons"], dumped["armour"]) == (sheet["weapons"], sheet["armour"])
    armed = {name: gear for name, gear in found.items() if gear != ["none"]}
    assert armed == {"Ella": ["none", "sword"], "Morten": ["none", "hammer"], "Late chronicle": ["none", "sword"]}


async def test_the_stored_archive_arrives_and_is_played_on(db_url: str) -> None:
    """Into an empty Signet with another key: every scene reads as it did, and what was open is asked anew."""
    other = base64.b64encode(b"another key of thirty-two bytes.").decode()
    arrived = await arrive(settings(db_url, other), THEN / "every-game.signet", None)
    assert arrived.rows["scenes"] == len(SCENES) + len(("clock", "broken off", "stopped"))
    async with housed(db_url, other) as runtime:
        then = await found(runtime)
        for one in SCENES:
            for who in LOOKS:
                read = await seen(then, one.scene, who)
                assert (one, who, read.status, events(read)) == (one, who, one.status, as_told(one, who))
        for one in OPEN:
            await Evening(runtime, then.campaign, then.people, {}, one.scene).play(1)
            assert await answered(then, one), f"{one}: nothing that was asked then has been opened"


async def test_a_scene_stays_broken_off_and_another_stopped(then: Then) -> None:
    """The seal in the first stays a wax that checking accepts; the second still says that somebody wants to stop."""
    for name, status, stopped in (("broken off", "abandoned", False), ("stopped", "open", True)):
        scene = uuid.UUID(WAYS_IN[name])
        read = await seen(then, scene, "ann")
        assert (read.status, read.stopped) == (status, stopped)
        assert check(parse(await file_of(then, scene, "ann"))).code == 0


async def test_open_scenes_are_played_on(once_more: Then) -> None:
    """What lies in a step that was open counts when it is opened now, seals and drafts; the scene goes on to its end,
    and its whole record, half of it of then, is honest. Where the rules have another version now, checking says so."""
    hows = set()
    for one in OPEN:
        playing = Evening(once_more.runtime, once_more.campaign, once_more.people, {}, one.scene)
        before, lies = events(await seen(once_more, one.scene, "ann")), await lying(once_more, one)
        await playing.play(1)
        closed = await answered(once_more, one)
        assert closed, f"{one}: nothing that was asked then has been opened"
        assert (one, closed) == (one, {place: lies.get(place, "default") for place in closed})
        hows |= set(closed.values())
        await playing.end(find(one.ruleset).kind(one.kind))
        after = events(await seen(once_more, one.scene, "ann"))
        assert after[: len(before)] == before and len(after) > len(before)
        report = check(parse(await file_of(once_more, one.scene, "ann")))
        assert (one, report.code, report.wrong) == (one, 3 if other_rules(one) else 0, [])
    assert hows == {"sealed", "draft"}


async def lying(then: Then, one: Stored) -> dict[tuple[str, str], str]:
    """What lies in the open steps: step and seat, a seal or a draft."""
    found = {}
    for who in then.people:
        for step in (await seen(then, one.scene, who)).steps:
            mine = [ask for ask in step.asks if ask.mine and not ask.mine.returned]
            found |= {(step.key, ask.seat): "sealed" if ask.status == "ready" else "draft" for ask in mine}
    return found


async def answered(then: Then, one: Stored) -> dict[tuple[str, str], str]:
    """How steps that were open then have been answered: step and seat, how."""
    async with then.runtime.sessions() as session:
        rows = await session.execute(
            select(AskRow.step_key, AskRow.seat, AskRow.how).where(
                AskRow.campaign_id == then.campaign.id,
                AskRow.scene_id == one.scene,
                AskRow.step_key.in_(one.steps),
                AskRow.how.is_not(None),
            )
        )
        return {(key, seat): str(how) for key, seat, how in rows}


async def test_a_clock_that_has_run_out_meanwhile_opens_its_step(then: Then) -> None:
    scene = uuid.UUID(WAYS_IN["clock"])
    await then.runtime.sweep()
    read = await seen(then, scene, "gm")
    assert read.status == "over"
    assert {ask.seat: ask.how for ask in read.chapters[0].step.asks} == {"ann": "sealed", "bea": "draft"}
