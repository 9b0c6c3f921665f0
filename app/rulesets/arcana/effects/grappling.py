"""Grappling and shoving, if the setting is on: strength against strength or speed (ARC-172)."""

from app.engine.chance import Chance
from app.rulesets.arcana.effects.batch import Pending
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.flight import Flight
from app.rulesets.arcana.fight.roll_parts import Parts, ills, skill, swayed, total
from app.rulesets.arcana.fight.state import Fighter
from app.rulesets.arcana.rules.book import STATUSES

FAR = 100  # cm: the distance of a shove
RULE = "ARC-172"


def contest(log: FightLog, flight: Flight, chance: Chance, on: Pending) -> None:
    """Rolls the contest; a tie is enough for the attacker, and a target unable to act does not resist."""
    who, target = flight.who, flight.targets[0][0]
    one, other, settings = log.state.fighters[who], log.state.fighters[target], log.state.settings
    value, because = 0, (flight.number,)
    if other.able:
        parts = _holding_out(other)
        thrown, ways = swayed(other, chance, f"{RULE}/holds/{flight.label}>{target}", settings)
        value = thrown.kept + total(parts)
        told = ev.Checked(target, "holds", thrown.rolls, total(parts), 0, True, who, thrown.kept, parts, ways)
        because = (*because, log.emit(told, rule=RULE, because=because))
    parts = (*skill(one.body, "ATH", "Strength"), *ills(one))
    thrown, ways = swayed(one, chance, f"{RULE}/grapple/{flight.label}>{target}", settings)
    ok = thrown.kept + total(parts) >= value
    told = ev.Checked(who, "grapple", thrown.rolls, total(parts), value, ok, target, thrown.kept, parts, ways)
    on.because.append(log.emit(told, rule=RULE, because=because))
    if not ok:
        return
    if flight.do == "shove" and flight.action.choice != "prone":
        on.pushes.append((who, FAR))
        return
    status = "prone" if flight.do == "shove" else "trapped"
    on.gained.append(ev.Gained(target, status, STATUSES[status].cycles, by=who))


def _holding_out(one: Fighter) -> Parts:
    """The better of Athleticism with Strength and Finesse with Speed; of equals the first."""
    strong, quick = skill(one.body, "ATH", "Strength"), skill(one.body, "FIN", "Speed")
    return (*(quick if total(quick) > total(strong) else strong), *ills(one))
