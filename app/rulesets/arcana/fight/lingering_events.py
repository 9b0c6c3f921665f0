"""Events of lingering effects: on a combatant, in a place, in the hand; and of confusion (ARC-22, ARC-145)."""

from typing import Literal

from app.engine.chance import Roll
from app.engine.frozen import frozen
from app.rulesets.arcana.fight.gm_events import Seats
from app.rulesets.arcana.fight.state import Stat
from app.rulesets.arcana.rules.grid import Cell


@frozen()
class Remains:
    """Something of a spell stays for some cycles (0: until the fight ends)."""

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
    """A bonus, a shield or something like it, for some cycles (0: until something ends it; -1: for this one alone)."""

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
    """Armour eaten or dented, or points of a shield used up: of the one that this spell made."""

    who: str
    what: Literal["armour", "shield"]
    by: int
    source: str = ""
    rolls: tuple[Roll, ...] = ()
    to: Seats = None
    kind: Literal["worn"] = "worn"


@frozen()
class Described:
    """What the data leave to the GM: told in words, no numbers."""

    who: str
    target: str
    words: str
    to: Seats = None
    kind: Literal["described"] = "described"


@frozen()
class Lapsed:
    """What a spell lent or left on somebody is over, before its time or with it; "" for a stat: all of it."""

    who: str
    stat: str
    source: str
    over: bool = False  # its time is up: the end of the cycle takes it away (ARC-22)
    to: Seats = None
    kind: Literal["lapsed"] = "lapsed"


@frozen()
class Mended:
    """A shield has so many points more."""

    who: str
    source: str
    by: int
    to: Seats = None
    kind: Literal["mended"] = "mended"


@frozen()
class Dropped:
    """Something in hand falls to the ground, somewhere."""

    who: str
    what: str
    at: Cell
    rolls: tuple[Roll, ...] = ()
    to: Seats = None
    kind: Literal["dropped"] = "dropped"


@frozen()
class Sensed:
    """How far and in which direction somebody is, for whoever senses it alone."""

    who: str
    target: str
    away: Cell  # so many cells across and along
    to: Seats = None
    kind: Literal["sensed"] = "sensed"


@frozen()
class Reeled:
    """What a confused one's die says: it does as declared, nothing, or turns on somebody (ARC-145)."""

    who: str
    rolls: tuple[Roll, ...]
    how: Literal["declared", "fails", "turns"]
    target: str = ""
    to: Seats = None
    kind: Literal["reeled"] = "reeled"
