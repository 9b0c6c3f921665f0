"""Morale of groups, leaders and lone foes, right after the action that shook them (SKI-72 to SKI-77)."""

from collections.abc import Collection, Mapping
from typing import Literal

from app.engine.chance import Chance
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight.odds import saved
from app.rulesets.skirmish.fight.state import FALLEN, Combatant, FightLog, Group, State, group_of

Trigger = Literal["first", "half", "both", "lone", "brutal"]


def at_zero(state: State) -> dict[str, str]:
    """Who has no HP left or takes no more part, with what became of them."""
    return {c.key: c.status for c in state.combatants.values() if not c.hp or c.status}


def check(log: FightLog, chance: Chance, before: Mapping[str, str], since: int) -> None:
    """Checks every group; `before` is `at_zero` before the action, `since` the number of the event that began it."""
    if before == at_zero(log.state):
        return  # nobody fell, and nobody lost the last HP
    for group in list(log.state.groups.values()):
        trigger = _trigger(log.state, group, before)
        if trigger:
            _save(log, chance, group, trigger, (since,))


def forced(log: FightLog, chance: Chance, victim: str, since: int) -> None:
    """A Brutal kill shakes the victim's group whatever has come before (SKI-85)."""
    group = log.state.groups.get(group_of(log.state.combatants[victim]))
    if group is not None:
        _save(log, chance, group, "brutal", (since,), f"brutal-{victim}")


def members(state: State, group: Group) -> list[Combatant]:
    """Those of a group who are or were in sight, in roster order."""
    return [c for c in state.combatants.values() if group_of(c) == group.key and not c.hidden]


def _trigger(state: State, group: Group, before: Collection[str]) -> Trigger | None:
    """A group's first casualty and the loss of half its number; of a group of one, its last HP (SKI-73, SKI-75)."""
    there = members(state, group)
    if group.start == 1:
        alone = there[0] if there else None
        fresh = alone is not None and alone.able and alone.hp == 0 and alone.key not in before
        return "lone" if fresh and "lone" not in group.triggers else None
    lost = sum(c.status in FALLEN for c in there)
    first = lost >= 1 and "first" not in group.triggers
    half = 2 * lost >= group.start and lost and "half" not in group.triggers
    return "both" if first and half else "first" if first else "half" if half else None


def _save(
    log: FightLog, chance: Chance, group: Group, trigger: Trigger, because: tuple[int, ...], label: str = ""
) -> None:
    """Each able member saves; in a structured group the leader saves for all while able (SKI-74)."""
    able = [c for c in members(log.state, group) if c.able and c.key not in log.state.now.wavering]
    names = tuple(c.key for c in able)
    number = log.emit(ev.Shaken(group.key, group.side, trigger, names), rule="SKI-72", because=because)
    leader = next((c for c in able if c.leader), None)
    for who in [leader] if leader is not None else able:
        roll = chance.die(20, f"SKI-72/morale/{label or trigger}/{who.key}")
        passed = saved(who.wil, roll.face)
        event = ev.Saved(who.key, "morale", "wil", who.wil, roll, passed, leads=group.name if leader else "")
        told = log.emit(event, rule="SKI-74", because=(number,))
        if not passed:
            for one in able if leader is not None else [who]:
                log.emit(ev.Wavered(one.key), rule="SKI-76", because=(told,))
