"""The GM's acts between the steps: corrections with a public reason, removals, the end; and scenes inside it."""

from app.engine.desks import SAY_WHY, Act, desk
from app.engine.ruleset import Faults, InnerScene
from app.rulesets.chronicle.mass import ending, forms, placing
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass.asks import Of
from app.rulesets.chronicle.mass.hexes import Hex, read
from app.rulesets.chronicle.mass.state import State
from app.rulesets.chronicle.mass.view import View, vitals
from app.rulesets.chronicle.sheets import Sheet


def _may_correct(view: View, says: forms.Desk) -> Faults:
    unit = view.battle.units[says.who]
    if unit.gone:
        return {"who": "That unit is no longer in the battle."}
    if says.losses is None or says.losses >= unit.men:
        return {"losses": f"Enter losses from 0 to {unit.men - 1}. To take the unit out, remove it."}
    return {} if says.reason.strip() else {"reason": SAY_WHY}


def _correct(log: ev.BattleLog, says: forms.Desk) -> bool:
    unit = log.state.units[says.who]
    if not unit.gone:
        log.emit(ev.Corrected(says.who, says.reason.strip(), losses=says.losses), rule="CHR-FLO-06")
    return True


def _may_move(view: View, says: forms.Desk) -> Faults:
    if not view.battle.units[says.who].here:
        return {"who": "That unit is not on the map."}
    if wrong := _spot_fault(view.battle, says):
        return {"to": wrong}
    return {} if says.reason.strip() else {"reason": SAY_WHY}


def _spot_fault(state: State, says: forms.Desk) -> str:
    hex = read(says.to)
    if hex is None:
        return "That is no hex. Write a letter and a number, like L6."
    if not state.passage(says.who).free(hex):
        return "That hex is taken, Impassable or not on the map."
    return NO_ROOM if _crowds_out(state, hex) else ""


NO_ROOM = "The attackers would have no room left beyond the row. Choose another hex."


def _crowds_out(state: State, hex: Hex) -> bool:
    """Whether a unit on this hex would leave the attackers, who are being placed, too few hexes."""
    if state.phase != "place" or not state.line:
        return False
    zone = placing.zone(state, state.attacker)
    return hex in zone and len(zone) <= len(state.of(state.attacker))


def _move(log: ev.BattleLog, says: forms.Desk) -> bool:
    """Moves a unit, with a new stamp."""
    if log.state.units[says.who].here and not _spot_fault(log.state, says):
        log.emit(ev.Corrected(says.who, says.reason.strip(), hex=read(says.to)), rule="CHR-FLO-06")
    return True


def _out(log: ev.BattleLog, says: forms.Desk) -> bool | None:
    """Takes a unit out; a side without units has lost."""
    if not log.state.units[says.who].gone:
        log.emit(ev.Left(says.who, "out", reason=says.reason.strip()), rule="CHR-FLO-06")
    return None if ending.ends(log) else True


def _may_object(view: View, says: forms.Desk) -> Faults:
    battle = view.battle
    if battle.phase != "place" or battle.hexes():
        return {"what": "The battlefield can only be changed before the first army is placed."}
    return {} if says.reason.strip() else {"reason": SAY_WHY}


def _object(log: ev.BattleLog, says: forms.Desk) -> bool:
    """The GM objects to the battlefield for the table: another one is chosen."""
    if log.state.phase == "place" and not log.state.hexes():
        log.emit(ev.Objected(says.reason.strip()), rule="CHR-PLC-02")
    return True


def _end(log: ev.BattleLog, says: forms.Desk) -> None:
    ending.end(log, "gm", "", says.reason.strip())


DESK: Of[forms.Desk] = desk(
    forms.Desk,
    "Change something in the battle",
    {
        "correct": Act(_correct, _may_correct),
        "move": Act(_move, _may_move),
        "out": Act(_out),
        "field": Act(_object, _may_object),
        "end": Act(_end),
    },
    people=vitals,
    number=lambda state: state.desk,
    nobody=frozenset({"field"}),
    done=lambda log, anew: log.emit(ev.Desk(), rule="CHR-FLO-06"),
    drawn=True,
)


def inner(log: ev.BattleLog, came: InnerScene[Sheet]) -> None:
    """Tells that a single combat inside the battle is over; it changes no unit."""
    log.emit(ev.InnerOver(came.title, came.over), rule="CHR-FLO-05")
