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
    """The ground: its size in cells (0: unlimited), its description, and the cells that give cover."""

    description: str
    width: int
    height: int
    covers: tuple[tuple[str, Cover], ...]
    sides: tuple[tuple[str, tuple[Edge, ...]], ...] = ()  # for cells that cover only from those sides
    kind: Literal["laid"] = "laid"


@frozen()
class Zoned:
    """All terrain of the ground (ARC-68)."""

    zones: tuple[Zone, ...]
    kind: Literal["zoned"] = "zoned"


@frozen()
class ObjectsLaid:
    """All objects on the ground (ARC-79)."""

    objects: tuple[Object, ...]
    reason: str = ""
    kind: Literal["objects_laid"] = "objects_laid"


@frozen()
class ObjectDamaged:
    """The HP of an object after a batch; 0: it is broken (ARC-79)."""

    who: str
    hp: int
    hp_before: int
    kind: Literal["object_damaged"] = "object_damaged"


@frozen()
class Placed:
    """The GM places a combatant."""

    who: str
    place: Cell
    to: Seats = None
    kind: Literal["placed"] = "placed"


@frozen()
class Shown:
    """The GM hides a combatant, or shows it to everyone (ARC-11, ARC-104)."""

    who: str
    hidden: bool
    to: Seats = None
    kind: Literal["shown"] = "shown"


@frozen()
class Unaware:
    """The combatants who are unaware of the attackers when the fight begins (ARC-11)."""

    who: tuple[str, ...]
    kind: Literal["unaware"] = "unaware"


@frozen()
class Corrected:
    """The GM corrects numbers; everyone reads the reason."""

    who: str
    reason: str
    hp: int | None = None
    fp: int | None = None
    status: str = ""
    off: bool = False  # the status is removed
    cycles: int = 0
    to: Seats = None
    kind: Literal["corrected"] = "corrected"


@frozen()
class Joined:
    """A combatant joins the fight."""

    who: str
    name: str
    side: str
    to: Seats = None
    kind: Literal["joined"] = "joined"


@frozen()
class Armed:
    """A newcomer with all its numbers, for those who may know them."""

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
    """An act of the GM is done. `anew`: open asks start again. Otherwise it was about a hidden combatant and they stay
    open; the sealed declarations of the seats in `spoils` may have become impossible."""

    anew: bool
    spoils: tuple[str, ...] = ()
    kind: Literal["desk"] = "desk"
