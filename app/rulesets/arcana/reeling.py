"""Statuses that bend what somebody does: confusion at the reveal, fear of going nearer (ARC-144, ARC-145)."""

from app.engine.chance import Chance
from app.rulesets.arcana import events as ev
from app.rulesets.arcana.book import STATUSES
from app.rulesets.arcana.launch import Table
from app.rulesets.arcana.space import GRID, Cell, cut, gap2
from app.rulesets.arcana.state import Fighter, State

DIE = 6
TURNS, FAILS = 2, 4  # up to this face it turns on somebody, up to that one it fails


def confused(log: Table, chance: Chance) -> None:
    """A die for everybody confused who declared something, before anything is done (ARC-145)."""
    state = log.state
    for who, one in state.fighters.items():
        reels = bool(one.statuses) and any(STATUSES[key].reels for key in one.statuses)
        if not reels or not one.able or not (one.turn.major or one.turn.minors):
            continue
        roll = chance.die(DIE, f"ARC-145/confused/{who}")
        if roll.face > FAILS:
            log.emit(ev.Reeled(who, (roll,), "declared"), rule="ARC-145", because=one.said)
        elif roll.face > TURNS:
            log.emit(ev.Reeled(who, (roll,), "fails"), rule="ARC-145", because=one.said)
        else:
            second = chance.die(DIE, f"ARC-145/whom/{who}")
            allies = tuple(key for key, other in state.fighters.items()
                           if key != who and other.side == one.side and not other.dead)  # fmt: skip
            rolls, target = (roll, second), who
            if second.face % 2 and allies:
                target, third = chance.pick(allies, f"ARC-145/ally/{who}")
                rolls = (*rolls, third)
            log.emit(ev.Reeled(who, rolls, "turns", target), rule="ARC-145", because=one.said)


def shied(state: State, one: Fighter, goal: Cell) -> Cell:
    """As far towards a place as fear of whoever caused it lets somebody go: never nearer to them (ARC-144)."""
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
