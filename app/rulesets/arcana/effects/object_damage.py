"""An attack or spell at an object: accuracy, damage, breaking (ARC-79 to ARC-81)."""

from collections.abc import Iterable

from app.engine.chance import Roll
from app.rulesets.arcana.effects.batch import Pending
from app.rulesets.arcana.effects.health import damage, split
from app.rulesets.arcana.effects.landing import SMOKE, Fate, Landing
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.flight import aimed
from app.rulesets.arcana.fight.roll_parts import Parts
from app.rulesets.arcana.fight.state import Loan
from app.rulesets.arcana.rules.book import Damage, Spell
from app.rulesets.arcana.rules.grid import Cell, penalty
from app.rulesets.arcana.sheet.accuracy import Defence

FOR_THE_GM = "what that does to it is for the GM to say."


class Breaking(Landing):
    """One flight at an object, which neither defends nor resists; only a spell's damage affects it."""

    def _at(self, target: str) -> Cell:
        return self.state.objects[target].at

    def _there(self) -> list[str]:
        """No combatant feels the blow or sees from the object's place."""
        return []

    def _place(self) -> Cell:
        return self._at(self.flight.targets[0][0])

    def go(self) -> None:
        target = self.flight.targets[0][0]
        if self.weapon is not None:
            self._weapon(target)
        else:
            self._spell(target)

    def _defence(self, target: str, far: int, *, block: bool, dodge: bool, kind: str) -> Defence:
        one = self.state.objects[target]
        return Defence(value=5 + penalty(far, one.size) + one.modifier, by="stationary")

    def _swayed(self, target: str, stance: Defence | None, bad: str) -> Parts:
        return super()._swayed(target, None, bad)

    def _exposed(self, target: str) -> Parts:
        parts = super()._exposed("")
        return (*parts, ("poor sight", SMOKE)) if self._murk(target) in ("severe", "total") else parts

    def _fate(self, target: str) -> tuple[Fate, list[tuple[str, Loan]]]:
        sure = next((loan for loan in self.actor.loans if loan.stat == "hits"), None)
        return ("hits", [(self.flight.who, sure)]) if sure is not None else ("", [])

    def _blocked(self, target: str, came_to: int) -> bool:
        return False

    def _parried(self, target: str, label: str) -> None:
        pass

    def _triggers(self, target: str, *, melee: bool) -> tuple[str, ...]:
        return ()

    def _take_effect(self, spell: Spell, target: str, label: str, *, natural: bool) -> None:
        for place, effect in enumerate(spell.effect):
            if isinstance(effect, Damage):
                self._spell_damage(spell, effect, place, target, label, natural, "")

    def _harm(
        self, target: str, label: str, kind: str, dice: tuple[Roll, ...], fixed: int, rolled: int,
        triggers: tuple[str, ...], natural: bool, *, halved: bool = False, rider: bool = True, weapon: int = 1,
        blow: str = "",
    ) -> int:  # fmt: skip
        """Does damage without resistances; the object loses HP like a living target without FP. Returns 0 FP taken."""
        if rolled > 0 and (blow or label) not in self.criticals:
            self.criticals[blow or label] = self._critical(label, triggers, natural)
        critical, by = self.criticals[blow or label] if rolled > 0 else ((), 1)
        amount, on = damage(rolled, critical=by, part=self.flight.part), self.on(target)
        number = self.log.emit(
            ev.Damaged(self.flight.who, target, self.flight.using, kind, dice, fixed, critical, triggers, False,
                       amount, weapon=weapon, by=by, part=self.flight.part, made=self._material()),
            rule=self.rule if not critical else "ARC-110", because=tuple(on.because[-1:]),
        )  # fmt: skip
        on.because.append(number)
        on.blows[aimed(self.flight, target)] = self.flight.who
        on.harm += split(amount, kind, fp=0, undead=False).hp
        return 0


def settle(log: FightLog, pending: dict[str, Pending]) -> None:
    """Applies a batch to objects and removes them from it; the GM decides for those without HP (ARC-79)."""
    for key in _struck(log, pending):
        on, one = pending.pop(key), log.state.objects[key]
        because = tuple(sorted(set(on.because)))
        if one.hp is None and on.blows:
            log.emit(ev.Described("", key, FOR_THE_GM), rule="ARC-79", because=because)
        elif one.hp and on.harm:
            log.emit(ev.ObjectDamaged(key, max(0, one.hp - on.harm), one.hp), rule="ARC-79", because=because)


def _struck(log: FightLog, pending: Iterable[str]) -> list[str]:
    return [key for key in sorted(pending) if key in log.state.objects]
