"""Random battlefields and fairness: the same seed gives the same field, both sides have as much, and there is room."""

import pytest

from app.rulesets.chronicle.mass.fairness import alike, connected, cover, fairness
from app.rulesets.chronicle.mass.field import Barrier, Field
from app.rulesets.chronicle.mass.field_text import FIELDS, read_field, ready_made, spell_field
from app.rulesets.chronicle.mass.hexes import Hex
from app.rulesets.chronicle.mass.maps import made_by_wishes
from app.rulesets.chronicle.mass.placing import room_fault
from app.rulesets.chronicle.mass.random_field import Wishes, random_field

SIZES = [(23, 20), (12, 12), (26, 38), (9, 30), (22, 20), (11, 11)]
NO_ROOM = "The map has no room for two armies of 9 units."
GROUND = [(20, 5, 2), (5, 0, 0), (40, 20, 6), (1, 10, 0), (0, 0, 3)]


def turned(field: Field, hex: Hex) -> Hex:
    row = field.rows - 1 - hex[0]
    return row, field.width(row) - 1 - hex[1]


@pytest.mark.parametrize("mirrored", [True, False])
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_a_random_field_is_fair_whole_and_has_room(rows: int, columns: int, *, mirrored: bool) -> None:
    for number, (closed, impassable, hills) in enumerate(GROUND):
        wishes = Wishes(rows, columns, closed, impassable, hills, mirrored)
        if rows % 2 == 0 and mirrored:
            assert "odd number of rows" in wishes.faults()["rows"]
            continue
        assert wishes.faults() == {}
        field = random_field(f"mill {number}", wishes)
        assert field == random_field(f"mill {number}", wishes) == read_field(spell_field(field))
        assert len(connected(field)) == 1 and room_fault(field) == ""
        assert alike(*cover(field)), (wishes, cover(field))
        shares = [list(field.kinds.values()).count(kind) * 100 / len(list(field)) for kind in ("closed", "impassable")]
        assert closed - 1 < shares[0] < closed + 1 and impassable - 1 < shares[1] < impassable + 1, wishes
        assert bool(field.levels) == bool(hills)
        if mirrored:
            same = [(field.kind(hex), field.level(hex)) for hex in field]
            assert same == [(field.kind(other), field.level(other)) for other in (turned(field, one) for one in field)]


def test_another_seed_is_another_field() -> None:
    assert len({spell_field(random_field(seed, Wishes())) for seed in "abcdefgh"}) == 8


@pytest.mark.parametrize(("typed", "faults"), [
    ({"rows": "27"}, {"rows": "Enter a number from 3 to 26."}),
    ({"rows": "x", "hills": ""}, {"rows": "Enter a whole number.", "hills": "Enter a whole number."}),
    ({"columns": "44"}, {"columns": "That is 1,001 hexes. Enter fewer columns, for at most 1,000."}),
    ({"rows": "3", "columns": "4"}, {"columns": f"{NO_ROOM} Draw more Open or Closed ground."}),
    ({"closed": "41"}, {"closed": "Enter a number from 0 to 40."}),
])  # fmt: skip
def test_what_cannot_be_made_is_said_at_its_field(typed: dict[str, str], faults: dict[str, str]) -> None:
    usual = {"rows": "23", "columns": "20", "closed": "20", "impassable": "5", "hills": "2"}
    assert made_by_wishes(usual | typed, "fresh") == ({}, faults)


def test_a_seed_that_is_not_typed_is_told() -> None:
    usual = {"rows": "23", "columns": "20", "closed": "20", "impassable": "5", "hills": "2", "mirrored": "no"}
    values, faults = made_by_wishes(usual | {"seed": " "}, "fresh")
    assert not faults and values["seed"] == "fresh"
    assert values == made_by_wishes(usual | {"seed": "fresh"}, "other")[0]
    assert values["map"] == spell_field(random_field("fresh", Wishes(mirrored=False)))


def test_fairness_counts_both_halves_and_says_who_has_more() -> None:
    kinds = dict.fromkeys([(0, 0), (0, 1), (5, 5), (10, 1)], "closed") | dict.fromkeys([(5, 0)], "impassable")
    field = Field(11, 11, kinds, {(10, 3): 1}, (Barrier("soft", (4, 4), (5, 4)), Barrier("hard", (9, 1), (10, 1))))  # type: ignore[arg-type]
    found = fairness(field)
    assert [(one.what, one.north, one.south) for one in found.shares] == [
        ("Closed hexes", 2, 1), ("high hexes", 0, 1), ("Impassable hexes", 0, 0), ("barriers", 1, 1),
    ]  # fmt: skip
    assert found.sentence == "The north has more Closed hexes (2 to 1); the south has more high hexes (1 to 0)."
    assert found.apart == "" and found.passable == len(list(field)) - 1
    walled = Field(5, 5, {(1, 0): "impassable", (0, 1): "impassable"})
    assert fairness(walled).apart == "1 passable hex is cut off from the rest. Open a way there."
    assert fairness(Field()).sentence == "The north and the south have about the same."
    assert all(fairness(ready_made(key)).apart == "" for key in FIELDS)


def test_a_one_way_barrier_cuts_nothing_off() -> None:
    around = tuple(Barrier("hard", (0, 0), other, one_way=True) for other in Field(5, 5).neighbours((0, 0)))
    assert len(connected(Field(5, 5, barriers=around))) == 1
    assert len(connected(Field(5, 5, barriers=tuple(Barrier("hard", one.one, one.other) for one in around)))) == 2
