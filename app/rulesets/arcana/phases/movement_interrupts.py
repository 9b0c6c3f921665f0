"""Interrupts of a movement: tried before its phase, on the declared destination (ledger 1.4, ARC-49)."""

from app.engine.chance import Chance
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.ifthens import MOVEMENTS, ahead
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.phases import action_phases, movement_phases


def movement(log: FightLog, do: str, chance: Chance) -> bool:
    """Tries the interrupts of this phase's movements; one in time is done before any movement (ARC-50).

    One too late answers in phase 4, if the movement was really made. Returns True if one was in time; once it has
    landed, the phase starts again.
    """
    state = log.state
    if not _waits(state):
        return False
    if action_phases.next_to_try(state) is None:
        cards = [card for card in ahead(state, movement_phases.meant(log, do)) if card.owner not in state.forestalling]
        if cards:
            log.emit(ev.Matched((*state.cards.values(), *cards), ()), rule="ARC-50")
    return action_phases.interrupts(log, chance)


def _waits(state: State) -> bool:
    whens = (one.turn.when for one in state.fighters.values())
    return any(when is not None and when.mode == "interrupt" and when.verb in MOVEMENTS for when in whens)
