"""Phase 5, the end of a cycle: recurring harm, then durations and FP (ARC-22)."""

from app.engine.chance import Chance, Roll
from app.rulesets.arcana.effects import resisting, stealth
from app.rulesets.arcana.effects.batch import Pending, change
from app.rulesets.arcana.effects.hit_damage import Hurting
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.flight import Flight
from app.rulesets.arcana.fight.lingering import Remain
from app.rulesets.arcana.fight.roll_parts import ills, skill, swayed, total
from app.rulesets.arcana.fight.skills import rank
from app.rulesets.arcana.fight.state import Fighter, Held, State
from app.rulesets.arcana.rules.amounts import worth
from app.rulesets.arcana.rules.book import STATUSES, Damage

Rolled = dict[tuple[str, int], tuple[Roll, ...]]
REGAIN = 2  # ARC-139
MEDITATION = 2  # a rank (ARC-174)
STAMINA = 15  # the value that an exhausted combatant has to reach


def end(log: FightLog, chance: Chance) -> None:
    """Ends a cycle: recurring harm, together for each combatant; checks; FP for those who spent none; durations."""
    state, before = log.state, stealth.health(log.state)
    shared: Rolled = {}
    for who, one in state.fighters.items():
        if not one.dead:
            _harm(log, who, one, shared, chance)
    stealth.hurt(log, before, chance)
    for who, one in state.fighters.items():
        if not one.dead:
            _checks(log, who, one, chance)
    for who, one in state.fighters.items():
        if one.dead or one.paid:
            continue
        stopped = one.tires or any(STATUSES[key].no_regain and not _spent(state, held)
                                   for key, held in one.statuses.items())  # fmt: skip
        back = min(REGAIN + MEDITATION * rank(one.body, "meditation"), one.body.fp_max - one.fp)
        if not stopped and back > 0:
            log.emit(ev.Rested(who, back), rule="ARC-139")
    for who, one in state.fighters.items():
        if not one.dead:
            _over(log, who, one)
    for who, one in state.fighters.items():
        if not one.dead:
            _run_out(log, who, one)
    log.emit(ev.Ticked(state.cycle), rule="ARC-22")


def _spent(state: State, held: Held) -> bool:
    """Whether this was the status's last cycle: durations fall before FP are regained (ARC-22)."""
    return held.left == 1 and held.since < state.cycle


def _harm(log: FightLog, who: str, one: Fighter, shared: Rolled, chance: Chance) -> None:
    """Burns, poison, bleeding, and lingering effects on a combatant or its place (ARC-22)."""
    state = log.state
    if not state.remains and not one.statuses:
        return
    pending: dict[str, Pending] = {}
    for left in state.remains:
        here = left.who == who or (not left.who and left.covers(one.place) and not _sheltered(log, who, left))
        if left.effects and left.since < state.cycle and here:
            Lingering(log, left, chance, pending, shared).go(who)
    old = {key: STATUSES[key] for key, held in one.statuses.items() if held.since < state.cycle}
    hp = sum(status.loses.hp for status in old.values()) + int("critical" in old)
    fp = sum(status.loses.fp for status in old.values())
    on = pending.pop(who, Pending())
    numbers = list(on.because)
    if hp or fp:
        because = tuple(sorted(key for key, status in old.items() if key == "critical" or status.loses.hp or
                               status.loses.fp))  # fmt: skip
        numbers.append(log.emit(ev.Bled(who, hp, fp, because), rule="ARC-22"))
    change(log, who, hp + on.harm, fp + on.fp, (), tuple(sorted(set(numbers))))
    for key, other in sorted(pending.items()):  # a failed shield passes half of the excess to its caster
        if not state.fighters[key].dead:
            change(log, key, other.harm, other.fp, (), tuple(sorted(set(other.because))))


def _sheltered(log: FightLog, who: str, left: Remain) -> bool:
    return left.at is not None and log.state.sheltered(who, left.at)


class Lingering(Hurting):
    """Recurring harm of a lingering effect: without accuracy, Resist or rider (ARC-22, ARC-129)."""

    def __init__(
        self, log: FightLog, left: Remain, chance: Chance, pending: dict[str, Pending],
        shared: Rolled,
    ) -> None:  # fmt: skip
        caster = left.by if left.by in log.state.fighters else next(iter(log.state.fighters))
        action = Action(do="cast", spell=left.spell, pp=left.pp)
        flight = Flight(who=caster, slot=0, do="cast", action=action, conditional=True, distance2=0, using=left.spell)
        super().__init__(log, flight, chance, pending)
        self.left, self.rolled = left, shared

    def go(self, who: str) -> None:
        left, spell = self.left, self.spell
        for place in left.effects:
            effect = spell.effect[place] if spell is not None and place < len(spell.effect) else None
            if not isinstance(effect, Damage):
                continue
            label = f"ARC-22/again/{left.key}/{place + 1}"
            dice = self.rolled.get((left.key, place))
            if dice is None:
                count = worth(effect.n, pp=left.pp, level=left.level)
                dice = tuple(self.chance.die(effect.d, f"{label}/{n}") for n in range(1, count + 1))
                self.rolled[left.key, place] = dice
            fixed = worth(effect.flat, pp=left.pp, level=left.level)
            rolled = max(0, sum(roll.face for roll in dice) + fixed)
            self._harm(who, f"{label}>{who}", effect.type, dice, fixed, rolled, (), False, halved=left.halved,
                       rider=False)  # fmt: skip


def _checks(log: FightLog, who: str, one: Fighter, chance: Chance) -> None:
    """Exhaustion, and repeated Resists; not in the cycle in which the status came (ARC-22, ARC-144)."""
    state = log.state
    if not one.statuses:
        return
    old = {key: held for key, held in one.statuses.items() if held.since < state.cycle}
    if any(STATUSES[key].tires for key in old):
        thrown, ways = swayed(one, chance, f"ARC-142/exhausted/{who}", state.settings)
        parts = (*skill(one.body, "SPR", "Endurance"), *ills(one))
        ok = thrown.kept + total(parts) >= STAMINA
        checked = ev.Checked(who, "exhausted", thrown.rolls, total(parts), STAMINA, ok, "", thrown.kept, parts, ways)
        log.emit(checked, rule="ARC-142")
    for key, held in sorted(old.items()):
        spell = state.spell(held.source)
        if held.shake != "end" or not held.value or spell is None or not resisting.resists(one, spell):
            continue
        label = f"ARC-144/again/{who}/{key}"
        if resisting.roll(log, who, spell.id, spell.resist, held.value, label, chance, rule="ARC-144"):
            log.emit(ev.Ended(who, key), rule="ARC-144")


def _over(log: FightLog, who: str, one: Fighter) -> None:
    """Statuses that follow a loan, and deaths after a delay (ARC-142)."""
    state = log.state
    if not one.loans and not one.statuses:
        return
    for loan in list(one.loans):
        if loan.after and loan.left == 1 and loan.since < state.cycle:
            log.emit(ev.Gained(who, loan.after, 1, loan.source), rule="ARC-142")
    for key, held in list(one.statuses.items()):
        late = STATUSES[key].dies_after
        if late and state.cycle - held.since >= late and not one.dead:
            changed = ev.Changed(who, one.hp, one.fp, "dead", hp_before=one.hp, fp_before=one.fp)
            log.emit(changed, rule="ARC-142")


def _run_out(log: FightLog, who: str, one: Fighter) -> None:
    """Statuses and loans that end with this cycle, for those who can see the combatant (ARC-22)."""
    cycle = log.state.cycle
    for key, held in sorted(one.statuses.items()):
        if held.left == 1 and held.since < cycle:
            log.emit(ev.Ended(who, key, over=True), rule="ARC-22")
    for source in sorted({loan.source for loan in one.loans if loan.left == 1 and loan.since < cycle}):
        log.emit(ev.Lapsed(who, "", source, over=True), rule="ARC-22")
