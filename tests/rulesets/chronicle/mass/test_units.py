"""Armies in units: EXM-04 to -06, a straightforward reference, and what always holds (CHR-UNI)."""

from fractions import Fraction
from math import ceil
from random import Random
from time import process_time

import pytest

from app.rulesets.chronicle.mass.troops import CAVALRY, TROOPS
from app.rulesets.chronicle.mass.units import Army, Division, divide

Units = tuple[tuple[str, int], ...]


def test_troops_are_the_books() -> None:
    """Table 3.1 (CHR-ARM-02)."""
    assert [(one.key, one.strength, one.movement, one.range, one.cost) for one in TROOPS.values()] == [
        ("LI", 2, 3, 0, 4),
        ("MI", 3, 2, 0, 3),
        ("HI", 4, 2, 0, 4),
        ("PK", 4, 2, 0, 6),
        ("LC", 2, 5, 0, 10),
        ("MC", 3, 4, 0, 15),
        ("HC", 5, 4, 0, 20),
        ("BW", 2, 2, 4, 4),
    ]
    assert {"LC", "MC", "HC"} == CAVALRY


def _sizes(units: Units) -> list[int]:
    return [size for _, size in units]


def test_a_thousand_against_eight_hundred() -> None:
    """EXM-04; the larger army may be either."""
    found = divide(({"MI": 1000}, {"MI": 800}))
    assert (_sizes(found.units[0]), _sizes(found.units[1]), found.loss) == ([112] + [111] * 8, [100] * 8, 36)
    assert divide(({"MI": 800}, {"MI": 1000})) == Division(found.units[::-1], 36)


def test_all_types() -> None:
    """EXM-05."""
    found = divide((dict.fromkeys(TROOPS, 100), dict.fromkeys(reversed(TROOPS), 90)))
    assert found.units[0] == (("LI", 50), ("LI", 50), *((key, 100) for key in list(TROOPS)[1:]))
    assert (found.units[1], found.loss) == (tuple((key, 90) for key in TROOPS), 30)


def test_twenty_against_five() -> None:
    """EXM-06."""
    found = divide(({"MI": 20}, {"MI": 5}))
    assert (_sizes(found.units[0]), _sizes(found.units[1]), found.loss) == ([3, 3] + [2] * 7, [3, 2], 1)


def test_fewer_men_than_units() -> None:
    """CHR-UNI-11, and -09 breaks -07: one unit for each type, whatever the larger army has."""
    assert _sizes(divide(({"MI": 4}, {"MI": 4})).units[0]) == [1, 1, 1, 1]
    found = divide(({"MI": 2, "BW": 1}, dict.fromkeys(list(TROOPS)[:2], 1)))
    assert (found.units, found.loss) == (((("MI", 1), ("MI", 1), ("BW", 1)), (("LI", 1), ("MI", 1))), 1)


def test_exactly_half_is_allowed() -> None:
    """CHR-UNI-06, -08: of 90 men in nine units half the average is 5."""
    assert _sizes(divide(({"MI": 90}, {"LI": 10})).units[1]) == [5, 5]
    assert _sizes(divide(({"MI": 90}, {"LI": 9})).units[1]) == [9]
    assert _sizes(divide(({"MI": 90}, {"LI": 9, "BW": 10})).units[1]) == [9, 5, 5]  # the next largest is tried


@pytest.mark.parametrize("army", [{}, {"MI": 0}])
def test_an_army_has_men(army: Army) -> None:
    with pytest.raises(ValueError, match="at least one"):
        divide((army, {"MI": 5}))


def test_the_largest_unit_is_halved() -> None:
    """The option `halve-one`: single units, not whole types."""
    found = divide(({"MI": 100}, {"MI": 10}), "halve-one")
    assert _sizes(found.units[0]) == [13, 13, 13, 12, 12, 12, 12, 7, 6]
    assert _sizes(found.units[1]) == [10]  # its half of 5 is less than half of 100 / 9
    assert _sizes(divide(({"MI": 7, "LI": 7}, {"HI": 14}), "halve-one").units[0]) == [2, 2, 1, 1, 1, 2, 2, 2, 1]


def _reference(army: Army, most: int, least: Fraction) -> Units:
    """The ledger's 3.4, one man after the other dealt to the units of a type."""
    count = {key: 1 for key in TROOPS if army.get(key)}
    while sum(count.values()) < most:
        fit = [key for key, units in count.items() if army[key] // (units + 1) >= max(least, 1)]
        if not fit:
            break
        largest = max(Fraction(army[key], count[key]) for key in fit)
        count[next(key for key in fit if Fraction(army[key], count[key]) == largest)] += 1
    return tuple((key, len(range(nth, army[key], units))) for key, units in count.items() for nth in range(units))


@pytest.mark.parametrize("seed", range(300))
def test_division_of_random_armies(seed: int) -> None:
    rng = Random(seed)
    most = rng.choice((3, 12, 150, 1_000_000))
    one, other = (
        {key: rng.randint(1, most) for key in rng.sample(list(TROOPS), rng.randint(1, rng.choice((2, 8))))}
        for _ in range(2)
    )
    men = sum(one.values()), sum(other.values())
    found = divide((one, other))
    if men[0] == men[1]:
        assert found.units == (_reference(one, 9, Fraction(1)), _reference(other, 9, Fraction(1)))
    else:
        big, small = (one, other) if men[0] > men[1] else (other, one)
        units = _reference(big, 9, Fraction(1))
        pair = units, _reference(small, len(units) - 1, Fraction(sum(big.values()), 2 * len(units)))
        assert found.units == (pair if big is one else pair[::-1])
    assert found.loss == ceil(Fraction(sum(men), 3 * sum(map(len, found.units))))
    for units, army in zip(found.units, (one, other), strict=True):
        _holds(units, army)


@pytest.mark.parametrize("seed", range(100))
def test_halving_random_armies(seed: int) -> None:
    rng = Random(seed)
    army = {key: rng.randint(1, 300) for key in rng.sample(list(TROOPS), rng.randint(1, 8))}
    units, few = divide((army, {"MI": 1}), "halve-one").units
    assert few == (("MI", 1),)
    for key, men in army.items():
        sizes = [size for troop, size in units if troop == key]
        assert sum(sizes) == men and sizes == sorted(sizes, reverse=True) and min(sizes) >= 1
    assert len(units) == min(9, sum(army.values()))
    halved = [size for key, size in units if size < army[key]]
    assert not halved or max(_sizes(units)) <= 2 * min(halved) + 1, "no unit was halved while a larger one was there"


def _holds(units: Units, army: Army) -> None:
    assert [key for key, _ in units] == sorted((key for key, _ in units), key=list(TROOPS).index)
    for key, men in army.items():
        sizes = [size for troop, size in units if troop == key]
        assert sum(sizes) == men and max(sizes) - min(sizes) <= 1 and sizes == sorted(sizes, reverse=True)


def test_large_armies_are_divided_at_once() -> None:
    before = process_time()
    for split in ("even-by-type", "halve-one"):
        divide((dict.fromkeys(TROOPS, 1_000_000), {"MI": 999_999}), split)
    assert process_time() - before < 0.1
