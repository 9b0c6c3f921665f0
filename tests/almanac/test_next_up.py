"""What is played next and why, scenes from entries and back, who is where, who is in two places at once."""

import asyncio
import uuid
from typing import Any

import pytest

from app.almanac import entries
from app.almanac.conflicts import clashes
from app.almanac.time_walk import TimeItem
from app.calendar.repeat import EveryDays
from app.errors import Conflict, NotYours
from app.play import next_up
from app.play.next_up import Proposal
from app.table import closing, gm_actions
from app.table.runtime import Runtime
from tests.almanac.small_campaign import Land

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

BRIEF = {"ruleset": "toy", "kind": "door", "seats": {"ann": ["ann"], "bea": ["bea"]}, "settings": {"honest": True}}


async def proposed(land: Land, member: Any = None) -> Proposal | None:
    async with land.sessions() as session:
        return await next_up.proposed(session, land.id, member or land.gm)


async def act(land: Land, function: Any, *args: Any, by: Any = None, **more: Any) -> Any:
    async with land.sessions.begin() as session:
        return await function(session, land.vault, land.id, *args, by=by or land.gm, **more)


async def test_the_earliest_is_proposed_and_the_desk_says_why(land: Land) -> None:
    """CHR-CAL-03, CHR-CAL-04."""
    assert await proposed(land) is None
    await land.add(land.gm, "scene", "later", 9)
    second = await land.add(land.gm, "scene", "duel", 4)
    await land.add(land.gm, "scene", "talk", 4)
    await land.add(land.gm, "scene", "ambush", 2, seen_by="gm")
    await land.add(land.gm, "note", "note", 1)
    first = await proposed(land)
    assert first is not None and first.scene.title == "ambush" and "3 First Month 1" in first.why
    told = await proposed(land, land.ann)
    assert told is not None and [told.scene.title, *(one.title for one in told.same_day)] == ["duel", "talk"]
    assert told.why.endswith("Another scene has the same date; this one was added first.")
    await act(land, entries.drop, second.id, 1)
    await land.add(land.gm, "scene", "council", 3, rule=EveryDays(days=5), text="each week")
    told = await proposed(land, land.ann)
    assert told is not None and (told.scene.title, told.scene.first) == ("council", 3)


async def test_a_scene_is_opened_from_its_entry_and_its_end_does_the_entry(land: Land, runtime: Runtime) -> None:
    for name in ("Ann", "Bea"):
        await land.person(name)
    duel = await land.add(land.gm, "scene", "duel", 3, people=("ann", "bea"), brief=BRIEF, place="Mill")
    with pytest.raises(Conflict, match="has not come yet"):
        await act(land, next_up.open_from, duel.id, 1)
    await land.move(5)
    with pytest.raises(NotYours):
        await act(land, next_up.open_from, duel.id, 1, by=land.ann)
    broken = await act(land, next_up.open_from, duel.id, 1)
    now = await proposed(land)
    assert now is not None and now.playing
    with pytest.raises(Conflict, match="already open"):
        await act(land, next_up.open_from, duel.id, 2)
    await land.leave(broken, runtime)
    now = await proposed(land)
    assert now is not None and not now.playing and now.scene.scene_id is None

    scene = await act(land, next_up.open_from, duel.id, now.scene.version)
    async with runtime.locked_scene(land.id, scene) as (session, live):
        assert live.row.title == "duel"
        for _ in range(2):
            row = (await gm_actions.open_steps(session, live))[-1]
            assert await closing.close(session, live, row, "gm")
    assert await proposed(land) is None
    done = (await land.between(land.gm, 3, 3))[0]
    assert (done.state, done.scene_id, done.data) == ("done", scene, {"played_on": 3})


async def test_a_scene_seats_people_in_the_order_of_its_entry(land: Land, runtime: Runtime) -> None:
    """A stored brief is sorted by length and letters; the first of several often decides (CHR-TRV-05)."""
    for name in ("Ann", "Bea", "Cid"):
        await land.person(name)
    order = {**BRIEF, "seats": {who: [who] for who in ("ann", "bea", "cid")}}
    entry = await land.add(land.gm, "scene", "duel", 0, brief=order, people=("cid", "ann", "bea"))
    scene = await act(land, next_up.open_from, entry.id, 1)
    async with runtime.locked_scene(land.id, scene) as (_, live):
        assert list(live.order) == ["cid", "ann", "bea", "gm"]


async def test_a_scene_that_ends_while_time_moves_does_not_lock_up(land: Land, runtime: Runtime) -> None:
    """Ends of scenes hold scene, almanac, characters in this order; movements almanac, characters."""
    for name in ("Ann", "Bea", "Cid"):
        await land.person(name, bruises=2)
    entry = await land.add(land.gm, "scene", "duel", 0, brief=BRIEF, people=("ann", "bea"), standing="pass")
    scene = await act(land, next_up.open_from, entry.id, 1)
    ready, going = asyncio.Event(), asyncio.Event()

    async def end() -> None:
        async with runtime.locked_scene(land.id, scene) as (session, live):
            ready.set()
            await going.wait()
            for _ in range(2):
                assert await closing.close(session, live, (await gm_actions.open_steps(session, live))[-1], "gm")

    async def move() -> None:
        await ready.wait()
        going.set()
        for day in (1, 2, 3):
            await land.move(day)

    async with asyncio.timeout(20):
        await asyncio.gather(end(), move())


async def test_a_long_scene_is_paused_while_another_is_played(land: Land) -> None:
    """CHR-CAL-05, CHR-CAL-06."""
    journey = await land.add(land.gm, "scene", "journey", 1, last_day=9, people=())
    await land.add(land.gm, "scene", "duel", 3)
    await land.move(1)
    paused = await act(land, next_up.pause, journey.id, 1, 4)
    assert paused.state == "paused"
    assert (await land.move(9)).to_day == 3
    now = await proposed(land)
    assert now is not None and [now.scene.title, now.scene.first] == ["duel", 3]
    await act(land, entries.mark, now.scene.id, now.scene.version, "done")
    assert (await land.move(9)).to_day == 4
    now = await proposed(land)
    assert now is not None and now.scene.title == "journey" and now.why.startswith("It was paused and resumes today")
    with pytest.raises(Conflict, match="“journey” needs"):
        await land.move(9)
    later = await act(land, entries.move, journey.id, 2, 5)
    assert (later.day, later.last_day, later.data["resumes"]) == (1, 9, 5), "it began when it began"
    assert (await land.move(9)).to_day == 5
    leg = await act(land, next_up.next_leg, journey.id, 3, 6)
    assert (leg.kind, leg.day, leg.data["leg"]) == ("leg", 6, 2)
    assert (await land.move(9)).to_day == 6


async def test_where_everybody_is(land: Land) -> None:
    for name in ("Ann", "Bea", "Cid"):
        await land.person(name)
    await land.add(land.gm, "arrival", "arrives", 2, people=("ann", "bea"), place="Port")
    await land.add(land.gm, "event", "hides", 3, people=("bea",), place="Cellar", seen_by="gm")
    await land.add(land.gm, "scene", "will be", 9, people=("ann",), place="Keep")
    await land.move(5)
    async with land.sessions() as session:
        slugs = ("ann", "bea", "cid")
        gm = await next_up.whereabouts(session, land.id, land.gm, slugs)
        ann = await next_up.whereabouts(session, land.id, land.ann, slugs)
    assert {slug: where.place for slug, where in gm.items()} == {"ann": "Port", "bea": "Cellar"}
    assert {slug: where.place for slug, where in ann.items()} == {"ann": "Port", "bea": "Port"}


async def test_a_double_booking_is_shown_and_the_gm_decides(land: Land) -> None:
    """CHR-CAL-12."""
    await land.person("Ann")
    await land.add(land.gm, "scene", "journey", 10, last_day=20, people=("ann",), seen_by="gm")
    duel = await land.add(land.gm, "scene", "duel", 15, people=("ann",))
    await land.add(land.gm, "scene", "departure", 10, people=("ann",))

    async def found(member: Any) -> list[tuple[str, str | None, int]]:
        async with land.sessions() as session:
            clash = await next_up.double_booked(session, land.id, member)
        return [(one.title, other.title if other else None, why.legal) for one, why, other in clash]

    assert await found(land.gm) == [("duel", "journey", 20)]
    assert await found(land.ann) == [], "she may not know of the journey"
    await act(land, next_up.allow, duel.id, 1)
    assert await found(land.gm) == []
    await act(land, entries.move, duel.id, 2, 16)
    assert await found(land.gm) == [("duel", "journey", 20)]
    await act(land, entries.move, duel.id, 3, 20)
    assert await found(land.gm) == []


async def test_a_scene_before_somebodys_last_is_proposed_on_its_first_legal_day(land: Land) -> None:
    """CHR-CAL-12: the desk proposed the past first; it comes on the day on which its people can be in it."""
    await land.person("Ann")
    over = await land.add(land.gm, "scene", "journey", 2, last_day=9, people=("ann",))
    await act(land, entries.mark, over.id, 1, "done")
    await land.add(land.gm, "scene", "wedding", 9)
    past = await land.add(land.gm, "scene", "duel", 4, people=("ann",))
    free = await land.add(land.gm, "scene", "feast", 6)
    first = await proposed(land)
    assert first is not None and (first.scene.title, first.day, first.same_day) == ("feast", 6, ())
    await act(land, entries.mark, free.id, 1, "done")
    first = await proposed(land)
    assert first is not None and (first.scene.title, first.day) == ("wedding", 9)
    assert [one.title for one in first.same_day] == ["duel"], "it was put down later"
    await land.add(land.gm, "scene", "talk", 10)
    await act(land, entries.mark, first.scene.id, 1, "done")
    first = await proposed(land)
    assert first is not None and (first.scene.title, first.day, first.scene.first) == ("duel", 9, 4)
    assert first.why.endswith("10 First Month 1, the first day on which all its characters are free.")
    await act(land, next_up.allow, past.id, 1)
    first = await proposed(land)
    assert first is not None and (first.scene.title, first.day, first.same_day) == ("duel", 4, ()), "the GM decides"


async def test_of_scenes_that_are_due_that_of_whoever_was_played_longest_ago(land: Land) -> None:
    """CHR-CAL-03 with clocks of their own: whose last scene lies furthest back comes first; scenes ahead do not."""
    for name in ("Ann", "Bea", "Cid"):
        await land.person(name)
    for who, day in (("ann", 7), ("bea", 2)):
        over = await land.add(land.gm, "scene", f"{who}'s last", day, people=(who,))
        await act(land, entries.mark, over.id, 1, "done")
    await land.move(9)
    duel = await land.add(land.gm, "scene", "duel", 8, people=("ann",))
    feast = await land.add(land.gm, "scene", "feast", 9, people=("bea",))
    await land.add(land.gm, "scene", "hunt", 12, people=("cid",))
    first = await proposed(land)
    assert first is not None and first.scene.id == duel.id, "by date, as is usual"
    await land.choose(order="clocks")
    first = await proposed(land)
    assert first is not None and (first.scene.id, first.same_day) == (feast.id, ())
    assert first.why == "One of its characters has waited longest, since 3 First Month 1."
    await act(land, entries.mark, feast.id, 1, "done")
    first = await proposed(land)
    assert first is not None and first.scene.id == duel.id
    await land.add(land.gm, "scene", "talk", 9, people=("cid",))
    first = await proposed(land)
    assert first is not None and first.scene.title == "talk" and "not been in any scene yet" in first.why
    for title in ("talk", "duel"):
        one = next(one for one in await land.between(land.gm, 8, 9) if one.title == title)
        await act(land, entries.mark, one.id, 1, "done")
    first = await proposed(land)
    assert first is not None and first.scene.title == "hunt", "nothing is due: the earliest ahead"


def scene(made: int, day: int, length: int = 0, minute: int | None = None, who: str = "ann") -> TimeItem:
    return TimeItem(
        uuid.UUID(int=made), made, "scene", "open", f"s{made}", "", day, length, minute, None, "stop", (who,), "all", ()
    )


@pytest.mark.parametrize(
    ("scenes", "clock", "legal"),
    [
        ([scene(1, 4)], 3, []),
        ([scene(1, 4)], 4, []),
        ([scene(1, 4)], 9, [(1, 9)]),
        ([scene(1, 4), scene(2, 4)], 0, []),
        ([scene(1, 4, minute=60), scene(2, 4, minute=60)], 0, [(2, 5)]),
        ([scene(1, 4, minute=60), scene(2, 4, minute=60, who="bea")], 0, []),
        ([scene(1, 4, 5), scene(2, 6, 5)], 0, [(2, 9)]),
        ([scene(1, 4, 5), scene(2, 9, 5), scene(3, 5)], 0, [(3, 9)]),
        ([scene(1, 4), scene(2, 2, 4)], 0, [(2, 4)]),
    ],
)
def test_the_first_legal_date(scenes: list[TimeItem], clock: int, legal: list[tuple[int, int]]) -> None:
    """CHR-CAL-12: not before the clock, not two at once; before and after a journey's edges is fine."""
    assert [(clash.item.made_no, clash.legal) for clash in clashes(scenes, {"ann": clock})] == legal


async def test_only_scenes_are_opened(land: Land) -> None:
    note = await land.add(land.gm, "note", "n", 0)
    with pytest.raises(Conflict, match="neither a scene nor a journey leg"):
        await act(land, next_up.open_from, note.id, 1)


async def test_what_goes_by_by_itself_is_next_only_where_nothing_else_is(land: Land) -> None:
    await land.add(land.gm, "leg", "To the coast", 2, standing="pass")
    told = await proposed(land)
    assert told is not None and told.scene.title == "To the coast"
    await land.add(land.gm, "scene", "The harbour", 9)
    told = await proposed(land)
    assert told is not None and told.scene.title == "The harbour"
