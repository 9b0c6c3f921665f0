"""A turn cycle of Arcana: blows, spells, movement, stances, and an if-then for every second wizard.

Compared with a fighter's round of Whiskey in the same run, and with itself: twice the wizards, twice the time.
"""

import copy
import math
import time
from collections.abc import Iterator, Sequence
from typing import Any

from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Brief, Seat, Setup, Step
from app.rulesets.arcana import FIGHT
from app.rulesets.arcana.fight import declarations as de
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.sheets import Sheet
from benchmarks import battles
from benchmarks.figures import Figure

SIZES = (10, 100, 1_000)
ENOUGH = 300  # wizards in one timing
TRIES = 9
SPELLS = ("spark_volley", "force_push", "stun_bolt", "mend")
Table = Recorder[State, Any]
Begun = tuple[State, Step, Answers[Any]]


def figures(*, quick: bool = False, sizes: Sequence[int] = SIZES) -> Iterator[Figure]:
    begun = {n: prepared(n) for n in sizes}
    found = battles.beside(lambda n: timed(begun[n], n), sizes, TRIES // 3 if quick else TRIES)
    for n, (best, whiskey) in found.items():
        measured, floor = f"{best * 1e6:.1f} µs a wizard", f"{whiskey * 1e6:.1f} µs (Whiskey)"
        name = f"Arcana, {n:,} wizards, {n // 2:,} if-thens: a cycle"
        yield Figure(name=name, measured=measured, floor=floor, ratio=best / whiskey, at_most=3.0)
    exponent = 1 + battles.slope([(math.log(n), math.log(found[n][0])) for n in sizes])
    yield Figure(name=f"Arcana, {sizes[0]:,} to {sizes[-1]:,} wizards: growth", measured=f"n^{exponent:.2f}", floor="n",
                 ratio=exponent, at_most=1.15)  # fmt: skip


def prepared(count: int) -> Begun:
    """Returns a fight: two lines a metre apart, half of the wizards on each side, each with a declaration."""
    pairs = range(count // 2)
    people = {f"{side}{n}": (x, 3 * n) for side, x in (("a", 10), ("b", 12)) for n in pairs}
    seats = {Seat("ann"): tuple(k for k in people if k[0] == "a"), Seat("bea"): tuple(k for k in people if k[0] == "b")}
    sheet = {
        "spells": SPELLS,
        "schools": {"malediction": "novice", "restoration": "novice"},
        "weapons": ("wand", "club"),
    }
    sheets = {key: Sheet.model_validate({"name": key, **sheet}) for key in people}
    sides = {key: "players" if key[0] == "a" else "foes" for key in people}
    given = {"sides": sides, "at": {key: f"{x},{y}" for key, (x, y) in people.items()}, "lay_out": "no"}
    brief = Brief(kind="fight", title="A war", seats={**seats, GM: ()}, given=given)
    state = FIGHT.start(Setup(brief=brief, settings=Settings(), sheets=sheets, kept={}))
    turns = {key: turn(key) for key in people}
    of = {seat: Answer(says=de.Plan(of={key: turns[key] for key in keys})) for seat, keys in seats.items()}
    return state, FIGHT.steps(state)[0], Answers(of={**of, GM: Answer(says=de.Plan())})


def turn(who: str) -> de.Turn:
    """Returns a turn: blow, spell, push, or stance and movement; the second line answers what the first one does."""
    number = int(who[1:])
    other = f"{'b' if who[0] == 'a' else 'a'}{number}"
    act = (
        de.Action(do="attack", weapon="club", target=other),
        de.Action(do="cast", spell="spark_volley", target=other),
        de.Action(do="cast", spell="force_push", target=other),
        de.Action(do="attack", weapon="club", target=other),
    )[number % 4]
    if who[0] == "b":
        verb = ("attacks", "casts", "targets", "holds")[number % 4]
        return de.Turn(major=act, when=de.When(who=other, verb=verb, whom=who if verb != "holds" else ""))
    if number % 4 == 3:
        considered = de.Action(do="considered", to=(9, 3 * number))
        return de.Turn(minors=(considered, de.Action(do="evade")))
    return de.Turn(major=act)


def timed(begun: Begun, count: int) -> float:
    """Returns the processor seconds per wizard."""
    tables: list[tuple[Table, Answers[Any]]] = []
    for _ in range(max(1, ENOUGH // count)):  # each with its own answers, as in Whiskey's battles
        state, answers = copy.deepcopy((begun[0], begun[2]))
        tables.append((Recorder(state, FIGHT.apply), answers))
    began = time.process_time()
    for log, answers in tables:
        FIGHT.resolve(log, begun[1], answers, SeededChance(b"open" * 8, b"shut" * 8))
    return (time.process_time() - began) / (len(tables) * count)
