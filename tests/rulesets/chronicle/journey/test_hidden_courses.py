"""Two worlds in which only the other side goes another way look the same to everybody else (CHR-TRV-10)."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, SPECTATOR, Answer, Answers, Seat, Viewer
from app.rulesets.chronicle.journey import JOURNEY
from app.rulesets.chronicle.journey.state import SIDES
from tests.rulesets.chronicle.journey.subject import JOURNEY_SUBJECT as SUBJECT
from tests.rulesets.chronicle.journey.subject import setups
from tests.rulesets.laws import SEEDS, known, seen
from tests.selection import nightly

LEGS = 5


@settings(max_examples=400 if nightly() else 40, suppress_health_check=list(HealthCheck), deadline=None)
@given(data=st.data())
def test_another_way_of_the_others_shows_to_nobody(data: st.DataObject) -> None:
    """As long as nobody has seen them; contacts in which nobody sees anybody are among the worlds."""
    setup = data.draw(setups())
    worlds: list[Any] = [Recorder(JOURNEY.start(setup), JOURNEY.apply) for _ in SIDES]
    mine = data.draw(st.sampled_from(SIDES))
    for _ in range(LEGS):
        if any(log.state.phase != "orders" for log in worlds):
            return
        own, seeds = _order(data), (data.draw(SEEDS), data.draw(SEEDS))
        before = [len(log.events) for log in worlds]
        for log in worlds:
            _close(log, mine, own, _order(data), seeds)
        if any(log.state.phase != "orders" or _noticed(log, mine) for log in worlds):
            return
        for who in (SPECTATOR, *_outside(worlds[0].state, mine)):
            one, other = ([*log.events[at:]] for log, at in zip(worlds, before, strict=True))
            assert seen(SUBJECT, who, one) == seen(SUBJECT, who, other)
            assert JOURNEY.view(worlds[0].state, who) == JOURNEY.view(worlds[1].state, who)
            assert known(SUBJECT, who, worlds[0].state) == known(SUBJECT, who, worlds[1].state)


def _outside(state: Any, mine: Any) -> list[Viewer]:
    """All seats that are not on the other side, the GM among them."""
    (theirs,) = (side for side in SIDES if side != mine)
    return [
        Viewer(seats=frozenset({Seat(seat)}), gm=seat == GM)
        for seat in state.seats
        if seat not in state.members(theirs)
    ]


def _noticed(log: Any, mine: Any) -> bool:
    return bool(log.state.courses[mine].sight)


def _order(data: st.DataObject) -> dict[str, Any]:
    return {
        "route": data.draw(st.sampled_from(["", "0", "1"])),
        "pace": data.draw(st.sampled_from(["halt", "careful", "steady", "forced"])),
        "station": data.draw(st.sampled_from([None, 0, 1, 2])),
        "hidden": data.draw(st.booleans()),
        "alone": "ask",
    }


def _close(log: Any, mine: Any, own: dict[str, Any], others: dict[str, Any], seeds: tuple[bytes, bytes]) -> None:
    step = JOURNEY.steps(log.state)[0]
    of: dict[Seat, Answer[Any]] = {}
    for ask in step.asks:
        view = JOURNEY.view(log.state, Viewer(seats=frozenset({ask.seat}), gm=ask.seat == GM))
        typed = {"ask": "orders", "of": {side: own if side == mine else others for side in ask.about}}
        says = JOURNEY.declaration.validate_python(typed)
        of[ask.seat] = Answer(says=JOURNEY.default(view, ask) if JOURNEY.check(view, ask, says) else says)
    JOURNEY.resolve(log, step, Answers(of=of), SeededChance(*seeds))
