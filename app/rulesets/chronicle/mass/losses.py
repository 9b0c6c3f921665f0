"""Losses: table 3.7, of shots, of melee and after the battle."""

from typing import Literal

Rounding = Literal["up", "down", "nearest"]

TENTHS = {2: (3, 1), 3: (1, 0), 4: (1, 0)}  # by distance: of the shooters' size if they win, if the target wins


def rounded(count: int, by: int, rounding: Rounding) -> int:
    """The quotient of two whole numbers; "nearest" takes a half up."""
    more = {"up": by - 1, "down": 0, "nearest": by // 2}[rounding]
    return (count + more) // by


def shot(size: int, distance: int, *, won: bool, rounding: Rounding = "up") -> int:
    """The losses of a target, for the size of the unit that shoots (CHR-RNG-08, -09)."""
    return rounded(TENTHS[distance][not won] * size, 10, rounding)


def melee(loss: int, *, half: bool, stays: bool, rounding: Rounding = "up") -> int:
    """The losses of a unit that lost in melee, for the loss number L (CHR-MEL-04, -05, -09, -10).

    `half` for one of the many, of whom the lone unit beat all; `stays` for a unit that cannot fall back.
    """
    return (rounded(loss, 2, rounding) if half else loss) * (2 if stays else 1)


def lasting(losses: int, size: int, *, halved: bool, rounding: Rounding = "down") -> int:
    """The men of a unit that are lost for good after the battle (CHR-END-06 to -09)."""
    return rounded(losses, 2, rounding) if halved and losses < size else losses
