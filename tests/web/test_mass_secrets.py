"""What others get of a mass battle is the same, byte for byte, whatever a seat has sealed: targets, intents, quick
units, moves. Players of one side read each other's targets and moves early; nobody else does.

All legal answers are hexes and units, which stand on every page, so a search for them would prove nothing.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.models.people import Member
from app.models.scenes import Scene
from app.receipts.setup import STEP
from app.rulesets.chronicle.mass import moving, shooting
from app.rulesets.chronicle.mass.hexes import spell
from app.rulesets.chronicle.mass.sample import DEMO
from app.rulesets.chronicle.mass.view import View
from app.rulesets.chronicle.samples import heroes
from app.rulesets.chronicle.sheets import Sheet
from app.table import closing, gm_actions
from app.table.reading import sight
from app.table.runtime import Runtime
from app.table.scene_sight import AskSight
from tests.hand_fight import lay
from tests.selection import nightly
from tests.web.browser import Browser
from tests.web.searching import Canaries
from tests.web.seated_fight import seated
from tests.web.test_arcana_secrets import AROUND, Night, Typed, masked, same_luck
from tests.web.test_canaries import read_by, stored

__all__ = ["same_luck"]
pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("same_luck")]

SIDES = {"ella": "a", "morten": "a", "anselm": "b", "tilda": "b"}
MATES = {"ella": "morten", "morten": "ella", "anselm": "tilda", "tilda": "anselm"}
ROUND = {"a1": "K8", "a2": "M9", "a3": "M11", "a4": "K10", "a5": "M13", "a6": "K13", "a7": "L4", "a8": "L17"}
"""The ambush is at the column from the beginning: it fights and shoots in round 1."""
ALOUD = {"targets", "move"}
"""What the players of a side read of each other before it opens."""
ROUTES = AROUND if nightly() else AROUND[:1]
Pair = tuple[Typed, Typed]


def _targets(view: View, ask: AskSight) -> Pair:
    aims = shooting.shooters(view.battle)
    key = next(key for key in ask.about if aims.get(key))
    return {f"of.{key}.at": aims[key][0]}, {f"of.{key}.at": ""}


def _intents(view: View, ask: AskSight) -> Pair:
    (side,) = ask.about
    return {f"of.{side}.intent": "surrender"}, {f"of.{side}.intent": "fight"}


def _quick(view: View, ask: AskSight) -> Pair:
    count = moving.quick_count(view.battle, view.battle.units[ask.about[0]].side)
    first, last = ({f"of.{key}.quick": "yes" for key in keys} for keys in (ask.about[:count], ask.about[-count:]))
    return first, last


def _moves(view: View, ask: AskSight) -> Pair:
    battle = view.battle
    key, hex = next((key, hex) for key in ask.about for hex in battle.ground.steps(battle.units[key].at, battle.taken))
    return {f"of.{key}.to": spell(hex)}, {}


PAIRS: Mapping[str, Callable[[View, AskSight], Pair]] = {
    "targets": _targets, "intent": _intents, "quick": _quick, "move": _moves,
}  # fmt: skip
"""Two answers of one seat, by kind of ask."""


class Battle(Night):
    """A battle of two players a side who share the command."""

    runtime: Runtime

    async def asks(self, who: str) -> tuple[View, dict[str, tuple[str, AskSight]]]:
        """The view of a member, and all asks that they may know of, by seat, with the keys of their steps."""
        async with self.runtime.repeatable_read() as session:
            scene = (await session.scalars(select(Scene))).one()
            member = (await session.scalars(select(Member).where(Member.handle == who))).one()
            seen = await sight(session, self.runtime.vault, scene.campaign_id, scene.id, member)
        waits = [step for step in seen.steps if step.status == "open" and step.pace != "whenever"]
        return seen.view, {ask.seat: (step.key, ask) for step in waits for ask in step.asks}

    async def play_to(self, *kinds: str) -> str:
        """Close steps as if nobody were there until one of these is asked."""
        for _ in range(20):
            _, asks = await self.asks("sam")
            kind = next(ask.kind for _, ask in asks.values())
            if kind in kinds:
                return kind
            async with self.runtime.sessions() as session:
                scene = (await session.scalars(select(Scene))).one()
            async with self.runtime.locked_scene(scene.campaign_id, scene.id) as (session, live):
                rows = await gm_actions.open_steps(session, live)
                row = next(row for row in rows if STEP.validate_python(row.spec).pace != "whenever")
                assert await closing.close(session, live, row, "gm"), f"{row.key} is stuck"
        raise AssertionError("it is not asked")

    async def pages(self, who: str) -> dict[str, bytes]:
        """Pages of this member, and for a GM those as every seat; each is there."""
        found = {}
        self.got.clear()
        await self.look("", ROUTES, [who])
        for where, (status, _, body) in self.got.items():
            assert status < 500, where
            found[where] = body
        for seat in ("spectator", *SIDES) if who == "gm" else ():
            path = f"{self.table.at.format(who=who)}/as/{seat}"
            answer = await self.table.browsers[who].http.get(path)
            assert answer.status_code == 200
            found[f"as {seat}"] = masked(answer.content, path)
        return found


@pytest.fixture
async def battle(site: FastAPI, open_browser: Callable[[], Browser]) -> Battle:
    own = heroes()
    sheets = {**DEMO.set_up()[0], "morten": own["morten"], "tilda": Sheet(name="Tilda")}
    brief = DEMO.set_up()[1]
    assert isinstance(brief.given, dict)
    given: dict[str, Any] = {**brief.given, "sides": SIDES}
    settings = {"battle_command": "shared", "mass_seconds": 3600}
    table = await seated(site, open_browser, lay, sheets=sheets, given=given, settings=settings, kind="mass")
    begun = Battle(table)
    begun.runtime = site.state.runtime
    await begun.play_to("place")
    await begun.send("anselm", "place/b", {})
    await begun.send("ella", "place/a", {f"of.{key}.to": hex for key, hex in ROUND.items()})
    return begun


async def test_whatever_is_sealed_others_get_the_same_until_it_opens(battle: Battle) -> None:
    """Also the GM, who may see the scene as each seat does, and for what a side's own players may not read."""
    for wanted in PAIRS:
        kind = await battle.play_to(wanted)
        _, asks = await battle.asks("gm")
        seat, (step, _) = next(one for one in asks.items() if one[0] in SIDES)
        view, mine = await battle.asks(seat)
        one, other = PAIRS[kind](view, mine[seat][1])
        readers = {seat, MATES[seat]} if kind in ALOUD else {seat}
        others = sorted({*SIDES, "gm", "sam"} - readers)
        await battle.send(seat, step, one)
        before = {who: await battle.pages(who) for who in others}
        told = {who: (await battle.asks(who))[1][seat][1] for who in (*SIDES, "gm", "sam")}
        assert {who for who, ask in told.items() if ask.spoken is not None or ask.mine is not None} == readers, kind
        await battle.send(seat, step, other)
        for who in others:
            after = await battle.pages(who)
            assert [where for where in after if after[where] != before[who][where]] == [], (kind, who)


@pytest.mark.nightly
async def test_words_of_a_draft_are_nowhere_before_and_after_it_opens(battle: Battle, db_url: str) -> None:
    """The order of moves is typed by hand, and a draft is kept as it was typed."""
    c = Canaries()
    await battle.play_to("move")
    _, asks = await battle.asks("gm")
    seat, (step, _) = next(one for one in asks.items() if one[0] in SIDES)
    await battle.send(seat, step, {"order": c["draft"]}, "draft")
    search = c.search()
    assert await read_by(battle.table, seat, search) == {"draft"}
    for _ in range(2):
        for who in sorted({*SIDES, "gm", "sam"} - {seat}):
            assert await read_by(battle.table, who, search) == set(), who
        assert stored(db_url, search) == set()
        await battle.play_to("order", "intent")
