"""A character in a minute (SKI-86): 3d6 each in order, 1d6 HP, one kit of twenty; every die is shown."""

from app.engine.chance import ScriptedChance, SeededChance
from app.rulesets.skirmish.sheet import catalogue
from app.rulesets.skirmish.sheet.generation import KITS, rolled
from app.rulesets.skirmish.sheet.sheets import Sheet

SCRIPT = {
    "SKI-86/mgt-1": 1, "SKI-86/mgt-2": 2, "SKI-86/mgt-3": 3, "SKI-86/agi-1": 6, "SKI-86/agi-2": 6, "SKI-86/agi-3": 6,
    "SKI-86/wil-1": 4, "SKI-86/wil-2": 4, "SKI-86/wil-3": 4, "SKI-86/hp": 5, "SKI-86/kit": 1,
}  # fmt: skip


def test_the_dice_in_order() -> None:
    chance = ScriptedChance(SCRIPT)
    sheet, dice = rolled("Kim", chance)
    assert not chance.unused()
    assert (sheet.mgt, sheet.agi, sheet.wil, sheet.hp, sheet.hp_max) == (6, 18, 12, 5, 5)
    assert (sheet.mgt_max, sheet.agi_max, sheet.wil_max, sheet.swap) == (6, 18, 12, "open")
    assert [one.about for one in dice] == ["MGT", "AGI", "WIL", "HP", "Kit"]
    assert dice[0].text == "1 + 2 + 3 = 6." and dice[-1].text.startswith("Number 1: longsword d8; shield (Armor +1)")
    assert [roll.label for one in dice for roll in one.rolls] == list(SCRIPT)


def test_every_kit_makes_a_sheet_with_room_to_spare() -> None:
    """Something to fight with, and free slots for Fatigue."""
    for face, kit in KITS.items():
        sheet, _ = rolled("Kim", ScriptedChance({**SCRIPT, "SKI-86/kit": face}))
        assert sheet.gear == kit.gear() and catalogue.slots_used(sheet, {}) <= 7, face
        assert catalogue.weapons_at_hand(sheet, {})[0].id == kit.main


def test_any_roll_is_a_lawful_sheet() -> None:
    for seed in range(20):
        sheet, _ = rolled("Kim", SeededChance(bytes([seed]) * 32, b"v" * 32))
        assert Sheet.model_validate_json(sheet.model_dump_json()) == sheet
        assert all(3 <= value <= 18 for value in (sheet.mgt, sheet.agi, sheet.wil)) and 1 <= sheet.hp <= 6
