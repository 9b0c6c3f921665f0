"""Armies divided into units (CHR-UNI), and the loss number."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from app.rulesets.chronicle.mass.troops import TROOPS

Army = Mapping[str, int]  # men of each type of troops, in any order
Split = Literal["even-by-type", "halve-one"]
Sizes = dict[str, list[int]]  # the units of each type, in the order of table 3.1, larger ones first

MOST_UNITS = 9
MOST_MEN = 1_000_000  # of one type


@dataclass(frozen=True, slots=True)
class Division:
    """The units of both armies as (type of troops, men), in the order of their numbers, and the loss number L."""

    units: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]
    loss: int


def divide(armies: tuple[Army, Army], split: Split = "even-by-type") -> Division:
    """Divides both armies, the larger one first, and works out the loss number (CHR-UNI-02 to -12).

    Raises ValueError if an army has no men.
    """
    men = [sum(army.values()) for army in armies]
    if not all(men):
        raise ValueError("An army has no men. Give each side at least one.")
    grow = _split_evenly if split == "even-by-type" else _halve_one
    sizes = [_make(army, MOST_UNITS, Fraction(1), grow) for army in armies]
    if men[0] != men[1]:  # equal armies both have up to nine units (CHR-UNI-10)
        larger = int(men[1] > men[0])
        count = _count(sizes[larger])
        least = max(Fraction(1), Fraction(men[larger], count) / 2)  # CHR-UNI-06
        sizes[1 - larger] = _make(armies[1 - larger], count - 1, least, grow)  # CHR-UNI-07
    one, other = ([(key, size) for key, row in side.items() for size in row] for side in sizes)
    return Division((tuple(one), tuple(other)), -(-sum(men) // (3 * (len(one) + len(other)))))


def _count(sizes: Sizes) -> int:
    return sum(map(len, sizes.values()))


def _make(army: Army, most: int, least: Fraction, grow: Callable[[Sizes, Fraction], bool]) -> Sizes:
    """One unit for each type present, then more while there are fewer than `most` and one can be divided."""
    sizes: Sizes = {key: [army[key]] for key in TROOPS if army.get(key)}  # CHR-UNI-01, -09
    while _count(sizes) < most and grow(sizes, least):
        pass
    return sizes


def _split_evenly(sizes: Sizes, least: Fraction) -> bool:
    """One more unit for the type with the largest units whose men then still make units of at least `least` men.

    Largest means men by units; ties go by table 3.1 (CHR-UNI-03 to -05, -08). Returns False if there is no such type.
    """
    for key, row in sorted(sizes.items(), key=lambda item: -Fraction(sum(item[1]), len(item[1]))):
        size, more = divmod(sum(row), len(row) + 1)
        if size >= least:
            sizes[key] = [size + 1] * more + [size] * (len(row) + 1 - more)
            return True
    return False


def _halve_one(sizes: Sizes, least: Fraction) -> bool:
    """The largest single unit becomes two halves, the first larger by one man if the number is odd.

    Ties go by table 3.1, then to any unit of the type, as they are the same. A unit is passed over if its smaller half
    has fewer than `least` men (the option `halve-one` of CHR-UNI-04). Returns False if no unit can be halved.
    """
    for key, row in sorted(sizes.items(), key=lambda item: -item[1][0]):
        if row[0] // 2 >= least:
            sizes[key] = sorted([*row[1:], row[0] // 2, -(-row[0] // 2)], reverse=True)
            return True
    return False
