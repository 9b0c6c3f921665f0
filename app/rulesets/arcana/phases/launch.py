"""Launches actions and counterspells: judges reach, sight and FP, rolls the casting die (ledger 1.4, 3-II)."""

from dataclasses import replace

from app.engine.chance import Chance
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.casting import casting, price, school, upkeep
from app.rulesets.arcana.fight.counterspells import aimed_at
from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.facing import at_launch
from app.rulesets.arcana.fight.flight import Flight
from app.rulesets.arcana.fight.roll_parts import swayed, total
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.fight.targeting import ASK, BOLT, Aim, find_aim, hindered
from app.rulesets.arcana.rules.book import (
    SCHOOL_DIE,
    Spell,
)
from app.rulesets.arcana.rules.grid import gap2

COUNTER_SLOT = 0
BEFORE = -1  # a key below every distance


def launch(
    log: FightLog, who: str, slot: int, action: Action, chance: Chance, *, conditional: bool = False,
    because: tuple[int, ...] = (), held: bool = False,
) -> str:  # fmt: skip
    """Launches an action; returns "" or why it failed, which is in the log already (ARC-19). A failed spell costs half.

    `held`: a Focus that is kept up, without a check and at its upkeep (ARC-157).
    """
    one = log.state.fighters[who]
    because = because or one.said
    spell = log.state.spell(action.spell) if action.do in ("cast", "quickspell") else None
    reason = hindered(one, action, spell, held=held)
    if not reason and one.reels:
        action, reason = _reeling(log.state, one, action, spell)
    aim: Aim | str = reason or find_aim(log.state, who, action, spell)
    if isinstance(aim, str):
        void = ev.Void(who, action.do, ASK[aim], guarded=conditional)
        log.emit(void, rule="ARC-51" if conditional else "ARC-19", because=because)
        return ASK[aim]
    if slot != COUNTER_SLOT:
        at_launch(log, who, action)
    came_to = 0
    if spell is not None:
        cost = upkeep(one, spell, action.pp) if held else price(one, spell, action.pp, book=action.book)
        if one.fp < cost:
            log.emit(ev.Void(who, action.do, ASK["fp"], guarded=conditional), rule="ARC-152", because=because)
            return ASK["fp"]
        if held:
            number = log.emit(ev.Paid(who, cost), rule="ARC-157", because=because)
        else:
            ok, number, came_to = _cast(log, who, slot, spell, action, chance, because, cost, guarded=conditional)
            if not ok:
                return "the spell fails"
        because = (number,)
    using = spell.id if spell else aim.weapon.id if aim.weapon else action.item
    number = 0
    for part in _parted(aim):
        number = _launched(log, who, action, using, part, because, guarded=conditional)
        distance2 = BEFORE if slot == COUNTER_SLOT else part.distance2
        arrives, tag = _late(log.state, f"{who}/{slot}", distance2, spell)
        flight = Flight(
            who=who, slot=slot, do=action.do, action=action, conditional=conditional, targets=part.targets,
            using=using, distance2=distance2, unaware=_unaware(log.state, who), held=held, blind=part.blind,
            count=part.count, total=came_to, sure=part.sure, arrives=arrives, tag=tag, key=(distance2, 0),
            number=number,
        )  # fmt: skip
        log.emit(ev.Aloft(flight), rule="ARC-12", because=(number,))
    if spell is not None and spell.kind == "focus" and not held:
        once = action.model_copy(update={"do": "cast"})
        log.emit(ev.Focused(who, action.target, once), rule="ARC-157", because=(number,))
    return ""


def counter(log: FightLog, who: str, spell: str, chance: Chance) -> None:
    """Launches a named counterspell as a quickspell, on its owner or the nearest attacker. If no attacker is able to
    act any more, it is void (ARC-56)."""
    state, target, named = log.state, who, log.state.spell(spell)
    aiming = [key for key in state.fighters if aimed_at(state, who, key)]
    if not aiming:
        log.emit(ev.Void(who, "counterspell", ASK["unaimed"]), rule="ARC-56", because=state.fighters[who].said)
        return
    if named is not None and named.hostile:
        place = state.fighters[who].place
        target = min(aiming, key=lambda key: (gap2(place, state.fighters[key].place), key))
    launch(log, who, COUNTER_SLOT, Action(do="quickspell", spell=spell, target=target), chance)


def _late(state: State, label: str, distance2: int, spell: Spell | None) -> tuple[int, str]:
    """The cycle in which a flight lands and its label; 0 and "": this cycle. A bolt flies 100 m a cycle (ARC-18)."""
    cycles = 0
    while spell is not None and spell.shape.form == "bolt" and distance2 > (BOLT * (cycles + 1)) ** 2:
        cycles += 1
    return (state.cycle + cycles, f"{label}/c{state.cycle}") if cycles else (0, "")


def _unaware(state: State, who: str) -> tuple[str, ...]:
    """Enemies unaware of a combatant: it hides from them, or the GM marked them in an ambush (ARC-11, ARC-105)."""
    marked = state.unaware if state.cycle == 1 and state.settings.surprise == "hold" else ()
    if who not in state.hiders and not marked:
        return ()
    return tuple(key for key in state.enemies(who) if key in marked or state.unseen(who, key))


def _launched(
    log: FightLog, who: str, action: Action, using: str, aim: Aim, because: tuple[int, ...], *, guarded: bool
) -> int:
    """Emits a launch without the targets it may meet; those are secret (ARC-101)."""
    target = (action.target if not action.split else aim.targets[0][0]) or (aim.targets[0][0] if aim.seen else "")
    at = None if target else action.at
    far = aim.distance2 if at is None else gap2(log.state.fighters[who].place, at)
    launched = ev.Launched(who, action.do, using, target, far, at, guarded=guarded)
    return log.emit(launched, rule="ARC-12", because=because)


def _reeling(state: State, one: Fighter, action: Action, spell: Spell | None) -> tuple[Action, str]:
    """A confused combatant's action fails, or its target or place is replaced (ARC-145)."""
    if one.reels == "fails" or not (action.target or action.at or action.split):
        return action, "reels"
    place = state.fighters[one.reels].place if spell is not None and spell.shape.at == "point" else None
    turned = "" if place is not None else one.reels
    return action.model_copy(update={"target": turned, "at": place, "split": ()}), ""


def _parted(aim: Aim) -> list[Aim]:
    """Missiles at several targets fly separately (ARC-163)."""
    if not aim.shares:
        return [aim]
    return [
        replace(aim, distance2=far, targets=((key, far),), count=count)
        for (key, far), count in zip(aim.targets, aim.shares, strict=True)
    ]


def _cast(
    log: FightLog, who: str, slot: int, spell: Spell, action: Action, chance: Chance, because: tuple[int, ...],
    cost: int, *, guarded: bool,
) -> tuple[bool, int, int]:  # fmt: skip
    """Rolls the casting check; returns success, event and total. Failure costs half, rounded up (ARC-148, ARC-153)."""
    one = log.state.fighters[who]
    size = SCHOOL_DIE[school(one, spell)]
    thrown, ways = swayed(one, chance, f"ARC-148/cast/{who}/{slot}", log.state.settings, size=size)
    parts = casting(one, spell)
    bonus, value = total(parts), spell.dv + action.pp
    ok = thrown.kept + bonus >= value
    checked = ev.Checked(
        who, "casting", thrown.rolls, bonus, value, ok, spell.id, thrown.kept, parts, ways, guarded=guarded
    )
    number = log.emit(checked, rule="ARC-148", because=because)
    paid = cost if ok else (cost + 1) // 2
    log.emit(ev.Paid(who, paid), rule="ARC-152" if ok else "ARC-153", because=(number,))
    return ok, number, thrown.kept + bonus
