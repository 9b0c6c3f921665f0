"""Events of the GM: the ground, corrections, newcomers. Lengths of the ground are cells of half a metre."""

from typing import Literal

from app.engine.frozen import frozen
from app.rulesets.arcana.fight.state import Fighter
from app.rulesets.arcana.rules.grid import Cell
from app.rulesets.arcana.rules.objects import Object
from app.rulesets.arcana.rules.rulings import Cover, Edge
from app.rulesets.arcana.rules.terrain import Zone

Seats = tuple[str, ...] | None


@frozen()
class Laid:
    """The ground: its size in cells, 0 for without end, what is to be seen, and which cells give cover."""

    description: str
    width: int
    height: int
    covers: tuple[tuple[str, Cover], ...]
    sides: tuple[tuple[str, tuple[Edge, ...]], ...] = ()  # of cells that cover only from there
    kind: Literal["laid"] = "laid"


@frozen()
class Zoned:
    """What the ground is made of, all of it (ARC-68)."""

    zones: tuple[Zone, ...]
    kind: Literal["zoned"] = "zoned"


@frozen()
class ObjectsLaid:
    """The objects on the ground, all of them (ARC-79)."""

    objects: tuple[Object, ...]
    reason: str = ""
    kind: Literal["objects_laid"] = "objects_laid"


@frozen()
class ObjectDamaged:
    """The HP of an object after everything that landed in one instant; 0: it is broken (ARC-79)."""

    who: str
    hp: int
    hp_before: int
    kind: Literal["object_damaged"] = "object_damaged"


@frozen()
class Placed:
    """Somebody is put somewhere by the GM."""

    who: str
    place: Cell
    to: Seats = None
    kind: Literal["placed"] = "placed"


@frozen()
class Shown:
    """The GM hides somebody, or shows them to everybody (ARC-11, ARC-104)."""

    who: str
    hidden: bool
    to: Seats = None
    kind: Literal["shown"] = "shown"


@frozen()
class Unaware:
    """Who does not know of the attackers as the fight begins (ARC-11)."""

    who: tuple[str, ...]
    kind: Literal["unaware"] = "unaware"


@frozen()
class Corrected:
    """Numbers put right by the GM, with the reason for all to read."""

    who: str
    reason: str
    hp: int | None = None
    fp: int | None = None
    status: str = ""
    off: bool = False  # the status is taken away
    cycles: int = 0
    to: Seats = None
    kind: Literal["corrected"] = "corrected"


@frozen()
class Joined:
    """Somebody comes into the fight."""

    who: str
    name: str
    side: str
    to: Seats = None
    kind: Literal["joined"] = "joined"


@frozen()
class Armed:
    """A newcomer with all numbers, for those who may know them."""

    who: str
    fighter: Fighter
    to: Seats = None
    kind: Literal["armed"] = "armed"


@frozen()
class Left:
    who: str
    reason: str
    to: Seats = None
    kind: Literal["left"] = "left"


@frozen()
class Desk:
    """Something at the GM's desk is done; `anew`: what is open is asked again. Else it was about
    somebody hidden, and what is open stays as it is; what these seats sealed may not be possible any more."""

    anew: bool
    spoils: tuple[str, ...] = ()
    kind: Literal["desk"] = "desk"
