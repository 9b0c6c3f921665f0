"""The data files: complete, in step with one another, and the schema that a GM's own spells and foes go through."""

from typing import Any

import pytest

from app.rulesets.arcana.rules import book
from app.rulesets.arcana.rules.amounts import worth
from app.rulesets.arcana.rules.book import (
    ARMOUR,
    DAMAGE,
    SPECIES,
    SPELLS,
    STATUSES,
    WEAPONS,
    Damage,
    Gives,
    Spell,
    rows,
)
from app.rulesets.arcana.sheet.foes import FOES, GRADES, Foe

SPELL: dict[str, Any] = {
    "name": "Own Spell", "school": "malediction", "discipline": "hexes", "level": "novice", "hostile": True,
    "shape": {"form": "bolt", "metres": "100"}, "accuracy": "instinct",
    "effect": [{"op": "damage", "n": "1+PP", "d": 6, "type": "fire"}],
}  # fmt: skip


def test_there_is_enough_of_everything() -> None:
    counts = [len(table) for table in (SPELLS, WEAPONS, ARMOUR, SPECIES, DAMAGE, FOES)]
    assert counts == [71, 30, 17, 10, 14, 14] and len(STATUSES) >= 40


def test_the_rows_name_only_what_there_is() -> None:
    for kind in DAMAGE.values():
        assert all(face.status in STATUSES for face in (kind.rider.faces if kind.rider else ()))
    for one in ARMOUR.values():
        assert all(key in DAMAGE or key == "ranged_weapons" for key in one.resists), one.id
    for status in STATUSES.values():
        assert all(key in DAMAGE for key in status.suffers)
    assert {spell.school for spell in SPELLS.values()} == set(book.SCHOOLS)


def test_a_spell_has_dv_price_and_attribute_by_its_level_and_discipline() -> None:
    """ARC-150, ARC-151, ARC-152."""
    stun = SPELLS["stun_bolt"]
    assert (stun.dv, stun.attr, stun.kind) == (5, "POW", "instant")
    assert SPELLS["bonebreaker"].dv == 11 and SPELLS["mend"].heals and not stun.heals
    assert SPELLS["drain"].upkeep == 0 and SPELLS["fire_burst"].block_halves
    binds = SPELLS["rope_bind"].effect[0]
    assert isinstance(binds, Gives) and (binds.shake_off, binds.arms_free) == ("end", False)
    cloud = SPELLS["acid_cloud"].effect[0]
    assert isinstance(cloud, Damage) and cloud.per_cycle and worth(cloud.flat) == 2


def test_days_are_cycles() -> None:
    """ARC-02."""
    (mark,) = SPELLS["tracker_mark"].effect
    assert isinstance(mark, Gives) and worth(mark.cycles) == 3 * 24 * 60 * 20


@pytest.mark.parametrize(
    ("text", "pp", "level", "value"),
    [("2+PP", 3, 1, 5), ("8+3*level", 0, 4, 20), ("1+floor(PP/2)", 3, 1, 2), ("-(4+PP)", 1, 1, -5),
     ("max(1,floor((level-3)/3))", 0, 9, 2), ("max(1,floor((level-3)/3))", 0, 1, 1), ("min(10,3+PP)", 20, 1, 10)],
)  # fmt: skip
def test_amounts_grow_with_power_points_and_level(text: str, pp: int, level: int, value: int) -> None:
    assert worth(text, pp=pp, level=level) == value


@pytest.mark.parametrize("text", ["", "2d6", "PP**9", "__import__('os')", "1/0", "level.x", "9" * 30, "(" * 20,
                                  "max(1)", "True", "2+", "min()", "9999999", "lambda: 1", "floor(1,2)"])  # fmt: skip
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        worth(text)
    bad = SPELL | {"effect": [{"op": "heal", "flat": text}]}
    with pytest.raises(ValueError, match=r"own\.effect\.0\.heal\.flat"):
        rows({"own": bad}, Spell, "own spells")


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"level": "godlike"}, "own.level"),
        ({"name": ""}, "own.name"),
        ({"name": "x" * 1000}, "own.name"),
        ({"school": "cookery"}, "own.discipline: Hexes is of malediction"),
        ({"discipline": "curse"}, "own.discipline: There is elemental"),
        ({"effect": []}, "own.effect"),
        ({"effect": [{"op": "win"}]}, "own.effect.0"),
        ({"effect": [{"op": "damage", "type": "tickling"}]}, "own.effect.0.damage.type"),
        ({"effect": [{"op": "status", "id": "happy"}]}, "own.effect.0.status.id"),
        ({"shape": {"form": "cloud"}}, "own.shape.form"),
        ({"accuracy": "each"}, "own.accuracy: .* needs several missiles"),
        ({"effect": [{"op": "heal", "n": "999"}]}, "own.effect.0.heal.n: .*0 to 100"),
        ({"effect": [{"op": "missiles", "count": "-1"}]}, "own.effect.0.missiles.count: .*0 to 100"),
        ({"colour": "red"}, "own.colour"),
    ],
)
def test_a_wrong_spell_is_told_by_its_field(change: dict[str, Any], where: str) -> None:
    assert rows({"own": SPELL}, Spell, "own spells")["own"].dv == 5
    with pytest.raises(ValueError, match=where):
        rows({"own": SPELL | change}, Spell, "own spells")


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"attributes": {"ATH": 5}}, "own.attributes: FIN, SPR"),
        ({"attacks": {"bite": {"d": [6, 0, 6], "type": "fire"}}}, "own.attacks.bite.d"),
        ({"weapons": ["bomb"]}, "own.weapons: There is nothing called “bomb”"),
        ({"hp": 0}, "own.hp"),
        ({"attacks": {"bite": {"d": 6, "type": "tickling"}}}, "own.attacks.bite.type"),
        ({"spells": ["{wish}"]}, "own.spells: There is nothing called “.wish.”"),
        ({"proficient": ["cookery"]}, "own.proficient: There is nothing called “cookery”"),
        ({"spells": ["own_wish", "wish"]}, "own.spells: There is nothing called “wish”"),
        ({"size": 0}, "own.size"),
    ],
)
def test_a_wrong_foe_is_told_by_its_field(change: dict[str, Any], where: str) -> None:
    goblin = FOES["gnome"].model_dump(exclude={"id"})
    assert rows({"own": goblin}, Foe, "own foes")
    with pytest.raises(ValueError, match=where):
        rows({"own": goblin | change}, Foe, "own foes")


def test_grades_give_hp_and_dice() -> None:
    """ARC-173."""
    bites = [FOES["manticore"].arms(grade)["bite"].damage for grade in GRADES]
    assert [bite.d for bite in bites if bite] == [8, 12, 20]
    assert FOES["duellist"].arms("standard")["rapier"].reach == 1
