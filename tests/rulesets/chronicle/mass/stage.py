"""A battle in mid-round: units on named hexes of an empty field, and luck that is told who wins."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from app.engine.chance import Roll
from app.engine.log import Recorder
from app.engine.ruleset import Answer, Answers, Ask, Seat, Step
from app.rulesets.chronicle.mass import MASS
from app.rulesets.chronicle.mass.decisions import go_on
from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.hexes import read
from app.rulesets.chronicle.mass.settings import MassSettings
from app.rulesets.chronicle.mass.state import Phase, State, Unit
from app.rulesets.chronicle.mass.view import View
from tests.rulesets.chronicle.mass.battles import read_form, setup, viewer

T = TypeVar("T")
BattleLog = Recorder[State, Any]


@dataclass
class Luck:
    """Rolls of which these are won, "a1>b1", with the best faces; all others have the worst."""

    won: frozenset[str] = frozenset()
    labels: list[str] = field(default_factory=list)

    def die(self, size: int, label: str) -> Roll:
        self.labels.append(label)
        won = any(pair in label.split("/") for pair in self.won)
        return Roll(label=label, size=size, face=size if won else 1)

    def pick(self, among: tuple[T, ...], label: str) -> tuple[T, Roll]:
        roll = self.die(len(among), label)
        return among[roll.face - 1], roll

    @property
    def veiled(self) -> "Luck":
        return self


def stage(
    units: Mapping[str, str],
    phase: Phase = "clusters",
    *,
    ground: Field = Field(),  # noqa: B008
    men: int = 100,
    loss: int = 30,
    number: int = 1,
    settings: MassSettings = MassSettings(),  # noqa: B008
    given: Mapping[str, Any] | None = None,
) -> BattleLog:
    """Units as "a1": "PK L6", on the field; Ann commands side A, Bob's Cyra side B. The attacker, A, is proactive."""
    says = {"armies": {"a": {"MI": 1}, "b": {"MI": 1}}, "field": "plain", **(given or {})}
    state: State = MASS.start(setup(says, settings))
    state.field, state.loss, state.round, state.phase, state.units = ground, loss, number, phase, {}
    for stamp, (key, words) in enumerate(units.items(), 1):
        troop, hex = words.split()
        side = "a" if key[0] == "a" else "b"
        state.units[key] = Unit(key, side, troop, men, state.commanders[side], read(hex), stamp)
    state.stamp = len(units)
    return Recorder(state, MASS.apply)


def step_now(log: BattleLog) -> Step:
    return MASS.steps(log.state)[0]


def ask_of(log: BattleLog, seat: str) -> tuple[View, Ask]:
    """The view of a seat, and its ask now."""
    (ask,) = (ask for step in MASS.steps(log.state) for ask in step.asks if ask.seat == seat and step == step_now(log))
    return MASS.view(log.state, viewer(Seat(seat))), ask


def faults(log: BattleLog, seat: str, **form: Any) -> dict[str, str]:
    view, ask = ask_of(log, seat)
    return dict(MASS.check(view, ask, read_form(ask.kind, form)))


def answer(log: BattleLog, luck: Luck | None = None, **said: dict[str, Any]) -> list[Any]:
    """Closes the current step with these forms by seat, all legal; other seats are silent. Returns its events."""
    step, of, before = step_now(log), {}, len(log.events)
    for ask in step.asks:
        view = MASS.view(log.state, viewer(ask.seat))
        if ask.seat in said:
            says = read_form(ask.kind, said[ask.seat])
            assert not MASS.check(view, ask, says), MASS.check(view, ask, says)
            of[ask.seat] = Answer(says=says)
        else:
            of[ask.seat] = Answer(says=MASS.default(view, ask), how="default")
    assert not set(said) - set(of), "nobody asks them"
    MASS.resolve(log, step, Answers(of=of), luck or Luck())
    return [one.event for one in log.events[before:]]


def run(log: BattleLog, won: str = "") -> list[Any]:
    """Goes on until somebody has to decide; returns the events."""
    before = len(log.events)
    go_on(log, Luck(frozenset(won.split())))
    return [one.event for one in log.events[before:]]


def only(events: list[Any], kind: str) -> list[Any]:
    return [event for event in events if event.kind == kind]
