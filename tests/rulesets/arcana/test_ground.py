"""The ground: lines of sight, cover from a side, terrain."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rulesets.arcana.effects.stealth import sees
from app.rulesets.arcana.fight.declarations import Action, Free, React, Turn
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.phases import legal
from app.rulesets.arcana.rules.cover import Wrong, read_sides, read_walls, walls, write_walls
from app.rulesets.arcana.rules.grid import Cell, between, sides
from app.rulesets.arcana.rules.objects import WrongObject, read_objects, write_objects
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.rules.terrain import TERRAIN, WrongTerrain, Zone, percent, read_zones, write_zones
from app.rulesets.arcana.view import options
from tests.rulesets.arcana.plain import plain
from tests.rulesets.arcana.ring import at, cast, cycle, fight, mage, major, minors, of, strike

CELLS = st.tuples(st.integers(-15, 15), st.integers(-15, 15))
NEVER = React(resist="never")


@given(CELLS, CELLS)
def test_a_line_passes_every_cell_between(one: Cell, other: Cell) -> None:
    """ARC-62: it is the same both ways, unbroken, never its ends, and never farther off than half a cell's diagonal."""
    line = [set(cells) for cells in between(one, other)]
    assert [set(cells) for cells in between(other, one)] == line[::-1]
    wide, high = other[0] - one[0], other[1] - one[1]
    assert sum(len(cells) == 1 for cells in line) == len({cell for cells in line if len(cells) == 1 for cell in cells})
    for cell in (cell for cells in line for cell in cells):
        off = abs((cell[0] - one[0]) * high - (cell[1] - one[1]) * wide)
        assert cell not in (one, other) and 2 * off <= abs(wide) + abs(high)
    near = {(x, y) for x in range(-16, 17) for y in range(-16, 17)}
    inner = {
        cell for cell in near - {one, other}
        if 2 * abs((cell[0] - one[0]) * high - (cell[1] - one[1]) * wide) < abs(wide) + abs(high)
        and min(one[0], other[0]) <= cell[0] <= max(one[0], other[0])
        and min(one[1], other[1]) <= cell[1] <= max(one[1], other[1])
    }  # fmt: skip
    assert {cell for cells in line if len(cells) == 1 for cell in cells} == inner


def apart(*walls: str) -> State:
    """Ada and Ben five metres apart, with full cover in these cells; Ada's cell is 0,0, Ben's 10,0."""
    return fight(at(mage("ada"), 0), at(mage("ben"), 5, side="foes"), covers=dict.fromkeys(walls, "full"))


def test_a_wall_between_two_blocks_both() -> None:
    """ARC-62: spells, blind strikes at somebody, and eyes; beside the line it does not matter."""
    state = apart("4,0")
    assert not sees(state, "ada", "ben") and not sees(state, "ben", "ada")
    both = {"ada": major(cast("muddle", "ben"), react=NEVER), "ben": major(cast("stun_bolt", "ada"), react=NEVER)}
    assert [one.why for one in of(cycle(state, both), "void")] == ["full cover is in the way"] * 2
    state = apart("4,1", "4,-1", "0,1", "10,-1")
    assert sees(state, "ada", "ben") and sees(state, "ben", "ada")
    for kind in ("half", "three_quarter"):
        assert not fight(at(mage("ada"), 0), covers={"4,0": kind}).walled((0, 0), (10, 0))


def test_a_corner_hides_only_between_two_walls() -> None:
    """ARC-62: exactly through a corner."""
    assert not apart("1,0").walled((0, 0), (1, 1)) and not apart("0,1").walled((0, 0), (1, 1))
    assert apart("1,0", "0,1").walled((0, 0), (1, 1)) and apart("1,0", "0,1").walled((1, 1), (0, 0))


def test_no_blow_goes_round_a_wall() -> None:
    """ARC-62: a club reaches a metre, but not through half a metre of wall."""
    state = fight(at(plain("ada"), 0), at(plain("orc"), 1, side="foes"), covers={"1,0": "full"})
    assert of(cycle(state, {"ada": major(strike("orc"))}), "void")[0].why == "full cover is in the way"


def test_somebody_steps_out_from_behind_a_wall() -> None:
    """ARC-19, ARC-62: what is sealed at somebody behind a wall is judged at launch, after the movements."""
    state = apart("4,0")
    assert legal.check(state, "ada", major(cast("muddle", "ben"))) == {}
    turns = {"ada": major(cast("muddle", "ben")), "ben": Turn(major=Action(do="move", to=(10, 4)), react=NEVER)}
    told = cycle(state, turns, {"ARC-148/cast/ada/1/1": 8, "ARC-71/accuracy/ada/1>ben/1": 15})
    assert [one.hit for one in of(told, "struck")] == [True]


def test_a_place_behind_a_wall_is_refused_to_whoever_stays() -> None:
    """ARC-08, ARC-62: covers are public; who moves first may come to see it."""
    state, blind = apart("4,0"), Action(do="attack", weapon="club", at=(10, 0))
    assert legal.check(state, "ada", major(blind)) == {"major.at": legal.SAYS["wall"]}
    assert legal.check(state, "ada", major(blind, free=Free(step=(0, 1)))) == {}
    assert legal.check(state, "ada", minors(Action(do="considered", to=(0, 2)))) == {}
    assert legal.check(state, "ada", major(blind.model_copy(update={"along": True}))) == {}
    assert legal.check(apart(), "ada", major(blind)) == {}
    told = cycle(state, {"ada": major(Action(do="cast", spell="stun_bolt", at=(10, 0)))})
    assert of(told, "void")[0].why == "full cover is in the way"


@pytest.mark.parametrize(
    ("origin", "found"),
    [
        ((0, -3), ("north",)),
        ((3, 2), ("east",)),
        ((-3, 3), ("south", "west")),
        ((2, -2), ("north", "east")),
        ((0, 0), ()),
    ],
)
def test_the_side_something_comes_from(origin: Cell, found: tuple[str, ...]) -> None:
    """ARC-70."""
    assert sides((0, 0), origin) == found


def test_cover_helps_against_what_comes_from_its_side() -> None:
    """ARC-70: accuracy is less by two or five only from there, and the log says so."""
    for kind, less in (("half", -2), ("three_quarter", -5)):
        for x, y, helps in ((2, 5, False), (5, 2, True), (7, 3, True), (8, 5, False)):
            state = fight(
                at(mage("ada"), x, y), at(plain("orc"), 5, 5, side="foes"), covers={"10,10": kind},
                cover_sides={"10,10": ("north",)},
            )  # fmt: skip
            turns = {"ada": major(cast("stun_bolt", "orc")), "orc": Turn(react=NEVER)}
            told = cycle(state, turns, {"ARC-148/cast/ada/1/1": 8, "ARC-71/accuracy/ada/1>orc/1": 9})
            struck = of(told, "struck")[0]
            assert struck.bonus == (less if helps else 0), (kind, x, y)
            assert any("cover" in words for words, _ in struck.parts) is helps


def test_sides_are_written_and_read_again() -> None:
    """ARC-70: as the GM lays them out."""
    text = "4,4 half from north\n5,4 half from the west and north\n6,4 three-quarter from east, south\n7,4 half"
    covers, some = read_walls(text, 40, 30), read_sides(text, 40, 30)
    assert some == {"4,4": ("north",), "5,4": ("north", "west"), "6,4": ("east", "south")} and covers["7,4"] == "half"
    back = write_walls(covers, some)
    assert (read_walls(back, 40, 30), read_sides(back, 40, 30)) == (covers, some)
    assert [(one.x, one.bars) for one in walls(covers, some)][:2] == [(4, "M4 4h1"), (5, "M5 4h1M5 4v1")]
    assert read_sides("4,4 half from north, east, south and west", 40, 30) == {}, "that is simply half cover"
    assert read_sides(text + "\n4,4 half", 40, 30).keys() == {"5,4", "6,4"}
    for wrong in ("4,4 full from north", "4,4 half from up", "4,4 half from"):
        with pytest.raises(Wrong, match=r"^Line 1: "):
            read_walls(wrong, 40, 30)


def test_terrain_is_written_and_read_again() -> None:
    """ARC-68: in any order of corners, by its name; of pieces that overlap the later one counts."""
    zones = read_zones("Grass 0,0 to 39,29\n\nthick forest 14,12 - 10,10\ndeep_water 12,11", 40, 30)
    assert zones == (
        Zone("grass", 0, 0, 40, 30), Zone("thick_forest", 10, 10, 5, 3), Zone("deep_water", 12, 11, 1, 1),
    )  # fmt: skip
    assert [percent(zones, cell) for cell in ((9, 9), (10, 10), (12, 11), (14, 12), (15, 12), (50, 50))] == [
        100, 50, 10, 50, 100, 100,
    ]  # fmt: skip
    assert read_zones(write_zones(zones), 40, 30) == zones and read_zones(" \n", 40, 30) == ()
    every = "\n".join(f"{one.name} 1,1" for one in TERRAIN.values())
    assert [zone.kind for zone in read_zones(every, 40, 30)] == list(TERRAIN)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("lava 1,1", "Line 1: write terrain like mud"),
        ("mud", "Line 1: write"),
        ("mud 1,1\nmud 40,1", "Line 2: the ground goes from 0,0 to 39,29."),
        ("mud -1,1", "Line 1: write"),
        ("mud 1,1\n" * 101, "That is 101 lines"),
    ],
)
def test_what_is_no_terrain_is_told_with_its_line(text: str, fault: str) -> None:
    with pytest.raises(WrongTerrain, match="^" + re.escape(fault)):
        read_zones(text, 40, 30)


def test_terrain_slows_where_a_movement_begins() -> None:
    """ARC-68: it is multiplied before rounding, for what is declared, offered and made; off, it does nothing."""
    for chosen, far in (("on", 2), ("off", 5)):
        one = at(plain("ada"), 0)
        state = fight(one, settings=Settings.model_validate({"terrain": chosen}))
        state.zones = (Zone("swamp", 0, 0, 1, 1),)
        assert options.can(state, "ada").transport == 50 * far
        go = major(Action(do="move", to=(far + 1, 0)))
        assert legal.check(state, "ada", go).keys() == {"major.to"}
        cycle(state, {"ada": go})
        assert state.fighters["ada"].place == (far, 0)
        assert options.can(state, "ada").transport == 250, "out of the swamp"


def test_objects_are_written_and_read_again() -> None:
    """ARC-79 to ARC-81: the size is never left out; what has no HP has none to lose."""
    text = "barrel 12,4 1 m +2 15 hp\nOld Tom’s gate 0,0 3.5 m\nbell 2 39,29 1 cm -1 3/4 hp\nlid 1,1 50 cm 0/2 hp"
    barrel, gate, bell, lid = read_objects(f"\n{text.replace('-1', '−1').replace('lid', ' Lid  at').upper()}", 40, 30)
    assert (barrel.size, barrel.modifier, barrel.hp, barrel.hp_max) == (100, 2, 15, 15)
    assert (gate.key, gate.size, gate.hp) == ("object:old_tom’s_gate", 350, None) and not gate.broken
    assert (bell.name, bell.at, bell.size, bell.modifier, bell.hp, bell.hp_max) == ("BELL 2", (39, 29), 1, -1, 3, 4)
    assert lid.broken and lid.health == "broken"
    read = read_objects(text, 40, 30)
    assert read_objects(write_objects(read), 40, 30) == read and read_objects(" \n", 40, 30) == ()
    assert [one.called for one in read] == ["the barrel", "Old Tom’s gate", "the bell 2", "the lid"]
    assert [one.label for one in read] == ["Barrel", "Old Tom’s gate", "Bell 2", "Lid"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("barrel 1,1", "Line 1: write an object like barrel 12,4 1 m +2 15 hp: name, place, size"),
        ("1,1 1 m", "Line 1: write an object"),
        ("barrel 1,1 1 m\nbarrel 40,1 1 m", "Line 2: the barrel is already there; number them, such as barrel 2."),
        ("barrel 40,1 1 m", "Line 1: the ground goes from 0,0 to 39,29."),
        ("barrel 1,1 1 m\n\nGate 1,1 1 m", "Line 3: the barrel is already at 1,1; give each a separate place."),
        ("barrel 1,1 0 m", "Line 1: an object is between 1 cm and 20 m in size."),
        ("barrel 1,1 21 m", "Line 1: an object is between 1 cm and 20 m in size."),
        ("barrel 1,1 1 m +21", "Line 1: the modifier must be between −20 and +20."),
        ("barrel 1,1 1 m 0 hp", "Line 1: an object must have at least 1 HP, or leave its HP out."),
        ("barrel 1,1 1 m 5/4 hp", "Line 1: it has at most 4 HP."),
        (f"{'b' * 60} 1,1 1 m", "Line 1: that name is too long."),
        ("\n".join(f"b{n} {n % 40},{n // 40} 1 m" for n in range(61)), "That is 61 objects; at most 60 are allowed."),
    ],
)
def test_what_is_no_object_is_told_with_its_line(text: str, fault: str) -> None:
    with pytest.raises(WrongObject, match=re.escape(fault)):
        read_objects(text, 40, 30)
