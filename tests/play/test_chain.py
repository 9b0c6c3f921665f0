"""Which scenes led to a scene and what came of it, for each who may know."""

import dataclasses
import uuid
from typing import Any

import pytest
from sqlalchemy import event, update

from app.almanac import calendar_state, entries
from app.almanac.entries import EntryTyped
from app.models.almanac import Entry
from app.models.scenes import Scene
from app.play import chain, next_up
from app.play.chain import Chain
from app.table.opening import open_scene
from app.table.runtime import Runtime
from tests.table.table import Table, sit_down
from tests.toy import brief

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]


@pytest.fixture
async def table(runtime: Runtime) -> Table:
    table = await sit_down(runtime)
    async with runtime.sessions.begin() as session:
        (await calendar_state.hold(session, runtime.vault, table.campaign)).today = 100
    return table


async def _scene(table: Table, title: str) -> uuid.UUID:
    """Another scene; it has copies of the characters, so that several may be open."""
    told = dataclasses.replace(brief(), title=title)
    async with table.runtime.sessions.begin() as session:
        return await open_scene(session, table.runtime.vault, table.campaign, "toy", told, {}, held="copy")


async def _left(table: Table, scene: uuid.UUID | None, title: str, day: int, **more: Any) -> Entry:
    """An entry as the end of a scene leaves it."""
    vault, gm = table.runtime.vault, table.people["gm"]
    async with table.runtime.sessions.begin() as session:
        typed = EntryTyped(kind="scene", title=title, day=day, **more)
        return await entries.add(session, vault, table.campaign, gm, typed, from_scene=scene)


async def _played(table: Table, entry: Entry) -> uuid.UUID:
    scene = await _scene(table, entry.title)
    async with table.runtime.sessions.begin() as session:
        where = (table.runtime.vault, table.campaign, entry.id, entry.version, scene, table.people["gm"])
        await next_up.link(session, *where)
    return scene


async def _set(table: Table, scene: uuid.UUID, **values: Any) -> None:
    async with table.runtime.sessions.begin() as session:
        await session.execute(update(Scene).where(Scene.id == scene).values(**values))


async def _change(table: Table, *scenes: uuid.UUID, **values: Any) -> None:
    """Change the entries of these scenes."""
    async with table.runtime.sessions.begin() as session:
        await calendar_state.hold(session, table.runtime.vault, table.campaign)
        await session.execute(update(Entry).where(Entry.scene_id.in_(scenes)).values(**values))


async def _chain(table: Table, who: str, scene: uuid.UUID, over: bool = True) -> Chain:
    async with table.runtime.sessions() as session:
        inside = (await session.get_one(Scene, (table.campaign, scene))).outer_id is not None
        return await chain.chain_of(session, table.people[who], scene, inside=inside, over=over)


def _words(some: Any) -> list[tuple[str, str, bool]]:
    return [(one.title, one.on, one.inside) for one in some]


async def _raid(table: Table, **ride: Any) -> dict[str, uuid.UUID]:
    """A council, the ride that it leaves, the battle that this leaves, a duel inside it and the parley after that."""
    council = await _played(table, await _left(table, None, "The council", 1))
    riding = await _played(table, await _left(table, council, "The ride", 3, **ride))
    battle = await _played(table, await _left(table, riding, "The battle", 4))
    duel = await _scene(table, "The duel")
    await _set(table, duel, outer_id=battle)
    parley = await _played(table, await _left(table, battle, "The parley", 5))
    return {"council": council, "ride": riding, "battle": battle, "duel": duel, "parley": parley}


async def test_four_scenes_lead_into_one_another_with_one_inside(table: Table) -> None:
    """CHR-FLO-02, CHR-FLO-04: the raid."""
    at = await _raid(table)
    await _left(table, at["parley"], "The feast", 9)
    way = [("The council", "2 First Month", False), ("The ride", "4 First Month", False)]
    found = await _chain(table, "ann", at["parley"])
    assert _words(found.before) == [*way, ("The battle", "5 First Month", False)]
    assert _words(found.after) == [("The feast", "10 First Month", False)]
    assert [one.scene for one in found.before] == [at["council"], at["ride"], at["battle"]]
    inside = await _chain(table, "ann", at["duel"])
    assert _words(inside.before) == [*way, ("The battle", "5 First Month", False)] and not inside.after
    battle = await _chain(table, "ann", at["battle"])
    assert _words(battle.before) == way
    assert _words(battle.after) == [("The duel", "", True), ("The parley", "6 First Month", False)]
    assert [one.scene for one in battle.after] == [at["duel"], at["parley"]]
    assert not (await _chain(table, "ann", at["council"], over=False))
    assert not (await _chain(table, "ann", at["battle"], over=False)).after


async def test_what_follows_an_inner_scene_remembers_the_one_around_it(table: Table) -> None:
    at = await _raid(table)
    terms = await _played(table, await _left(table, at["duel"], "Terms", 6))
    found = (await _chain(table, "sam", terms)).before
    assert [(one.title, one.inside) for one in found][-2:] == [("The battle", False), ("The duel", True)]


@pytest.mark.parametrize("seen_by", ["gm", "named"])
async def test_a_secret_entry_is_in_no_chain_of_those_who_may_not_know_it(table: Table, seen_by: str) -> None:
    """CHR-CAL-14: neither where it would lead on, nor where it would lead back."""
    named = {"viewers": (table.people["bea"].id,)} if seen_by == "named" else {}
    at = await _raid(table, seen_by=seen_by, **named)
    knows = {"gm": True, "bea": seen_by == "named", "ann": False, "sam": False}
    for who, may in knows.items():
        council, ride, battle = [await _chain(table, who, at[one]) for one in ("council", "ride", "battle")]
        assert [one.title for one in council.after] == ["The ride"] * may
        assert [one.title for one in ride.before] == ["The council"] * may
        assert [one.title for one in battle.before] == ["The council"] * may + ["The ride"], who
        assert [one.on for one in battle.before][-1] == "4 First Month" * may, "its day is as secret"


async def test_the_fog_hides_what_comes_later(table: Table) -> None:
    at = await _raid(table)
    await _left(table, at["parley"], "The feast", 300)
    async with table.runtime.sessions.begin() as session:
        (await calendar_state.hold(session, table.runtime.vault, table.campaign)).fog = 10
    assert not (await _chain(table, "ann", at["parley"])).after
    assert (await _chain(table, "gm", at["parley"])).after


async def test_a_dropped_entry_came_to_nothing(table: Table) -> None:
    at = await _raid(table)
    feast = await _left(table, at["parley"], "The feast", 9)
    async with table.runtime.sessions.begin() as session:
        await entries.drop(session, table.runtime.vault, table.campaign, feast.id, 1, table.people["gm"])
    assert not (await _chain(table, "gm", at["parley"])).after


async def test_a_circle_and_a_long_story_come_to_an_end(table: Table) -> None:
    at = await _raid(table)
    await _change(table, at["council"], data={"from_scene": str(at["ride"])})
    found = (await _chain(table, "gm", at["ride"])).before
    assert [one.title for one in found] == ["The council"]
    last = at["parley"]
    for number in range(chain.MOST_BACK + 2):
        last = await _played(table, await _left(table, last, f"Day {number}", 10 + number))
    assert len((await _chain(table, "gm", last)).before) == chain.MOST_BACK


async def test_a_scene_that_is_gone_ends_the_chain(table: Table) -> None:
    alone = await _played(table, await _left(table, uuid.uuid4(), "Alone", 1))
    assert not await _chain(table, "gm", alone)


async def test_later_legs_follow_from_the_same_scene(table: Table) -> None:
    """CHR-CAL-06."""
    council = await _scene(table, "The council")
    ride = await _left(table, council, "The ride", 100)
    async with table.runtime.sessions.begin() as session:
        gm = table.people["gm"]
        leg = await next_up.next_leg(session, table.runtime.vault, table.campaign, ride.id, 1, 101, gm)
        assert leg.data == {"from_scene": str(council), "leg_of": str(ride.id), "leg": 2}


async def test_the_calendar_says_what_follows_and_what_came_of_it(table: Table) -> None:
    at = await _raid(table, seen_by="gm")
    await _change(table, *at.values(), state="done")
    told: dict[str, dict[str, chain.Ties]] = {}
    for who in ("gm", "ann"):
        async with table.runtime.sessions() as session:
            book, member = await calendar_state.read(session, table.campaign), table.people[who]
            some = await entries.between(session, table.campaign, member, 0, 20)
            ties = await chain.ties(session, member, book, some)
            told[who] = {one.title: ties[one.id] for one in some if one.id in ties}
    assert told["gm"] == {
        "The council": chain.Ties("", ("The ride",)),
        "The ride": chain.Ties("The council", ("The battle",)),
        "The battle": chain.Ties("The ride", ("The parley",)),
        "The parley": chain.Ties("The battle"),
    }
    assert told["ann"] == {one: told["gm"][one] for one in ("The battle", "The parley")}


async def test_a_chain_is_read_by_few_queries(table: Table) -> None:
    at = await _raid(table)
    said: list[str] = []
    engine = table.runtime.sessions.kw["bind"].sync_engine

    def hear(_c: Any, _u: Any, statement: str, *_: Any) -> None:
        said.append(statement)

    event.listen(engine, "before_cursor_execute", hear)
    try:
        async with table.runtime.sessions() as session:
            for scene, over, most in ((at["parley"], False, 3), (at["parley"], True, 4), (at["council"], False, 2)):
                said.clear()
                await chain.chain_of(session, table.people["ann"], scene, over=over)
                assert len(said) == most
    finally:
        event.remove(engine, "before_cursor_execute", hear)
