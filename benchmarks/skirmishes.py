"""A turn of a skirmish, revealed and carried out: moves, blows, shots and gambits in six zones.

Compared with a fighter's round of Whiskey in the same run.
"""

import copy
import time
from collections.abc import Iterator, Sequence
from typing import Any

from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Brief, Seat, Setup, Step
from app.rulesets.skirmish import SKIRMISH
from app.rulesets.skirmish.fight.declarations import Hand
from app.rulesets.skirmish.fight.settings import Settings
from app.rulesets.skirmish.fight.state import State
from app.rulesets.skirmish.sheet.foe_templates import TEMPLATES
from app.rulesets.skirmish.sheet.sheets import Sheet
from app.rulesets.skirmish.sheet.sketch import parse
from app.rulesets.skirmish.view import habits
from benchmarks import battles
from benchmarks.figures import Figure

SIZES = (10, 40)
ENOUGH = 200  # combatants in one timing
TRIES = 9
FIELD = "A -- B\nB -- C\nC ~~ D\nD -- E\nE -> F\nB: cover\nD: smoke"
KINDS = ("bandit", "bandit_archer", "goblin", "wolf")
ARMS = ("longsword", "short_bow", "dagger", "mace")
Begun = tuple[State, Step, Answers[Any]]


def figures(*, quick: bool = False, sizes: Sequence[int] = SIZES) -> Iterator[Figure]:
    begun = {n: prepared(n) for n in sizes}
    found = battles.beside(lambda n: timed(begun[n], n), sizes, TRIES // 3 if quick else TRIES)
    for n, (best, whiskey) in found.items():
        measured, floor = f"{best * 1e6:.1f} µs a combatant", f"{whiskey * 1e6:.1f} µs (Whiskey)"
        name = f"Skirmish, {n} combatants in six zones: a turn"
        yield Figure(name=name, measured=measured, floor=floor, ratio=best / whiskey, at_most=3.0)


def prepared(count: int) -> Begun:
    """Half of them players' characters, half foes, in all zones; everybody goes for the nearest enemy."""
    zones = [zone.model_dump(mode="json") for zone in parse(FIELD)]
    heroes = [f"h{n}" for n in range(count // 2)]
    sheets = {
        key: Sheet.model_validate({"name": key, "hp": 6, "gear": [{"gear": ARMS[n % 4], "held": "main"}]})
        for n, key in enumerate(heroes)
    }
    foes = [
        TEMPLATES[KINDS[n % 4]].foe(f"f{n}", f"F {n}", zone="abcdef"[n % 6]).model_dump(mode="json")
        for n in range(count // 2)
    ]
    given: Any = {"zones": zones, "foes": foes, "start": "b", "at_once": True}
    brief = Brief(kind="skirmish", title="A raid", seats={Seat("ann"): tuple(heroes), GM: ()}, given=given)
    state = SKIRMISH.start(Setup(brief=brief, settings=Settings(), sheets=sheets, kept={}))
    plans: dict[str, Any] = {key: habits.plan(state, one) for key, one in state.combatants.items()}
    of = {
        Seat(seat): Answer(says=Hand.model_validate({"of": {key: plans[key] for key in plans if key[0] == side}}))
        for seat, side in (("ann", "h"), ("gm", "f"))
    }
    return state, SKIRMISH.steps(state)[0], Answers(of=of)


def timed(begun: Begun, count: int) -> float:
    """Returns the processor seconds per combatant, until the next turn's declarations or a question to the GM."""
    tables: list[tuple[Recorder[State, Any], Answers[Any]]] = []
    for _ in range(max(1, ENOUGH // count)):
        state, answers = copy.deepcopy((begun[0], begun[2]))
        tables.append((Recorder(state, SKIRMISH.apply), answers))
    began = time.process_time()
    for log, answers in tables:
        SKIRMISH.resolve(log, begun[1], answers, SeededChance(b"open" * 8, b"shut" * 8))
        step = SKIRMISH.steps(log.state)[0]
        if step.asks[0].kind == "react":
            SKIRMISH.resolve(log, step, Answers(of={}), SeededChance(b"open" * 8, b"shut" * 8))
    return (time.process_time() - began) / (len(tables) * count)
