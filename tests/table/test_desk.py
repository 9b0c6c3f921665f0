"""The GM's desk reads of each scene what that GM may know, and where its round stands."""

import pytest
from sqlalchemy import func, select

from app.engine.ruleset import Phase
from app.models.base import new_id
from app.models.people import Member, Role
from app.models.scenes import StepRow
from app.rulesets import RULESETS
from app.rulesets.arcana.phases.asks import PHASES as ARCANA
from app.rulesets.duel.round import PHASES as DUEL
from app.rulesets.whiskey import BATTLE
from app.table import desk, gm_actions, pauses
from app.table.desk import Card
from app.table.runtime import Runtime
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]


async def card(table: Table, who: str) -> Card:
    async with table.runtime.sessions() as session:
        found = await desk.cards(session, table.runtime.vault, table.people[who], table.runtime.histories)
    return next(one for one in found if one.id == table.scene)


async def without_a_chair(table: Table) -> None:
    """Gia is a GM too, but has no seat in any scene."""
    gia = Member(campaign_id=table.campaign, id=new_id(), handle="gia", name="Gia", role=Role.GM)
    async with table.runtime.sessions.begin() as session:
        session.add(gia)
    table.people["gia"] = gia


async def test_a_gm_who_may_not_know_of_a_step_does_not_find_it(runtime: Runtime) -> None:
    table = await sit_down(runtime)
    await table.open(seconds=600)
    await without_a_chair(table)
    assert {one.step.key for one in (await card(table, "gm")).steps} == {"r1/knock", "r1/steal"}
    before = await card(table, "gia")
    assert [one.step.key for one in before.steps] == ["r1/knock"]
    await table.lay("cyd", "r1/steal", {"what": "the bell"})
    assert [one.step.key for one in (await card(table, "gm")).steps] == ["r1/knock"], "it has closed"
    after = await card(table, "gia")
    assert (after.steps, after.rails, after.empty, after.stopped) == (
        before.steps,
        before.rails,
        before.empty,
        before.stopped,
    )
    assert "steal" not in repr((after.steps, after.rails))


async def test_who_is_awaited_since_when_and_who_was_absent(runtime: Runtime) -> None:
    table = await sit_down(runtime)
    await table.open(seconds=600)
    await without_a_chair(table)
    await table.lay("ann", "r1/knock", {"times": 1, "note": ""})
    async with runtime.sessions() as session:
        opened = await session.scalar(select(StepRow.opened_at).where(StepRow.key == "r1/knock"))
        assert opened is not None and opened <= (await session.scalar(select(func.now())))
    (knock,) = (await card(table, "gia")).steps
    assert knock.since == opened and knock.may_open
    assert [ask.seat for ask in knock.missing] == ["bea"] and [ask.seat for ask in knock.sealed] == ["ann"]
    await table.act(pauses.pause)
    paused = await card(table, "gm")
    assert paused.paused_by == "Gm" and not paused.stopped and not any(one.may_open for one in paused.steps)
    await table.act(pauses.go_on)
    for step in ("r1/steal", "r1/knock"):
        await table.act(gm_actions.open_now, step)
    now = {one.step.key: one for one in (await card(table, "gm")).steps}
    assert now["r2/knock"].missed == {"bea": (1, 1)}
    assert now["r2/steal"].missed == {"cyd": (1, 1)}, "the GM's seat knows of the theft"
    assert [one.missed for one in (await card(table, "gia")).steps] == [{"bea": (1, 1)}]


def places(phases: tuple[Phase, ...], closed: list[str], now: list[str]) -> dict[str, str]:
    return {one.words: one.place for one in desk.rail(phases, closed, now)}


def test_a_rail_says_where_the_round_stands() -> None:
    closed = ["r1/scene", "r1/declare", "r1/next", "r2/declare"]
    assert places(BATTLE.phases, closed, ["r2/rule-2"]) == {
        "Set the scene": "skipped",
        "Declarations": "past",
        "Pairing": "skipped",
        "Outcome": "now",
        "Next round": "coming",
    }
    assert places(DUEL, ["halves", "roll"], ["initial"]) == {
        "High or low": "past",
        "Stamina": "past",
        "First clash": "now",
    }
    stalled = places(DUEL, ["b1/initial", "b1/c2/clash"], ["b1/stalled-1"])
    assert stalled["Clash"] == "past" and stalled["Combo"] == "skipped" and stalled["Stalled"] == "now"
    asked = places(ARCANA, ["c1/plan"], ["c1/next"])
    assert asked["Counterspells"] == "unseen" and asked["The GM’s rulings"] == "skipped"
    assert desk.rail(BATTLE.phases, closed, []) == ()


def test_every_game_names_its_phases() -> None:
    """All but the tutorial's, which is no campaign's, and the tests' own."""
    silent = [kind.key for rules in RULESETS for kind in rules.kinds if not kind.phases]
    assert [key for key in silent if key not in ("throw", "door")] == []
