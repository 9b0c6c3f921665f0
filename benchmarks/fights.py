"""A round of Chronicle's hand-to-hand combat: orders, defences, wounds, and the footwork of the next round.

Compared with a fighter's round of Whiskey in the same run: more steps and dice, but the same order of magnitude.
"""

import copy
from collections.abc import Iterator, Sequence
from typing import Any

from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Brief, Seat, Setup, Viewer
from app.rulesets.chronicle.hand import HAND
from app.rulesets.chronicle.hand import declarations as de
from app.rulesets.chronicle.hand.settings import HandSettings
from app.rulesets.chronicle.hand.state import State
from app.rulesets.chronicle.sheets import Sheet
from benchmarks import battles
from benchmarks.closings import Closing, same_chance
from benchmarks.figures import Figure

SIZES = (2, 6, 10)
TABLES = 30  # in one timing
TRIES = 15
ACTIONS = ("quick", "bash", "feint", "trip", "vicious", "flurry")
Table = Recorder[State, Any]


Round = list[Closing]
"""Orders, defences, and on to the next round: everything between two asks for an order."""


def figures(*, quick: bool = False, sizes: Sequence[int] = SIZES) -> Iterator[Figure]:
    rounds = {n: prepared(n) for n in sizes}
    tries = TRIES // 3 if quick else TRIES
    found = battles.beside(lambda n: sum(closing.seconds(TABLES) for closing in rounds[n]) / n, sizes, tries)
    for n, (best, whiskey) in found.items():
        measured, floor = f"{best * 1e6:.1f} µs a fighter", f"{whiskey * 1e6:.1f} µs (Whiskey)"
        name = f"Chronicle, {n} fighters: a round to Whiskey's"
        yield Figure(name=name, measured=measured, floor=floor, ratio=best / whiskey, at_most=6.0)


def prepared(count: int) -> Round:
    """Returns a round: half the people on each side, in single combats, each with an action against the enemy."""
    people = [f"{side}{number}" for side in "ab" for number in range(count // 2)]
    seats = {Seat("ann"): tuple(people[: count // 2]), Seat("bea"): tuple(people[count // 2 :]), GM: ()}
    sheets = {key: Sheet(name=key, weapons=("Sword",)) for key in people}
    brief = Brief(kind="hand", title="A fight", seats=seats, given={"sides": {key: key[0] for key in people}})
    log: Table = Recorder(HAND.start(Setup(brief=brief, settings=HandSettings(), sheets=sheets, kept={})), HAND.apply)
    while log.state.fight.phase != "act":
        step = HAND.steps(log.state)[0]
        of = {}
        for ask in step.asks:
            view = HAND.view(log.state, Viewer(seats=frozenset({ask.seat}), gm=ask.seat == GM))
            of[ask.seat] = Answer(says=HAND.default(view, ask), how="default")
        HAND.resolve(log, step, Answers(of=of), same_chance())
    foes = {key: log.state.fight.foes(key)[0].key for key in people}
    orders = {
        key: de.OrderSaid(action=ACTIONS[number % len(ACTIONS)], target=foes[key]) for number, key in enumerate(people)
    }
    how = {"feint": "mind", "trip": "strength"}
    defend = {
        foes[key]: de.Defending.model_validate({"how": {key: how.get(said.action, "parry")}})
        for key, said in orders.items()
    }
    found: Round = []
    for says in (de.Act(of=orders), de.Defend(of=defend), de.Next()):
        step = HAND.steps(log.state)[0]
        answers = Answers(of={ask.seat: Answer(says=says) for ask in step.asks})
        found.append(Closing(HAND, copy.deepcopy(log.state), step, answers, len(log.events)))
        HAND.resolve(log, step, answers, same_chance())
    return found
