"""Melee: the rolls of a cluster, who has to fall back, and losses (CHR-MEL)."""

from typing import Literal

from app.engine.chance import Chance
from app.rulesets.chronicle.checks import check
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass import losses
from app.rulesets.chronicle.mass.hexes import Hex
from app.rulesets.chronicle.mass.state import State
from app.rulesets.chronicle.mass.strength import Addend, addends, flanked, total
from app.rulesets.chronicle.mass.troops import CAVALRY


def usual_order(state: State) -> list[str]:
    """The numbers of the clusters in the order in which they fight if nobody decides (step F9)."""
    order = list(state.units)

    def lowest(number: str) -> int:
        own = (key for key in state.clusters[int(number) - 1] if state.units[key].side == state.proactive)
        return min(map(order.index, own))

    return sorted((str(number) for number in range(1, len(state.clusters) + 1)), key=lowest)


def strengths(state: State, one: str, other: str, *, melee: bool = True) -> tuple[list[Addend], list[Addend]]:
    """The strengths of two units against each other, part by part (CHR-MEL-03)."""
    own = against(state, one, other, flanked=is_flanked(state, one), melee=melee)
    return own, against(state, other, one, flanked=is_flanked(state, other), melee=melee)


def against(state: State, key: str, enemy: str, *, flanked: bool, melee: bool = True) -> list[Addend]:
    """The strength of a unit against another one, if it is flanked or not."""
    return addends(
        state.ground,
        state.units[key].stand,
        state.units[enemy].stand,
        flanked=flanked,
        melee=melee,
        high_ground=state.settings.terrain_high_ground,
    )


def is_flanked(state: State, key: str) -> bool:
    """Whether a unit has lost what open ground gives to cavalry (CHR-ARM-08, -09)."""
    if state.settings.cavalry_flank_scope == "cluster":
        return flanked(state.ground, [state.units[foe].at for foe in state.foes(key)])
    if state.phase in ("fight", "whom", "fall", "step"):
        return key in state.flanked  # as it was when melee began (CHR-MEL-15)
    return flanked(state.ground, state.passage(key).touched(state.units[key].at))


def flanked_now(state: State) -> tuple[str, ...]:
    """The cavalry that is flanked by anybody on the map, with `cavalry.flank_scope = board`."""
    if state.settings.cavalry_flank_scope == "cluster":
        return ()
    return tuple(
        unit.key for unit in state.units.values() if unit.here and unit.troop in CAVALRY and is_flanked(state, unit.key)
    )


def roll(log: ev.BattleLog, chance: Chance) -> None:
    """All rolls of the next cluster, and what they come to (CHR-MEL-04, -08 to -14)."""
    state, cluster = log.state, log.state.waiting[0]
    sides = [[key for key in cluster if state.units[key].side == side] for side in state.turns]
    ours = len(sides[1]) == 1  # whether the many are the proactive side's; a single pair counts as such
    lone, many = (sides[1][0], sides[0]) if ours else (sides[0][0], sides[1])
    winners, numbers = list[str](), list[int]()  # of the many; of the events
    for one in many:
        who, other = (one, lone) if ours else (lone, one)
        own, against = strengths(state, who, other)
        checked = check(chance, f"CHR-MEL-01/r{state.round}/{who}>{other}", total(own), total(against))
        event = ev.Fought(who, other, tuple(own), tuple(against), checked)
        numbers.append(log.emit(event, rule="CHR-MEL-01"))
        winners += [one] if checked.success == ours else []
    _come_to(log, lone, many, winners, tuple(numbers))


def _come_to(log: ev.BattleLog, lone: str, many: list[str], winners: list[str], because: tuple[int, ...]) -> None:
    """Tells who has lost a cluster, and what that costs."""
    cluster = log.state.waiting[0]
    if len(many) == 1:
        loser, winner = (lone, many[0]) if winners else (many[0], lone)
        log.emit(ev.Beaten(cluster, (loser,), winner, (), 1, False), rule="CHR-MEL-04", because=because)
    elif winners:
        times = len(winners) if log.state.settings.melee_many_losses == "per-winner" else 1
        log.emit(ev.Beaten(cluster, (lone,), "", tuple(many), times, False), rule="CHR-MEL-12", because=because)
    else:
        log.emit(ev.Beaten(cluster, tuple(many), lone, (), 1, True), rule="CHR-MEL-09", because=because)


def away(state: State, key: str, winner: str) -> list[Hex]:
    """The hexes to which a loser can fall back from a unit, lowest first (CHR-MEL-06)."""
    return state.ground.away(state.units[key].at, state.units[winner].at, state.taken)


def _count(state: State, *, stays: bool) -> int:
    """The losses of a loser at hand (ledger 3.7)."""
    rounding = state.settings.battle_half_rounding
    return losses.melee(state.loss, half=state.fight.half, stays=stays, rounding=rounding) * state.fight.times


def doomed(state: State, key: str) -> bool:
    """Whether a loser is destroyed, wherever it falls back."""
    return _count(state, stays=False) >= state.units[key].left


def beat(log: ev.BattleLog, key: str, wish: Hex | None, how: str) -> None:
    """The losses of a loser, and its step back, on the lowest hex if it cannot do as it wishes; without a hex double
    losses (CHR-MEL-05, -09, -10).
    """
    state, fight = log.state, log.state.fight
    hexes = away(state, key, fight.winner) if fight.winner else []
    stays = bool(fight.winner) and not hexes
    side, start, winner = state.units[key].side, state.units[key].at, fight.winner
    lost = _count(state, stays=stays)
    lose(log, key, lost, "melee", half=fight.half, doubled=stays, winner=winner, because=(fight.cause,))
    if state.units[key].here and hexes:
        to, how = (wish, how) if wish in hexes else (hexes[0], "taken" if wish else how)
        log.emit(ev.Fell(side, key, start, to, winner, how), rule="CHR-MEL-06", because=(fight.cause,))
    log.emit(ev.Fallen(key), rule="CHR-MEL-05")


def lose(
    log: ev.BattleLog,
    key: str,
    count: int,
    why: Literal["shot", "melee"],
    *,
    half: bool = False,
    doubled: bool = False,
    winner: str = "",
    because: tuple[int, ...],
) -> None:
    """Adds losses to a unit; at its size it is destroyed (CHR-MEL-07)."""
    unit = log.state.units[key]
    after = min(unit.men, unit.losses + count)
    event = ev.Lost(key, count, unit.losses, after, why, half, doubled, winner)
    number = log.emit(event, rule="CHR-MEL-05" if doubled else "CHR-MEL-07", because=because)
    if after >= unit.men:
        log.emit(ev.Left(key, "destroyed"), rule="CHR-MEL-07", because=(number,))


def room_back(state: State) -> dict[str, list[Hex]]:
    """The hexes to which each loser may fall back."""
    fight = state.at_hand
    if fight is None or not fight.winner:
        return {}
    return {key: away(state, key, fight.winner) for key in fight.losers if not doomed(state, key)}
