"""Events of skills: whom a sentinel watches, who strikes back (ARC-109, ARC-174)."""

from typing import Literal

from app.engine.chance import Roll
from app.engine.frozen import frozen
from app.rulesets.arcana.fight.gm_events import Seats


@frozen()
class Watches:
    """Foes that find no opening against a sentinel; `lost`: out of sight, so that they may find one again (ARC-109).

    `rolls`: how many there may be, where that is rolled for now.
    """

    who: str
    whom: tuple[str, ...]
    rolls: tuple[Roll, ...] = ()
    lost: bool = False
    to: Seats = None
    kind: Literal["watches"] = "watches"


@frozen()
class Retaliated:
    """Somebody who let every attack through strikes one of the attackers (ARC-174)."""

    who: str
    target: str
    to: Seats = None
    kind: Literal["retaliated"] = "retaliated"
