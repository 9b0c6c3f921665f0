"""Folds events into the state, which has no other writer."""

from copy import deepcopy
from typing import assert_never

from app.engine.ruleset import LoggedEvent
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.state import Combat, Fight, Grip, Order, Penalty, State


def apply(state: State, told: LoggedEvent[ev.Event]) -> None:
    """Folds one event."""
    fight, event, number = state.fight, told.event, told.number
    match event:
        case ev.Laid():
            fight.description, fight.width, fight.height = event.description, event.width, event.height
            fight.blocked, fight.places = list(event.blocked), dict(event.places)
            fight.gap, fight.ambush = event.gap, event.ambush
        case ev.Readied():
            one = fight[event.who]
            one.choices = dict(event.choices)
            one.right, one.left, one.carried = event.right, event.left, list(event.carried)
        case ev.Stood():
            state.standing[event.who] = event.stand
        case ev.Placed():
            for key, (x, y) in event.at:
                fight[key].x, fight[key].y = x, y
        case ev.Began():
            fight.round = event.round
            fight.intents.clear()
            fight.won.clear()
            fight.contests.clear()
        case ev.Intended():
            fight.intents[event.who] = event.what
        case ev.Won():
            fight.won = dict.fromkeys(event.who, True)
        case ev.Stepped():
            fight[event.who].x, fight[event.who].y = event.end
            if event.turn:
                fight.work.pop(0)
                fight.turn += 1
        case ev.Stage():
            fight.phase, fight.work, fight.contested = event.phase, list(event.work), list(event.contested)
            fight.turn = fight.tries = 1
            fight.first = event.first or fight.first
            if event.phase == "pair":
                fight.waiting.clear()  # all are counted again: the next wave comes (CHR-MUL-02)
        case ev.Weakened():
            fight[event.who].weakening = event.after
        case ev.Wounded():
            fight[event.who].wounds = event.after
        case ev.Penalised():
            penalty = Penalty(event.action, event.on, event.amount, fight.round)
            fight[event.who].penalties.append(penalty)
        case ev.Expired():
            one = fight[event.who]
            one.penalties = [p for p in one.penalties if p.since != event.since]
        case ev.Hands():
            one = fight[event.who]
            one.right, one.left = event.right, event.left
            one.carried, one.lost = list(event.carried), list(event.lost)
        case ev.Condition():
            _condition(fight, event)
        case ev.Paired() | ev.Joined() | ev.Waits() | ev.Split() | ev.CombatOver() | ev.TurnedAway():
            _combats(fight, event)
        case ev.Ordered() | ev.Defended() | ev.Struck() | ev.Broke() | ev.Wild() | ev.Chosen() | ev.Refused():
            _order(fight, event, number)
        case ev.Gone() | ev.Entered() | ev.Corrected() | ev.Desk() | ev.RoundOver():
            _people(state, event)
        case ev.Contest():
            fight.contests |= {event.who: number, event.other: number}
        case ev.Contested():
            pass
        case _:
            assert_never(event)


def _combats(fight: Fight, event: ev.Paired | ev.Joined | ev.Waits | ev.Split | ev.CombatOver | ev.TurnedAway) -> None:
    match event:
        case ev.Paired():
            own, other = [event.own], [event.other]
            made = Combat(event.combat, own, other) if event.by == "a" else Combat(event.combat, other, own)
            fight.combats.append(made)
            fight.combats_ever = max(fight.combats_ever, event.combat)
            fight[event.own].combat = fight[event.other].combat = event.combat
            fight.turn += 1
        case ev.Joined():
            one = fight[event.who]
            one.combat = event.combat
            combat = next(c for c in fight.combats if c.number == event.combat)
            of = combat.of(one.side)
            of.append(event.who)
            of.sort(key=list(fight.fighters).index)
            if event.who in fight.waiting:
                fight.waiting.remove(event.who)
            fight.turn += 1
        case ev.Waits():
            fight.waiting.append(event.who)
        case ev.Split():
            fight.combats = [c for c in fight.combats if c.number != event.combat]
            for number, a, b in event.into:
                fight.combats.append(Combat(number, list(a), list(b)))
                fight.combats_ever = max(fight.combats_ever, number)
                for key in (*a, *b):
                    fight[key].combat = number
            fight.combats.sort(key=lambda c: c.number)
        case ev.CombatOver():
            _end(fight, event.combat)
        case ev.TurnedAway():
            _out_of_combat(fight, event.who)
        case _:
            assert_never(event)


def _end(fight: Fight, number: int) -> None:
    for one in fight.fighters.values():
        if one.combat == number:
            one.combat = 0
    fight.combats = [c for c in fight.combats if c.number != number]


def _out_of_combat(fight: Fight, key: str) -> None:
    one = fight[key]
    for combat in fight.combats:
        if combat.number == one.combat:
            combat.of(one.side).remove(key)
    one.combat = 0


def _condition(fight: Fight, event: ev.Condition) -> None:
    match event.what:
        case "prone":
            fight[event.who].prone = event.on
        case "held" | "tackled":
            others = [g for g in fight.grips if (g.holder, g.victim, g.kind) != (event.by, event.who, event.what)]
            if event.on and event.arm:
                others.append(Grip(event.by, event.who, event.what, event.arm))
            fight.grips = others
        case _:
            assert_never(event.what)


def _order(
    fight: Fight,
    event: ev.Ordered | ev.Defended | ev.Struck | ev.Broke | ev.Wild | ev.Chosen | ev.Refused,
    number: int,
) -> None:
    match event:
        case ev.Ordered():
            one = fight[event.who]
            one.grip, one.uses = event.grip, event.uses
            fight.orders[event.who] = Order(
                who=event.who,
                action=event.action,
                target=event.target,
                number=number,
                release=event.release,
                item=event.item,
                into=event.into,
                surrender=event.surrender,
                cause=number,
            )
        case ev.Defended():
            order = fight.orders[event.attacker]
            order.defence, order.square, order.cause = event.defence, event.square, number
        case ev.Struck():
            order = fight.orders[event.who]
            order.strong, order.cause = event.strong, number
        case ev.Broke():
            order = fight.orders[event.who]
            order.strong, order.cause = event.check.success, number
        case ev.Wild():
            order = fight.orders[event.who]
            order.part, order.severity, order.cause = event.part, event.severity, number
        case ev.Chosen():
            order = fight.orders[event.attacker]
            if event.what == "protect":
                order.protect = event.part
            else:
                order.part, order.cause = event.part, number
        case ev.Refused():
            fight.orders[event.who].refused = True
        case _:
            assert_never(event)


def _people(state: State, event: ev.Gone | ev.Entered | ev.Corrected | ev.Desk | ev.RoundOver) -> None:
    fight = state.fight
    match event:
        case ev.Gone():
            _leave(fight, event)
        case ev.Entered():
            order = [*fight.fighters.values(), deepcopy(event.fighter)]  # a copy, so that the event never changes
            order.sort(key=lambda one: one.side)
            fight.fighters = {one.key: one for one in order}
        case ev.Corrected():
            one = fight[event.who]
            if event.at is not None:
                one.x, one.y = event.at
            one.prone = one.prone if event.prone is None else event.prone
            one.weakening = one.weakening if event.weakening is None else event.weakening
            one.wounds = event.wounds or one.wounds
        case ev.Desk():
            fight.desk += 1
            fight.tries += 1
        case ev.RoundOver():
            fight.orders.clear()
            fight.winner = event.winner
            if not event.on:
                fight.phase = "over"
        case _:
            assert_never(event)


def _leave(fight: Fight, event: ev.Gone) -> None:
    """Removes a fighter from the combat, all grips, and all open actions of this round."""
    one = fight[event.who]
    one.gone = event.why
    if event.why == "dead":
        one.wounds = one.wounds.model_copy(update={"dead": True})
    _out_of_combat(fight, one.key)
    fight.grips = [g for g in fight.grips if one.key not in (g.holder, g.victim)]
    fight.waiting = [key for key in fight.waiting if key != one.key]
    fight.intents.pop(one.key, None)
    fight.contested = [key for key in fight.contested if key != one.key]
    gone = [key for key, order in fight.orders.items() if one.key in (key, order.target)]
    for key in gone:
        del fight.orders[key]
    fight.work = [move for move in fight.work if one.key not in (move.who, move.other)]
