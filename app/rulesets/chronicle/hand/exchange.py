"""Orders are opened, defences chosen, checks rolled, and the moves that follow begin (steps R5 to R8)."""

from collections.abc import Mapping
from typing import Any

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.ruleset import Answer, Answers, Ask, Faults, Phase, Seat, Step
from app.rulesets.chronicle.checks import check
from app.rulesets.chronicle.hand import asks, defences, legal, ratings
from app.rulesets.chronicle.hand import declarations as de
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.actions import ACTIONS, Defence, action_rule
from app.rulesets.chronicle.hand.asks import NOT_YOURS, Of
from app.rulesets.chronicle.hand.grid import Square, read, spell
from app.rulesets.chronicle.hand.state import Arm, Fight, Fighter, Move, Order, State
from app.rulesets.chronicle.hand.view import View

CROWDED_OUT = "Another takes the square: dodge elsewhere with"
WAIT = de.OrderSaid()
DEFENCES = Phase(words="Defences", steps=("defend", "dodge"), default="use their usual defence")


def _acting(state: State) -> Step:
    about = {key: [key] for key in state.fight.fighters if legal.acts(state.fight, key)}
    return asks.step(state.fight, "act", "Actions", asks.by_seat(state.fight, "act", "Act with", about, late=True))


def _may_act(view: View, ask: Ask, says: de.Act) -> Faults:
    faults: Faults = {}
    for key, one in says.of.items():
        if key not in view.mine or not legal.acts(view.fight, key):
            faults[f"of.{key[:60]}.action"] = "This fighter is not yours, or has nothing to decide now."
            continue
        for name, reason in _faults_of(view.fight, key, one).items():
            faults[f"of.{key}.{name}"] = reason
    return faults


def _faults_of(fight: Fight, key: str, one: de.OrderSaid) -> Faults:
    faults: Faults = {}
    fighter = fight[key]
    if any(arm not in ("left", "right") for arm in one.drop):
        faults["drop"] = "Choose the right or the left hand."
    if any(all(grip.victim != victim for grip in fight.grips_by(key)) for victim in one.release):
        faults["release"] = "You can only let go of someone you are holding."
    if one.uses and not fighter.holds(one.uses):
        faults["uses"] = "That hand is empty."
    if one.surrender:
        if one.action != "wait":
            faults["action"] = "You cannot act if you give up: choose Wait."
        return faults
    seen = legal.with_hands(fight, key, one.drop, one.grip or fighter.grip, one.uses or fighter.uses)
    target = "" if one.action in ("wait", "stand", "ready", "flee") else one.target
    if reason := legal.why_not(seen, key, one.action, target):
        wrong = "target" if target not in fight.fighters and one.action not in ("wait", "stand", "flee") else "action"
        faults[wrong] = reason
    elif one.action == "ready" and (reason := legal.why_not_ready(seen, key, one.item, one.into)):
        faults["item"] = reason
    return faults


def _opened(log: ev.FightLog, answers: Answers[de.Act], chance: Chance) -> None:
    """Opens all orders at once, in combatant order; dropped items fall now (CHR-RND-06, CHR-ACT-34)."""
    for one in list(log.state.fight.fighters.values()):
        if not legal.acts(log.state.fight, one.key):
            continue
        answer = answers.of.get(Seat(one.seat))
        says = answer.says.of.get(one.key, WAIT) if answer else WAIT
        _order(log, one, says, answer.how if answer else "default")
    log.emit(ev.Stage("defend"), rule="CHR-DEF-02")


def _order(log: ev.FightLog, one: Fighter, says: de.OrderSaid, how: str) -> None:
    fight = log.state.fight
    drop: tuple[Arm, ...] = tuple(arm for arm in ("left", "right") if arm in says.drop and one.holds(arm))
    seen = legal.with_hands(fight, one.key, drop, says.grip or one.grip, says.uses or one.uses)
    action, target = says.action, says.target if says.action not in ("wait", "stand", "ready", "flee") else ""
    spoiled = legal.why_not(seen, one.key, action, target)
    if not spoiled and action == "ready":
        spoiled = legal.why_not_ready(seen, one.key, says.item, says.into)
    if spoiled or says.surrender:
        action, target = "wait", ""  # a fighter who surrenders takes no other action (CHR-ACT-36)
    event = ev.Ordered(
        combat=one.combat,
        who=one.key,
        action=action,
        target=target,
        weapon=seen.weapon(one.key).key,
        grip=seen[one.key].grip,
        uses=seen[one.key].uses,
        release=tuple(key for key in says.release if any(g.victim == key for g in fight.grips_by(one.key))),
        drop=drop,
        item=says.item if action == "ready" else "",
        into=says.into if action == "ready" else "",
        surrender=says.surrender,
        how=how,
    )
    rule = "CHR-ACT-36" if says.surrender else "CHR-RND-14" if action == "wait" else "CHR-RND-06"
    number = log.emit(event, rule=rule)
    if drop:
        right, left = ("" if arm in drop else one.holds(arm) for arm in ("right", "left"))
        lost = (*one.lost, *(one.holds(arm) for arm in drop))
        log.emit(ev.Hands(one.key, right, left, tuple(one.carried), lost), rule="CHR-ACT-34", because=(number,))
    stand(log, one, says.stand)


def stand(log: ev.FightLog, one: Fighter, new: Any) -> None:
    """Stores standing choices that changed; only their owner sees them."""
    if new is not None and new != log.state.stands(one.key):
        log.emit(ev.Stood(one.key, one.seat, new), rule="CHR-FLO-06")


ACT: Of[de.Act] = Decision(
    de.Act,
    step=_acting,
    resolve=_opened,
    phase=Phase(words="Actions", steps=("act",), default="follow their standing choice"),
    check=_may_act,
    words={"Act with <name>": "Choose an action for <name>"},
)


def _attacked(state: State) -> Step:
    fight = state.fight
    about = {
        key: [f"{order.who}:{key}" for order in attacks]
        for key in fight.fighters
        if (attacks := legal.attacks_on(fight, key)) and not fight.helpless(key)
    }
    open_still = {key: ids for key, ids in about.items() if not defences.settled(fight, state.stands(key), key)}
    return asks.step(fight, "defend", "Defences", asks.by_seat(fight, "defend", "Defend", open_still), "react")


def _victims(ask: Ask) -> list[str]:
    return list(dict.fromkeys(about.partition(":")[2] for about in ask.about))


def _may_defend(view: View, ask: Ask, says: de.Defend) -> Faults:
    faults: Faults = {}
    for key in says.of:
        if key not in _victims(ask):
            faults[f"of.{key[:60]}.square"] = NOT_YOURS
    for key in _victims(ask):
        one = says.of.get(key)
        if one is None:
            continue  # defends by the rules' default
        usual, _ = defences.usual(view.fight, view.stand[key], key)
        how: dict[str, Defence] = {**usual, **one.how}
        for attacker, reason in legal.faults_of(view.fight, key, how, read(one.square)).items():
            faults[f"of.{key}.how.{attacker}" if attacker else f"of.{key}.square"] = reason
    return faults


def _usual(view: View, ask: Ask) -> de.Defend:
    usual = {key: view.usual(key) for key in _victims(ask)}
    return de.Defend(of={key: de.Defending(how=how, square=_spelled(to)) for key, (how, to) in usual.items()})


def _spelled(square: Square | None) -> str:
    return spell(square) if square else ""


def _met(log: ev.FightLog, answers: Answers[de.Defend], chance: Chance) -> None:
    """Opens the defences against every action with a target, all at once (CHR-DEF-02)."""
    for one in list(log.state.fight.fighters.values()):
        attacks = legal.attacks_on(log.state.fight, one.key)
        if not attacks:
            continue
        answer = answers.of.get(Seat(one.seat))
        how, square, came = _defending(log.state, one.key, answer)
        _defend(log, one, attacks, how, square, came)
    _settle_squares(log)
    if not log.state.fight.contested:
        _check_all(log, chance)


def _defending(
    state: State, key: str, answer: Answer[de.Defend] | None
) -> tuple[dict[str, Defence], Square | None, str]:
    """A fighter's answer if it is still legal, else the default defences."""
    fight, stand = state.fight, state.stands(key)
    says = answer.says.of.get(key) if answer else None
    if says is None or answer is None:
        return *defences.usual(fight, stand, key), answer.how if answer else "standing"
    how, square = dict(says.how), read(says.square)
    if any(order.who not in how for order in legal.attacks_on(fight, key)):
        how = {**defences.usual(fight, stand, key)[0], **how}
    if legal.faults_of(fight, key, how, square):
        return *defences.usual(fight, stand, key), "default"
    return how, square, answer.how


def _defend(
    log: ev.FightLog, one: Fighter, attacks: list[Order], how: Mapping[str, Defence], square: Square | None, came: str
) -> None:
    for order in attacks:
        if log.state.fight.helpless(one.key):
            continue  # CHR-WND-12
        met_by = how.get(order.who, "none")
        to = square if met_by == "dodge" else None
        event = ev.Defended(one.combat, one.key, order.who, met_by, to, came)
        log.emit(event, rule="CHR-DEF-17" if met_by == "none" else "CHR-DEF-01", because=(order.cause,))


def _settle_squares(log: ev.FightLog) -> None:
    """Contested squares: all dodgers but one have to choose again (CHR-DEF-07)."""
    yields: list[str] = []
    for square, keys in defences.losers(log.state.fight).items():
        log.emit(ev.Contested(square, keys[0], tuple(keys[1:])), rule="CHR-DEF-07")
        yields += keys[1:]
    if not yields:
        return
    order = list(log.state.fight.fighters)
    log.emit(ev.Stage("dodge", contested=tuple(sorted(yields, key=order.index))), rule="CHR-DEF-07")


DEFEND: Of[de.Defend] = Decision(
    de.Defend,
    step=_attacked,
    resolve=_met,
    phase=DEFENCES,
    check=_may_defend,
    default=_usual,
    words={"Defend <name>": "Choose a defence for <name>"},
)


def _crowded_out(state: State) -> Step:
    fight, asked = state.fight, tuple[Ask, ...]()
    key = fight.contested[0] if fight.contested else ""
    if key and state.stands(key).contest == "ask":
        asked = asks.aloud(fight[key].seat, "dodge", f"{CROWDED_OUT} {fight[key].name}", key)
    return asks.step(fight, f"dodge/{key or 'all'}", "A square for two", asked, "react")


def _may_dodge(view: View, ask: Ask, says: de.Dodge) -> Faults:
    key = ask.about[0]
    seen = defences.again(view.fight, key)
    kept: dict[str, Defence] = {
        order.who: order.defence or "none" for order in legal.attacks_on(seen, key) if order.defence != "dodge"
    }
    found = legal.faults_of(seen, key, {**says.how, **kept}, read(says.square))
    return {f"how.{attacker}" if attacker else "square": reason for attacker, reason in found.items()}


def _elsewhere(view: View, ask: Ask) -> de.Dodge:
    key = ask.about[0]
    how, square = view.usual(key)
    dodged = {order.who for order in legal.attacks_on(view.fight, key) if order.defence == "dodge"}
    return de.Dodge(how={who: said for who, said in how.items() if who in dodged}, square=_spelled(square))


def _again(log: ev.FightLog, answers: Answers[de.Dodge], chance: Chance) -> None:
    """The first fighter who lost a square takes another, or other defences (CHR-DEF-07)."""
    if not log.state.fight.contested:
        _check_all(log, chance)
        return
    key = log.state.fight.contested[0]
    one = log.state.fight[key]
    answer = answers.of.get(Seat(one.seat))
    seen = defences.again(log.state.fight, key)
    dodged = [order for order in legal.attacks_on(seen, key) if order.defence == "dodge"]
    kept: dict[str, Defence] = {
        order.who: order.defence or "none" for order in legal.attacks_on(seen, key) if order.defence != "dodge"
    }
    how, square = defences.elsewhere(seen, log.state.stands(key), key)
    came = "standing"
    if answer is not None and not legal.faults_of(seen, key, {**answer.says.how, **kept}, read(answer.says.square)):
        how, square, came = {**answer.says.how, **kept}, read(answer.says.square), answer.how
    for order in dodged:
        met_by = how.get(order.who, "none")
        to = square if met_by == "dodge" else None
        event = ev.Defended(one.combat, key, order.who, met_by, to, came, again=True)
        log.emit(event, rule="CHR-DEF-07", because=(order.cause,))
    log.emit(ev.Stage("dodge", contested=tuple(log.state.fight.contested[1:])), rule="CHR-DEF-07")


DODGE: Of[de.Dodge] = Decision(
    de.Dodge,
    step=_crowded_out,
    resolve=_again,
    phase=DEFENCES,
    check=_may_dodge,
    default=_elsewhere,
    words={
        f"{CROWDED_OUT} <name>": "That square is taken: choose another dodge for <name>",
        "Round <n>: a square for two": "Round <n>: two on one square",
    },
)


def _check_all(log: ev.FightLog, chance: Chance) -> None:
    """Makes all checks, in actor order, from the state before any of their consequences (CHR-RND-07, CHR-RND-15)."""
    fight = log.state.fight
    for key in list(fight.fighters):
        order = fight.orders.get(key)
        if order is None:
            continue
        if order.action in ACTIONS:
            _strike(log, order, chance)
        elif order.action in ("break-hold", "break-tackle"):
            _break(log, order, chance)
    _dodge_moves(log)
    log.emit(ev.Stage("move", tuple(_moves(log.state.fight))), rule="CHR-RND-09")


def _strike(log: ev.FightLog, order: Order, chance: Chance) -> None:
    """Success is the strong effect, failure the weak one (CHR-RND-17)."""
    fight, who, target = log.state.fight, order.who, order.target
    combat = fight[who].combat
    if fight.helpless(target):
        event = ev.Struck(combat, who, target, order.action, "", True, None, None, None)
        log.emit(event, rule="CHR-WND-12", because=(order.cause,))
        return
    mine = ratings.action(fight, who, order.action, target)
    theirs = ratings.defence(fight, target, order.defence or "none", who, order.action)
    made = check(chance, f"CHR-RND-17/r{fight.round}/{who}>{target}", mine.total, theirs.total)
    event = ev.Struck(combat, who, target, order.action, order.defence, made.success, mine, theirs, made)
    log.emit(event, rule="CHR-RND-17", because=_both(order))


def _both(order: Order) -> tuple[int, ...]:
    return (order.number, order.cause) if order.cause != order.number else (order.number,)


def _break(log: ev.FightLog, order: Order, chance: Chance) -> None:
    fight, who, holder = log.state.fight, order.who, order.target
    what = "hold" if order.action == "break-hold" else "tackle"
    mine, theirs = ratings.breaking(fight, who, what), ratings.breaking(fight, holder, what)
    rule = action_rule(order.action)
    made = check(chance, f"{rule}/r{fight.round}/{who}>{holder}", mine.total, theirs.total)
    event = ev.Broke(fight[who].combat, who, holder, order.action, mine, theirs, made)
    log.emit(event, rule=rule, because=(order.number,))


def _dodge_moves(log: ev.FightLog) -> None:
    """Dodgers move, successful or not; a strong Push replaces the move (CHR-DEF-06, CHR-ACT-23)."""
    fight = log.state.fight
    pushed = {order.target for order in fight.orders.values() if order.action == "push" and order.strong}
    for key, square in defences.dodging_to(fight).items():
        if key not in pushed and fight.ground.free(square):  # the GM may have filled it in the meantime
            one = fight[key]
            event = ev.Stepped(one.combat, key, "dodge", one.at, square, key, "sealed", turn=False)
            log.emit(event, rule="CHR-DEF-06", because=tuple(o.cause for o in legal.attacks_on(fight, key)))


def _moves(fight: Fight) -> list[Move]:
    """The moves to make, in turn: pushes, steps after dodgers, approaches, grapples (step R8)."""
    orders = [fight.orders[key] for key in fight.fighters if key in fight.orders]
    strong = [order for order in orders if order.strong and order.action in ACTIONS]
    pushes = [order for order in strong if order.action == "push"]
    pushed = {order.target for order in pushes}
    dodged = [order for order in orders if order.defence == "dodge" and order.target not in pushed]
    return [
        *(Move(order.target, "push", 1, 1, order.who) for order in pushes),
        *(Move(order.who, "follow", 0, 1, order.target) for order in dodged),
        *(Move(order.who, "approach", 0, 8, order.target) for order in pushes),
        *(Move(o.who, "grapple", 0, 8, o.target) for o in strong if ACTIONS[o.action].grapple),
    ]
