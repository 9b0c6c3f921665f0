"""The fold of a skirmish: the only writer of its state."""

from typing import assert_never

from app.engine.ruleset import GM, LoggedEvent
from app.rulesets.skirmish import events as ev
from app.rulesets.skirmish.sheets import Wound, Zone
from app.rulesets.skirmish.state import (
    COMBATANT, Combatant, Line, Now, State, Thing, count_in, group_of, next_caller, pair,
)  # fmt: skip


def apply(state: State, told: LoggedEvent[ev.Event]) -> None:
    """Folds one event."""
    event = told.event
    match event:
        case ev.Declared():
            _declared(state, event, told.number)
        case ev.Acts():
            _acts(state, event, told.number)
        case ev.Moved():
            _moved(state, event)
        case ev.Tested():
            _tested(state, event)
        case ev.Damage():
            _result(state, event.by, "hit")
        case ev.Changed():
            setattr(state.combatants[event.who], event.part, event.after)
        case ev.Fell():
            state.combatants[event.who].status = event.status
            state.close = [two for two in state.close if event.who not in two]
            state.now.wavering = [who for who in state.now.wavering if who != event.who]
        case ev.Item():
            _item(state, event)
        case ev.Tired():
            state.combatants[event.who].fatigue = event.fatigue
        case ev.Injured():
            state.combatants[event.who].wounds.append(Wound(place=event.place))
        case ev.Gambited():
            _gambited(state, event)
        case ev.Struck():
            _struck(state, event)
        case ev.Felled():
            kills = state.combatants[event.who].kills
            kills[event.weapon] = kills.get(event.weapon, 0) + 1
        case ev.Shaken():
            _shaken(state, event)
        case ev.Wavered():
            state.now.wavering.append(event.who)
        case ev.Reacted():
            state.now.reactions[event.attack] = event
            state.now.reacted[event.attack] = told.number
        case ev.SurpriseRolled():
            state.surprised, state.ambush, state.surprise = event.side, event.ambush, event.roll.face
        case ev.Noticed():
            state.free, state.phase = event.free, "attitude" if event.attitude else "declare"
        case ev.Surprised():
            state.now = Now(turn=state.turn, free=True)
        case ev.Initiative():
            now = state.now
            now.caller, now.call, now.leads = event.caller, event.call, event.leads
            now.dice, now.initiative = (event.own.face, event.gm.face), told.number
        case ev.Parleyed():
            state.phase = "over" if event.peace else "declare"
            state.words = event.words
        case ev.Ruled():
            state.now.verdicts[event.who] = event
        case ev.Ordered():
            state.now.orders[event.side] = list(event.order)
        case ev.Queued():
            state.now.groups = [(side, turn, list(order)) for side, turn, order in event.groups]
            state.now.queue = [(n, who) for n, (_, _, order) in enumerate(event.groups) for who in order]
        case ev.TurnOver():
            _turn_over(state, event)
        case ev.FightOver():
            state.phase, state.winner, state.words = "over", event.winner, event.words
        case ev.Stage():
            state.now.morale += event.stage == "morale"
            state.phase = event.stage
        case ev.AttitudeRolled():
            state.phase = "parley"
        case ev.Saved():
            if event.why == "critical" and not event.passed:
                _wounded(state, event.who)
        case ev.Idle() | ev.Provoked() | ev.Parried() | ev.Looks() | ev.Burned():
            pass
        case _:
            _by_the_gm(state, event)


def _by_the_gm(
    state: State, event: ev.Corrected | ev.FieldSet | ev.Joined | ev.Numbered | ev.Shown | ev.Desk
) -> None:
    match event:
        case ev.Corrected():
            who = state.combatants[event.who]
            for part, value in event.parts:
                setattr(who, part, value)
            who.odds = event.odds
        case ev.FieldSet():
            state.zones = {zone["key"]: Zone.model_validate(zone) for zone in event.zones}
            state.start_zone = state.start_zone if state.start_zone in state.zones else next(iter(state.zones))
        case ev.Joined():
            if event.seat != GM and event.seat not in state.seats:
                state.seats.insert(len(state.seats) - 1, event.seat)
        case ev.Numbered():
            state.combatants[event.who] = COMBATANT.validate_python(event.sheet)
            count_in(state, state.combatants[event.who])
            state.caller = state.caller or next_caller(state)
        case ev.Shown():
            _shown(state, state.combatants[event.who], visible=event.visible)
        case ev.Desk():
            state.desk += 1
            state.tries += event.anew and state.phase == "declare"
        case _:
            assert_never(event)


def _shown(state: State, who: Combatant, *, visible: bool) -> None:
    if who.hidden and visible:
        who.hidden = False
        count_in(state, who)
    elif not visible and not who.hidden:
        who.hidden = True
        state.close = [two for two in state.close if who.key not in two]
        if group := state.groups.get(group_of(who)):
            group.start -= 1


def _declared(state: State, event: ev.Declared, number: int) -> None:
    if state.now.turn != state.turn or (state.now.free and not state.free):
        state.now = Now(turn=state.turn)
    state.now.declared[event.who], state.now.told[event.who] = event, number


def _acts(state: State, event: ev.Acts, number: int) -> None:
    group, who = state.now.queue.pop(0)
    assert who == event.who
    state.now.group, state.now.acting = group, number


def _moved(state: State, event: ev.Moved) -> None:
    who = state.combatants[event.who]
    if event.zone != who.zone or event.why == "set":
        state.close = [two for two in state.close if event.who not in two]
    who.zone = event.zone
    if event.close and (two := pair(state, event.who, event.close)) not in state.close:
        state.close.append(two)


def _tested(state: State, event: ev.Tested) -> None:
    who = state.combatants[event.who]
    if event.attribute not in who.known:
        who.known.append(event.attribute)
    if event.what in ("attack", "gambit", "sweep", "riposte", "retreat"):
        what = "gambit" if event.what == "gambit" else "attack"
        state.now.lines.append(Line(event.who, event.against, what, "missed" if event.tier == 1 else ""))


def _result(state: State, who: str, result: str) -> None:
    for line in reversed(state.now.lines):
        if line.who == who:
            line.result = line.result or result
            return


def _wounded(state: State, who: str) -> None:
    for line in reversed(state.now.lines):
        if line.to == who:
            line.result = "wounded"
            return


def _item(state: State, event: ev.Item) -> None:
    owner, thing = _found(state, event.item)
    match event.what:
        case "dropped" | "thrown":
            thing.held, thing.zone = "floor", event.zone
        case "broke" | "lost" | "sacrificed":
            thing.held = "gone"
        case "spent":
            thing.spent = True
        case "ready":
            thing.spent = False
        case "taken":
            owner.things.remove(thing)
            thing.held, thing.zone = _place(state.combatants[event.who], thing), ""
            state.combatants[event.who].things.append(thing)
        case _:
            assert_never(event.what)


def _found(state: State, item: str) -> tuple[Combatant, Thing]:
    return next((c, t) for c in state.combatants.values() for t in c.things if t.key == item)


def _place(who: Combatant, thing: Thing) -> str:
    """The hand that what he picks up goes into: the main one, else the other, else the pack."""
    held = {t.held for t in who.things}
    shield = getattr(thing.gear, "type", "") == "shield"
    return "off" if shield and "off" not in held else next((h for h in ("main", "off") if h not in held), "pack")


def _gambited(state: State, event: ev.Gambited) -> None:
    _result(state, event.who, "works" if event.works else "fails")
    target = state.combatants[event.target]
    if not event.works:
        return
    if event.gambit == "shove":
        state.close = [two for two in state.close if event.target not in two]
    elif event.gambit == "trip":
        target.prone = True
    elif event.gambit == "stun":
        target.stunned = True
        state.now.queue = [(group, who) for group, who in state.now.queue if who != event.target]


def _struck(state: State, event: ev.Struck) -> None:
    who = state.combatants[event.who]
    if event.what == "push":
        two = pair(state, event.who, event.by)
        state.close = [one for one in state.close if one != two]
    elif event.what == "shock":
        who.shocked = True
    else:
        who.bleeding = event.what == "bleed"


def _shaken(state: State, event: ev.Shaken) -> None:
    group = state.groups[event.group]
    both = ("first", "half") if event.trigger == "both" else (event.trigger,)
    group.triggers += [one for one in both if one not in group.triggers and one != "brutal"]


def _turn_over(state: State, event: ev.TurnOver) -> None:
    for c in state.combatants.values():
        c.prone = c.stunned = c.shocked = False
        c.odds = ""
    if not event.free:
        state.turn += 1
        state.caller = next_caller(state)
    state.free, state.tries = False, 1
    state.phase = "declare"
