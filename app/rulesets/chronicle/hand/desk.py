"""The GM's acts between the steps: corrections with a public reason, newcomers, removals, the end."""

from app.engine.desks import SAY_WHY, Act, desk
from app.engine.gm_desk import Vital
from app.engine.ruleset import GM, Faults, Seat
from app.engine.unused_names import unused_name
from app.rulesets.chronicle.hand import declarations as de
from app.rulesets.chronicle.hand import effects, many
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.asks import Of
from app.rulesets.chronicle.hand.foes import vitals
from app.rulesets.chronicle.hand.muster import FOES, MOST, fighter, free_key
from app.rulesets.chronicle.hand.state import Fighter, Side
from app.rulesets.chronicle.hand.view import View
from app.rulesets.chronicle.sheets import Sheet
from app.rulesets.chronicle.wounds import Wounds


def _may_correct(view: View, says: de.Desk) -> Faults:
    if not says.reason.strip():
        return {"reason": SAY_WHY}
    faults: Faults = {}
    if (says.x is None) != (says.y is None):
        faults["x" if says.x is None else "y"] = "Enter both numbers of the square."
    elif says.x is not None and says.y is not None and not view.fight.ground.free((says.x, says.y)):
        faults["x"] = "That square is taken, blocked or outside the ground."
    return faults


def _correct(log: ev.FightLog, says: de.Desk) -> bool:
    at = (says.x, says.y) if says.x is not None and says.y is not None else None
    prone = None if not says.prone else says.prone == "yes"
    wounds = corrected(log.state.fight[says.who].wounds, says)
    event = ev.Corrected(says.who, says.reason.strip(), at, prone, says.weakening, wounds)
    log.emit(event, rule="CHR-MUL-07" if at else "CHR-WND-01")
    return True


def corrected(before: Wounds, says: de.Desk) -> Wounds | None:
    """The wounds corrected by the GM; None if they do not change."""
    after = before
    for part, said in says.wounds.items():
        now = after.of(part)
        minor = now.minor if said.minor is None else said.minor
        major = now.major if not said.major else said.major == "yes"
        after = after.put(part, now.model_copy(update={"minor": minor, "major": major}))
    return after if after != before else None


def _join(log: ev.FightLog, says: de.Desk) -> bool:
    """Brings in newcomers of a kind, each with a name of their own."""
    sheet = FOES[says.template]
    for _ in range(says.count):
        fight = log.state.fight
        name = unused_name(says.name.strip() or sheet.name, {one.name for one in fight.fighters.values()})
        key = free_key(fight.fighters, says.template)
        _enter(log, fighter(key, sheet.model_copy(update={"name": name}), says.side, GM), says.reason.strip())
    return True


def _out(log: ev.FightLog, says: de.Desk) -> bool:
    effects.leave(log, says.who, "out", "CHR-MUL-09", reason=says.reason.strip())
    return True


def _end(log: ev.FightLog, says: de.Desk) -> None:
    sides = many.able_sides(log.state.fight)
    winner = sides[0] if len(sides) == 1 else ""
    log.emit(ev.RoundOver(log.state.fight.round, False, winner, says.reason.strip()), rule="CHR-MUL-20")


def _people(view: View) -> tuple[Vital, ...]:
    """Those who are still here."""
    return tuple(one for one in vitals(view) if view.fight[one.key].here)


DESK: Of[de.Desk] = desk(
    de.Desk,
    "Change something in the fight",
    {"correct": Act(_correct, _may_correct), "join": Act(_join), "out": Act(_out), "end": Act(_end)},
    people=_people,
    kinds=lambda view: view.templates,
    most=MOST,
    number=lambda state: state.fight.desk,
    done=lambda log, anew: log.emit(ev.Desk(), rule="CHR-FLO-06"),
)


def _enter(log: ev.FightLog, one: Fighter, reason: str = "") -> None:
    """Places a newcomer behind their own side, without a combat until they join one (CHR-MUL-14)."""
    fight = log.state.fight
    friends = [friend.at for friend in fight.side(one.side)]
    back = -2 if one.side == "a" else 2
    x, y = friends[0] if friends else (-back, 0)
    one.x, one.y = many.settle(fight.ground, (x + back, y))
    log.emit(ev.Entered(one, reason), rule="CHR-MUL-14")


def enter(log: ev.FightLog, seat: Seat, key: str, sheet: Sheet) -> None:
    """Adds a latecomer's character on the side of the seat's other fighters, or on side A (the GM's: side B)."""
    fight = log.state.fight
    if any(one.character == key for one in fight.fighters.values()):
        return
    own = next((one.side for one in fight.fighters.values() if one.seat == seat), None)
    side: Side = own or ("b" if seat == GM else "a")
    _enter(log, fighter(free_key(fight.fighters, key), sheet, side, str(seat), character=key))
    log.emit(ev.Desk(), rule="CHR-FLO-06")
