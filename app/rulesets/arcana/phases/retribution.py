"""Instinctive Retribution: all attacks on a combatant hit, and it strikes one attacker once more (ARC-174)."""

from app.engine.chance import Chance
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.fight.targeting import aim_at, farthest
from app.rulesets.arcana.phases.multi_cycle import launch
from app.rulesets.arcana.rules.grid import gap2

IN_VAIN = "nobody of those who attacked can be reached"


def due(state: State) -> dict[str, Action]:
    """Returns the retributions due, by combatant: once it was attacked from within its reach (phase 4)."""
    found = {}
    for who, one in state.fighters.items():
        target = _chosen(state, who) if one.gives_in and one.able and not one.struck_back else ""
        if target and one.turn.back is not None:
            found[who] = one.turn.back.model_copy(update={"target": target, "at": None})
    return found


def _chosen(state: State, who: str) -> str:
    """The target among attackers in reach: the named one, else the nearest, then by id; "": none."""
    one = state.fighters[who]
    assert one.turn.back is not None
    far = farthest(one, one.turn.back.weapon)
    near = [
        (gap2(one.place, state.fighters[key].place), key)
        for key in one.struck_by
        if key in state.enemies(who) and not isinstance(aim_at(state, who, key, far), str)
    ]
    named = one.turn.back.target
    return named if named in {key for _, key in near} else min(near)[1] if near else ""


def strike(log: FightLog, due: dict[str, Action], chance: Chance) -> None:
    """Launches retributions with the round's if-thens; they count as conditional."""
    for who, action in due.items():
        one = log.state.fighters[who]
        told = ev.Retaliated(who, action.target)
        number = log.emit(told, rule="ARC-174", because=one.said)
        slot = len(one.turn.plain()) + len(one.turn.guarded()) + 1
        launch(log, who, slot, action, chance, conditional=True, because=(number,))


def in_vain(log: FightLog) -> None:
    """Emits, at the end, that a combatant was attacked but could reach no attacker."""
    for who, one in log.state.fighters.items():
        if one.gives_in and one.struck_by and not one.struck_back and one.able:
            void = ev.Void(who, "attack", IN_VAIN, guarded=True)
            log.emit(void, rule="ARC-174", because=one.said)
