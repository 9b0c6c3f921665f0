"""Shots and losses: EXM-10, EXM-13, table 3.7, and who can shoot (CHR-RNG)."""

import pytest

from app.rulesets.chronicle.mass.field import Barrier, Field, Kind
from app.rulesets.chronicle.mass.losses import Rounding, lasting, melee, shot
from app.rulesets.chronicle.mass.ranged import shooter_fault, shot_fault, targets


def test_losses_by_shots() -> None:
    """EXM-10."""
    assert [shot(95, 3, won=True), shot(95, 3, won=False)] == [10, 0]
    assert [shot(95, 2, won=True), shot(95, 2, won=False)] == [29, 10]
    assert [shot(95, 4, won=True), shot(95, 4, won=False)] == [10, 0]


@pytest.mark.parametrize(("rounding", "losses"), [("up", [29, 10, 1]), ("down", [28, 9, 0]), ("nearest", [29, 10, 0])])
def test_rounding_of_shots(rounding: Rounding, losses: list[int]) -> None:
    """CHR-RNG-09: 28.5, 9.5 and 0.4 men."""
    shots = (95, True), (95, False), (4, False)
    assert [shot(size, 2, won=won, rounding=rounding) for size, won in shots] == losses


def test_losses_in_melee() -> None:
    """Table 3.7 with L = 7."""
    assert [melee(7, half=half, stays=stays) for half in (False, True) for stays in (False, True)] == [7, 14, 4, 8]
    assert melee(7, half=True, stays=True, rounding="down") == 6


def test_losses_after_the_battle() -> None:
    """EXM-13: the side that stayed, and the side that retreated (CHR-END-06)."""
    units = (46, 180), (92, 120), (90, 90)
    assert [lasting(losses, size, halved=True) for losses, size in units] == [23, 46, 90]
    assert [lasting(losses, size, halved=False) for losses, size in units] == [46, 92, 90]
    assert [lasting(7, 9, halved=True), lasting(7, 9, halved=True, rounding="up"), lasting(0, 9, halved=True)] == [
        3,
        4,
        0,
    ]


def test_who_shoots() -> None:
    """CHR-RNG-02, CHR-ARM-10."""
    assert shooter_fault("BW", engaged=False, moved=0) == shooter_fault("BW", engaged=False, moved=1) == ""
    assert shooter_fault("BW", engaged=True, moved=0) == "It is engaged."
    assert "moved 2 hexes" in shooter_fault("BW", engaged=False, moved=2)
    assert shooter_fault("HC", engaged=False, moved=0) == "It has no bows."


def test_distances_of_shots() -> None:
    """CHR-RNG-04, -05: even across a hard barrier, the next hex is too near."""
    field = Field(barriers=(Barrier("hard", (11, 5), (11, 6)),))
    faults = [shot_fault(field, "BW", (11, 5), (11, 5 + far)) for far in range(1, 6)]
    assert [bool(fault) for fault in faults] == [True, False, False, False, True]
    assert faults[0].startswith("It is 1 hex away") and faults[4].startswith("It is 5 hexes away")


@pytest.mark.parametrize("kind", ["closed", "impassable"])
def test_shots_need_open_ground(kind: Kind) -> None:
    """CHR-RNG-03."""
    faults = [shot_fault(Field(kinds={(11, column): kind}), "BW", (11, 5), (11, 8)) for column in range(5, 10)]
    assert [fault.split(":")[0] for fault in faults] == [
        "The bowmen are not on Open ground.",
        "There is other than Open ground between.",
        "There is other than Open ground between.",
        "It is not on Open ground.",
        "",
    ]


def test_targets_nearest_first() -> None:
    enemies = {"b1": (11, 9), "b2": (11, 7), "b3": (9, 5), "b4": (11, 6), "b5": (11, 2), "b6": (11, 15)}
    assert targets(Field(), "BW", (11, 5), enemies) == ["b2", "b3", "b5", "b1"]
