"""What a seat can say in a turn cycle (ledger 1.3). Field names are those of the forms."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter

Id = Annotated[str, Field(max_length=60)]
Far = Annotated[int, Field(ge=-10_000, le=10_000)]


def _cell(given: object) -> object:
    """A cell as a form writes it, "12,-3", or as a pair; "" is none."""
    if given == "":
        return None
    if isinstance(given, str):
        parts = given.split(",")
        return [part.strip() for part in parts]
    return given


Spot = Annotated[tuple[Far, Far] | None, BeforeValidator(_cell)]
Do = Literal[
    "attack", "cast", "move", "search", "hide", "stand", "shake_off",  # majors
    "considered", "evade", "brace", "quickspell", "use", "communicate",  # minors
]  # fmt: skip
MAJORS = frozenset({"attack", "cast", "move", "search", "hide", "stand", "shake_off"})
MINORS = frozenset({"considered", "evade", "brace", "quickspell", "use", "communicate"})

STANCES_AND_MOVES = frozenset({"evade", "brace", "considered", "move"})


class _Says(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Free(_Says):
    """What costs nothing, at the very beginning of the cycle (ARC-60)."""

    face: Spot = None
    step: Spot = None
    emerge: bool = False


class Action(_Says):
    """One action; only what its `do` needs is looked at. `target` may be "them" where a clause guards it."""

    do: Do
    target: Id = ""
    at: Spot = None  # a point, for an area
    weapon: Id = ""
    spell: Id = ""
    pp: Annotated[int, Field(ge=0, le=20)] = 0
    to: Spot = None
    gait: Literal["walk", "special"] = "walk"
    item: Id = ""
    words: Annotated[str, Field(max_length=400)] = ""
    allies: tuple[Id, ...] = ()  # who understands coded words


class When(_Says):
    """The one clause, and what it guards: everything, or the first or second minor (ARC-41, ARC-52)."""

    who: Id
    verb: Id
    whom: Id = ""
    using: Id = ""
    mode: Literal["answer", "interrupt"] = "answer"
    guards: Literal["all", "1", "2"] = "all"


class React(_Says):
    resist: Literal["always", "never"] = "always"


class Turn(_Says):
    """One combatant's declaration. Neither major nor minors: holds."""

    free: Free = Free()
    major: Action | None = None
    minors: tuple[Action, ...] = ()
    when: When | None = None
    react: React = React()

    def guarded(self) -> tuple[Action, ...]:
        if self.when is None:
            return ()
        if self.when.guards == "all":
            return (self.major,) if self.major else self.minors
        return self.minors[int(self.when.guards) - 1 : int(self.when.guards)]

    def plain(self) -> tuple[Action, ...]:
        """What is done whatever the others do, in the order written."""
        if self.when is None:
            return (self.major,) if self.major else self.minors
        if self.when.guards == "all":
            return ()
        skip = int(self.when.guards) - 1
        return tuple(one for number, one in enumerate(self.minors) if number != skip)


HOLD = Turn()


class Plan(_Says):
    """What a seat declares for its combatants."""

    ask: Literal["plan"] = "plan"
    of: dict[Id, Turn] = {}


PLAN: TypeAdapter[Plan] = TypeAdapter(Plan)
