"""The check of Chronicle: 2d8 + d10 (faces 0 to 9) + rating against 14 + opposing rating, and its exact odds.

Pure. The odds depend only on the difference of the two ratings, and are whole numbers out of 640.
"""

from fractions import Fraction
from itertools import product

from app.engine.chance import Chance, Roll
from app.engine.frozen import frozen
from app.engine.sentences import percent

TARGET = 14  # CHR-CHK-01
FACES = (8, 8, 10)  # in the order of rolling (CHR-CHK-15)
WAYS = 640
DIFFICULTY = 3  # usual difficulty without an opponent (CHR-CHK-06)


@frozen(kw_only=True)
class Checked:
    """One check, with all its log line needs. The d10's `Roll` has the faces 1 to 10; it counts one less."""

    acting: int
    opposing: int
    rolls: tuple[Roll, Roll, Roll]  # d8, d8, d10
    total: int  # dice and acting rating
    success: bool

    @property
    def dice(self) -> tuple[int, int, int]:
        """The values of the dice: 1 to 8, 1 to 8, 0 to 9."""
        first, second, third = self.rolls
        return counts(first), counts(second), counts(third)

    @property
    def target(self) -> int:
        return TARGET + self.opposing


def counts(roll: Roll) -> int:
    """The value of a die of a check: a d8's face, a d10's face less one (CHR-CHK-01)."""
    return roll.face - (roll.size == FACES[2])


def check(chance: Chance, label: str, acting: int, opposing: int) -> Checked:
    """Rolls d8, d8, d10 as `label`/d8-1, `label`/d8-2, `label`/d10 and compares (CHR-CHK-01).

    Ratings may be negative; no roll succeeds or fails automatically (CHR-CHK-11). The label begins with the rule that
    asks for the check, and is unique in its closing: "CHR-CHK-01/c3".
    """
    first, second = chance.die(8, f"{label}/d8-1"), chance.die(8, f"{label}/d8-2")
    third = chance.die(10, f"{label}/d10")
    total = first.face + second.face + third.face - 1 + acting
    success = total >= TARGET + opposing
    return Checked(acting=acting, opposing=opposing, rolls=(first, second, third), total=total, success=success)


def _count() -> dict[int, int]:
    """The number of the 640 ways for each sum of the dice, 2 to 25."""
    found: dict[int, int] = {}
    for first, second, third in product(range(1, 9), range(1, 9), range(10)):
        found[first + second + third] = found.get(first + second + third, 0) + 1
    return found


SUMS = _count()


def ways(acting: int, opposing: int) -> int:
    """The number of the 640 ways in which the acting side succeeds; 320 for equal ratings (CHR-CHK-02)."""
    return sum(count for total, count in SUMS.items() if total + acting >= TARGET + opposing)


def odds(acting: int, opposing: int) -> Fraction:
    """The exact chance of success."""
    return Fraction(ways(acting, opposing), WAYS)


def said(acting: int, opposing: int) -> str:
    """The odds for people: "41 % (265 of 640)"; never rounded to certain or impossible."""
    count = ways(acting, opposing)
    if count in (0, WAYS):
        return "certain" if count else "impossible"
    return f"{percent(Fraction(count, WAYS))} ({count} of {WAYS})"


def rating_of_total(total: int) -> int:
    """The difficulty equivalent to a target written as a total (CHR-CHK-12): 17 is a difficulty of 3."""
    return total - TARGET
