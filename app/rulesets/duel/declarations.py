"""Declarations in a duel. Field names are those of the forms."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.engine.form_fields import EMPTY_AS_ZERO, FormModel

Key = Annotated[str, Field(max_length=60)]


class Half(FormModel):
    """The wished half of the momentum die; "" takes the half that is left (DUE-07, DUE-76)."""

    ask: Literal["half"] = "half"
    half: Literal["", "high", "low"] = ""


class Move(FormModel):
    """One action, with the choices sealed along with it (DUE-51, DUE-61, DUE-63)."""

    ask: Literal["move"] = "move"
    action: Key
    rage: Annotated[Annotated[int, Field(ge=0, le=20)], EMPTY_AS_ZERO] = 0
    add: Literal["", "opener", "discombobulate", "momentum"] = ""
    ability: Key = ""


class Combo(FormModel):
    """The offence continues its combo, or ends it (DUE-24)."""

    ask: Literal["combo"] = "combo"
    go: Literal["on", "end"] = "on"


class Ditto(FormModel):
    """The action to copy; "" copies nothing (DUE-52)."""

    ask: Literal["ditto"] = "ditto"
    copied: Key = ""


class Concede(FormModel):
    """Giving up (DUE-75)."""

    ask: Literal["concede"] = "concede"
    sure: Literal["", "yes"] = ""


class Stalled(FormModel):
    """The referee's ruling on a stalled fight (DUE-74)."""

    ask: Literal["stalled"] = "stalled"
    go: Literal["draw", "on"] = "draw"


Declaration = Annotated[Half | Move | Combo | Ditto | Concede | Stalled, Field(discriminator="ask")]
DECLARATION: TypeAdapter[Declaration] = TypeAdapter(Declaration)
