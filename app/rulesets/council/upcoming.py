"""The likely next scene of each character of the last one, marked by the owners (COU-09 to COU-14)."""

from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.refusal import refusal
from app.engine.ruleset import (
    Answers,
    Ask,
    Brief,
    Faults,
    Log,
    LoggedEvent,
    Outcome,
    Phase,
    PlannedEntry,
    Seat,
    Setup,
    Step,
    Viewer,
)
from app.rulesets.council import declarations as de
from app.rulesets.council import events as ev
from app.rulesets.council.given import Upcoming, raw
from app.rulesets.council.settings import Settings

Names = dict[str, str]


@dataclass(frozen=True, slots=True)
class Line:
    """One entry to write."""

    day: int
    title: str
    game: str
    place: str
    people: tuple[str, ...]


@dataclass(slots=True)
class State:
    settings: Settings
    purpose: str  # the title of the scene that is over
    today: int
    game: str
    place: str
    names: Names  # of all characters who may be in a scene, by key
    seats: dict[str, tuple[str, ...]]  # seat -> the characters it marks for
    lines: list[Line] = field(default_factory=list)
    over: bool = False


@dataclass(frozen=True, slots=True)
class View:
    kind: str
    purpose: str
    today: int
    game: str
    place: str
    names: Names
    seats: dict[str, tuple[str, ...]]
    lines: tuple[Line, ...]
    silent: str
    over: bool

    def named(self, keys: Any) -> list[str]:
        return [self.names.get(key, key) for key in keys]

    @property
    def here(self) -> tuple[str, ...]:
        """The characters of the scene that is over."""
        return tuple(key for keys in self.seats.values() for key in keys)


STATE: TypeAdapter[State] = TypeAdapter(State)
GIVEN: TypeAdapter[Upcoming] = TypeAdapter(Upcoming)


def start(setup: Setup[Any, Settings]) -> State:
    given = Upcoming.model_validate(raw(setup.brief))
    seats = _seats(setup.brief, given)
    names = {one.key: one.name for one in given.people}
    return State(setup.settings, given.purpose, given.today, given.kind, given.place, names, seats)


def _seats(brief: Brief, given: Upcoming) -> dict[str, tuple[str, ...]]:
    marking = tuple(one.seat for one in given.people if one.seat)
    if not marking:
        raise refusal("No character of that scene can be marked for a next one.")
    if strange := set(marking) - set(brief.seats):
        raise refusal(f"{sorted(strange)[0]} marks for a character but does not take part.")
    return {seat: tuple(one.key for one in given.people if one.seat == seat) for seat in brief.seats if seat in marking}


def step(state: State) -> Step:
    asks = tuple(
        Ask(seat=Seat(seat), kind="mark", call="Mark what comes next", about=keys) for seat, keys in state.seats.items()
    )
    return Step(key="next", title="What comes next", asks=asks, seconds=state.settings.seconds)


def check(view: View, ask: Ask, says: de.Marks) -> Faults:
    faults: Faults = {}
    for key in ask.about:
        mark = says.of.get(key)
        if mark is None:
            faults[f"of.{key}.when"] = f"Choose what comes next for {view.names[key]}, or that nothing does."
        elif set(mark.others) - set(view.names):
            faults[f"of.{key}.others"] = "Choose characters from the list."
    return faults


def default(view: View, ask: Ask) -> de.Marks:
    """COU-27."""
    when = "none" if view.silent == "none" else "follow"
    return de.Marks(of={key: de.Mark(when=when) for key in ask.about})


def resolve(log: Log[State, ev.Event], answers: Answers[de.Marks], chance: Chance) -> None:
    state = log.state
    follow: list[str] = []
    found: dict[tuple[Any, ...], tuple[Line, list[int]]] = {}
    followed: list[int] = []
    told: list[int] = []
    for seat, answer in answers.of.items():
        for key in state.seats[seat]:
            mark = answer.says.of[key]
            people = _people(state, key, mark)
            number = log.emit(_marked(seat, key, mark, people, answer.how), rule=_rule(mark, answer.how))
            told.append(number)
            if mark.when == "follow":
                follow.append(key)
                followed.append(number)
            elif mark.when == "on":
                line = Line(state.today + mark.days, _title(state, mark, people), mark.kind, mark.place, people)
                same = (mark.days, mark.title.casefold(), mark.kind.casefold(), mark.place.casefold(), people)
                found.setdefault(same, (line, []))[1].append(number)
    if follow:
        title = f"After “{state.purpose}”"
        _enter(log, Line(state.today + 1, title, state.game, state.place, tuple(follow)), followed, "COU-11")
    for line, numbers in found.values():
        _enter(log, line, numbers, "COU-12" if len(numbers) > 1 else "COU-13")
    if not follow and not found:
        log.emit(ev.Unplanned(), rule="COU-14", because=tuple(told))


MARK = Decision(
    de.Marks,
    step,
    resolve,
    Phase(words="Marks", steps=("next",), default="be marked as the settings say"),
    check=check,
    default=default,
)
DECISIONS = (MARK,)


def open_now(state: State) -> tuple[Step, ...]:
    return () if state.over else (MARK.step(state),)


def _people(state: State, key: str, mark: de.Mark) -> tuple[str, ...]:
    """The people in the order of the list, so that equal groups compare equal, no matter which seat names them."""
    return tuple(one for one in state.names if one == key or one in mark.others)


def _marked(seat: str, key: str, mark: de.Mark, people: tuple[str, ...], how: str) -> ev.Marked:
    if mark.when != "on":
        return ev.Marked(seat, key, mark.when, 1 if mark.when == "follow" else 0, "", "", "", (), how)
    others = tuple(one for one in people if one != key)
    return ev.Marked(seat, key, mark.when, mark.days, mark.title, mark.place, mark.kind, others, how)


def _rule(mark: de.Mark, how: str) -> str:
    return "COU-27" if how == "default" else "COU-14" if mark.when == "none" else "COU-10"


def _title(state: State, mark: de.Mark, people: tuple[str, ...]) -> str:
    return (mark.title or " and ".join(state.names[key] for key in people))[:120]


def _enter(log: Log[State, ev.Event], line: Line, because: list[int], rule: str) -> None:
    days = line.day - log.state.today
    event = ev.Entered(line.day, days, line.title, line.game, line.place, line.people)
    log.emit(event, rule=rule, because=tuple(because))


def apply(state: State, told: LoggedEvent[ev.Event]) -> None:
    event = told.event
    if isinstance(event, ev.Entered):
        state.lines.append(Line(event.day, event.title, event.game, event.place, event.people))
        state.over = True
    elif isinstance(event, ev.Unplanned):
        state.over = True


def view(state: State, viewer: Viewer) -> View:
    """The same view for all: sealed answers are in no state."""
    return View(
        kind="next",
        purpose=state.purpose,
        today=state.today,
        game=state.game,
        place=state.place,
        names=dict(state.names),
        seats=dict(state.seats),
        lines=tuple(state.lines),
        silent=state.settings.silent,
        over=state.over,
    )


def outcome(state: State) -> Outcome:
    """COU-13."""
    entries = tuple(
        PlannedEntry(kind="scene", title=line.title, day=line.day, place=line.place, people=line.people, text=line.game)
        for line in state.lines
    )
    return Outcome(entries=entries, result={"entries": len(entries)})
