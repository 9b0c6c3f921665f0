"""How far somebody goes, and where a movement ends (ARC-64 to ARC-68)."""

from app.rulesets.arcana.body import considered, special, transport
from app.rulesets.arcana.declarations import Action
from app.rulesets.arcana.reeling import shied
from app.rulesets.arcana.rulings import Ruling
from app.rulesets.arcana.space import GRID, Cell, cut
from app.rulesets.arcana.state import Fighter, State

MOVES = frozenset({"considered", "move"})


def free_to_go(state: State, who: str) -> bool:
    """Whether nothing holds somebody where they are (ARC-144)."""
    one = state.fighters[who]
    return one.able and not one.still and not one.forbidden("movement")


def goal(state: State, who: str, action: Action) -> Cell:
    """Where a movement ends, cut short where it turns out too far (ARC-66, ARC-68)."""
    one = state.fighters[who]
    end = shied(state, one, cut(one.place, action.to or one.place, allowance(state, who, action)))
    return state.passable(one.place, end, climbs=climbs(one, action))


def climbs(one: Fighter, action: Action) -> bool:
    """Climbing, crawling, swimming: slowly, but up and down whatever there is (ARC-25, ARC-68)."""
    return action.do == "move" and (action.gait == "special" or one.has("prone"))


def allowance(state: State, who: str, action: Action) -> int:
    """How far this movement may go, in cm."""
    one = state.fighters[who]
    slow, ground = one.encumbered, state.footing(one.place)
    if action.do == "considered":
        return 0 if one.has("prone") else considered(one.body, state.settings, terrain=ground, encumbered=slow)
    if action.gait == "special" or one.has("prone"):
        ruling = state.rulings.get(f"gait/{who}", Ruling(yes=True))
        usual = special(one.body, terrain=ground, encumbered=slow)
        return (GRID * ruling.value or usual) if ruling.yes else 0
    return transport(one.body, terrain=ground, encumbered=slow)
