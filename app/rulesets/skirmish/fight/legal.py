"""What a combatant may do, asked of a form before it is sealed and again when the turn is carried out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from app.rulesets.skirmish.fight import zones
from app.rulesets.skirmish.fight.declarations import Attribute
from app.rulesets.skirmish.fight.events import Hindrance
from app.rulesets.skirmish.fight.state import Combatant, Possession, State
from app.rulesets.skirmish.sheet.gear import UNARMED, Armour, Gear, Weapon
from app.rulesets.skirmish.sheet.sheets import REACTIONS, Reaction

Barred = Literal["", "way", "slow", "room", "prone"]


@dataclass(frozen=True, slots=True)
class Arm:
    """A weapon to strike with, and the thing it is; None for bare hands."""

    weapon: Weapon
    thing: Possession | None = None
    thrown: bool = False

    @property
    def things(self) -> tuple[Possession, ...]:
        return (self.thing,) if self.thing else ()


BARE_HANDS = Arm(UNARMED)


def attribute_for(who: Combatant, weapon: Weapon) -> Attribute:
    """MGT in melee, AGI if that is higher with fast weapons and bare hands; AGI for shots; WIL for spells (SKI-31)."""
    if weapon.spell:
        return "wil"
    if not weapon.melee:
        return "agi"
    return "agi" if weapon.speed == "fast" and who.agi > who.mgt else "mgt"


def main_weapon(who: Combatant) -> Arm | None:
    """Returns the main hand's melee weapon, or claws; None: only bare hands are left."""
    return next((Arm(t.gear, t) for t in who.weapons if isinstance(t.gear, Weapon) and t.gear.melee), None)


def usual_arm(who: Combatant) -> Arm:
    """Returns what somebody strikes and parries with if nothing else is said."""
    return main_weapon(who) or BARE_HANDS


def dual(who: Combatant, first: str, second: str) -> bool:
    """Whether both weapons may strike at once: two hands, two one-handed weapons, no shield (SKI-46)."""
    things = {t.key: t for t in who.weapons}
    if first == second or first not in things or second not in things or "shield" in who.armour_types:
        return False
    gear = [things[key].gear for key in (first, second)]
    return all(isinstance(g, Weapon) and g.melee and not g.two_handed and not g.natural for g in gear)


def slower(weapons: Sequence[Weapon]) -> Weapon:
    """The one whose speed counts for reactions (SKI-46)."""
    return min(weapons, key=lambda weapon: ("slow", "balanced", "fast", "").index(weapon.speed))


def barred(state: State, who: Combatant, zone: str, *, full: bool) -> Barred:
    """What keeps somebody from a neighbouring zone: no way there, or one that takes a full turn (SKI-16, SKI-20)."""
    if who.prone:
        return "prone"
    if zone == who.zone:
        return ""
    way = zones.boundary(state.zones, who.zone, zone) if zone in state.zones else ""
    if way not in ("open", "hindered"):
        return "way"
    if not full and (way == "hindered" or state.zones[who.zone].slow):
        return "slow"
    return "" if zones.has_room(state, zone, who) else "room"


def speed_of(who: Combatant) -> str:
    """The speed of the hand-to-hand weapon in hand, of two weapons the slower; bare hands are fast (SKI-45, SKI-46)."""
    mine = [t.gear for t in who.weapons if isinstance(t.gear, Weapon) and t.gear.melee]
    return slower(mine or [UNARMED]).speed


def cost(who: Combatant, reaction: Reaction) -> int:
    """The Fatigue of a reaction (SKI-66 to SKI-68, SKI-70)."""
    worn, speed = who.armour_types, speed_of(who)
    match reaction:
        case "fight":
            return 1
        case "block":
            return 0 if "heavy" in worn and ("shield" in worn or speed == "slow") else 1
        case "dodge":
            return 0 if speed == "fast" and not worn & {"medium", "heavy"} else 1
        case _:
            return 0


def reactions(
    state: State, who: Combatant, by: Combatant, weapons: Sequence[Weapon], slots: int, *, thrown: bool
) -> tuple[Reaction, ...]:
    """Returns what somebody may do against an attack with these weapons, Defend always first.

    `slots` are all of somebody's slots, for the Fatigue; `thrown`: the weapon comes flying.
    """
    return tuple(one for one in REACTIONS if not hindrance(state, who, by, weapons, one, slots, thrown=thrown))


def hindrance(
    state: State,
    who: Combatant,
    by: Combatant,
    weapons: Sequence[Weapon],
    reaction: Reaction,
    slots: int,
    *,
    thrown: bool,
) -> Hindrance:
    """Returns what keeps somebody from a reaction, "": nothing does (SKI-64 to SKI-71)."""
    if reaction == "defend":
        return ""
    if who.prone or who.stunned or not who.able:
        return "prone" if who.prone else "stunned" if who.stunned else "fallen"
    if reaction not in who.reactions:
        return "unknown"
    melee = all(weapon.melee for weapon in weapons) and not thrown
    return _unfit(state, who, by, weapons, reaction, melee=melee) or no_slot(who, reaction, slots)


def no_slot(who: Combatant, reaction: Reaction, slots: int) -> Literal["", "slots"]:
    """Returns "slots" if no slot is free for the Fatigue of a reaction (SKI-71)."""
    return "slots" if cost(who, reaction) > max(0, slots - who.slots_used) else ""


def _unfit(
    state: State, who: Combatant, by: Combatant, weapons: Sequence[Weapon], reaction: Reaction, *, melee: bool
) -> Hindrance:
    """Returns why attack and gear do not allow a reaction (SKI-66 to SKI-68, SKI-70, SKI-82)."""
    against, mine = slower(weapons).speed, speed_of(who)
    if reaction == "fight":
        return "" if riposte(state, who, by, melee=melee) else "reach"
    if any(weapon.spell for weapon in weapons):
        return "spell"
    if reaction == "parry":
        return "afar" if not melee else "" if main_weapon(who) or _free_hand(who) else "hands"
    if against not in (("fast", "balanced") if reaction == "block" else ("slow", "balanced")):
        return "speed"
    if reaction == "block":
        return "" if "shield" in who.armour_types or mine in ("balanced", "slow") else "gear"
    return "armour" if "heavy" in who.armour_types else "heft" if mine == "slow" else ""


def _free_hand(who: Combatant) -> bool:
    """Whether a hand is free to parry with; a two-handed weapon, such as a bow, takes both (SKI-70)."""
    held = [t.gear for t in who.things if t.held in ("main", "off") and not getattr(t.gear, "natural", False)]
    return sum(2 if getattr(gear, "two_handed", False) else 1 for gear in held) < 2


def riposte(state: State, who: Combatant, by: Combatant, *, melee: bool) -> Arm | None:
    """Returns what somebody fights back with, None if nothing reaches the attacker (SKI-66).

    A hand-to-hand attacker is Close when the blow falls. At another one somebody shoots, or throws (SKI-84).
    """
    mine = [Arm(t.gear, t) for t in who.weapons if isinstance(t.gear, Weapon) and not t.spent]
    if melee or state.is_close(who, by):
        close = [arm for arm in mine if arm.weapon.melee]
        return (close or mine or [BARE_HANDS])[0]
    reaching = [arm for arm in mine if zones.in_reach(state, who, by, arm.weapon)]
    shot = next((arm for arm in reaching if not arm.weapon.melee), None)
    return shot or next((replace(arm, thrown=True) for arm in reaching), None)


def sacrifices(who: Combatant, *, special: bool) -> list[Possession]:
    """The things that can negate a blow: against magic and the elements only heavy armour and shields (SKI-60)."""
    found = []
    for thing in who.things:
        gear = thing.gear
        if isinstance(gear, Armour) and not gear.natural and thing.held in ("main", "off", "worn"):
            if gear.type in ("heavy", "shield") or (gear.type == "medium" and not special):
                found.append(thing)
        elif isinstance(gear, Weapon) and not gear.natural and thing.at_hand and not special:
            if gear.speed in ("balanced", "slow"):
                found.append(thing)
    return found


def is_shield(gear: Gear) -> bool:
    return isinstance(gear, Armour) and gear.type == "shield"
