"""Wards on a place: their spell strikes those who move into them, once a cycle (ARC-160)."""

from collections.abc import Mapping

from app.rulesets.arcana.effects.landing import Landing
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.flight import SPRUNG, Flight
from app.rulesets.arcana.fight.lingering import Ward
from app.rulesets.arcana.rules.grid import Cell, gap2

Ways = Mapping[str, tuple[Cell, Cell]]
"""Start and end of movements, by combatant."""


class Springing(Landing):
    """A ward's strike: without an attacker, so without opportunity; the ward stays."""

    def strike(self) -> None:
        for target, far in self._alive():
            if self.spell is not None and self.spell.accuracy != "none":
                self._spell_strike(target, far)

    def go(self) -> None:
        for target, _ in self._alive():
            self._spell(target)

    def _alive(self) -> list[tuple[str, int]]:
        """Targets still alive; another ward may have killed some."""
        return [(target, far) for target, far in self.flight.targets if not self.state.fighters[target].dead]

    def _triggers(self, target: str, *, melee: bool) -> tuple[str, ...]:
        return ()


def entered(log: FightLog, ways: Ways) -> None:
    """Launches wards at all who have just moved into them; allies are not spared (ARC-160, ARC-162).

    They land before anything else, ward by ward, so that targets can be asked whether they resist (ARC-127).
    """
    for ward in list(log.state.wards):
        met = [
            who for who, (start, end) in sorted(ways.items())
            if who not in ward.struck and not log.state.fighters[who].dead and ward.met(start, end)
        ]  # fmt: skip
        tag = f"ward/{ward.key}/{ward.times + 1}"
        for who in met:
            _send(log, ward, who, tag)


def _send(log: FightLog, ward: Ward, who: str, tag: str) -> None:
    far2 = gap2(ward.at, log.state.fighters[who].place)
    number = log.emit(ev.Snared(who, ward.spell, ward.key, ward.at), rule="ARC-160")
    action = Action(do="cast", spell=ward.spell, at=ward.at, pp=ward.pp, choice=ward.choice)
    flight = Flight(
        who=ward.by, slot=0, do="cast", action=action, conditional=True, distance2=0, using=ward.spell,
        targets=((who, far2),), tag=tag, key=(SPRUNG, int(ward.key[1:])), number=number,
    )  # fmt: skip
    log.emit(ev.Aloft(flight), rule="ARC-160", because=(number,))
