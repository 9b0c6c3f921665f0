"""Events of items that pass from hand to hand (ARC-28, ARC-167)."""

from typing import Literal

from app.engine.frozen import frozen
from app.rulesets.arcana.fight.gm_events import Seats


@frozen()
class Gave:
    """What changes hands in a trade; nothing, if the other accepts nothing of it (ARC-28)."""

    who: str
    target: str
    items: tuple[str, ...]
    to: Seats = None
    kind: Literal["gave"] = "gave"


@frozen()
class Drew:
    """Something is taken into the hand; what was there is put away. `hands`: the dominant one, the other."""

    who: str
    item: str
    hands: tuple[str, str]
    picked: bool = False  # up from the ground
    to: Seats = None
    kind: Literal["drew"] = "drew"
