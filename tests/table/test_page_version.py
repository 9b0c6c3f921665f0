"""Marks: as long as a member's mark is the same, a page that was drawn for that member is still true."""

import re
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select, update

from app.campaign import seats, tokens
from app.models.people import Device, Member
from app.table import gm_actions, join_midscene, pauses, whispers
from app.table.open_steps import open_steps
from app.table.page_version import PageVersion, Reader, SceneVersion, version, version_and_seals
from app.table.reading import SceneSight, StepSight
from app.table.runtime import Runtime
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

EYES = ("ann", "bea", "cyd", "sam")
LATER = datetime(2100, 1, 1, tzinfo=UTC)
Seen = dict[str, tuple[SceneVersion | None, SceneSight]]


@pytest.fixture
async def table(runtime: Runtime) -> Table:
    table = await sit_down(runtime)
    async with runtime.sessions.begin() as session:
        for member in table.people.values():  # one browser each, with the member's own id
            await seats.sit_down(session, member, "a browser", tokens.fresh())
        for device in await session.scalars(select(Device)):
            DEVICES[device.member_id] = device.id
    return table


DEVICES: dict[uuid.UUID, uuid.UUID] = {}


def reader(table: Table, who: str) -> Reader:
    member = table.people[who]
    return Reader(table.campaign, member.id, DEVICES[member.id], table.scene)


async def look(table: Table) -> Seen:
    """Each one's mark, asked for before the look, as the page does."""
    found: Seen = {}
    for who in EYES:
        async with table.runtime.read_sessions() as session:
            stands = await version(session, reader(table, who))
        found[who] = stands, replace(await table.sight(who), now=LATER)
    return found


def evening(table: Table) -> list[tuple[str, Callable[[], Awaitable[Any]]]]:
    """Everything that can change what somebody sees, each with who must not notice."""

    async def say(session: Any, live: Any, who: Member) -> None:
        gm_actions.say(session, live, who, "hush")

    async def rename() -> None:
        async with table.runtime.sessions.begin() as session:
            ann = table.people["ann"]
            where = (Member.campaign_id == ann.campaign_id, Member.id == ann.id)
            await session.execute(update(Member).where(*where).values(name="Anna"))

    return [
        ("ann bea sam", lambda: table.lay("cyd", "r1/steal", {"what": "bread"}, ready=False)),
        ("ann bea sam", lambda: table.lay("cyd", "r1/steal", {"what": "the bell"})),
        ("bea cyd sam", lambda: table.lay("ann", "r1/knock", {"times": 3}, ready=False)),
        ("bea cyd sam", lambda: table.lay("ann", "r1/knock", {"times": 4}, ready=False)),
        ("", lambda: table.lay("ann", "r1/knock", {"times": 3})),
        ("", lambda: table.take_back("ann", "r1/knock")),
        ("", lambda: table.lay("ann", "r1/knock", {"times": 7})),
        ("", lambda: table.act(say, who="bea")),
        ("ann bea sam", lambda: table.act(whispers.whisper, "cyd", "They saw you.")),
        ("bea cyd sam", lambda: table.act(whispers.whisper, "ann", "Who is that?", who="ann")),
        ("", lambda: table.act(pauses.pause)),
        ("", lambda: table.act(pauses.go_on)),
        ("", lambda: table.act(gm_actions.give_time, "r1/knock", 60)),
        ("", rename),
        ("", lambda: table.lay("bea", "r1/knock", {"times": 1})),
        ("", lambda: table.lay("ann", "r1/reply", {"words": "who is there"})),
        ("", lambda: table.lay("gm", "bell/0", {"loud": "true"})),
        ("", lambda: table.act(gm_actions.open_now, "r2/knock-2")),
        ("", lambda: table.act(gm_actions.leave)),
    ]  # fmt: skip


async def test_an_equal_mark_means_an_equal_page_and_nobody_sees_what_is_hidden(table: Table) -> None:
    await table.open(rounds=3, seconds=500)
    known: dict[str, list[tuple[SceneVersion, SceneSight]]] = {who: [] for who in EYES}
    before = await look(table)
    for number, (unmoved, act) in enumerate(evening(table)):
        await act()
        after = await look(table)
        for who in EYES:
            was, is_now = before[who][0], after[who][0]
            assert was is not None and is_now is not None
            if who in unmoved.split():
                assert was.what == is_now.what, f"{who} could tell that something hidden happened (act {number})"
            for stood, seen in known[who]:
                assert stood.what != is_now.what or seen == after[who][1], f"{who}, act {number}: an old page"
            known[who].append((is_now, after[who][1]))
        before = after
    assert all(len({stood.what for stood, _ in known[who]}) > 8 for who in EYES), (
        "marks that never change prove nothing"
    )


def without_seals(step: StepSight) -> StepSight:
    """A step without what the seals of others change."""
    asks = tuple(one if one.is_mine else replace(one, status="", commitment=None) for one in step.asks)
    return replace(step, asks=asks, sealed=None)


def without_words(step: StepSight) -> StepSight:
    return replace(step, asks=tuple(replace(one, mine=None) for one in step.asks))


async def test_what_blocks_leave_as_it_is_is_as_it_was(table: Table) -> None:
    """Equal `rest`: the same scene but for others' seals, also for the GM; and what is read of these is what a whole
    sight has."""
    eyes = (*EYES, "gm")
    await table.open(rounds=3, seconds=500)
    known: dict[str, list[tuple[SceneVersion, SceneSight]]] = {who: [] for who in eyes}
    alike = 0
    for number, (_, act) in enumerate([("", table_as_it_is), *evening(table)]):
        await act()
        for who in eyes:
            async with table.runtime.repeatable_read() as session:
                stands = await version_and_seals(session, reader(table, who))
            seen = replace(await table.sight(who), now=LATER)
            assert stands is not None
            if seen.seals_apart:
                found = [step for step in open_steps(reader(table, who), stands).steps if step.pace != "whenever"]
                whole = [without_words(step) for step in seen.steps if step.pace != "whenever"]
                assert found == whole, f"{who}, act {number}"
            for stood, had in known[who]:
                if seen.seals_apart and (stood.rest, stood.laid) == (stands.rest, stands.laid):
                    alike += stood.what != stands.what
                    now, before = (replace(s, steps=tuple(map(without_seals, s.steps))) for s in (seen, had))
                    assert now == before, f"{who}, act {number}: more than a seal has changed"
            known[who].append((stands, seen))
    assert alike > 8, "no seal left the rest as it was"


async def table_as_it_is() -> None:
    return None


async def test_a_latecomer_and_the_end_are_in_the_mark(table: Table) -> None:
    await table.open(rounds=1, thief=False, late=True)
    first = await look(table)
    await table.act(join_midscene.enter, "cyd")
    second = await look(table)
    for who in ("ann", "bea", "cyd"):
        await table.lay(who, "r1/knock-2", {"times": 1})
    third = await look(table)
    for who in EYES:
        marks = [seen[who][0] for seen in (first, second, third)]
        assert len({one.what for one in marks if one}) == 3
    assert third["sam"][1].status == "over"


async def test_who_was_signed_out_or_removed_gets_no_mark(table: Table) -> None:
    await table.open(thief=False)
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    for change in (
        update(Device).where(Device.id == DEVICES[table.people["ann"].id]).values(revoked_at=LATER),
        update(Member).where(Member.id == table.people["bea"].id).values(removed_at=LATER),
        update(Device).where(Device.id == DEVICES[table.people["cyd"].id]).values(seen_at=long_ago),
    ):
        async with table.runtime.sessions.begin() as session:
            await session.execute(change.execution_options(campaigns="all"))
    found = await look(table)
    assert [who for who in EYES if found[who][0] is not None] == ["sam"]


async def test_where_the_time_is_up_nothing_is_taken_from_before(table: Table) -> None:
    await table.open(thief=False, seconds=0)
    async with table.runtime.read_sessions() as session:
        assert await version(session, reader(table, "ann")) is None
        assert await version(session, replace(reader(table, "ann"), scene=table.campaign)) is None, "no such scene"


def test_the_hour_is_no_part_of_a_version() -> None:
    assert re.match(r"PageVersion\(now=", repr(PageVersion(LATER, ("x",)))) and PageVersion(LATER, ("x",)).what == (
        "x",
    )
