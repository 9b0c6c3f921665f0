"""What a combatant may do, asked of a form before it is sealed and again when the turn is carried out."""

from collections.abc import Sequence
from typing import Literal

from app.rulesets.skirmish.fight import zones
from app.rulesets.skirmish.fight.declarations import Attribute
from app.rulesets.skirmish.fight.state import Combatant, Possession, State
from app.rulesets.skirmish.sheet.gear import UNARMED, Armour, Gear, Weapon
from app.rulesets.skirmish.sheet.sheets import REACTIONS, Reaction

Barred = Literal["", "way", "slow", "room", "prone"]


def attribute_for(who: Combatant, weapon: Weapon) -> Attribute:
    """MGT in melee, AGI if that is higher with fast weapons and bare hands; AGI for shots; WIL for spells (SKI-31)."""
    if weapon.spell:
        return "wil"
    if not weapon.melee:
        return "agi"
    return "agi" if weapon.speed == "fast" and who.agi > who.mgt else "mgt"


def main_weapon(who: Combatant) -> Possession | None:
    """What he strikes with if nothing else is said: the main hand's melee weapon, or claws; None: bare hands."""
    return next((t for t in who.weapons if isinstance(t.gear, Weapon) and t.gear.melee), None)


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


def speeds_of(who: Combatant) -> set[str]:
    """The speeds of the melee weapons in hand; bare hands are fast (SKI-45)."""
    return {t.gear.speed for t in who.weapons if isinstance(t.gear, Weapon) and t.gear.melee} or {"fast"}


def cost(who: Combatant, reaction: Reaction) -> int:
    """The Fatigue of a reaction (SKI-66 to SKI-68, SKI-70)."""
    return _cost(reaction, who.armour_types, speeds_of(who))


def _cost(reaction: Reaction, worn: set[str], speeds: set[str]) -> int:
    match reaction:
        case "fight":
            return 1
        case "block":
            return 0 if "heavy" in worn and ("shield" in worn or "slow" in speeds) else 1
        case "dodge":
            return 0 if "fast" in speeds and not worn & {"medium", "heavy"} else 1
        case _:
            return 0


def reactions(
    state: State, who: Combatant, by: Combatant, weapons: Sequence[Weapon], slots: int, *, thrown: bool
) -> tuple[Reaction, ...]:
    """What somebody may do against an attack with these weapons, Defend always first (SKI-64 to SKI-71).

    `slots` are all of somebody's slots, for the Fatigue; `thrown`: the weapon comes flying.
    """
    if who.prone or who.stunned or not who.able or not who.reactions:
        return ("defend",)
    worn, speeds = who.armour_types, speeds_of(who)
    speed, melee = slower(weapons).speed, all(weapon.melee for weapon in weapons) and not thrown
    legal = {
        "defend": True,
        "fight": riposte(state, who, by, melee=melee) is not None,
        "block": speed in ("fast", "balanced") and ("shield" in worn or bool(speeds & {"balanced", "slow"})),
        "dodge": speed in ("slow", "balanced") and "heavy" not in worn and "slow" not in speeds,
        "parry": melee and (main_weapon(who) is not None or _free(who)),
    }
    free = max(0, slots - who.slots_used)
    return tuple(
        one
        for one in REACTIONS
        if one == "defend" or (legal[one] and one in who.reactions and _cost(one, worn, speeds) <= free)
    )


def parrying(who: Combatant) -> Weapon:
    """What he parries with: the melee weapon in his main hand, else bare hands (SKI-70)."""
    thing = main_weapon(who)
    return thing.gear if thing is not None and isinstance(thing.gear, Weapon) else UNARMED


def _free(who: Combatant) -> bool:
    """Whether a hand is free to strike with."""
    return len([t for t in who.things if t.held in ("main", "off")]) < 2


def riposte(state: State, who: Combatant, by: Combatant, *, melee: bool) -> Weapon | None:
    """The weapon somebody fights back with: one that reaches the attacker, who is Close when he strikes (SKI-66)."""
    mine = [t.gear for t in who.weapons if isinstance(t.gear, Weapon) and not t.spent]
    near = melee or state.is_close(who, by)
    if near:
        close = [weapon for weapon in mine if weapon.melee]
        return close[0] if close else mine[0] if mine else UNARMED
    return next((weapon for weapon in mine if not weapon.melee and zones.in_reach(state, who, by, weapon)), None)


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
