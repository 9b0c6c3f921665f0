"""The checks told in help.md are what the rules make of them: numbers are read from the page and rolled."""

from importlib.resources import files

import pytest

from app.engine.chance import ScriptedChance
from app.rulesets.chronicle.checks import check, ways
from app.rulesets.chronicle.samples import heroes
from app.rulesets.chronicle.skills import SKILLS

PAGE = files("app.rulesets.chronicle").joinpath("help.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.split("| who | skill |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_a_check_comes_out_as_told(row: list[str]) -> None:
    who, skill, rating, against, odds, dice, total, target, outcome = row
    key = next(key for key, one in SKILLS.items() if one.name == skill)
    assert heroes()[who.lower()].rating(key) == int(rating)
    first, second, third = map(int, dice.split(", "))
    found = check(
        ScriptedChance({"x/d8-1": first, "x/d8-2": second, "x/d10": third + 1}), "x", int(rating), int(against)
    )
    assert (found.total, found.target, ways(int(rating), int(against))) == (int(total), int(target), int(odds))
    assert outcome == ("succeeds" if found.success else "fails")
    for number in (f"**{total}**", f"**{target}**"):
        assert number in PAGE


def test_the_page_tells_three_checks_and_the_other_sides_odds() -> None:
    assert len(ROWS) == 3
    assert ways(2, 4) == 212 and "212 of the 640" in PAGE
