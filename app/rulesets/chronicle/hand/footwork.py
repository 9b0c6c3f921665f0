"""The footwork contest of a round: its winners, and the moves it gives, in order (step R2)."""

from app.engine.chance import Chance
from app.rulesets.chronicle.checks import check
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand import ratings
from app.rulesets.chronicle.hand.state import OTHER, Combat, Fight, Move


def contest(log: ev.FightLog, chance: Chance) -> None:
    """All contests in combat order; then the moves they give, loser before winner (CHR-FTW-04 to -07)."""
    work: list[Move] = []
    winners: list[str] = []
    for combat in log.state.fight.combats:
        a, b = (_walking(log.state.fight, combat.of(side)) for side in OTHER)
        if len(a) == 1 and len(b) == 1:
            made, won = _two(log, combat, a[0], b[0], chance)
        else:
            made, won = _one_and_many(log, combat, a, b, chance)
        work += made
        winners += won
    log.emit(ev.Won(tuple(winners)), rule="CHR-DEF-07")
    log.emit(ev.Stage("foot", tuple(work)), rule="CHR-FTW-05")


def _walking(fight: Fight, keys: list[str]) -> list[str]:
    """The fighters of a side who count in footwork: able ones; else the first one down, beside whom others may move."""
    return [key for key in keys if fight.able(key)] or [key for key in keys if fight.defends(key)][:1]


def _contest(log: ev.FightLog, combat: Combat, who: str, other: str, chance: Chance) -> str:
    """One pair: returns the winner, "" if none. Without dice if a fighter cannot take part (CHR-FTW-14)."""
    fight = log.state.fight
    able = [key for key in (who, other) if fight.can_move(key)]
    if fight.ambush and fight.round == 1 and len(able) == 2:
        winner = who if fight[who].side == fight.ambush else other
        log.emit(ev.Contest(combat.number, who, other, winner), rule="CHR-TRV-21")
        return winner
    if len(able) < 2:
        winner = able[0] if able else ""
        log.emit(ev.Contest(combat.number, who, other, winner), rule="CHR-FTW-14")
        return winner
    mine, theirs = ratings.footwork(fight, who), ratings.footwork(fight, other)
    label = f"CHR-FTW-04/r{fight.round}/{who}>{other}"
    made = check(chance, label, mine.total, theirs.total)
    winner = who if made.success else other
    event = ev.Contest(combat.number, who, other, winner, mine, theirs, made)
    log.emit(event, rule="CHR-FTW-04")
    return winner


def _two(log: ev.FightLog, combat: Combat, one: str, other: str, chance: Chance) -> tuple[list[Move], list[str]]:
    """One against one: loser 0 or 1, winner 1 or 2; without dice the one who can move 0 to 2 (CHR-FTW-05, -06, -14)."""
    fight = log.state.fight
    winner = _contest(log, combat, one, other, chance)
    if not winner:
        return [], []
    loser = other if winner == one else one
    if not fight.can_move(loser):
        return [Move(winner, "foot", 0, 2, loser, won=True)], [winner]
    least = int(fight.settings.footwork_winner_min)
    moves = [Move(loser, "foot", 0, 1, winner), Move(winner, "foot", least, 2, loser, won=True)]
    return moves, [winner]


def _one_and_many(
    log: ev.FightLog, combat: Combat, a: list[str], b: list[str], chance: Chance
) -> tuple[list[Move], list[str]]:
    """One against many: the lone fighter moves only after beating all; otherwise the winners may (CHR-MUL-12, -13)."""
    fight = log.state.fight
    if not a or not b:
        return [], []
    lone, many = (a[0], b) if len(a) == 1 else (b[0], a)
    results = {foe: _contest(log, combat, lone, foe, chance) for foe in many}
    won = [foe for foe in many if results[foe] == foe]
    if any(results[foe] != lone for foe in many):
        return [Move(foe, "foot", 0, 1, lone, won=True) for foe in won], won
    moves = [Move(foe, "foot", 0, 1, lone) for foe in many if fight.can_move(foe)]
    least = int(fight.settings.footwork_winner_min) if moves else 0  # no contest was possible: 0 to 2 (CHR-FTW-14)
    return [*moves, Move(lone, "foot", least, 2, many[0], won=True)], [lone]
