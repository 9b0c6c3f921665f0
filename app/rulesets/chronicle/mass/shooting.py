"""Shooting: who may shoot at whom, and the shots of a round (CHR-RNG)."""

from collections import Counter
from collections.abc import Mapping

from app.engine.chance import Chance
from app.rulesets.chronicle.checks import check
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass import losses
from app.rulesets.chronicle.mass.hexes import distance
from app.rulesets.chronicle.mass.melee import lose, strengths
from app.rulesets.chronicle.mass.ranged import shooter_fault, targets
from app.rulesets.chronicle.mass.state import OTHER, State
from app.rulesets.chronicle.mass.strength import total


def shooters(state: State) -> dict[str, list[str]]:
    """The units that may shoot, the proactive side's first, each with its targets: the nearest first, of several the
    one with most losses, then by id (step F7). Units without a target are left out.
    """
    found = dict[str, list[str]]()
    for side in state.turns:
        foes = sorted((unit for unit in state.of(OTHER[side]) if unit.here), key=lambda unit: -unit.losses)
        enemies = {foe.key: foe.at for foe in foes}
        for unit in (unit for unit in state.of(side) if unit.here):
            engaged = not set(state.ground.touching[unit.at]).isdisjoint(enemies.values())
            if not shooter_fault(unit.troop, engaged=engaged, moved=unit.moved):
                if aims := targets(state.ground, unit.troop, unit.at, enemies):
                    found[unit.key] = aims
    return found


def shoot(log: ev.BattleLog, aims: Mapping[str, str], chance: Chance) -> None:
    """All shots of the round in their order, then all their losses together (step F8)."""
    hits, causes = Counter[str](), dict[str, list[int]]()
    for who, at in aims.items():
        number, lost = _shot(log, who, at, chance)
        hits[at] += lost
        causes.setdefault(at, []).append(number)
    for at, lost in hits.items():
        if lost:
            lose(log, at, lost, "shot", because=tuple(causes[at]))


def _shot(log: ev.BattleLog, who: str, at: str, chance: Chance) -> tuple[int, int]:
    """Returns the number of the event, and the losses of the target."""
    state, settings = log.state, log.state.settings
    unit, enemy = state.units[who], state.units[at]
    own, other = strengths(state, who, at, melee=False)
    checked = check(chance, f"CHR-RNG-07/r{state.round}/{who}>{at}", total(own), total(other))
    size = unit.men if settings.ranged_size == "original" else unit.left
    far = distance(unit.at, enemy.at)
    lost = losses.shot(size, far, won=checked.success, rounding=settings.ranged_rounding)
    event = ev.Shot(who, at, far, size, tuple(own), tuple(other), checked, lost)
    return log.emit(event, rule="CHR-RNG-08"), lost
