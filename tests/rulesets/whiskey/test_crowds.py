"""A round takes work in proportion to its fighters, whatever they declare; counted in lines, for clocks waver."""

import math
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Brief, Setup, Step
from app.rulesets.whiskey import BATTLE
from app.rulesets.whiskey.declarations import Hand, Intent, Scene
from app.rulesets.whiskey.settings import Settings
from app.rulesets.whiskey.state import State

SMALL, LARGE = 500, 2_000
STEEPEST = 1.1
LUCK = SeededChance(b"open" * 8, b"shut" * 8)


def guarded(who: int, count: int, capacity: str = "") -> Intent:
    """Half of all guard one, the other half go for that one."""
    if who == 0:
        return Intent(intent="stand")
    if who < count // 2:
        rider = {"rider": "card", "rider_card": capacity} if capacity else {}
        return Intent.model_validate({"intent": "defend", "ward": "who:f0", **rider})
    return Intent(intent="attack", attack="f0")


def chained(who: int, count: int) -> Intent:
    return Intent(intent="attack", attack=f"f{who + 1}") if who + 1 < count else Intent(intent="stand")


def looped(who: int, count: int) -> Intent:
    """Loops of four."""
    return Intent(intent="attack", attack=f"f{who + 1 if who % 4 < 3 else who - 3}")


def ringed(who: int, count: int) -> Intent:
    return Intent(intent="attack", attack=f"f{(who + 1) % count}")


def carded(who: int, count: int) -> Intent:
    """Pairs go for each other with cards; every fourth chants."""
    if who % 4 == 3:
        return Intent(intent="other", card="battle-chant")
    return Intent(intent="attack", attack=f"f{who ^ 1}", rider="card", rider_card="fire-lash")


def spread(who: int, count: int) -> Intent:
    """Two sides: some advance to a guarded area, some past the one who bars another."""
    if who % 4 == 1:
        return Intent(intent="advance", area="ford")
    if who % 4 == 2:
        return Intent(intent="defend", ward="area:ford")
    return Intent(intent="advance", area="gate", engage="f1" if who % 2 == 0 else "")


SHAPES: dict[str, Callable[[int, int], Intent]] = {
    "guards": guarded,
    "guards of two": lambda who, count: guarded(who, count, "bodyguard"),
    "a chain": chained,
    "loops": looped,
    "one loop": ringed,
    "cards": carded,
    "areas": spread,
}


def battle(count: int) -> State:
    cards = ["battle-chant", "fire-lash", "bodyguard"]
    foes = [
        {"key": f"f{n}", "name": f"F{n}", "hp": 500, "side": ("east", "west")[n % 2], "cards": cards}
        for n in range(count)
    ]
    areas = [{"key": "ford", "name": "The ford"}, {"key": "gate", "name": "The gate", "barrers": ["f1"]}]
    brief = Brief(kind="battle", title="A war", seats={GM: ()}, given={"foes": foes, "areas": areas})
    return BATTLE.start(Setup(brief=brief, settings=Settings(), sheets={}, kept={}))


def step(state: State, kind: str) -> Step:
    return next(step for step in BATTLE.steps(state) if step.asks[0].kind == kind)


def work(count: int, declare: Callable[[int, int], Intent]) -> int:
    """How many lines of the program resolving the declarations takes, folding included: the same on every machine."""
    log = Recorder(battle(count), BATTLE.apply)
    BATTLE.resolve(log, step(log.state, "scene"), Answers(of={GM: Answer(says=Scene())}), LUCK)
    hand = Hand(of={f"f{who}": declare(who, count) for who in range(count)})
    answers, lines = Answers(of={GM: Answer(says=hand)}), 0

    def counted(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal lines
        lines += 1
        return counted

    before = sys.gettrace()
    sys.settrace(counted)
    try:
        BATTLE.resolve(log, step(log.state, "declare"), answers, SeededChance(b"open" * 8, b"shut" * 8))
    finally:
        sys.settrace(before)
    assert log.state.phase in ("rule", "next")
    assert len(log.events) > count
    return lines


@pytest.mark.parametrize("shape", SHAPES)
def test_work_grows_with_the_number_of_fighters(shape: str) -> None:
    small, large = work(SMALL, SHAPES[shape]), work(LARGE, SHAPES[shape])
    assert math.log(large / small) / math.log(LARGE / SMALL) <= STEEPEST, f"{shape}: {small:,} lines, then {large:,}"
