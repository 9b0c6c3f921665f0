"""The picture of the ground: tokens, facing and distances of enemies, targets. In squares, not in pixels."""

from dataclasses import dataclass

from app.rulesets.chronicle.hand.grid import Square, distance
from app.rulesets.chronicle.hand.state import Combat, Fight

MARGIN = 2  # free squares around the outermost token on unbounded ground
WHOLE = 24  # an arena up to this size is drawn whole


@dataclass(frozen=True, slots=True)
class Spot:
    """A fighter on the ground; `face` points to the nearest enemy of the own combat, (0, 0) without one."""

    key: str
    at: Square
    face: Square


@dataclass(frozen=True, slots=True)
class Tie:
    """Two enemies of one combat within reach of each other, and their distance in squares."""

    one: Square
    other: Square
    squares: int


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture. `left` and `top` may be negative: unbounded ground has no first square."""

    left: int
    top: int
    wide: int
    high: int
    bounded: bool
    spots: tuple[Spot, ...]
    ties: tuple[Tie, ...]
    blocked: tuple[Square, ...]
    going: tuple[tuple[str, str], ...]  # attackers and targets of this round, once orders are open


def picture(fight: Fight) -> Picture:
    """The part of the ground with fighters; all of it if it is small."""
    here = [one for one in fight.fighters.values() if one.here]
    squares = [one.at for one in here] or [(0, 0)]
    left, right = min(x for x, _ in squares) - MARGIN, max(x for x, _ in squares) + MARGIN
    top, bottom = min(y for _, y in squares) - MARGIN, max(y for _, y in squares) + MARGIN
    bounded = bool(fight.width)
    if bounded:
        whole = fight.width <= WHOLE and fight.height <= WHOLE
        left, top = (0, 0) if whole else (max(0, left), max(0, top))
        right = fight.width - 1 if whole else min(fight.width - 1, right)
        bottom = fight.height - 1 if whole else min(fight.height - 1, bottom)
    inside = [(x, y) for x, y in fight.blocked if left <= x <= right and top <= y <= bottom]
    return Picture(
        left, top, right - left + 1, bottom - top + 1, bounded,
        tuple(Spot(one.key, one.at, _face(fight, one.key)) for one in here),
        tuple(tie for combat in fight.combats for tie in _ties(fight, combat)),
        tuple(dict.fromkeys(inside)),
        tuple((order.who, order.target) for order in fight.orders.values() if _shown(fight, order.who, order.target)),
    )  # fmt: skip


def _shown(fight: Fight, who: str, target: str) -> bool:
    return target in fight.fighters and fight[who].here and fight[target].here


def _face(fight: Fight, key: str) -> Square:
    against = fight.foes(key)
    foes = [foe.at for foe in against if fight.able(foe.key)] or [foe.at for foe in against if fight.defends(foe.key)]
    if not foes or not fight.able(key):
        return 0, 0
    x, y = fight[key].at
    to = min(foes, key=lambda square: distance(square, (x, y)))
    dx, dy = to[0] - x, to[1] - y
    far = max(abs(dx), abs(dy)) / 2
    return (dx >= far) - (-dx >= far) if dx else 0, (dy >= far) - (-dy >= far) if dy else 0


def _ties(fight: Fight, combat: Combat) -> list[Tie]:
    found = []
    for a in combat.a:
        for b in combat.b:
            if fight[a].here and fight[b].here and fight.distance(a, b) <= 3:
                found.append(Tie(fight[a].at, fight[b].at, fight.distance(a, b)))
    return found
