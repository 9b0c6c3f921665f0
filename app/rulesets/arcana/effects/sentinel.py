"""Sentinels: up to 1d4 chosen foes find no opening against them until they hide (ARC-109)."""

from app.engine.chance import Chance
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.skills import rank
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.rules.grid import gap2

MOST = 4  # the die


def choose(log: FightLog, chance: Chance) -> None:
    """At the reveal: each sentinel watches its named and known foes, the nearest first, up to the die. The die is
    rolled once per fight, with the first name."""
    state = log.state
    for who, one in state.fighters.items():
        named = _named(state, who) if one.able and rank(one.body, "sentinel") else []
        if not named:
            continue
        rolls = () if one.watches else (chance.veiled.die(MOST, f"ARC-109/sentinel/{who}"),)
        room = sum(roll.face for roll in rolls) or one.watches - one.watching
        if rolls or room > 0:
            log.emit(ev.Watches(who, tuple(named[:room]), rolls), rule="ARC-109", because=one.said)


def _named(state: State, who: str) -> list[str]:
    """Enemies a sentinel wants to watch and does not yet, the nearest first."""
    one = state.fighters[who]
    foes = {key for key in state.enemies(who) if not state.fighters[key].dead and not state.unseen(key, who)}
    wanted = foes.intersection(one.turn.react.watch).difference(one.watched)
    return sorted(wanted, key=lambda key: (gap2(one.place, state.fighters[key].place), key))


def lose(log: FightLog, who: str, because: int) -> None:
    """Ends the watch of sentinels who lost sight of a hiding combatant."""
    state = log.state
    for key in state.enemies(who):
        if who in state.fighters[key].watched and state.unseen(who, key):
            log.emit(ev.Watches(key, (who,), lost=True), rule="ARC-109", because=(because,))
