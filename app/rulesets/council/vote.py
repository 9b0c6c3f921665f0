"""A vote on a few answers: all seal, all open together, most votes win (COU-03 to COU-08)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.ruleset import Answers, Ask, Faults, Log, LoggedEvent, Outcome, Phase, Seat, Setup, Step, Viewer
from app.rulesets.council import declarations as de
from app.rulesets.council import events as ev
from app.rulesets.council.given import Question, chairs, raw
from app.rulesets.council.settings import Settings


@dataclass(slots=True)
class State:
    settings: Settings
    purpose: str
    options: tuple[str, ...]
    otherwise: int
    voters: tuple[str, ...]
    ballots: dict[str, int] = field(default_factory=dict)  # of an open ballot
    votes: tuple[int, ...] = ()  # by answer, once counted
    none: int = 0
    choice: int = 0
    why: str = ""

    @property
    def over(self) -> bool:
        return bool(self.why)


@dataclass(frozen=True, slots=True)
class View:
    kind: str
    purpose: str
    options: tuple[str, ...]
    otherwise: int
    voters: tuple[str, ...]
    secret: bool
    half: bool
    ballots: dict[str, int]
    votes: tuple[int, ...]
    none: int
    choice: int
    why: str

    @property
    def over(self) -> bool:
        return bool(self.why)

    def option(self, number: int) -> str:
        """An answer by its number, from 1; "" for other numbers."""
        return self.options[number - 1] if 0 < number <= len(self.options) else ""


STATE: TypeAdapter[State] = TypeAdapter(State)
GIVEN: TypeAdapter[Question] = TypeAdapter(Question)


def start(setup: Setup[Any, Settings]) -> State:
    given = Question.model_validate(raw(setup.brief))
    voters = chairs(setup.brief, given.gm, least=2)
    return State(setup.settings, given.purpose, given.options, given.otherwise, voters)


def step(state: State) -> Step:
    """Sealed; the seals of a secret ballot are never opened (COU-08)."""
    opens = "never" if state.settings.secret == "on" else "close"
    asks = tuple(Ask(seat=Seat(one), kind="vote", call="Vote", opens=opens) for one in state.voters)
    return Step(key="vote", title="The vote", asks=asks, seconds=state.settings.seconds)


def check(view: View, ask: Ask, says: de.Vote) -> Faults:
    return {} if 0 <= says.choice <= len(view.options) else {"choice": "Choose one of the answers, or abstain."}


def resolve(log: Log[State, ev.Event], answers: Answers[de.Vote], chance: Chance) -> None:
    state = log.state
    secret = state.settings.secret == "on"
    told: list[int] = []
    if secret:
        cast = [(one.says.nonce, one.says.choice) for one in answers.of.values() if one.how != "default"]
        told.append(log.emit(ev.Ballots(tuple(sorted(cast))), rule="COU-08"))
    for seat, answer in answers.of.items() if not secret else ():
        rule = "COU-26" if answer.how == "default" else "COU-04"
        told.append(log.emit(ev.Voted(seat, answer.says.choice, answer.how), rule=rule))
    said = [answer.says.choice for answer in answers.of.values()]
    votes = tuple(said.count(number) for number in range(1, len(state.options) + 1))
    rule = "COU-08" if secret else "COU-04"
    counted = log.emit(ev.Counted(votes, said.count(0)), rule=rule, because=tuple(told))
    decided, why_rule = _decided(state, votes)
    log.emit(decided, rule=why_rule, because=(counted,))


VOTE = Decision(
    de.Vote,
    step,
    resolve,
    Phase(words="The vote", steps=("vote",), default="abstain"),
    check=check,
    default=lambda view, ask: de.Vote(choice=0),  # COU-26
)
DECISIONS = (VOTE,)


def open_now(state: State) -> tuple[Step, ...]:
    return () if state.over else (VOTE.step(state),)


def unnamed(step: Step, events: Sequence[ev.Event]) -> list[de.Vote] | None:
    """The votes of a secret ballot, without their voters; None before its ballots were listed (version 1)."""
    listed = next((one for one in events if isinstance(one, ev.Ballots)), None)
    return None if listed is None else [de.Vote(choice=choice, nonce=nonce) for nonce, choice in listed.ballots]


def _decided(state: State, votes: tuple[int, ...]) -> tuple[ev.Decided, str]:
    """The decision and its rule: the most votes, else the answer named for a tie or silence (COU-05 to COU-07)."""
    cast, most = sum(votes), max(votes)
    if not cast:
        return ev.Decided(state.otherwise, "nobody", most, cast), "COU-06"
    if votes.count(most) > 1:
        return ev.Decided(state.otherwise, "tie", most, cast), "COU-06"
    if state.settings.majority == "half" and 2 * most <= cast:
        return ev.Decided(state.otherwise, "short", most, cast), "COU-07"
    rule = "COU-07" if state.settings.majority == "half" else "COU-05"
    return ev.Decided(votes.index(most) + 1, "won", most, cast), rule


def apply(state: State, told: LoggedEvent[ev.Event]) -> None:
    event = told.event
    if isinstance(event, ev.Voted):
        state.ballots[event.seat] = event.choice
    elif isinstance(event, ev.Counted):
        state.votes, state.none = event.votes, event.none
    elif isinstance(event, ev.Decided):
        state.choice, state.why = event.choice, event.why


def view(state: State, viewer: Viewer) -> View:
    """The same view for all: sealed answers are in no state."""
    return View(
        kind="vote",
        purpose=state.purpose,
        options=state.options,
        otherwise=state.otherwise,
        voters=state.voters,
        secret=state.settings.secret == "on",
        half=state.settings.majority == "half",
        ballots=dict(state.ballots),
        votes=state.votes,
        none=state.none,
        choice=state.choice,
        why=state.why,
    )


def outcome(state: State) -> Outcome:
    chosen = state.options[state.choice - 1] if state.choice else None
    return Outcome(result={"chosen": chosen, "why": state.why, "votes": list(state.votes), "abstained": state.none})
