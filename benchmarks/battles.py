"""A round of Whiskey, resolved and folded: half the fighters guard one ward, the other half attack it.

Compared with the movement phase of `diplomacy`, a Python engine of another game of simultaneous orders, and with only
making and folding the events of the round.
"""

import math
import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from app.engine.chance import Roll, SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Brief, Setup, Step
from app.rulesets.whiskey import BATTLE
from app.rulesets.whiskey import events as ev
from app.rulesets.whiskey.declarations import Hand, Intent, Scene
from app.rulesets.whiskey.settings import Settings
from app.rulesets.whiskey.state import State
from benchmarks.figures import Figure, Missing
from benchmarks.retelling import Made, no_collector, replay, taken_apart

SIZES = (10, 100, 1_000, 10_000)
ENOUGH = 500  # fighters in one timing, so that a small battle is fought several times
TRIES = 21
GAMES = 12  # first movement phases with different orders
Table = Recorder[State, Any]


def figures(*, quick: bool = False, sizes: Sequence[int] = SIZES) -> Iterator[Figure]:
    """Yields each size against both floors, and how the time grows from the smallest to the largest."""
    tries = 9 if quick else TRIES
    with no_collector():
        best = dict.fromkeys(sizes, math.inf)
        bare = dict.fromkeys(sizes, math.inf)
        told = {n: _log(n) for n in sizes}
        units = []
        for _ in range(tries):  # in turn, so that a busy moment of the machine affects all of them
            units.append(_diplomacy(GAMES // 3 if quick else GAMES))
            for n in sizes:
                best[n] = min(best[n], _timed(n, _round))
                bare[n] = min(bare[n], _timed(n, lambda _, begun, n=n: replay(told[n], begun[0])))
    unit = min(units)
    for n in sizes:
        name = f"Whiskey, {n:,} fighters: resolve + apply"
        measured, floor = f"{_us(best[n])} a fighter", f"{_us(unit)} a unit (diplomacy)"
        yield Figure(name=name, measured=measured, floor=floor, ratio=best[n] / unit, at_most=1.0)
        floor = f"{_us(bare[n])} (the events alone)"
        yield Figure(name=f"Whiskey, {n:,} fighters: over its events", measured=measured, floor=floor,
                     ratio=best[n] / bare[n], at_most=3.0)  # fmt: skip
    exponent = 1 + slope([(math.log(n), math.log(best[n])) for n in sizes])
    yield Figure(name=f"Whiskey, {sizes[0]:,} to {sizes[-1]:,} fighters: growth", measured=f"n^{exponent:.2f}",
                 floor="n", ratio=exponent, at_most=1.1)  # fmt: skip


def _us(seconds: float) -> str:
    return f"{seconds * 1e6:.1f} µs"


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Returns the slope by least squares; 0 for a single point."""
    if len(points) < 2:
        return 0.0
    return statistics.linear_regression([x for x, _ in points], [y for _, y in points]).slope


def _battle(count: int) -> State:
    foes = [{"key": f"f{n}", "name": f"F{n}", "hp": 500, "side": ("east", "west")[n % 2]} for n in range(count)]
    brief = Brief(kind="battle", title="A war", seats={GM: ()}, given={"foes": foes})
    return BATTLE.start(Setup(brief=brief, settings=Settings(), sheets={}, kept={}))


def _intent(who: int, count: int) -> Intent:
    if who == 0:
        return Intent(intent="stand")
    if who < count // 2:
        return Intent(intent="defend", ward="who:f0")
    return Intent(intent="attack", attack="f0")


def _chance() -> SeededChance:
    return SeededChance(b"open" * 8, b"shut" * 8)


def _step(state: State, kind: str) -> Step:
    return next(step for step in BATTLE.steps(state) if step.asks[0].kind == kind)


def _begun(count: int) -> tuple[Table, Step, Answers[Any]]:
    """Returns a battle whose scene is set and whose declarations are in."""
    log: Table = Recorder(_battle(count), BATTLE.apply)
    BATTLE.resolve(log, _step(log.state, "scene"), Answers(of={GM: Answer(says=Scene())}), _chance())
    hand = Hand(of={f"f{who}": _intent(who, count) for who in range(count)})
    return log, _step(log.state, "declare"), Answers(of={GM: Answer(says=hand)})


def _round(count: int, begun: tuple[Table, Step, Answers[Any]]) -> None:
    log, step, answers = begun
    BATTLE.resolve(log, step, answers, _chance())


def timed(count: int) -> float:
    """Returns the processor seconds per fighter of a round with `count` fighters."""
    return _timed(count, _round)


def beside(other: Callable[[int], float], sizes: Sequence[int], tries: int) -> Mapping[int, tuple[float, float]]:
    """Returns by size the best processor seconds a head of another game, and of a round of Whiskey.

    They are timed in turn, so that a busy moment of the machine affects both.
    """
    best, whiskey = dict.fromkeys(sizes, math.inf), dict.fromkeys(sizes, math.inf)
    with no_collector():
        for _ in range(tries):
            for n in sizes:
                best[n] = min(best[n], other(n))
                whiskey[n] = min(whiskey[n], timed(n))
    return {n: (best[n], whiskey[n]) for n in sizes}


def _timed(count: int, work: Callable[[int, tuple[Table, Step, Answers[Any]]], None]) -> float:
    """Returns processor seconds per fighter."""
    battles = [_begun(count) for _ in range(max(1, ENOUGH // count))]
    began = time.process_time()
    for begun in battles:
        work(count, begun)
    return (time.process_time() - began) / (len(battles) * count)


def _drawn(faction: str, half: str, value: int, roll: tuple[str, int, int], turned: bool, kind: Any) -> ev.Drawn:
    label, size, face = roll
    return ev.Drawn(faction, half, value, Roll(label=label, size=size, face=face), turned, kind)


def _checked(
    clash: str, checker: str, against: str, x: int, card: int, y: int, roll: tuple[str, int, int], *more: Any
) -> ev.Checked:
    label, size, face = roll
    return ev.Checked(clash, checker, against, x, card, y, Roll(label=label, size=size, face=face), *more)


MAKERS: dict[type, Callable[..., Any]] = {ev.Drawn: _drawn, ev.Checked: _checked}  # their rolls are also made anew


def _log(count: int) -> list[Made]:
    """Returns the events of a round, taken apart so that they can be made again."""
    begun = _begun(count)
    before = len(begun[0].events)
    _round(count, begun)
    told = begun[0].events[before:]
    assert len(told) > count, "everybody's declaration is in the log, and more"
    return taken_apart(told, MAKERS)


def _diplomacy(games: int) -> float:
    """Returns seconds per unit of a first movement phase, with a random legal order for each unit."""
    try:
        from diplomacy import Game
    except ImportError:
        raise Missing("The Python package `diplomacy` is missing: `python3 run.py bench` installs it.") from None
    spent, units = 0.0, 0
    for seed in range(games):
        game, luck = Game(), random.Random(seed)
        legal = game.get_all_possible_orders()
        for power in game.powers:
            game.set_orders(power, [luck.choice(legal[at]) for at in game.get_orderable_locations(power)])
        units += sum(len(power.units) for power in game.powers.values())
        began = time.process_time()
        game.process()
        spent += time.process_time() - began
        assert game.get_current_phase() != "S1901M"
    return spent / units
