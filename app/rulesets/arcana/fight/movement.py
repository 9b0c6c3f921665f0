"""Movement: how far a combatant goes and where it ends, by terrain, fear and restraint (ARC-64 to ARC-68, ARC-144)."""

from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.rules.book import STATUSES
from app.rulesets.arcana.rules.grid import GRID, Cell, cut, gap2
from app.rulesets.arcana.rules.rulings import Ruling
from app.rulesets.arcana.sheet.body import considered, special, transport

MOVES = frozenset({"considered", "move"})


def free_to_go(state: State, who: str) -> bool:
    """Whether nothing holds a combatant in place (ARC-144)."""
    one = state.fighters[who]
    return one.able and not one.still and not one.forbidden("movement")


def goal(state: State, who: str, action: Action) -> Cell:
    """Returns where a movement ends, cut short if its goal is too far (ARC-66, ARC-68)."""
    one = state.fighters[who]
    end = shied(state, one, cut(one.place, action.to or one.place, allowance(state, who, action)))
    return state.passable(one.place, end, climbs=climbs(one, action))


def climbs(one: Fighter, action: Action) -> bool:
    """Whether a movement climbs, crawls or swims: slow, but up and down any height (ARC-25, ARC-68)."""
    return action.do == "move" and (action.gait == "special" or one.has("prone"))


def allowance(state: State, who: str, action: Action) -> int:
    """Returns how far this movement may go, in cm."""
    one = state.fighters[who]
    slow, ground = one.encumbered, state.footing(one.place)
    if action.do == "considered":
        return 0 if one.has("prone") else considered(one.body, state.settings, terrain=ground, encumbered=slow)
    if action.gait == "special" or one.has("prone"):
        ruling = state.rulings.get(f"gait/{who}", Ruling(yes=True))
        usual = special(one.body, terrain=ground, encumbered=slow)
        return (GRID * ruling.value or usual) if ruling.yes else 0
    return transport(one.body, terrain=ground, encumbered=slow)


def shied(state: State, one: Fighter, goal: Cell) -> Cell:
    """Returns how near to a goal fear lets a combatant go: never nearer to the cause of the fear (ARC-144)."""
    causes = [state.fighters[held.by].place for key, held in one.statuses.items()
              if STATUSES[key].shies and held.by in state.fighters and state.fighters[held.by] is not one]  # fmt: skip
    if not causes:
        return goal
    way = 0
    while (GRID * way) ** 2 < gap2(one.place, goal):
        way += 1
    end = goal
    while any(gap2(end, cause) < gap2(one.place, cause) for cause in causes) and way > 0:
        way -= 1
        end = cut(one.place, goal, GRID * way)
    return end
