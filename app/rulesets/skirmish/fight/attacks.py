"""One attack from its Test to the riposte, in the order of its dice (SKI-30 to SKI-70, SKI-90)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.engine.chance import Chance, Roll
from app.rulesets.skirmish.fight import damage, legal, zones
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight.declarations import Attribute
from app.rulesets.skirmish.fight.incoming import is_blast
from app.rulesets.skirmish.fight.odds import tier
from app.rulesets.skirmish.fight.state import Combatant, FightLog, Possession, State
from app.rulesets.skirmish.sheet.gear import UNARMED, Weapon
from app.rulesets.skirmish.sheet.sheets import Reaction

BlowKind = Literal["attack", "riposte", "sweep", "retreat"]


@dataclass(frozen=True, slots=True)
class Blow:
    """Who attacks whom with what, and how the target reacts; `key` names its dice."""

    by: str
    who: str
    weapons: tuple[Weapon, ...]  # the chosen one first, a second one with it (SKI-46); one spell
    what: BlowKind = "attack"
    reaction: Reaction = "defend"
    thrown: bool = False
    things: tuple[Possession, ...] = ()  # what the attack is made with, as far as it uses it up

    @property
    def key(self) -> str:
        return f"{self.by}>{self.who}" if self.what == "attack" else f"{self.what}/{self.by}>{self.who}"

    @property
    def name(self) -> str:
        return " and ".join(weapon.name for weapon in self.weapons)


def attack(log: FightLog, chance: Chance, blow: Blow, because: tuple[int, ...]) -> None:
    """A Test, what comes of it and of the weapon, and the riposte of whoever fights back (SKI-30 to SKI-32, SKI-66)."""
    attribute = legal.attribute_for(log.state.combatants[blow.by], blow.weapons[0])
    if blow.thrown:
        attribute = "agi"  # SKI-31
    hit, number = test(log, chance, blow.by, blow.who, blow.what, blow.name, attribute, blow.key, because)
    face = _hit(log, chance, blow, hit, (number,)) if hit > 1 else 0
    for thing in blow.things:
        _use_up(log, blow, thing, face, (number,))
    if blow.reaction == "fight":
        _riposte(log, chance, blow, (number,))


def test(
    log: FightLog,
    chance: Chance,
    who: str,
    against: str,
    what: Literal["attack", "riposte", "sweep", "retreat", "gambit", "opposite"],
    name: str,
    attribute: Attribute,
    key: str,
    because: tuple[int, ...],
) -> tuple[int, int]:
    """Makes a Test by the table's plug-in; returns its tier and the number of its event (SKI-33, SKI-34)."""
    plugin = log.state.settings.test_plugin
    if plugin == "2d10":
        rule, dice = "SKI-34", tuple(chance.die(10, f"SKI-34/test/{key}/{n}") for n in (1, 2))
    else:
        rule, dice = "SKI-33", (chance.die(20, f"SKI-33/test/{key}"),)
    value = getattr(log.state.combatants[who], attribute)
    found = tier(plugin, value, tuple(die.face for die in dice))
    event = ev.Tested(who, against, what, name, attribute, value, dice, found)  # type: ignore[arg-type]
    return found, log.emit(event, rule=rule, because=because)


def _hit(log: FightLog, chance: Chance, blow: Blow, hit: int, because: tuple[int, ...]) -> int:
    """Reaction, damage dice, Armor, sacrifice, damage (SKI-36, SKI-59, SKI-69, SKI-70).

    Returns the face of the weapon's own die; 0 if another die was rolled in its place.
    """
    state, target = log.state, log.state.combatants[blow.who]
    if blow.reaction == "parry":
        return _parry(log, chance, blow, because)
    hinders = blow.reaction in ("block", "dodge")
    if hinders:
        _pay(log, target, blow.reaction, because)
    rolled = roll_damage(
        chance,
        blow.weapons[0],
        blow.key,
        enhanced=_enhanced(state, blow),
        impaired=_impaired(state, blow) or hinders,
        settings=(state.settings.impair_mode, state.settings.enhance_mode),
    )
    victim, back = _countered(state, blow, rolled)
    event = _after_armor(state, blow, hit, rolled, victim, back=back)
    rule = "SKI-85" if back else "SKI-32"
    number = log.emit(event, rule=rule, because=(*because, *_reacted(state, blow)))
    left = max(0, event.damage - event.earlier)
    if not left or _sacrificed(log, blow, victim, left, (number,)):
        return rolled.own
    bare = state.free and state.ambush and victim.side == state.surprised  # SKI-05
    declared = state.now.declared.get(blow.by)
    damage.take(
        log, chance, victim.key, left, blow.key, (number,), weapon=blow.weapons[0], face=rolled.own, guarded=not bare,
        gentle=declared is not None and declared.gentle,
    )  # fmt: skip
    _count_kill(log, blow, victim, (number,))
    if not back:
        _traits(log, chance, blow, rolled.own, (number,))
    return rolled.own


def _reacted(state: State, blow: Blow) -> tuple[int, ...]:
    number = state.now.reacted.get(blow.key)
    return (number,) if number and blow.reaction != "defend" else ()


@dataclass(frozen=True, slots=True)
class Rolled:
    """Damage dice: the weapon's own (or the d4 in its place), what came on top, what was taken off, and the total."""

    roll: Roll
    enhanced: Roll | None
    impaired: Roll | None
    total: int
    own: int  # the face of the weapon's own die; 0 if another die stood in its place


def roll_damage(
    chance: Chance, weapon: Weapon, key: str, *, enhanced: bool, impaired: bool, settings: tuple[str, str]
) -> Rolled:
    """Rolls a weapon's damage; enhanced and impaired at once is neither (SKI-36, SKI-37)."""
    impair_mode, enhance_mode = settings
    if impaired and not enhanced and impair_mode == "flat_d4":
        roll = chance.die(4, f"SKI-37/impaired/{key}")
        return Rolled(roll, None, None, roll.face, 0)
    roll = chance.die(weapon.die, f"SKI-36/damage/{key}")
    if enhanced and not impaired:
        high = enhance_mode == "d12_high"
        more = chance.die(12 if high else 4, f"SKI-37/enhanced/{key}")
        return Rolled(roll, more, None, max(roll.face, more.face) if high else roll.face + more.face, roll.face)
    if impaired and not enhanced:
        less = chance.die(4, f"SKI-37/impaired/{key}")
        return Rolled(roll, None, less, max(0, roll.face - less.face), roll.face)
    return Rolled(roll, None, None, roll.face, roll.face)


def _enhanced(state: State, blow: Blow) -> bool:
    """Two weapons at once, a detachment against individuals, or the GM's word (SKI-37, SKI-46, SKI-50)."""
    by, who = state.combatants[blow.by], state.combatants[blow.who]
    return len(blow.weapons) > 1 or (by.detachment and not who.detachment) or by.odds == "enhanced"


def _impaired(state: State, blow: Blow) -> bool:
    """A hurt arm, prone, one against a detachment, smoke, cover, the GM's word (SKI-20, SKI-43, SKI-49)."""
    by, who = state.combatants[blow.by], state.combatants[blow.who]
    if by.arm_hurt or by.prone or by.odds == "impaired":
        return True
    if who.detachment and not is_blast(by, blow.weapons):
        return True
    if blow.weapons[0].melee and not blow.thrown:
        return False
    covered = state.zones[who.zone].cover and by.zone != who.zone
    return covered or not zones.clear_shot(state.zones, by.zone, who.zone)


def _countered(state: State, blow: Blow, rolled: Rolled) -> tuple[Combatant, bool]:
    """Whom it hits: the attacker himself if a Counter weapon turns it (SKI-85)."""
    target, by = state.combatants[blow.who], state.combatants[blow.by]
    if state.settings.weapon_traits == "on" and blow.weapons[0].melee and not blow.thrown:
        for thing in target.weapons:
            gear = thing.gear
            if isinstance(gear, Weapon) and target.skilled(gear) and 0 < rolled.own <= gear.counter:
                return by, True
    return target, False


def _after_armor(state: State, blow: Blow, hit: int, rolled: Rolled, victim: Combatant, *, back: bool) -> ev.Damage:
    """The damage left: tier 2 takes off Armor, tier 3 does not; then the weapon's traits (SKI-32, SKI-85)."""
    weapon, total, bonus = blow.weapons[0], rolled.total, 0
    armor = victim.armor if hit == 2 else 0
    if state.settings.weapon_traits == "on" and state.combatants[blow.by].skilled(weapon):
        bonus = weapon.magic + (weapon.type == "slashing" and victim.armor == 0)
        if weapon.type == "piercing" and rolled.own == weapon.die:
            armor = 0
        armor = max(0, armor - weapon.heavy - (weapon.type == "bludgeoning"))
        if 0 < rolled.own <= weapon.heavy:
            total, bonus = 0, 0
    left = max(0, total + bonus - armor)
    key = f"{state.now.group}/{victim.key}"
    same = state.settings.multi_attack == "highest" and blow.what == "attack"
    return ev.Damage(
        blow.by, victim.key, blow.name, rolled.roll, rolled.enhanced, rolled.impaired, bonus, total, armor, left,
        earlier=state.now.best.get(key, 0) if same else 0, back=back,
    )  # fmt: skip


def _sacrificed(log: FightLog, blow: Blow, who: Combatant, left: int, because: tuple[int, ...]) -> bool:
    """Whether a thing is given up for the blow, by its owner's standing orders (SKI-59 to SKI-61)."""
    declared = log.state.now.declared.get(who.key)
    orders = declared.sacrifice if declared is not None else ()
    through = left if log.state.free and log.state.ambush and who.side == log.state.surprised else left - who.hp
    wanted = {"any": True, "mgt": through > 0, "lethal": through >= (who.wil if who.detachment else who.mgt)}
    fit = {thing.key: thing for thing in legal.sacrifices(who, special=any(w.special for w in blow.weapons))}
    called = [key for key, order in orders if wanted.get(order)]
    key = next((key for key in called if key in fit), "")
    if not key:
        _no_use(log, who, called, because)
        return False
    number = log.emit(ev.Item(who.key, key, fit[key].gear.name, "sacrificed"), rule="SKI-59", because=because)
    if who.hp:
        damage.change(log, who.key, "hp", 0, "SKI-59", (number,))
    return True


def _no_use(log: FightLog, who: Combatant, called: Sequence[str], because: tuple[int, ...]) -> None:
    """Tells which thing that is left does not help although its order called for it (SKI-60, SKI-61)."""
    thing = next((t for t in who.things if t.key in called and t.held != "gone"), None)
    if thing is not None:
        why: Literal["special", "gone"] = "special" if thing.at_hand or thing.held == "worn" else "gone"
        event = ev.Foiled(who.key, "sacrifice", why, name=thing.gear.name)
        log.emit(event, rule="SKI-60" if why == "special" else "SKI-61", because=because)


def _pay(log: FightLog, who: Combatant, reaction: Reaction, because: tuple[int, ...]) -> None:
    """The Fatigue of a reaction, with `reaction_scope = per_turn` once a turn (SKI-63, SKI-69)."""
    once = log.state.settings.reaction_scope == "per_turn" and who.key in log.state.now.paid
    if legal.cost(who, reaction) and not once:
        damage.tire(log, who.key, because)


def _parry(log: FightLog, chance: Chance, blow: Blow, because: tuple[int, ...]) -> int:
    """Both roll for damage; the lower one takes the other's roll straight to MGT (SKI-70). Returns as `_hit` does."""
    state = log.state
    who = state.combatants[blow.who]
    mine = legal.usual_arm(who).weapon
    modes = (state.settings.impair_mode, state.settings.enhance_mode)
    attacking = roll_damage(
        chance, blow.weapons[0], blow.key, enhanced=_enhanced(state, blow), impaired=_impaired(state, blow),
        settings=modes,
    )  # fmt: skip
    defending = roll_damage(
        chance, mine, f"parry/{blow.key}", enhanced=who.odds == "enhanced",
        impaired=who.arm_hurt or who.odds == "impaired", settings=modes,
    )  # fmt: skip
    a, d = attacking.total, defending.total
    loser = "" if a == d else blow.by if d > a else blow.who
    armor = state.combatants[loser].armor if loser and state.settings.parry_armor == "on" else 0
    left = max(0, max(a, d) - armor) if loser else 0
    dice = tuple(
        die for one in (attacking, defending) for die in (one.roll, one.enhanced, one.impaired) if die is not None
    )
    number = log.emit(
        ev.Parried(blow.by, blow.who, a, d, dice, loser, left),
        rule="SKI-70",
        because=(*because, *_reacted(state, blow)),
    )
    if left:
        part: ev.Stat = "wil" if state.combatants[loser].detachment else "mgt"
        damage.take(log, chance, loser, left, f"parry/{blow.key}", (number,), part=part, save=False)
        winner = blow.who if loser == blow.by else blow.by
        weapon = mine if winner == blow.who else blow.weapons[0]
        _count_kill(log, Blow(winner, loser, (weapon,)), state.combatants[loser], (number,))
    return attacking.own


def _riposte(log: FightLog, chance: Chance, blow: Blow, because: tuple[int, ...]) -> None:
    """Whoever fights back attacks the attacker, who only Defends; the Fatigue comes just before (SKI-66)."""
    who, by = log.state.combatants[blow.who], log.state.combatants[blow.by]
    if not (who.able and by.able):
        return  # what became of them has been told
    because = (*because, *_reacted(log.state, blow))
    arm = legal.riposte(log.state, who, by, melee=blow.weapons[0].melee and not blow.thrown)
    if arm is None or who.slots_used >= _slots(log.state, who):
        foiled(log, who.key, "fight", "slots" if arm else "reach", by.key, because)
        return
    _pay(log, who, "fight", because)
    back = Blow(blow.who, blow.by, (arm.weapon,), "riposte", thrown=arm.thrown, things=arm.things)
    attack(log, chance, back, because)


def _slots(state: State, who: Combatant) -> int:
    """All slots, for the Fatigue of a reaction: one more where it is paid for already (SKI-63, SKI-71)."""
    paid = state.settings.reaction_scope == "per_turn" and who.key in state.now.paid
    return state.settings.slots + paid


def _count_kill(log: FightLog, blow: Blow, victim: Combatant, because: tuple[int, ...]) -> None:
    """A player's character who fells somebody learns the weapon (SKI-85)."""
    by, weapon = log.state.combatants[blow.by], blow.weapons[0]
    fell = victim.status in ("dead", "out", "destroyed", "routed", "paralysed", "broken")
    if by.pc and fell and victim is not by and not weapon.spell and weapon.id != UNARMED.id:
        log.emit(ev.Felled(blow.by, weapon.id), rule="SKI-85", because=because)


def _traits(log: FightLog, chance: Chance, blow: Blow, face: int, because: tuple[int, ...]) -> None:
    """Push, Shock, Bleed and Sweep of a weapon whose wielder knows it (SKI-85)."""
    state, weapon = log.state, blow.weapons[0]
    by, who = state.combatants[blow.by], state.combatants[blow.who]
    if state.settings.weapon_traits != "on" or not by.skilled(weapon) or not face:
        return
    for trait in ("push", "shock", "bleed"):
        most: int = getattr(weapon, trait)
        if most and face >= most and who.able:
            log.emit(ev.Struck(blow.who, blow.by, trait), rule="SKI-85", because=because)  # type: ignore[arg-type]
    if weapon.sweep and face >= weapon.sweep and blow.what == "attack" and by.able and not blow.thrown:
        others = [c for c in state.enemies(by) if c.key != blow.who and zones.range_of(state, by, c) == "close"]
        if others:
            standing = reaction_of(log, others[0], by, (weapon,))
            attack(log, chance, Blow(blow.by, others[0].key, (weapon,), "sweep", standing), because)


def reaction_of(
    log: FightLog,
    target: Combatant,
    by: Combatant,
    weapons: Sequence[Weapon],
    sealed: ev.Reacted | None = None,
    *,
    thrown: bool = False,
) -> Reaction:
    """Returns the sealed reaction, else the standing one; Defend, and the log says why, if it cannot be done now
    (SKI-29, SKI-65)."""
    state = log.state
    declared = state.now.declared.get(target.key)  # None: surprised, or came in after the reveal (SKI-04)
    wanted = sealed.reaction if sealed else declared.react if declared else "defend"
    why = legal.hindrance(state, target, by, weapons, wanted, _slots(state, target), thrown=thrown)
    if not why:
        return wanted
    number = state.now.reacted[sealed.attack] if sealed else state.now.told[target.key]
    foiled(log, target.key, wanted, why, by.key, (number,))
    return "defend"


def foiled(log: FightLog, who: str, reaction: Reaction, why: ev.Hindrance, by: str, because: tuple[int, ...]) -> None:
    """Tells that a reaction is not possible after all (SKI-63 to SKI-71)."""
    rules = {"prone": "SKI-64", "stunned": "SKI-64", "spell": "SKI-82", "slots": "SKI-71", "surprised": "SKI-04"}
    own = {"fight": "SKI-66", "block": "SKI-67", "dodge": "SKI-68", "parry": "SKI-70", "defend": "SKI-65"}
    log.emit(ev.Foiled(who, reaction, why, by), rule=rules.get(why, own[reaction]), because=because)  # type: ignore[arg-type]


def _use_up(log: FightLog, blow: Blow, thing: Possession, face: int, because: tuple[int, ...]) -> None:
    """What becomes of a weapon when its attack is done, before anybody strikes back: what is thrown lies there or is
    lost, improvised ones break, shots have to be readied anew (SKI-45, SKI-83, SKI-84)."""
    gear, name = thing.gear, thing.gear.name
    if not isinstance(gear, Weapon) or thing.held == "gone":
        return
    if blow.thrown:
        lost = face == 1
        zone = "" if lost else log.state.combatants[blow.who].zone
        what: Literal["lost", "thrown"] = "lost" if lost else "thrown"
        log.emit(ev.Item(blow.by, thing.key, name, what, zone), rule="SKI-84", because=because)
    elif gear.breaks:
        log.emit(ev.Item(blow.by, thing.key, name, "broke"), rule="SKI-45", because=because)
    elif gear.ready:
        log.emit(ev.Item(blow.by, thing.key, name, "spent"), rule="SKI-83", because=because)
