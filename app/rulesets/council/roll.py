"""Public dice, for a purpose stated beforehand (COU-22 to COU-25)."""

from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from app.engine.chance import Chance
from app.engine.dice import Throw, read
from app.engine.ruleset import Answers, Log, LoggedEvent, Outcome, Setup, Step, Viewer
from app.rulesets.council import events as ev
from app.rulesets.council.declarations import Ready
from app.rulesets.council.given import Dice, chairs, raw
from app.rulesets.council.luck import hands, ready
from app.rulesets.council.settings import Settings


@dataclass(slots=True)
class State:
    settings: Settings
    purpose: str
    dice: str
    seats: tuple[str, ...]
    faces: tuple[int, ...] = ()
    worth: tuple[int, ...] = ()
    total: int = 0
    over: bool = False

    @property
    def throw(self) -> Throw:
        return read(self.dice)


@dataclass(frozen=True, slots=True)
class View:
    kind: str
    purpose: str
    dice: str
    throw: Throw
    faces: tuple[int, ...]
    worth: tuple[int, ...]
    total: int
    over: bool


STATE: TypeAdapter[State] = TypeAdapter(State)
GIVEN: TypeAdapter[Dice] = TypeAdapter(Dice)


def start(setup: Setup[Any, Settings]) -> State:
    given = Dice.model_validate(raw(setup.brief))
    return State(setup.settings, given.purpose, given.dice, chairs(setup.brief, given.gm, least=1))


def resolve(log: Log[State, ev.Event], answers: Answers[Ready], chance: Chance) -> None:
    throw = log.state.throw
    rolls = tuple(chance.die(die.size, f"COU-22/die/{place}") for place, die in enumerate(throw.dice, 1))
    worth = tuple(die.worth(roll.face) for die, roll in zip(throw.dice, rolls, strict=True))
    total = sum(worth) + throw.bonus
    log.emit(ev.Rolled(rolls, worth, throw.bonus, total, hands(answers)), rule="COU-23")


READY = ready("The dice", "have no hand in the roll", resolve)
DECISIONS = (READY,)


def open_now(state: State) -> tuple[Step, ...]:
    return () if state.over else (READY.step(state),)


def apply(state: State, told: LoggedEvent[ev.Event]) -> None:
    event = told.event
    if isinstance(event, ev.Rolled):
        state.faces = tuple(roll.face for roll in event.rolls)
        state.worth, state.total, state.over = event.worth, event.total, True


def view(state: State, viewer: Viewer) -> View:
    return View("roll", state.purpose, state.dice, state.throw, state.faces, state.worth, state.total, state.over)


def outcome(state: State) -> Outcome:
    return Outcome(result={"total": state.total, "worth": list(state.worth)})
