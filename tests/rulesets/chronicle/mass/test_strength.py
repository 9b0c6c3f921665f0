"""Strengths: EXM-07 to -09, each note of the table, high ground and barriers (CHR-ARM, CHR-TER)."""

import pytest

from app.rulesets.chronicle.mass.field import Barrier, Field
from app.rulesets.chronicle.mass.hexes import Hex
from app.rulesets.chronicle.mass.strength import Stand, addends, flanked, in_words, total
from app.rulesets.chronicle.mass.troops import TROOPS

HERE, THERE = (11, 9), (11, 10)
OPEN, OWN_WOOD, THEIR_WOOD = Field(), Field(kinds={HERE: "closed"}), Field(kinds={THERE: "closed"})


def _against(field: Field, troop: str, enemy: str, *, flank: bool = False, melee: bool = True) -> tuple[int, int]:
    """The strengths of a unit on HERE, which moved first, and of one on THERE."""
    units = Stand(troop, HERE, 1), Stand(enemy, THERE, 2)
    return (
        total(addends(field, *units, flanked=flank, melee=melee)),
        total(addends(field, *reversed(units), flanked=False, melee=melee)),
    )


def test_pikemen_and_heavy_cavalry() -> None:
    """EXM-07, EXM-08."""
    assert _against(OPEN, "PK", "HC") == (7, 7)
    assert _against(THEIR_WOOD, "PK", "HC") == (6, 5)


def test_flanked_cavalry() -> None:
    """EXM-09: two enemies on opposite sides."""
    around = [(11, 8), (11, 10)]
    assert flanked(OPEN, around) and not flanked(OPEN, [(11, 10), (10, 10)]) and not flanked(OPEN, around[:1])
    assert _against(OPEN, "HC", "MI", flank=True) == (5, 3)
    assert _against(OPEN, "HC", "MI") == (7, 3)


def test_a_hard_barrier_parts_flankers() -> None:
    """CHR-ARM-09 with CHR-TER-11: enemies with a hard barrier between are not adjacent, a third in touch or not."""
    three = [(11, 10), (10, 10), (10, 9)]
    assert flanked(Field(barriers=(Barrier("hard", *three[:2], True),)), three[:2])
    assert flanked(OPEN, three), "the first and the third are apart"


@pytest.mark.parametrize(
    ("troop", "both_open", "own", "theirs"),
    [
        ("LI", 2, 4, 4),
        ("MI", 3, 3, 3),
        ("HI", 4, 3, 3),
        ("PK", 4, 3, 3),
        ("LC", 4, 2, 2),
        ("MC", 5, 3, 3),
        ("HC", 7, 5, 5),
        ("BW", 2, 2, 2),
    ],
)
def test_ground(troop: str, both_open: int, own: int, theirs: int) -> None:
    """CHR-ARM-03, -05, -07: Closed terrain under either counts."""
    assert [_against(field, troop, "MI")[0] for field in (OPEN, OWN_WOOD, THEIR_WOOD)] == [both_open, own, theirs]


@pytest.mark.parametrize("enemy", TROOPS)
def test_pikemen_against_each(enemy: str) -> None:
    assert _against(OPEN, "PK", enemy)[0] == (7 if enemy in ("LC", "MC", "HC") else 4)


@pytest.mark.parametrize(
    ("mine", "yours", "relative", "tagged"), [(0, 0, 0, 0), (3, 1, 1, 1), (2, 2, 0, 1), (1, 2, 0, 1)]
)
def test_high_ground(mine: int, yours: int, relative: int, tagged: int) -> None:
    """CHR-TER-13, in melee and in shooting."""
    field = Field(levels={HERE: mine, THERE: yours})
    units = Stand("MI", HERE, 1), Stand("MI", THERE, 2)
    for melee in (True, False):
        assert total(addends(field, *units, flanked=False, melee=melee)) == 3 + relative
        assert total(addends(field, *units, flanked=False, melee=melee, high_ground="tagged")) == 3 + tagged


@pytest.mark.parametrize(
    ("barrier", "strengths"),
    [
        (Barrier("soft", HERE, THERE), (3, 2)),  # CHR-TER-08: the one that moved last
        (Barrier("soft", THERE, HERE), (3, 2)),
        (Barrier("soft", THERE, HERE, True), (2, 3)),  # CHR-TER-10: the one on the outer hex
        (Barrier("soft", HERE, THERE, True), (3, 2)),
    ],
)
def test_soft_barriers(barrier: Barrier, strengths: tuple[int, int]) -> None:
    field = Field(barriers=(barrier,))
    assert _against(field, "MI", "MI") == strengths
    assert _against(field, "MI", "MI", melee=False) == (3, 3)  # CHR-TER-15


def _said(field: Field, troop: str, hex: Hex = HERE) -> str:
    return in_words(addends(field, Stand(troop, hex, 3), Stand("HC", THERE, 2), flanked=False), troop)


def test_a_strength_in_words() -> None:
    high = Field(kinds={THERE: "closed"}, levels={HERE: 2}, barriers=(Barrier("soft", HERE, THERE),))
    assert _said(high, "LI") == "light infantry 2, closed ground +2, height +1, attacking across a barrier −1"
    assert _said(high, "PK").startswith("pikemen 4, closed ground −1, against cavalry +3, height +1")
    assert _said(OPEN, "MC") == "medium cavalry 3, open ground +2"
