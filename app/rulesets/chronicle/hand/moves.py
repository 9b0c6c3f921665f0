"""Moves made in turn: the possible squares, and the default one (steps R3, R4, R8)."""

from app.rulesets.chronicle.hand.grid import SWORD, Square, distance, in_order, straight_back
from app.rulesets.chronicle.hand.many import nearest_foe
from app.rulesets.chronicle.hand.standing import WISHED, Standing
from app.rulesets.chronicle.hand.state import Fight, Move


def chooser(move: Move) -> str:
    """The fighter who chooses: the attacker for a push, else the mover (CHR-ACT-22)."""
    return move.other if move.why == "push" else move.who


def options(fight: Fight, move: Move) -> list[Square]:
    """The squares where a move may end, the current one among them if staying is allowed; never empty."""
    one, here = fight[move.who], fight[move.who].at
    other = fight[move.other].at if move.other else here
    match move.why:
        case "push":
            return fight.ground.away(here, other) or [here]
        case "follow":
            return [here, *fight.ground.towards(here, other)] if fight.can_move(one.key) else [here]
        case "approach":
            return _approach(fight, move, here, other)
        case "grapple":
            if distance(here, other) <= 1 or not fight.can_move(one.key):
                return [here]
            return fight.ground.way_next_to(here, other) or [here]
        case _:
            if not fight.can_move(one.key):
                return [here]
            reached = in_order(fight.ground.reach(here, move.high))
            return [square for square in reached if not move.low or square != here] or [here]


def _approach(fight: Fight, move: Move, here: Square, other: Square) -> list[Square]:
    """After a strong Push: Sword or Dagger distance by a shortest way, else as near as possible (CHR-ACT-24, -25)."""
    if not fight.can_move(move.who):
        return [here]
    found = {square: None for near in (SWORD, 1) for square in fight.ground.way_next_to(here, other, near)}
    if found:
        return in_order(found)
    reached = fight.ground.reach(here, 4)
    return [min(in_order(reached), key=lambda square: (distance(square, other), reached[square]))]


def asked(fight: Fight, stand: Standing, move: Move) -> bool:
    """Whether the chooser wants to be asked, and has a choice."""
    wants = {
        "foot": stand.distance == "ask",
        "free": fight.intents.get(move.who) == "ask",
        "follow": stand.follow == "ask",
    }.get(move.why, stand.steps == "ask")
    return wants and len(options(fight, move)) > 1


def usual(fight: Fight, stand: Standing, move: Move) -> Square:
    """The default square of a move (table 1.2); always legal."""
    if move.why == "foot":
        return _foot(fight, stand, move)
    found, here = options(fight, move), fight[move.who].at
    match move.why:
        case "free":
            if fight.intents.get(move.who) != "near":
                return here
            steps, side = fight.ground.reach(here, move.high), fight[move.who].side
            return min(found, key=lambda square: (nearest_foe(fight, square, side), steps[square]))
        case "push":
            back = straight_back(here, fight[move.other].at)
            return back if back in found else found[0]
        case "follow":
            return found[1] if stand.follow == "yes" and len(found) > 1 else here
        case "approach":
            return min(found, key=lambda square: distance(square, here))
        case _:
            return found[0]


def _foot(fight: Fight, stand: Standing, move: Move) -> Square:
    """Footwork: towards the standing distance; without one a loser stays, a winner goes for the weapon's (step R3)."""
    here = fight[move.who].at
    wish = WISHED.get(stand.distance, 0)
    if not fight.can_move(move.who) or (not wish and not move.won):
        return here
    want = wish or fight.weapon(move.who).distance
    against = fight.foes(move.who)
    foes = [foe.at for foe in against if fight.able(foe.key)] or [foe.at for foe in against if fight.defends(foe.key)]
    steps = fight.ground.reach(here, move.high)
    if move.low and len(steps) > 1:
        del steps[here]

    def worth(square: Square) -> tuple[int, int, int, int]:
        off = sum(abs(min(distance(square, foe), 4) - want) for foe in foes)
        return off, steps[square], square[1], square[0]

    return min(steps, key=worth)
