"""Landing: one attack on one target, and everything that lands in the same instant (ledger 1.5)."""

from collections.abc import Sequence

from app.engine.chance import Chance, Roll
from app.rulesets.arcana import events as ev
from app.rulesets.arcana.aim import COVER, Defence, accuracy, defence, hits, throw
from app.rulesets.arcana.amounts import worth
from app.rulesets.arcana.batch import Crowd, Pending, settle_batch
from app.rulesets.arcana.book import (
    ARMOUR,
    DAMAGE,
    LEVELS,
    SPELLS,
    STATUSES,
    Absorb,
    Bonus,
    Cure,
    Damage,
    Described,
    Effect,
    Gives,
    Heal,
    Missiles,
    Push,
    Replace,
    Rider,
    Spell,
)  # fmt: skip
from app.rulesets.arcana.harm import Healing, damage, split, times
from app.rulesets.arcana.launch import Flight, Table
from app.rulesets.arcana.space import behind, within
from app.rulesets.arcana.state import Fighter, State

RESIST_PRICE = 2  # ARC-125
CLOSE = 100  # cm: from where a blow takes an opportunity (ARC-106)


def land(tale: Table, batch: Sequence[Flight], chance: Chance, crowd: Crowd) -> None:
    """Everything at one distance: dice by actor, then all effects together."""
    pending: dict[str, Pending] = {}
    for flight in sorted(batch, key=lambda one: (one.who, one.slot)):
        Landing(tale, flight, chance, pending).go()
    settle_batch(tale, pending, crowd)


class Landing:
    """One flight and what it does."""

    def __init__(self, tale: Table, flight: Flight, chance: Chance, pending: dict[str, Pending]) -> None:
        self.tale, self.flight, self.chance, self.pending = tale, flight, chance, pending
        self.actor = tale.state.fighters[flight.who]
        self.shared: dict[int, tuple[Roll, ...]] = {}  # damage of an area is rolled once (ARC-131)

    @property
    def state(self) -> State:
        return self.tale.state

    def on(self, target: str) -> Pending:
        return self.pending.setdefault(target, Pending())

    def go(self) -> None:
        flight = self.flight
        match flight.do:
            case "attack":
                for target, far in flight.targets:
                    self._weapon(target, far)
            case "cast" | "quickspell":
                for target, far in flight.targets:
                    self._spell(target, far)
            case "communicate":
                self.tale.tell(ev.Spoke(flight.who, flight.action.words, flight.action.allies), rule="ARC-32")
                self._given_away()
            case "use":
                self._item(flight.action.item, flight.targets[0][0])
            case "stand":
                self.on(flight.who).ended.append("prone")
            case "shake_off":
                self._shake_off()
            case "hide":
                self._hide()
            case _:
                pass

    def _given_away(self) -> None:
        """ARC-100: everybody knows of somebody hidden who strikes or speaks."""
        if self.actor.hidden:
            enemies = tuple(self.state.enemies(self.flight.who))
            self.tale.tell(ev.Noticed(self.flight.who, enemies), rule="ARC-100", because=(self.flight.number,))

    def _item(self, item: str, target: str) -> None:
        """ARC-171."""
        number = self.tale.tell(ev.Used(self.flight.who, item, target), rule="ARC-171")
        on = self.on(target)
        on.because.append(number)
        if item == "healing_draught":
            on.healing.append(Healing(amount=10))
        elif item == "spirit_draught":
            on.fp -= 10
        else:
            on.cures.update(key for key in self.state.fighters[target].statuses if key.startswith("poisoned"))

    def _hide(self) -> None:
        """ARC-30."""
        body = self.actor.body
        thrown = throw(self.chance.veiled, f"ARC-30/hide/{self.flight.who}", self.state.settings)
        bonus = body.mod("FIN") + body.bonus("Stealth") + self.actor.checks
        covered = self.state.cover(self.flight.who) == "full" or self.actor.has("invisible")
        self.tale.tell(ev.Checked(self.flight.who, "hide", thrown.rolls, bonus, 0, covered), rule="ARC-30")

    def _shake_off(self) -> None:
        """A Resist made anew, as a major (ARC-10, ARC-144)."""
        for key, held in list(self.actor.statuses.items()):
            if held.value and key != "heavy_mind":
                resist = SPELLS[held.source].resist if held.source in SPELLS else None
                body = self.actor.body
                bonus = (body.mod(resist.attr) + body.bonus(resist.prof) if resist else 0) + self.actor.checks
                thrown = throw(self.chance, f"ARC-144/shake/{self.flight.who}/{key}", self.state.settings)
                ok = thrown.kept + bonus >= held.value
                self.tale.tell(
                    ev.Checked(self.flight.who, "shake_off", thrown.rolls, bonus, held.value, ok, key), rule="ARC-144"
                )
                if ok:
                    self.on(self.flight.who).ended.append(key)

    # ------------------------------------------------------------------------------------------------ attacks

    def _weapon(self, target: str, far: int) -> None:
        weapon = self.flight.weapon
        assert weapon is not None and weapon.damage is not None
        kind, label = weapon.damage.type, f"{self.flight.label}>{target}"
        stance = self._defence(target, far, block=True, dodge=True, kind=kind)
        beyond = int(weapon.twice and not within(self.actor.place, self.state.fighters[target].place,
                                                 round(weapon.range * 100)))  # fmt: skip
        hit, natural = self._strike(target, label, weapon.group, stance, bad=beyond)
        if hit:
            dice = self._dice(weapon.damage.n, weapon.damage.d, f"ARC-128/damage/{label}")
            fixed = worth(weapon.damage.flat)
            rolled = (sum(roll.face for roll in dice) + fixed) * weapon.damage.times
            melee = within(self.actor.place, self.state.fighters[target].place, round(weapon.reach * 100))
            triggers = self._triggers(target, melee=melee)
            self._harm(target, label, kind, dice, fixed, rolled, triggers, natural, rider=weapon.status is None)
            if weapon.status:
                cycles = STATUSES[weapon.status].cycles
                self.on(target).gained.append(ev.Gained(target, weapon.status, cycles, weapon.id))
        self._given_away()

    def _spell(self, target: str, far: int) -> None:
        spell = self.flight.spell
        assert spell is not None
        if spell.accuracy == "none":
            self._take_effect(spell, target, f"{self.flight.label}>{target}", natural=False)
        else:
            kind = next((one.type for one in spell.effect if isinstance(one, Damage)), "force")
            count = self._count(spell)
            for number in range(1, count + 1):
                label = f"{self.flight.label}>{target}" + (f"/{number}" if count > 1 else "")
                stance = self._defence(target, far, block=spell.block, dodge=spell.dodge, kind=kind)
                hit, natural = self._strike(target, label, "wand", stance, bad=int(self.flight.do == "quickspell"))
                if hit:
                    self._take_effect(spell, target, label, natural=natural)
        if spell.hostile:
            self._given_away()

    def _count(self, spell: Spell) -> int:
        if spell.accuracy != "each":
            return 1
        return next(self._worth(one.count) for one in spell.effect if isinstance(one, Missiles))

    def _worth(self, amount: str) -> int:
        return worth(amount, pp=self.flight.action.pp, level=self.actor.body.level)

    def _defence(self, target: str, far: int, *, block: bool, dodge: bool, kind: str) -> Defence:
        other = self.state.fighters[target]
        return defence(
            other.guard(), self.state.settings, blockable=block, dodgeable=dodge, distance2=far,
            armour=DAMAGE[kind].armour,
        )  # fmt: skip

    def _strike(self, target: str, label: str, group: str, stance: Defence, *, bad: int = 0) -> tuple[bool, bool]:
        """The accuracy check: whether it hits, and by a natural 20 (ARC-71 to ARC-73, ARC-87, ARC-91)."""
        state, other, me = self.state, self.state.fighters[target], self.actor
        good = me.dice("advantage") + sum(STATUSES[key].attackers == "advantage" for key in other.statuses)
        bad += me.dice("disadvantage") + int(stance.disadvantage) + int(not me.body.at_home_in_armour)
        thrown = throw(self.chance, f"ARC-71/accuracy/{label}", state.settings, good=good, bad=bad)
        bonus = accuracy(me.body, group, state.settings) + me.checks
        bonus += COVER.get(state.cover(target), 0) + sum(STATUSES[key].against for key in other.statuses)
        hit = hits(thrown.kept, bonus, stance.value, state.settings)
        rule = "ARC-72" if hit else "ARC-91" if thrown.kept == 1 else "ARC-77"
        number = self.tale.tell(
            ev.Struck(self.flight.who, target, self.flight.using, thrown.rolls, thrown.kept, bonus, stance.value,
                      stance.by, hit), rule=rule, because=(self.flight.number,),
        )  # fmt: skip
        self.on(target).because.append(number)
        return hit, hit and thrown.kept == 20

    def _dice(self, n: str, d: int, label: str) -> tuple[Roll, ...]:
        return tuple(self.chance.die(d, f"{label}/{number + 1}") for number in range(self._worth(n)))

    def _triggers(self, target: str, *, melee: bool) -> tuple[str, ...]:
        """What makes this a strike at somebody unwary, by rule (ARC-105 to ARC-107); prone ones are open from near."""
        state, me, other, who = self.state, self.actor, self.state.fighters[target], self.flight.who
        if target == who:
            return ()
        found: list[str] = []
        plain = other.turn.plain()
        attacks = [one for one in plain if one.do == "attack" or _hostile(one.spell)]
        casts = [one for one in plain if one.do in ("cast", "quickspell")]
        elsewhere = bool(attacks) and all(one.target != who for one in attacks)
        if me.unseen_by(target) or (elsewhere and behind(me.place, other.place, other.facing)):
            found.append("ARC-105")
        near = melee and within(me.place, other.place, CLOSE)
        if casts and near:
            found.append("ARC-106")
        away = any(one.target not in (who, target, "") for one in casts)
        if away and not self.flight.conditional and (near or state.settings.opportunity_2 == "any_distance"):
            found.append("ARC-107")
        if other.has("prone") and near:
            found.append("ARC-142")
        return tuple(found)

    def _harm(
        self, target: str, label: str, kind: str, dice: tuple[Roll, ...], fixed: int, rolled: int,
        triggers: tuple[str, ...], natural: bool, *, halved: bool = False, rider: bool = True,
    ) -> None:  # fmt: skip
        """Damage in the order of ARC-129, then the shields, then the rider (ARC-130)."""
        state, other = self.state, self.state.fighters[target]
        size, sneak = state.settings.critical_die, self.actor.body.sneak_times
        critical: tuple[Roll, ...] = ()
        fourfold = sneak if sneak and "ARC-105" in triggers else 0
        if rolled > 0 and triggers and not fourfold:
            critical += (self.chance.die(size, f"ARC-110/critical/{label}"),)
        if rolled > 0 and natural:
            critical += (self.chance.die(size, f"ARC-111/natural/{label}"),)
        by = (fourfold or 0) + (times(critical) if critical else 0) or 1
        resists, suffers = self._susceptible(other, kind)
        amount = damage(rolled, critical=by, halved=halved, resists=resists, suffers=suffers)
        points = sum(loan.amount for loan in other.loans if loan.stat == "shield") if DAMAGE[kind].shields else 0
        absorbed = min(amount, points)
        number = self.tale.tell(
            ev.Damaged(self.flight.who, target, self.flight.using, kind, dice, fixed, critical, triggers, halved,
                       amount, absorbed), rule="ARC-129" if not critical else "ARC-110",
            because=tuple(self.on(target).because[-1:]),
        )  # fmt: skip
        if absorbed:
            self.tale.tell(ev.Worn(target, "shield", absorbed), rule="ARC-164", because=(number,))
        on, left = self.on(target), amount - absorbed
        on.because.append(number)
        loss = split(left, kind, fp=other.fp - on.fp, undead=other.body.undead)
        on.harm, on.fp = on.harm + loss.hp, on.fp + loss.fp
        if left and DAMAGE[kind].erodes:
            worn = max(0, sum(one.block for one in other.body.worn) - other.armour_lost)
            if worn:
                self.tale.tell(ev.Worn(target, "armour", min(worn, left)), rule="ARC-170", because=(number,))
        table = DAMAGE[kind].rider
        if left and rider and table and state.settings.damage_riders == "on":
            self._rider(target, label, table)

    def _rider(self, target: str, label: str, table: Rider) -> None:
        roll = self.chance.die(table.die, f"ARC-130/rider/{label}")
        given = next((face for face in table.faces if face.first <= roll.face <= face.last), None)
        about = given.status if given else ""
        number = self.tale.tell(ev.Checked(target, "rider", (roll,), 0, 0, bool(given), about), rule="ARC-130")
        self.on(target).because.append(number)
        if given:
            cycles = given.cycles or STATUSES[given.status].cycles
            self.on(target).gained.append(ev.Gained(target, given.status, cycles, self.flight.using, rider=True))

    def _susceptible(self, other: Fighter, kind: str) -> tuple[int, int]:
        """Percent off and percent on (ARC-132)."""
        spell, body = self.flight.spell, other.body
        resists = body.resists.get(kind, 0) + sum(ARMOUR[one.id].resists.get(kind, 0) for one in body.worn)
        if spell is None and self.flight.weapon and self.flight.weapon.range and not self.flight.weapon.reach:
            resists = max(resists, *(one.resists.get("ranged_weapons", 0) for one in body.worn))
        if spell is not None:
            resists = max(resists, body.spell_resistance)
            if body.immune_below and LEVELS.index(spell.level) < LEVELS.index(body.immune_below):
                resists = 100
        suffers = body.suffers.get(kind, 0) + sum(STATUSES[key].suffers.get(kind, 0) for key in other.statuses)
        return min(100, resists), suffers

    # ------------------------------------------------------------------------------------------------- effects

    def _take_effect(self, spell: Spell, target: str, label: str, *, natural: bool) -> None:
        resisted = self._resist(spell, target, label) if spell.resist else ""
        if resisted == "negate":
            return
        if resisted == "root_1":
            self.on(target).gained.append(ev.Gained(target, "trapped", 1, spell.id))
            return
        if resisted == "fatigue_2":
            self.on(target).fp += 2
            return
        cured = any(isinstance(one, Cure) and one.instead_of_heal and self._ills(one, target) for one in spell.effect)
        for place, effect in enumerate(spell.effect):
            if isinstance(effect, Damage):
                self._spell_damage(spell, effect, place, target, label, natural, resisted)
            elif isinstance(effect, Heal):
                if not cured:
                    self._heal(effect, place, target, label)
            elif not (isinstance(effect, Gives) and resisted == "no_status"):
                self._other(spell, effect, target)

    def _spell_damage(
        self, spell: Spell, effect: Damage, place: int, target: str, label: str, natural: bool, resisted: str
    ) -> None:
        dice = self.shared.get(place, ())
        if not dice or not spell.shape.area:
            dice = self._dice(effect.n, effect.d, f"ARC-128/damage/{label}/{place + 1}")
            self.shared[place] = dice
        fixed = self._worth(effect.flat)
        rolled = sum(roll.face for roll in dice) + fixed
        own = any(isinstance(one, Gives) for one in spell.effect)
        triggers = self._triggers(target, melee=False) if spell.hostile else ()
        self._harm(target, f"{label}/{place + 1}", effect.type, dice, fixed, rolled, triggers, natural,
                   halved=resisted == "half", rider=not effect.no_rider and not own)  # fmt: skip

    def _resist(self, spell: Spell, target: str, label: str) -> str:
        """What a Resist that succeeded does; "" for none (ARC-124 to ARC-127)."""
        other, resist = self.state.fighters[target], spell.resist
        assert resist is not None
        limp = other.has("paralysed") or other.has("unconscious")
        if other.dead or other.turn.react.resist == "never" or other.fp < RESIST_PRICE:
            return ""
        if limp and resist.attr in ("ATH", "FIN"):
            return ""
        good = int(self.flight.do == "quickspell" and spell.accuracy == "none") + other.dice("advantage")
        thrown = throw(self.chance, f"ARC-124/resist/{label}", self.state.settings, good=good)
        bonus = other.body.mod(resist.attr) + other.body.bonus(resist.prof) + other.checks - other.resists
        value = self.actor.body.resist_dv
        ok = thrown.kept + bonus >= value
        number = self.tale.tell(
            ev.Resisted(target, spell.id, thrown.rolls, bonus, value, ok), rule="ARC-124", because=(self.flight.number,)
        )
        if ok:
            self.tale.tell(ev.Paid(target, RESIST_PRICE), rule="ARC-125", because=(number,))
        return resist.on_success if ok else ""

    def _ills(self, cure: Cure, target: str) -> set[str]:
        has = self.state.fighters[target].statuses
        wanted = set(cure.ids)
        if cure.group == "minor":
            wanted |= {key for key in has if STATUSES[key].minor}
        elif cure.group == "ills":
            wanted |= {key for key in has if STATUSES[key].family}
        return wanted & set(has)

    def _heal(self, effect: Heal, place: int, target: str, label: str) -> None:
        dice = self._dice(effect.n, effect.d, f"ARC-134/heal/{label}/{place + 1}")
        fixed = self._worth(effect.flat)
        amount = sum(roll.face for roll in dice) + fixed
        number = self.tale.tell(
            ev.Healed(self.flight.who, target, self.flight.using, dice, fixed, amount), rule="ARC-134",
            because=(self.flight.number,),
        )  # fmt: skip
        self.on(target).because.append(number)
        self.on(target).healing.append(Healing(amount=amount, ceiling=effect.ceiling_if_injured))

    def _other(self, spell: Spell, effect: Effect, target: str) -> None:
        on = self.on(target)
        match effect:
            case Gives():
                value = self._worth(effect.extra_fp) or (self.actor.body.resist_dv if effect.shake_off else 0)
                cycles = self._worth(effect.cycles)
                on.gained.append(ev.Gained(target, effect.id, cycles, spell.id, value))
            case Push():
                on.pushes.append((self.flight.who, 100 * self._worth(effect.metres)))
            case Cure():
                on.cures |= self._ills(effect, target)
            case Replace():
                if self.state.fighters[target].has(effect.old):
                    on.ended.append(effect.old)
                    on.gained.append(ev.Gained(target, effect.new, 0, spell.id))
            case Bonus(stat="block" | "dodge"):
                stat = "block" if effect.stat == "block" else "dodge"
                self.tale.tell(
                    ev.Lent(target, stat, self._worth(effect.amount), self._worth(effect.cycles), spell.id),
                    rule="ARC-78",
                )
            case Absorb():
                points, cycles = self._worth(effect.points), self._worth(effect.cycles)
                self.tale.tell(ev.Lent(target, "shield", points, cycles, spell.id), rule="ARC-164")
            case Described():
                self.tale.tell(ev.Described(self.flight.who, target, effect.words), rule="ARC-161")
            case Missiles():
                pass
            case _:
                words = f"{spell.name}: {effect.op.replace('_', ' ')} is for the GM to say."
                self.tale.tell(ev.Described(self.flight.who, target, words), rule="ARC-161")


def _hostile(key: str) -> bool:
    return key in SPELLS and SPELLS[key].hostile
