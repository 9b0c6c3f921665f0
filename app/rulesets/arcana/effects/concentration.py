"""Whether a Focus or a task continues: dropped at the reveal, lost by inability to act, shaken by harm (ARC-158)."""

from collections.abc import Mapping

from app.engine.chance import Chance
from app.rulesets.arcana.effects.batch import Pending, change
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import Turn
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.roll_parts import ills, only, skill, swayed, total
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.fight.tasks import CONTINUE, MAINTAIN, Focus, aimed, gone_on, kept_up, name_of
from app.rulesets.arcana.rules.amounts import worth
from app.rulesets.arcana.rules.book import Gives, Spell, Throw

KEEP = 10  # the value to reach to keep a Focus
LETS_GO = "lets it go"
UNABLE = "cannot act"
NO_FOCUS = "cannot hold a Focus"
HURT = "is hurt"


def filled(state: State, who: str, turn: Turn) -> Turn:
    """Returns a declaration as it is revealed: a continued Focus or task has its spell and target filled in."""
    one = state.fighters[who]
    if one.focus is not None and kept_up(one.focus, turn):
        do, action = MAINTAIN, one.focus.action
    elif one.task is not None and gone_on(one.task, turn):
        do, action = CONTINUE, one.task.action
    else:
        return turn
    lost = action.target in state.fighters and state.unseen(action.target, who)
    major = action.model_copy(update={"do": do, "target": "" if lost else action.target})
    return turn.model_copy(update={"major": major})


def at_the_reveal(log: FightLog) -> None:
    """Ends the Focus or task of combatants who cannot act or declared something else (ARC-27, ARC-157)."""
    for who, one in log.state.fighters.items():
        if one.focus is not None and not kept_up(one.focus, one.turn):
            drop(log, who, LETS_GO if one.able else UNABLE, one.said)
        if one.task is not None and not gone_on(one.task, one.turn) and not aimed(one.task, one.turn):
            abort(log, who, LETS_GO if one.able else UNABLE, one.said)


def after(log: FightLog, pending: Mapping[str, Pending], label: str, chance: Chance) -> None:
    """After a batch: ends the Focus or task of those unable to act; those hurt check whether they keep it (ARC-158)."""
    for who in sorted(pending):
        one = log.state.fighters[who]
        _lapse(log, who, one)
        if pending[who].harm > 0 and (about := _shaky(one)):
            _shaken(log, who, about, label, chance)


def lapse(log: FightLog) -> None:
    """At the end of a cycle: ends the Focus or task of those who cannot act."""
    for who, one in log.state.fighters.items():
        _lapse(log, who, one)


def _lapse(log: FightLog, who: str, one: Fighter) -> None:
    if one.focus is None and one.task is None:
        return
    if not one.able:
        drop(log, who, UNABLE)
        abort(log, who, UNABLE)
    elif one.forbidden("focus"):
        drop(log, who, NO_FOCUS)


def _shaky(one: Fighter) -> str:
    """The spell that harm may end: a Focus, or an unfinished ritual (ARC-158, ARC-159)."""
    if one.focus is not None:
        return one.focus.spell
    task = one.task
    return task.action.spell if task is not None and task.what == "ritual" and task.done < task.cycles else ""


def _shaken(log: FightLog, who: str, about: str, label: str, chance: Chance) -> None:
    state, one = log.state, log.state.fighters[who]
    focussed = only(("Focussed Caster", one.body.skills.get("focussed_caster", 0) and 1))
    thrown, ways = swayed(one, chance, f"ARC-158/keep/{who}/{label}", state.settings, focussed)
    parts = (*skill(one.body, "SPR", "Willpower"), *ills(one))
    ok = thrown.kept + total(parts) >= KEEP
    number = log.emit(
        ev.Checked(who, "keep", thrown.rolls, total(parts), KEEP, ok, about, thrown.kept, parts, ways),
        rule="ARC-158",
    )  # fmt: skip
    if ok:
        return
    drop(log, who, HURT, (number,))
    abort(log, who, HURT, (number,), again=True)


def abort(log: FightLog, who: str, why: str, because: tuple[int, ...] = (), *, again: bool = False) -> None:
    """Ends an unfinished task and its progress; `again`: it has to start again (ARC-27, ARC-159)."""
    task = log.state.fighters[who].task
    if task is not None and (task.done < task.cycles or task.what == "aim"):
        rule = "ARC-159" if again else "ARC-27"
        log.emit(ev.Broke(who, task.what, name_of(task), why, again), rule=rule, because=because)


def drop(log: FightLog, who: str, why: str, because: tuple[int, ...] = ()) -> None:
    """Ends a Focus with everything that lasts only as long; its flights in the air are lost (ARC-158)."""
    state = log.state
    focus = state.fighters[who].focus
    if focus is None:
        return
    number = log.emit(ev.Broke(who, "focus", focus.spell, why), rule="ARC-158", because=because)
    spell = state.spell(focus.spell)
    for key in held(spell) if spell is not None else ():
        for target, other in state.fighters.items():
            mine = focus.action.target in ("", target) and key in other.statuses
            if mine and other.statuses[key].source == focus.spell:
                log.emit(ev.Ended(target, key), rule="ARC-157", because=(number,))
                if why != LETS_GO:
                    _falls(log, who, target, focus, number)


def _falls(log: FightLog, who: str, target: str, focus: Focus, number: int) -> None:
    """A target in the air falls when its Focus is broken off (ARC-157)."""
    spell, level = log.state.spell(focus.spell), log.state.fighters[who].body.level
    for one in spell.effect if spell is not None else ():
        amount = worth(one.broken, pp=focus.action.pp, level=level) if isinstance(one, Throw) else 0
        if amount > 0 and not log.state.fighters[target].dead:
            told = ev.Damaged(who, target, focus.spell, "bludgeoning", (), amount, (), (), False, amount)
            change(log, target, amount, 0, (), (log.emit(told, rule="ARC-157", because=(number,)),))


def held(spell: Spell) -> list[str]:
    """Returns the statuses that last as long as this spell is held."""
    return [one.id for one in spell.effect if isinstance(one, Gives) and one.until == "held"]
