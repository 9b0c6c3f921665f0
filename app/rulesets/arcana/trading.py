"""Giving and taking: both name each other and stand within touch (ARC-28); what is carried (ARC-171)."""

from app.rulesets.arcana.body import TOUCH
from app.rulesets.arcana.declarations import Action
from app.rulesets.arcana.hands import BODILY
from app.rulesets.arcana.space import within
from app.rulesets.arcana.state import Fighter, State


def carried(one: Fighter) -> list[str]:
    """What somebody could give away: draughts, and weapons that are no part of the body."""
    arms = [key for key, arm in one.body.weapons.items() if arm.group not in BODILY]
    return [*(key for key, count in sorted(one.items.items()) if count), *arms]


def partner(state: State, who: str, action: Action) -> Action | None:
    """The other's half of a trade; None: they do something else, or are too far (ARC-28)."""
    other = state.fighters.get(action.target)
    if other is None or other.dead or not other.able:
        return None
    if not within(state.fighters[who].place, other.place, TOUCH):
        return None
    acts = (*other.turn.plain(), *other.turn.guarded())
    return next((one for one in acts if one.do == "trade" and one.target == who), None)
