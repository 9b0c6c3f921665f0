"""Launches actions over several cycles: maintains a Focus, begins or continues a task (ARC-27, ARC-157)."""

from collections.abc import Mapping

from app.engine.chance import Chance
from app.rulesets.arcana.effects import concentration
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.tasks import CONTINUE, MAINTAIN, What, majors, name_of, what_of
from app.rulesets.arcana.phases import launch as plain
from app.rulesets.arcana.rules.rulings import Ruling

RULES: Mapping[What, str] = {
    "book": "ARC-155", "ritual": "ARC-159", "don": "ARC-27", "custom": "ARC-27", "aim": "ARC-166",
}  # fmt: skip


def launch(
    log: FightLog, who: str, slot: int, action: Action, chance: Chance, *, conditional: bool = False,
    because: tuple[int, ...] = (),
) -> str:  # fmt: skip
    """Launches an action of one or several cycles; returns "" or why it failed, which is in the log already."""
    if action.do == MAINTAIN:
        return _maintain(log, who, slot, chance)
    if action.do == CONTINUE:
        return _go_on(log, who, slot, chance)
    what = what_of(action, log.state.spell(action.spell))
    if what is not None:
        return _begin(log, who, slot, what, action, chance, because)
    return plain.launch(log, who, slot, action, chance, conditional=conditional, because=because)


def _maintain(log: FightLog, who: str, slot: int, chance: Chance) -> str:
    """Lands a Focus again, without a check, at its price; one that cannot be kept up ends (ARC-157)."""
    one = log.state.fighters[who]
    focus = one.focus
    if focus is None:
        log.emit(ev.Void(who, MAINTAIN, "has nothing to keep up"), rule="ARC-157", because=one.said)
        return "has nothing to keep up"
    note = plain.launch(log, who, slot, focus.action, chance, held=True)
    if note:
        concentration.drop(log, who, note)
    return note


def _begin(
    log: FightLog, who: str, slot: int, what: What, action: Action, chance: Chance, because: tuple[int, ...]
) -> str:
    """The first of several majors; its target is judged with the last one (ARC-27, ARC-155, ARC-159)."""
    state, one = log.state, log.state.fighters[who]
    spell, weapon = state.spell(action.spell), one.body.weapons.get(action.weapon)
    reason = plain.hindered(one, action, spell) or ("reels" if one.reels else "")
    if reason:
        log.emit(ev.Void(who, action.do, plain.ASK[reason]), rule=RULES[what], because=because or one.said)
        return plain.ASK[reason]
    cycles = majors(what, action, spell, weapon)
    if what == "custom":
        cycles = state.rulings.get(f"length/{who}", Ruling(yes=True)).value or cycles
    begun = ev.Begun(who, action.target, what, action, cycles)
    number = log.emit(begun, rule=RULES[what], because=because or one.said)
    return _finish(log, who, slot, what, action, chance, number) if cycles == 1 else ""


def _go_on(log: FightLog, who: str, slot: int, chance: Chance) -> str:
    """Another major of a task; the last one completes it (ARC-27)."""
    one = log.state.fighters[who]
    task = one.task
    if task is None:
        log.emit(ev.Void(who, CONTINUE, "has begun nothing"), rule="ARC-27", because=one.said)
        return "has begun nothing"
    reason = plain.hindered(one, task.action, log.state.spell(task.action.spell)) or ("reels" if one.reels else "")
    if reason:
        number = log.emit(ev.Void(who, CONTINUE, plain.ASK[reason]), rule=RULES[task.what], because=one.said)
        concentration.abort(log, who, plain.ASK[reason], (number,))
        return plain.ASK[reason]
    done = min(task.done + 1, task.cycles)
    went = ev.Went(who, task.what, name_of(task), done, task.cycles)
    number = log.emit(went, rule=RULES[task.what], because=one.said)
    return _finish(log, who, slot, task.what, task.action, chance, number) if done == task.cycles else ""


def _finish(log: FightLog, who: str, slot: int, what: What, action: Action, chance: Chance, number: int) -> str:
    """The effect of a task's last major."""
    if what == "don":
        log.emit(ev.Donned(who, action.item), rule="ARC-27", because=(number,))
    elif what != "aim":
        note = plain.launch(log, who, slot, action, chance, because=(number,))
        if not note and action.book:
            _studied(log, who, action.spell, number)
        return note
    return ""


def _studied(log: FightLog, who: str, spell: str, number: int) -> None:
    """Counts a cast from a book; after enough of them the spell is known by heart (ARC-155)."""
    body = log.state.fighters[who].body
    uses = body.studied.get(spell, 0) + 1
    by_heart = uses >= body.uses_to_learn and spell not in body.spells
    log.emit(ev.Learnt(who, spell, uses, by_heart), rule="ARC-155", because=(number,))
