"""A long scene has an entry of the calendar for each of its legs, and waits for what comes first (CHR-CAL-05, -06)."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from sqlalchemy import select

import app.rulesets
from app.almanac import entries
from app.crypto.vault import Vault
from app.engine.chance import Roll
from app.engine.ruleset import Brief, Outcome, PlannedEntry, Seat
from app.errors import Conflict
from app.models.almanac import Entry
from app.models.people import Campaign, Member
from app.models.scenes import Line, Scene, StepRow
from app.play import next_up
from app.table import closing, gm_actions, inner_scenes, pauses
from app.table.opening import open_scene
from app.table.reading import sight
from app.table.repeating import read_start
from app.table.runtime import Runtime
from tests.almanac.small_campaign import Land, Sessions, settle
from tests.toy import KIND, TOY, Rolled

pytestmark = pytest.mark.anyio

ROAD = replace(
    KIND,
    key="road",
    title="A road",
    leg=lambda state: 0 if state.rounds == 9 else state.round,
    inner=lambda log, came: log.emit(Rolled(roll=Roll(label="TOY-06/luck/1", size=6, face=1)), rule="TOY-06"),
    outcome=lambda state: Outcome(entries=(PlannedEntry(title="The next morning"),)),
)
"""A leg for each round; a road of nine rounds has none. A scene inside it ends a round."""


@dataclass
class Journey:
    """A scene on a road, in a campaign with a calendar."""

    land: Land
    runtime: Runtime
    scene: uuid.UUID = field(default_factory=uuid.uuid4)

    async def open(self, rounds: int = 3, seconds: int | None = None, **more: Any) -> None:
        given = {"honest": True, "rounds": rounds, "seconds": seconds}
        async with self.land.sessions.begin() as session:
            self.scene = await open_scene(session, self.land.vault, self.land.id, "toy", brief(), given, **more)

    async def goes(self) -> None:
        """Closes the step of a round, which is a leg."""
        async with self.runtime.locked_scene(self.land.id, self.scene) as (session, live):
            assert await closing.close(session, live, (await gm_actions.open_steps(session, live))[-1], "gm")

    async def act(self, function: Any, *args: Any) -> Any:
        async with self.runtime.locked_scene(self.land.id, self.scene) as (session, live):
            return await function(session, live, *args)

    async def row(self) -> Scene:
        async with self.land.sessions() as session:
            return await session.get_one(Scene, (self.land.id, self.scene))

    async def said(self) -> list[str]:
        async with self.land.sessions() as session:
            return list(await session.scalars(select(Line.text).where(Line.scene_id == self.scene)))

    async def entries(self) -> Sequence[Entry]:
        async with self.land.sessions() as session:
            found = select(Entry).where(Entry.campaign_id == self.land.id).order_by(Entry.made_no)
            return list(await session.scalars(found))

    async def legs(self) -> list[tuple[str, int, int]]:
        """State, day and number of each entry that is linked to the scene."""
        return [(one.state, one.day, one.data.get("leg", 0)) for one in await self.entries() if one.scene_id]

    async def decide(self, function: Any, entry: Entry, *args: Any, by: Member | None = None) -> Any:
        async with self.land.sessions.begin() as session:
            where = (session, self.land.vault, self.land.id, entry.id, entry.version)
            return await function(*where, *args, by=by or self.land.gm)


def brief(kind: str = "road") -> Brief:
    return Brief(kind=kind, title="To the coast", seats={Seat("ann"): ("ann",), Seat("bea"): ("bea",)})


@pytest.fixture
async def journey(sessions: Sessions, vault: Vault, runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> Journey:
    monkeypatch.setattr(app.rulesets, "RULESETS", (*app.rulesets.RULESETS, replace(TOY, kinds=(KIND, ROAD))))
    land = await settle(sessions, vault)
    for name in ("Ann", "Bea"):
        await land.person(name)
    return Journey(land, runtime)


async def test_each_leg_has_an_entry_on_a_day_of_its_own(journey: Journey) -> None:
    """CHR-CAL-06, and the day of what comes after it."""
    await journey.land.move(5)
    await journey.open()
    first = (await journey.entries())[0]
    assert (first.kind, first.title, first.people, first.author_id, first.standing) == (
        "leg", "To the coast", ["ann", "bea"], journey.land.gm.id, "stop"
    )  # fmt: skip
    assert await journey.legs() == [("open", 5, 1)]
    await journey.goes()
    assert await journey.legs() == [("done", 5, 1), ("open", 6, 2)]
    await journey.goes()
    assert await journey.legs() == [("done", 5, 1), ("done", 6, 2), ("open", 7, 3)]
    found = await journey.entries()
    assert {one.scene_id for one in found} == {journey.scene}
    assert [one.data.get("leg_of") for one in found] == [None, str(first.id), str(first.id)]
    assert found[0].data["played_on"] == 5 and (await journey.land.move(9)).to_day == 7, "time stops at the last leg"
    await journey.goes()
    *legs, morning = await journey.entries()
    assert [one.state for one in legs] == ["done"] * 3 and (await journey.row()).status == "over"
    assert (morning.title, morning.day) == ("The next morning", 8)


async def test_what_follows_a_scene_is_counted_from_its_last_leg(journey: Journey) -> None:
    """Time has not passed yet to the day of the leg that was just played."""
    await journey.open(rounds=2)
    await journey.goes()
    await journey.goes()
    assert (await journey.entries())[-1].day == 2


async def test_the_entry_that_a_scene_is_opened_from_is_its_first_leg(journey: Journey) -> None:
    land = journey.land
    order = {"ruleset": "toy", "kind": "road", "seats": {"ann": ["ann"]}, "settings": {"honest": True}}
    seen = {"seen_by": "named", "viewers": (land.bea.id,), "place": "The dunes", "text": "Sand."}
    entry = await land.add(land.ann, "scene", "Sand", 0, last_day=6, people=("ann",), brief=order, **seen)
    journey.scene = await journey.decide(next_up.open_from, entry)
    assert await journey.legs() == [("open", 0, 0)]
    await journey.goes()
    assert await journey.legs() == [("done", 0, 0), ("open", 1, 2)]
    old, new = await journey.entries()
    same = ("title", "text", "place", "people", "seen_by", "viewers", "author_id", "standing", "brief", "minute")
    assert [getattr(new, name) for name in same] == [getattr(old, name) for name in same]
    assert (new.kind, old.last_day, new.last_day) == ("leg", None, None), "the later days are the next legs'"
    with pytest.raises(Conflict, match="added by itself"):
        await journey.decide(next_up.next_leg, new, 5)


async def test_a_linked_scene_of_the_form_is_its_first_leg(journey: Journey) -> None:
    entry = await journey.land.add(journey.land.gm, "scene", "Sand", 0)
    await journey.open(has_entry=True)
    await journey.decide(next_up.link, entry, journey.scene)
    assert await journey.legs() == [("open", 0, 0)]


async def test_a_scene_waits_for_what_comes_before_its_next_leg(journey: Journey) -> None:
    """CHR-CAL-05: it is paused, time stops at the other scene, then at the leg, and it goes on."""
    land = journey.land
    duel = await land.add(land.gm, "scene", "duel", 0, people=("ann",))
    await land.add(land.gm, "scene", "later", 1)
    await land.add(land.gm, "scene", "plain", 0, standing="pass")
    await land.add(land.gm, "note", "note", 0, standing="stop")
    await journey.open(seconds=60)
    await journey.goes()
    row = await journey.row()
    assert (await journey.legs())[-1] == ("paused", 1, 2) and row.paused_at and not row.paused_until
    assert (await journey.entries())[-1].data["resumes"] == 1
    assert (await journey.said()) == [
        "The calendar paused the scene: something else comes before its next leg. It goes on on 2 First Month 1."
    ]
    async with land.sessions() as session:
        for who in (land.ann, land.gm):
            seen = await sight(session, land.vault, land.id, journey.scene, who)
            assert seen.paused and seen.resumes == "2 First Month 1" and not seen.seals_apart
        steps = await session.scalars(
            select(StepRow).where(StepRow.scene_id == journey.scene, StepRow.key == "r2/knock")
        )
        assert [step.due_at for step in steps] == [None]
    with pytest.raises(Conflict, match="duel"):
        await land.move(9)
    assert (await next_up_title(land)) == "duel"
    await journey.decide(entries.mark, duel, "done")
    await journey.decide(entries.mark, next(one for one in await journey.entries() if one.title == "note"), "done")
    assert (await land.move(9)).to_day == 1
    await journey.act(pauses.go_on, land.gm)
    assert (await journey.legs())[-1] == ("open", 1, 2)
    await journey.goes()
    assert (await journey.legs())[-2:] == [("done", 1, 2), ("paused", 2, 3)], "“later” is due"


async def next_up_title(land: Land) -> str:
    async with land.sessions() as session:
        found = await next_up.proposed(session, land.id, land.gm)
    assert found is not None
    return found.scene.title


async def test_a_gm_goes_on_early_and_what_is_played_holds_up_no_scene(journey: Journey) -> None:
    land = journey.land
    await land.person("Cid")
    duel = await land.add(land.gm, "scene", "duel", 0, people=("cid",))
    await journey.open()
    await journey.goes()
    assert (await journey.row()).paused_at
    await journey.act(pauses.go_on, land.gm)
    assert (await journey.legs())[-1] == ("open", 1, 2) and not (await journey.row()).paused_at
    async with land.sessions.begin() as session:
        order = Brief(kind="door", title="duel", seats={Seat("cid"): ("cid",)})
        other = await open_scene(session, land.vault, land.id, "toy", order, {"honest": True}, held="fresh")
    await journey.decide(next_up.link, duel, other)
    await journey.goes()
    assert (await journey.legs())[-1] == ("open", 2, 3) and not (await journey.row()).paused_at


async def test_nothing_is_said_of_the_day_of_a_secret_entry(journey: Journey) -> None:
    land = journey.land
    entry = await land.add(land.gm, "leg", "Sand", 0, seen_by="gm")
    await land.add(land.gm, "scene", "ambush", 0, seen_by="gm")
    await journey.open(has_entry=True)
    await journey.decide(next_up.link, entry, journey.scene)
    await journey.goes()
    assert (await journey.said()) == ["The calendar paused the scene: something else comes before its next leg."]
    async with land.sessions() as session:
        seen = [await sight(session, land.vault, land.id, journey.scene, who) for who in (land.ann, land.gm)]
    assert [one.resumes for one in seen] == ["", "2 First Month 1"]


async def test_an_abandoned_scene_leaves_its_last_leg_open(journey: Journey) -> None:
    await journey.open()
    await journey.goes()
    await journey.land.leave(journey.scene, journey.runtime)
    left = (await journey.entries())[-1]
    assert (left.state, left.day, left.scene_id) == ("open", 1, None)
    await journey.land.move(1)
    await journey.open(has_entry=True)
    await journey.decide(next_up.link, left, journey.scene)
    await journey.goes()
    assert (await journey.legs())[-1] == ("open", 2, 3), "a new scene counts on from there"


async def test_a_leg_that_a_gm_has_cancelled_or_done_by_hand(journey: Journey) -> None:
    await journey.open()
    await journey.decide(entries.mark, (await journey.entries())[-1], "done")
    await journey.goes()
    assert await journey.legs() == [("done", 0, 1), ("open", 1, 2)]
    await journey.decide(entries.mark, (await journey.entries())[-1], "dropped")
    await journey.goes()
    assert await journey.legs() == [("done", 0, 1), ("dropped", 1, 2)], "no longer on the calendar"


async def test_scenes_without_legs_practice_and_sandboxes_have_no_entries(journey: Journey) -> None:
    land = journey.land
    await journey.open(rounds=9)
    await journey.goes()
    await land.leave(journey.scene, journey.runtime)
    async with land.sessions.begin() as session:
        start = await read_start(session, land.vault, land.id, journey.scene)
    await journey.open(start=start)
    await journey.goes()
    async with land.sessions.begin() as session:
        await open_scene(session, land.vault, land.id, "toy", brief("door"), {"honest": True})
    await journey.land.leave((await scenes(land))[-1], journey.runtime)
    async with land.sessions.begin() as session:
        campaign = await session.get_one(Campaign, land.id)
        campaign.settings = {**campaign.settings, "practice": True}
    await journey.open()
    assert await journey.entries() == []


async def scenes(land: Land) -> list[uuid.UUID]:
    async with land.sessions() as session:
        return list(await session.scalars(select(Scene.id).where(Scene.campaign_id == land.id).order_by(Scene.id)))


async def test_a_scene_inside_another_has_no_entry_and_may_end_a_leg(journey: Journey) -> None:
    """The outer scene does not go on where its next leg has to wait."""
    land = journey.land
    duel = await land.add(land.gm, "scene", "duel", 0)
    await journey.open()
    outer, given = journey.scene, {"honest": True, "rounds": 1}
    journey.scene = await journey.act(inner_scenes.open_inner, land.gm, brief(), given, "fresh")
    assert await journey.legs() == [("open", 0, 1)]
    await journey.goes()
    journey.scene = outer
    row = await journey.row()
    assert await journey.legs() == [("done", 0, 1), ("paused", 1, 2)]
    assert row.waits_for is None and row.paused_at and row.paused_by == "the calendar"
    await journey.decide(entries.mark, duel, "dropped")
    await journey.act(pauses.go_on, land.gm)
    assert (await journey.legs())[-1] == ("open", 1, 2)


async def test_a_leg_that_ends_by_the_clock(journey: Journey) -> None:
    land = journey.land
    await land.add(land.gm, "scene", "duel", 0)
    await journey.open(seconds=60)
    async with journey.runtime.locked_scene(land.id, journey.scene) as (session, live):
        row = (await gm_actions.open_steps(session, live))[-1]
        live.row.next_due_at = row.due_at = live.now
    assert await journey.runtime.sweep() == 1
    assert (await journey.legs())[-1] == ("paused", 1, 2) and (await journey.row()).next_due_at is None
