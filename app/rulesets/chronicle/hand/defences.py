"""Default defences, and contested squares of several dodgers (step R6)."""

from dataclasses import replace
from typing import Literal

from app.rulesets.chronicle.hand import legal, ratings
from app.rulesets.chronicle.hand.actions import Defence
from app.rulesets.chronicle.hand.grid import Square
from app.rulesets.chronicle.hand.standing import HEADINGS, Standing
from app.rulesets.chronicle.hand.state import Fight, Order


def settled(fight: Fight, stand: Standing, key: str) -> bool:
    """Whether nothing is left to decide: by a standing choice, or every attack allows only one defence."""
    if stand.defend == "prefer" or fight.settings.defence_timing == "with-action":
        return True
    ways = [legal.defences(fight, key, order.who, order.action) for order in legal.attacks_on(fight, key)]
    if any(len(way) > 1 for way in ways):
        return False
    if fight.alone(key) and ways.count(["parry"]) > legal.PARRIES_OF_ONE:
        return False  # the choice of two of them (CHR-MUL-18)
    return ["dodge"] not in ways or len(legal.dodging_squares(fight, key)) == 1


def usual(fight: Fight, stand: Standing, key: str, *, moving: bool = False) -> tuple[dict[str, Defence], Square | None]:
    """Returns default defences by attacker and the square of a Dodge: as preferred, else the best without a move, else
    Dodge. `moving`: a Dodge counts as any other, so that the best is the one with the best chance.

    Always legal: at most two Parries alone against many, and one move for all Dodges (CHR-MUL-16, -17).
    """
    attacks = legal.attacks_on(fight, key)
    liking = {order.who: _liked(fight, stand, key, order, moving=moving) for order in attacks}
    how: dict[str, Defence] = {}
    for order in attacks:
        how[order.who] = _first(fight, key, liking[order.who], how)
    dodged = [who for who, said in how.items() if said == "dodge"]
    if not dodged:
        return how, None
    square = _square(fight, stand, key, dodged)
    for who in dodged:
        if not legal.fits(fight, who, key, square):
            others: list[Defence] = [said for said in liking[who] if said != "dodge"]
            how[who] = _first(fight, key, others, {k: v for k, v in how.items() if k != who})
    return how, square


def _first(fight: Fight, key: str, liked: list[Defence], so_far: dict[str, Defence]) -> Defence:
    parries = sum(said == "parry" for said in so_far.values())
    full = fight.alone(key) and parries >= legal.PARRIES_OF_ONE
    return next((said for said in liked if said != "parry" or not full), "none")


def _liked(fight: Fight, stand: Standing, key: str, order: Order, *, moving: bool) -> list[Defence]:
    """The legal defences against one action: the preferred first, then the best, a Dodge last unless `moving`."""
    found = legal.defences(fight, key, order.who, order.action)
    named: list[Defence] = [said for said in stand.prefer if said in found]
    others = [said for said in found if said not in named]
    worth = {said: ratings.defence(fight, key, said, order.who, order.action).total for said in others}
    return [*named, *sorted(others, key=lambda said: (said == "dodge" and not moving, -worth[said]))]


def _square(fight: Fight, stand: Standing, key: str, dodged: list[str]) -> Square:
    """The square that dodges most of them, then in the preferred directions, then by y and x."""
    x, y = fight[key].at
    liked = [(x + dx, y + dy) for dx, dy in (HEADINGS[heading] for heading in stand.dodge)]
    squares = list(dict.fromkeys(square for who in dodged for square in legal.dodge_squares(fight, key, who)))

    def worth(square: Square) -> tuple[int, int, int, int]:
        fitting = sum(legal.fits(fight, who, key, square) for who in dodged)
        return -fitting, liked.index(square) if square in liked else 9, square[1], square[0]

    return min(squares, key=worth)


def dodging_to(fight: Fight) -> dict[str, Square]:
    """The dodgers and their squares, in combatant order."""
    found: dict[str, Square] = {}
    for key in fight.fighters:
        for order in legal.attacks_on(fight, key):
            if order.defence == "dodge" and order.square is not None:
                found[key] = order.square
    return found


def losers(fight: Fight) -> dict[Square, list[str]]:
    """Squares that several dodge to: first the fighter who gets it, then those who need another (CHR-DEF-07).

    A winner of the round's footwork gets it, else the first in combatant order.
    """
    wanted: dict[Square, list[str]] = {}
    for key, square in dodging_to(fight).items():
        wanted.setdefault(square, []).append(key)
    order = list(fight.fighters)
    return {
        square: sorted(keys, key=lambda key: (not fight.won.get(key, False), order.index(key)))
        for square, keys in wanted.items()
        if len(keys) > 1
    }


def again(fight: Fight, key: str) -> Fight:
    """The fight for a fighter who has to choose again: squares that others dodge to are taken."""
    taken = [square for who, square in dodging_to(fight).items() if who != key and who not in fight.contested]
    return replace(fight, blocked=[*fight.blocked, *taken])


def elsewhere(seen: Fight, stand: Standing, key: str) -> tuple[dict[str, Defence], Square | None]:
    """The default for a lost square: another square if there is one, else the best other defence (CHR-DEF-07)."""
    dodge: tuple[Literal["dodge"], ...] = ("dodge",)
    was: dict[str, Defence] = {order.who: order.defence or "none" for order in legal.attacks_on(seen, key)}
    how, square = usual(seen, stand.model_copy(update={"prefer": dodge}), key)
    return {who: said if was[who] == "dodge" else was[who] for who, said in how.items()}, square
