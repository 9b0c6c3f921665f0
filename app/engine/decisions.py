"""A decision as one value: its form, its step, its legality, its default and its resolution.

A kind of scene is the list of its decisions and the function that says which steps are open:

    VETO = Decision(
        Veto,
        step=lambda state: by_gm(f"r{state.round}/veto", f"Round {state.round}: the pairing", "veto", "Look at it"),
        phase=Phase(words="Pairing", steps=("veto",), default="keep every clash", gms=True),
        check=_faults,
        resolve=_strike,
    )

    def open_now(state): return (VETO.step(state),)

    KIND = SceneKind(..., **derived((DECLARE, VETO), open_now))

Several steps may be open at once; an ask's `known_to` says who knows of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, Field, TypeAdapter

from app.engine import options as option_list
from app.engine.chance import Chance
from app.engine.options import Options
from app.engine.ruleset import GM, Answers, Ask, Faults, Log, Phase, Step

S = TypeVar("S")  # the state of a scene
E = TypeVar("E")  # an event
V = TypeVar("V")  # a view of exactly one seat
F = TypeVar("F", bound=BaseModel)  # a form


@dataclass(frozen=True, slots=True)
class Decision(Generic[S, E, V, F]):
    """One decision of a kind of scene. `form` has a field `ask`, a Literal, which is the kind of its asks."""

    form: type[F]
    step: Callable[[S], Step]  # as it is open in that state
    resolve: Callable[[Log[S, E], Answers[F], Chance], None]
    phase: Phase | None = None  # None: it belongs to no part of a round, like the GM's desk
    options: Callable[[V, Ask], Options] = lambda view, ask: {}  # what may be chosen in its fields
    check: Callable[[V, Ask, F], Faults] = lambda view, ask, says: {}  # what the options do not say
    default: Callable[[V, Ask], F] | None = None  # None: the first option of each field, else the form's defaults
    title: str = ""  # of a kind whose steps store none: "Round <n>: moves"; its step's key has the ask's kind as a word
    call: str = ""  # "Move the units of <seat>"
    words: Mapping[str, str] = field(default_factory=dict)  # better words for titles and calls that are stored

    @property
    def kind(self) -> str:
        """The kind of its asks."""
        return str(self.form.model_fields["ask"].default)


def derived(
    decisions: Sequence[Decision[S, E, V, Any] | Phase],
    open_now: Callable[[S], tuple[Step, ...]],
    settle: Callable[[Log[S, E], Chance], None] | None = None,
) -> dict[str, Any]:
    """The fields of `SceneKind` that follow from its decisions, whose phases are in the order of the book.

    A phase among the decisions has steps of an earlier one: the book comes back to it. `open_now` returns the open
    steps, none when the scene is over. `settle` runs after each closing of a step that the scene waits for, not after
    an act at the desk, which opens no luck; it is for a kind that goes on until somebody has to decide. A kind without
    it has no steps without asks. Raises ValueError for two decisions of the same kind.
    """
    phases = [one if isinstance(one, Phase) else one.phase for one in decisions]
    decided = [one for one in decisions if not isinstance(one, Phase)]
    of = {one.kind: one for one in decided}
    if len(of) < len(decided):
        raise ValueError(f"two decisions ask for the same kind: {sorted(one.kind for one in decided)}")

    def check(view: V, ask: Ask, says: Any) -> Faults:
        found = of[ask.kind]
        return option_list.faults(found.options(view, ask), says) or found.check(view, ask, says)

    def default(view: V, ask: Ask) -> Any:
        found = of[ask.kind]
        if found.default is not None:
            return found.default(view, ask)
        return option_list.first(found.form, found.options(view, ask))

    def options(view: V, ask: Ask) -> Options:
        return of[ask.kind].options(view, ask)

    def resolve(log: Log[S, E], step: Step, answers: Answers[Any], chance: Chance) -> None:
        if step.asks:
            of[step.asks[0].kind].resolve(log, answers, chance)
        if settle is not None and step.pace != "whenever":
            settle(log, chance)

    return {
        "declaration": _adapter([one.form for one in decided]),
        "steps": open_now,
        "check": check,
        "default": default,
        "resolve": resolve,
        "phases": tuple(dict.fromkeys(phase for phase in phases if phase is not None)),
        "options": options,
        "titles": {"gm" if one.kind == "desk" else one.kind: one.title for one in decided if one.title},
        "calls": {one.kind: one.call for one in decided if one.call},
        "words": {old: new for one in decided for old, new in one.words.items()},
    }


def _adapter(forms: Sequence[type[BaseModel]]) -> TypeAdapter[Any]:
    if len(forms) == 1:
        return TypeAdapter(forms[0])
    union: Any = reduce(or_, forms)
    return TypeAdapter(Annotated[union, Field(discriminator="ask")])


def by_gm(
    key: str,
    title: str,
    kind: str,
    call: str,
    *,
    about: tuple[str, ...] = (),
    opens: Literal["close", "end", "never"] = "close",
    seconds: int | None = None,
) -> Step:
    """A step of the GM alone that the scene waits for, as `seconds` or the scene's tempo allow."""
    ask = Ask(seat=GM, kind=kind, call=call, about=about, opens=opens)
    return Step(key=key, title=title, asks=(ask,), pace="rule", seconds=seconds)
