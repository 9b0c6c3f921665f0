"""Moving between zones, provoked attacks, careful withdrawal and retreat (SKI-12 to SKI-18, SKI-78 to SKI-81)."""

from app.engine.chance import Chance
from app.rulesets.skirmish.fight import attacks, damage, legal, zones
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight.odds import saved
from app.rulesets.skirmish.fight.state import Combatant, FightLog, State


def move(log: FightLog, chance: Chance, who: Combatant, deed: ev.Deed, *, full: bool) -> None:
    """To a zone next door, or inside one's own; leaving enemies behind may provoke them (SKI-16, SKI-17)."""
    because = (log.state.now.acting,)
    if idle := legal.barred(log.state, who, deed.zone or who.zone, full=full):
        rule = {"room": "SKI-15", "slow": "SKI-20"}.get(idle, "SKI-16")
        log.emit(ev.Idle(who.key, deed.do, idle), rule=rule, because=because)
        return
    zone = deed.zone or who.zone
    if zone != who.zone and deed.do == "move":
        _provoke(log, chance, who, because)
        if not who.able:
            return  # who falls does not leave
    careful = deed.do == "withdraw"
    close = _beside(log.state, who, zone, deed.close)
    event = ev.Moved(who.key, who.zone, zone, close, "withdraw" if careful else "move")
    told = log.emit(event, rule="SKI-18" if careful else "SKI-16", because=because)
    if deed.close and not close:
        log.emit(ev.Foiled(who.key, "beside", "gone", deed.close), rule="SKI-12", because=(told,))


def _beside(state: State, who: Combatant, zone: str, close: str) -> str:
    """Whom one ends beside, if that one is still there (SKI-12)."""
    other = state.combatants.get(close)
    there = other is not None and other.able and not other.hidden and other.zone == zone and other.key != who.key
    return close if there else ""


def _provoke(log: FightLog, chance: Chance, who: Combatant, because: tuple[int, ...]) -> None:
    """A quick attack by the first enemy in the zone, or by each of them: d4 less Armor, without a Test (SKI-17)."""
    state = log.state
    there = [c for c in state.enemies(who) if c.zone == who.zone]
    some = {"one": there[:1], "each": there, "off": []}[state.settings.provoke]
    for by in some:
        if who.able:
            roll = chance.die(4, f"SKI-17/provoked/{by.key}>{who.key}")
            left = max(0, roll.face - who.armor)
            number = log.emit(ev.Provoked(by.key, who.key, roll, who.armor, left), rule="SKI-17", because=because)
            damage.take(log, chance, who.key, left, f"provoked/{by.key}>{who.key}", (number,))


def retreat(log: FightLog, chance: Chance, who: Combatant, deed: ev.Deed, *, full: bool) -> None:
    """An AGI save to leave the fight; if it fails, enemies beside strike, or the fight moves (SKI-79, SKI-80)."""
    because = (log.state.now.acting,)
    if log.state.zones[who.zone].trapped:
        log.emit(ev.Idle(who.key, "retreat", "trapped"), rule="SKI-79", because=because)
        return
    beside = zones.close_enemies(log.state, who)
    if beside and not full:
        event, rule = ev.Saved(who.key, "retreat", "agi", who.agi, None, passed=False), "SKI-81"
    else:
        roll = chance.die(20, f"SKI-79/retreat/{who.key}")
        passed = saved(who.agi, roll.face) and not who.shocked
        event, rule = ev.Saved(who.key, "retreat", "agi", who.agi, roll, passed), "SKI-79"
    number = log.emit(event, rule=rule, because=because)
    if event.passed:
        damage.fall(log, who.key, "escaped", "SKI-79", (number,))
    elif beside:
        _cut_down(log, chance, who, beside, (number,))
    else:
        _follow(log, who, deed.zone, (number,))


def _cut_down(log: FightLog, chance: Chance, who: Combatant, beside: list[Combatant], because: tuple[int, ...]) -> None:
    """One ordinary attack by every enemy beside, against which he only Defends (SKI-80)."""
    for by in beside:
        if by.able and who.able:
            arm = legal.usual_arm(by)
            blow = attacks.Blow(by.key, who.key, (arm.weapon,), "retreat", things=arm.things)
            attacks.attack(log, chance, blow, because)


def _follow(log: FightLog, who: Combatant, zone: str, because: tuple[int, ...]) -> None:
    """The fight moves: he is in the zone he made for, if it has room (SKI-80)."""
    ways = zones.neighbours(log.state.zones, who.zone)
    to = zone if zone in ways else ways[0] if ways else ""
    if to and zones.has_room(log.state, to, who):
        log.emit(ev.Moved(who.key, who.zone, to, "", "retreat"), rule="SKI-80", because=because)
    else:
        log.emit(ev.Idle(who.key, "retreat", "room" if to else "way"), rule="SKI-80", because=because)
