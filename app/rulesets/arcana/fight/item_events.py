"""Events of items that change hands or are drawn (ARC-28, ARC-167)."""

from typing import Literal

from app.engine.frozen import frozen
from app.rulesets.arcana.fight.gm_events import Seats


@frozen()
class Gave:
    """Items change hands in a trade; none if the other accepts none of them (ARC-28)."""

    who: str
    target: str
    items: tuple[str, ...]
    to: Seats = None
    kind: Literal["gave"] = "gave"


@frozen()
class Drew:
    """An item is taken in hand, and what was there is put away. `hands`: the dominant one, the other."""

    who: str
    item: str
    hands: tuple[str, str]
    picked: bool = False  # from the ground
    to: Seats = None
    kind: Literal["drew"] = "drew"
