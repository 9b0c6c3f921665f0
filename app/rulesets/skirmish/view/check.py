"""Checks a declaration; faults are in words for the player, by form field.

A turn is legal as far as its player can know: the kinds of action, then each one (SKI-27).
"""

from collections.abc import Container, Iterable

from app.engine.ruleset import Ask, Faults
from app.engine.sentences import and_list, capital
from app.rulesets.skirmish.fight import declarations as de
from app.rulesets.skirmish.fight import legal, zones
from app.rulesets.skirmish.fight.state import Combatant, Possession, State
from app.rulesets.skirmish.sheet.foe_templates import the
from app.rulesets.skirmish.sheet.gear import Weapon
from app.rulesets.skirmish.sheet.wording import readied
from app.rulesets.skirmish.view.view import View

EVERY = "all"  # "all>ann" is the one reaction of a whole turn, with `reaction_scope = per_turn` (SKI-63)
ALONE = "{} takes the whole turn. Choose “does nothing more” after it."
RANGES = {
    "near": "{target} is near, but not beside {who}",
    "far": "{target} is too far away for that",
    "distant": "{target} is too far away for anything",
}


def foreign(given: Iterable[str], known: Container[str], words: str, field: str = "") -> Faults:
    """A fault, in these words, for each key of `of` that is not known."""
    return {f"of.{key[:80]}{field}": words for key in given if key not in known}


def hand(view: View, ask: Ask, says: de.Hand) -> Faults:
    found: Faults = {}
    for key, intent in says.of.items():
        if key not in view.mine:
            found[f"of.{key[:60]}.turn"] = "This character is not yours to declare for, or is out of the fight."
            continue
        who = view.known.combatants[key]
        wrong = _turn(view.known, who, intent) | _standing(view, key, intent)
        found |= {f"of.{key}.{name}": words for name, words in wrong.items()}
    return found


def _standing(view: View, key: str, intent: de.Intent) -> Faults:
    """The standing orders: a reaction this one can use, and things that can be given up (SKI-60, SKI-64)."""
    options = view.options[key]
    if intent.react not in {one.key for one in options.reactions}:
        return {"react": f"{capital(view.the(key))} can’t use that reaction."}
    things = {one.key for one in options.sacrifices}
    if any(order != "never" and thing not in things for thing, order in intent.sacrifice.items()):
        return {"sacrifice": "Only armour, shields and balanced or slow weapons in hand can be sacrificed."}
    return {}


def react(view: View, ask: Ask, says: de.React) -> Faults:
    """A legal reaction to each attack on one's own, or one to all of them (SKI-63, SKI-64)."""
    offered = {one.attack: {choice.key for choice in one.reactions} for one in view.incoming}
    if view.settings["reaction_scope"] == "per_turn":
        for one in view.incoming:
            offered.setdefault(f"{EVERY}>{one.who}", set()).update(choice.key for choice in one.reactions)
    found: Faults = {}
    for attack, reaction in says.of.items():
        if attack not in offered:
            found[f"of.{attack[:160]}"] = "There is no such attack on your combatants."
        elif reaction not in offered[attack]:
            found[f"of.{attack}"] = "Choose one of the reactions that are offered."
    return found


def _turn(state: State, who: Combatant, intent: de.Intent) -> Faults:
    """What is wrong with a turn, by field below the combatant's own: "turn", "first.target", "then.zone", …"""
    full = intent.turn == "full"
    parts = [("first.", intent.first), ("then.", intent.then)] if full else [("first.", intent.first)]
    acts = [(at, deed) for at, deed in parts if deed.do != "hold"]
    if found := _fits(state, who, acts, full=full):
        return found
    found: Faults = {}
    for at, deed in acts:
        found |= {f"{at}{name}": words for name, words in _deed(state, who, deed, full=full).items()}
        state, who = zones.after(state, who, deed)
    return found


def _fits(state: State, who: Combatant, acts: list[tuple[str, de.Deed]], *, full: bool) -> Faults:
    """Whether the actions make up a turn: one quick one; or a move and another, two moves, or a slow one (SKI-27)."""
    if not full:
        slow = _slow(state, who, acts[0][1]) if acts else ""
        return {"turn": f"{slow} takes a full turn. Choose “takes a full turn”."} if slow else {}
    for at, deed in acts:
        slow = _slow(state, who, deed)
        if slow and len(acts) > 1:
            other = next(name for name, _ in acts if name != at)
            return {f"{other}do": ALONE.format(slow)}
        if slow:
            return {}
        state, who = zones.after(state, who, deed)
    if acts and not any(deed.do == "move" for _, deed in acts):
        if len(acts) == 1:
            at = "then." if acts[0][0] == "first." else "first."
            return {f"{at}do": "A full turn has room for a move as well. Add one, or choose “quickly”."}
        return {"then.do": "One of the two actions of a full turn must be a move."}
    return {}


def _slow(state: State, who: Combatant, deed: de.Deed) -> str:
    """What takes the whole of a full turn, in words; "": nothing does (SKI-27, SKI-78, SKI-82)."""
    if deed.do == "withdraw":
        return "A careful withdrawal"
    if deed.do == "cast":
        spell = _spell(who, deed)
        return f"The spell “{spell.name}”" if spell is not None and spell.slow else ""
    if deed.do == "retreat" and (beside := zones.close_enemies(state, who)):
        return f"Retreating with {and_list(_the(c) for c in beside)} right there"
    return ""


def _spell(who: Combatant, deed: de.Deed) -> Weapon | None:
    return next((spell for spell in who.spells if spell.id == deed.spell), None)


def _deed(state: State, who: Combatant, deed: de.Deed, *, full: bool) -> Faults:
    match deed.do:
        case "attack":
            return _attack(state, who, deed)
        case "cast":
            return _cast(state, who, deed)
        case "gambit":
            return _gambit(state, who, deed)
        case "move" | "withdraw":
            return _move(state, who, deed, full=full)
        case "retreat":
            return _retreat(state, who, deed)
        case "ready":
            return _ready(state, who, deed)
        case "hold":
            return {}


def _the(who: Combatant) -> str:
    return the(who.name, pc=who.pc)


def _target(state: State, who: Combatant, deed: de.Deed) -> Faults:
    """The target, and whom else, must be enemies in sight who can still act (SKI-28)."""
    enemies = {c.key for c in state.enemies(who)}
    if deed.target not in enemies:
        return {"target": "Choose whom: an enemy in sight who is still in the fight."}
    if any(key not in enemies for key in deed.spare):
        return {"spare": "Choose only enemies in sight as substitutes."}
    return {}


def _attack(state: State, who: Combatant, deed: de.Deed) -> Faults:
    """A weapon in hand that is ready and reaches the target, or two at once (SKI-13, SKI-46, SKI-83)."""
    weapon = who.weapon(deed.weapon)
    if weapon is None or weapon.spell:
        return {"weapon": f"Choose what {_the(who)} has in hand."}
    if deed.second and not legal.dual(who, deed.weapon, deed.second):
        return {"second": "Two weapons at once must both be one-handed melee weapons, without a shield."}
    for field, key in (("weapon", deed.weapon), ("second", deed.second)):
        thing = next((t for t in who.things if key and t.key == key), None)
        if thing is not None and thing.spent:
            return {field: f"The {weapon.name} isn’t {readied(weapon)}. Ready it first: that takes a quick turn."}
    if deed.second:
        weapon = weapon.model_copy(update={"thrown": False})  # nobody throws two at once
    return _target(state, who, deed) or _reach(state, who, deed, weapon)


def _reach(state: State, who: Combatant, deed: de.Deed, weapon: Weapon) -> Faults:
    """Whether the weapon reaches the target once the moves before it are made (SKI-11, SKI-13, SKI-84)."""
    target = state.combatants[deed.target]
    if zones.in_reach(state, who, target, weapon):
        return {}
    found = zones.range_of(state, who, target)
    what = capital(RANGES[found].format(target=_the(target), who=_the(who)))
    if not weapon.melee:
        return {"target": f"{what}: the {weapon.name} doesn’t reach that far. Go closer first."}
    if target.zone not in (who.zone, *zones.neighbours(state.zones, who.zone)):
        return {"target": f"{what}. Go closer first."}
    there = "" if target.zone == who.zone else f" to {state.zones[target.zone].name},"
    return {"target": f"{what}. Take a full turn: move{there} beside {_the(target)}, then attack."}


def _cast(state: State, who: Combatant, deed: de.Deed) -> Faults:
    spell = _spell(who, deed)
    if spell is None:
        return {"spell": f"Choose one of the spells {_the(who)} knows."}
    return _target(state, who, deed) or _reach(state, who, deed, spell)


def _gambit(state: State, who: Combatant, deed: de.Deed) -> Faults:
    """A gambit needs somebody beside; a shove may name a zone next door (SKI-13, SKI-54, SKI-57)."""
    if found := _target(state, who, deed):
        return found
    target = state.combatants[deed.target]
    if not state.is_close(who, target):
        where = f"{capital(_the(who))} must be beside {_the(target)} for that."
        return {"target": f"{where} In a full turn, move there first."}
    if deed.gambit == "other" and not deed.words.strip():
        return {"words": "Describe in your own words what you try. The GM decides whether it’s possible."}
    if deed.gambit == "shove" and deed.zone and deed.zone not in zones.neighbours(state.zones, target.zone):
        return {"zone": "Choose a zone next door, or leave it open."}
    return {}


def _move(state: State, who: Combatant, deed: de.Deed, *, full: bool) -> Faults:
    """To a zone next door, or inside one's own beside somebody; a full zone may have room by then (SKI-15, SKI-16)."""
    zone = deed.zone or who.zone
    if zone not in state.zones:
        return {"zone": "Choose a zone next door."}
    if zone == who.zone and (deed.do == "withdraw" or not deed.close):
        beside = " or, inside this one, whom to stand beside" if deed.do == "move" else ""
        return {"zone": f"Choose a zone to go to{beside}."}
    name, here = state.zones[zone].name, state.zones[who.zone].name
    match legal.barred(state, who, zone, full=full):
        case "way":
            return {"zone": f"There is no way from {here} to {name}. Choose a zone next door."}
        case "slow":
            return {"zone": f"Going from {here} to {name} takes a full turn."}
        case "prone":
            return {"do": f"{capital(_the(who))} is prone and can’t move."}
        case _:
            return _beside(state, who, deed, zone) if deed.do == "move" else {}


def _beside(state: State, who: Combatant, deed: de.Deed, zone: str) -> Faults:
    other = next((c for c in state.present() if c.key == deed.close), None)
    if not deed.close:
        return {}
    if other is None or other.key == who.key:
        return {"close": "Choose someone else who is in sight and still in the fight."}
    if other.zone != zone:
        where = f"{capital(_the(other))} is in {state.zones[other.zone].name}."
        return {"close": f"{where} Go there, or choose someone else."}
    return {}


def _retreat(state: State, who: Combatant, deed: de.Deed) -> Faults:
    """Out of the fight, toward a zone next door if one is named; not out of a trap (SKI-78, SKI-79)."""
    if state.zones[who.zone].trapped:
        return {"do": f"There is no safe way out of {state.zones[who.zone].name}."}
    if deed.zone and deed.zone not in zones.neighbours(state.zones, who.zone):
        return {"zone": "Choose a zone next door to retreat toward, or leave it open."}
    return {}


def _ready(state: State, who: Combatant, deed: de.Deed) -> Faults:
    """Something to reload, draw or take in hand, or something that lies in the zone (SKI-27, SKI-83)."""
    if any(thing.key == deed.item and _can_ready(thing) for thing in who.things):
        return {}
    for c in state.combatants.values():
        for thing in c.things:
            if thing.key == deed.item and thing.held == "floor":
                if thing.zone == who.zone:
                    return {}
                return {"item": f"The {thing.gear.name} lies in {state.zones[thing.zone].name}. Go there first."}
    return {"item": "Choose what to ready: something of your own, or something that lies here."}


def _can_ready(thing: Possession) -> bool:
    """Whether it is not ready yet: not loaded or drawn, or a weapon or shield in the pack."""
    if thing.at_hand:
        return thing.spent
    return thing.held == "pack" and (isinstance(thing.gear, Weapon) or legal.is_shield(thing.gear))
