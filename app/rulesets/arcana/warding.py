"""Wards on a place: who moves into one is struck by its spell, once in a cycle (ARC-160)."""

from collections.abc import Mapping, Sequence

from app.engine.chance import Chance, Roll
from app.rulesets.arcana import events as ev
from app.rulesets.arcana import keeping, stealth
from app.rulesets.arcana.batch import Crowd, Pending, settle_batch
from app.rulesets.arcana.declarations import Action
from app.rulesets.arcana.flight import Flight
from app.rulesets.arcana.landing import Landing
from app.rulesets.arcana.launch import Table
from app.rulesets.arcana.leftover import Ward
from app.rulesets.arcana.space import Cell, gap2

Ways = Mapping[str, tuple[Cell, Cell]]
"""From where to where, by whom."""


class Springing(Landing):
    """A ward that strikes: nobody swings it, so there is no opportunity in it, and it stays."""

    def go(self) -> None:
        for target, far in self.flight.targets:
            if self.spell is not None and self.spell.accuracy != "none":
                self._spell_strike(target, far)
            self._spell(target)

    def _triggers(self, target: str, *, melee: bool) -> tuple[str, ...]:
        return ()


def entered(tale: Table, ways: Ways, chance: Chance) -> None:
    """What wards do to those who have just moved, everybody's at once; friends are not spared (ARC-160, ARC-162)."""
    for ward in list(tale.state.wards):
        met = [
            who for who, (start, end) in sorted(ways.items())
            if who not in ward.struck and not tale.state.fighters[who].dead and ward.met(start, end)
        ]  # fmt: skip
        if met:
            _spring(tale, ward, met, chance)


def _spring(tale: Table, ward: Ward, met: Sequence[str], chance: Chance) -> None:
    state, tag, pending = tale.state, f"ward/{ward.key}/{ward.times + 1}", dict[str, Pending]()
    before, shared = stealth.health(state), dict[int, tuple[Roll, ...]]()
    action = Action(do="cast", spell=ward.spell, at=ward.at, pp=ward.pp, choice=ward.choice)
    for who in met:
        number = tale.tell(ev.Snared(who, ward.spell, ward.key, ward.at), rule="ARC-160")
        flight = Flight(
            who=ward.by, slot=0, do="cast", action=action, conditional=True, distance2=0, using=ward.spell,
            targets=((who, gap2(ward.at, state.fighters[who].place)),), tag=tag, number=number,
        )  # fmt: skip
        springing = Springing(tale, flight, chance, pending)
        springing.shared = shared
        springing.go()
    settle_batch(tale, pending, Crowd(tale))
    stealth.hurt(tale, before, chance)
    keeping.after(tale, pending, tag, chance)
