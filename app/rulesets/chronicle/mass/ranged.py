"""Who can shoot at whom (CHR-RNG-02 to -06)."""

from collections.abc import Mapping

from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.hexes import Hex, distance
from app.rulesets.chronicle.mass.troops import TROOPS

NEAREST = 2  # CHR-RNG-05
MOST_MOVED = 1  # CHR-ARM-10


def shooter_fault(troop: str, *, engaged: bool, moved: int) -> str:
    """Why a unit does not shoot in this round, or "" (CHR-RNG-02); `moved` in hexes, in the movement phases."""
    if not TROOPS[troop].range:
        return "It has no bows."
    if engaged:
        return "It is engaged."
    return "" if moved <= MOST_MOVED else f"It moved {moved} hexes: bowmen who moved 2 or more do not shoot."


def shot_fault(field: Field, troop: str, start: Hex, target: Hex) -> str:
    """Why bowmen on a hex cannot shoot at a unit on another, or "" (CHR-RNG-03 to -06)."""
    far, most = distance(start, target), TROOPS[troop].range
    if not NEAREST <= far <= most:
        return f"It is {far} {'hex' if far == 1 else 'hexes'} away: bowmen shoot {NEAREST} to {most} hexes far."
    if not field.shows(start):
        return "The bowmen are not on Open ground."
    if not field.shows(target):
        return "It is not on Open ground."
    return "" if field.clear(start, target) else "There is other than Open ground between."


def targets(field: Field, troop: str, start: Hex, enemies: Mapping[str, Hex]) -> list[str]:
    """The enemies that bowmen can shoot at, nearest first, then in their given order."""
    legal = [enemy for enemy, hex in enemies.items() if not shot_fault(field, troop, start, hex)]
    return sorted(legal, key=lambda enemy: distance(start, enemies[enemy]))
