"""Numbers of a sheet, and how one is made."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from app.engine.chance import ScriptedChance
from app.rulesets.arcana.fight.casting import price
from app.rulesets.arcana.rules.book import LEVELS, SPELLS
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.body import Body, considered, of_foe, of_sheet, special, transport
from app.rulesets.arcana.sheet.foes import FOES
from app.rulesets.arcana.sheet.sheets import ARRAY, CHOSEN, Sheet, allot, expertise, grow, modifier, roll
from tests.rulesets.arcana.ring import at, mage

PLAIN = Body(key="ada", name="Ada", attributes=dict.fromkeys(("ATH", "FIN", "SPR", "CHR", "INT", "PER", "POW"), 10) | {
    "EVL": 0
})  # fmt: skip
HALVE_FIRST = Settings(considered_rounding="halve_then_round")


def body(ath: int = 10, base: float = 2.5, level: int = 1, *proficient: str, armour: str = "casual") -> Body:
    return replace(
        PLAIN,
        attributes={**PLAIN.attributes, "ATH": ath},
        speed=round(base * 100),
        level=level,
        expertise=expertise(level),
        proficient=frozenset(proficient),
        armour=armour,
    )


def test_expertise_by_level() -> None:
    """ARC-T33, ARC-118."""
    assert [expertise(level) for level in (1, 3, 4, 7, 8, 12, 16, 20)] == [2, 2, 3, 3, 4, 5, 6, 7]


def test_modifiers() -> None:
    """ARC-T34, ARC-117."""
    assert [modifier(value) for value in (0, 1, 9, 10, 11, 12, 19)] == [-5, -5, -1, 0, 0, 1, 4]


def test_prices_from_a_book() -> None:
    """ARC-T32, ARC-155."""
    one = at(mage("ada"), 0)
    spells = {spell.level: spell for spell in SPELLS.values()}
    prices = [price(one, spells[level], 0, book=True) for level in LEVELS]
    assert prices == [6, 8, 9, 11, 17]


def test_movement_by_the_formula() -> None:
    """ARC-T01, ARC-64, ARC-67."""
    one = body(14, 2.5, 4, "Speed")
    assert (transport(one), considered(one, Settings())) == (500, 250)


def test_movement_is_rounded_to_the_half_metre() -> None:
    """ARC-T02, ARC-65, ARC-68."""
    one = body(12, 2)
    assert (transport(one, terrain=80), transport(one), considered(one, Settings())) == (200, 250, 100)


def test_movement_is_rounded_to_the_metre_in_armour() -> None:
    """ARC-T03, ARC-65."""
    assert transport(body(10, 2.5, 4, "Speed", armour="padded")) == 400
    assert transport(body(12, 2.5, armour="padded")) == 300
    slow = body(12, 2, armour="padded")
    assert (transport(slow), considered(slow, Settings())) == (200, 100)
    assert considered(body(12, 2.5, armour="padded"), HALVE_FIRST) == 100
    assert considered(body(12, 2.5, armour="padded"), Settings()) == 150


def test_nobody_moves_less_than_nothing() -> None:
    """ARC-T05."""
    assert transport(body(4, 1)) == 0


def test_crawling_is_half_of_it_and_the_encumbered_move_a_quarter() -> None:
    """ARC-25; a half that is uneven goes down to the half metre."""
    assert (special(body(12, 2)), transport(body(14, 3.5), encumbered=True)) == (100, 100)


def test_passive_perception_and_resist() -> None:
    """ARC-T17, ARC-T35, ARC-97, ARC-123."""
    sheet = Sheet.model_validate({
        "name": "Ada", "level": 4, "attributes": {"PER": 16, "POW": 14}, "proficient": ["Observation"]
    })  # fmt: skip
    assert (sheet.passive_perception, of_sheet("ada", sheet).passive_perception) == (16, 16)
    eighth = Sheet.model_validate({"name": "Ada", "level": 8, "attributes": {"POW": 14}})
    assert (eighth.resist_dv, of_sheet("ada", eighth).resist_dv) == (12, 12)


def test_maxima() -> None:
    """ARC-122."""
    plain = Sheet(name="Ada")
    assert (plain.hp_max, plain.fp_max) == (10, 10)
    tough = Sheet(name="Ada", level=3, proficient=("Health", "Willpower"), grown_hp=(6, 1), grown_fp=(2,))
    assert (tough.hp_max, tough.fp_max) == (23, 18)
    assert Sheet.model_validate({"name": "Ada", "hp_stated": "30", "fp_stated": ""}).hp_max == 30


def test_schools_come_with_levels_and_better_ones_by_choice() -> None:
    """ARC-149."""
    assert [Sheet(name="Ada", level=level).school("illusion") for level in (1, 4, 5, 10, 15, 20)] == [
        "beginner", "beginner", "novice", "adept", "expert", "expert",
    ]  # fmt: skip
    master = Sheet(name="Ada", schools={"illusion": "master"})
    assert (master.school("illusion"), master.school("sorcery")) == ("master", "beginner")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 1000}, "name"),
        ({"species": "elf"}, "species\n.*nothing called “elf”"),
        ({"proficient": ["Cooking"]}, "proficient\n.*nothing called “Cooking”"),
        ({"spells": ["wish"]}, "spells\n.*nothing called “wish”"),
        ({"spells": ["bonebreaker"]}, "spells\n.*a spell for a master, and Ada is beginner"),
        ({"weapons": ["spoon"]}, "weapons\n.*nothing called"),
        ({"armour": "small_shield"}, "armour\n.*nothing called"),
        ({"shield": "runic_mail"}, "shield\n.*nothing called"),
        ({"grown_hp": [3]}, "grown_hp\n.*At level 1"),
        ({"level": 2, "grown_fp": [7]}, "grown_fp\n.*At level 2"),
        ({"level": 21}, "level"),
        ({"skills": ["flying"]}, "skills\n.*nothing called"),
        ({"skills": ["surge", "surge"]}, "skills\n.*Surge has at most 1 rank"),
        ({"proficient": ["Cooking"] * 200}, "proficient\n.*nothing called"),
        ({"wood": "oak"}, "wood\n.*nothing called"),
        ({"items": {"Rope\n": 1}}, r"items.Rope\n\n.*not allowed here \(U\+000A\)"),
        ({"items": {"\u200b": 1}}, "(?s)items.*at least one visible letter"),
        ({"items": {"x" * 61: 1}}, "(?s)items.*at most 60 characters; this has 61"),
        ({"items": {"torch": 60, "Torch": 40}}, "items.Torch\n.*At most 99 of one thing; these are 100"),
        ({"items": {f"Key {n}": 1 for n in range(61)}}, "(?s)items.*At most 60 different things; these are 61"),
        ({"items": {"dagger": 1}}, "items.dagger\n.*Dagger is in the book: tick it among weapons"),
        ({"items": {"small shield": 1}}, "(?s)items.*Small shield is in the book: tick it among what is worn"),
        ({"items": {"antidote": 100}}, "items.antidote\n"),
        ({"ills": {"bored": 0}}, "ills\n.*nothing called"),
        ({"spells": ["own_{x}"]}, "spells\n.*nothing called “own_"),
        ({"how": "rolled"}, "how\n.*no 10 rolls"),
        ({"how": "rolled", "totals": [14] * 9 + [15]}, "totals\n.*4 to 14"),
        ({"attributes": {"ATH": -1}}, "ATH"),
    ],
)
def test_a_wrong_sheet_is_told_by_its_field(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        Sheet.model_validate({"name": "Ada"} | change)


def test_ten_rolls_are_made_and_seven_allotted() -> None:
    """ARC-121."""
    faces = {f"ARC-121/ada/{n}/{die}": 1 + (n + (die == "b")) % 6 for n in range(1, 11) for die in "ab"}
    chance = ScriptedChance(faces)
    totals = roll(chance, "ARC-121/ada").totals
    assert totals == (7, 9, 11, 13, 9, 5, 7, 9, 11, 13) and not chance.unused()
    chosen = dict(zip(CHOSEN, (9, 3, 8, 2, 7, 4, 1), strict=True))
    made = allot(totals, chosen, "half_giant", {"ATH": 2})
    assert made.model_dump() == {
        "ATH": 13 + 2 + 2, "FIN": 13 - 3, "SPR": 11 + 2, "CHR": 11, "INT": 9 - 2, "PER": 9, "POW": 9 - 3, "EVL": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("chosen", "species", "points", "words"),
    [
        (dict(zip(CHOSEN, range(6), strict=False)), "goblin", {}, "POW: Choose a number"),
        (dict.fromkeys(CHOSEN, 0), "goblin", {}, "is already used for ATH"),
        (dict(zip(CHOSEN, range(1, 8), strict=True)), "goblin", {}, "POW: There are 7 numbers"),
        (dict(zip((*CHOSEN, "EVL"), range(8), strict=True)), "goblin", {}, "EVL"),
        (dict(zip(CHOSEN, range(7), strict=True)), "goblin", {"ATH": 4}, "3 free points"),
        (dict(zip(CHOSEN, range(7), strict=True)), "goblin", {"ATH": -1}, "3 free points"),
        (dict(zip(CHOSEN, range(7), strict=True)), "elf", {}, "species"),
    ],
)
def test_what_cannot_be_allotted(chosen: Any, species: str, points: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        allot(ARRAY, chosen, species, points)


def test_a_level_brings_hp_and_fp() -> None:
    """ARC-122."""
    chance = ScriptedChance({"ARC-122/ada/2/hp": 5, "ARC-122/ada/2/fp": 3})
    grown, rolls = grow(chance, "ARC-122/ada/2", Sheet(name="Ada"))
    assert (grown.level, grown.hp_max, grown.fp_max, [one.face for one in rolls]) == (2, 15, 13, [5, 3])
    with pytest.raises(ValueError, match="twentieth"):
        grow(chance, "ARC-122/ada/21", Sheet(name="Ada", level=20))


def test_a_foe_becomes_a_body() -> None:
    """ARC-173."""
    troll = of_foe("troll", FOES["troll"], "greater")
    assert (troll.hp_max, troll.fp_max, troll.hide, troll.expertise, troll.size) == (40, 6, 3, 4, 400)
    assert of_foe("troll", FOES["troll"]).hide == 3 and of_foe("troll", FOES["troll"], "minor").hide == 2
    assert of_foe("d", FOES["duellist"]).expertise == 2
