"""The GM's desk and foes in mid-scene, as values: the acts that most games share, with their checks and forms.

A game's desk is a form with the fields that only this game corrects, and a list of acts:

    class Desk(DeskForm):
        what: Literal["correct", "join", "show", "hide", "out", "end"] = "correct"
        hp: Number = None

    DESK = desk(
        Desk, "Change something in the battle",
        acts={"correct": Act(_correct, _may_correct), "join": Act(_join), "out": Act(_out), "show": Act(_show), ...},
        people=vitals, kinds=lambda view: view.templates, most=200,
        number=lambda state: state.desk, done=lambda log, anew: log.emit(Desk(anew), rule="WHI-02"),
    )

"join", "out", "show" and "hide" are the acts by which `app/table/foes.py` brings foes in, removes and hides them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import Field

from app.engine.decisions import Decision
from app.engine.form_fields import FormModel, Ticked, blank_as
from app.engine.gm_desk import Foes, Form, Vital
from app.engine.muster import Newcomers, newcomers
from app.engine.ruleset import GM, Answers, Ask, Faults, Log
from app.engine.steps import gm_desk
from app.engine.unused_names import newcomers_name, unnumbered

S = TypeVar("S")  # the state of a scene
E = TypeVar("E")  # an event
V = TypeVar("V")  # the GM's view
W = TypeVar("W", bound="DeskForm")

Key = Annotated[str, Field(max_length=80)]
Words = Annotated[str, Field(max_length=500)]
SAY_WHY = "Say why; everyone reads it."
MOST_AT_ONCE = 20  # newcomers of one act
MOST_GROUP = 60


class DeskForm(FormModel):
    """The GM's optional step. A game adds `what`, a Literal of its acts, and the fields that only it has."""

    ask: Literal["desk"] = "desk"
    what: str = ""
    who: Key = ""
    reason: Words = ""
    template: Key = ""
    name: Annotated[str, Field(max_length=60)] = ""
    count: Annotated[int, blank_as(1), Field(ge=1, le=MOST_AT_ONCE)] = 1
    hidden: Ticked = False


@dataclass(frozen=True, slots=True)
class Act(Generic[S, E, V, W]):
    """One act at the desk. `do` returns whether it has changed what may be declared, so that all seats are asked again;
    None: the scene is over. `check` is for what the game adds to the common checks."""

    do: Callable[[Log[S, E], W], bool | None]
    check: Callable[[V, W], Faults] = lambda view, says: {}


def desk(
    form: type[W],
    call: str,
    acts: Mapping[str, Act[S, E, V, W]],
    *,
    people: Callable[[V], Sequence[Vital]],
    number: Callable[[S], int],
    done: Callable[[Log[S, E], bool], object],
    kinds: Callable[[V], Mapping[str, Any]] = lambda view: {},
    most: int = 200,
    hushed: Callable[[V], bool] = lambda view: False,
    nobody: frozenset[str] = frozenset(),
    drawn: bool = False,
) -> Decision[S, E, V, W]:
    """The GM's desk as a decision.

    `number` counts the acts so far, for the key of the step; `done` records an act. `most` is the number of combatants
    that a scene may have. While `hushed`, nobody hidden can be taken out: asking all seats again would tell of them.
    `nobody` names the acts that are about no single combatant, besides "join" and "end". `drawn`: of a kind whose steps
    store neither titles nor calls.
    """

    def check(view: V, ask: Ask, says: W) -> Faults:
        there = {one.key: one for one in people(view)}
        if says.what == "join":
            faults: Faults = _join(says, kinds(view), len(there), most)
        elif says.what == "end" or says.what in nobody:
            faults = {}
        elif says.who not in there:
            faults = {"who": "Choose someone in this scene."}
        else:
            faults = _about(says, there[says.who], hushed=hushed(view))
        return faults or acts[says.what].check(view, says)

    def resolve(log: Log[S, E], answers: Answers[W], chance: object) -> None:
        says = answers.of[GM].says
        anew = acts[says.what].do(log, says)
        if anew is not None:
            done(log, anew)

    title = "The GM's desk"

    return Decision(
        form,
        step=lambda state: gm_desk(number(state), "" if drawn else call, "" if drawn else title),
        title=title if drawn else "",
        call=call if drawn else "",
        resolve=resolve,
        check=check,
        default=lambda view, ask: form(what="end"),
    )


def _join(says: DeskForm, kinds: Mapping[str, Any], there: int, most: int) -> Faults:
    if says.template not in kinds:
        return {"template": "Choose what kind of foe joins."}
    if there + says.count > most:
        return {"count": f"A scene can have at most {most} combatants."}
    return {}


def _about(says: DeskForm, who: Vital, *, hushed: bool) -> Faults:
    match says.what:
        case "out":
            if who.gone:
                return {"who": f"{who.name} has left already."}
            return unseen(who, hushed=hushed) if says.reason.strip() else {"reason": SAY_WHY}
        case "show" | "hide":
            if not who.foe:
                return {"who": "Only the GM’s own characters can be hidden or shown."}
            if who.hidden != (says.what == "show"):
                return {"who": f"{who.name} is already {'hidden' if who.hidden else 'in sight'}."}
            return {}
        case _:
            return {}


def unseen(who: Vital, *, hushed: bool) -> Faults:
    """A fault if somebody hidden would be affected while declarations are open."""
    if who.hidden and hushed:
        return {
            "who": f"{who.name} is hidden, and declarations are open. Wait for the reveal, or show {who.name} first."
        }
    return {}


@dataclass(frozen=True, kw_only=True, slots=True)
class Picker(Generic[V]):
    """How a game turns a picked group, or a copied foe, into forms of its desk's act "join"."""

    people: Callable[[V], Sequence[Vital]]
    kinds: Callable[[V], Mapping[str, Any]]  # what has a `name`, by key
    like: Callable[[V, Newcomers, int], Mapping[str, str]]
    """The other fields of the form for the n-th of a group, from 0. Raises ValueError, in words."""
    kind_of: Callable[[V, str], str]  # a foe's kind by the foe's key; "": none of the book
    like_one: Callable[[V, str], Mapping[str, str]]  # those fields for one more like this foe
    apart: Callable[[V, Newcomers], bool] = lambda view, group: group.hidden
    """Whether each of a group comes in by an act of its own; all do that get a name with a number."""
    hides: bool = True  # whether a foe can be hidden
    most: int = MOST_GROUP

    def join(self, view: V, rows: Sequence[Mapping[str, str]]) -> tuple[Form, ...]:
        """The forms by which picked groups come in, as many in one act as have no name of their own."""
        forms: list[Form] = []
        kinds, taken = self.kinds(view), {one.name for one in self.people(view)}
        for group in newcomers(rows, kinds, self.most):
            usual = kinds[group.kind].name
            names = group.names(usual, taken)
            taken |= set(names)
            if not names:
                continue
            if self.apart(view, group) or names[0] != (group.name or usual):
                forms += [joins(group.kind, name, 1, self.like(view, group, n)) for n, name in enumerate(names)]
            else:  # the first of that name: the rules number them in the same way
                full, rest = divmod(group.count, MOST_AT_ONCE)
                some = [MOST_AT_ONCE] * full + [rest] * bool(rest)
                forms += [joins(group.kind, group.name, n, self.like(view, group, 0)) for n in some]
        return tuple(forms)

    def copy(self, view: V, key: str) -> Form | None:
        """One more like this one, as it was when it came; None where no kind of the book is like it."""
        kind = self.kind_of(view, key)
        if not kind:
            return None
        taken = {one.name for one in self.people(view)}
        who = next(one for one in self.people(view) if one.key == key)
        name = newcomers_name(unnumbered(who.name), taken, hidden=who.hidden)
        return joins(kind, name, 1, {"hidden": "yes" if who.hidden else "", **self.like_one(view, key)})

    def foes(self, keep: Callable[[V, str], Any]) -> Foes[V]:
        """What a GM does with foes; `keep` returns a foe's sheet."""
        return Foes(book=self.kinds, join=self.join, copy=self.copy, keep=keep, hides=self.hides, most=self.most)


def joins(kind: str, name: str, count: int, like: Mapping[str, str]) -> Form:
    """The form by which `count` of a kind come in."""
    return {"what": "join", "template": kind, "name": name, "count": str(count), **like}
