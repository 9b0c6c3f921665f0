"""The host's acts at a table without a GM: all are shown first, and a vote can take them back (CHR-CHA-13).

The desk `gm/3` shows an act, `back/3` asks the voters, and in `act/3`, which closes by itself, it takes effect. Until
then the desk is closed. With a GM, with nobody to vote, and in scenes from before, an act takes effect at once.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from app.engine.decisions import Decision
from app.engine.events import event, everyone
from app.engine.form_fields import FormModel
from app.engine.options import Choice, Options
from app.engine.ruleset import GM, Answer, Answers, Ask, Log, Phase, Step, Viewer
from app.engine.steps import first_word
from app.rulesets.chronicle.people import Peopled, voters
from app.rulesets.chronicle.rulings import ruled, vote

RULE = "CHR-CHA-13"
TITLE, CALL = "The host’s act", "Let it stand, or take it back"
EFFECT = "What the host did"
ACTS = {"act": EFFECT}
"""The title of the step without asks, for kinds whose steps store none."""
PHASE = Phase(words="What the host does", steps=("back",), default="let it stand")
OPTIONS: Options = {"back": (Choice("no", "Let it stand"), Choice("yes", "Take it back"))}
GMS_VIEW = Viewer(seats=frozenset({GM}), gm=True)

Resolve = Callable[[Any, Step, Answers[Any], Any], None]
Reopens = Callable[[Any], object]
"""Records that the desk opens again, under another key."""


class Back(FormModel):
    """A vote on an act of the host."""

    ask: Literal["back"] = "back"
    back: Literal["no", "yes"] = "no"


@event("act-shown", seen=everyone)
class ActShown:
    """What the host is about to do, unless a vote takes it back."""

    number: int
    says: str  # the desk's form as JSON
    motivation: str = ""  # of the Driving Motivation it is about
    topic: str = ""

    @property
    def act(self) -> dict[str, Any]:
        """The fields of the desk's form."""
        found: dict[str, Any] = json.loads(self.says)
        return found


@event("act-judged", seen=everyone)
class ActJudged:
    """Whether the vote takes it back."""

    taken_back: bool
    how: str
    votes: tuple[str, ...] = ()  # the seats in favour of that


@event("act-done", seen=everyone)
class ActDone:
    """It takes effect by the events that follow; or it is left out, since it is no longer possible."""

    possible: bool


HostEvent = ActShown | ActJudged | ActDone


@dataclass(slots=True)
class PendingAct:
    """An act of the host that has not taken effect yet."""

    shown: ActShown
    voters: tuple[str, ...]
    stands: bool = False  # by the vote


class Hosted(Peopled, Protocol):
    """The state of a scene with people in it and a desk."""

    pending: PendingAct | None


def shows_first(state: Hosted) -> bool:
    """Whether an act at the desk is shown before it takes effect."""
    settings = state.settings
    return settings.table_gm == "none" and settings.host_acts == "voted" and bool(voters(state))


def fold(state: Hosted, told: HostEvent) -> None:
    """Folds what becomes of an act."""
    match told:
        case ActShown():
            state.pending = PendingAct(told, voters(state))
        case ActJudged(taken_back=False) if state.pending:
            state.pending.stands = True
        case _:
            state.pending = None


def sight(state: Hosted) -> ActShown | None:
    """The act that is about to take effect, for views."""
    return state.pending.shown if state.pending else None


def desk_or_act(state: Hosted, desk: Step) -> Step:
    """The desk as it would be open; or what an act waits for. Without a title where the desk stores none."""
    if state.pending is None:
        return desk
    number, stored = state.pending.shown.number, bool(desk.title)
    if state.pending.stands:
        return Step(key=f"act/{number}", title=EFFECT if stored else "", pace="whenever")
    asks = vote("back", state.pending.voters, CALL if stored else "")
    return Step(key=f"back/{number}", title=TITLE if stored else "", asks=asks, pace="react")


def judge(log: Log[Any, Any], answers: Answers[Back], done: Reopens) -> None:
    """More than half of the votes take an act back; else it stands."""
    ruling = ruled(answers, lambda says: says.back)
    taken_back = ruling.says is not None and ruling.says.back == "yes"
    log.emit(ActJudged(taken_back, ruling.how, ruling.votes), rule=RULE)
    if taken_back:
        done(log)


def back(desk: Callable[[Any], Step], done: Reopens) -> Decision[Any, Any, Any, Back]:
    """The vote, for kinds made of decisions."""
    return Decision(
        Back,
        step=lambda state: desk_or_act(state, desk(state)),
        resolve=lambda log, answers, chance: judge(log, answers, done),
        phase=PHASE,
        options=lambda view, ask: OPTIONS,
        title=TITLE,
        call=CALL,
    )


def resolving(
    resolve: Resolve,
    *,
    form: type[FormModel],
    desk: Callable[[Any], Step],
    view: Callable[[Any, Viewer], Any],
    check: Callable[[Any, Ask, Any], Any],
    done: Reopens,
) -> Resolve:
    """A kind's `resolve` that shows an act at its desk, and does it once it stands.

    `resolve`, `view` and `check` are the kind's own; `form` is that of its desk, `desk` the desk's step in a state.
    """

    def resolved(log: Log[Hosted, Any], step: Step, answers: Answers[Any], chance: Any) -> None:
        word, state = first_word(step.key), log.state
        if word == "gm" and shows_first(state):
            log.emit(_shown(state, int(step.key.partition("/")[2]), answers.of[GM].says), rule=RULE)
        elif word == "act" and state.pending:
            says = form.model_validate_json(state.pending.shown.says)
            opened = desk(state)
            possible = not check(view(state, GMS_VIEW), opened.asks[0], says)
            log.emit(ActDone(possible), rule=RULE)
            if possible:
                resolve(log, opened, Answers(of={GM: Answer(says=says)}), chance)
            else:
                done(log)
        else:
            resolve(log, step, answers, chance)

    return resolved


def hosted(
    derived: dict[str, Any], desk: Decision[Any, Any, Any, Any], view: Callable[[Any, Viewer], Any], done: Reopens
) -> dict[str, Any]:
    """The fields of a kind made of decisions, with acts at its desk that are shown first."""
    resolve = resolving(
        derived["resolve"], form=desk.form, desk=desk.step, view=view, check=derived["check"], done=done
    )
    return {**derived, "resolve": resolve, "titles": {**derived["titles"], **ACTS}}


def _shown(state: Hosted, number: int, says: Any) -> ActShown:
    person = state.people.get(says.who) if says.what in ("played", "object", "ungrow") else None
    drive = person.drives.get(says.drive) if person else None
    return ActShown(number, says.model_dump_json(), drive.motivation if drive else "", drive.topic if drive else "")
