"""Landing: one attack on one target, and everything that lands in the same batch (ledger 1.5)."""

from math import isqrt
from typing import Literal

from app.rulesets.arcana.effects import custom_actions, grappling, other_actions, stealth
from app.rulesets.arcana.effects.spell_application import Working, going_on
from app.rulesets.arcana.fight import counterspells
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.casting import metres_of
from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.flight import Flight, aimed
from app.rulesets.arcana.fight.hands import off_hand
from app.rulesets.arcana.fight.roll_parts import Parts, by_ways, ills, only, skill, sways, total, words
from app.rulesets.arcana.fight.skills import leaps, least
from app.rulesets.arcana.fight.state import Loan
from app.rulesets.arcana.fight.targeting import GRAPPLES, facing_of
from app.rulesets.arcana.rules.amounts import worth
from app.rulesets.arcana.rules.book import DAMAGE, STATUSES, Damage, Missiles, Obscure, Spell, Weapon
from app.rulesets.arcana.rules.grid import GRID, Cell, around, gap2, inside, within
from app.rulesets.arcana.rules.rulings import Ruling
from app.rulesets.arcana.sheet.accuracy import COVER, OFF_HAND, Defence, aiming, defence, hits, instinct

CLOSE = 100  # cm: the distance at which shooting is awkward (ARC-94)
Fate = Literal["", "hits", "misses", "stopped", "open"]
FATES = {"stopped": "ARC-89", "hits": "ARC-161", "misses": "ARC-161", "open": "ARC-174"}
SMOKE = -3  # ledger 3.9


class Landing(Working):
    """One flight: first its accuracy checks, then its effects."""

    def strike(self) -> None:
        """Checks the accuracy of every blow and missile of this flight."""
        flight, spell = self.flight, self.spell
        if self.weapon is not None or flight.do in GRAPPLES or (spell is not None and spell.hostile):
            stealth.give_away(self.log, flight.who, flight.number, self._there(), at=self._place())
        if flight.blind:
            self._blindly()
            return
        for target, far in flight.targets if self.weapon is not None else ():
            self._weapon_strike(target, far)
        targets = flight.targets if spell is not None and spell.accuracy != "none" else ()
        if spell is not None and spell.chain:
            targets = targets[: max(0, self._worth(spell.chain))]
        for target, far in targets:
            hit = self._spell_strike(target, far)
            if not hit and spell is not None and spell.chain:
                break

    def go(self) -> None:
        """Applies the effects, once hits and Resists are known."""
        flight = self.flight
        match flight.do:
            case "attack":
                for target in self._there():
                    self._weapon(target)
            case "cast" | "quickspell":
                for target in self._there():
                    self._spell(target)
                self._stays()
            case "communicate":
                other_actions.speak(self.log, flight)
            case "use":
                other_actions.use(self.log, flight, self.chance, self.on(flight.targets[0][0]))
            case "drop":
                other_actions.put_down(self.log, flight)
            case "trade":
                other_actions.give(self.log, flight)
            case "use_major":
                other_actions.handle(self.log, flight, self.chance)
            case "stand":
                self.on(flight.who).ended.append("prone")
            case "shake_off":
                other_actions.shake_off(self.log, flight, self.chance, self.on(flight.who))
            case "grapple" | "shove":
                grappling.contest(self.log, flight, self.chance, self.on(flight.targets[0][0]))
            case "hide":
                stealth.hide(self.log, flight.who, self.chance, flight.number)
            case "custom" | "custom_minor":
                custom_actions.custom(self.log, flight, self.chance)
            case _:
                pass

    # ------------------------------------------------------------------------------------------------ attacks

    def _weapon_strike(self, target: str, far: int) -> None:
        weapon = self.weapon
        assert weapon is not None and weapon.damage is not None
        stance = self._defence(target, far, block=weapon.block, dodge=weapon.dodge, kind=weapon.damage.type)
        near = within(self.actor.place, self._at(target), self.flight.sure)
        beyond = "beyond its range" if weapon.twice and not near else ""
        self._strike(target, self._label(target), weapon.group, stance, bad=beyond)

    def _spell_strike(self, target: str, far: int) -> bool:
        """Returns whether any of it hit."""
        spell, hit = self.spell, False
        assert spell is not None
        for label in self.labels(target):
            stance = self._defence(target, far, block=spell.block, dodge=spell.dodge, kind=self._kind)
            self._strike(target, label, "wand", stance, bad="quickspell" if self.flight.do == "quickspell" else "")
            hit = hit or self.state.struck[label][0]
        return hit

    def labels(self, target: str) -> list[str]:
        """Returns the label of each blow or missile on one target (ARC-163)."""
        count = self.flight.count or (self._count(self.spell) if self.spell is not None else 1)
        label = self._label(target)
        return (
            [label] if count == 1 and not self.flight.count else [f"{label}/{number}" for number in range(1, count + 1)]
        )

    def _label(self, target: str) -> str:
        """The label of dice against one target; a blind one only names the place."""
        return aimed(self.flight, target)

    @property
    def _kind(self) -> str:
        """Returns the attack's damage type, which decides how much armour helps."""
        if self.weapon is not None and self.weapon.damage is not None:
            return self.weapon.damage.type
        for one in self.spell.effect if self.spell else ():
            if isinstance(one, Damage):
                return one.type
        return "force" if self.spell else ""

    def _there(self) -> list[str]:
        return [target for target, _ in self.flight.targets if target]

    def _place(self) -> Cell | None:
        """The place it is aimed at; None if it is aimed at a combatant."""
        area = self.spell is not None and self.spell.shape.area
        return self._centre(self.spell) if self.spell is not None and area else self.flight.action.at

    def _blindly(self) -> None:
        """Strikes at a place: −5 until a hit, and a miss if it is empty, though the die is rolled (ARC-90)."""
        (target, far), at = self.flight.targets[0], self.flight.action.at
        spell, weapon = self.spell, self.weapon
        if (weapon is None and spell is None) or (spell is not None and spell.accuracy == "none"):
            return
        aim = spell or weapon
        block, dodge = aim is not None and aim.block, aim is not None and aim.dodge
        stance = self._defence(target, far, block=block, dodge=dodge, kind=self._kind) if target else None
        beyond = weapon is not None and weapon.twice and far > self.flight.sure**2
        bad = "quickspell" if self.flight.do == "quickspell" else "beyond its range" if beyond else ""
        for label in self.labels(target):
            self._strike(target, label, weapon.group if weapon else "wand", stance, bad=bad)
            hit = self.state.struck[label][0]
            self.log.emit(
                ev.Struck(self.flight.who, "", self.flight.using, (), 0, 0, 0, "unseen", hit, at=at), rule="ARC-90",
                because=(self.flight.number,),
            )  # fmt: skip

    def _weapon(self, target: str) -> None:
        weapon, label = self.weapon, self._label(target)
        assert weapon is not None and weapon.damage is not None
        hit, natural, number = self.state.struck[label]
        self.on(target).because.append(number)
        if not hit:
            self._parried(target, label)
            return
        kind = weapon.damage.type
        dice = self._dice(self._left(weapon, target), weapon.damage.d, f"ARC-128/damage/{label}")
        fixed = worth(weapon.damage.flat) + self._material() + self._stronger() + 2 * self.flight.action.power
        rolled = max(0, sum(roll.face for roll in dice) + fixed)
        melee = within(self.actor.place, self._at(target), round(weapon.reach * 100))
        triggers = self._triggers(target, melee=melee)
        whole = rolled * weapon.damage.times
        if dice or fixed or not weapon.status:  # a web only holds
            self._harm(target, label, kind, dice, fixed, whole, triggers, natural,
                       rider=weapon.status is None, weapon=weapon.damage.times)  # fmt: skip
        if weapon.status:
            cycles = weapon.cycles or STATUSES[weapon.status].cycles
            self.on(target).gained.append(ev.Gained(target, weapon.status, cycles, weapon.id))

    def _left(self, weapon: Weapon, target: str) -> str:
        """A weapon's dice at this distance (ledger 3.4)."""
        if not weapon.scatters or weapon.damage is None:
            return weapon.damage.n if weapon.damage is not None else "0"
        far = next(far for key, far in self.flight.targets if key == target)
        return str(max(0, worth(weapon.damage.n) - max(0, isqrt(far) - self.flight.sure) // 100))

    def _parried(self, target: str, label: str) -> None:
        """Bare hands blocked with a weapon, by a target with Parry, are hurt by it (ARC-174)."""
        other, who = self.state.fighters[target], self.flight.who
        arm = other.body.weapons.get(other.parries)
        bare = self.weapon is not None and self.weapon.group == "unarmed"
        if arm is None or arm.damage is None or not bare or label not in self.state.blocked:
            return
        roll, kind = self.chance.die(4, f"ARC-174/parry/{label}"), arm.damage.type
        told = ev.Damaged(target, who, other.parries, kind, (roll,), 0, (), (), False, roll.face)
        self._takes(who, roll.face, kind, self.log.emit(told, rule="ARC-174", because=tuple(self.on(target).because)))

    def _spell(self, target: str) -> None:
        spell = self.spell
        assert spell is not None
        for label in self.labels(target):
            if self._countered(target):
                continue
            if spell.accuracy == "none":
                self.on(target).because.append(self.flight.number)
                self._take_effect(spell, target, label, natural=False)
                continue
            if label not in self.state.struck:
                continue  # a chain that ended earlier
            hit, natural, number = self.state.struck[label]
            self.on(target).because.append(number)
            if hit:
                self._take_effect(spell, target, label, natural=natural)
                continue
            if spell.shape.area and leaps(self.state.fighters[target]):
                self.on(target).leap = self._out_of(spell, target)

    def _out_of(self, spell: Spell, target: str) -> Cell | None:
        """The nearest free place outside an area; of equals the farthest from its centre, then the lowest (ARC-174)."""
        state, form, place = self.state, spell.shape.form, self.state.fighters[target].place
        metres, centre = metres_of(self.actor, spell, self.flight.action.pp), self._centre(spell)
        facing = facing_of(state, self.flight.who, self.flight.action)
        there, best = {one.place for one in state.fighters.values() if not one.dead}, list[Cell]()

        def worth_it(cell: Cell) -> tuple[int, int, Cell]:
            return gap2(place, cell), -gap2(centre, cell), cell

        for ring in range(1, 2 + 2 * metres // GRID):
            if best and ring * ring * GRID * GRID > gap2(place, best[0]):
                break
            free = (cell for cell in around(place, ring) if cell not in there and state.on_ground(cell)
                    and not inside(form, metres, centre, facing, cell) and not state.walled(place, cell))  # fmt: skip
            best = sorted((*best, *free), key=worth_it)[:1]
        return best[0] if best else None

    def _defence(self, target: str, far: int, *, block: bool, dodge: bool, kind: str) -> Defence:
        other = self.state.fighters[target]
        guard = other.guard(self.spell is not None, self.actor.place)
        return defence(
            guard, self.state.settings, blockable=block, dodgeable=dodge, distance2=far, armour=DAMAGE[kind].armour
        )

    def _strike(self, target: str, label: str, group: str, stance: Defence | None, *, bad: str = "") -> None:
        """Checks accuracy (ARC-71 to ARC-73, ARC-87, ARC-90, ARC-91). Without a defence the place is empty."""
        state, me, blind = self.state, self.actor, self.flight.blind
        swayed = (*sways(me, aims=True), *self._swayed(target, stance, bad))
        chance = self.chance.veiled if blind else self.chance
        thrown = by_ways(swayed, chance, f"ARC-71/accuracy/{label}", state.settings)
        parts = (*skill(me.body, self._aimed_with(), *aiming(group, state.settings)), *ills(me), *self._exposed(target))
        parts = (*parts, *self._skilled(thrown.kept + total(parts), group))
        bonus = total(parts)
        value, by = (stance.value, stance.by) if stance else (0, "")
        hit = stance is not None and hits(thrown.kept, bonus, value, state.settings)
        fate, used = self._fate(target) if stance else ("", [])
        hit = hit if not fate else fate in ("hits", "open")
        rule = "ARC-90" if blind else "ARC-72" if hit else "ARC-91" if thrown.kept == 1 else "ARC-77"
        rule = "ARC-57" if self._countered(target) else FATES.get(fate, rule)
        number = self.log.emit(
            ev.Struck(self.flight.who, target, self.flight.using, thrown.rolls, thrown.kept, bonus, value,
                      "unseen" if blind else by, hit, label, parts, swayed,
                      blocked=bool(target) and self._blocked(target, thrown.kept + bonus), fate=fate),
            rule=rule, because=(self.flight.number,),
        )  # fmt: skip
        for who, loan in used:
            self.log.emit(ev.Lapsed(who, loan.stat, loan.source), rule="ARC-161", because=(number,))

    def _braced(self, target: str) -> bool:
        return target in self.state.fighters and "brace" in self.state.fighters[target].stances

    def _skilled(self, came_to: int, group: str) -> Parts:
        """The effects of skills and of a power attack on accuracy (ARC-174)."""
        me, spell, flight = self.actor.body, self.spell, self.flight
        parts: Parts = ()
        if "confident_accuracy" in me.skills and spell is not None and flight.total:
            parts = only(("Confident Accuracy", max(0, flight.total - spell.dv - flight.action.pp)))
        if self.weapon is not None and flight.action.power:
            parts = (*parts, ("Power Attack", -flight.action.power))
        at_least = least(me, *aiming(group, self.state.settings))
        short = at_least - came_to - total(parts) if at_least else 0
        return (*parts, ("Increased Accuracy", short)) if short > 0 else parts

    def _blocked(self, target: str, came_to: int) -> bool:
        """Whether Block would have stopped an attack that it only halves (ARC-77)."""
        other, spell = self.state.fighters[target], self.spell
        if spell is None or not spell.block_halves or other.still:
            return False
        guard = other.guard(True, self.actor.place)
        return came_to < instinct(guard, "block", self.state.settings, doubled="brace" in guard.stances)

    def _fate(self, target: str) -> tuple[Fate, list[tuple[str, Loan]]]:
        """The outcome that spells impose on a strike, and the loans it uses up: a field stops it; foresight makes it
        hit or miss, and two of those cancel out (ARC-89). A target that strikes back lets it through (ARC-174)."""
        other, me, who = self.state.fighters[target], self.actor, self.flight.who
        if self._countered(target):
            return "stopped", []
        if not other.loans and not me.loans and not other.gives_in:
            return "", []
        field = next((loan for loan in other.loans if self._stopped(target, loan)), None)
        if field is not None:
            return "stopped", [(target, field)] if field.once else []
        sure = next((loan for loan in me.loans if loan.stat == "hits"), None)
        spared = next((loan for loan in other.loans if loan.stat == "misses"), None)
        used = [(key, loan) for key, loan in ((who, sure), (target, spared)) if loan is not None]
        if other.gives_in and target != who:
            return "" if spared else "open", used
        return "" if len(used) != 1 else "hits" if sure else "misses", used

    def _countered(self, target: str) -> Ruling | None:
        return counterspells.stopped(self.state, self.flight, target)

    def _stopped(self, target: str, loan: Loan) -> bool:
        """Whether a field stops this: everything, or only objects in flight (ARC-89)."""
        other, weapon, spell = self.state.fighters[target], self.weapon, self.spell
        if loan.stat != "field" or not other.helps(loan, spell is not None, self.actor.place):
            return False
        if loan.type == "all":
            return True
        shot = weapon is not None and weapon.range and not within(self.actor.place, other.place,
                                                                 round(100 * weapon.reach))  # fmt: skip
        return bool(shot) or (spell is not None and any(isinstance(one, Missiles) for one in spell.effect))

    def _swayed(self, target: str, stance: Defence | None, bad: str) -> Parts:
        """This attack's sources of advantage and disadvantage (ARC-85, ARC-87, ARC-92, ARC-169)."""
        found: list[tuple[str, int]] = []
        for key in sorted(self.state.fighters[target].statuses) if stance else ():
            if STATUSES[key].attackers == "advantage":
                found.append((f"{words(key)} target", 1))
        if bad:
            found.append((bad, -1))
        if self.flight.action.quick:
            found.append(("quick attack", -1))
        if "weak_spot" in self.actor.body.skills and self._braced(target):
            found.append(("Weak Spot", 1))
        if stance is not None and stance.disadvantage:
            found.append(({"dodge": "Evade", "block": "Brace", "stationary": "a stance"}[stance.by], -1))
        if target and self._awkward(target):
            found.append(("close by", -1))
        if target and self._murk(target):
            found.append(("poor sight", -1))
        if not self.actor.body.at_home_in_armour:
            found.append(("not at home in this armour", -1))
        return tuple(found)

    def _exposed(self, target: str) -> Parts:
        """Cover, statuses that make a target easier or harder to hit, poor sight of it (ARC-70, ARC-90)."""
        blind = stealth.BLIND if self.flight.blind and not self.actor.on_mark else 0
        other = OFF_HAND if self.weapon is not None and off_hand(self.actor, self.flight.using) else 0
        blindly = only(("unseen", blind), ("the other hand", other)) if blind or other else ()
        if not target:
            return blindly
        cover, statuses = self.state.cover(target, self.actor.place), self.state.fighters[target].statuses
        covered = ((f"{words(cover)} cover", COVER[cover]),) if COVER.get(cover) else ()
        ill = only(*((f"{words(key)} target", STATUSES[key].against) for key in sorted(statuses))) if statuses else ()
        thick = (("poor sight", SMOKE),) if self._murk(target) in ("severe", "total") else ()
        return (*blindly, *covered, *ill, *thick)

    def _murk(self, target: str) -> str:
        return self.state.murk(self.actor.place, self._at(target))

    def _at(self, target: str) -> Cell:
        return self.state.fighters[target].place

    def _awkward(self, target: str) -> bool:
        """Shooting or casting at a target close by, if the setting is on (ARC-94)."""
        if self.state.settings.close_firing == "off":
            return False
        shoots = self.spell is not None or (self.weapon is not None and self.weapon.range and not self.weapon.reach)
        near = within(self.actor.place, self._at(target), CLOSE)
        return bool(shoots) and near and target != self.flight.who

    # ----------------------------------------------------------------------------------------- lingering effects

    def _stays(self) -> None:
        """Leaves effects in a place: harm at the end of cycles, smoke, darkness, wards (ARC-22)."""
        spell, flight = self.spell, self.flight
        if spell is None or not spell.shape.area:
            return
        form, metres = spell.shape.form, metres_of(self.actor, spell, flight.action.pp)
        centre, facing = self._centre(spell), facing_of(self.state, flight.who, flight.action)
        if spell.kind == "ward":
            ward = ev.Warded(flight.who, spell.id, centre, form, metres, facing, flight.action.pp, flight.action.choice)
            number = self.log.emit(ward, rule="ARC-160", because=(flight.number,))
            self._collapses(spell.id, number)
            return
        for one in spell.effect:
            if isinstance(one, Obscure):
                cycles = 0 if spell.kind == "focus" else self._worth(one.cycles)
                self._remains(ev.Remains(flight.who, "", spell.id, (), cycles, at=centre, form=form, metres=metres,
                                         facing=facing, obscures=one.level))  # fmt: skip
        if spell.kind == "focus" or spell.shape.at == "target":
            return
        for effects, cycles in going_on(spell):
            self._remains(ev.Remains(flight.who, "", spell.id, effects, self._worth(cycles), flight.action.pp,
                                     self.actor.body.level, False, centre, form, metres, facing))  # fmt: skip

    def _collapses(self, spell: str, number: int) -> None:
        """Collapses the new ward and those it overlaps, if the GM ruled so (ARC-160)."""
        *there, new = self.state.wards
        ruled = {
            frozenset(key.split("/")[1:]) for key, it in self.state.rulings.items() if it.yes and key[:6] == "wards/"
        }
        gone = [
            one.key for one in there
            if one.spell == spell and {one.by, new.by} in ruled and within(one.at, new.at, one.metres + new.metres)
        ]  # fmt: skip
        if gone:
            self.log.emit(ev.Collapsed(spell, (*gone, new.key)), rule="ARC-160", because=(number,))

    def _remains(self, event: ev.Remains) -> None:
        same = [it for it in self.state.remains if (it.spell, it.by, it.at) == (event.spell, event.who, event.at)]
        if not (self.flight.held and same):
            self.log.emit(event, rule="ARC-22", because=(self.flight.number,))

    def _centre(self, spell: Spell) -> Cell:
        action = self.flight.action
        if spell.shape.at == "point" and action.at is not None:
            return action.at
        if spell.shape.at == "target" and action.target in self.state.fighters:
            return self.state.fighters[action.target].place
        return self.actor.place

    def throw_back(self) -> None:
        """Throws back parts of it at the caster, after its accuracy; they land in the same batch (ARC-57, ARC-161)."""
        spell = self.spell
        if spell is None or spell.shape.area or self.flight.do not in ("cast", "quickspell"):
            return
        for target in self._there():
            for label in self.labels(target):
                if spell.accuracy != "none" and label not in self.state.struck:
                    continue  # a chain that ended earlier
                ruled = self._countered(target)
                if (ruled and ruled.waived) or (not ruled and self._mirrored(spell, target, label)):
                    self._fly_back(spell, target, label)

    def _mirrored(self, spell: Spell, bearer: str, label: str) -> bool:
        """Whether a bearer of a mirror, who knows the spell, blocked it (ARC-161)."""
        if spell.accuracy == "none" or self.state.struck[label][0] or label not in self.state.blocked:
            return False
        one, who = self.state.fighters[bearer], self.flight.who
        mirrors = [loan for loan in one.loans if loan.stat == "mirror" and one.helps(loan, True, self.actor.place)]
        return bool(mirrors) and not self.flight.tag and spell.id in one.body.spells and bearer != who

    def _fly_back(self, spell: Spell, bearer: str, label: str) -> None:
        """Launches it at its caster, aimed anew by its target."""
        one, who = self.state.fighters[bearer], self.flight.who
        number = self.state.struck[label][2] if label in self.state.struck else self.flight.number
        action = Action(do="cast", spell=spell.id, target=who, pp=self.flight.action.pp)
        back = Flight(
            who=bearer, slot=self.flight.slot, do="cast", action=action, conditional=True, using=spell.id,
            distance2=self.flight.distance2, targets=((who, gap2(one.place, self.actor.place)),), count=1,
            tag=f"{bearer}<{label}", key=self.flight.key, number=number,
        )  # fmt: skip
        rule = "ARC-57" if self._countered(bearer) else "ARC-161"
        self.log.emit(ev.Aloft(back), rule=rule, because=(number,))
