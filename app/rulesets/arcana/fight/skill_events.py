"""Events of skills: a sentinel watches, a victim strikes back (ARC-109, ARC-174)."""

from typing import Literal

from app.engine.chance import Roll
from app.engine.frozen import frozen
from app.rulesets.arcana.fight.gm_events import Seats


@frozen()
class Watches:
    """Foes that find no opening against a sentinel; `lost`: out of sight, so they may find one again (ARC-109).

    `rolls`: how many foes it may watch, if that is rolled now.
    """

    who: str
    whom: tuple[str, ...]
    rolls: tuple[Roll, ...] = ()
    lost: bool = False
    to: Seats = None
    kind: Literal["watches"] = "watches"


@frozen()
class Retaliated:
    """A combatant who let every attack through strikes an attacker (ARC-174)."""

    who: str
    target: str
    to: Seats = None
    kind: Literal["retaliated"] = "retaliated"
