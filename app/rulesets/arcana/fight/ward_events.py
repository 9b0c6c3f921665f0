"""Events of wards on a place (ARC-160)."""

from typing import Literal

from app.engine.frozen import frozen
from app.rulesets.arcana.fight.gm_events import Seats
from app.rulesets.arcana.rules.grid import Cell


@frozen()
class Warded:
    """A ward is put on a place; only its own side knows where exactly. `metres` is in cm."""

    who: str
    spell: str
    at: Cell
    form: str
    metres: int
    facing: Cell = (1, 0)
    pp: int = 0
    choice: str = ""
    to: Seats = None
    kind: Literal["warded"] = "warded"


@frozen()
class Collapsed:
    """Overlapping wards collapse, by the GM's ruling."""

    spell: str
    wards: tuple[str, ...]
    to: Seats = None
    kind: Literal["collapsed"] = "collapsed"


@frozen()
class Snared:
    """A combatant moves into a ward, and it strikes."""

    target: str
    spell: str
    ward: str
    at: Cell
    to: Seats = None
    kind: Literal["snared"] = "snared"
