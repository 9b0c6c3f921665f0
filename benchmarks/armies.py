"""A round of Chronicle's mass battle, nine units against nine: intents, quick units, moves, clusters, arrows, melee.

Compared with a round of Whiskey among eighteen in the same run.
"""

import copy
from collections.abc import Iterator
from typing import Any

from app.engine import form_text
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Ask, Brief, Seat, Setup, Viewer
from app.rulesets.chronicle.mass import MASS
from app.rulesets.chronicle.mass.settings import MassSettings
from app.rulesets.chronicle.mass.state import State
from app.rulesets.chronicle.sheets import Sheet
from benchmarks import battles
from benchmarks.closings import Closing, same_chance
from benchmarks.figures import Figure

UNITS = 18
ROUND = 3  # the lines have met, and nobody is destroyed yet
TABLES = 10  # in one timing
TRIES = 15
ARMY = {"LI": 200, "MI": 200, "PK": 100, "MC": 100, "BW": 150}
Table = Recorder[State, Any]


def figures(*, quick: bool = False) -> Iterator[Figure]:
    closings = prepared()
    tries = TRIES // 3 if quick else TRIES
    found = battles.beside(lambda n: sum(closing.seconds(TABLES) for closing in closings) / n, (UNITS,), tries)
    best, whiskey = found[UNITS]
    measured, floor = f"{best * 1e6:.1f} µs a unit", f"{whiskey * 1e6:.1f} µs (Whiskey)"
    name = "Mass battle, 9 units against 9: a round to Whiskey's"
    yield Figure(name=name, measured=measured, floor=floor, ratio=best / whiskey, at_most=3.0)


def prepared(number: int = ROUND) -> list[Closing]:
    """Returns all closings of a round; everybody answers as is suggested to them, in the rounds before it, too."""
    seats = {Seat("ann"): ("ann",), Seat("bea"): ("bea",), GM: ()}
    given: Any = {"sides": {"ann": "a", "bea": "b"}, "armies": {"a": ARMY, "b": ARMY}, "field": "plain"}
    sheets = {key: Sheet(name=key) for key in ("ann", "bea")}
    brief = Brief(kind="mass", title="A battle", seats=seats, given=given)
    log: Table = Recorder(MASS.start(Setup(brief=brief, settings=MassSettings(), sheets=sheets, kept={})), MASS.apply)
    found: list[Closing] = []
    while log.state.round <= number:
        step = MASS.steps(log.state)[0]
        answers = Answers(of={ask.seat: Answer(says=_says(log.state, ask)) for ask in step.asks})
        if log.state.round == number:
            found.append(Closing(MASS, copy.deepcopy(log.state), step, answers, len(log.events)))
        MASS.resolve(log, step, answers, same_chance())
    return found


def _says(state: State, ask: Ask) -> Any:
    view = MASS.view(state, Viewer(seats=frozenset({ask.seat}), gm=ask.seat == GM))
    suggested = MASS.suggest(view, ask)
    if suggested is None:
        return MASS.default(view, ask)
    pairs = form_text.read(form_text.spell(form_text.flatten(dict(suggested.form))))
    return MASS.declaration.validate_python({**form_text.unflatten(pairs), "ask": ask.kind})
