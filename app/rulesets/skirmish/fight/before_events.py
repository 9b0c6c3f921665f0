"""The events before the first turn of a skirmish: surprise and the foes' attitude."""

from typing import Literal

from app.engine.chance import Roll
from app.engine.frozen import frozen
from app.rulesets.skirmish.fight.declarations import Situation
from app.rulesets.skirmish.sheet.sheets import Side


@frozen()
class DiceCalled:
    """What the GM said at the start, where dice fall for it as soon as the players are ready; for the GM only."""

    unaware: tuple[Side, ...]
    situation: Situation
    ambush: bool
    attitude: bool
    kind: Literal["dice-called"] = "dice-called"


@frozen()
class SurpriseRolled:
    """The d6 for surprise, for the GM only; `side` is surprised, "" if nobody is (SKI-01, SKI-02)."""

    unaware: tuple[Side, ...]
    situation: Situation
    ambush: bool
    roll: Roll
    side: Side | Literal[""]
    kind: Literal["surprise-rolled"] = "surprise-rolled"


@frozen()
class Noticed:
    """What everybody learns of it: whether somebody is surprised, not yet who (SKI-03)."""

    free: bool
    attitude: bool  # the GM rolls for the foes' attitude next
    kind: Literal["noticed"] = "noticed"


@frozen()
class Surprised:
    """The side that is surprised, told when the free turn opens (SKI-03, SKI-04)."""

    side: Side
    face: int
    ambush: bool
    kind: Literal["surprised"] = "surprised"


@frozen()
class AttitudeRolled:
    """The foes' attitude: 2d6, and a d4 that counts for or against (SKI-06, SKI-07)."""

    weapons: Literal["mixed", "drawn", "sheathed"]
    dice: tuple[Roll, ...]
    extra: Roll | None
    total: int
    attitude: Literal["hostile", "wary", "curious", "kind", "helpful"]
    kind: Literal["attitude-rolled"] = "attitude-rolled"
