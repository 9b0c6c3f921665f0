"""The application of a spell to one target, effect by effect (ARC-128 to ARC-164)."""

from typing import Literal

from app.engine.chance import Roll
from app.rulesets.arcana.effects.health import Healing
from app.rulesets.arcana.effects.hit_damage import Hurting
from app.rulesets.arcana.effects.resisting import meet
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.casting import casting
from app.rulesets.arcana.fight.hands import holding
from app.rulesets.arcana.fight.roll_parts import ills, skill, swayed, total
from app.rulesets.arcana.fight.state import THIS_CYCLE, Held, Stat
from app.rulesets.arcana.rules.book import (
    DAMAGE,
    SCHOOL_DIE,
    STATUSES,
    Absorb,
    Bonus,
    Choose,
    Cure,
    Damage,
    Described,
    Drop,
    Effect,
    EndSpell,
    ExtraMajor,
    Gives,
    Heal,
    Missiles,
    Obscure,
    Push,
    Reflect,
    Repeat,
    Replace,
    Resistance,
    Restore,
    Reveal,
    Spell,
    Stance,
    Stop,
    Throw,
)  # fmt: skip
from app.rulesets.arcana.rules.grid import GRID, gap2

DAY = 28_800  # cycles (ARC-02)
CIRCLE = 8  # directions in which a dropped thing may fly


class Working(Hurting):
    """A spell that reached its target."""

    def _take_effect(self, spell: Spell, target: str, label: str, *, natural: bool) -> None:
        resisted = meet(self.log, self.flight, spell, target, label, self.chance) if spell.resist else ""
        if resisted == "negate":
            return
        if resisted == "root_1":
            self.on(target).gained.append(ev.Gained(target, "trapped", 1, spell.id, by=self.flight.who))
            return
        if resisted == "fatigue_2":
            self.on(target).fp += 2
            return
        cured = spell.heals and any(
            isinstance(one, Cure) and one.instead_of_heal and self._ills(one, target) for one in spell.effect
        )
        for place, effect in enumerate(spell.effect):
            if isinstance(effect, Damage):
                self._spell_damage(spell, effect, place, target, label, natural, resisted)
            elif isinstance(effect, Heal):
                if not cured:
                    self._heal(effect, place, target, label)
            elif isinstance(effect, Gives):
                if resisted != "no_status":
                    self._gives(spell, effect, target)
            elif isinstance(effect, (Bonus, Absorb, Stance, Resistance, Choose, Reflect, Restore)):
                self._lends(spell, effect, place, target, label)
            else:
                self._other(spell, effect, place, target, label)
        self._goes_on(spell, target, halved=resisted == "half")

    # ------------------------------------------------------------------------------------------ harm and healing

    def _spell_damage(
        self, spell: Spell, effect: Damage, place: int, target: str, label: str, natural: bool, resisted: str
    ) -> None:
        dice = self.shared.get(place, ())
        if not dice or not spell.shape.area:
            name = self.flight.label if spell.shape.area else label  # the first target inside may be hidden
            dice = self._dice(effect.n, effect.d, f"ARC-128/damage/{name}/{place + 1}")
            self.shared[place] = dice
        fixed, stronger = self._worth(effect.flat), self._stronger()
        if stronger and next(n for n, one in enumerate(spell.effect) if isinstance(one, Damage)) == place:
            fixed += stronger
        rolled = max(0, sum(roll.face for roll in dice) + fixed)
        triggers = self._triggers(target, melee=False) if spell.hostile else ()
        halved = resisted == "half" or (spell.block_halves and label in self.state.blocked)
        taken = self._harm(target, f"{label}/{place + 1}", effect.type, dice, fixed, rolled, triggers, natural,
                           halved=halved, rider=not effect.no_rider and not spell.gives, blow=label)  # fmt: skip
        if effect.gain and taken:
            self.on(self.flight.who).fp -= taken

    def _heal(self, effect: Heal, place: int, target: str, label: str) -> None:
        dice = self._dice(effect.n, effect.d, f"ARC-134/heal/{label}/{place + 1}")
        fixed = self._worth(effect.flat)
        amount = sum(roll.face for roll in dice) + fixed
        number = self.log.emit(
            ev.Healed(self.flight.who, target, self.flight.using, dice, fixed, amount), rule="ARC-134",
            because=(self.flight.number,),
        )  # fmt: skip
        self.on(target).because.append(number)
        self.on(target).healing.append(Healing(amount=amount, ceiling=effect.ceiling_if_injured))

    def _ills(self, cure: Cure, target: str) -> set[str]:
        has = self.state.fighters[target].statuses
        wanted = set(cure.ids)
        if cure.group == "minor":
            wanted |= {key for key in has if STATUSES[key].minor}
        elif cure.group == "ills":
            wanted |= {key for key in has if STATUSES[key].family}
        return {key for key in wanted & set(has) if not cure.physical_only or self._physical(has[key])}

    def _physical(self, held: Held) -> bool:
        """Whether it holds the body, like ropes, webs and traps; a curse does not."""
        spell = self.state.spell(held.source)
        return spell is None or spell.discipline != "curses"

    def _goes_on(self, spell: Spell, target: str, *, halved: bool) -> None:
        """Leaves damage that recurs at the end of cycles, on a target or in a place (ARC-22)."""
        if spell.kind == "focus" or (spell.shape.area and spell.shape.at != "target"):
            return
        for effects, cycles in going_on(spell):
            self.log.emit(
                ev.Remains(self.flight.who, target, spell.id, effects, self._worth(cycles), self.flight.action.pp,
                           self.actor.body.level, halved), rule="ARC-22", because=(self.flight.number,),
            )  # fmt: skip

    # --------------------------------------------------------------------------------------------------- loans

    def _gives(self, spell: Spell, effect: Gives, target: str) -> None:
        value = self._worth(effect.extra_fp) or (self.actor.body.resist_dv if effect.shake_off else 0)
        cycles = 0 if effect.until else self._worth(effect.cycles)
        gained = ev.Gained(
            target, effect.id, cycles, spell.id, value, by=self.flight.who, tied=not effect.arms_free,
            shake=effect.shake_off,
        )  # fmt: skip
        self.on(target).gained.append(gained)

    def _lends(
        self, spell: Spell, effect: Bonus | Absorb | Stance | Resistance | Choose | Reflect | Restore, place: int,
        target: str, label: str,
    ) -> None:  # fmt: skip
        """Lends bonuses, shields and the like, for some cycles or as long as the Focus is held."""
        match effect:
            case Bonus():
                if self._up(target, effect.stat, spell.id):
                    return
                dice: tuple[Roll, ...] = ()
                if effect.dice:
                    dice = (self.chance.die(4, f"ARC-78/bonus/{label}/{place + 1}"),)
                amount = self._worth(effect.amount) + sum(roll.face for roll in dice)
                if effect.stat == "max_hp":
                    amount = max(amount, 1 - self.state.fighters[target].body.hp_max)
                self._lend(spell, target, effect.stat, amount, self._worth(effect.cycles), rule="ARC-78",
                           vs=effect.vs, after=effect.after, rolls=dice)  # fmt: skip
            case Absorb():
                if not self._up(target, "shield", spell.id):
                    self._lend(spell, target, "shield", max(0, self._worth(effect.points)), self._worth(effect.cycles),
                               rule="ARC-164", vs=effect.vs, overflow=effect.overflow)  # fmt: skip
            case Stance():
                self._lend(spell, target, effect.id, 1, THIS_CYCLE, rule="ARC-87")
            case Reflect():
                self._lend(spell, target, "mirror", 1, 0 if spell.kind == "focus" else THIS_CYCLE, rule="ARC-161")
            case Resistance():
                percent = min(100, max(0, self._worth(effect.percent)))
                chosen = effect.type or self.flight.action.choice
                if chosen in DAMAGE:
                    self._lend(spell, target, "resistance", percent, self._worth(effect.cycles), rule="ARC-132",
                               type_=chosen)  # fmt: skip
            case Choose():
                stat = "hits" if self.flight.action.choice == "hits" else "misses"
                self._lend(spell, target, stat, 1, 0, rule="ARC-161")
            case Restore():
                self._restore(target, self._worth(effect.points))

    def _up(self, target: str, stat: str, source: str) -> bool:
        """Whether a Focus that lands again has lent this before: it stays, and a shield is not renewed (ARC-157)."""
        loans = self.state.fighters[target].loans
        return self.flight.held and (
            stat == "shield" or any(loan.stat == stat and loan.source == source for loan in loans)
        )

    def _lend(
        self, spell: Spell, target: str, stat: Stat, amount: int, cycles: int, *, rule: str,
        vs: Literal["all", "magic"] = "all", overflow: Literal["through", "half", "lost"] = "through",
        type_: str = "", after: str = "", rolls: tuple[Roll, ...] = (), once: bool = False,
    ) -> None:  # fmt: skip
        lent = ev.Lent(target, stat, amount, cycles, spell.id, self.flight.who, vs, spell.shape.form == "front",
                       overflow, type_, after, rolls, once)  # fmt: skip
        self.on(target).lent.append((lent, rule, self.flight.number))

    def _restore(self, target: str, points: int) -> None:
        """Gives points back to a shield, up to its initial ones (ARC-164)."""
        for loan in self.state.fighters[target].loans:
            more = min(points, loan.most - loan.amount)
            if loan.stat == "shield" and more > 0:
                self.on(target).lent.append((ev.Mended(target, loan.source, more), "ARC-164", self.flight.number))
                return
        self._nothing(target, "There is no shield that wants mending.")

    def _nothing(self, target: str, words: str) -> None:
        told = ev.Described(self.flight.who, target, words)
        self.log.emit(told, rule="ARC-161", because=(self.flight.number,))

    # ------------------------------------------------------------------------------------------- other effects

    def _other(self, spell: Spell, effect: Effect, place: int, target: str, label: str) -> None:
        on = self.on(target)
        match effect:
            case Push():
                far = self._to_edge(spell, target) if effect.to_edge else 100 * self._worth(effect.metres)
                on.pushes.append((self.flight.who, far))
            case Cure():
                on.cures |= self._ills(effect, target)
            case Replace():
                on.turned.append((effect.old, ev.Gained(target, effect.new, 0, spell.id)))
            case EndSpell():
                self._ends_spells(effect, target, label)
            case Drop():
                self._drops(effect, target, label)
            case Throw():
                self._throws(effect, target, f"{label}/{place + 1}")
            case ExtraMajor():
                self._extra(spell, target)
            case Reveal():
                self._reveals(target)
            case Stop():
                self._stops(spell, effect, target, label)
            case Described():
                self._nothing(target, effect.words)
            case Missiles() | Repeat() | Obscure():
                pass  # handled with the strike, at the end of cycles, and with the place
            case _:
                raise AssertionError(effect)

    def _to_edge(self, spell: Spell, target: str) -> int:
        """The distance from a target to the edge of the area, in cm, by whole cells (ARC-161)."""
        metres = 100 * self._worth(spell.shape.metres)
        far, cells = gap2(self.actor.place, self.state.fighters[target].place), 0
        while (GRID * cells) ** 2 < far:
            cells += 1
        return max(0, metres - GRID * cells)

    def _ends_spells(self, effect: EndSpell, target: str, label: str) -> None:
        """Ends each spell whose caster, casting it again, does not reach the total of this casting (ARC-148)."""
        one = self.state.fighters[target]
        found = {(held.source, held.by) for held in one.statuses.values() if held.source}
        found |= {(loan.source, loan.by) for loan in one.loans}
        found |= {(left.spell, left.by) for left in self.state.remains if left.who == target}
        for source, by in sorted(found):
            spell = self.state.spell(source)
            if spell is None or (effect.discipline and spell.discipline != effect.discipline):
                continue
            if self._beaten(spell, by, f"{label}/{source}/{by}"):
                for key in [key for key, held in one.statuses.items() if (held.source, held.by) == (source, by)]:
                    self.on(target).ended.append(key)
                self.on(target).lapsed.append((ev.Lapsed(target, "", source), self.flight.number))

    def _beaten(self, spell: Spell, by: str, label: str) -> bool:
        caster = self.state.fighters.get(by)
        if caster is None:
            return True
        size = SCHOOL_DIE[caster.body.school(spell.school)]
        thrown, ways = swayed(caster, self.chance, f"ARC-148/contest/{label}", self.state.settings, size=size)
        parts = casting(caster, spell)
        holds = thrown.kept + total(parts) >= self.flight.total
        checked = ev.Checked(by, "contest", thrown.rolls, total(parts), self.flight.total, holds, spell.id,
                             thrown.kept, parts, ways)  # fmt: skip
        self.log.emit(checked, rule="ARC-148", because=(self.flight.number,))
        return not holds

    def _drops(self, effect: Drop, target: str, label: str) -> None:
        """The target's item in hand flies off in one of eight directions, and lies there (ARC-161)."""
        one = self.state.fighters[target]
        held = next((key for key in holding(one) if key in one.body.weapons), "")
        if not held:
            self._nothing(target, "There is nothing in hand that could be dropped.")
            return
        far = self.chance.die(effect.d, f"ARC-161/drop/{label}/far") if effect.d > 1 else None
        way = self.chance.die(CIRCLE, f"ARC-161/drop/{label}/way")
        metres = self._worth(effect.metres) + (far.face if far else 0)
        across, along = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))[way.face - 1]
        cells = metres * 100 // GRID
        x, y = one.place[0] + across * cells, one.place[1] + along * cells
        if self.state.width and self.state.height:
            x, y = min(max(x, 0), self.state.width - 1), min(max(y, 0), self.state.height - 1)
        rolls = (*((far,) if far else ()), way)
        self.on(target).drops.append(ev.Dropped(target, held, (x, y), rolls))

    def _throws(self, effect: Throw, target: str, label: str) -> None:
        """Throws a target in the air towards a place the caster names (ARC-161)."""
        goal = self.flight.action.at
        if goal is None or self.state.fighters[target].place == goal:
            return
        dice = self._dice(effect.n, effect.d, f"ARC-128/throw/{label}")
        fixed = self._worth(effect.flat)
        self._harm(target, label, effect.type, dice, fixed, sum(roll.face for roll in dice) + fixed, (), False,
                   rider=False)  # fmt: skip
        self.on(target).throws.append((goal, 100 * self._worth(effect.metres)))

    def _extra(self, spell: Spell, target: str) -> None:
        """Lends one more major action in the next cycle, once a day per target (ARC-23)."""
        if any(loan.stat == "foreseen" for loan in self.state.fighters[target].loans):
            self._nothing(target, "Once a day is all that anybody's future bears.")
            return
        self._lend(spell, target, "extra_major", 1, 1, rule="ARC-23")
        self._lend(spell, target, "foreseen", 1, DAY, rule="ARC-23")

    def _reveals(self, target: str) -> None:
        """Reveals distance and direction of a combatant, even if it hides (ARC-99)."""
        one, who = self.state.fighters[target], self.flight.who
        if not one.body.humanoid or target == who:
            return
        if self.state.unseen(target, who):
            self.log.emit(ev.Noticed(target, (who,)), rule="ARC-99", because=(self.flight.number,))
        x, y = self.actor.place
        sensed = ev.Sensed(who, target, (one.place[0] - x, one.place[1] - y))
        self.log.emit(sensed, rule="ARC-99", because=(self.flight.number,))

    def _stops(self, spell: Spell, effect: Stop, target: str, label: str) -> None:
        """Lends a field that stops everything, or one thing in the air (ARC-89)."""
        cycles = 0 if spell.kind == "focus" else THIS_CYCLE
        if effect.dv:
            thrown, ways = swayed(self.actor, self.chance, f"ARC-89/stop/{label}", self.state.settings)
            parts = (*skill(self.actor.body, "FIN", "wand"), *ills(self.actor))
            ok = thrown.kept + total(parts) >= effect.dv
            checked = ev.Checked(self.flight.who, "stop", thrown.rolls, total(parts), effect.dv, ok,
                                 spell.id, thrown.kept, parts, ways)  # fmt: skip
            self.log.emit(checked, rule="ARC-89", because=(self.flight.number,))
            if not ok:
                return
        if not self._up(target, "field", spell.id):
            self._lend(spell, target, "field", 1, cycles, rule="ARC-89", type_=effect.what,
                       once=effect.once)  # fmt: skip


def going_on(spell: Spell) -> list[tuple[tuple[int, ...], str]]:
    """Returns the indices of a spell's recurring effects, each with its number of cycles (ARC-22, ARC-143)."""
    harms = {n: one for n, one in enumerate(spell.effect) if isinstance(one, Damage)}
    if not harms:
        return []
    again = [((n,), one.cycles) for n, one in harms.items() if one.per_cycle]
    return again + [(tuple(harms), one.cycles) for one in spell.effect if isinstance(one, Repeat)]
