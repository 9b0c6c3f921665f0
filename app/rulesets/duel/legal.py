"""Which actions a fighter may choose now, and why not others (DUE-09 to -11, DUE-18, DUE-26 to -28, DUE-35)."""

from dataclasses import dataclass
from typing import Literal

from app.rulesets.duel.data import Action

Role = Literal["initial", "offence", "defence"]
OFFENCE_ONLY = "You are on the defence: you can use only Defence and universal actions."
DEFENCE_ONLY = "You are on the offence: you can use only Offence and universal actions."


@dataclass(frozen=True, slots=True)
class Standing:
    """Everything on which legality depends."""

    role: Role
    combo: int  # actions in the running combo
    must_rest: bool
    surprise: bool  # has Surprise!


def why_not(action: Action, standing: Standing, add: str = "") -> str:
    """Returns the reason why an action cannot be chosen now; "" if it can."""
    if standing.must_rest and action.key != "rest":
        return "You are exhausted: you must Rest."
    if action.kind == "universal":
        return ""
    opens = action.opener or add == "opener"
    match standing.role, action.kind:
        case "initial", "offence" if (action.combo or action.finisher) and not opens:
            return "There is no combo yet in the initial clash: only an Opener can begin one."
        case "offence", "defence":
            return DEFENCE_ONLY
        case "defence", "offence":
            return OFFENCE_ONLY
        case "offence", "offence" if not standing.combo and not opens:
            return "A combo begins with an Opener."
    return ""


def may_add(action: Action, add: str, standing: Standing) -> str:
    """Returns the reason why Surprise! cannot add `add`; "" if it can, or if nothing is added (DUE-63)."""
    if not add:
        return ""
    if not standing.surprise:
        return "You can add to an action only while Surprise! is active."
    if (add == "opener" and action.opener) or (add in ("discombobulate", "momentum") and getattr(action, add)):
        return f"{action.name} already has that trait."
    return ""
