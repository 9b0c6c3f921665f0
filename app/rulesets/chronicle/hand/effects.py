"""The effects of a round: parts named, wounds, conditions, penalties, weakening, departures (steps R9 and R10)."""

from typing import Any

from app.engine.chance import Chance, Roll
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.actions import ACTIONS, LASTS, LIMBS_AND_HEAD, action_rule
from app.rulesets.chronicle.hand.standing import Standing
from app.rulesets.chronicle.hand.state import OTHER, Fight, Grip, Order
from app.rulesets.chronicle.wounds import PARTS, Wounds, add_major, add_minor

SUFFERS = ("left_leg", "right_leg", "left_arm", "right_arm", "body", "head")  # the default parts for a victim's choice


def in_actor_order(fight: Fight) -> list[Order]:
    return [fight.orders[key] for key in fight.fighters if key in fight.orders]


def wild(log: ev.FightLog, chance: Chance) -> None:
    """Rolls the dice of every strong Vicious Attack, in actor order: severity and part (CHR-ACT-06, -07)."""
    fight = log.state.fight
    for order in in_actor_order(fight):
        if order.action == "vicious" and order.strong:
            label = f"CHR-ACT-07/r{fight.round}/{order.who}>{order.target}"
            how_bad, where = chance.die(6, f"{label}/severity"), chance.die(6, f"{label}/part")
            severity = "minors" if how_bad.face <= 4 else "major"
            part = PARTS[where.face - 1]
            event = ev.Wild(fight[order.who].combat, order.who, order.target, severity, part, (how_bad, where))
            log.emit(event, rule="CHR-ACT-07", because=(order.cause,))
    if protectors(fight):
        log.emit(ev.Stage("protect"), rule="CHR-ACT-02")
    elif pickers(fight):
        log.emit(ev.Stage("pick"), rule="CHR-ACT-12")
    else:
        log.emit(ev.Stage("mercy"), rule="CHR-ACT-36")


# Parts of the body: who names one, and the default.


def protectors(fight: Fight) -> list[Order]:
    """Strong Quick Attacks, whose victims protect a part (CHR-ACT-02)."""
    return [order for order in in_actor_order(fight) if order.action == "quick" and order.strong]


def pickers(fight: Fight) -> list[tuple[str, Order]]:
    """Who names the part that is hit: the attacker, or the victim of a weak Quick Attack (CHR-ACT-02, -03, -12)."""
    found = []
    for order in in_actor_order(fight):
        if order.action == "quick" and order.strong is not None:
            found.append((order.who if order.strong else order.target, order))
        elif order.action == "controlled" and order.strong:
            found.append((order.who, order))
    return found


def parts(fight: Fight, order: Order) -> list[str]:
    """The parts that may be named, in die order; none for a weak Quick Attack if all have a Major (CHR-ACT-04)."""
    if order.action == "quick" and order.strong:
        return [part for part in PARTS if part != order.protect]
    if order.action == "quick":
        return [part for part in PARTS if not fight[order.target].wounds.of(part).major]
    return list(PARTS)


def usual_part(fight: Fight, stand: Standing, order: Order) -> str:
    """The part that is hit by default (step R9c)."""
    found = parts(fight, order)
    wish = stand.suffer if order.action == "quick" and not order.strong else stand.strike
    if wish in found:
        return wish
    if order.action == "controlled":
        arm = fight.weapon_arm(order.target)
        return f"{arm}_arm" if arm else "right_arm"
    if order.strong:
        return "head" if "head" in found else "body"
    wounds = fight[order.target].wounds
    return min((part for part in SUFFERS if part in found), key=lambda part: wounds.of(part).minor, default="")


def surrendering(fight: Fight) -> list[str]:
    return [key for key in fight.fighters if key in fight.orders and fight.orders[key].surrender]


# The end of the round, in the order of step R10.


def close(log: ev.FightLog, chance: Chance) -> None:
    """Carries out all effects of the round, in order (CHR-RND-08, CHR-RND-10)."""
    for order in in_actor_order(log.state.fight):
        _wound(log, order, chance)
    let_go = _lift(log)
    _inflict(log, let_go)
    _penalise(log)
    _expire(log)
    _weaken(log)
    _lose_grips(log)
    _fall(log)
    end_combats(log)


def end_combats(log: ev.FightLog) -> None:
    """Ends each combat in which a side no longer defends, or no one can act (CHR-MUL-09)."""
    fight = log.state.fight
    for combat in list(fight.combats):
        able = [side for side in OTHER if any(fight.able(key) for key in combat.of(side))]
        defending = [side for side in OTHER if any(fight.defends(key) for key in combat.of(side))]
        if len(defending) < 2 or not able:
            log.emit(ev.CombatOver(combat.number, able[0] if len(able) == 1 else ""), rule="CHR-MUL-09")


def _wound(log: ev.FightLog, order: Order, chance: Chance) -> None:
    """The wounds of one action; "already has a Major" is checked now (CHR-WND-14)."""
    if order.strong is None or not order.part:
        return
    if order.action == "quick":
        _minor(log, order, order.part, "CHR-ACT-02" if order.strong else "CHR-ACT-03")
    elif order.action == "controlled" and order.strong:
        _major(log, order, chance, "CHR-ACT-12", "CHR-ACT-13")
    elif order.action == "vicious" and order.strong:
        if order.severity == "major":
            _major(log, order, chance, "CHR-ACT-06", "CHR-ACT-08")
        elif log.state.fight[order.target].wounds.of(order.part).major:
            _instead(log, order, chance, "CHR-ACT-08")
        else:
            _minor(log, order, order.part, "CHR-ACT-06")
            _minor(log, order, order.part, "CHR-ACT-06")


def _major(log: ev.FightLog, order: Order, chance: Chance, rule: str, instead: str) -> None:
    before = log.state.fight[order.target].wounds
    if before.of(order.part).major:
        _instead(log, order, chance, instead)
        return
    _tell_wound(log, order, order.part, "major", add_major(before, order.part), rule)


def _instead(log: ev.FightLog, order: Order, chance: Chance, rule: str) -> None:
    """The part has a Major already: a part beside it takes one Minor (CHR-ACT-08, -09)."""
    if order.part != "body":
        _minor(log, order, "body", rule, instead=order.part)
        return
    label = f"CHR-ACT-09/r{log.state.fight.round}/{order.who}>{order.target}"
    part, roll = chance.pick(LIMBS_AND_HEAD, label)
    _minor(log, order, part, rule, instead="body", roll=roll)


def _minor(log: ev.FightLog, order: Order, part: str, rule: str, instead: str = "", roll: Roll | None = None) -> None:
    after = add_minor(log.state.fight[order.target].wounds, part)
    _tell_wound(log, order, part, "minor", after, rule, instead, roll)


def _tell_wound(
    log: ev.FightLog,
    order: Order,
    part: str,
    wound: Any,
    after: Wounds,
    rule: str,
    instead: str = "",
    roll: Roll | None = None,
) -> None:
    victim = log.state.fight[order.target]
    turned = wound == "minor" and after.of(part).major and not victim.wounds.of(part).major
    event = ev.Wounded(victim.combat, victim.key, order.who, part, wound, instead, turned, after, roll)
    log.emit(event, rule="CHR-WND-02" if turned else rule, because=(order.cause,))


def _lift(log: ev.FightLog) -> list[Grip]:
    """Ends conditions that were ended on purpose (CHR-RND-10); returns the grips that were let go."""
    fight = log.state.fight
    let_go: list[Grip] = []
    for order in in_actor_order(fight):
        who, combat = order.who, fight[order.who].combat
        if order.action == "stand":
            log.emit(ev.Condition(combat, who, "prone", False), rule="CHR-ACT-28", because=(order.number,))
        if order.action in ("break-hold", "break-tackle") and order.strong:
            what = "held" if order.action == "break-hold" else "tackled"
            event = ev.Condition(combat, who, what, False, order.target, why="broken")
            log.emit(event, rule=action_rule(order.action), because=(order.cause,))
            if what == "tackled" and fight.settings.tackle_break_leaves_prone == "on":
                prone = ev.Condition(combat, who, "prone", True, order.target)
                log.emit(prone, rule="CHR-ACT-30", because=(order.cause,))
        for grip in [g for g in fight.grips_by(who) if g.victim in order.release]:
            event = ev.Condition(combat, grip.victim, grip.kind, False, who, why="let go")
            log.emit(event, rule="CHR-CND-09", because=(order.number,))
            let_go.append(grip)
    return let_go


def _inflict(log: ev.FightLog, let_go: list[Grip]) -> None:
    """Starts new conditions, PRONE, HELD, TACKLED, and changes items in hands (CHR-ACT-16, -21, -26, -33, -34)."""
    fight = log.state.fight
    for grip in let_go:
        if grip.kind == "tackled":
            _prone(log, grip.victim, grip.holder, "CHR-CND-05")
    for order in in_actor_order(fight):
        combat = fight[order.who].combat
        if order.action == "trip" and order.strong:
            event = ev.Condition(combat, order.target, "prone", True, order.who)
            log.emit(event, rule="CHR-ACT-26", because=(order.cause,))
        elif order.action in ("hold", "tackle") and order.strong:
            arm = fight.free_hand(order.who)
            if arm and fight.able(order.who) and fight.distance(order.who, order.target) <= 1:
                what = "held" if order.action == "hold" else "tackled"
                event = ev.Condition(combat, order.target, what, True, order.who, arm)
                log.emit(event, rule="CHR-ACT-21" if what == "held" else "CHR-ACT-16", because=(order.cause,))
        elif order.action == "ready":
            _ready(log, order)


def _prone(log: ev.FightLog, victim: str, by: str, rule: str) -> None:
    """PRONE after a Tackle that ended, unless another Tackle still holds the victim."""
    if not log.state.fight.tackled(victim):
        log.emit(ev.Condition(log.state.fight[victim].combat, victim, "prone", True, by), rule=rule)


def _ready(log: ev.FightLog, order: Order) -> None:
    """Takes one item out of a hand, and one in, also from the other hand (CHR-ACT-34)."""
    one = log.state.fight[order.who]
    arm = "left" if order.into == "left" else "right"
    if not one.arm_able(arm) or log.state.fight.busy(one.key, arm):
        return  # the arm was lost in the meantime
    hands = {"left": one.left, "right": one.right}
    carried, out = list(one.carried), hands[arm]
    hands[arm] = order.item
    if order.item in carried:
        carried.remove(order.item)
    elif order.item:
        hands["left" if arm == "right" else "right"] = ""
    if out:
        carried.append(out)
    event = ev.Hands(one.key, hands["right"], hands["left"], tuple(carried), tuple(one.lost))
    log.emit(event, rule="CHR-ACT-34", because=(order.number,))


_OWN_RULES = {"quick": "CHR-ACT-03", "vicious": "CHR-ACT-10", "controlled": "CHR-ACT-14", "tackle": "CHR-ACT-17"}


def _penalise(log: ev.FightLog) -> None:
    """Starts penalties; from the same action by several in one round, a victim takes only the largest (CHR-RND-13)."""
    fight = log.state.fight
    worst: dict[tuple[str, str], Order] = {}
    for order in in_actor_order(fight):
        made = ACTIONS.get(order.action)
        if made is None or order.strong is None:
            continue
        if made.own and not order.strong:
            _penalty(log, order, order.who, (), made.own, _OWN_RULES[made.key])
        if made.hits and _amount(order):
            known = worst.get((order.target, made.key))
            if known is None or _amount(order) < _amount(known):
                worst[order.target, made.key] = order
    for order in worst.values():
        made = ACTIONS[order.action]
        _penalty(
            log, order, order.target, made.hits, _amount(order), "CHR-ACT-17" if made.key == "tackle" else made.rule
        )


def _amount(order: Order) -> int:
    return ACTIONS[order.action].strong if order.strong else ACTIONS[order.action].weak


def _penalty(log: ev.FightLog, order: Order, who: str, on: Any, amount: int, rule: str) -> None:
    fight = log.state.fight
    event = ev.Penalised(fight[who].combat, who, order.action, on, amount, fight.round + LASTS)
    log.emit(event, rule=rule, because=(order.cause,))


def _expire(log: ev.FightLog) -> None:
    """Ends penalties that were in force for two rounds (CHR-RND-11)."""
    fight = log.state.fight
    for one in fight.fighters.values():
        for since in sorted({p.since for p in one.penalties if p.since + LASTS <= fight.round}):
            log.emit(ev.Expired(one.key, since), rule="CHR-RND-11")


def _weaken(log: ev.FightLog) -> None:
    """After every even round, everyone in a combat defends worse for the rest of the scene (CHR-DEF-14, -16)."""
    fight = log.state.fight
    if fight.round % 2:
        return
    for one in fight.fighters.values():
        if one.here and one.combat:
            log.emit(ev.Weakened(one.key, one.weakening + 1), rule="CHR-DEF-14")


def _lose_grips(log: ev.FightLog) -> None:
    """Ends grips by distance or by loss of the gripping hand (CHR-CND-03, -05, -10, CHR-WND-16)."""
    fight = log.state.fight
    for grip in list(fight.grips):
        lost = not fight[grip.holder].arm_able(grip.arm) or not fight.able(grip.holder)
        if not lost and fight.distance(grip.holder, grip.victim) <= 1:
            continue
        rule = "CHR-WND-16" if lost else "CHR-CND-03" if grip.kind == "held" else "CHR-CND-05"
        why = "the hand is lost" if lost else "too far"
        event = ev.Condition(fight[grip.victim].combat, grip.victim, grip.kind, False, grip.holder, why=why)
        log.emit(event, rule=rule)
        if grip.kind == "tackled":
            _prone(log, grip.victim, grip.holder, "CHR-CND-05")


def _fall(log: ev.FightLog) -> None:
    """Deaths, surrenders, flights (CHR-WND-09, CHR-ACT-35, -36)."""
    orders = in_actor_order(log.state.fight)
    for order in orders:
        if order.action == "kill" and log.state.fight[order.target].here:
            leave(log, order.target, "dead", "CHR-WND-09", by=order.who, because=(order.number,))
    for order in orders:
        if not log.state.fight[order.who].here:
            continue
        if order.surrender and not order.refused:
            leave(log, order.who, "surrendered", "CHR-ACT-36", because=(order.number,))
        elif order.action == "flee":
            leave(log, order.who, "fled", "CHR-ACT-35", because=(order.number,))


def leave(
    log: ev.FightLog, who: str, why: Any, rule: str, by: str = "", because: tuple[int, ...] = (), reason: str = ""
) -> None:
    """Removes a fighter from the scene; their victims are free, or PRONE after a Tackle (CHR-CND-05)."""
    fight = log.state.fight
    for grip in list(fight.grips_by(who)):
        event = ev.Condition(fight[grip.victim].combat, grip.victim, grip.kind, False, who, why="gone")
        log.emit(event, rule="CHR-CND-03" if grip.kind == "held" else "CHR-CND-05")
        if grip.kind == "tackled":
            _prone(log, grip.victim, who, "CHR-CND-05")
    log.emit(ev.Gone(fight[who].combat, who, why, by, reason), rule=rule, because=because)
