"""Time that passes: in order, once, in any portions, stopping where somebody decides, and back again."""

import asyncio
import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.almanac import advance, entries, history, undo
from app.almanac import calendar_state as books
from app.almanac.calendar_state import AlmanacSettings
from app.almanac.entries import Kind
from app.almanac.visibility import Filter
from app.calendar.repeat import EveryDays
from app.campaign import characters
from app.errors import Conflict, NotYours
from app.models.almanac import Crossing
from app.models.people import Member
from app.table.runtime import Runtime
from tests.almanac.pure import Pure
from tests.almanac.small_campaign import Land

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]


async def test_a_day_runs_in_the_books_order_and_each_thing_once(land: Land) -> None:
    """CHR-CAL-11; CHR-CAL-08: what a healing roll wins is marked on the calendar with its date."""
    await land.person("Ella", bruises=1)
    await land.person("Bob", bruises=1)
    await land.add(land.gm, "event", "flood", 360)
    await land.add(land.gm, "completion", "wall", 360)
    await land.add(land.gm, "arrival", "ship", 360, seen_by="gm")
    await land.add(land.gm, "note", "remember", 360)
    await land.choose(turn_day=1)
    before = await land.preview(361)
    assert [line.title for line in before.lines] == [
        "Ella: healing, day by day", "Bob: healing, day by day",
        "The year 2 begins", "wall", "ship", "flood", "remember",
    ]  # fmt: skip
    assert {line.does for line in before.lines if line.title == "remember"} == {"passes"}
    await land.move(359)
    await land.move(361)
    told = await land.happened()
    assert [(day, title) for day, title, kind in told if kind != "healing"] == [
        (360, "The year 2 begins"), (360, "wall"), (360, "ship"), (360, "flood"),
    ]  # fmt: skip
    marked = await land.between(land.ann, 0, 400, Filter(kinds=frozenset({"healing"})))
    assert len(marked) == 4 and {one.state for one in marked} == {"done"}
    assert await land.titles(land.ann, 360, 360) == ["wall", "flood", "remember"]
    assert {one.title: one.state for one in await land.between(land.gm, 360, 360)} == {
        "wall": "done", "ship": "done", "flood": "done", "remember": "open",
    }  # fmt: skip


async def test_what_was_and_lies_ahead_again_is_under_the_fog(land: Land) -> None:
    """A group may set its date back by hand; what those days did is not told to players before they come again."""
    await land.add(land.gm, "event", "flood", 12)
    await land.move(20)
    assert [title for _, title, _ in await land.happened(land.ann)] == ["flood"]
    async with land.sessions.begin() as session:
        book = await books.read(session, land.id)
        book = await books.choose_shape(session, land.vault, land.id, book.shape, book.version, 5)
        await books.choose_settings(session, land.vault, land.id, 3, book.settings, book.version)
    assert await land.happened(land.ann) == [] and len(await land.happened()) == 1


async def test_time_stops_where_a_scene_waits_and_not_before(land: Land) -> None:
    await land.add(land.gm, "scene", "duel", 5)
    await land.add(land.gm, "completion", "before", 5)
    await land.add(land.gm, "completion", "after", 6)
    ahead = await land.preview(10)
    assert (ahead.to_day, [stop.title for stop in ahead.stops]) == (5, ["duel"])
    crossing = await land.move(10)
    assert (crossing.to_day, crossing.wanted_day) == (5, 10)
    assert [stop["title"] for stop in crossing.before["stops"]] == ["duel"]
    assert await land.happened() == [(5, "before", "completion")]
    with pytest.raises(Conflict, match="“duel” needs"):
        await land.move(10)
    duel = (await land.between(land.gm, 5, 5, Filter(kinds=frozenset({"scene"}))))[0]
    async with land.sessions.begin() as session:
        await entries.mark(session, land.vault, land.id, duel.id, duel.version, "done", land.gm)
    await land.add(land.gm, "arrival", "late news of today", 5)
    assert (await land.move(10)).to_day == 10
    assert [title for _, title, _ in await land.happened()] == ["before", "late news of today", "after"]


async def test_a_standing_answer_lets_time_pass_over_a_scene(land: Land) -> None:
    await land.add(land.gm, "scene", "haggling", 2, standing="pass")
    await land.add(land.gm, "note", "think!", 4, standing="stop")
    assert (await land.move(9)).to_day == 4
    assert await land.happened() == [(2, "haggling", "scene")]


async def test_what_repeats_runs_each_time_and_stops_each_time(land: Land) -> None:
    await land.add(land.gm, "event", "rent", 0, rule=EveryDays(days=10))
    await land.add(land.gm, "scene", "council", 3, rule=EveryDays(days=7))
    assert (await land.move(30)).to_day == 3
    councils = await land.between(land.gm, 0, 12, Filter(text="council"))
    assert [(one.first, one.repeats, one.state) for one in councils] == [(3, False, "open"), (10, True, "open")]
    async with land.sessions.begin() as session:
        await entries.mark(session, land.vault, land.id, councils[0].id, councils[0].version, "done", land.gm)
    assert (await land.move(30)).to_day == 10
    assert await land.happened() == [(10, "rent", "event")]


async def test_the_reckoning_waits_where_the_group_wants_it(land: Land) -> None:
    await land.choose(at_turn="stop", turn_month=2)
    assert (await land.preview(100)).to_day == 30
    assert (await land.move(100)).to_day == 30
    assert await land.titles(land.ann, 30, 30) == ["The year 1 begins"]
    with pytest.raises(Conflict):
        await land.move(100)


async def test_only_gms_and_only_forwards(land: Land) -> None:
    async with land.sessions.begin() as session:
        for member in (land.ann, land.watcher):
            with pytest.raises(NotYours):
                await advance.advance(session, land.vault, land.id, member, 3, 1, uuid.uuid4())
            with pytest.raises(NotYours):
                await advance.preview(session, land.id, member, 3)
    for to in (0, -1, 60_000):
        with pytest.raises(Conflict) as no:
            await land.move(to)
        assert no.value.field == "to"


async def test_a_repeated_press_is_one_movement(land: Land) -> None:
    press = uuid.uuid4()
    one = await land.move(4, press=press)
    assert (await land.move(4, press=press, seen=1)).id == one.id
    with pytest.raises(Conflict, match="Someone changed"):
        await land.move(9, seen=1)


async def test_two_press_at_once(land: Land) -> None:
    """Over connections of their own: one goes, the other is told; a doubled press is one."""
    await land.person("Ella", bruises=2)
    await land.add(land.gm, "completion", "wall", 3)

    async def press(request: uuid.UUID) -> Crossing | Conflict:
        try:
            return await land.move(9, press=request, seen=1)
        except Conflict as taken:
            return taken

    same = uuid.uuid4()
    came = await asyncio.gather(*(press(request) for request in (same, same, uuid.uuid4(), uuid.uuid4())))
    moved = [one for one in came if isinstance(one, Crossing)]
    assert moved and len({one.id for one in moved}) == 1
    assert [title for _, title, _ in await land.happened()].count("wall") == 1
    undone = await asyncio.gather(land.undo(moved[0]), land.undo(moved[0]))
    assert undone[0].undone_at == undone[1].undone_at
    assert await land.happened() == []


async def test_a_character_in_a_scene_has_no_other_days(land: Land) -> None:
    for name in ("Ann", "Bea"):
        await land.person(name, bruises=1)
    scene = await land.open_scene("ann")
    lines = (await land.preview(4)).lines
    assert [(line.title, line.does) for line in lines] == [
        ("Ann is in “At the door”", "held"), ("Bea: healing, day by day", "lives"),
    ]  # fmt: skip
    await land.move(4)
    assert {title for _, title, _ in await land.happened()} == {"Bea"}
    assert scene


async def test_care_is_asked_for_and_what_does_not_fit_is_the_usual(land: Land) -> None:
    await land.person("Ella", bruises=1, care={"rest": False})
    await land.person("Bob", bruises=1, care={"helper": 7})
    await land.move(1)
    async with land.sessions() as session:
        told = await history.happened(session, land.id, land.ann, 0, 9)
    assert told[0].text == "Ella does not rest." and told[0].rolls == ()
    assert told[1].text.startswith("Bob’s bruises") and len(told[1].rolls) == 1


async def test_what_days_did_is_told_to_whoever_knew_of_it(land: Land) -> None:
    """Authors of their own secrets, the named, and of the GM's people nobody but GMs."""
    await land.person("Ella", bruises=1)
    await land.person("Masked", bruises=1, npc=True)
    await land.add(land.bea, "completion", "Bea’s plan", 2, seen_by="gm")
    await land.add(land.gm, "event", "for Ann", 2, seen_by="named", viewers=(land.ann.id,))
    await land.add(land.gm, "event", "plot", 2, seen_by="gm")
    await land.move(9)

    async def told(member: Member) -> set[str]:
        marked = await land.titles(member, 0, 9, Filter(kinds=frozenset({"healing"})))
        return {title for _, title, _ in await land.happened(member)} | set(marked)

    assert await told(land.gm) == {"Ella", "Masked", "Bea’s plan", "for Ann", "plot"}
    assert await told(land.ann) == {"Ella", "for Ann"}
    assert await told(land.bea) == {"Ella", "Bea’s plan"}
    assert await told(land.watcher) == {"Ella"}


# ---- n days at once are n times one day ---------------------------------------------------------------------------

EVENTS = st.tuples(
    st.sampled_from(["scene", "arrival", "completion", "event", "note", "holiday", "healing", "reckoning"]),
    st.integers(0, 34),
    st.sampled_from(["stop", "pass", "pass", "pass"]),
    st.sampled_from([None, None, 3, 11]),
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    things=st.lists(EVENTS, max_size=8),
    cuts=st.sets(st.integers(1, 29), max_size=29),
    bruises=st.tuples(st.integers(0, 4), st.integers(0, 4)),
    turn=st.integers(1, 12),
)
def test_thirty_days_at_once_are_thirty_single_days(
    things: list[Any], cuts: set[int], bruises: tuple[int, int], turn: int
) -> None:
    """The pure part, in any portions: the same happenings, sheets and entries, and the same day at the end."""

    def made() -> Pure:
        return Pure.build(things, bruises, turn)

    whole, pieces = made(), made()
    whole.move(30)
    for to in [*sorted(cuts), 30]:
        pieces.move(to)
    assert whole.whole() == pieces.whole()


async def test_thirty_days_at_once_are_thirty_single_days_in_the_database(land: Land) -> None:
    await land.fill()
    start = await land.contents()
    crossing = await land.move(30)
    at_once = await land.contents(ids=False)
    await land.undo(crossing)
    assert await land.contents() == start
    for day in range(1, 31):
        await land.move(day)
    assert await land.contents(ids=False) == at_once


# ---- back again ---------------------------------------------------------------------------------------------------


async def test_undo_restores_every_table_step_by_step(land: Land) -> None:
    await land.fill()
    stages, crossings = [await land.contents()], []
    for to in (3, 4, 17, 40):
        crossings.append(await land.move(to))
        stages.append(await land.contents())
    assert len({str(stage) for stage in stages}) == 5
    with pytest.raises(Conflict, match="More time has passed since"):
        await land.undo(crossings[0])
    for crossing, stage in zip(reversed(crossings), reversed(stages[:-1]), strict=True):
        await land.undo(crossing)
        assert await land.contents() == stage


@pytest.mark.parametrize("act", ["entry", "new entry", "sheet", "opened", "ended", "settings"])
async def test_who_has_acted_since_stands_in_the_way(land: Land, runtime: Runtime, act: str) -> None:
    for name in ("Ann", "Bea"):
        await land.person(name, bruises=3)
    note = await land.add(land.ann, "event", "my plan", 9)
    scene = await land.open_scene("bea") if act == "ended" else None
    crossing = await land.move(3)
    async with land.sessions.begin() as session:
        if act == "entry":
            await entries.drop(session, land.vault, land.id, note.id, 1, land.ann)
        elif act == "new entry":
            typed = entries.EntryTyped(kind="event", title="news", day=4)
            await entries.add(session, land.vault, land.id, land.bea, typed)
        elif act == "sheet":
            ella = await characters.find(session, land.id, "bea")
            await characters.edit(session, ella, ella.version, "Bea", {**ella.sheet, "luck": 3}, land.gm)
        elif act == "settings":
            await books.choose_settings(session, land.vault, land.id, 4, AlmanacSettings(), 2)
    if act == "opened":
        await land.open_scene("ann")
    if scene is not None:
        await land.leave(scene, runtime)
    says = {
        "entry": "“my plan” was edited", "new entry": "“news” was edited", "sheet": "Bea’s sheet was changed",
        "opened": "the scene “At the door” was opened", "ended": "the scene “At the door” ended",
        "settings": "the calendar was changed",
    }  # fmt: skip
    with pytest.raises(Conflict, match=says[act]):
        await land.undo(crossing)
    async with land.sessions() as session:
        assert (await undo.in_the_way(session, land.id, crossing))[0] == says[act]
        assert (await books.read(session, land.id)).today == 3


async def test_time_is_taken_back_over_what_players_noted_meanwhile(land: Land) -> None:
    """A player's note on the new date locked the GM out of taking time back; now it stays, with a number of its own."""
    await land.fill()
    plan = await land.add(land.ann, "note", "my plan", 2)
    first, second = await land.move(3), await land.move(17)
    note = await land.add(land.bea, "note", "news", 4)
    await land.add(land.ann, "session", "we meet", 5, starts_at=datetime(2026, 5, 1, tzinfo=UTC))
    async with land.sessions.begin() as session:
        typed = entries.EntryTyped(title="my other plan", day=3)
        await entries.change(session, land.vault, land.id, plan.id, 1, typed, land.ann)
    await land.undo(second)
    await land.undo(first)
    stays = ["my other plan", "news", "we meet"]
    async with land.sessions() as session:
        assert [one.title for one in await undo.noted(session, first)] == stays
    assert set(stays) <= set(await land.titles(land.gm, 1, 9))
    later = await land.add(land.ann, "note", "later", 9)
    assert later.made_no > note.made_no
    assert (await land.move(17)).to_day == 17


async def test_a_note_that_was_or_becomes_more_stands_in_the_way(land: Land) -> None:
    """What turns into a note, or out of one, is an act on the date, and so is a note that time stops at."""
    was = [await land.add(land.ann, "event", "deed", 9), await land.add(land.ann, "note", "word", 9)]
    was.append(await land.add(land.ann, "note", "gate", 9))
    turned: list[tuple[Kind, Any]] = [("note", None), ("event", None), ("note", "stop")]
    for entry, (into, standing) in zip(was, turned, strict=True):
        async with land.sessions() as session:
            today = (await books.read(session, land.id)).today
        crossing = await land.move(today + 1)
        async with land.sessions.begin() as session:
            typed = entries.EntryTyped(kind=into, title=entry.title, day=9, standing=standing)
            await entries.change(session, land.vault, land.id, entry.id, 1, typed, land.ann)
        with pytest.raises(Conflict, match=f"“{entry.title}” was edited"):
            await land.undo(crossing)
