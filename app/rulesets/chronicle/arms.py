"""Weapons, shields and armour (CHR-EQP): their effects on ratings, and the distance at which a weapon is at home."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Armour = Literal["none", "other", "metal", "plate"]

ARMOUR: dict[Armour, int] = {"none": 0, "other": 1, "metal": 2, "plate": 4}  # CHR-EQP-07
ARMOUR_NAMES: dict[Armour, str] = {
    "none": "No armour",
    "other": "Light armour",
    "metal": "Metal armour",
    "plate": "Plate armour",
}
DISTANCE_NAMES = {1: "Dagger distance", 2: "Sword distance", 3: "Spear distance"}
SHIELD = "shield"
SHIELD_PARRY = 1  # CHR-EQP-06
ONE_HANDED = -2  # CHR-EQP-02


@dataclass(frozen=True, slots=True)
class Weapon:
    """One row of table 3.4; `parry` None: it cannot parry."""

    key: str
    name: str
    distance: int
    attacks: int
    parry: int | None
    hands: int = 1
    against_plate: int | None = None  # in place of `attacks` (CHR-EQP-04)


WEAPONS: dict[str, Weapon] = {
    weapon.key: weapon
    for weapon in (
        Weapon("dagger", "Dagger", 1, 0, -2),
        Weapon("rock", "Rock", 1, -2, None),
        Weapon("sword", "Sword", 2, 0, 0),
        Weapon("club", "Club", 2, 0, -1),
        Weapon("hammer", "Hammer", 2, 1, -1),
        Weapon("mace", "Mace", 2, 1, -1, against_plate=2),
        Weapon("axe", "Axe", 2, 1, -1),
        Weapon("fencing-sword", "Fencing sword", 2, -1, 0),
        Weapon("big-sword", "Big sword", 2, 1, 0, hands=2),
        Weapon("spear", "Spear", 3, 0, 0),
        Weapon("staff", "Staff", 3, -1, 0),
        Weapon("halberd", "Halberd", 3, 1, 0, hands=2),
    )
}
HANDS = Weapon("hands", "Bare hands", 1, -4, None, hands=0)  # parries only the unarmed (CHR-EQP-05)
ITEMS: tuple[str, ...] = (*WEAPONS, SHIELD)


def item_name(key: str) -> str:
    """The name of an item in a hand, for people."""
    return "Shield" if key == SHIELD else WEAPONS[key].name if key in WEAPONS else "nothing"


def best_hands(carried: Iterable[str]) -> tuple[str, str]:
    """Default right and left hand: the best weapon, and a shield if carried (table 1.1, B1).

    Best is the highest bonus on attacks, then the longer reach, then the better parry. A shield and a two-handed weapon
    hinder one another, so with a shield the weapon is one-handed if any is.
    """
    weapons = [WEAPONS[key] for key in carried if key in WEAPONS]
    shield = SHIELD if SHIELD in carried else ""
    if shield:
        weapons = [weapon for weapon in weapons if weapon.hands == 1] or weapons
    best = max(weapons, key=lambda w: (w.attacks, w.distance, -9 if w.parry is None else w.parry), default=None)
    return (best.key if best else ""), shield
