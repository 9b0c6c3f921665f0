"""Counterspells: the actions that aim at a preparer, and the attacks that a counterspell stops (ARC-55 to ARC-58)."""

from collections.abc import Mapping

from app.engine.ifthen import THEM
from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.flight import Flight
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.fight.tasks import lands_now
from app.rulesets.arcana.rules.grid import within
from app.rulesets.arcana.rules.rulings import Ruling

Coming = Mapping[str, tuple[int, ...]]
"""Attackers of a preparer, each with the positions of those attacks in `acts`."""


def acts(state: State, who: str) -> tuple[Action, ...]:
    """Returns a combatant's unconditional actions, then those of an if-then that is met, unless it was an interrupt in
    time. THEM is replaced by the watched combatant (ARC-55)."""
    turn, card = state.fighters[who].turn, state.cards.get(who)
    if card is None or card.verdict != "fired" or who in state.early:
        return turn.plain()
    guarded = (one.model_copy(update={"target": card.watched}) if one.target == THEM else one for one in turn.guarded())
    return (*turn.plain(), *guarded)


def aimed_at(state: State, who: str, by: str) -> bool:
    """Whether `by` aims a spell or missile at `who` (ARC-55, ARC-58)."""
    return bool(aims(state, who, by))


def aims(state: State, who: str, by: str) -> tuple[int, ...]:
    """Returns which actions of `by` are spells or missiles aimed at `who`, as positions in `acts`."""
    one, found = state.fighters[by], list[int]()
    if by == who or not one.able:
        return ()
    for number, action in enumerate(acts(state, by)):
        named = action.split or (action.target,)
        if who not in named and not (action.at == state.fighters[who].place and named == ("",)):
            continue
        weapon = one.body.weapons.get(action.weapon) if action.do == "attack" else None
        near = weapon and within(one.place, state.fighters[who].place, round(100 * weapon.reach))
        flies = weapon and ((weapon.range and not near) or state.settings.counterspell_vs_melee == "on")
        if flies or lands_now(one.task, action, state.spell(action.spell)):
            found.append(number)
    return tuple(found)


def stopped(state: State, flight: Flight, target: str) -> Ruling | None:
    """Returns the GM's ruling on this attack and a cast counterspell, if it stops the attack (ARC-57)."""
    turn = state.fighters[flight.who].turn
    declared = 0 < flight.slot <= len(turn.plain()) + len(turn.guarded())  # not by a ward, nor in retribution
    if target not in state.countering or flight.tag or not declared:
        return None
    ruling = state.rulings.get(f"counter/{target}/{flight.who}")
    return ruling if ruling is not None and ruling.yes else None
