"""Cleave: a melee attacker who fells a target strikes the next one in reach, at half, then quarter damage (ARC-174)."""

from collections.abc import Iterable, Set
from dataclasses import replace

from app.engine.chance import Chance
from app.rulesets.arcana.effects import mercy, stealth
from app.rulesets.arcana.effects.batch import Crowd, Pending, settle_batch
from app.rulesets.arcana.effects.landing import Landing
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.flight import Flight, aimed
from app.rulesets.arcana.fight.skills import rank
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.fight.targeting import aim_at

Settled = list[tuple[dict[str, Pending], str]]
"""The effects of each further blow, and its label."""


def go_on(log: FightLog, batch: Iterable[Flight], up: Set[str], chance: Chance) -> Settled:
    """Strikes on after a batch that is applied but still in the air. `up`: combatants above 0 HP before it.

    A Focus lost by this ends only after the batch is removed, because its flights are in the same list.
    """
    settled: Settled = []
    for flight in batch:
        if _may(log.state, flight):
            _cleave(log, flight, up, chance, settled)
    return settled


def standing(state: State, batch: Iterable[Flight]) -> Set[str]:
    """Returns combatants above 0 HP, or none if no attacker has Cleave: this runs for every batch."""
    return {who for who, one in state.fighters.items() if one.hp > 0} if any(_may(state, it) for it in batch) else set()


def _may(state: State, flight: Flight) -> bool:
    return flight.do == "attack" and bool(flight.targets) and rank(state.fighters[flight.who].body, "cleave") > 0


def _cleave(log: FightLog, flight: Flight, up: Set[str], chance: Chance, settled: Settled) -> None:
    state, who, label = log.state, flight.who, flight.label
    weapon = state.fighters[who].body.weapons.get(flight.using)
    reach, met, number = round(100 * weapon.reach) if weapon is not None else 0, set[str](), flight.number
    while True:
        target, far2 = flight.targets[0]
        hit = state.struck.get(aimed(flight, target), (False, False, 0))[0]
        felled = target in up and state.fighters[target].hp <= 0
        if not (hit and felled and far2 <= reach * reach and state.fighters[who].able):
            return
        met.add(target)
        found = _next(state, who, reach, met)
        if found is None:
            return
        far2, target = found
        told = ev.Launched(who, "attack", flight.using, target, far2, None, guarded=flight.conditional)
        number = log.emit(told, rule="ARC-174", because=(number,))
        flight = replace(
            flight, action=flight.action.model_copy(update={"target": target, "at": None}), targets=((target, far2),),
            blind=False, part=2 * flight.part, tag=f"{label}/cleave{len(met)}", number=number,
        )  # fmt: skip
        pending, before = dict[str, Pending](), stealth.health(state)
        Landing(log, flight, chance, pending).strike()
        Landing(log, flight, chance, pending).go()
        mercy.have(log, pending, chance)
        settle_batch(log, pending, Crowd(log))
        stealth.hurt(log, before, chance)
        settled.append((pending, flight.label))


def _next(state: State, who: str, reach: int, met: Set[str]) -> tuple[int, str] | None:
    """The nearest visible enemy in reach above 0 HP: squared distance and id."""
    near = [
        (far2, key)
        for key in state.enemies(who)
        if key not in met and state.fighters[key].hp > 0 and isinstance(far2 := aim_at(state, who, key, reach), int)
    ]
    return min(near, default=None)
