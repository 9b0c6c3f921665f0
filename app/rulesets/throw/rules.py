"""What is sealed, what is told, and what follows from it."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.engine.chance import Chance
from app.engine.form_fields import FormModel
from app.engine.frozen import frozen
from app.engine.refusal import refusal
from app.engine.ruleset import GM, Answers, Ask, Faults, Log, LoggedEvent, Seat, Setup, Step, Viewer

BEATS = {"rock": "scissors", "scissors": "paper", "paper": "rock"}  # THR-02


class Settings(BaseModel):
    """Frozen when the scene opens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    chips: Annotated[int, Field(ge=1, le=99)] = 5  # THR-01
    throws: Annotated[int, Field(ge=1, le=99)] = 10  # THR-04


class Throw(FormModel):
    """One hand, and how many chips are staked on it."""

    ask: Literal["throw"] = "throw"
    hand: Literal["", "rock", "paper", "scissors"] = ""  # "": nothing is chosen yet
    stake: Annotated[int, Field(ge=0, le=99)] = 1


@frozen()
class Threw:
    """A hand and its stake, opened."""

    seat: str
    hand: str
    stake: int
    how: str
    kind: Literal["threw"] = "threw"


@frozen()
class Won:
    """The winner of the chips on the table; "": a tie, and they stay there."""

    seat: str
    chips: int
    kind: Literal["won"] = "won"


@frozen()
class Ended:
    """The player with more chips; "": a draw."""

    seat: str
    kind: Literal["ended"] = "ended"


@dataclass(slots=True)
class State:
    """Where the chips are."""

    settings: Settings
    chips: dict[str, int]  # by seat
    pot: int = 0  # on the table
    throws: int = 0  # how many there were
    over: bool = False


Event = Annotated[Threw | Won | Ended, Field(discriminator="kind")]


def start(setup: Setup[Any, Settings]) -> State:
    """Both players with their chips; ValidationError unless there are two (THR-01)."""
    players = [seat for seat in setup.brief.seats if seat != GM]
    if len(players) != 2:
        raise refusal(f"Two players throw; here are {len(players)}.")
    return State(setup.settings, dict.fromkeys(players, setup.settings.chips))


def steps(state: State) -> tuple[Step, ...]:
    """One throw after the other (THR-01)."""
    asks = tuple(Ask(seat=Seat(seat), kind="throw", call="Throw") for seat in state.chips)
    step = Step(key=f"t{state.throws + 1}/throw", title=f"Throw {state.throws + 1}", asks=asks)
    return () if state.over else (step,)


def view(state: State, viewer: Viewer) -> State:
    """The same view for all: sealed answers are in no state."""
    return State(state.settings, dict(state.chips), state.pot, state.throws, state.over)


def check(view: State, ask: Ask, says: Throw) -> Faults:
    """A hand, and a stake that can be paid (THR-01)."""
    if not says.hand:
        return {"hand": "Choose rock, paper or scissors."}
    most = view.chips[ask.seat]
    return {} if 1 <= says.stake <= most else {"stake": f"Stake at least 1 chip and at most {most}."}


def default(view: State, ask: Ask) -> Throw:
    """What an absent player throws (THR-05)."""
    return Throw(hand="rock", stake=1)


def resolve(log: Log[State, Event], step: Step, answers: Answers[Throw], chance: Chance) -> None:
    """One throw, in the order of the book."""
    threw = [
        log.emit(Threw(seat, it.says.hand, it.says.stake, it.how), rule="THR-05" if it.how == "default" else "THR-01")
        for seat, it in answers.of.items()
    ]
    (one, first), (other, second) = ((seat, answer.says.hand) for seat, answer in answers.of.items())
    winner = "" if first == second else one if BEATS[first] == second else other
    log.emit(Won(winner, log.state.pot), rule="THR-02" if winner else "THR-03", because=tuple(threw))
    mine, yours = log.state.chips.values()
    if not mine or not yours or log.state.throws == log.state.settings.throws:
        log.emit(Ended(one if mine > yours else other if yours > mine else ""), rule="THR-04")


def apply(state: State, told: LoggedEvent[Event]) -> None:
    """Fold an event into the state."""
    event = told.event
    if isinstance(event, Threw):
        state.chips[event.seat] -= event.stake
        state.pot += event.stake
    elif isinstance(event, Won):
        state.throws += 1
        if event.seat:
            state.chips[event.seat] += event.chips
            state.pot = 0
    else:
        state.over = True
