"""Interrupts of a movement: tried before its phase, on the destination that was declared (ledger 1.4, ARC-49)."""

from app.engine.chance import Chance
from app.rulesets.arcana import deeds, moving
from app.rulesets.arcana import events as ev
from app.rulesets.arcana.conditions import MOVEMENTS, ahead
from app.rulesets.arcana.launch import Table
from app.rulesets.arcana.state import State


def movement(log: Table, do: str, chance: Chance) -> bool:
    """Whoever wants to come before a movement of this phase tries; in time it is done before anybody moves (ARC-50).

    Who is too late answers in phase 4, if the movement then was really made. True: somebody was in time, and when
    that has landed the phase is begun anew.
    """
    state = log.state
    if not _waits(state):
        return False
    if deeds.next_to_try(state) is None:
        cards = [card for card in ahead(state, moving.meant(log, do)) if card.owner not in state.forestalling]
        if cards:
            log.emit(ev.Matched((*state.cards.values(), *cards), ()), rule="ARC-50")
    return deeds.interrupts(log, chance)


def _waits(state: State) -> bool:
    whens = (one.turn.when for one in state.fighters.values())
    return any(when is not None and when.mode == "interrupt" and when.verb in MOVEMENTS for when in whens)
