"""The declarations of a seat in a turn cycle (ledger 1.3). Field names are those of the forms."""

from collections.abc import Collection
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, TypeAdapter, model_validator

from app.engine.form_fields import FormModel, Ticked, blank_as
from app.rulesets.arcana.fight import form_values
from app.rulesets.arcana.fight.form_values import Id, Words, one_of, whole
from app.rulesets.arcana.rules.book import ATTRIBUTES, Attribute
from app.rulesets.arcana.rules.rulings import Cover

Length = Annotated[Annotated[int, Field(ge=5, le=200)] | None, blank_as(None)]
"""A length of the ground in metres; None: unchanged."""
Spot = Annotated[tuple[int, int] | None, BeforeValidator(form_values.cell)]
Major = Literal[
    "attack", "cast", "move", "search", "hide", "stand", "shake_off", "custom", "use_major", "trade", "maintain",
    "continue", "don", "aim", "help", "grapple", "shove",
]  # fmt: skip
Minor = Literal[
    "considered", "evade", "brace", "quickspell", "use", "communicate", "counterspell", "custom_minor", "drop",
]  # fmt: skip
Do = Major | Minor
MAJORS = frozenset(get_args(Major))
MINORS = frozenset(get_args(Minor))

STANCES = frozenset({"evade", "brace"})  # they hold from the reveal on, so no condition can guard them
STANCES_AND_MOVES = STANCES | {"considered", "move"}
MOST_SPELLS = 200
MOST_CYCLES = 100
MOST_WATCHED = 1000


class Free(FormModel):
    """The free part, at the very beginning of the cycle (ARC-60)."""

    face: Spot = None
    step: Spot = None
    emerge: Ticked = False
    back: Ticked = False  # the step of this cycle leads back into the cover left in an earlier one (ARC-61)
    drop_focus: Ticked = False  # otherwise any declaration but maintain drops a Focus


class Action(FormModel):
    """One action; only the fields that its `do` needs are read. `target` may be "them" if a clause guards it."""

    do: Annotated[Do, one_of("Choose what to do.", *MAJORS, *MINORS)]
    target: Id = ""
    at: Spot = None  # a point for an area; without a target also for an unseen target (ARC-90)
    along: Ticked = False  # blindly towards `at`, at the first combatant on that line
    weapon: Id = ""
    spell: Id = ""
    pp: Annotated[int, whole(0, 20)] = 0
    book: Ticked = False  # from a book: two majors in a row (ARC-155)
    cycles: Annotated[int, whole(1, MOST_CYCLES)] = 1  # majors in a row that an improvised action takes (ARC-27)
    to: Spot = None
    gait: Annotated[Literal["walk", "special"], one_of("Choose how you move.", "walk", "special")] = "walk"
    split: Annotated[tuple[Id, ...], Field(max_length=100)] = ()  # the target of each missile (ARC-163)
    choice: Id = ""  # of the spell's options: a damage type, "hits" or "misses"
    item: Id = ""
    hand: Annotated[Literal["", "other"], one_of("Choose a hand.", "", "other")] = ""  # the hand that takes an item
    power: Annotated[int, whole(0, 30)] = 0  # accuracy given up for double damage (ARC-174)
    quick: Ticked = False  # a shot as a minor, by Quickloose (ARC-174)
    gives: tuple[Id, ...] = ()  # in a trade
    accepts: tuple[Id, ...] = ()  # in a trade; (): anything
    words: Words = ""
    allies: tuple[Id, ...] = ()  # who understands coded words
    attr: Annotated[Attribute, one_of("Choose an attribute.", *ATTRIBUTES)] = "FIN"  # of an improvised action

    @model_validator(mode="before")
    @classmethod
    def _as_typed(cls, given: Any) -> Any:
        return form_values.action(given)


class When(FormModel):
    """The clause, and what it guards: everything, or the first or second minor (ARC-41, ARC-52)."""

    who: Id = ""
    verb: Id
    whom: Id = ""
    using: Id = ""
    words: Words = ""  # a free-text condition, verb "text" (ARC-44)
    mode: Annotated[
        Literal["answer", "interrupt"], one_of("Choose whether you act before or after it.", "answer", "interrupt")
    ] = "answer"
    guards: Annotated[Literal["all", "1", "2"], one_of("Choose which actions wait for it.", "all", "1", "2")] = "all"

    @model_validator(mode="before")
    @classmethod
    def _as_typed(cls, given: Any) -> Any:
        return form_values.when(given)


class React(FormModel):
    """Choices made in advance; only the seat itself knows them (ARC-109, ARC-115, ARC-127, ARC-174)."""

    resist: Annotated[
        Literal["always", "never", "ask", "list"], one_of("Choose what you resist.", "always", "never", "ask", "list")
    ] = "always"
    spells: Annotated[tuple[Id, ...], Field(max_length=MOST_SPELLS)] = ()  # the spells to resist, for "list"
    on_critical: Annotated[
        Literal["damage", "armour"], one_of("Choose what a critical strike does.", "damage", "armour")
    ] = "damage"
    on_killing: Annotated[Literal["fell", "spare"], one_of("Choose what your killing blow does.", "fell", "spare")] = (
        "fell"
    )
    on_area: Annotated[
        Literal["stay", "leap"], one_of("Choose what you do when an area attack misses you.", "stay", "leap")
    ] = "stay"
    watch: Annotated[tuple[Id, ...], Field(max_length=MOST_WATCHED)] = ()  # foes who shall find no opening (ARC-109)


class Turn(FormModel):
    """One combatant's declaration. With neither major nor minors, it holds."""

    free: Free = Free()
    major: Action | None = None
    minors: tuple[Action, ...] = ()
    extra: Action | None = None  # one more major, where a spell or skill allows it (ARC-23)
    back: Action | None = None  # lets all attacks through, and strikes back at an attacker with this (ARC-174)
    when: When | None = None
    react: React = React()
    like: Literal["", "last", "habit"] = ""  # the same as in the last cycle, or as its habit decides

    @model_validator(mode="before")
    @classmethod
    def _as_typed(cls, given: Any) -> Any:
        return form_values.turn(given)

    def guarded(self) -> tuple[Action, ...]:
        if self.when is None:
            return ()
        if self.when.guards == "all":
            return (self.major,) if self.major else self.minors
        return self.minors[int(self.when.guards) - 1 : int(self.when.guards)]

    def plain(self) -> tuple[Action, ...]:
        """Returns the unconditional actions in the order written."""
        when, major, acts = self.when, self.major, self.minors
        if when is None:
            if major is not None:
                acts = (major, *acts) if major.do == "maintain" else (major,)  # a considered movement may join it
        elif when.guards == "all":
            acts = ()
        else:
            skip = int(when.guards) - 1
            acts = tuple(one for number, one in enumerate(acts) if number != skip)
        return acts if self.extra is None else (*acts, self.extra)


HOLD = Turn()
USUAL = React()


def reacting(turn: Turn, react: React) -> Turn:
    """Returns the declaration with other reactions."""
    return turn if turn.react == react else turn.model_copy(update={"react": react})


def open_turn(turn: Turn) -> Turn:
    """Returns a declaration as everyone may read it after the reveal: no reactions, no coded words (ledger 1.7)."""
    coded = bool(turn.minors) and any(action.allies for action in turn.minors)
    if not coded and (turn.react is USUAL or turn.react == USUAL):
        return turn
    minors = tuple(action.model_copy(update={"words": ""}) if action.allies else action for action in turn.minors)
    return turn.model_copy(update={"react": React(), "minors": minors})


SOMEBODY = "?"
"""The id in place of a hidden combatant's, in declarations for other seats."""


def blurred(turn: Turn, unknown: Collection[str]) -> Turn:
    """Returns an open declaration without the names of those who are hidden from its reader."""
    if turn == HOLD or not unknown:
        return turn

    def act(action: Action) -> Action:
        if action.target not in unknown and not set(unknown).intersection((*action.allies, *action.split)):
            return action
        target = SOMEBODY if action.target in unknown else action.target
        allies = tuple(SOMEBODY if one in unknown else one for one in action.allies)
        split = tuple(SOMEBODY if one in unknown else one for one in action.split)
        return action.model_copy(update={"target": target, "allies": allies, "split": split})

    when = turn.when
    if when is not None and {when.who, when.whom}.intersection(unknown):
        names = {key: SOMEBODY if getattr(when, key) in unknown else getattr(when, key) for key in ("who", "whom")}
        when = when.model_copy(update=names)
    major = act(turn.major) if turn.major else None
    extra = act(turn.extra) if turn.extra else None
    back = act(turn.back) if turn.back else None
    minors = tuple(act(one) for one in turn.minors)
    react = turn.react
    if react.watch:
        watch = tuple(one for one in react.watch if one not in unknown)
        react = react.model_copy(update={"watch": watch})
    made = {"major": major, "extra": extra, "minors": minors, "when": when, "back": back, "react": react}
    return turn.model_copy(update=made)


def kept(turn: Turn, react: React, words: tuple[str, ...]) -> Turn:
    """Returns a revealed declaration with its seat's secrets put back: reactions, and coded words of the minors."""
    minors = turn.minors
    if words:
        minors = tuple(
            action.model_copy(update={"words": one or action.words}) for action, one in zip(minors, words, strict=True)
        )
    return turn.model_copy(update={"react": react, "minors": minors})


class Plan(FormModel):
    """A seat's declarations for its combatants.

    Forms have more fields, which app/rulesets/arcana/fight/form_values.py reads: `what` chooses among major, minors,
    keep (a Focus; `keep.to` is a considered movement with it), again, habit and hold. An action has `way` (a shove's
    choice), `wear` (the armour to put on) and `steady` (the weapon to aim). A condition on a place has it in `at`.
    """

    ask: Literal["plan"] = "plan"
    of: dict[Id, Turn] = {}


class Ruled(FormModel):
    """The GM's answer to one question of the reveal; empty fields mean the book's default."""

    yes: Literal["", "yes", "no", "simply", "group"] = ""  # simply: without a check; group: a group check (ARC-120)
    value: Annotated[Annotated[int, Field(ge=1, le=60)] | None, blank_as(None)] = None
    words: Annotated[str, Field(max_length=400)] = ""


class Rule(FormModel):
    """Answers to all questions of one reveal (ledger 5), by the question's number."""

    ask: Literal["rule"] = "rule"
    of: dict[Id, Ruled] = {}


class Collide(FormModel):
    ask: Literal["collide"] = "collide"
    slam: Literal["slam", "stop"] = "slam"
    words: Annotated[str, Field(max_length=400)] = ""


class Counter(FormModel):
    """The spell named for each prepared counterspell; "" for none (ARC-55)."""

    ask: Literal["counter"] = "counter"
    of: dict[Id, Id] = {}


class Resist(FormModel):
    """Whether each hit is resisted, by its number (ARC-127)."""

    ask: Literal["resist"] = "resist"
    of: dict[Id, Literal["yes", "no"]] = {}


class Setting(FormModel):
    """The ground before the first cycle. `at` places combatants on cells, "x,y". `walls` is all the cover, in lines as
    rules/cover.py reads them; `covers` changes single cells of it. `terrain` and `objects` are lines too, such as
    “barrel 12,4 1 m +2 15 hp”."""

    ask: Literal["setting"] = "setting"
    description: Annotated[str, Field(max_length=4000)] | None = None
    wide: Length = None
    high: Length = None
    walls: Annotated[str, Field(max_length=20_000)] | None = None
    covers: dict[Annotated[str, Field(max_length=12)], Cover] = {}
    terrain: Annotated[str, Field(max_length=6000)] | None = None
    objects: Annotated[str, Field(max_length=6000)] | None = None
    at: dict[Id, Spot] = {}
    hidden: dict[Id, Literal["yes", "no"]] = {}
    unaware: tuple[Id, ...] = ()


class Next(FormModel):
    """After a cycle that left one side: whether the fight ends or continues (ARC-01)."""

    ask: Literal["next"] = "next"
    go: Literal["on", "end"] = "end"
    words: Annotated[str, Field(max_length=400)] = ""


class Desk(FormModel):
    """An act of the GM at any time; everyone reads `reason`."""

    ask: Literal["desk"] = "desk"
    what: Literal["correct", "place", "cover", "walls", "terrain", "objects", "show", "hide", "join", "out", "end"] = (
        "end"
    )
    who: Id = ""
    reason: Annotated[str, Field(max_length=400)] = ""
    hp: Annotated[Annotated[int, Field(ge=-99, le=999)] | None, blank_as(None)] = None
    fp: Annotated[Annotated[int, Field(ge=0, le=999)] | None, blank_as(None)] = None
    status: Id = ""
    off: Ticked = False
    cycles: Annotated[int, Field(ge=0, le=9999), blank_as(0)] = 0
    at: Spot = None
    cover: Cover = "none"
    walls: Annotated[str, Field(max_length=20_000)] = ""  # all cover of the ground after the act
    terrain: Annotated[str, Field(max_length=6000)] = ""  # all terrain after the act
    objects: Annotated[str, Field(max_length=6000)] = ""  # all objects after the act
    template: Id = ""
    grade: Literal["minor", "standard", "greater"] = "standard"
    name: Annotated[str, Field(max_length=60)] = ""
    side: Id = "foes"
    habit: Literal["nearest", "guard", "flee", "hold"] = "nearest"
    guards: Id = ""
    hidden: Ticked = False


Declaration = Annotated[Plan | Rule | Collide | Counter | Resist | Setting | Next | Desk, Field(discriminator="ask")]
DECLARATION: TypeAdapter[Declaration] = TypeAdapter(Declaration)
PLAN: TypeAdapter[Plan] = TypeAdapter(Plan)
