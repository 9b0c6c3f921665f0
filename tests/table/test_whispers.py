"""A word between one seat and the GMs: who reads it, whom it wakes, and what happens when the seat changes hands."""

import asyncio
import contextlib

import pytest
from sqlalchemy import select, text, update

from app.campaign import seating
from app.crypto.vault import Locked
from app.errors import Conflict, Refusal
from app.models.people import Member, Role
from app.models.scenes import Line, SeatHolder, SeatRow, Whisper
from app.table import gm_actions, reassign_seat, whispers
from app.table.reading import sight
from app.table.runtime import Runtime
from tests.table.hints import until_heard, waits
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]


WAITING = (
    "SELECT count(*) FROM pg_locks WHERE NOT granted "
    "AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())"
)


@pytest.fixture
async def table(runtime: Runtime) -> Table:
    table = await sit_down(runtime)
    await table.open()
    return table


async def heard(table: Table) -> dict[str, list[str]]:
    """What everybody reads in the talk, but for notices."""
    found = {}
    for who in table.people:
        found[who] = [line.text for line in (await table.sight(who)).lines if line.kind != "notice"]
    return found


async def test_the_seat_and_the_gms_read_it_among_the_lines_and_nobody_else(table: Table) -> None:
    async def say(session: object, live: object, who: Member, words: str) -> None:
        gm_actions.say(session, live, who, words)  # type: ignore[arg-type]

    await table.act(say, "Good evening.", who="bea")
    await table.act(whispers.whisper, "ann", " The door is a trap. ")
    await table.act(whispers.whisper, "ann", "I knock softly.", who="ann")
    await table.act(say, "Who knocks?", who="bea")
    between = ["Good evening.", "The door is a trap.", "I knock softly.", "Who knocks?"]
    public = ["Good evening.", "Who knocks?"]
    assert await heard(table) == {"gm": between, "ann": between, "bea": public, "cyd": public, "sam": public}
    lines = [line for line in (await table.sight("ann")).lines if line.kind == "whisper"]
    assert [(one.who, one.is_mine, one.by_gm, one.seat_name) for one in lines] == [
        ("Gm", False, True, "Ann"),
        ("Ann", True, False, "Ann"),
    ]
    async with table.runtime.sessions() as session:
        for seat in ("ann", "spectator"):
            there = (session, table.runtime.vault, table.campaign, table.scene, table.people["gm"])
            assert [line.text for line in (await sight(*there, as_seat=seat)).lines] == public
        kept = (await session.scalars(select(Line.text).execution_options(campaigns="all"))).all()
        assert not any("trap" in words or "softly" in words for words in kept)


async def test_a_seat_that_changes_hands_takes_no_word_along(table: Table) -> None:
    await table.act(whispers.whisper, "ann", "For Ann alone.")
    await table.act(whispers.whisper, "ann", "From Ann alone.", who="ann")
    await table.act(reassign_seat.give_chair, "ann", "bea")
    after = await heard(table)
    assert after["ann"] == after["bea"] == []
    await table.act(whispers.whisper, "ann", "For Bea now.")
    assert (await heard(table))["bea"] == ["For Bea now."] and (await heard(table))["ann"] == []
    with pytest.raises(Refusal, match="a seat of your own"):
        await table.act(whispers.whisper, "ann", "Still me?", who="ann")
    await table.act(reassign_seat.give_chair, "ann", "ann")
    assert (await heard(table))["ann"] == [], "who comes back begins anew"
    assert (await heard(table))["gm"] == ["For Ann alone.", "From Ann alone.", "For Bea now."]


async def test_a_word_that_waits_while_the_seat_is_handed_over_goes_to_nobody(table: Table) -> None:
    """It was meant for the holder at the moment it was sent."""
    async with table.runtime.sessions.begin() as session:
        await seating.lock_open_scenes(session, table.campaign)
        waiting = asyncio.create_task(table.act(whispers.whisper, "ann", "For Ann alone."))
        while not await session.scalar(text(WAITING)):
            assert not waiting.done(), "the word did not wait for the scene"
            await asyncio.sleep(0.01)
        chair = await session.get_one(SeatRow, (table.campaign, table.scene, "ann"))
        await seating.give(session, chair, table.people["bea"], "GM")
    with pytest.raises(Refusal, match="nobody would read it"):
        await waiting
    assert (await heard(table))["bea"] == []


async def test_only_that_seat_and_the_gms_are_woken(table: Table) -> None:
    bus = table.runtime.bus
    async with contextlib.AsyncExitStack() as stack:
        ids = [one.id for one in table.people.values()]
        events = dict(zip(table.people, await waits(stack, bus, table.campaign, *ids), strict=True))
        for who in ("gm", "cyd"):
            await until_heard(bus, table.runtime.sessions)
            for event in events.values():
                event.clear()
            await table.act(whispers.whisper, "cyd", "Psst.", who=who)
            await until_heard(bus, table.runtime.sessions)
            assert {name for name, event in events.items() if event.is_set()} == {"cyd", "gm"}
    async with table.runtime.sessions() as session:
        rows = await session.execute(
            select(SeatHolder.seat, SeatHolder.changes).where(
                SeatHolder.campaign_id == table.campaign, SeatHolder.scene_id == table.scene
            )
        )
        assert {seat: changes for seat, changes in rows} == {"ann": 0, "bea": 0, "cyd": 2, "gm": 2}


@pytest.mark.parametrize(
    ("who", "seat", "words", "why"),
    [
        ("gm", "nobody", "Psst.", "no such seat"),
        ("gm", "", "Psst.", "no such seat"),
        ("gm", "gm", "Psst.", "the GM's own seat"),
        ("gm", "ann", "  ", "Write something first"),
        ("gm", "ann", "x" * 2001, "the limit is 2000"),
        ("gm", "ann", "a\x00b", "not readable"),
        ("bea", "ann", "Psst.", "a seat of your own"),
        ("bea", "gm", "Psst.", "a seat of your own"),
        ("sam", "ann", "Psst.", "a seat of your own"),
        ("sam", "gm", "Psst.", "a seat of your own"),
    ],
)
async def test_what_is_refused(table: Table, who: str, seat: str, words: str, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        await table.act(whispers.whisper, seat, words, who=who)
    assert not any((await heard(table)).values())


async def test_a_seat_without_a_player_and_a_scene_that_is_over(table: Table) -> None:
    await table.act(whispers.whisper, "ann", "Before.")
    await table.act(reassign_seat.give_chair, "ann", "")
    with pytest.raises(Refusal, match="No player has the seat of Ann"):
        await table.act(whispers.whisper, "ann", "Psst.")
    assert dict((await table.sight("gm")).whisper_to) == {"bea": "Bea", "cyd": "Cyd"}
    assert (await table.sight("bea")).whisper_to == (("bea", "the GM"),)
    assert (await table.sight("sam")).whisper_to == () == (await table.sight("ann")).whisper_to
    await table.act(gm_actions.leave)
    with pytest.raises(Conflict, match="over"):
        await table.act(whispers.whisper, "bea", "Psst.")
    assert (await table.sight("gm")).whisper_to == ()
    assert (await heard(table))["gm"] == ["Before."]


async def test_a_new_gm_reads_what_the_gms_read_and_a_former_one_does_not(table: Table) -> None:
    await table.act(whispers.whisper, "ann", "For Ann.")
    async with table.runtime.sessions.begin() as session:
        for name, role in (("bea", Role.GM), ("gm", Role.PLAYER)):
            table.people[name].role = role
            change = update(Member).where(Member.campaign_id == table.campaign, Member.handle == name)
            await session.execute(change.values(role=role))
        await seating.seat_gms(session, table.campaign)
    assert {who for who, words in (await heard(table)).items() if words} == {"ann", "bea"}


async def test_a_box_opens_at_its_own_seat_alone(table: Table) -> None:
    """Whoever can write to the database cannot make a word readable for another seat."""
    await table.act(whispers.whisper, "ann", "For Ann.")
    async with table.runtime.sessions.begin() as session:
        await session.execute(update(Whisper).where(Whisper.campaign_id == table.campaign).values(seat="bea"))
    with pytest.raises(Locked):
        await table.sight("bea")
