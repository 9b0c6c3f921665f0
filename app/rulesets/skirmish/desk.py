"""The GM's acts between the steps, and foes in mid-fight: how everybody is, newcomers, copies, and a foe's sheet."""

from collections.abc import Mapping
from dataclasses import replace

from app.engine.decisions import Decision
from app.engine.desks import SAY_WHY, Act, Picker, desk, unseen
from app.engine.gm_desk import Vital
from app.engine.muster import Newcomers
from app.engine.ruleset import GM, Faults, Seat
from app.engine.sentences import capital
from app.engine.unused_names import free_key, unnumbered, unused_name
from app.rulesets.skirmish.fight import declarations as de
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight import execution
from app.rulesets.skirmish.fight.damage import ENDS, fall
from app.rulesets.skirmish.fight.state import COMBATANT, Combatant, FightLog, State, combatant, sheet_of
from app.rulesets.skirmish.sheet.foe_templates import FoeKind
from app.rulesets.skirmish.sheet.muster import MOST, slug, spoken, zone_keys
from app.rulesets.skirmish.sheet.sheets import Sheet, Side
from app.rulesets.skirmish.sheet.sketch import parse
from app.rulesets.skirmish.view.view import View

BETWEEN = ("before", "ready", "attitude", "parley", "declare", "next")  # phases in which no turn is half done
PARTS = ("hp", "mgt", "agi", "wil", "fatigue")


def vitals(view: View) -> tuple[Vital, ...]:
    return tuple(
        Vital(
            key=who.key,
            name=who.name,
            health=f"{who.hp} of {who.hp_max} HP" if who.hp is not None and who.able else who.health,
            conditions=who.conditions,
            able=who.able,
            gone=who.health == "gone",
            hidden=who.hidden,
            foe=not who.pc,
            character=who.character,
        )
        for who in view.fighters.values()
    )


def _stays_unseen(view: View, key: str) -> Faults:
    who = next(one for one in vitals(view) if one.key == key)
    return unseen(who, hushed=_hushed(view))


def _hushed(view: View) -> bool:
    return view.phase == "declare"


def _may_correct(view: View, says: de.Desk) -> Faults:
    if all(getattr(says, part) is None for part in PARTS) and not says.odds:
        return {"hp": "Enter what changes: a number, or how this turn’s attacks go."}
    if not says.reason.strip():
        return {"reason": SAY_WHY}
    return _stays_unseen(view, says.who) if 0 in (says.mgt, says.agi, says.wil) else {}


def _correct(log: FightLog, says: de.Desk) -> bool:
    """Corrects numbers; an attribute at 0 takes somebody out as in the fight (SKI-37, SKI-41)."""
    who = log.state.combatants[says.who]
    able = who.able
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
    return who.able != able


def _may_place(view: View, says: de.Desk) -> Faults:
    if not view.fighters[says.who].able:
        return {"who": f"{capital(view.the(says.who))} is out of the fight."}
    if says.zone not in view.zones:
        return {"zone": "Choose a zone of this field."}
    other = view.fighters.get(says.close)
    if says.close and (other is None or other.key == says.who or not other.able or other.zone != says.zone):
        return {"close": "Choose someone else who is in that zone."}
    return _stays_unseen(view, says.who)


def _place(log: FightLog, says: de.Desk) -> bool:
    _put(log, log.state.combatants[says.who], says.zone, says.close)
    return True


def _put(log: FightLog, who: Combatant, zone: str, close: str) -> None:
    event = ev.Moved(who.key, who.zone, zone, close if _there(log.state, close, zone) else "", "set", who.hidden)
    log.emit(event, rule="SKI-12")


def _there(state: State, key: str, zone: str) -> bool:
    return key in state.combatants and state.combatants[key].zone == zone and state.combatants[key].able


def _may_redraw(view: View, says: de.Desk) -> Faults:
    try:
        drawn = parse(says.sketch)
    except ValueError as wrong:
        return {"sketch": str(wrong)}
    return {} if drawn else {"sketch": "Write at least one zone, for example “Courtyard (6): cover”."}


def _redraw(log: FightLog, says: de.Desk) -> bool:
    """The field as drawn anew; those whose zone is gone stand in the first one (SKI-14)."""
    zones = parse(says.sketch)
    log.emit(ev.FieldSet(tuple(zone.model_dump(mode="json") for zone in zones), says.reason.strip()), rule="SKI-14")
    for who in log.state.combatants.values():
        if who.zone not in log.state.zones:
            _put(log, who, zones[0].key, "")
    return True


def _may_join(view: View, says: de.Desk) -> Faults:
    return {"zone": "Choose a zone of this field."} if says.zone and says.zone not in view.zones else {}


def _join(log: FightLog, says: de.Desk) -> bool:
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
    return False


def _may_leave(view: View, says: de.Desk) -> Faults:
    able = view.fighters[says.who].able
    return {} if able else {"who": f"{capital(view.the(says.who))} is already out of the fight."}


def _out(log: FightLog, says: de.Desk) -> bool:
    fall(log, says.who, "removed", "SKI-14", (), says.reason.strip())
    return True


def _may_hide(view: View, says: de.Desk) -> Faults:
    return {} if view.phase in BETWEEN else {"who": "Nobody can be hidden in the middle of a turn."}


def _sight(log: FightLog, says: de.Desk) -> bool:
    log.emit(ev.Sighted(says.who, says.what == "show"), rule="SKI-14")
    return says.what == "hide"


def _end(log: FightLog, says: de.Desk) -> None:
    execution.over(log, says.reason.strip())


DESK: Decision[State, ev.Event, View, de.Desk] = desk(
    de.Desk,
    "Change something in the fight",
    {
        "correct": Act(_correct, _may_correct),
        "place": Act(_place, _may_place),
        "field": Act(_redraw, _may_redraw),
        "join": Act(_join, _may_join),
        "show": Act(_sight),
        "hide": Act(_sight, _may_hide),
        "out": Act(_out, _may_leave),
        "end": Act(_end),
    },
    people=vitals,
    kinds=lambda view: view.templates,
    most=MOST,
    number=lambda state: state.desk,
    done=lambda log, anew: log.emit(ev.Desk(anew), rule="SKI-14"),
    hushed=_hushed,
    nobody=frozenset({"field"}),
)


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


def _is_led(view: View, group: Newcomers) -> bool:
    return bool(group.row.get("leader")) or view.templates[group.kind].leader


def _like(view: View, group: Newcomers, number: int) -> dict[str, str]:
    """The choices of a group's card, a leader first; raises ValueError, in words, for a zone that is not there."""
    row, wanted = group.row, " ".join(group.row.get("zone", "").split())
    keys = zone_keys([zone.model_dump() for zone in view.zones.values()])
    if wanted and wanted.casefold() not in keys:
        there = ", ".join(zone.name for zone in view.zones.values())
        raise ValueError(f"There is no zone called “{wanted[:40]}”. There is: {there}.")
    return {
        "hidden": row.get("hidden", ""),
        "shown": row.get("shown", ""),
        "habit": row.get("habit") or view.templates[group.kind].habit,
        "group": row.get("group") or view.templates[group.kind].name,
        "zone": keys.get(wanted.casefold(), ""),
        "leader": "yes" if _is_led(view, group) and number == 0 else "",
    }


def _like_one(view: View, key: str) -> dict[str, str]:
    who = view.fighters[key]
    shown = "yes" if who.shown else ""
    return {"shown": shown, "habit": who.habit, "group": who.group, "zone": who.zone, "side": who.side}


def _kind(view: View, key: str) -> str:
    """The kind that this one was made from: by its key, else by its name, else by its numbers."""
    who = view.fighters[key]
    kinds: Mapping[str, FoeKind] = view.templates
    for found in (slug(unnumbered(who.key, "-")), slug(unnumbered(who.name))):
        for kind, one in kinds.items():
            if found in (slug(spoken(kind)), slug(one.name)):
                return kind
    mine = (who.hp_max, *(getattr(view.known.combatants[who.key], f"{name}_max") for name in ("mgt", "agi", "wil")))
    return next((kind for kind, one in kinds.items() if mine == (one.hp, one.mgt, one.agi, one.wil)), "")


def keep(view: View, key: str) -> Sheet:
    """The foe as a character's sheet, as it is now."""
    one: Combatant = view.known.combatants[key]
    full = {"mgt_max": one.mgt_max, "agi_max": one.agi_max, "wil_max": one.wil_max, "hp_max": max(1, one.hp_max)}
    more = {"spells": [spell.id for spell in one.spells], "proficient": list(one.proficient)}
    return Sheet.model_validate({**sheet_of(one), **full, **more, "name": one.name})


PICKER: Picker[View] = Picker(
    people=vitals,
    kinds=lambda view: view.templates,
    like=_like,
    kind_of=_kind,
    like_one=_like_one,
    apart=lambda view, group: group.hidden or _is_led(view, group),
)
FOES = PICKER.foes(keep)
