"""The habits of the GM's combatants: declarations filled in for the GM to change or seal (ledger 1.8)."""

from app.engine.ruleset import GM
from app.rulesets.arcana.fight.declarations import HOLD, Action, Turn
from app.rulesets.arcana.fight.hands import wields
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.fight.targeting import BOLT
from app.rulesets.arcana.phases.defaults import going_on
from app.rulesets.arcana.phases.legal import check
from app.rulesets.arcana.rules.grid import GRID, Cell, cut, gap2, within
from app.rulesets.arcana.sheet.body import special, transport

NEAR = 100  # cm: the distance a guard keeps


def hand(state: State) -> dict[str, Turn]:
    """Returns a declaration for each of the GM's combatants able to act; by default they hold."""
    return {key: turn(state, key) for key, one in state.fighters.items() if one.seat == GM and one.able}


def turn(state: State, who: str) -> Turn:
    """Returns the declaration that continues a Focus or task, else the habit's; it is always legal."""
    one = state.fighters[who]
    found = going_on(state, who) or _by_habit(state, who, one)
    return found if not check(state, who, found) else HOLD


def _by_habit(state: State, who: str, one: Fighter) -> Turn:
    enemies = _enemies(state, who, one.place)
    if one.habit == "hold" or not enemies:
        return HOLD
    if one.habit == "flee" and 2 * one.hp < one.body.hp_max:
        return _away(state, one, enemies[0])
    ward = state.fighters.get(one.guards) if one.habit == "guard" else None
    if ward is not None and not ward.dead:
        if not within(one.place, ward.place, 2 * NEAR):
            return _towards(state, one, ward.place)
        near = [key for key in _enemies(state, who, ward.place) if _weapon(state, one, key)]
        return _at(state, one, near[0]) if near else Turn(minors=(Action(do="brace"), Action(do="evade")))
    return _at(state, one, enemies[0])


def _enemies(state: State, who: str, place: Cell) -> list[str]:
    """Known enemies still able to fight, the nearest first."""
    known = [
        key
        for key in state.enemies(who)
        if not state.unseen(key, who) and not state.fighters[key].dead and not state.fighters[key].down
    ]
    return sorted(known, key=lambda key: (gap2(place, state.fighters[key].place), key))


def _at(state: State, one: Fighter, target: str) -> Turn:
    """The first weapon that reaches, else a hostile spell, else movement towards the target (ledger 1.8)."""
    weapon = _weapon(state, one, target)
    if weapon:
        return Turn(major=Action(do="attack", weapon=weapon, target=target))
    if within(one.place, state.fighters[target].place, BOLT):
        for key in one.body.spells:
            spell = state.spell(key)
            cast = Turn(major=Action(do="cast", spell=key, target=target))
            if spell and spell.hostile and not spell.shape.area and not check(state, one.body.key, cast):
                return cast
    return _towards(state, one, state.fighters[target].place)


def _weapon(state: State, one: Fighter, target: str) -> str:
    for key, weapon in one.body.weapons.items():
        far = round(100 * max(weapon.reach, weapon.range))
        ready = key != "unarmed" and weapon.damage and wields(one, key)
        if ready and within(one.place, state.fighters[target].place, far):
            return key
    return ""


def _towards(state: State, one: Fighter, goal: Cell) -> Turn:
    """Movement up to the cell next to the goal."""
    far = transport(one.body, terrain=state.footing(one.place), encumbered=one.encumbered)
    way = int(gap2(one.place, goal) ** 0.5)
    to = cut(one.place, goal, max(0, min(far, way - 2 * GRID)))
    if state.steep(one.place, to):
        slow = special(one.body, terrain=state.footing(one.place), encumbered=one.encumbered)
        return Turn(major=Action(do="move", to=cut(one.place, to, slow), gait="special"))
    return Turn(major=Action(do="move", to=to)) if to != one.place else HOLD


def _away(state: State, one: Fighter, enemy: str) -> Turn:
    other = state.fighters[enemy].place
    goal = (one.place[0] + 200 * (one.place[0] - other[0]), one.place[1] + 200 * (one.place[1] - other[1]))
    if goal == one.place:
        goal = (one.place[0] + 200, one.place[1])
    to = inside(
        state, cut(one.place, goal, transport(one.body, terrain=state.footing(one.place), encumbered=one.encumbered))
    )
    return Turn(major=Action(do="move", to=to)) if to != one.place else HOLD


def inside(state: State, cell: Cell) -> Cell:
    """Returns the nearest cell of the ground."""
    across = min(max(cell[0], 0), state.width - 1) if state.width else cell[0]
    along = min(max(cell[1], 0), state.height - 1) if state.height else cell[1]
    return across, along
