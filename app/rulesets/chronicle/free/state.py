"""The state of a free scene: people, their attempts, and their motivations. All of it is public."""

from dataclasses import dataclass, field
from typing import Annotated, Literal, assert_never

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from app.engine.ruleset import Log, LoggedEvent, Seat, Setup
from app.rulesets.chronicle import host
from app.rulesets.chronicle.free import events as ev
from app.rulesets.chronicle.host import PendingAct
from app.rulesets.chronicle.people import (
    Extra,
    Person,
    come_back,
    grow,
    join,
    place,
    place_cast,
    place_extra,
    ungrow,
    voters,
    write_drive,
)
from app.rulesets.chronicle.settings import Settings
from app.rulesets.chronicle.sheets import Motivations, Sheet, Skills

Stage = Literal["frame", "go", "done"]
Outcome = Literal["", "success", "failed", "left", "free", "refused"]

CONSEQUENCE = "The attempt fails and its time is lost."  # CHR-CHK-08, the default


class Given(BaseModel):
    """The opening form of a free scene; the characters come from the seats."""

    model_config = ConfigDict(extra="ignore")

    description: Annotated[str, Field(max_length=4000)] = ""
    terrain: Annotated[str, Field(max_length=120)] = ""
    foes: Annotated[tuple[Extra, ...], Field(max_length=60)] = ()

    @model_validator(mode="after")
    def _keys_once(self) -> "Given":
        keys = [one.key for one in self.foes]
        if len(set(keys)) != len(keys):
            raise ValueError("Two people have the same key. Give each a different name.")
        return self


@dataclass(slots=True)
class Attempt:
    """One check from its proposal to its end."""

    key: str
    who: str
    skill: str
    aim: str
    against: str
    other_skill: str
    roller: str
    told: int  # number of the event that proposed it
    situation: int  # the number of the situation in which it was tried
    voters: tuple[str, ...]  # the seats that frame it, at a table without a GM
    stage: Stage = "frame"
    turn: int = 1  # the number of its current frame
    difficulty: int = 0
    consequence: str = ""
    words: str = ""  # the changed approach (CHR-CHK-08)
    outcome: Outcome = ""

    @property
    def failed(self) -> bool:
        """Whether it bars the same attempt until the situation changes (CHR-CHK-13)."""
        return self.outcome == "failed" and not self.against


@dataclass(slots=True)
class State:
    settings: Settings
    words: str  # the current situation
    terrain: str
    seats: tuple[str, ...]  # the GM last
    people: dict[str, Person]
    attempts: dict[str, Attempt] = field(default_factory=dict)
    situation: int = 1  # counts its changes
    drives: int = 0  # how many there have been, for their ids
    acted: dict[str, int] = field(default_factory=dict)  # seat -> how often its optional step was used
    pending: PendingAct | None = None
    over: bool = False
    end: str = ""

    def rating(self, who: str, skill: str) -> int:
        return self.people[who].sheet.rating(skill, self.terrain)

    def opposing(self, attempt: Attempt) -> int:
        """The rating that opposes the attempt."""
        if attempt.against:
            return self.rating(attempt.against, attempt.other_skill)
        return attempt.difficulty

    def busy(self, seat: str) -> bool:
        """Whether this seat has a check in progress; it proposes no second one meanwhile."""
        return any(one.stage != "done" and self.people[one.who].seat == seat for one in self.attempts.values())

    def failures(self, who: str, skill: str) -> tuple[Attempt, ...]:
        """The failed attempts of a person with that skill since the situation last changed (CHR-CHK-13)."""
        return tuple(
            one
            for one in self.attempts.values()
            if one.failed and one.situation == self.situation and (one.who, one.skill) == (who, skill)
        )


STATE: TypeAdapter[State] = TypeAdapter(State)


def start(setup: Setup[Sheet, Settings]) -> State:
    """Places everyone; people without an owner are run by the GM, or by CHR-CHA-09 if there is none."""
    given = Given.model_validate(setup.brief.given or {})
    seats = tuple(str(seat) for seat in setup.brief.seats)
    state = State(setup.settings, given.description, given.terrain, seats, {})
    place_cast(state, setup)
    for extra in given.foes:
        place_extra(state, extra)
    return state


SceneLog = Log[State, ev.Event]


def apply(state: State, told: LoggedEvent[ev.Event]) -> None:
    """Folds one event."""
    event = told.event
    match event:
        case ev.Situation():
            state.words, state.terrain = event.words or state.words, event.terrain or state.terrain
            state.situation += 1
        case ev.Proposed():
            state.attempts[event.check] = Attempt(
                event.check, event.who, event.skill, event.aim, event.against, event.other_skill, event.roller,
                told.number, state.situation, voters(state),
            )  # fmt: skip
        case ev.Framed():
            _framed(state.attempts[event.check], event)
        case ev.Declined():
            _declined(state, state.attempts[event.check], event)
        case ev.Rolled():
            attempt = state.attempts[event.check]
            attempt.stage, attempt.outcome = "done", "success" if event.success else "failed"
        case ev.Driven() | ev.Swayed():
            write_drive(state, event)
        case ev.PlayedOut():
            state.people[event.who].drives.pop(event.drive, None)
        case ev.Grew():
            grow(state.people[event.who], event)
        case ev.Ungrew():
            ungrow(state.people[event.who], event)
        case ev.Met():
            place(state, event.key, event.seat, _sheet(event), character=False)
        case ev.Promoted():
            _promoted(state.people[event.who], event)
        case ev.Joined():
            join(state, event)
        case ev.CameBack():
            come_back(state, event)
        case ev.Acted():
            state.acted[event.seat] = state.acted.get(event.seat, 0) + 1
        case ev.ActShown() | ev.ActJudged() | ev.ActDone():
            host.fold(state, event)
        case ev.Over():
            state.over, state.end = True, event.words
        case ev.Stirred() | ev.Objected() | ev.Guided() | ev.InnerOver():
            pass
        case _:
            assert_never(event)


def _framed(attempt: Attempt, event: ev.Framed) -> None:
    attempt.difficulty, attempt.consequence = event.difficulty, event.consequence
    if event.verdict == "roll":
        attempt.stage = "go"
    else:
        attempt.stage, attempt.outcome = "done", "free" if event.verdict == "free" else "refused"


def _declined(state: State, attempt: Attempt, event: ev.Declined) -> None:
    if event.words:
        attempt.words, attempt.stage = event.words, "frame"
        attempt.turn += 1
        attempt.voters = voters(state)
    else:
        attempt.stage, attempt.outcome = "done", "left"


def _sheet(event: ev.Met) -> Sheet:
    return Sheet(
        name=event.name,
        is_main=event.skills.how == "main",
        skills=Skills.model_validate(event.skills.skills),
        survive_terrain=event.skills.terrain,
        motivations=Motivations.model_validate(event.motivations.motivations),
    )


def _promoted(person: Person, event: ev.Promoted) -> None:
    changes: dict[str, object] = {"is_main": True}
    if event.skills:
        changes["skills"] = Skills.model_validate(event.skills.skills)
        changes["survive_terrain"] = event.skills.terrain
    if event.motivations:
        changes["motivations"] = Motivations.model_validate(event.motivations.motivations)
    person.sheet = person.sheet.model_copy(update=changes)
    person.unknown = ()


def seat_of(state: State, who: str) -> Seat:
    return Seat(state.people[who].seat)
