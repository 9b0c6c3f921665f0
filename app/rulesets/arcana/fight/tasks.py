"""Actions over several cycles: a Focus, and tasks that take several majors (ARC-27, ARC-157)."""

from dataclasses import dataclass
from typing import Literal

from app.rulesets.arcana.fight.declarations import Action, Turn
from app.rulesets.arcana.rules.book import ARMOUR, Spell, Weapon

MAINTAIN, CONTINUE = "maintain", "continue"
DON = {"clothing": 2, "light": 4, "medium": 10, "heavy": 20}  # cycles (ARC-27)
BOOK = 2  # majors in a row (ARC-155)

What = Literal["book", "ritual", "don", "aim", "custom"]


@dataclass(slots=True)
class Focus:
    """A Focus: its spell, as first cast; `since` is the cycle in which it came up (ARC-157)."""

    spell: str
    action: Action
    since: int


@dataclass(slots=True)
class Task:
    """Consecutive majors: `done` of `cycles`, all for one `action` (ARC-27)."""

    what: What
    action: Action
    done: int
    cycles: int


def what_of(action: Action, spell: Spell | None) -> What | None:
    """Returns the kind of task an action begins; None: it is done within the cycle."""
    match action.do:
        case "cast" if spell is not None and spell.kind == "ritual":
            return "ritual"
        case "cast" if action.book:
            return "book"
        case "custom" if action.cycles > 1:
            return "custom"
        case "don":
            return "don"
        case "aim":
            return "aim"
        case _:
            return None


def majors(what: What, action: Action, spell: Spell | None, weapon: Weapon | None) -> int:
    """Returns how many majors in a row a task takes."""
    match what:
        case "ritual":
            return max(spell.cycles if spell is not None else 0, BOOK if action.book else 1)
        case "book":
            return BOOK
        case "don":
            return DON[ARMOUR[action.item].group]
        case "aim":
            return max((aim.cycles for aim in weapon.aims), default=1) if weapon is not None else 1
        case _:
            return action.cycles


def accurate(task: Task | None, weapon: Weapon, *, prone: bool) -> int:
    """Returns the accurate range of a weapon after this much aiming, in cm (ARC-166)."""
    if not weapon.aims:
        return round(100 * weapon.range)
    done = task.done if task is not None and task.what == "aim" and task.action.weapon == weapon.id else 0
    far = [aim.range for aim in weapon.aims if done >= aim.cycles and (prone or not aim.prone)]
    return round(100 * max([weapon.range, *far]))


def name_of(task: Task) -> str:
    """Returns the id of a task's spell, item or weapon, or its words."""
    action = task.action
    return action.spell or action.item or action.weapon or action.words


def shown(focus: Focus | None) -> Focus | None:
    """Returns a Focus as everyone sees it, without its target, who may be hidden."""
    return None if focus is None else Focus(focus.spell, Action(do="cast", spell=focus.spell), focus.since)


def kept_up(focus: Focus | None, turn: Turn) -> bool:
    """Whether a declaration keeps up this Focus (ARC-157)."""
    maintains = turn.major is not None and turn.major.do == MAINTAIN
    return focus is not None and maintains and turn.when is None and not turn.free.drop_focus


def gone_on(task: Task | None, turn: Turn) -> bool:
    """Whether a declaration continues this task: by `continue`, or by the same action again (ARC-27)."""
    if task is None or turn.major is None or turn.when is not None:
        return False
    return turn.major.do == CONTINUE or turn.major == task.action


def lands_now(task: Task | None, action: Action, spell: Spell | None) -> bool:
    """Whether a spell takes effect in this cycle: not while it is still being read or performed."""
    if action.do == CONTINUE:
        return task is not None and task.what in ("book", "ritual") and task.done + 1 >= task.cycles
    if action.do not in ("cast", "quickspell", MAINTAIN):
        return False
    what = what_of(action, spell)
    return what is None or majors(what, action, spell, None) == 1


def ends_custom(task: Task | None, action: Action) -> bool:
    """Whether an improvised action is completed in this cycle."""
    return action.do == CONTINUE and task is not None and task.what == "custom" and task.done + 1 >= task.cycles


def aimed(task: Task | None, turn: Turn) -> bool:
    """Whether a declaration shoots the aimed weapon, with or without a condition."""
    if task is None or task.what != "aim" or turn.major is None:
        return False
    return turn.major.do == "attack" and turn.major.weapon == task.action.weapon
