"""Trades, in which both name each other (ARC-28), and carried items (ARC-171)."""

from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.hands import BODILY
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.rules.items import OTHERS, is_named


def carried(one: Fighter) -> list[str]:
    """Returns what a combatant could give away or put down: items, and weapons that are not part of its body."""
    arms = [key for key, arm in one.body.weapons.items() if arm.group not in BODILY]
    return [*(key for key, count in sorted(one.items.items()) if count), *arms]


def taken(offered: Action, key: str) -> bool:
    """Whether the other half of a trade accepts this: anything, or what it lists (ARC-28)."""
    return not offered.accepts or key in offered.accepts or (OTHERS in offered.accepts and is_named(key))


def half(state: State, who: str, action: Action) -> Action | None:
    """Returns the other half of a trade; None: the other does something else, or its condition is not met (ARC-28)."""
    other, card = state.fighters.get(action.target), state.cards.get(action.target)
    if other is None:
        return None
    met = card is not None and card.verdict == "fired"
    acts = (*other.turn.plain(), *(other.turn.guarded() if met else ()))
    return next((one for one in acts if one.do == "trade" and one.target == who), None)
