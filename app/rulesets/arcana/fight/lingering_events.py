"""Events of lingering effects: on a combatant, in a place, in the hand; and of confusion (ARC-22, ARC-145)."""

from typing import Literal

from app.engine.chance import Roll
from app.engine.frozen import frozen
from app.rulesets.arcana.fight.gm_events import Seats
from app.rulesets.arcana.fight.state import Stat
from app.rulesets.arcana.rules.grid import Cell


@frozen()
class Remains:
    """An effect of a spell stays for some cycles (0: until the fight ends)."""

    who: str
    target: str
    spell: str
    effects: tuple[int, ...]
    cycles: int
    pp: int = 0
    level: int = 1
    halved: bool = False
    at: Cell | None = None
    form: str = ""
    metres: int = 0  # cm
    facing: Cell = (1, 0)
    obscures: Literal["", "severe", "total"] = ""
    to: Seats = None
    kind: Literal["remains"] = "remains"


@frozen()
class Lent:
    """A spell lends a bonus, a shield or the like for some cycles (0: until something ends it; -1: this one only)."""

    who: str
    stat: Stat
    amount: int
    cycles: int
    source: str
    by: str = ""
    vs: Literal["all", "magic"] = "all"
    front: bool = False
    overflow: Literal["through", "half", "lost"] = "through"
    type: str = ""
    after: str = ""
    rolls: tuple[Roll, ...] = ()
    once: bool = False
    to: Seats = None
    kind: Literal["lent"] = "lent"


@frozen()
class Worn:
    """Armour is damaged, or the shield of this spell loses points."""

    who: str
    what: Literal["armour", "shield"]
    by: int
    source: str = ""
    rolls: tuple[Roll, ...] = ()
    to: Seats = None
    kind: Literal["worn"] = "worn"


@frozen()
class Described:
    """An effect that the data leave to the GM, in words only."""

    who: str
    target: str
    words: str
    to: Seats = None
    kind: Literal["described"] = "described"


@frozen()
class Lapsed:
    """A loan or lingering effect of a spell ends, early or with the spell; stat "": all of it."""

    who: str
    stat: str
    source: str
    over: bool = False  # its duration is over: the end of the cycle removes it (ARC-22)
    to: Seats = None
    kind: Literal["lapsed"] = "lapsed"


@frozen()
class Mended:
    """A shield regains points."""

    who: str
    source: str
    by: int
    to: Seats = None
    kind: Literal["mended"] = "mended"


@frozen()
class Dropped:
    """A thing in hand falls to the ground."""

    who: str
    what: str
    at: Cell
    rolls: tuple[Roll, ...] = ()
    to: Seats = None
    kind: Literal["dropped"] = "dropped"


@frozen()
class Sensed:
    """The distance and direction of a combatant, for the caster who senses it."""

    who: str
    target: str
    away: Cell  # cells across and along
    to: Seats = None
    kind: Literal["sensed"] = "sensed"


@frozen()
class Reeled:
    """The result of a confused combatant's die: as declared, nothing, or turned on a target (ARC-145)."""

    who: str
    rolls: tuple[Roll, ...]
    how: Literal["declared", "fails", "turns"]
    target: str = ""
    to: Seats = None
    kind: Literal["reeled"] = "reeled"
