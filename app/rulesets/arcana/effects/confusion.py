"""Confusion: at the reveal a die decides whether a declared action fails or turns on another target (ARC-145)."""

from app.engine.chance import Chance
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.rules.book import STATUSES

DIE = 6
TURNS, FAILS = 2, 4  # up to TURNS it turns on a target, up to FAILS it fails


def confused(log: FightLog, chance: Chance) -> None:
    """Rolls a die for each confused combatant who declared something, before any action (ARC-145)."""
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
            # Hidden friends do not count: the size of the die would tell of them.
            allies = tuple(key for key, other in state.fighters.items() if key != who and key not in state.hiders
                           and other.side == one.side and not other.dead)  # fmt: skip
            rolls, target = (roll, second), who
            if second.face % 2 and allies:
                target, third = chance.pick(allies, f"ARC-145/ally/{who}")
                rolls = (*rolls, third)
            log.emit(ev.Reeled(who, rolls, "turns", target), rule="ARC-145", because=one.said)
