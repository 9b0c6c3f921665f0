"""People by the dice: exact distributions by computation, the seed's examples, and one set through all steps."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from app.engine.chance import ScriptedChance, SeededChance
from app.rulesets.chronicle import generation as ge
from app.rulesets.chronicle.motivations import MOTIVATIONS, OTHER, POOL
from app.rulesets.chronicle.skills import GROUPS, Group

MAIN = (13, 30, 46, 51, 46, 34, 21, 10, 4, 1)  # EXC-10
OTHERS = (62_500, 250_000, 375_000, 250_000, 52_000, 8_700, 1_500, 250, 42, 7, 1)
SINGLE = {  # ledger 3.2: ratings of one skill, per million, by the number of skills in its group
    4: (105_849, 117_354, 151_859, 166_118, 156_985, 125_796, 85_809, 50_075, 24_982, 10_500, 4_674),
    5: (108_475, 117_625, 151_034, 164_827, 155_377, 124_741, 85_587, 50_440, 25_547, 11_012, 5_333),
    7: (111_377, 117_935, 150_187, 163_405, 153_622, 123_525, 85_264, 50_783, 26_156, 11_599, 6_147),
}


def _main_rating(dice: tuple[int, ...]) -> int:
    chance = ScriptedChance({f"x/4d4-{n}": face for n, face in enumerate(dice, 1)})
    return ge.main_rating(chance, "x")[0]


def test_the_256_ways_of_4d4() -> None:
    """EXC-10, CHR-SKL-05, CHR-SKL-06, CHR-SKL-19."""
    found = Counter(_main_rating(dice) for dice in product(range(1, 5), repeat=4))
    assert tuple(found[rating] for rating in range(10)) == MAIN
    assert max(found) == 9
    assert sum(Fraction(rating * count, 256) for rating, count in found.items()) == Fraction(433, 128)


def test_the_bands_are_the_ledgers() -> None:
    """CHR-SKL-15."""
    assert ge.BANDS[-1] == ge.MILLION
    assert tuple(top - below for below, top in zip((0, *ge.BANDS), ge.BANDS, strict=False)) == OTHERS
    for rating, top in enumerate(ge.BANDS):
        for number, expected in ((top, rating), (min(top + 1, ge.MILLION), min(rating + 1, 10))):
            assert ge.other_rating(ScriptedChance({"x/of-a-million": number}), "x")[0] == expected


@pytest.mark.parametrize(("people", "expected"), [(2_000, 0.6), (450_000, 135)])
def test_talent_that_is_to_be_expected(people: int, expected: float) -> None:
    """EXC-08, EXC-09, CHR-SKL-18."""
    assert ge.expected(people, 7) == pytest.approx(expected)
    assert ge.at_least(0) == ge.MILLION


def test_the_seeds_skill_bank() -> None:
    """EXC-04."""
    points = {f"x/point-{n}": face for n, face in enumerate((2, 1, 2, 4, 4, 3, 1, 4), 1)}
    found = ge.hand_out(ScriptedChance(points), "x", GROUPS[0], 4, ())
    assert found.skills == {"control": 4, "fighting_mind": 4, "speed": 3, "strength": 5}
    assert (found.least, sum(found.skills.values())) == (2, 16)


def _single(group: Group) -> list[Fraction]:
    """The exact chance of each rating of a group's first skill, for a main character: a walk over how many points it
    and the others have, with the group's other skills as one, since only fullness tells them apart."""
    number = len(group.skills)
    found = [Fraction(0)] * 11
    for rating, ways in enumerate(MAIN):
        least = max(0, rating - 2)
        states: dict[tuple[int, ...], Fraction] = {(least,) * number: Fraction(ways, 256)}
        for _ in range((rating - least) * number):
            after: dict[tuple[int, ...], Fraction] = {}
            for (mine, *others), share in states.items():
                free = [place for place, value in enumerate((mine, *others)) if value < 10]
                for place in free:
                    now = [mine, *others]
                    now[place] += 1
                    key = (now[0], *sorted(now[1:]))
                    after[key] = after.get(key, Fraction(0)) + share / len(free)
            states = after
        for (mine, *_), share in states.items():
            found[mine] += share
    return found


def test_single_skills_spread_as_the_ledger_says() -> None:
    """Table 3.2, n = 4: exact, by computation."""
    found = _single(GROUPS[0])
    assert sum(found) == 1
    assert tuple(round(share * ge.MILLION) for share in found) == SINGLE[4]


def test_a_thousand_sets_keep_the_rules() -> None:
    """CHR-SKL-10 to -12, CHR-MOT-02, CHR-MOT-03: whatever the dice."""
    chance = SeededChance(bytes(32), bytes(32))
    for n in range(300):
        how = ("main", "other")[n % 2]
        rolled, moved = ge.roll_skills(chance, f"{n}", how), ge.roll_motivations(chance, f"{n}/m")  # type: ignore[arg-type]
        for group, of in zip(rolled.groups, GROUPS, strict=True):
            assert list(group.skills) == [skill.key for skill in of.skills]
            assert sum(group.skills.values()) == group.rating * len(of.skills)
            assert group.least <= min(group.skills.values()) and max(group.skills.values()) <= 10
        assert sorted(
            tuple(sorted((moved.motivations[key], moved.motivations[OTHER[key]]))) for key in MOTIVATIONS
        ) == sorted([*POOL, *POOL])
        assert sorted(moved.pairs) == list(range(1, 10))
        ge.person("Ida", rolled, moved)


def test_the_seeds_motivations() -> None:
    """EXC-05, EXC-06."""
    luck = {"x/pair-1": 5, "x/pair-2": 7} | {f"x/pair-{n}": 1 for n in range(3, 9)}
    luck |= {"x/order-1": 3, "x/order-2": 2} | {f"x/order-{n}": 1 for n in range(3, 10)}
    chance = ScriptedChance(luck, recorded=True)
    found = ge.roll_motivations(chance, "x")
    assert not chance.unused()
    assert [roll.size for roll in found.draws] == [9, 8, 7, 6, 5, 4, 3, 2]
    assert found.pairs[:2] == (5, 8)
    assert {key: found.motivations[key] for key in ("modest", "proud", "trusting", "independent")} == {
        "modest": 2, "proud": 10, "trusting": 9, "independent": 3,
    }  # fmt: skip


def test_the_guide_order_is_even() -> None:
    """CHR-SKL-17: every order of the other three groups, each by one pair of dice."""
    orders = Counter()
    for first, second in product(range(1, 4), range(1, 3)):
        ratings, rolls = ge._guided(ScriptedChance({"x/guide-1": first, "x/guide-2": second}), "x", 5, "social")
        assert sorted(ratings.values()) == [2, 3, 4, 5] and ratings["social"] == 5 and len(rolls) == 2
        orders[tuple(ratings.items())] += 1
    assert len(orders) == 6
