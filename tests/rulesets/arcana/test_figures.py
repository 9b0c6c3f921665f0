"""What is said of a sheet: each number with how it comes about, spells as they are for who casts them, and words."""

import re
from typing import Any

import pytest

from app.rulesets.arcana.rules import wording
from app.rulesets.arcana.rules.book import ARMOUR, SPELLS, WEAPONS
from app.rulesets.arcana.sheet import figures
from app.rulesets.arcana.sheet.generation import advised, left_to_give
from app.rulesets.arcana.sheet.samples import blank, heroes
from app.rulesets.arcana.sheet.sheet_page import shown
from app.rulesets.arcana.sheet.sheets import Sheet


def sheet(**more: Any) -> Sheet:
    return Sheet.model_validate({"name": "Ada", **more})


def figure(one: Sheet, name: str) -> tuple[str, str]:
    return next((it.value, it.how) for it in (*figures.figures(one), *figures.pools(one)) if it.name == name)


def test_each_number_says_how_it_comes_about() -> None:
    """ARC-64, ARC-67, ARC-74, ARC-75, ARC-97, ARC-118, ARC-122, ARC-123."""
    one = sheet(
        level=4, species="goblin", attributes={"ATH": 14, "FIN": 9, "PER": 13, "POW": 12, "SPR": 11},
        grown_hp=[3, 4, 5], proficient=["Health", "Strength", "Observation"], armour="padded", hp=7,
        shield="small_shield",
    )  # fmt: skip
    assert figure(one, "HP") == ("7 / 35", "Athleticism 14, Health +9, levels +12")
    assert figure(one, "FP") == ("11 / 11", "Spirit 11")
    assert figure(one, "Expertise")[0] == "+3"
    assert figure(one, "Block") == ("16", "8, ATH +2, Expertise +3, worn +3")
    assert figure(one, "Dodge") == ("6", "8, FIN −1, worn −1")
    assert figure(one, "Movement") == ("2 m", "1.5 m and half of ATH +2, down to the metre")
    assert figure(one, "Considered")[0] == "1 m"
    assert figure(one, "Passive Perception") == ("14", "10, PER +1, Expertise +3")
    assert figure(one, "Resist value") == ("10", "6, Expertise +3, POW +1; others have to reach it")
    assert figure(sheet(hp_stated=40), "HP") == ("40 / 40", "stated")


def test_armour_that_is_strange_halves_dodge_and_slows() -> None:
    """ARC-75, ARC-169: no Expertise, Dodge halved, a quarter of the way."""
    strange = sheet(armour="runic_mail", proficient=["Speed", "Strength"], attributes={"FIN": 14})
    assert figure(strange, "Dodge") == ("2", "8, FIN +2, worn −5, halved in armour you are not proficient with")
    assert figure(strange, "Block") == ("15", "8, worn +7")
    assert figure(strange, "Movement")[1].endswith("a quarter of it in armour you are not proficient with")
    at_home = sheet(armour="runic_mail", proficient=["heavy"], attributes={"FIN": 14})
    assert figure(at_home, "Dodge") == ("7", "8, FIN +2, Expertise +2, worn −5")


def test_a_spell_is_said_as_it_is_for_whoever_casts_it() -> None:
    """ARC-148, ARC-152, ARC-156: the die of the school, the wood on the check, the core on the price."""
    one = sheet(
        attributes={"SPR": 14}, proficient=["hexes"], spells=["stinger", "wail"], armour="robes", wood="malediction",
        core="malediction", schools={"malediction": "adept"},
    )  # fmt: skip
    book = {spell.key: spell for _, _, spells in figures.spellbook(one) for spell in spells}
    stinger, wail = book["stinger"], book["wail"]
    assert (stinger.check, stinger.price, stinger.odds) == ("d10+6 against 4", 3, 1.0)
    assert (wail.check, wail.price, wail.odds) == ("d6+3 against 4", 4, 1.0)
    assert figures.odds(6, -2, 4) == pytest.approx(1 / 6) and figures.odds(6, -3, 4) == 0.0
    assert [(it.name, it.value) for it in figures.disciplines(one)] == [("Psionics", "d6 +3"), ("Hexes", "d10 +6")]


def test_every_spell_weapon_and_garment_has_its_words() -> None:
    """ARC-154, ARC-165: no amounts of our own notation, no half sentences."""
    for one in SPELLS.values():
        for level in (1, 20):
            said = f"{wording.spell(one, level)} {wording.aimed(one, level)}"
            assert wording.spell(one, level)[0].isupper() or said[0] in "+−0123456789", said
            assert wording.spell(one, level).endswith(".") and not re.search(r"_|\(\)|  |\.\.|:;|; \.|None", said), said
    assert all(wording.weapon(one) for one in WEAPONS.values() if one.id != "wand")
    assert all(wording.armour(one) for one in ARMOUR.values())
    assert wording.spell(SPELLS["shadow_bolt"], 5).startswith("5d2 necrotic (+1d2 a power point)")
    assert wording.spell(SPELLS["mend"]) == (
        "Cures minor ailments, else heals 2d4 HP (+1d4 a power point), or with a Major Injury up to three quarters."
    )
    assert [wording.lasts(cycles) for cycles in (1, 5, 20, 100, 1200, 57_600)] == [
        "1 cycle", "5 cycles", "a minute", "5 minutes", "an hour", "2 days",
    ]  # fmt: skip


@pytest.mark.parametrize("key", list(heroes()))
def test_who_is_ready_is_complete(key: str) -> None:
    """ARC-121: every free point is given, as much is chosen as is advised, and no spell is out of reach."""
    one = heroes()[key]
    advice = advised(1, one.species)
    assert one.level == 1 and left_to_give(one) == 0 and figures.missing(one) == ()
    assert (len(one.spells), len(one.proficient), len(one.skills)) == tuple(advice[of] for of in (
        "spells", "proficient", "skills"
    ))  # fmt: skip
    assert all(spell.odds >= 0.5 for _, _, spells in figures.spellbook(one) for spell in spells)
    assert len({one.note for one in heroes().values()}) == 5 and not one.dead and one.hp is None


def test_an_empty_sheet_lacks_only_a_name() -> None:
    """ARC-121."""
    begun = blank()
    assert begun["name"] == ""
    assert left_to_give(sheet(**begun | {"name": "Ada"})) == 0 and not figures.missing(sheet(**begun | {"name": "Ada"}))


def test_what_is_missing_is_said() -> None:
    """ARC-121, ARC-147."""
    bare = sheet(how="assigned", places=blank()["places"], weapons=[])
    assert figures.missing(bare) == (
        "You can still add 3 free points of the Midblood mage.",
        "No spells yet: about 5 are usual at this level.",
        "No proficiencies yet: about 5 are usual at this level.",
    )
    assert figures.missing(sheet(proficient=["wand"], spells=["wail"], weapons=[])) == ("No wand: spells need one.",)
    assert figures.missing(sheet(proficient=["wand"], spells=["wail"], weapons=[], species="goblin")) == ()


def test_what_may_be_chosen_says_why_not_yet() -> None:
    """ARC-147, ARC-149."""

    def late(one: Sheet | None) -> dict[str, str]:
        return {spell.key: spell.late for group in shown(one, {}).offered.spells for spell in group.choices}

    assert len(late(None)) == len(SPELLS) and late(None)["wail"] == "" and "level 5" in late(None)["hush"]
    assert late(sheet(level=5))["hush"] == "" and late(sheet(schools={"illusion": "novice"}))["hush"] == ""


def test_a_campaigns_own_spell_stands_in_the_book_and_on_the_sheet() -> None:
    """ARC-147, ARC-150."""
    own = SPELLS["wail"].model_copy(update={"id": "own_wolf_song", "name": "Wolf Song"})
    singer = sheet(spells=["own_wolf_song", "own_gone"])
    page = shown(singer, {"spells": {"own_wolf_song": own}})
    assert page.page is not None and [spell.name for _, _, spells in page.page.book for spell in spells] == [
        "Wolf Song"
    ]
    assert "own_wolf_song" in {spell.key for group in page.offered.spells for spell in group.choices}
