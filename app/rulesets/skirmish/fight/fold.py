"""The fold of a skirmish: the only writer of its state."""

from typing import Literal, assert_never

from app.engine.ruleset import GM, LoggedEvent
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight.declarations import Attribute
from app.rulesets.skirmish.fight.state import (
    COMBATANT,
    FALLEN,
    Combatant,
    Line,
    Now,
    Possession,
    State,
    count_in,
    group_of,
    next_caller,
    pair,
)  # fmt: skip
from app.rulesets.skirmish.sheet.gear import Weapon
from app.rulesets.skirmish.sheet.sheets import Wound, Zone


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
            best, key = state.now.best, f"{state.now.group}/{event.who}"
            best[key] = max(best.get(key, 0), event.damage)
        case ev.Changed():
            setattr(state.combatants[event.who], event.part, event.after)
        case ev.Fell():
            state.combatants[event.who].status = event.status
            state.close = [two for two in state.close if event.who not in two]
            state.now.wavering = [who for who in state.now.wavering if who != event.who]
            state.now.brutal += [event.who] if told.rule == "SKI-85" else []
            _no_more(state, event.who)
        case ev.Item():
            _item(state, event)
        case ev.Tired():
            state.combatants[event.who].fatigue = event.fatigue
            state.now.paid += [event.who] if event.reaction else []
        case ev.Injured():
            state.combatants[event.who].wounds.append(Wound(place=event.place))
        case ev.Gambited():
            _gambited(state, event)
        case ev.Stunned():
            _result(state, event.by, "works")
            state.combatants[event.who].stunned = True
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
        case ev.DiceCalled():
            state.called, state.phase = event, "ready"
        case ev.SurpriseRolled():
            state.surprised, state.ambush, state.surprise = event.side, event.ambush, event.roll.face
        case ev.Noticed():
            state.free, state.phase = event.free, "attitude" if event.attitude else "declare"
            state.called, state.tries = None, 1
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
            state.now.queue = [
                (n, who, part)
                for n, (_, _, order) in enumerate(event.groups)
                for who in order
                for part in range(len(state.now.declared[who].deeds))
            ]
        case ev.TurnOver():
            _turn_over(state, event)
        case ev.FightOver():
            state.phase, state.winner, state.words = "over", event.winner, event.words
        case ev.Stage():
            state.now.morale += event.stage == "morale"
            state.phase, state.tries, state.now.about = event.stage, 1, list(event.about)
        case ev.AttitudeRolled():
            state.phase = "parley"
        case ev.Saved():
            _known(state, event.who, event.attribute)
            if event.why == "critical" and not event.passed:
                _wounded(state, event.who)
        case ev.Burned():
            state.now.burned = True
        case ev.Idle():
            _idle(state, event)
        case ev.Foiled() | ev.Provoked() | ev.Parried() | ev.LooksChanged():
            pass
        case _:
            _by_the_gm(state, event)


def _by_the_gm(
    state: State, event: ev.Corrected | ev.FieldSet | ev.Joined | ev.Numbered | ev.Sighted | ev.Desk
) -> None:
    match event:
        case ev.Corrected():
            who = state.combatants[event.who]
            for part, value in event.parts:
                setattr(who, part, value)
            who.odds = event.odds
            if who.status in FALLEN and min(who.mgt, who.agi, who.wil) > 0 and event.parts:
                who.status = ""  # a mistake is put right
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
        case ev.Sighted():
            _shown(state, state.combatants[event.who], visible=event.visible)
        case ev.Desk():
            state.desk += 1
            if event.anew and state.phase in ("ready", "declare"):
                state.tries += 1
                if not (state.caller and state.combatants[state.caller].able):
                    state.caller = next_caller(state)
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
    group, who, part = state.now.queue.pop(0)
    assert (who, part) == (event.who, event.part)
    state.now.group, state.now.acting = group, number


def _moved(state: State, event: ev.Moved) -> None:
    who = state.combatants[event.who]
    if event.zone != who.zone or event.why == "set":
        state.close = [two for two in state.close if event.who not in two]
    who.zone = event.zone
    if event.close and (two := pair(state, event.who, event.close)) not in state.close:
        state.close.append(two)


def _tested(state: State, event: ev.Tested) -> None:
    _known(state, event.who, event.attribute)
    if event.what in ("attack", "gambit", "sweep", "riposte", "retreat"):
        what = "gambit" if event.what == "gambit" else "attack"
        state.now.lines.append(Line(event.who, event.against, what, "missed" if event.tier == 1 else ""))


def _known(state: State, who: str, attribute: Attribute) -> None:
    """A Test or save tells everybody the attribute."""
    c = state.combatants[who]
    c.known += [] if attribute in c.known else [attribute]


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
            taker, packed = state.combatants[event.who], thing.held == "pack"
            owner.things.remove(thing)
            thing.held, thing.zone = _place(taker, thing, swap=packed), ""
            taker.things.append(thing)
        case _:
            assert_never(event.what)


def _found(state: State, item: str) -> tuple[Combatant, Possession]:
    return next((c, t) for c in state.combatants.values() for t in c.things if t.key == item)


def _place(who: Combatant, thing: Possession, *, swap: bool) -> Literal["main", "off", "pack"]:
    """The hand that something goes into: a free one, or with `swap` one that is emptied into the pack."""
    held = {t.held: t for t in who.things if t.held in ("main", "off") and not getattr(t.gear, "natural", False)}
    wide = any(getattr(t.gear, "two_handed", False) for t in held.values())
    shield = getattr(thing.gear, "type", "") == "shield"
    needs: list[Literal["main", "off"]] = ["off"] if shield else ["main"]
    if getattr(thing.gear, "two_handed", False):
        needs = ["main", "off"]
    elif not shield and not wide and "main" in held and "off" not in held:
        needs = ["off"]
    if not (isinstance(thing.gear, Weapon) or shield):
        return "pack"
    if (held and (wide or len(needs) > 1)) or any(hand in held for hand in needs):
        if not swap:
            return "pack"
        for hand, t in held.items():
            t.held = "pack" if wide or hand in needs else t.held
    return needs[0]


def _gambited(state: State, event: ev.Gambited) -> None:
    _result(state, event.who, "works" if event.works else "fails")
    target = state.combatants[event.target]
    if not event.works:
        return
    if event.gambit == "shove":
        state.close = [two for two in state.close if event.target not in two]
    elif event.gambit == "trip":
        target.prone = True
    elif event.gambit == "stun":  # of versions 1 and 2: all that is left of the turn is lost
        target.stunned = True
        _no_more(state, event.target)


def _idle(state: State, event: ev.Idle) -> None:
    """A stun takes the next action away; any other idle one has left the queue when it began (SKI-57)."""
    if event.why == "stunned":
        lost = next(place for place, (_, who, _) in enumerate(state.now.queue) if who == event.who)
        del state.now.queue[lost]


def _no_more(state: State, who: str) -> None:
    """Takes somebody out of those who still act in this turn (SKI-28)."""
    state.now.queue = [one for one in state.now.queue if one[1] != who]


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
    state.now.brutal = [who for who in state.now.brutal if group_of(state.combatants[who]) != event.group]


def _turn_over(state: State, event: ev.TurnOver) -> None:
    for c in state.combatants.values():
        c.prone = c.stunned = c.shocked = False
        c.odds = ""
    if not event.free:
        state.turn += 1
        state.caller = next_caller(state)
    state.free, state.tries = False, 1
    state.phase = "declare"
