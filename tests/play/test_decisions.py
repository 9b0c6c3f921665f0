"""Decisions at the real table: who sits there, what is asked after a scene, what their end puts on the calendar."""

import asyncio
import json
import uuid
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import select

from app.almanac import calendar_state
from app.campaign import people, seats
from app.errors import Conflict, NotThere, NotYours
from app.models.almanac import Entry
from app.models.people import Campaign, Character
from app.models.scenes import Envelope, Scene, SeatHolder, SeatRow
from app.play import decisions
from app.receipts.file import parse
from app.receipts.verify import check
from app.table import gm_actions, receipt
from app.table.runtime import Runtime
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

Q = {"purpose": "Which way?", "options": ["the pass", "the ferry"], "otherwise": 2, "gm": True}


@pytest.fixture
async def table(runtime: Runtime) -> Table:
    return await sit_down(runtime)


async def _campaign(table: Table) -> Campaign:
    async with table.runtime.sessions() as session:
        found = await session.get(Campaign, table.campaign)
    assert found is not None
    return found


async def _call(
    table: Table, kind: str, given: dict[str, Any], who: Sequence[str] = ("ann", "bea", "cyd"), **settings: Any
) -> uuid.UUID:
    async with table.runtime.sessions.begin() as session:
        campaign = await _campaign(table)
        table.scene = await decisions.call(
            session, table.runtime.vault, campaign, table.people["gm"], kind, who, given, settings
        )
    return table.scene


async def _settings(table: Table, **settings: Any) -> None:
    async with table.runtime.sessions.begin() as session:
        campaign = await seats.hold(session, table.campaign)
        campaign.settings = {**campaign.settings, **settings}


async def _entries(table: Table) -> list[Entry]:
    async with table.runtime.sessions() as session:
        rows = await session.scalars(
            select(Entry).where(Entry.campaign_id == table.campaign).order_by(Entry.day, Entry.made_no)
        )
        return list(rows)


async def _vote(table: Table, **choices: int) -> None:
    for who, choice in choices.items():
        await table.lay(who, "vote", {"choice": choice})


async def test_a_vote_is_sealed_and_opens_whole(table: Table) -> None:
    await _call(table, "vote", Q)
    seen = await table.sight("gm")
    assert [(seat.seat, seat.name, seat.holders) for seat in seen.seats] == [
        ("ann", "Ann", ("Ann",)), ("bea", "Bea", ("Bea",)), ("cyd", "Cyd", ("Cyd",)), ("gm", "GM", ("Gm",)),
    ]  # fmt: skip
    await _vote(table, ann=1, bea=1, cyd=2)
    seen = await table.sight("gm")
    assert not seen.view.over and not seen.chapters
    assert all(ask.mine is None for step in seen.steps for ask in step.asks if ask.seat != "gm")
    await _vote(table, gm=1)
    seen = await table.sight("sam")
    assert (seen.status, seen.view.votes, seen.view.choice) == ("over", (3, 1), 1)
    assert seen.view.ballots == {"ann": 1, "bea": 1, "cyd": 2, "gm": 1}


async def test_a_secret_ballot_opens_no_seal_for_anybody_ever(table: Table) -> None:
    await _call(table, "vote", Q, secret="on")
    await _vote(table, ann=1, bea=2, cyd=1, gm=1)
    for who in ("gm", "ann", "sam"):
        seen = await table.sight(who)
        assert (seen.status, seen.view.votes, seen.view.ballots) == ("over", (3, 1), {})
        async with table.runtime.sessions() as session:
            text = await receipt.lines(session, table.runtime.vault, table.campaign, table.scene, table.people[who])
        found = [json.loads(line) for line in text.splitlines()]
        words = [line["mine"]["seat"] for line in found if "mine" in line]
        assert words == ([who] if who != "sam" else []), "only one's own vote is in the file"
        assert all("words" not in row for line in found if "record" in line for row in _rows(line))
        report = check(parse(text))
        assert not report.wrong, report.wrong
    async with table.runtime.sessions() as session:
        laid = await session.scalars(select(Envelope).where(Envelope.campaign_id == table.campaign))
        assert all(envelope.opened is None for envelope in laid)


def _rows(line: dict[str, Any]) -> list[dict[str, Any]]:
    return list(json.loads(line["record"]).get("rows", ()))


async def test_the_same_form_twice_is_one_vote(table: Table) -> None:
    campaign, once = await _campaign(table), "o" * 43

    async def press() -> uuid.UUID:
        async with table.runtime.sessions.begin() as session:
            who = ["ann", "bea"]
            return await decisions.call(
                session, table.runtime.vault, campaign, table.people["gm"], "vote", who, Q, {}, once
            )

    assert await press() == await press()


async def test_players_call_decisions_only_where_the_campaign_wants_it(table: Table) -> None:
    async def by(who: str) -> uuid.UUID:
        async with table.runtime.sessions.begin() as session:
            campaign = await seats.hold(session, table.campaign)
            return await decisions.call(
                session, table.runtime.vault, campaign, table.people[who], "vote", ["ann", "bea"], Q, {}
            )

    with pytest.raises(NotYours):
        await by("ann")
    await _settings(table, council_players=True)
    assert await by("ann")
    with pytest.raises(NotYours):
        await by("sam")


async def test_nobody_votes_who_is_no_player(table: Table) -> None:
    for who in (["ann", "sam"], ["ann", "nobody"]):
        with pytest.raises(NotThere):
            await _call(table, "vote", Q, who)


async def test_whoever_leaves_takes_their_voice_along(table: Table) -> None:
    """The GM must not vote twice."""
    await _call(table, "vote", Q, seconds=60)
    async with table.runtime.sessions.begin() as session:
        await people.remove(session, table.people["cyd"], table.people["gm"])
    async with table.runtime.sessions() as session:
        held = await session.scalars(select(SeatHolder.seat).where(SeatHolder.scene_id == table.scene))
        assert sorted(held) == ["ann", "bea", "gm"]


async def _over(table: Table, **settings: Any) -> uuid.UUID:
    """Bring a toy scene to its end."""
    scene = await table.open(thief=False, rounds=1, **settings)
    for _ in range(20):
        seen = await table.sight("gm")
        if seen.status == "over":
            return scene
        step = next(step for step in seen.steps if step.pace != "whenever")
        await table.act(gm_actions.open_now, step.key)
    raise AssertionError("the toy scene does not end")


async def _ask_next(table: Table, scene: uuid.UUID) -> uuid.UUID:
    async with table.runtime.sessions.begin() as session:
        table.scene = await decisions.ask_next(session, table.runtime.vault, table.campaign, scene)
    table.seen.clear()
    return table.scene


async def test_what_comes_next_goes_on_the_calendar_with_the_last_seal(table: Table) -> None:
    """CHR-CAL-02: each marks for their own, and equal marks are one entry."""
    over = await _over(table)
    async with table.runtime.sessions.begin() as session:
        (await calendar_state.hold(session, table.runtime.vault, table.campaign)).today = 100
    asked = await _ask_next(table, over)
    assert await _ask_next(table, over) == asked, "asked again, it is the same question"
    await table.lay("ann", "next", {"of.ann.when": "on", "of.ann.days": "3", "of.ann.others[]": "bea"})
    assert await _entries(table) == []
    await table.lay("bea", "next", {"of.bea.when": "on", "of.bea.days": "3", "of.bea.others[]": "ann"})
    (found,) = await _entries(table)
    assert (found.day, found.kind, found.state, found.people, found.seen_by, found.title) == (
        103, "scene", "open", ["ann", "bea"], "all", "Ann and Bea",
    )  # fmt: skip
    assert found.data == {"from_scene": str(over)}, "it follows from the scene, not from the question"
    async with table.runtime.sessions() as session:
        text = await receipt.lines(session, table.runtime.vault, table.campaign, asked, table.people["ann"])
    report = check(parse(text))
    assert not report.wrong and report.replayed
    assert '\\"entries\\":' in text, "what went on the calendar is part of the record"


async def test_what_comes_next_is_asked_by_itself_where_the_campaign_wants_it(table: Table) -> None:
    await _settings(table, council_next=True)
    over = await _over(table)
    async with table.runtime.sessions() as session:
        scene = await session.get(Scene, (table.campaign, decisions.next_id(over)))
        assert scene is not None and scene.status == "open"
        rows = await session.scalars(select(SeatRow.seat).where(SeatRow.scene_id == scene.id))
        assert "ann" in set(rows)
    table.scene = scene.id
    for step in (await table.sight("gm")).steps:
        await table.act(gm_actions.open_now, step.key)
    async with table.runtime.sessions() as session:
        assert await session.get(Scene, (table.campaign, decisions.next_id(scene.id))) is None, "never about itself"


@pytest.mark.parametrize(("leads_on", "asks"), [("ann bea", False), ("ann", True), ("", True)])
async def test_a_scene_that_has_said_what_comes_next_for_all_does_not_ask(
    table: Table, leads_on: str, asks: bool
) -> None:
    """CHR-CAL-02: one next scene is marked for each character."""
    await _settings(table, council_next=True)
    over = await _over(table, leads_on=leads_on)
    async with table.runtime.sessions() as session:
        assert (await session.get(Scene, (table.campaign, decisions.next_id(over))) is not None) is asks
    assert [one.data for one in await _entries(table)] == [{"from_scene": str(over)}] * bool(leads_on)


def test_new_campaigns_ask_by_themselves_where_the_rules_say_so() -> None:
    assert decisions.usual_settings("chronicle") == {decisions.ALWAYS: True}
    assert decisions.usual_settings("duel") == decisions.usual_settings("gone") == {}


async def test_nothing_is_asked_before_a_scene_is_over(table: Table) -> None:
    scene = await table.open(thief=False)
    with pytest.raises(Conflict):
        await _ask_next(table, scene)
    with pytest.raises(NotThere):
        await _ask_next(table, uuid.uuid4())


@pytest.mark.postgres
async def test_ends_and_passing_days_never_wait_for_each_other(table: Table) -> None:
    """The real race: many decisions end while somebody holds the almanac and then characters, as passing days do."""
    scenes = []
    for number in range(6):
        over = await _over(table)
        scenes.append(await _ask_next(table, over))
        assert number == len(scenes) - 1

    async def end(scene: uuid.UUID) -> None:
        async with table.runtime.locked_scene(table.campaign, scene) as (session, live):
            await gm_actions.open_now(session, live, table.people["gm"], "next")

    async def days() -> None:
        for _ in range(6):
            async with table.runtime.sessions.begin() as session:
                (await calendar_state.hold(session, table.runtime.vault, table.campaign)).today += 1
                rows = select(Character).where(Character.campaign_id == table.campaign).order_by(Character.id)
                await session.scalars(rows.with_for_update())

    async with asyncio.timeout(60):
        await asyncio.gather(*(end(scene) for scene in scenes), days())
    found = await _entries(table)
    assert len(found) == len(scenes)
    assert len({one.made_no for one in found}) == len(scenes)
