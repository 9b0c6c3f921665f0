"""The state of a draft: the sizes, the sets, the order, and the characters made of sets."""

from dataclasses import dataclass, field
from typing import Any, assert_never

from pydantic import TypeAdapter

from app.engine.form_fields import FormModel, Seconds
from app.engine.refusal import refusal
from app.engine.ruleset import GM, Brief, LoggedEvent, Setup
from app.engine.turn_order import at_turn, next_turn
from app.rulesets.chronicle.draft import events as ev
from app.rulesets.chronicle.settings import Settings
from app.rulesets.chronicle.sheets import Sheet

USUAL = 3  # CHR-CHA-01
SIZES = {"3-5": (3, 5), "1-5": (1, 5)}


class Given(FormModel):
    """The opening form of a draft."""

    gm: bool = False  # whether the GM's seat plays main characters too
    seconds: Seconds = None


@dataclass(slots=True)
class Set:
    """The numeric part of a sheet (CHR-CHA-02)."""

    number: int
    groups: dict[str, int]  # ratings of the four groups
    skills: dict[str, int]
    motivations: dict[str, int]
    terrain: str  # "": chosen by the player who takes it


@dataclass(slots=True)
class State:
    settings: Settings
    seconds: int | None
    seats: tuple[str, ...]  # taking part, in their order
    wanted: dict[str, int] = field(default_factory=dict)  # seat -> how many characters
    sets: dict[int, Set] = field(default_factory=dict)
    faces: dict[str, tuple[int, ...]] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    turn: int = 0  # turns taken so far, through all rounds
    taken: dict[int, ev.Taken] = field(default_factory=dict)  # by number of the set, in the order of the picks
    over: bool = False

    @property
    def least_most(self) -> tuple[int, int]:
        return SIZES[self.settings.cast_size]

    @property
    def left(self) -> tuple[int, ...]:
        return tuple(number for number in self.sets if number not in self.taken)

    def has(self, seat: str) -> int:
        return sum(one.seat == seat for one in self.taken.values())

    def full(self, seat: str) -> bool:
        """CHR-CHA-06."""
        return self.has(seat) >= self.wanted[seat]

    @property
    def turns(self) -> tuple[int, ...]:
        """The turns to come, first the one whose turn it is now: as many as there are sets left."""
        found: list[int] = []
        has = {seat: self.has(seat) for seat in self.order}
        turn = self.turn
        for _ in self.left if self.order else ():
            turn = next_turn(self.order, turn, lambda seat: has[seat] >= self.wanted[seat])
            has[at_turn(self.order, turn)] += 1
            found.append(turn)
            turn += 1
        return tuple(found)

    @property
    def coming(self) -> tuple[str, ...]:
        """The seats that pick, from now to the end (CHR-CHA-04, CHR-CHA-06)."""
        return tuple(at_turn(self.order, turn) for turn in self.turns)


STATE: TypeAdapter[State] = TypeAdapter(State)


def start(setup: Setup[Sheet, Settings]) -> State:
    given = Given.model_validate(setup.brief.given or {})
    return State(setup.settings, given.seconds, _chairs(setup.brief, given.gm))


def _chairs(brief: Brief, gm: bool) -> tuple[str, ...]:
    """Players in the order of the brief, and the GM if taking part. Raises ValidationError if there are none."""
    here = tuple(str(seat) for seat in brief.seats if seat != GM or gm)
    if not here:
        raise refusal("Nobody takes part. Choose at least one player.")
    return here


def apply(state: State, told: LoggedEvent[Any]) -> None:
    """Folds one event."""
    event: ev.Event = told.event
    match event:
        case ev.Sized():
            state.wanted[event.seat] = event.number
        case ev.SetRolled():
            state.sets[event.number] = Set(
                number=event.number,
                groups={one.group: one.rating for one in event.skills.groups},
                skills=dict(event.skills.skills),
                motivations=dict(event.motivations.motivations),
                terrain=event.skills.terrain if event.skills.terrain_roll else "",
            )
        case ev.Threw():
            state.faces[event.seat] = (*state.faces.get(event.seat, ()), event.roll.face)
        case ev.Ordered():
            state.order = event.seats
        case ev.Taken():
            state.turn = state.turns[0] + 1
            state.taken[event.number] = event
        case ev.Full():
            pass
        case ev.Drafted():
            state.over = True
        case _:
            assert_never(event)
