"""The GM's acts between the steps: corrections, places, the field, newcomers, hiding and showing."""

from dataclasses import replace
from typing import Any

from app.engine.ruleset import GM, Seat
from app.engine.unused_names import unused_name
from app.rulesets.skirmish.fight import declarations as de
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight.damage import ENDS, fall
from app.rulesets.skirmish.fight.state import COMBATANT, Combatant, FightLog, State, combatant
from app.rulesets.skirmish.sheet.muster import slug
from app.rulesets.skirmish.sheet.sheets import Sheet, Side, Zone, free_key
from app.rulesets.skirmish.sheet.sketch import parse

PARTS = ("hp", "mgt", "agi", "wil", "fatigue")


def at_the_desk(log: FightLog, says: de.Desk) -> None:
    """Carries out one act of the GM. If it changes which declarations are legal, every seat is asked again."""
    anew = True
    match says.what:
        case "correct":
            able = log.state.combatants[says.who].able
            _correct(log, says)
            anew = log.state.combatants[says.who].able != able
        case "place":
            _place(log, log.state.combatants[says.who], says.zone, says.close)
        case "field":
            _redraw(log, parse(says.sketch), says.reason.strip())
        case "join":
            _join(log, says)
            anew = False
        case "out":
            fall(log, says.who, "removed", "SKI-14", (), says.reason.strip())
        case "show" | "hide":
            log.emit(ev.Sighted(says.who, says.what == "show"), rule="SKI-14")
            anew = says.what == "hide"
        case "end":
            sides = list(dict.fromkeys(c.side for c in log.state.present()))
            winner: Any = sides[0] if len(sides) == 1 else ""
            log.emit(ev.FightOver(winner, says.reason.strip()), rule="SKI-26")
            return
    log.emit(ev.Desk(anew), rule="SKI-14")


def _correct(log: FightLog, says: de.Desk) -> None:
    """Corrects numbers; an attribute at 0 takes somebody out as in the fight (SKI-37, SKI-41)."""
    who = log.state.combatants[says.who]
    parts = tuple((part, value) for part in PARTS if (value := getattr(says, part)) is not None)
    whole = ev.Corrected(says.who, parts, says.odds, says.reason.strip(), who.hidden)  # type: ignore[arg-type]
    if who.hidden or who.shown:
        number = log.emit(whole, rule="SKI-37")
    else:  # the numbers are the GM's secret; the table reads that there was a correction, and why
        public = log.emit(replace(whole, parts=()), rule="SKI-37")
        number = log.emit(replace(whole, reason="", hidden=True), rule="SKI-37", because=(public,))
    for part, status in ENDS.items():
        if who.able and getattr(who, part) == 0:
            fall(log, says.who, status, "SKI-41", (number,))


def _place(log: FightLog, who: Combatant, zone: str, close: str) -> None:
    event = ev.Moved(who.key, who.zone, zone, close if _there(log.state, close, zone) else "", "set", who.hidden)
    log.emit(event, rule="SKI-12")


def _there(state: State, key: str, zone: str) -> bool:
    return key in state.combatants and state.combatants[key].zone == zone and state.combatants[key].able


def _redraw(log: FightLog, zones: tuple[Zone, ...], reason: str) -> None:
    """The field as drawn anew; those whose zone is gone stand in the first one (SKI-14)."""
    log.emit(ev.FieldSet(tuple(zone.model_dump(mode="json") for zone in zones), reason), rule="SKI-14")
    for who in log.state.combatants.values():
        if who.zone not in log.state.zones:
            _place(log, who, zones[0].key, "")


def _join(log: FightLog, says: de.Desk) -> None:
    """Adds newcomers from a template, each with a unique name."""
    kind = log.state.foe_kinds[says.template]
    taken = {c.name for c in log.state.combatants.values()}
    for number in range(says.count):
        name = unused_name(says.name.strip() or kind.name, taken)
        taken.add(name)
        key = free_key(log.state.combatants, slug(name))
        group, leader = says.group.strip() or kind.name, says.leader or (kind.leader and number == 0)
        foe = kind.foe(
            key,
            name,
            side=says.side,
            group=group,
            leader=leader,
            habit=says.habit,
            hidden=says.hidden,
            shown=says.shown,
        )
        zone = says.zone if says.zone in log.state.zones else list(log.state.zones)[-1]
        _enter(log, combatant(key, foe, GM, says.side, zone, log.state.settings, log.state.own))


def enter(log: FightLog, seat: Seat, key: str, sheet: Sheet) -> None:
    """Adds a latecomer's character; open declarations are asked again, with the newcomer.

    Does nothing for a character who is in the fight already; a foe with the same key keeps it.
    """
    state = log.state
    if any(c.character == key for c in state.combatants.values()):
        return
    side: Side = "company" if seat != GM else "foes"
    one = combatant(free_key(state.combatants, key), sheet, seat, side, state.start_zone, state.settings, state.own)
    one.character = key
    _enter(log, one)
    log.emit(ev.Desk(True), rule="SKI-14")


def _enter(log: FightLog, one: Combatant) -> None:
    event = ev.Joined(
        one.key, one.name, one.side, one.seat, one.zone, one.hidden, one.detachment, one.group, one.character
    )
    number = log.emit(event, rule="SKI-14")
    numbers = ev.Numbered(one.key, COMBATANT.dump_python(one, mode="json"), one.shown and not one.hidden)
    log.emit(numbers, rule="SKI-14", because=(number,))
