"""Events of movement: facing, steps and pushes, into cover and out of it, slams (ARC-21, ARC-61, ARC-69)."""

from typing import Literal

from app.engine.chance import Roll
from app.engine.frozen import frozen
from app.rulesets.arcana.fight.gm_events import Seats
from app.rulesets.arcana.rules.grid import Cell

Manner = Literal["step", "considered", "move", "push", "leap"]
"""The kinds of movement."""


@frozen()
class Faced:
    who: str
    facing: Cell  # a direction
    to: Seats = None
    kind: Literal["faced"] = "faced"


@frozen()
class Emerged:
    """A combatant comes out of cover, until the cycle ends (ARC-61)."""

    who: str
    to: Seats = None
    kind: Literal["emerged"] = "emerged"


@frozen()
class Covered:
    """A combatant goes back into the cover it had left (ARC-61)."""

    who: str
    to: Seats = None
    kind: Literal["covered"] = "covered"


@frozen()
class Moved:
    who: str
    how: Manner
    start: Cell
    goal: Cell
    end: Cell
    to: Seats = None
    kind: Literal["moved"] = "moved"


@frozen()
class Slammed:
    who: str
    roll: Roll
    to: Seats = None
    kind: Literal["slammed"] = "slammed"
