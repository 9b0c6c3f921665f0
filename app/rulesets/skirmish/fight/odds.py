"""The exact chances of a Test by tier, and of a save (SKI-33 to SKI-35)."""

from dataclasses import dataclass

from app.rulesets.skirmish.fight import legal
from app.rulesets.skirmish.fight.declarations import Attribute
from app.rulesets.skirmish.fight.state import Combatant, State
from app.rulesets.skirmish.sheet.gear import UNARMED, Weapon


@dataclass(frozen=True, slots=True)
class Odds:
    """The chances of a Test with a weapon or spell; together 1."""

    weapon: str  # its key; "" for bare hands
    name: str
    attribute: Attribute
    value: int
    fails: float  # tier 1
    reduced: float  # tier 2: less Armor
    whole: float  # tier 3: Armor ignored


def tier(plugin: str, value: int, dice: tuple[int, ...]) -> int:
    """The tier of a Test's dice: one d20 at or below the attribute, or 2d10 and a bonus (SKI-33, SKI-34)."""
    if plugin == "2d10":
        natural, total = sum(dice), sum(dice) + (value - 10) // 2
        return 3 if natural >= 19 or total >= 17 else 2 if total >= 12 else 1
    die = dice[0]
    if die == 20:
        return 1
    return 3 if die == 1 or die <= value // 2 else 2 if die <= value else 1


def tiers(plugin: str, value: int) -> tuple[float, float, float]:
    """The chances of tiers 1, 2 and 3."""
    rolls = [(a, b) for a in range(1, 11) for b in range(1, 11)] if plugin == "2d10" else [(a,) for a in range(1, 21)]
    counted = [sum(tier(plugin, value, dice) == wanted for dice in rolls) / len(rolls) for wanted in (1, 2, 3)]
    return counted[0], counted[1], counted[2]


def saves(value: int) -> float:
    """The chance of a save: d20 at or below; 1 always, 20 never (SKI-35)."""
    return min(19, max(1, value)) / 20


def saved(value: int, face: int) -> bool:
    """Whether a d20 saves (SKI-35)."""
    return face != 20 and (face == 1 or face <= value)


def odds(state: State, who: Combatant) -> tuple[Odds, ...]:
    """The chances of all that somebody can attack with."""
    weapons = [(t.key, t.gear) for t in who.weapons if isinstance(t.gear, Weapon)]
    hands = [("", UNARMED)] if all(not gear.natural for _, gear in weapons) else []
    found = []
    for key, weapon in (*weapons, *hands, *((spell.id, spell) for spell in who.spells)):
        attribute = legal.attribute_for(who, weapon)
        value = getattr(who, attribute)
        found.append(Odds(key, weapon.name, attribute, value, *tiers(state.settings.test_plugin, value)))
    return tuple(found)
