"""The GM's acts between the steps: corrections with a public reason, newcomers, removals, the end."""

from app.engine.ruleset import GM, Seat
from app.engine.unused_names import unused_name
from app.rulesets.chronicle.hand import declarations as de
from app.rulesets.chronicle.hand import effects
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.many import settle
from app.rulesets.chronicle.hand.muster import FOES, fighter, free_key
from app.rulesets.chronicle.hand.state import OTHER, Fight, Fighter, Side
from app.rulesets.chronicle.sheets import Sheet
from app.rulesets.chronicle.wounds import Wounds


def at_the_desk(log: ev.FightLog, says: de.Desk) -> None:
    """Carries out one act of the GM; open asks are asked again, since it may have changed what is legal."""
    fight = log.state.fight
    match says.what:
        case "correct":
            at = (says.x, says.y) if says.x is not None and says.y is not None else None
            prone = None if not says.prone else says.prone == "yes"
            wounds = corrected(fight[says.who].wounds, says)
            event = ev.Corrected(says.who, says.reason.strip(), at, prone, says.weakening, wounds)
            log.emit(event, rule="CHR-MUL-07" if at else "CHR-WND-01")
        case "join":
            sheet = FOES[says.template]
            name = free_name(fight, says.name.strip() or sheet.name)
            key = free_key(fight.fighters, says.template)
            _enter(log, fighter(key, sheet.model_copy(update={"name": name}), says.side, GM), says.reason.strip())
        case "out":
            effects.leave(log, says.who, "out", "CHR-MUL-09", reason=says.reason.strip())
        case "end":
            sides = [side for side in OTHER if any(fight.able(one.key) for one in fight.side(side))]
            winner = sides[0] if len(sides) == 1 else ""
            log.emit(ev.RoundOver(fight.round, False, winner, says.reason.strip()), rule="CHR-MUL-20")
            return
    log.emit(ev.Desk(), rule="CHR-FLO-06")


def corrected(before: Wounds, says: de.Desk) -> Wounds | None:
    """The wounds corrected by the GM; None if they do not change."""
    after = before
    for part, said in says.wounds.items():
        now = after.of(part)
        minor = now.minor if said.minor is None else said.minor
        major = now.major if not said.major else said.major == "yes"
        after = after.put(part, now.model_copy(update={"minor": minor, "major": major}))
    return after if after != before else None


def free_name(fight: Fight, name: str) -> str:
    taken = {one.name for one in fight.fighters.values()}
    return unused_name(name, taken)


def _enter(log: ev.FightLog, one: Fighter, reason: str = "") -> None:
    """Places a newcomer behind their own side, without a combat until they join one (CHR-MUL-14)."""
    fight = log.state.fight
    friends = [friend.at for friend in fight.side(one.side)]
    back = -2 if one.side == "a" else 2
    x, y = friends[0] if friends else (-back, 0)
    one.x, one.y = settle(fight.ground, (x + back, y))
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
