"""A duel in progress, for cases: `[given.so_far]` of docs/cases.md. A table's duel always starts at the beginning."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.rulesets.duel.state import Fighter, State


class Shape(BaseModel):
    """A fighter's condition; fields left out are as at the start."""

    model_config = ConfigDict(extra="forbid")

    hp: Annotated[int, Field(ge=1)] | None = None
    stamina: Annotated[int, Field(ge=0)] | None = None
    opportunity: Annotated[int, Field(ge=0)] = 0
    discombobulated: Annotated[int, Field(ge=0)] = 0


class SoFar(BaseModel):
    """The duel before its next clash; without an offence, the next one is the initial clash."""

    model_config = ConfigDict(extra="forbid")

    high: Annotated[str, Field(description="Who owns the upper half.")]
    offence: str = ""
    die: Annotated[int, Field(ge=0)] = 0
    clash: Annotated[int, Field(ge=1, description="The number of the next one.")] = 1
    combo: Annotated[int, Field(ge=0, description="Actions in the running combo.")] = 0
    calm: Annotated[int, Field(ge=0, description="Clashes in a row in which nobody's HP changed.")] = 0
    fighters: dict[str, Shape] = Field(default_factory=dict)


def place(state: State, said: SoFar) -> tuple[str, ...]:
    """Puts a duel that has just started into the state of a case; returns sentences on why a state cannot occur."""
    faults = tuple(_faults(state, said))
    if not faults:
        state.high, state.offence, state.die = said.high, said.offence, said.die
        state.clash, state.combo, state.calm = said.clash, said.combo, said.calm
        state.phase = "initial" if not said.offence else "combo" if said.combo else "clash"
        for key, shape in said.fighters.items():
            _shape(state.fighters[key], shape)
    return faults


def _shape(one: Fighter, shape: Shape) -> None:
    one.hp = one.hp if shape.hp is None else shape.hp
    one.stamina = one.stamina if shape.stamina is None else shape.stamina
    one.opportunity, one.discombobulated = shape.opportunity, shape.discombobulated


def _faults(state: State, said: SoFar) -> Iterator[str]:
    strange = [key for key in dict.fromkeys((said.high, said.offence, *said.fighters)) if key]
    strange = [key for key in strange if key not in state.fighters]
    if strange or not said.high:
        yield f"High, offence and fighters are {' and '.join(state.order)}, not {', '.join(strange) or 'nobody'}."
        return
    for key, shape in said.fighters.items():
        one = state.fighters[key]
        if (shape.hp or 0) > one.hp_max or (shape.stamina or 0) > one.stamina_max:
            yield f"{key} has {one.hp_max} HP and {one.stamina_max} stamina at most."
    if said.offence:
        yield from _under_way(state, said)
    elif (said.die, said.clash, said.combo, said.calm) != (0, 1, 0, 0):
        yield "In the initial clash nobody has the offence yet: there is no die, no combo and no clash before it."


def _under_way(state: State, said: SoFar) -> Iterator[str]:
    if not 1 <= said.die <= state.settings.die:
        yield f"Once a fighter has the offence the die shows 1 to {state.settings.die}."
        return
    owner = said.high if said.die > state.settings.die // 2 else state.other(said.high)
    if not said.combo and owner != said.offence:
        yield f"No combo runs, so the die has been checked: at {said.die} it gives the offence to {owner} (DUE-22)."
    if said.clash < 2:
        yield "The initial clash is over: the next one is 2 or later."
    if max(said.combo, said.calm) >= said.clash:
        yield f"Before clash {said.clash} there were {said.clash - 1}, fewer than the combo or the calm has."
    if said.calm >= state.settings.stall_limit:
        yield f"After {state.settings.stall_limit} calm clashes the referee is asked, and they count anew (DUE-74)."
