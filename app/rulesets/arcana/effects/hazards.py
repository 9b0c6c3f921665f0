"""Hazards of the ground for movers: caltrops, and falls into a drop (ARC-68)."""

from collections.abc import Collection, Mapping
from itertools import pairwise
from math import isqrt

from app.engine.chance import Chance
from app.rulesets.arcana.effects import concentration, stealth
from app.rulesets.arcana.effects.batch import Crowd, Pending, settle_batch
from app.rulesets.arcana.effects.hit_damage import Hurting
from app.rulesets.arcana.effects.wards import Ways
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.flight import Flight
from app.rulesets.arcana.rules.book import STATUSES
from app.rulesets.arcana.rules.grid import Cell, gap2, way
from app.rulesets.arcana.rules.terrain import SAFE, Zone, depth, pricks

CALTROPS, FALL = "caltrops", "fall"
RULE = "ARC-68"
NONE: Mapping[str, int] = {}


class Treading(Hurting):
    """Harm by the ground to a mover: without an attacker, so without accuracy or opportunity."""

    rule = RULE

    def hurt(self, what: str, tag: str, number: int, size: int, kind: str) -> None:
        """Rolls `number` dice of harm."""
        who = self.flight.who
        label = f"{RULE}/{what}/{tag}/{who}"
        dice = tuple(self.chance.die(size, f"{label}/{n}") for n in range(1, number + 1))
        self._harm(who, label, kind, dice, 0, sum(roll.face for roll in dice), (), False, rider=False)


def trodden(
    log: FightLog, ways: Ways, tag: str, chance: Chance, climbing: Collection[str] = (), told: Mapping[str, int] = NONE,
) -> None:  # fmt: skip
    """Harms all movers at once: 1d6 for each metre begun on caltrops; 1d4 for each metre of a fall beyond the second,
    and prone. `tag` names the phase or batch in labels; `told` are the events of the movements."""
    state = log.state
    zones = state.ground
    if not zones:
        return
    pending: dict[str, Pending] = {}
    before = stealth.health(state)
    for who, (start, end) in sorted(ways.items()):
        if state.fighters[who].dead or start == end:
            continue
        metres, fall = _pricked(state.ground, start, end), 0 if who in climbing else _fall(state.ground, start, end)
        for what, number, size, kind in ((CALTROPS, metres, 6, "piercing"), (FALL, fall - SAFE, 4, "bludgeoning")):
            if number > 0:
                flight = Flight(
                    who=who, slot=0, do=what, action=Action(do="custom"), conditional=True, distance2=0, using=what
                )
                treading = Treading(log, flight, chance, pending)
                treading.on(who).because += [told[who]] if who in told else []
                treading.hurt(what, tag, number, size, kind)
        if fall > SAFE:
            pending[who].gained.append(ev.Gained(who, "prone", STATUSES["prone"].cycles, FALL))
    settle_batch(log, pending, Crowd(log))
    stealth.hurt(log, before, chance)
    concentration.after(log, pending, f"ground/{tag}", chance)


def _pricked(zones: tuple[Zone, ...], start: Cell, end: Cell) -> int:
    """Metres of a path on caltrops, rounded up."""
    gone = way(start, end)[1:]
    on = sum(pricks(zones, cell) for cell in gone)
    return -(-isqrt(gap2(start, end)) * on // (100 * len(gone)))


def _fall(zones: tuple[Zone, ...], start: Cell, end: Cell) -> int:
    """The deepest step down of a path, in metres."""
    gone = way(start, end)
    return max(depth(zones, cell) - depth(zones, last) for last, cell in pairwise(gone))
