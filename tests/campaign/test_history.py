"""Characters live across scenes: every change of a sheet is noted, with how it came about."""

import doctest

import pytest
from sqlalchemy import func, select

from app.campaign import characters, lifecycle, people, promoting, sheets
from app.campaign.lifecycle import LifeStretch
from app.engine.ruleset import Brief, Seat
from app.errors import Conflict, NotYours
from app.models.almanac import Crossing, Happening
from app.models.base import new_id
from app.models.people import Campaign, Character, Member, SheetChange
from app.models.scenes import Scene
from app.table import gm_actions
from app.table.opening import open_scene
from app.table.runtime import Runtime
from tests.campaign.people import Sessions, found
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]


def test_the_example_of_differences_runs() -> None:
    assert doctest.testmod(sheets).failed == 0


def test_differences_go_into_mappings_and_take_lists_whole() -> None:
    old = {"name": "Ella", "hp": 15, "wounds": {"arm": {"rolls": 1}}, "cards": ["fly"], "gone": 1}
    new = {"name": "Ella", "hp": 15, "wounds": {"arm": {"rolls": 2}}, "cards": ["fly", "fog"], "came": {"x": {"y": 0}}}
    assert sheets.differences(old, new) == {
        "wounds.arm.rolls": [1, 2],
        "cards": [["fly"], ["fly", "fog"]],
        "gone": [1, None],
        "came.x.y": [None, 0],
    }
    assert sheets.differences({"a": {"b": 1}}, {}) == {"a.b": [1, None]}
    assert sheets.differences(old, old) == {}


async def test_making_editing_and_laying_aside_are_noted_once_each(sessions: Sessions) -> None:
    gm = await found(sessions)
    async with sessions.begin() as session:
        ella = await characters.create(session, gm.campaign, "Ella", "toy", {"hp": 15}, None, gm.member)
        await characters.edit(session, ella, 1, "Ella", {"hp": 8}, gm.member)
        await characters.edit(session, ella, 2, "Ella", {"hp": 8}, gm.member)  # nothing new: nothing noted
        for retired in (True, True, False):
            await characters.retire(session, ella, gm.member, retired=retired)
    async with sessions() as session:
        noted = await session.scalars(
            select(SheetChange).where(SheetChange.campaign_id == gm.campaign.id).order_by(SheetChange.id)
        )
        told = [(one.how, one.version, one.changes, one.member_id) for one in noted]
    assert told == [
        ("made", 1, {}, gm.member.id),
        ("edited", 2, {"hp": [15, 8]}, gm.member.id),
        ("retired", 2, {}, gm.member.id),
        ("taken up", 2, {}, gm.member.id),
    ]


@pytest.fixture
async def table(runtime: Runtime) -> Table:
    return await sit_down(runtime)


async def _person(table: Table, slug: str) -> Character:
    async with table.runtime.sessions() as session:
        return await characters.find(session, table.campaign, slug)


async def _past(table: Table, slug: str, viewer: str = "ann") -> list[LifeStretch]:
    async with table.runtime.sessions() as session:
        character = await characters.find(session, table.campaign, slug)
        return await lifecycle.past(session, character, table.people[viewer])


async def _play(table: Table) -> int:
    """One short scene of Ann and Bea; what it leaves as their luck."""
    await table.open(thief=False, rounds=1)
    for who in ("ann", "bea"):
        await table.lay(who, "r1/knock", {"times": 2})
    async with table.runtime.sessions() as session:
        scene = await session.get(Scene, (table.campaign, table.scene))
        assert scene is not None and scene.status == "over"
    return int((await _person(table, "ann")).sheet["luck"])


async def test_a_scene_is_in_the_past_of_all_who_sat_there_with_what_it_wrote(table: Table) -> None:
    luck = await _play(table)
    [ann] = await _past(table, "ann")
    assert (ann.how, ann.title, ann.scene_id, ann.status) == ("scene", "At the door", table.scene, "over")
    assert luck != 0 and ann.changes == {"luck": [None, luck]}
    assert await _past(table, "cyd") == [], "Cyd was not there"


async def test_a_passing_day_is_in_the_past_of_whom_it_befell_for_whom_it_may_concern(table: Table) -> None:
    async with table.runtime.sessions.begin() as session:
        gm, ann = table.people["gm"], await characters.find(session, table.campaign, "ann")
        moves = []
        for number in (1, 2, 3):
            moves.append(_crossing(table, number))
            session.add(moves[-1])
        await session.flush()
        for n, (move, seen_by) in enumerate([(moves[0], "all"), (moves[0], "gm"), (moves[1], "gm"), (moves[2], "all")]):
            session.add(_happening(table, move, n, seen_by))
        await sheets.write(session, ann, {"name": "Ann", "luck": 2}, how="days", crossing=moves[0].id)
        await sheets.write(session, ann, {"name": "Ann", "luck": 3}, how="days", crossing=moves[0].id)
        await sheets.write(session, ann, {"name": "Ann", "luck": 9}, how="days", crossing=moves[2].id)
        await sheets.write(session, ann, {"name": "Ann", "luck": 3}, how="undone", crossing=moves[2].id, by=gm)
        moves[2].undone_at = func.now()
    [seen] = await _past(table, "ann", "bea")
    assert (seen.how, seen.day, seen.last_day, seen.changes) == ("days", 1, 2, {"luck": [None, 3]})
    assert [one.title for one in seen.befell] == ["thing 0"]
    assert [[one.title for one in lived.befell] for lived in await _past(table, "ann", "gm")] == [
        ["thing 2"],
        ["thing 0", "thing 1"],
    ]


def _crossing(table: Table, number: int) -> Crossing:
    return Crossing(
        campaign_id=table.campaign,
        id=new_id(),
        number=number,
        from_day=number,
        to_day=number + 1,
        wanted_day=number + 1,
        member_id=table.people["gm"].id,
        request_id=new_id(),
        before={},
    )


def _happening(table: Table, move: Crossing, n: int, seen_by: str) -> Happening:
    return Happening(
        campaign_id=table.campaign,
        id=new_id(),
        crossing_id=move.id,
        number=n,
        day=move.to_day,
        thing=f"thing/{n}",
        kind="healing",
        title=f"thing {n}",
        people=["ann"],
        seen_by=seen_by,
    )


async def test_changing_hands_is_noted_whoever_does_it(table: Table) -> None:
    gm, bea = table.people["gm"], table.people["bea"]
    async with table.runtime.sessions.begin() as session:
        ann = await characters.find(session, table.campaign, "ann")
        await people.hand_over(session, table.campaign, ann.id, bea, gm)
    async with table.runtime.sessions.begin() as session:
        await people.remove(session, bea, gm)
    assert [(one.how, one.changes["owner"], one.by) for one in await _past(table, "ann")] == [
        ("handed over", ["Bea", None], "Gm"),
        ("handed over", ["Ann", "Bea"], "Gm"),
    ]


async def _cast(table: Table, *names: str) -> None:
    """More people of the story, who are the GM's."""
    async with table.runtime.sessions.begin() as session:
        campaign = await session.get(Campaign, table.campaign)
        assert campaign is not None
        for name in names:
            await characters.create(session, campaign, name, "toy", {"name": name, "luck": 1}, None, table.people["gm"])


async def _kill(table: Table, slug: str) -> None:
    async with table.runtime.sessions.begin() as session:
        dead = await characters.find(session, table.campaign, slug)
        await sheets.write(session, dead, {**dead.sheet, "luck": -13}, how="scene")


async def test_the_dead_await_a_successor_and_the_rules_suggest_who_shared_most_scenes(table: Table) -> None:
    await _cast(table, "Odd", "Even")
    for scene in (("ann", "even"), ("ann", "even"), ("ann", "odd"), ("bea", "odd"), ("bea", "odd")):
        await _sat_together(table, scene)
    await _kill(table, "ann")
    assert await _bereaved(table) == [("ann", "even")]
    ann, even = await _person(table, "ann"), await _person(table, "even")
    async with table.runtime.sessions.begin() as session:
        assert not await promoting.propose(session, even, table.people["ann"], table.people["ann"], ann)
        assert not await promoting.propose(session, even, table.people["ann"], table.people["ann"], ann)
    assert await _bereaved(table) == [], "somebody was asked for"
    async with table.runtime.sessions.begin() as session:
        [wish] = await promoting.proposals(session, table.people["gm"])
        with pytest.raises(NotYours):
            await promoting.confirm(session, table.campaign, wish.id, table.people["ann"])
        await promoting.confirm(session, table.campaign, wish.id, table.people["gm"])
    even, ann = await _person(table, "even"), await _person(table, "ann")
    assert even.owner_id == table.people["ann"].id and even.sheet["luck"] == 1
    assert ann.retired_at is not None
    assert (await _past(table, "even"))[0].how == "promoted"
    async with table.runtime.sessions.begin() as session:
        with pytest.raises(Conflict, match="already been answered"):
            await promoting.confirm(session, table.campaign, wish.id, table.people["gm"])


async def _bereaved(table: Table) -> list[tuple[str, str | None]]:
    async with table.runtime.sessions() as session:
        gone = await promoting.bereaved(session, table.people["ann"])
        return [(one.character.slug, one.suggested.slug if one.suggested else None) for one in gone]


async def _sat_together(table: Table, slugs: tuple[str, ...]) -> None:
    """A scene that was broken off, with a chair for each."""
    brief = Brief(kind="door", title="Then", seats={Seat(slug): (slug,) for slug in slugs})
    async with table.runtime.sessions.begin() as session:
        table.scene = await open_scene(session, table.runtime.vault, table.campaign, "toy", brief)
    await table.act(gm_actions.leave)


async def test_who_may_promote_whom(table: Table) -> None:
    await _cast(table, "Odd")
    odd, gm, ann, sam = await _person(table, "odd"), table.people["gm"], table.people["ann"], table.people["sam"]

    async def ask(character: Character, to: Member, by: Member) -> bool:
        async with table.runtime.sessions.begin() as session:
            return await promoting.propose(session, character, to, by)

    with pytest.raises(NotYours, match="only ask for yourself"):
        await ask(odd, table.people["bea"], ann)
    with pytest.raises(NotYours, match="only watches"):
        await ask(odd, sam, gm)
    with pytest.raises(Conflict, match="already a player's character"):
        await ask(await _person(table, "bea"), ann, ann)
    assert not await ask(odd, ann, ann)
    async with table.runtime.sessions.begin() as session:
        [wish] = await promoting.proposals(session, gm)
        assert await promoting.proposals(session, table.people["bea"]) == [], "nobody reads another's wishes"
        with pytest.raises(NotYours):
            await promoting.close(session, table.campaign, wish.id, table.people["bea"])
        await promoting.close(session, table.campaign, wish.id, ann)
        assert await promoting.proposals(session, gm) == []
    assert not await ask(odd, table.people["bea"], table.people["bea"])
    assert await ask(odd, ann, gm), "a GM needs nobody's leave"
    async with table.runtime.sessions() as session:
        assert await promoting.proposals(session, gm) == [], "others' wishes for the same one are answered"
    assert (await _person(table, "odd")).owner_id == ann.id


async def test_what_is_written_of_the_gms_people_is_the_gms_to_know(table: Table) -> None:
    await _cast(table, "Odd")
    async with table.runtime.sessions.begin() as session:
        odd = await characters.find(session, table.campaign, "odd")
        await sheets.write(session, odd, {**odd.sheet, "luck": 5}, how="days", crossing=new_id())
        await characters.edit(session, odd, odd.version, "Odd", {**odd.sheet, "luck": 7}, table.people["gm"])
    assert [one.how for one in await _past(table, "odd", "gm")] == ["edited", "made"]
    assert [(one.how, one.changes) for one in await _past(table, "odd", "ann")] == [("made", {})]


async def test_what_was_the_gms_to_know_stays_so_when_a_player_takes_over(table: Table) -> None:
    await _cast(table, "Odd")
    gm, ann = table.people["gm"], table.people["ann"]
    edits = ((5, None), (7, ann), (9, None), (11, ann))
    for luck, owner in edits:
        async with table.runtime.sessions.begin() as session:
            odd = await characters.find(session, table.campaign, "odd")
            await characters.edit(session, odd, odd.version, "Odd", {**odd.sheet, "luck": luck}, gm)
        async with table.runtime.sessions.begin() as session:
            await people.hand_over(session, table.campaign, odd.id, ann if owner is None else None, gm)
    async with table.runtime.sessions.begin() as session:
        await people.hand_over(session, table.campaign, odd.id, ann, gm)
    written = [one.changes["luck"][1] for one in await _past(table, "odd", "gm") if one.how == "edited"]
    assert written == [11, 9, 7, 5]
    written = [one.changes["luck"][1] for one in await _past(table, "odd", "ann") if one.how == "edited"]
    assert written == [11, 7], "only what was written while it was hers"
