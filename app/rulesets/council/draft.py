"""A draft: an order by d20, then picks in that order, straight or snaking (COU-15 to COU-21)."""

from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.ruleset import Answers, Ask, Faults, Log, LoggedEvent, Outcome, Phase, Seat, Setup, Step, Viewer
from app.engine.turn_order import at_turn, next_turn, ranked
from app.rulesets.council import declarations as de
from app.rulesets.council import events as ev
from app.rulesets.council.given import Draft, chairs, raw
from app.rulesets.council.luck import ready
from app.rulesets.council.settings import Settings


@dataclass(slots=True)
class State:
    settings: Settings
    purpose: str
    things: tuple[str, ...]
    seats: tuple[str, ...]
    most: dict[str, int]  # seat -> how many things it may take; 0: no limit
    faces: dict[str, tuple[int, ...]] = field(default_factory=dict)  # seat -> its throws
    order: tuple[str, ...] = ()
    taken: dict[int, str] = field(default_factory=dict)  # number of a thing -> seat
    turn: int = 0  # turns taken so far, through all rounds
    picks: int = 0
    over: bool = False

    @property
    def left(self) -> tuple[int, ...]:
        return tuple(number for number in range(1, len(self.things) + 1) if number not in self.taken)

    def full(self, seat: str) -> bool:
        """COU-19."""
        return bool(self.most[seat]) and sum(one == seat for one in self.taken.values()) >= self.most[seat]

    @property
    def next_turn(self) -> int:
        """The next turn whose seat may still take a thing; -1: none."""
        return next_turn(self.order, self.turn, self.full, snake=self.snake) if self.left else -1

    @property
    def snake(self) -> bool:
        return self.settings.snake == "on"

    def at(self, turn: int) -> str:
        """The seat of a turn, counted through all rounds; if snaking, every other round runs backwards (COU-18)."""
        return at_turn(self.order, turn, snake=self.snake)


@dataclass(frozen=True, slots=True)
class View:
    kind: str
    purpose: str
    things: tuple[str, ...]
    seats: tuple[str, ...]
    most: dict[str, int]
    faces: dict[str, tuple[int, ...]]
    order: tuple[str, ...]
    taken: dict[int, str]
    left: tuple[int, ...]
    turn: str  # the seat whose turn it is; "": none
    over: bool

    def of(self, seat: str) -> tuple[str, ...]:
        """The things a seat has taken, in the order of the list."""
        return tuple(self.things[number - 1] for number, who in sorted(self.taken.items()) if who == seat)


STATE: TypeAdapter[State] = TypeAdapter(State)
GIVEN: TypeAdapter[Draft] = TypeAdapter(Draft)


def start(setup: Setup[Any, Settings]) -> State:
    given = Draft.model_validate(raw(setup.brief))
    seats = chairs(setup.brief, given.gm, least=2)
    most: dict[str, int] = {seat: given.most.get(seat, given.each) for seat in seats}
    return State(setup.settings, given.purpose, given.things, seats, most)


def pick(state: State) -> Step:
    seat = state.at(state.next_turn)
    ask = Ask(seat=Seat(seat), kind="pick", call="Take your pick", open_to=None)
    title = f"Pick {state.picks + 1}"
    return Step(key=f"pick/{state.picks + 1}", title=title, asks=(ask,), seconds=state.settings.seconds)


def check(view: View, ask: Ask, says: de.Pick) -> Faults:
    return {} if says.thing in view.left else {"thing": "Choose one of the things that are left."}


def _take(log: Log[State, ev.Event], answers: Answers[de.Pick], chance: Chance) -> None:
    ((seat, answer),) = answers.of.items()
    silent = answer.how == "default"
    picked = ev.Picked(seat, answer.says.thing, answer.how, "silent" if silent else "chosen")
    log.emit(picked, rule="COU-28" if silent else "COU-17")
    _finish(log)


def _finish(log: Log[State, ev.Event]) -> None:
    state = log.state
    if len(state.left) == 1 and state.next_turn >= 0:
        log.emit(ev.Picked(state.at(state.next_turn), state.left[0], "default", "last"), rule="COU-20")
    if state.next_turn < 0:
        log.emit(ev.Drafted(len(state.left)), rule="COU-19" if state.things else "COU-21")


def _throw(log: Log[State, ev.Event], answers: Answers[de.Ready], chance: Chance) -> None:
    """Throws for the order, highest first; ties throw again among themselves (COU-15, COU-16)."""
    seats, throws = ranked(chance, log.state.seats, "COU-15/d20")
    told = [log.emit(one, rule="COU-15" if one.again == 1 else "COU-16") for one in throws]
    log.emit(ev.Ordered(tuple(seats)), rule="COU-15", because=tuple(told))
    _finish(log)


READY = ready("The order", "get a place by the other seats’ luck", _throw)
PICK = Decision(
    de.Pick,
    pick,
    _take,
    Phase(words="Picks", steps=("pick",), default="get the lowest number left"),
    check=check,
    default=lambda view, ask: de.Pick(thing=view.left[0]),  # COU-28
)
DECISIONS = (READY, PICK)


def open_now(state: State) -> tuple[Step, ...]:
    return () if state.over else ((PICK if state.order else READY).step(state),)


def apply(state: State, told: LoggedEvent[ev.Event]) -> None:
    event = told.event
    if isinstance(event, ev.Threw):
        state.faces[event.seat] = (*state.faces.get(event.seat, ()), event.roll.face)
    elif isinstance(event, ev.Ordered):
        state.order = event.seats
    elif isinstance(event, ev.Picked):
        turn = state.next_turn
        state.taken[event.thing] = event.seat
        state.turn, state.picks = turn + 1, state.picks + 1
    elif isinstance(event, ev.Drafted):
        state.over = True


def view(state: State, viewer: Viewer) -> View:
    """The same view for all: things, throws and picks are public (COU-17)."""
    turn = state.next_turn if state.order and not state.over else -1
    return View(
        kind="order",
        purpose=state.purpose,
        things=state.things,
        seats=state.seats,
        most=dict(state.most),
        faces=dict(state.faces),
        order=state.order,
        taken=dict(state.taken),
        left=state.left,
        turn=state.at(turn) if turn >= 0 else "",
        over=state.over,
    )


def outcome(state: State) -> Outcome:
    taken = {str(number): seat for number, seat in sorted(state.taken.items())}
    return Outcome(result={"order": list(state.order), "taken": dict(taken)})
