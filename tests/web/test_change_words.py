"""The changes of sheets in words, as the end of a scene tells them."""

from typing import Any

import pytest

from app.rulesets import find
from app.web.characters.changes import change_lines
from app.web.forms.schema import SheetForm

AXE = {"gear": "greataxe", "held": "main", "spent": False}
BANDAGES = {"gear": "bandages", "held": "pack", "spent": False}


@pytest.mark.parametrize(
    ("game", "path", "old", "new", "words"),
    [
        ("skirmish", "hp", 6, 5, "HP now 5, was 6"),
        ("skirmish", "wounds", [], [{"place": "torso", "treated": False}], "wounded: Torso"),
        ("skirmish", "gear", [AXE], [{**AXE, "held": "pack"}], "Gear, Greataxe: in the pack, was main hand"),
        ("skirmish", "gear", [AXE], [AXE, BANDAGES], "has Bandages, in the pack"),
        ("skirmish", "gear", [AXE, BANDAGES], [AXE], "Gear: lost Bandages, in the pack"),
        ("skirmish", "kills.longbow", None, 1, "Kills, longbow: 1"),
        ("skirmish", "dead", False, True, "died"),
        ("skirmish", "dead", True, False, "no longer dead"),
        ("chronicle", "wounds.body.major", False, True, "wounded: body, a Major wound"),
        ("chronicle", "wounds.left_arm.minor", 0, 1, "wounded: left arm, Minor wounds: 1"),
        ("chronicle", "wounds.left_arm.minor", 2, 1, "Wounds, left arm, minor wounds: 1, was 2"),
        ("arcana", "hp", None, 3, "HP now 3, was full"),
        ("duel", "hp", 3, None, "HP now full, was 3"),
        ("arcana", "items.healing_draught", 1, None, "Carries, healing draught: none, was 1"),
    ],
)
def test_a_change_is_told_in_words(game: str, path: str, old: Any, new: Any, words: str) -> None:
    assert [one.in_words for one in change_lines(SheetForm(find(game).character), {path: [old, new]})] == [words]


@pytest.mark.parametrize(("path", "old", "new"), [("note", None, ""), ("spells", None, [])])
def test_what_is_the_same_in_words_is_left_out(path: str, old: Any, new: Any) -> None:
    assert change_lines(SheetForm(find("skirmish").character), {path: [old, new]}) == []
