"""Standing choices: decisions made beforehand, so that a usual round asks for only two.

They are sealed with the readiness and with each order, and answer later steps; only their owner sees them.
"""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from app.engine.form_fields import FormModel

Limb = Literal["left_arm", "right_arm", "left_leg", "right_leg", "body", "head"]
Heading = Literal["n", "ne", "e", "se", "s", "sw", "w", "nw"]
HEADINGS: dict[str, tuple[int, int]] = {
    "n": (0, -1),
    "ne": (1, -1),
    "e": (1, 0),
    "se": (1, 1),
    "s": (0, 1),
    "sw": (-1, 1),
    "w": (-1, 0),
    "nw": (-1, -1),
}
WISHED: dict[str, int] = {"dagger": 1, "sword": 2, "spear": 3, "away": 4}


def _list(given: object) -> object:
    """A single value of a form, or several with commas between them, as a list."""
    return [one for one in given.split(",") if one] if isinstance(given, str) else given


Defences = Annotated[
    tuple[Literal["dodge", "parry", "strength", "mind"], ...], Field(max_length=4), BeforeValidator(_list)
]
Headings = Annotated[tuple[Heading, ...], Field(max_length=8), BeforeValidator(_list)]


class Standing(FormModel):
    """One fighter's standing choices; "" is the rules' default for an absent player, "ask" asks when it comes up."""

    distance: Literal["", "dagger", "sword", "spear", "away", "ask"] = ""  # footwork: the distance to seek
    protect: Limb | Literal["", "ask"] = ""  # against a strong Quick Attack; "": the head
    strike: Limb | Literal["", "ask"] = ""  # the target of the own strong Quick or Controlled Attack
    suffer: Limb | Literal["", "ask"] = ""  # the part that takes the Minor of a weak Quick Attack
    prefer: Defences = ()  # preferred defences in order; the others come after them, best first
    defend: Literal["ask", "prefer"] = "ask"  # "prefer": never ask, defend as preferred
    dodge: Headings = ()  # preferred directions of a Dodge
    contest: Literal["", "ask"] = ""  # when another dodger gets the square (CHR-DEF-07)
    follow: Literal["", "yes", "ask"] = ""  # one step after an enemy who dodged (CHR-DEF-06)
    steps: Literal["", "ask"] = ""  # squares of pushes, approaches and grapples


USUAL = Standing()
