"""What was stored at earlier commits is restored, read, played on and verified by the code of today.

A test that fails here has found a change after which campaigns, copies or receipts that people have do not open any
more, read otherwise, or are called dishonest. Nothing in the folders of these commits may be mended for it.
"""

import base64
import json
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, fields, replace
from itertools import zip_longest
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.archive.arriving import arrive
from app.archive.rows import SECRETS
from app.campaign import characters, goals, inviting, notes, seats
from app.db.engine import database_revisions, revisions, sync_engine
from app.engine.ruleset import Ask, LoggedEvent, Ruleset, Step
from app.main import create_app
from app.models.almanac import Crossing, Entry
from app.models.people import Character
from app.models.scenes import AskRow
from app.play.demo import ensure_demo
from app.receipts.file import Receipts, parse
from app.receipts.log import placed
from app.receipts.report import Report
from app.receipts.setup import STEP, read_setup
from app.receipts.verify import check, check_many
from app.rulesets import RULESETS, find, find_kind
from app.table import receipt
from app.table.loaded_scene import OldRules
from app.table.reading import SceneSight, sight
from tests.kinds import begin
from tests.selection import nightly
from tests.stored.conftest import COMMITS, ERAS, Era, Stored, Then, found, housed, settings
from tests.web.browser import Browser
from tests.web.role_matrix import SCENE, SEAT, VERDICTS, address
from tests.web.test_every_page import Evening

pytestmark = pytest.mark.anyio

SINCE = frozenset({("chronicle", "mass"), ("chronicle", "discussion"), ("chronicle", "journey")})
YOUNGER = {"3730be3": SINCE | {("throw", "throw"), ("skirmish", "skirmish")}, "48aa516": SINCE}
"""By commit, the kinds of scenes, ruleset first, that were made after it: nothing of them can be stored there."""
BESIDE = ("clock", "broken off", "stopped", "gone on without")
"""Scenes that lie beside those of every kind, by their names in `Era.ways_in`; the older commit has not all."""
ARMED = {"Ella": ["none", "sword"], "Morten": ["none", "hammer"], "Late chronicle": ["none", "sword"]}
NEWEST_EACH_COMMIT = pytest.mark.parametrize(
    "era", [*(pytest.param(one, marks=pytest.mark.nightly) for one in COMMITS[:-1]), COMMITS[-1]], indirect=True
)
"""What lies there from older commits is the night's."""
LOOKS = ("gm", "ann")  # whose pages are opened
SEEN_AS = f"{SCENE}/as/{{seat}}"  # of a scene that is open; its lines have numbers of their own
PAGES = [route for method, route in VERDICTS if method == "GET" and route.startswith(SCENE) and "/as/" not in route]
CAMPAIGN = (
    *("/", "/people", "/you", "/lines", "/own", "/own/{thing}", "/characters/{who}", "/scenes/new", "/calendar"),
    *(f"/calendar/{path}" for path in ("year", "agenda", "move", "entries/{entry_id}", "moved/{crossing_id}")),
)


def test_every_kind_of_scene_is_stored(era: Era) -> None:
    """A new kind is named in YOUNGER; one that is stored stays a kind for ever."""
    now = {(rules.key, kind.key) for rules in RULESETS for kind in rules.kinds}
    younger = YOUNGER[era.commit]
    for status in ("open", "over"):
        kinds = {(one.ruleset, one.kind) for one in era.of(status)}
        assert kinds | younger == now and not kinds & younger


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
    for one in then.era.scenes:
        for who in one.told:
            read = await seen(then, one.scene, who)
            assert (one, who, read.status, events(read)) == (one, who, one.status, as_told(one, who))
            assert (one, sealed(read)) == (one, one.steps) or who != "sam"


def sealed(read: SceneSight) -> dict[str, list[str]]:
    """Who has sealed, by the key of the open step."""
    return {step.key: [ask.seat for ask in step.asks if ask.status == "ready"] for step in read.steps}


def test_stored_receipts_are_honest(era: Era) -> None:
    """No file of then is called wrong now. A finished scene cannot be played again whole where somebody came into it
    and nobody recorded the sheet (docs/fairness.md), and not at all where its rules have another version now."""
    files = era.receipts
    scenes = {f"{one.ruleset}-{one.kind}-{one.status}" for one in era.scenes}
    assert {name.rsplit("-", 1)[0] for name in files} - {"without"} == scenes
    for who in ("ann", "sam"):
        mine = {name.removesuffix(f"-{who}"): file for name, file in files.items() if name.endswith(f"-{who}")}
        reports, apart = check_many(list(mine.values()))
        found = {name: (report.code, report.wrong) for name, report in zip(mine, reports, strict=True)}
        assert found == {name: (0 if plays_again(file) else 3, []) for name, file in mine.items()}
        assert apart == []
        assert all(
            bool(report.replayed) == same_rules(file)
            for report, file in zip(reports, mine.values(), strict=True)
            if file.opened
        )


def same_rules(file: Receipts) -> bool:
    """Whether its rules have the version of then, so that a finished scene can be played again from its file."""
    rules = find(file.header.ruleset)
    return rules.version_of(rules.kind(file.header.kind)) == file.header.version


def plays_again(file: Receipts) -> bool:
    """Whether all of it can be; of an open scene nothing is played yet."""
    came = [entry for entry in file.entries if entry.what == "entered" and entry.sheet is None]
    return file.opened is None or (same_rules(file) and not came)


def test_the_rules_ask_what_they_asked(era: Era) -> None:
    """At each closing of a whole game of every kind: key, pace, title, and who is asked what, in these words.

    Titles and calls are hashed, and a step that the rules would ask otherwise is stuck at its next closing; what
    people read instead stands in `SceneKind.words`."""
    for one in era.of("over"):
        said, now = asked(era.of_spectator(one))
        assert (one, now) == (one, said)


def asked(file: Receipts) -> tuple[list[str], list[str]]:
    """Each closed step of a finished scene in lines, as the record has it and as the rules ask it at that moment."""
    assert file.opened is not None
    rules, kind = find_kind(file.header.ruleset, file.header.kind)
    state = kind.start(read_setup(rules, file.opened.setup))
    said: list[str] = []
    now: list[str] = []
    for entry, _, logged, *_ in placed(Report(), file):
        if entry.step is not None:
            said += in_lines(STEP.validate_python(entry.step.model_dump(mode="json", exclude_unset=True)))
            now += [line for step in kind.steps(state) if step.key == entry.step.key for line in in_lines(step)]
        for one in logged:
            event = kind.event.validate_python(one.event)
            kind.apply(state, LoggedEvent(number=one.number, rule=one.rule, because=tuple(one.because), event=event))
    return said, now


def in_lines(step: Step) -> list[str]:
    """`r1/declare (plan): Round 1: declarations`, and a line for each ask with all its fields."""
    asks = [[getattr(ask, one.name) for one in fields(Ask)] for ask in step.asks]
    return [f"{step.key} ({step.pace}): {step.title}", *(str([_in_order(said) for said in ask]) for ask in asks)]


def _in_order(said: object) -> object:
    return sorted(said) if isinstance(said, frozenset) else said


def test_a_kind_with_a_version_of_its_own_takes_replay_from_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A vote of version 1 cannot be played again by version 2; a pick, a roll and "what comes next" still can."""
    rules = with_new_votes(monkeypatch, frozenset({"1"}))
    said = {}
    for one in ERAS["48aa516"].of("over"):
        if one.ruleset == rules.key:
            report = check(ERAS["48aa516"].of_spectator(one))
            said[one.kind] = report.code, report.wrong, report.unplayed
    old = "The scene was recorded with version 1 of the rules; this Signet has 2."
    good: tuple[int, list[str], list[str]] = 0, [], []
    assert said == {"vote": (3, [], [old]), "next": good, "order": good, "roll": good}


@pytest.mark.parametrize(("reads", "goes_on"), [({"1"}, True), ({"0"}, False)])
@pytest.mark.parametrize("era", ["48aa516"], indirect=True)
async def test_a_scene_goes_on_by_a_later_version_of_its_kind_that_reads_it(
    once_more: Then, monkeypatch: pytest.MonkeyPatch, reads: set[str], goes_on: bool
) -> None:
    rules = with_new_votes(monkeypatch, frozenset(reads))
    one = next(one for one in once_more.era.of("open") if one.kind == "vote")
    playing = Evening(once_more.runtime, once_more.campaign, once_more.people, {}, one.scene)
    if not goes_on:
        with pytest.raises(OldRules, match="version 1 of Deciding together; this server has 2 and cannot continue it"):
            await playing.play(1)
        return
    await playing.end(rules.kind("vote"))
    async with once_more.runtime.sessions.begin() as session:
        opened = Evening(once_more.runtime, once_more.campaign, once_more.people, {}, one.scene)
        new = {
            kind: await begin(session, opened.runtime.vault, opened.campaign, opened.people, rules, rules.kind(kind))
            for kind in ("vote", "roll")
        }
    versions = {kind: parse(await file_of(once_more, scene, "ann")).header.version for kind, scene in new.items()}
    assert versions == {"vote": "2", "roll": "1"}


def with_new_votes(monkeypatch: pytest.MonkeyPatch, reads: frozenset[str]) -> Ruleset[Any, Any]:
    """The rules of decisions, their kind "vote" in a version 2 of its own."""
    rules = find("council")
    kinds = [replace(kind, version="2", reads=reads) if kind.key == "vote" else kind for kind in rules.kinds]
    later = replace(rules, kinds=tuple(kinds))
    monkeypatch.setattr("app.rulesets.RULESETS", tuple(later if one is rules else one for one in RULESETS))
    return later


async def test_records_are_given_out_as_they_were(then: Then) -> None:
    """Line for line what was hashed then, so that files of then and of now are of one scene."""
    for name, old in then.era.receipts.items():
        new = parse(await file_of(then, uuid.UUID(old.header.scene), name.rsplit("-", 1)[1]))
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
    app: FastAPI = create_app(settings(restored, then.era.key))
    async with app.router.lifespan_context(app):
        browsers = {}
        for who, cookie in (("", ""), *then.era.ways_in["cookies"].items()):
            transport = httpx2.ASGITransport(app=app, raise_app_exceptions=True)
            browsers[who] = Browser(httpx2.AsyncClient(transport=transport, base_url="http://signet.test"))
            browsers[who].http.cookies.set(
                "signet", cookie, domain="signet.test", path=f"/c/{then.campaign.slug}/{who}"
            )
        yield Site(then, browsers)
        for browser in browsers.values():
            await browser.http.aclose()


@NEWEST_EACH_COMMIT
async def test_every_page_opens_by_the_cookies_of_then(site: Site) -> None:
    """Each scene to a GM and a player: the scene itself, and by night all its other pages.
    Then people, characters and their lives, the calendar and what happened, own things."""
    wrong = []
    for one in site.then.era.scenes:
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
    ways_in = site.then.era.ways_in
    feed = await browser.http.get(f"/feed/{slug}/{ways_in['feed']}.ics")
    assert feed.status_code == 200 and "BEGIN:VCALENDAR" in feed.text
    assert (await browser.get(f"/enter/{slug}/{ways_in['link']}")).status == 200
    async with runtime.sessions() as session:
        by_link = await seats.by_link(session, slug, ways_in["link"])
        assert by_link is not None and by_link[1].handle == "ann"
        invited = await inviting.preview(session, slug, ways_in["invitation"])
        assert (invited.state, invited.invitation.for_name) in (("open", "Dora"), ("over", "Dora"))
        assert [link for _, link in await ensure_demo(session, runtime.vault)] == ways_in["demo"]
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
    assert armed == ARMED


@NEWEST_EACH_COMMIT
async def test_the_stored_archive_arrives_and_is_played_on(era: Era, db_url: str) -> None:
    """Into an empty Signet with another key: every scene reads as it did, and what was open is asked anew."""
    other = base64.b64encode(b"another key of thirty-two bytes.").decode()
    arrived = await arrive(settings(db_url, other), era.folder / "every-game.signet", None)
    assert not arrived.proved and not SECRETS & set(arrived.rows), "of format 1"
    beside = [name for name in BESIDE if name in era.ways_in]
    assert arrived.rows["scenes"] == len(era.scenes) + len(beside)
    async with housed(db_url, other) as runtime:
        then = await found(era, runtime)
        for one in era.scenes:
            for who in LOOKS:
                read = await seen(then, one.scene, who)
                assert (one, who, read.status, events(read)) == (one, who, one.status, as_told(one, who))
        for one in era.of("open"):
            await Evening(runtime, then.campaign, then.people, {}, one.scene).play(1)
            assert await answered(then, one), f"{one}: nothing that was asked then has been opened"


async def test_a_scene_stays_broken_off_and_another_stopped(then: Then) -> None:
    """The seal in the first stays a wax that checking accepts; the second still says that somebody wants to stop."""
    for name, status, stopped in (("broken off", "abandoned", False), ("stopped", "open", True)):
        scene = uuid.UUID(then.era.ways_in[name])
        read = await seen(then, scene, "ann")
        assert (read.status, read.stopped) == (status, stopped)
        report = check(file := parse(await file_of(then, scene, "ann")))
        assert (report.code, report.wrong) == (0 if plays_again(file) else 3, [])


async def test_open_scenes_are_played_on(once_more: Then) -> None:
    """What lies in a step that was open counts when it is opened now, seals and drafts; the scene goes on to its end,
    and its whole record, half of it of then, is honest. Where the rules have another version now, checking says so."""
    hows = set()
    for one in once_more.era.of("open"):
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
        report = check(file := parse(await file_of(once_more, one.scene, "ann")))
        assert (one, report.code, report.wrong) == (one, 0 if same_rules(file) else 3, [])
    assert hows >= {"sealed", "draft"}


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
    scene = uuid.UUID(then.era.ways_in["clock"])
    await then.runtime.sweep()
    read = await seen(then, scene, "gm")
    assert read.status == "over"
    assert {ask.seat: ask.how for ask in read.chapters[0].step.asks} == {"ann": "sealed", "bea": "draft"}
