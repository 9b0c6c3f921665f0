"""What is sealed, what is told, and what follows from it."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.events import event, everyone
from app.engine.form_fields import FormModel
from app.engine.options import Choice
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
    hand: Annotated[str, Field(max_length=8, title="Your hand")] = ""
    stake: Annotated[int, Field(ge=0, le=99, title="Your stake")] = 1


@event("threw", seen=everyone)
class Threw:
    """A hand and its stake, opened."""

    seat: str
    hand: str
    stake: int
    how: str


@event("won", seen=everyone)
class Won:
    """The winner of the chips on the table; "": a tie, and they stay there."""

    seat: str
    chips: int


@event("ended", seen=everyone)
class Ended:
    """The player with more chips; "": a draw."""

    seat: str


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


def view(state: State, viewer: Viewer) -> State:
    """The same view for all: sealed answers are in no state."""
    return State(state.settings, dict(state.chips), state.pot, state.throws, state.over)


def throw(state: State) -> Step:
    """Asks both for a throw (THR-01)."""
    asks = tuple(Ask(seat=Seat(seat), kind="throw", call="Throw") for seat in state.chips)
    return Step(key=f"t{state.throws + 1}/throw", title=f"Throw {state.throws + 1}", asks=asks)


def hands(view: State, ask: Ask) -> dict[str, tuple[Choice, ...]]:
    """What can be thrown; the first is an absent player's, with a stake of one chip (THR-05)."""
    return {"hand": tuple(Choice(hand, hand.capitalize()) for hand in BEATS)}


def payable(view: State, ask: Ask, says: Throw) -> Faults:
    """A stake that can be paid (THR-01)."""
    most = view.chips[ask.seat]
    return {} if 1 <= says.stake <= most else {"stake": f"Stake at least 1 chip and at most {most}."}


def resolve(log: Log[State, Event], answers: Answers[Throw], chance: Chance) -> None:
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


THROW = Decision(Throw, step=throw, options=hands, check=payable, resolve=resolve)


def open_now(state: State) -> tuple[Step, ...]:
    """One throw after the other; nothing once the game is over."""
    return () if state.over else (THROW.step(state),)
