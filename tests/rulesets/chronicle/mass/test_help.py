"""The battle told in help.md is what the rules make of it: numbers are read from the page and worked out again."""

from importlib.resources import files

import pytest

from app.engine.chance import ScriptedChance
from app.rulesets.chronicle.checks import check, ways
from app.rulesets.chronicle.mass.clusters import default, only_one
from app.rulesets.chronicle.mass.engagement import engagement
from app.rulesets.chronicle.mass.field_text import ready_made
from app.rulesets.chronicle.mass.hexes import Hex, distance, read, spell
from app.rulesets.chronicle.mass.losses import lasting, melee, shot
from app.rulesets.chronicle.mass.ranged import shot_fault
from app.rulesets.chronicle.mass.settings import MassSettings
from app.rulesets.chronicle.mass.strength import Stand, addends, flanked, total
from app.rulesets.chronicle.mass.troops import TROOPS
from app.rulesets.chronicle.mass.units import divide

PAGE = files("app.rulesets.chronicle.mass").joinpath("help.md").read_text(encoding="utf-8")
WORDS = " ".join(PAGE.split())
KEYS = {troop.name.capitalize(): key for key, troop in TROOPS.items()}
FIELD = ready_made("plain")
ELLA, COUNT = {"MI": 200, "PK": 100, "BW": 80}, {"LI": 120, "MI": 300, "HC": 90}


def _rows(head: str) -> list[list[str]]:
    lines = PAGE.split(head, 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


UNITS = _rows("| unit | whose |")
ROLLS = _rows("| roll of |")


def _hexes(whose: str) -> dict[str, Hex]:
    found = {unit: read(hex) for unit, side, hex, *_ in UNITS if side == whose}
    return {unit: hex for unit, hex in found.items() if hex}


HIS, HERS = _hexes("Count"), _hexes("Ella")
TAKEN = [*HIS.values(), *HERS.values()]
CLUSTERS = [
    ("Heavy cavalry 8", "Pikemen 5"),
    ("Heavy cavalry 9", "Medium infantry 1", "Medium infantry 2"),
    ("Light infantry 1", "Medium infantry 3"),
]


def _troop(unit: str) -> str:
    return KEYS[unit.rpartition(" ")[0]]


def _foes(unit: str) -> list[Hex]:
    """The hexes of a unit's enemies in its cluster."""
    cluster = next((one for one in CLUSTERS if unit in one), ())
    theirs = HERS if unit in HIS else HIS
    return [theirs[one] for one in cluster if one in theirs]


def test_the_armies_make_the_units_that_are_told() -> None:
    made = divide((ELLA, COUNT))
    assert (len(made.units[0]), len(made.units[1]), made.loss) == (8, 9, 18)
    for army, men in ((ELLA, "380 men make 8 units"), (COUNT, "510 make 9")):
        assert men.startswith(str(sum(army.values()))) and men in WORDS
        for key, count in army.items():
            assert f"{count} {TROOPS[key].name}" in WORDS
    for unit, whose, _, _, men in UNITS:
        assert made.units[whose == "Count"][int(unit[-1]) - 1] == (_troop(unit), int(men))
    assert f"**{made.loss}**" in PAGE and "890 / 51" in PAGE and made.loss == -(-890 // 51)


@pytest.mark.parametrize("row", UNITS, ids=lambda row: row[0])
def test_a_unit_stands_on_the_ground_that_is_told(row: list[str]) -> None:
    hex = read(row[2])
    assert hex is not None
    assert (FIELD.kind(hex), FIELD.level(hex)) == {"a wood": ("closed", 0), "the hill": ("open", 1)}.get(
        row[3], ("open", 0)
    )


def test_the_clusters_are_the_only_ones() -> None:
    graph = engagement(FIELD, HIS, HERS)
    assert default(graph) == CLUSTERS and only_one(graph)


@pytest.mark.parametrize("row", ROLLS, ids=lambda row: f"{row[0]}-{row[2]}")
def test_a_roll_comes_out_as_told(row: list[str]) -> None:
    """In melee the Count rolls, who is proactive in round 3."""
    mine, strength, yours, theirs, odds, dice, score, target, wins, losses = row
    shooting, pair = mine == "Bowmen 7", []
    assert shooting or mine in HIS
    for unit, enemy in ((mine, yours), (yours, mine)):
        stands = [Stand(_troop(one), (HIS | HERS)[one], 0) for one in (unit, enemy)]
        pair.append(total(addends(FIELD, *stands, flanked=flanked(FIELD, _foes(unit)), melee=not shooting)))
    assert pair == [int(strength), int(theirs)]
    first, second, third = map(int, dice.split(", "))
    luck = {"x/d8-1": first, "x/d8-2": second, "x/d10": third + 1}
    found = check(ScriptedChance(luck), "x", int(strength), int(theirs))
    assert (found.total, found.target, ways(*pair)) == (int(score), int(target), int(odds))
    assert wins == (mine if found.success else yours)
    if shooting:
        far = distance(HERS[mine], HIS[yours])
        assert not shot_fault(FIELD, "BW", HERS[mine], HIS[yours])
        assert int(losses) == shot(40, far, won=found.success)
    elif row is not ROLLS[2]:  # of the two rolls against the pincer only the lost one costs men
        assert int(losses) == melee(18, half=False, stays=False)


def test_they_fall_back_as_told() -> None:
    def away(unit: str, winner: str) -> list[str]:
        return [spell(hex) for hex in FIELD.away((HIS | HERS)[unit], (HIS | HERS)[winner], TAKEN)]

    assert "K8" in away("Heavy cavalry 8", "Pikemen 5") and "falls back to K8" in WORDS
    assert "L15" in away("Medium infantry 3", "Light infantry 1") and "falls back to L15" in WORDS
    assert away("Heavy cavalry 9", "Medium infantry 1") == ["J11", "J12"]
    assert away("Heavy cavalry 9", "Medium infantry 2") == ["J11", "K11"]
    assert [FIELD.level(hex) for hex in map(read, ("J11", "J12", "K11")) if hex] == [0, 0, 1]
    steps = {spell(hex): FIELD.kind(hex) for hex in FIELD.steps(HIS["Light infantry 1"], TAKEN)}
    assert steps["I15"] == "closed" and "to I15" in WORDS
    assert FIELD.adjacent((11, 12), HERS["Medium infantry 2"]) and "from L13 down to K13" in WORDS


def test_what_is_lost_for_good() -> None:
    """CHR-END-06, -07."""
    lost = {whose: sum(int(row[-1]) for row in ROLLS if _loser(row) in side) for whose, side in _sides().items()}
    assert lost == {"Count": 40, "Ella": 18} and "The 40 men he lost" in WORDS
    assert f"**{lasting(18, 50, halved=True)}**" in PAGE and "18 more men, 22 in all" in WORDS


def _sides() -> dict[str, dict[str, Hex]]:
    return {"Count": HIS, "Ella": HERS}


def _loser(row: list[str]) -> str:
    """The unit that takes the losses of a row: in shooting always the target."""
    return row[2] if row[8] == row[0] or row[0] == "Bowmen 7" else row[0]


def test_the_number_of_quiet_rounds() -> None:
    assert f"shoots for {MassSettings().battle_quiet_rounds} rounds" in WORDS
