"""The damage of one hit: criticals, resistances, shields, riders, armour (ARC-105 to ARC-115, ARC-128 to ARC-132)."""

from app.engine.chance import Chance, Roll
from app.rulesets.arcana.effects.batch import Pending
from app.rulesets.arcana.effects.health import damage, split, times
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.flight import Flight, aimed
from app.rulesets.arcana.fight.skills import overcome, spared
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.fight.targeting import reached
from app.rulesets.arcana.rules.amounts import worth
from app.rulesets.arcana.rules.book import (
    DAMAGE,
    LEVELS,
    MATERIALS,
    STATUSES,
    WEAPONS,
    Attribute,
    Missiles,
    Rider,
    Spell,
    Weapon,
)  # fmt: skip
from app.rulesets.arcana.rules.grid import behind, within

NONE: tuple[Roll, ...] = ()
CLOSE = 100  # cm: the distance of melee opportunities (ARC-106)
DENTS = {"acid": 4, "piercing": 4, "bludgeoning": 2, "slashing": 2}  # the die of damage to armour (ARC-115)


class Hurting:
    """One flight as it lands: its actor, its weapon or spell, and its harm."""

    rule = "ARC-129"  # cited by its harm

    def __init__(
        self, log: FightLog, flight: Flight, chance: Chance, pending: dict[str, Pending] | None = None
    ) -> None:
        self.log, self.state, self.flight, self.chance = log, log.state, flight, chance
        self.pending: dict[str, Pending] = {} if pending is None else pending
        self.actor = log.state.fighters[flight.who]
        self.weapon = self._launched() if flight.do == "attack" else None
        self.spell = log.state.spell(flight.using) if flight.do in ("cast", "quickspell") else None
        self.watched = False  # whether a sentinel closed an opening
        self.shared: dict[int, tuple[Roll, ...]] = {}  # an area's damage is rolled once (ARC-131)
        self.criticals: dict[str, tuple[tuple[Roll, ...], int]] = {}  # once for a whole attack (ARC-110)

    def _launched(self) -> Weapon | None:
        """Its weapon, even if it has been struck out of the actor's hand since (ARC-12)."""
        key, body = self.flight.using, self.actor.body
        held = body.weapons.get(key)
        if held is not None:
            return held
        fallen = (it.weapon for it in reversed(self.log.state.lying) if it.what == key and it.weapon)
        return next(fallen, None) or WEAPONS.get(key)

    def on(self, target: str) -> Pending:
        on = self.pending.get(target)
        if on is None:
            on = self.pending[target] = Pending()
        return on

    def _worth(self, amount: str) -> int:
        return worth(amount, pp=self.flight.action.pp, level=self.actor.body.level)

    def _count(self, spell: Spell) -> int:
        if spell.accuracy != "each":
            return 1
        return next(self._worth(one.count) for one in spell.effect if isinstance(one, Missiles))

    def _dice(self, n: str, d: int, label: str) -> tuple[Roll, ...]:
        return tuple(self.chance.die(d, f"{label}/{number + 1}") for number in range(self._worth(n)))

    def _aimed_with(self) -> Attribute:
        """The attribute of accuracy: Finesse, unless weapons have their own (ARC-71)."""
        if self.weapon is None or self.state.settings.weapon_attribute == "off":
            return "FIN"
        body = self.actor.body
        if self.weapon.aimed:
            return self.weapon.aimed
        if self.weapon.attr == "versatile":
            return "ATH" if body.mod("ATH") > body.mod("FIN") else "FIN"
        return self.weapon.attr

    def _stronger(self) -> int:
        """The bonus on damage besides dice, if the setting is on (ARC-128)."""
        if self.state.settings.damage_modifier == "off":
            return 0
        return self.actor.body.mod("POW" if self.weapon is None else self._aimed_with())

    def _triggers(self, target: str, *, melee: bool) -> tuple[str, ...]:
        """The positional triggers of this attack, by rule (ARC-105 to ARC-107); prone targets are open from near."""
        state, me, other, who = self.state, self.actor, self.state.fighters[target], self.flight.who
        self.watched = False
        if target == who:
            return ()
        found: list[str] = []
        plain = other.turn.plain()
        attacks = [one for one in plain if one.do == "attack" or _hostile(state, one.spell)]
        casts = [one for one in plain if one.do in ("cast", "quickspell")]
        elsewhere = bool(attacks) and all(who not in _aimed_at(state, target, one) for one in attacks)
        knows_nothing = target in self.flight.unaware or (
            bool(other.statuses) and any(STATUSES[key].unaware for key in other.statuses)
        )
        if knows_nothing or (elsewhere and behind(me.place, other.place, other.facing)):
            found.append("ARC-105")
        near = melee and within(me.place, other.place, CLOSE)
        if (casts or state.named.get(target)) and near:
            found.append("ARC-106")
        away = bool(casts) and any(set(_aimed_at(state, target, one)) - {who, target, ""} for one in casts)
        if away and not self.flight.conditional and (near or state.settings.opportunity_2 == "any_distance"):
            found.append("ARC-107")
        if other.open_to_opportunity:
            found.append("ARC-108")
        if other.has("prone") and near:
            found.append("ARC-142")
        self.watched = bool(found) and who in other.watched  # a sentinel sees them coming (ARC-109)
        return () if self.watched else tuple(found)

    def _harm(
        self, target: str, label: str, kind: str, dice: tuple[Roll, ...], fixed: int, rolled: int,
        triggers: tuple[str, ...], natural: bool, *, halved: bool = False, rider: bool = True, weapon: int = 1,
        blow: str = "",
    ) -> int:  # fmt: skip
        """Does damage in the order of ARC-129, then to shields, then the rider (ARC-130). Returns the FP it takes.

        `blow` names the attack this is a part of; its critical dice are rolled once.
        """
        state, other = self.state, self.state.fighters[target]
        if rolled > 0 and (triggers or natural) and self._dents(target, label, kind, dice):
            return 0
        if rolled > 0 and (blow or label) not in self.criticals:
            self.criticals[blow or label] = self._critical(label, triggers, natural)
        critical, by = self.criticals[blow or label] if rolled > 0 else ((), 1)
        whole, suffers = self._susceptible(other, kind)
        resists = overcome(self.actor.body, whole, state.settings)
        undone, again = whole - resists, NONE
        if state.settings.resistance_mode == "dice" and resists < 100:
            again, more = self._rolled_again(target, dice, resists, suffers)
            rolled, resists, suffers = max(0, rolled + more * weapon), 0, 0
        amount = damage(rolled, critical=by, halved=halved, resists=resists, suffers=suffers, part=self.flight.part)
        less = min(amount, spared(other.body, kind))
        amount -= less
        shields, caster, half, kept = self._absorbed(target, amount, kind)
        left = amount - sum([points for _, points in shields]) - kept
        number = self.log.emit(
            ev.Damaged(self.flight.who, target, self.flight.using, kind, (*dice, *again), fixed, critical, triggers,
                       halved, amount, amount - left, weapon, by, resists, suffers, self.flight.part, less,
                       self._material(), self.watched, undone),
            rule=self.rule if not critical else "ARC-110",
            because=tuple(self.on(target).because[-1:]),
        )  # fmt: skip
        for source, points in shields:
            self.log.emit(ev.Worn(target, "shield", points, source), rule="ARC-164", because=(number,))
        if half:
            self._overflow(caster, half, kind, number)
        taken = self._takes(target, left, kind, number, by=self.flight.who)
        table = DAMAGE[kind].rider
        if left and rider and table and state.settings.damage_riders == "on":
            self._rider(target, label, table)
        return taken

    def _critical(self, label: str, triggers: tuple[str, ...], natural: bool) -> tuple[tuple[Roll, ...], int]:
        """The critical dice and their multiplier (ARC-110 to ARC-114)."""
        sneak, faces = self.actor.body.sneak_times, self.actor.body.catastrophic
        size = faces or self.state.settings.critical_die
        dice: tuple[Roll, ...] = ()
        fourfold = sneak if sneak and "ARC-105" in triggers else 0
        if triggers and not fourfold:
            dice += (self.chance.die(size, f"ARC-110/critical/{label}"),)
        if natural:
            dice += (self.chance.die(size, f"ARC-111/natural/{label}"),)
        rolled = (sum(roll.face for roll in dice) if faces else times(dice)) if dice else 0
        return dice, fourfold + rolled or 1

    def _dents(self, target: str, label: str, kind: str, dice: tuple[Roll, ...]) -> bool:
        """Damages the armour instead, if the attacker chose that for criticals (ARC-115). Returns whether it did."""
        other = self.state.fighters[target]
        if self.actor.turn.react.on_critical != "armour" or kind not in DENTS or not other.armour_left:
            return False
        roll = self.chance.die(DENTS[kind], f"ARC-115/armour/{label}")
        worn = ev.Worn(target, "armour", min(roll.face, other.armour_left), "", (*dice, roll))
        self.log.emit(worn, rule="ARC-115", because=tuple(self.on(target).because[-1:]))
        return True

    def _rolled_again(
        self, target: str, dice: tuple[Roll, ...], resists: int, suffers: int
    ) -> tuple[tuple[Roll, ...], int]:
        """Rolls damage dice again, keeps the lower or higher: returns the second dice and the difference (ARC-132)."""
        better = bool(suffers) - bool(resists)
        if not better:
            return (), 0
        again = tuple(self.chance.die(roll.size, f"{roll.label}/again/{target}") for roll in dice)
        keep = max if better > 0 else min
        kept = sum(keep(one.face, other.face) for one, other in zip(dice, again, strict=True))
        return again, kept - sum(roll.face for roll in dice)

    def _absorbed(self, target: str, amount: int, kind: str) -> tuple[list[tuple[str, int]], str, int, int]:
        """The points that each shield takes; of one that fails: its caster, the half that hits the caster, and the part
        of the excess that does not get through (ARC-164)."""
        other, left = self.state.fighters[target], amount
        taken: list[tuple[str, int]] = []
        for loan in other.loans if DAMAGE[kind].shields else ():
            if loan.stat != "shield" or not left or not other.helps(loan, self.spell is not None, self.actor.place):
                continue
            points = min(left, loan.amount)
            taken.append((loan.source, points))
            left -= points
            if left and loan.overflow != "through":
                half, caster = left // 2 if loan.overflow == "half" else 0, loan.by or target
                return (taken, caster, 0, left - half) if caster == target else (taken, caster, half, left)
        return taken, "", 0, 0

    def _overflow(self, caster: str, amount: int, kind: str, number: int) -> None:
        """Half of a shield's excess damage hits its caster (ARC-164)."""
        if caster not in self.state.fighters or self.state.fighters[caster].dead:
            return
        told = ev.Damaged(self.flight.who, caster, self.flight.using, kind, (), 0, (), (), True, amount)
        self._takes(caster, amount, kind, self.log.emit(told, rule="ARC-164", because=(number,)))

    def _takes(self, target: str, left: int, kind: str, number: int, by: str = "") -> int:
        """Adds the damage that got through to the batch, and acid's wear on armour (ARC-130, ARC-170). Returns the FP
        taken.

        `by`: the attacker, for mercy.
        """
        other, on = self.state.fighters[target], self.on(target)
        on.because.append(number)
        fp, first = other.fp - on.fp, DAMAGE[kind].fp_first
        loss = split(left, kind, fp=other.fp - on.chilled, undead=other.body.undead or kind in other.body.suffers)
        on.harm, on.fp, on.chilled = on.harm + loss.hp, on.fp + loss.fp, on.chilled + loss.fp * int(first)
        if loss.hp:
            on.blows[aimed(self.flight, target) if by else ""] = by
        if left and DAMAGE[kind].erodes and other.armour_left:
            eaten = ev.Worn(target, "armour", min(other.armour_left, left))
            self.log.emit(eaten, rule="ARC-170", because=(number,))
        return min(loss.fp, max(0, fp))

    def _rider(self, target: str, label: str, table: Rider) -> None:
        roll = self.chance.die(table.die, f"ARC-130/rider/{label}")
        given = next((face for face in table.faces if face.first <= roll.face <= face.last), None)
        about = given.status if given else ""
        number = self.log.emit(ev.Checked(target, "rider", (roll,), 0, 0, bool(given), about), rule="ARC-130")
        self.on(target).because.append(number)
        if given:
            cycles = given.cycles or STATUSES[given.status].cycles
            self.on(target).gained.append(ev.Gained(target, given.status, cycles, self.flight.using, rider=True))

    def _susceptible(self, other: Fighter, kind: str) -> tuple[int, int]:
        """Percent off and percent on (ARC-132)."""
        spell, body = self.spell, other.body
        resists = body.resists.get(kind, 0)
        for armour in body.worn:
            resists += armour.resists.get(kind, 0)
        for loan in other.loans:
            resists += loan.amount if loan.stat == "resistance" and loan.type in ("", kind) else 0
        if spell is None and self.weapon and self.weapon.range and not self.weapon.reach:
            resists = max(resists, *(one.resists.get("ranged_weapons", 0) for one in body.worn))
        if spell is not None:
            resists = max(resists, body.spell_resistance)
            if body.immune_below and LEVELS.index(spell.level) < LEVELS.index(body.immune_below):
                resists = 100
        suffers = body.suffers.get(kind, 0) + sum(STATUSES[key].suffers.get(kind, 0) for key in other.statuses)
        if self.weapon and self.weapon.material == "silver":
            suffers += 100 * int(body.undead or body.fears_silver)
        return min(100, max(0, resists)), suffers

    def _material(self) -> int:
        return MATERIALS[self.weapon.material] if self.weapon else 0


def _aimed_at(state: State, who: str, action: Action) -> tuple[str, ...]:
    """The targets of an attack or spell: of each missile, or all inside a hostile area."""
    spell = state.spell(action.spell)
    if spell is not None and spell.shape.area and spell.hostile:
        return reached(state, who, action, spell)
    return action.split or (action.target,)


def _hostile(state: State, key: str) -> bool:
    spell = state.spell(key)
    return spell is not None and spell.hostile
