"""Battlefields: barriers, sight, their text, what is refused, and the five that are ready-made."""

from collections.abc import Iterable
from random import Random

import pytest

from app.rulesets.chronicle.mass.field import FIELD, Barrier, Field
from app.rulesets.chronicle.mass.field_text import FIELDS, MOST_TEXT, read_field, ready_made, spell_field
from app.rulesets.chronicle.mass.hexes import Hex
from tests.rulesets.chronicle.mass.boards import random_field

SMALL = """
A . . . #
B  . ~ .
C . . . .
heights
....
.2.
..1.
soft A1 A2
hard b3>a3
HARD A1 B1
"""


def test_a_text_is_a_field() -> None:
    field = read_field(SMALL)
    assert (field.rows, field.columns, list(field)[:5]) == (3, 4, [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0)])
    assert (field.kind((0, 3)), field.kind((1, 1)), field.kind((2, 3))) == ("closed", "impassable", "open")
    assert (field.level((1, 1)), field.level((2, 2)), field.level((0, 0))) == (2, 1, 0)
    assert field.barriers == (
        Barrier("soft", (0, 0), (0, 1)),
        Barrier("hard", (1, 2), (0, 2), True),
        Barrier("hard", (0, 0), (1, 0)),
    )


@pytest.mark.parametrize("seed", range(20))
def test_fields_come_back_from_text_and_json(seed: int) -> None:
    rng = Random(seed)
    field = random_field(rng, rng.randint(3, 26), rng.randint(7, 20), barriers=rng.randint(0, 30))
    assert read_field(spell_field(field)) == field
    assert FIELD.validate_json(FIELD.dump_json(field)) == field
    assert FIELD.validate_python(FIELD.dump_python(field)) == field


def test_the_largest_map_can_be_spelled() -> None:
    bare = Field(26, 38)
    sides = [(one, other) for one in bare for other in bare.neighbours(one) if one < other]
    walls = tuple(Barrier("hard", one, other, True) for one, other in sides[-600:])
    field = Field(26, 38, {}, dict.fromkeys(bare, 9), walls)
    assert len(spell_field(field)) < MOST_TEXT
    assert read_field(spell_field(field)) == field


ROWS = "....\n...\n....\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "The map has 0 rows, and 0 hexes in the first. Draw 3 to 26 rows of at least 3 hexes."),
        ("...\n..\n", "The map has 2 rows"),
        ("..\n.\n..\n", "2 hexes in the first"),
        ("....\n...\n" * 13 + "....\n", "The map has 27 rows"),
        (("." * 60 + "\n" + "." * 59 + "\n") * 10, "The map has 1,190 hexes. Draw at most 1,000."),
        (" " * (MOST_TEXT + 1), "The map has 20,001 characters. Shorten it to 20,000."),
        ("....\n..\n....", "Line 2: row B has 2 hexes and needs 3. Rows have 4 and 3 hexes in turn."),
        ("....\n....\n....", "Line 2: row B has 4 hexes and needs 3"),
        ("....\n...\n.x..", "Line 3: “X” means nothing there. Use . for Open, # for Closed or ~ for Impassable."),
        ("A ....\nC ...\nB ....", "Line 2: this is row 2 from the north, but its letter is C."),
        (ROWS + "heights\n....", "The heights have 1 row, the map has 3. Draw all rows again, or no heights."),
        (ROWS + "heights\n....\n.#.\n....", "Line 6: “#” means nothing there. Use a digit for the level"),
        (ROWS + "heights\n....\n..\n....", "Line 6: row B has 2 hexes and needs 3."),
        (ROWS + "soft A1", "Line 4: this is no barrier. Write “soft L6 L7”, or “hard L6 > M6” for a one-way one."),
        (ROWS + "soft A0 A1", "Line 4: this is no barrier."),
        (ROWS + "soften A1 A2", "Line 4: this is no barrier."),
        (ROWS + "hard A1 D1", "Line 4: D1 is not on the map. Name two hexes of it."),
        (ROWS + "hard B3 > B4", "Line 4: B4 is not on the map."),
        (ROWS + "\nhard A1 A3", "Line 5: A1 and A3 are not neighbours. Name two that touch."),
        (ROWS + "hard A1 A1", "Line 4: A1 and A1 are not neighbours."),
        (ROWS + "hard A1 A2\nsoft A2 > A1", "Line 5: there is already a barrier between these two hexes. Keep one"),
        (ROWS + "hard A1 A2\n" * 601, "The map has 601 barriers. Draw at most 600."),
    ],
)
def test_a_wrong_text_is_refused_with_what_to_do(text: str, fault: str) -> None:
    with pytest.raises(ValueError) as refused:
        read_field(text)
    assert str(refused.value).startswith(fault) or fault in str(refused.value)


def test_barriers() -> None:
    """CHR-TER-11: hard barriers part units, and a one-way one lets them out only."""
    one, other = (1, 1), (1, 2)
    for barrier, adjacent, out, back in (
        (None, True, True, True),
        (Barrier("soft", one, other), True, True, True),
        (Barrier("soft", one, other, True), True, True, True),
        (Barrier("hard", one, other), False, False, False),
        (Barrier("hard", one, other, True), False, True, False),
        (Barrier("hard", other, one, True), False, False, True),
    ):
        field = Field(5, 5, {}, {}, (barrier,) if barrier else ())
        assert field.adjacent(one, other) is field.adjacent(other, one) is adjacent
        assert (field.may_step(one, other), field.may_step(other, one)) == (out, back)
        assert (
            field.soft(one, other)
            == field.soft(other, one)
            == (barrier if barrier and barrier.kind == "soft" else None)
        )


def test_impassable_hexes_and_far_ones_are_no_step() -> None:
    """CHR-TER-04."""
    field = Field(5, 5, {(1, 2): "impassable", (1, 0): "closed"})
    assert [field.may_step((1, 1), hex) for hex in ((1, 2), (1, 0), (1, 1), (1, 3))] == [False, True, False, False]
    assert not field.may_step((0, 0), (-1, 0)) and not field.passable((0, 5)) and not field.passable((1, 4))
    assert field.adjacent((1, 1), (1, 2)) and not field.adjacent((1, 1), (1, 3)) and not field.adjacent((1, 1), (1, 1))


def test_sight() -> None:
    """CHR-RNG-06: one clear line of two is enough; what is off the map or not Open blocks a line."""
    left, right, start, end = (11, 8), (11, 9), (10, 9), (12, 9)  # a line along the side between two hexes
    assert Field().clear(start, end)
    assert Field(kinds={left: "closed"}).clear(start, end) and Field(kinds={right: "impassable"}).clear(start, end)
    assert not Field(kinds={left: "closed", right: "closed"}).clear(start, end)
    assert not Field(kinds={(11, 7): "closed"}).clear((11, 6), (11, 8))
    assert Field(barriers=(Barrier("hard", (11, 7), (11, 8)),)).clear((11, 6), (11, 8))
    west, south = (0, 0), (2, 0)  # the hex between on the other line is not on the map
    assert Field().clear(west, south) and not Field(kinds={(1, 0): "closed"}).clear(west, south)


def _connected(field: Field, hexes: Iterable[Hex]) -> set[Hex]:
    """The hexes from which and to which a unit can walk, from the first on."""
    open_hexes = sorted(hexes)
    found, edge = {open_hexes[0]}, [open_hexes[0]]
    while edge:
        here = edge.pop()
        for hex in field.neighbours(here):
            if hex not in found and field.may_step(here, hex) and field.may_step(hex, here):
                found.add(hex)
                edge.append(hex)
    return found


@pytest.mark.parametrize("key", FIELDS)
def test_ready_made_fields_can_be_played(key: str) -> None:
    """All ground connected, and room for nine units in each third, by rows and by columns."""
    field = ready_made(key)
    ground = {hex for hex in field if field.passable(hex)}
    assert len(list(field)) == 449 and _connected(field, ground) == ground
    for axis, size in ((0, 23), (1, 20)):
        for third in range(3):
            assert sum(hex[axis] * 3 // size == third for hex in ground) >= 40
    assert all(field.passable(one.one) and field.passable(one.other) for one in field.barriers)
    assert read_field(spell_field(field)) == field


def test_ready_made_fields_are_what_their_names_say() -> None:
    fields = {key: ready_made(key) for key in FIELDS}
    count = {key: [field.kind(hex) for hex in field].count("closed") for key, field in fields.items()}
    assert count["plain"] < 40 < count["valley"] < count["pass"]
    assert max(fields["valley"].levels.values()) == 3
    assert {(one.kind, one.one_way) for one in fields["village"].barriers} == {
        ("hard", True),
        ("soft", True),
        ("hard", False),
    }
    assert all(fields["pass"].kind((11, column)) == "open" for column in range(19)), "a road for a marching column"


def test_the_river_is_crossed_at_two_fords_only() -> None:
    river = ready_made("river")
    fords = {(11, 5), (11, 6), (11, 14), (11, 15)}
    assert all(river.passable(ford) for ford in fords)
    for closed, reached in ((fords, False), ({(11, 5), (11, 6)}, True), ({(11, 14), (11, 15)}, True)):
        dry = Field(23, 20, river.kinds | dict.fromkeys(closed, "impassable"))
        assert ((22, 0) in _connected(dry, {hex for hex in dry if dry.passable(hex)})) is reached
