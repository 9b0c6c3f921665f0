"""Checks: the seed's examples, and odds that are exact for every difference (EXC-01 to -03, ledger table 3.10)."""

from fractions import Fraction

import pytest

from app.engine.chance import ScriptedChance, SeededChance
from app.rulesets.chronicle.checks import SUMS, WAYS, check, odds, rating_of_total, said, ways

TABLE = {-6: 56, -5: 84, -4: 120, -3: 163, -2: 212, -1: 265, 0: 320, 1: 375, 2: 428, 3: 477, 4: 520, 5: 556, 6: 584}


def _dice(first: int, second: int, third: int) -> ScriptedChance:
    """Faces as they count; the d10 begins with 0."""
    return ScriptedChance({"x/d8-1": first, "x/d8-2": second, "x/d10": third + 1})


@pytest.mark.parametrize(
    ("dice", "acting", "opposing", "total", "success"),
    [
        ((4, 5, 1), 4, 2, 14, False),  # EXC-01
        ((8, 6, 4), 2, 4, 20, True),  # EXC-02
        ((1, 3, 5), 4, 2, 13, False),  # EXC-02, mirrored
        ((2, 6, 1), 3, 2, 12, False),  # EXC-03
        ((8, 8, 9), 3, 16, 28, False),  # EXC-03, read literally: nobody could ever climb
        ((1, 1, 0), 12, 0, 14, True),
        ((8, 8, 9), -12, -1, 13, True),  # ratings below zero count as they are (CHR-CHK-11)
    ],
)
def test_examples(dice: tuple[int, int, int], acting: int, opposing: int, total: int, success: bool) -> None:
    chance = _dice(*dice)
    found = check(chance, "x", acting, opposing)
    assert (found.total, found.success, found.dice, found.target) == (total, success, dice, 14 + opposing)
    assert [roll.size for roll in found.rolls] == [8, 8, 10]
    assert not chance.unused()


def test_odds_are_the_ledgers() -> None:
    assert {difference: ways(difference, 0) for difference in TABLE} == TABLE
    assert (ways(-12, 0), ways(-11, 0), ways(11, 0), ways(12, 0)) == (0, 1, 639, 640)


def test_the_sum_is_symmetric_about_thirteen_and_a_half() -> None:
    """CHR-CHK-02; and CHR-FLO-03, since every subsystem rolls this check."""
    assert (min(SUMS), max(SUMS), sum(SUMS.values())) == (2, 25, WAYS)
    assert all(SUMS[total] == SUMS[27 - total] for total in SUMS)
    assert Fraction(sum(total * count for total, count in SUMS.items()), WAYS) == Fraction(27, 2)


@pytest.mark.parametrize("difference", range(-14, 15))
def test_either_side_may_roll(difference: int) -> None:
    """CHR-CHK-04: there is no tie, so one's success is the other's failure."""
    assert odds(difference, 0) + odds(0, difference) == 1
    assert odds(difference, 0) == odds(difference + 3, 3)


def test_odds_in_words() -> None:
    assert (said(3, 3), said(2, 3)) == ("50 % (320 of 640)", "41 % (265 of 640)")
    assert (said(0, 12), said(12, 0)) == ("impossible", "certain")


def test_totals_are_not_difficulties() -> None:
    """CHR-CHK-12."""
    assert (rating_of_total(17), rating_of_total(16)) == (3, 2)


def test_seeded_checks_use_the_whole_range() -> None:
    chance = SeededChance(bytes(32), bytes(32))
    found = [check(chance, str(n), 0, 0) for n in range(3000)]
    assert {one.rolls[2].face for one in found} == set(range(1, 11))
    assert {one.rolls[0].face for one in found} == {one.rolls[1].face for one in found} == set(range(1, 9))
    assert all(2 <= one.total <= 25 for one in found)
