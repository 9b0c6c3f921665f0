"""A free scene of Chronicle waits for one that is played inside it, and goes on with its people as they came out."""

import asyncio
import json
import os
import signal
import sys
import uuid
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import delete, select

from app.engine.ruleset import GM, Brief, Seat
from app.errors import Conflict, Refusal
from app.models.base import new_id
from app.models.people import Campaign, Character, Member, Role
from app.models.scenes import Claim, Scene, StepRow
from app.receipts.file import parse
from app.receipts.verify import check_many
from app.rulesets.chronicle.free import desk, events
from app.table import envelopes, gm_actions, inner_scenes, pauses, receipt
from app.table.envelopes import Submission
from app.table.loaded_scene import lock, read
from app.table.opening import InUse, open_scene
from app.table.reading import SceneSight, sight
from app.table.runtime import Runtime, retry_stuck
from tests.server import ROOT

pytestmark = pytest.mark.anyio

CAST = {"anna": "ann", "bert": "bob", "carl": "gm"}
PROUD = {"motivation": "proud", "rating": 7, "whose": "talker", "context": "the court", "topic": "the insult"}


@dataclass
class Hall:
    """A campaign with Ann, who plays Anna, Bob, who plays Bert, a GM who has Carl, and the scenes of one evening."""

    runtime: Runtime
    campaign: uuid.UUID
    people: dict[str, Member]
    scenes: dict[str, uuid.UUID] = field(default_factory=dict)

    def brief(self, title: str, *who: str) -> Brief:
        seats = {Seat(CAST[one]): (one,) for one in who if CAST[one] != "gm"}
        mine = tuple(one for one in who if CAST[one] == "gm")
        return Brief(kind="free", title=title, seats={**seats, GM: mine}, given={})

    async def open(self, title: str, *who: str) -> None:
        async with self.runtime.sessions.begin() as session:
            brief = self.brief(title, *who)
            self.scenes[title] = await open_scene(session, self.runtime.vault, self.campaign, "chronicle", brief)

    async def open_in(self, outer: str, title: str, *who: str) -> None:
        async with self.runtime.locked_scene(self.campaign, self.scenes[outer]) as (session, live):
            where = session, live, self.people["gm"], self.brief(title, *who)
            self.scenes[title] = await inner_scenes.open_inner(*where, {})

    async def seal(self, title: str, by: str, step: str, /, **pairs: str) -> None:
        laid = Submission(step, by, [*pairs.items()], 0, uuid.uuid4(), True)
        async with self.runtime.locked_scene(self.campaign, self.scenes[title]) as (session, live):
            await envelopes.lay(session, live, self.people[by].id, laid)

    async def grow(self, title: str, act: int = 1) -> None:
        """Anna's Driving Motivation brings growth: her pride falls by one, and the drive with it."""
        await self.seal(title, "ann", f"own/ann/{act}", what="grow", who="anna", drive="d1")

    async def end(self, title: str, act: int = 1) -> None:
        await self.seal(title, "gm", f"gm/{act}", what="end", words="Enough.")

    async def act(self, title: str, function: Any, *args: Any) -> Any:
        async with self.runtime.locked_scene(self.campaign, self.scenes[title]) as (session, live):
            return await function(session, live, self.people["gm"], *args)

    async def row(self, title: str) -> Scene:
        async with self.runtime.sessions() as session:
            return await session.get_one(Scene, (self.campaign, self.scenes[title]))

    async def pride(self, title: str) -> int:
        """Anna's pride, as a scene has it."""
        async with self.runtime.sessions() as session:
            live = await read(session, self.runtime.vault, self.campaign, self.scenes[title])
        return int(live.state.people["anna"].sheet.motivations.of("proud"))

    async def sight(self, title: str) -> SceneSight:
        async with self.runtime.sessions() as session:
            return await sight(session, self.runtime.vault, self.campaign, self.scenes[title], self.people["ann"])

    async def holders(self) -> dict[str, str]:
        """Who holds each claimed character, by the scene's title."""
        titles = {scene: title for title, scene in self.scenes.items()}
        async with self.runtime.sessions() as session:
            claims = await session.scalars(select(Claim).where(Claim.campaign_id == self.campaign))
            return {claim.thing.removeprefix("character/"): titles[claim.scene_id] for claim in claims}

    async def records(self, title: str) -> list[dict[str, Any]]:
        """What the record of a scene says of scenes inside it."""
        return [entry for entry in await self._entries(title) if entry["what"] == "inner"]

    async def _entries(self, title: str) -> list[dict[str, Any]]:
        lines = (await self.receipts(title)).splitlines()
        return [json.loads(json.loads(line)["record"]) for line in lines if line.startswith('{"record"')]

    async def receipts(self, title: str) -> str:
        async with self.runtime.sessions() as session:
            where = self.runtime.vault, self.campaign, self.scenes[title], self.people["ann"]
            return await receipt.lines(session, *where)


@pytest.fixture
async def hall(runtime: Runtime) -> Hall:
    campaign, roles = new_id(), {"gm": Role.GM, "ann": Role.PLAYER, "bob": Role.PLAYER}
    people = {
        name: Member(campaign_id=campaign, id=new_id(), handle=name, name=name.title(), role=role)
        for name, role in roles.items()
    }
    async with runtime.sessions.begin() as session:
        session.add(Campaign(id=campaign, slug=f"hall-{campaign.hex[-8:]}", title="The hall"))
        await session.flush()
        session.add_all(people.values())
        await session.flush()
        for slug, owner in CAST.items():
            sheet = {"name": slug.title(), "drives": [PROUD] if slug == "anna" else []}
            whose = None if owner == "gm" else people[owner].id
            ids = {"campaign_id": campaign, "id": new_id(), "slug": slug}
            session.add(Character(**ids, name=slug.title(), ruleset="chronicle", owner_id=whose, sheet=sheet))
    return Hall(runtime, campaign, people)


async def test_the_outer_scene_waits_and_goes_on_with_what_came_of_it(hall: Hall) -> None:
    """CHR-FLO-04, CHR-FLO-05."""
    await hall.open("Talk", "anna", "bert")
    await hall.grow("Talk")
    before = await hall.pride("Talk")
    await hall.open_in("Talk", "Quarrel", "anna")
    assert await hall.holders() == {"anna": "Quarrel", "bert": "Talk"}
    assert await hall.pride("Quarrel") == before, "she comes with what the talk has changed"
    row = await hall.row("Talk")
    assert row.paused_at is not None and row.next_due_at is None and (await hall.sight("Talk")).paused
    with pytest.raises(Conflict, match="waits for another one"):
        await hall.seal("Talk", "bob", "own/bob/1", what="check", who="bert", skill="run", aim="the wall")
    await hall.grow("Quarrel")
    await hall.end("Quarrel")
    row = await hall.row("Talk")
    assert row.waits_for is None and row.paused_at is None, "it goes on at once"
    assert await hall.holders() == {"anna": "Talk", "bert": "Talk"}
    assert await hall.pride("Talk") == before - 1
    [said] = await hall.records("Talk")
    assert (said["how"], said["scene"], said["result"]) == ("over", str(hall.scenes["Quarrel"]), {"end": "Enough."})
    assert said["head"] == ((await hall.row("Quarrel")).head or b"").hex()
    assert [one["event"]["kind"] for one in said["events"]] == ["inner-over", "came-back"]
    await hall.seal("Talk", "bob", "own/bob/1", what="guide", who="bert", pair="1")
    await hall.end("Talk")
    async with hall.runtime.sessions() as session:
        sheet = await session.scalar(select(Character.sheet).filter_by(campaign_id=hall.campaign, slug="anna"))
    assert sheet["motivations"]["proud"] == before - 1 and await hall.holders() == {}


async def test_both_files_are_checked_and_belong_together(hall: Hall) -> None:
    await hall.open("Talk", "anna", "bert")
    await hall.open_in("Talk", "Quarrel", "anna")
    await hall.end("Quarrel")
    await hall.end("Talk")
    outer, inner = await hall.receipts("Talk"), await hall.receipts("Quarrel")
    [alone], wrong = check_many([parse(outer)])
    assert alone.wrong == wrong == [] and not alone.unplayed
    assert "“Quarrel” was played inside it. Check that scene's file together with this one." in alone.notes
    both, wrong = check_many([parse(outer), parse(inner)])
    assert [one.code for one in both] == [0, 0] and wrong == []
    assert not any("played inside" in note for note in both[0].notes)
    await hall.open("Other", "anna")
    await hall.end("Other")
    strange = (await hall.receipts("Other")).replace(str(hall.scenes["Other"]), str(hall.scenes["Quarrel"]))
    _, wrong = check_many([parse(outer), parse(strange)])
    assert wrong == ["“Talk” did not take “Quarrel” as that scene was when it came back."]


async def test_an_abandoned_scene_brings_nothing_back(hall: Hall) -> None:
    await hall.open("Talk", "anna", "bert")
    await hall.open_in("Talk", "Quarrel", "anna")
    await hall.grow("Quarrel")
    with pytest.raises(Conflict, match="Finish or abandon that one first"):
        await hall.act("Talk", gm_actions.leave)
    await hall.act("Quarrel", gm_actions.leave)
    [said] = await hall.records("Talk")
    assert said["how"] == "abandoned" and "result" not in said and said["events"][0]["event"]["over"] is False
    assert await hall.holders() == {"anna": "Talk", "bert": "Talk"} and await hall.pride("Talk") == 6


def fails(*_: object) -> None:
    raise RuntimeError("the rules fail")


async def test_a_stuck_scene_holds_up_nobody_and_changes_nothing_later(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    await hall.open("Talk", "anna", "bert")
    await hall.open_in("Talk", "Quarrel", "anna", "carl")
    await hall.grow("Quarrel")
    with monkeypatch.context() as broken:
        broken.setattr(desk, "at_the_desk", fails)
        await hall.end("Quarrel")
    [said] = await hall.records("Talk")
    assert said["how"] == "stuck" and (await hall.row("Talk")).paused_at is None
    assert await hall.holders() == {"anna": "Talk", "bert": "Talk", "carl": "Quarrel"}
    assert [one.closed for one in await retry_stuck(hall.runtime)] == [True]
    assert (await hall.row("Quarrel")).status == "over" and len(await hall.records("Talk")) == 1
    async with hall.runtime.sessions() as session:
        sheet = await session.scalar(select(Character.sheet).filter_by(campaign_id=hall.campaign, slug="anna"))
    assert "motivations" not in sheet, "she is in the talk again, so the quarrel changes her no more"


async def test_a_scene_that_is_gone_is_waited_for_no_longer(hall: Hall) -> None:
    await hall.open("Talk", "anna")
    await hall.open_in("Talk", "Quarrel", "bert")
    async with hall.runtime.sessions.begin() as session:
        await session.execute(delete(Scene).where(Scene.id == hall.scenes["Quarrel"]))
    assert await hall.runtime.sweep() == 1 and await hall.runtime.sweep() == 0
    [said] = await hall.records("Talk")
    assert (said["how"], said["title"]) == ("missing", "") and "head" not in said
    await hall.end("Talk")
    assert check_many([parse(await hall.receipts("Talk"))])[0][0].code == 0


async def test_the_gm_lets_it_go_on_without_the_inner_scene(hall: Hall) -> None:
    await hall.open("Talk", "anna", "bert")
    await hall.open_in("Talk", "Quarrel", "anna")
    await hall.act("Talk", inner_scenes.go_on_without)
    assert await hall.holders() == {"anna": "Talk", "bert": "Talk"}
    [said] = await hall.records("Talk")
    assert said["how"] == "left" and (await hall.row("Talk")).paused_at is None
    await hall.grow("Quarrel")
    await hall.end("Quarrel")
    assert await hall.pride("Talk") == 6 and len(await hall.records("Talk")) == 1
    with pytest.raises(Conflict, match="does not wait"):
        await hall.act("Talk", inner_scenes.go_on_without)


async def test_rules_that_cannot_tell_what_came_of_it_do_not_stop_the_scene(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    await hall.open("Talk", "anna")
    await hall.open_in("Talk", "Quarrel", "anna")
    with monkeypatch.context() as broken:
        broken.setattr(events, "CameBack", fails)
        await hall.end("Quarrel")
    [said] = await hall.records("Talk")
    assert said["how"] == "failed" and said["events"] == []
    await hall.grow("Talk")
    await hall.end("Talk")
    [report] = check_many([parse(await hall.receipts("Talk"))])[0]
    assert report.code == 0 and any("could not tell" in note for note in report.notes)


async def test_a_lost_wake_is_found_by_the_sweep(hall: Hall) -> None:
    """The process dies after the commit of the end and before it wakes the outer scene."""
    await hall.open("Talk", "anna")
    await hall.open_in("Talk", "Quarrel", "anna")
    laid = Submission("gm/1", "gm", [("what", "end"), ("words", "Enough.")], 0, uuid.uuid4(), True)
    async with hall.runtime.sessions.begin() as session:
        live = await lock(session, hall.runtime.vault, hall.campaign, hall.scenes["Quarrel"])
        assert live is not None
        await envelopes.lay(session, live, hall.people["gm"].id, laid)
    assert (await hall.row("Talk")).waits_for is not None and await hall.records("Talk") == []
    assert await hall.runtime.sweep() == 1 and await hall.runtime.sweep() == 0
    assert [said["how"] for said in await hall.records("Talk")] == ["over"]


DYING = """
import asyncio, sys, uuid
from sqlalchemy.ext.asyncio import async_sessionmaker
from app.crypto.vault import Vault
from app.db.engine import make_engine
from app.play import decisions
from app.table import envelopes
from app.table.bus import make_bus
from app.table.envelopes import Submission
from app.table.runtime import Runtime

async def main(url, *ids):
    campaign, scene, gm = map(uuid.UUID, ids)
    sessions = async_sessionmaker(make_engine(url), expire_on_commit=False)
    runtime = Runtime(sessions, Vault([b"test key of thirty-two bytes, ok"]), make_bus(None, url), decisions.after)
    laid = Submission("gm/1", "gm", [("what", "end"), ("words", "Enough.")], 0, uuid.uuid4(), True)
    async with runtime.locked_scene(campaign, scene) as (session, live):
        await envelopes.lay(session, live, gm, laid)

asyncio.run(main(*sys.argv[1:]))
"""
"""Ends a scene inside another one, and is killed right after the commit of it."""


@pytest.mark.nightly
async def test_a_process_that_is_killed_after_the_end_loses_no_wake(hall: Hall, db_url: str) -> None:
    await hall.open("Talk", "anna")
    await hall.open_in("Talk", "Quarrel", "anna")
    ids = [str(one) for one in (hall.campaign, hall.scenes["Quarrel"], hall.people["gm"].id)]
    env = {**os.environ, "SIGNET_FAILPOINT": "committed", "SIGNET_FAILPOINTS_ALLOWED": "yes"}
    dead = await asyncio.create_subprocess_exec(sys.executable, "-c", DYING, db_url, *ids, env=env, cwd=ROOT)
    assert await dead.wait() == -signal.SIGKILL
    assert (await hall.row("Quarrel")).status == "over" and (await hall.row("Talk")).waits_for is not None
    assert await hall.runtime.sweep() == 1
    assert [said["how"] for said in await hall.records("Talk")] == ["over"]


async def test_three_scenes_lie_in_one_another_and_no_fourth(hall: Hall) -> None:
    await hall.open("Talk", "anna", "bert")
    await hall.open_in("Talk", "Battle", "bert")
    await hall.open_in("Battle", "Duel", "anna", "bert")
    assert await hall.holders() == {"anna": "Duel", "bert": "Duel"}, "those of the outermost scene pass through"
    with pytest.raises(Refusal, match="“Duel” in “Battle” in “Talk” are 3"):
        await hall.open_in("Duel", "Brawl", "anna")
    await hall.grow("Duel")
    await hall.end("Duel")
    assert await hall.holders() == {"anna": "Battle", "bert": "Battle"}
    await hall.end("Battle")
    assert await hall.holders() == {"anna": "Talk", "bert": "Talk"} and await hall.pride("Talk") == 5


async def test_what_cannot_be_lent_or_opened_is_refused(hall: Hall) -> None:
    await hall.open("Talk", "anna")
    await hall.open("Elsewhere", "bert")
    with pytest.raises(InUse, match="Elsewhere"):
        await hall.open_in("Talk", "Quarrel", "anna", "bert")
    assert (await hall.row("Talk")).waits_for is None and (await hall.holders())["anna"] == "Talk"
    await hall.open_in("Talk", "Quarrel", "anna")
    with pytest.raises(Conflict, match="already waits"):
        await hall.open_in("Talk", "Another", "carl")
    await hall.act("Elsewhere", pauses.pause)
    with pytest.raises(Conflict, match="paused"):
        await hall.open_in("Elsewhere", "Another", "carl")


async def test_a_pause_and_the_x_card_of_either(hall: Hall) -> None:
    await hall.open("Talk", "anna")
    await hall.open_in("Talk", "Quarrel", "anna")
    for function in (pauses.pause, pauses.go_on, pauses.renew):
        with pytest.raises(Conflict):
            await hall.act("Talk", function)
    async with hall.runtime.locked_scene(hall.campaign, hall.scenes["Talk"]) as (session, live):
        assert await pauses.stop_here(session, live)
    await hall.end("Quarrel")
    row = await hall.row("Talk")
    assert row.waits_for is None and row.stopped and row.paused_at is not None, "a stop outlasts the wait"
    await hall.act("Talk", pauses.go_on)
    await hall.open_in("Talk", "Again", "anna")
    async with hall.runtime.locked_scene(hall.campaign, hall.scenes["Talk"]) as (session, live):
        assert await pauses.stop_here(session, live)
    await hall.act("Talk", pauses.go_on)
    row = await hall.row("Talk")
    assert row.waits_for is not None and row.paused_at is not None and not row.stopped, "it still waits"
    await hall.act("Again", pauses.pause)
    await hall.act("Again", pauses.go_on)
    await hall.end("Again")
    assert (await hall.row("Talk")).paused_at is None


async def test_its_clocks_stand_with_the_time_they_had(hall: Hall) -> None:
    await hall.open("Talk", "anna")
    await hall.seal("Talk", "ann", "own/ann/1", what="check", who="anna", skill="run", aim="the wall")
    await hall.act("Talk", gm_actions.give_time, "c1/frame", 600)
    await hall.open_in("Talk", "Quarrel", "anna")
    async with hall.runtime.sessions() as session:
        step = await session.get_one(StepRow, (hall.campaign, hall.scenes["Talk"], "c1/frame"))
    assert step.due_at is None and 590 < (step.left_seconds or 0) <= 600
    await hall.end("Quarrel")
    async with hall.runtime.sessions() as session:
        step = await session.get_one(StepRow, (hall.campaign, hall.scenes["Talk"], "c1/frame"))
    assert step.due_at is not None and (await hall.row("Talk")).next_due_at == step.due_at
