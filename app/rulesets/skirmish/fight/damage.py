"""What a blow does: HP, then MGT or a detachment's WIL, the critical save, injuries (SKI-38 to SKI-43, SKI-52)."""

from app.engine.chance import Chance, Roll
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight.declarations import Attribute
from app.rulesets.skirmish.fight.odds import saved
from app.rulesets.skirmish.fight.state import Combatant, FightLog, Possession
from app.rulesets.skirmish.sheet.gear import UNARMED, Weapon

Place = tuple[str, ...]

PLACES = ("torso",) * 5 + ("left leg", "right leg", "left arm", "right arm", "head")  # by the d10 (table 3.6)
ENDS: dict[Attribute, ev.Status] = {"mgt": "dead", "agi": "paralysed", "wil": "broken"}  # SKI-41


def take(
    log: FightLog,
    chance: Chance,
    who: str,
    damage: int,
    blow: str,
    because: tuple[int, ...],
    *,
    weapon: Weapon | None = None,
    face: int = 0,
    part: ev.Stat = "hp",
    guarded: bool = True,
    save: bool = True,
    gentle: bool = False,
) -> None:
    """Damage to HP and what is left of it to MGT, or straight to another part.

    `guarded` is False where HP do not count (SKI-05), `save` where no critical save follows (SKI-19, SKI-70). `weapon`
    and `face`, its die, are those of the blow; a `gentle` one knocks out instead of wounding (SKI-88).
    """
    c = log.state.combatants[who]
    if part == "hp" and guarded and damage and c.hp:
        spent = min(c.hp, damage)
        change(log, who, "hp", c.hp - spent, "SKI-38", because)
        damage -= spent
    if not damage:
        return
    lost: Attribute = part if part in ("agi", "wil") else "wil" if c.detachment else "mgt"
    left = max(0, getattr(c, lost) - damage)
    rule = "SKI-52" if c.detachment else "SKI-38" if part in ("hp", "mgt") else "SKI-19"
    changed = change(log, who, lost, left, rule, because)
    if not left:
        _end(log, who, lost, (changed,))
    elif save and lost == ("wil" if c.detachment else "mgt"):
        _critical(log, chance, c, lost, blow, (changed,), weapon, face, gentle or weapon is UNARMED)


def change(log: FightLog, who: str, part: ev.Stat, after: int, rule: str, because: tuple[int, ...]) -> int:
    """Tells a new number, and how somebody looks whose numbers are the GM's (SKI-39). Returns the event's number."""
    c = log.state.combatants[who]
    before, looked = getattr(c, part), c.health
    number = log.emit(ev.Changed(who, part, before, after, numbers=c.shown), rule=rule, because=because)
    if not c.shown and c.health != looked:
        log.emit(ev.LooksChanged(who, c.health), rule="SKI-39", because=because)
    return number


def fall(log: FightLog, who: str, status: ev.Status, rule: str, because: tuple[int, ...], reason: str = "") -> None:
    log.emit(ev.Fell(who, status, reason, log.state.combatants[who].hidden), rule=rule, because=because)


def _end(log: FightLog, who: str, part: Attribute, because: tuple[int, ...]) -> None:
    """An attribute at 0: dead, paralysed, broken; a detachment without WIL is destroyed (SKI-41, SKI-52)."""
    if part == "wil" and log.state.combatants[who].detachment:
        fall(log, who, "destroyed", "SKI-52", because)
    else:
        fall(log, who, ENDS[part], "SKI-41", because)


def _critical(
    log: FightLog,
    chance: Chance,
    c: Combatant,
    part: Attribute,
    blow: str,
    because: tuple[int, ...],
    weapon: Weapon | None,
    face: int,
    gentle: bool,
) -> None:
    """The critical damage save against what is left, and what follows if it fails (SKI-38, SKI-40, SKI-88)."""
    value = getattr(c, part)
    roll = chance.die(20, f"SKI-38/critical/{blow}")
    passed = saved(value, roll.face)
    rule = "SKI-52" if c.detachment else "SKI-38"
    number = log.emit(ev.Saved(c.key, "critical", part, value, roll, passed), rule=rule, because=because)
    if passed:
        return
    brutal = weapon is not None and weapon.brutal and log.state.settings.weapon_traits == "on"
    if c.detachment:
        fall(log, c.key, "routed", "SKI-52", (number,))
    elif gentle:
        fall(log, c.key, "out", "SKI-88", (number,))
    elif brutal and weapon is not None and face >= weapon.brutal:
        fall(log, c.key, "dead", "SKI-85", (number,))
    elif c.critical == "out":
        fall(log, c.key, "out", "SKI-40", (number,))
    else:
        _injure(log, chance, c, blow, (number,))


def _injure(log: FightLog, chance: Chance, c: Combatant, blow: str, because: tuple[int, ...]) -> None:
    """A severe wound by the table of injuries; its dice call for no other save (SKI-40, SKI-42, SKI-43)."""
    roll = chance.die(10, f"SKI-40/injury/{blow}")
    place = PLACES[roll.face - 1]
    more: Roll | None = None
    effect = ""
    if place in ("torso", "left leg", "right leg"):
        more = chance.die(4, f"SKI-42/loss/{blow}")
    elif place == "head":
        more = chance.die(6, f"SKI-40/head/{blow}")
        effect = "dead" if more.face <= 3 else "eye" if more.face <= 5 else "scar"
    number = log.emit(ev.Injured(c.key, place, roll, more, effect), rule="SKI-40", because=because)
    fill(log, c.key, (number,))
    if effect == "dead":
        fall(log, c.key, "dead", "SKI-40", (number,))
    elif more is not None and place != "head":
        part: Attribute = "mgt" if place == "torso" else "agi"
        left = max(0, getattr(c, part) - more.face)
        change(log, c.key, part, left, "SKI-42", (number,))
        if not left:
            _end(log, c.key, part, (number,))
    elif "arm" in place:
        _let_fall(log, c, "main" if place == "right arm" else "off", (number,))


def _let_fall(log: FightLog, c: Combatant, hand: str, because: tuple[int, ...]) -> None:
    """What a hurt arm held lies in the zone; a two-handed weapon falls with either arm (SKI-43)."""
    for thing in list(c.things):
        both = isinstance(thing.gear, Weapon) and thing.gear.two_handed and thing.held in ("main", "off")
        if thing.held == hand or both:
            drop(log, c, thing, "SKI-43", because)


def drop(log: FightLog, c: Combatant, thing: Possession, rule: str, because: tuple[int, ...]) -> None:
    log.emit(ev.Item(c.key, thing.key, thing.gear.name, "dropped", c.zone), rule=rule, because=because)


def tire(log: FightLog, who: str, because: tuple[int, ...]) -> None:
    """One Fatigue for a reaction (SKI-66 to SKI-69, SKI-71)."""
    c = log.state.combatants[who]
    full = c.slots_used + 1 >= log.state.settings.slots
    number = log.emit(ev.Tired(who, c.fatigue + 1, full), rule="SKI-71", because=because)
    fill(log, who, (number,))


def fill(log: FightLog, who: str, because: tuple[int, ...]) -> None:
    """When all slots are full, HP become 0 at once (SKI-71)."""
    c = log.state.combatants[who]
    if c.hp and c.able and c.slots_used >= log.state.settings.slots:
        change(log, who, "hp", 0, "SKI-71", because)
