"""What a seat can say in a duel. Field names are those of the forms."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.engine.form_fields import EMPTY_AS_ZERO, FormModel

Key = Annotated[str, Field(max_length=60)]


class Half(FormModel):
    """Which half of the momentum die one wishes; "" takes what is left (DUE-07, DUE-76)."""

    ask: Literal["half"] = "half"
    half: Literal["", "high", "low"] = ""


class Move(FormModel):
    """One action, and what is sealed along with it (DUE-51, DUE-61, DUE-63)."""

    ask: Literal["move"] = "move"
    action: Key
    rage: Annotated[Annotated[int, Field(ge=0, le=20)], EMPTY_AS_ZERO] = 0
    add: Literal["", "opener", "discombobulate", "momentum"] = ""
    ability: Key = ""


class Combo(FormModel):
    """The offence goes on with its combo, or ends it (DUE-24)."""

    ask: Literal["combo"] = "combo"
    go: Literal["on", "end"] = "on"


class Ditto(FormModel):
    """Which action is copied; "" copies nothing (DUE-52)."""

    ask: Literal["ditto"] = "ditto"
    copied: Key = ""


class Concede(FormModel):
    """Giving up (DUE-75)."""

    ask: Literal["concede"] = "concede"
    sure: Literal["", "yes"] = ""


class Stalled(FormModel):
    """The referee on a fight that goes nowhere (DUE-74)."""

    ask: Literal["stalled"] = "stalled"
    go: Literal["draw", "on"] = "draw"


Declaration = Annotated[Half | Move | Combo | Ditto | Concede | Stalled, Field(discriminator="ask")]
DECLARATION: TypeAdapter[Declaration] = TypeAdapter(Declaration)
