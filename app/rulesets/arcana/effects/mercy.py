"""Mercy: a merciful attacker may leave a felled target unconscious instead (ARC-175)."""

from collections.abc import Mapping

from app.engine.chance import Chance
from app.rulesets.arcana.effects.batch import Pending
from app.rulesets.arcana.effects.health import settle
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.roll_parts import ills, skill, swayed, total
from app.rulesets.arcana.fight.skills import MERCY, rank

SPARED = 6  # the value to reach


def have(log: FightLog, pending: Mapping[str, Pending], chance: Chance) -> None:
    """Before a batch is applied: spares those it would fell, if all who harm them want to and succeed."""
    state = log.state
    for target, on in sorted(pending.items()):
        one = state.fighters[target]
        if one.dead or one.hp <= 0 or not on.blows or not all(_means_it(log, who) for who in on.blows.values()):
            continue
        injured = one.has("major_injury") or one.has("broken_bone")
        after = settle(one.hp, one.body.hp_max, state.settings, harm=on.harm, healing=on.healing, injured=injured)
        if after.hp <= 0:
            tried = [_tries(log, label, who, target, on, chance) for label, who in sorted(on.blows.items())]
            on.spared = all(tried)


def _means_it(log: FightLog, who: str) -> bool:
    one = log.state.fighters.get(who)
    return one is not None and rank(one.body, MERCY) > 0 and one.turn.react.on_killing == "spare"


def _tries(log: FightLog, label: str, who: str, target: str, on: Pending, chance: Chance) -> bool:
    one = log.state.fighters[who]
    thrown, ways = swayed(one, chance, f"ARC-175/mercy/{label}", log.state.settings)
    parts = (*skill(one.body, "FIN", "Precision"), *ills(one))
    ok = thrown.kept + total(parts) >= SPARED
    checked = ev.Checked(who, "mercy", thrown.rolls, total(parts), SPARED, ok, target, thrown.kept, parts, ways)
    on.because.append(log.emit(checked, rule="ARC-175", because=tuple(sorted(set(on.because)))))
    return ok
