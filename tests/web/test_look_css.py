"""Style sheets and drawings hold nothing that one of the large engines reads otherwise, or not at all."""

import re

import pytest

from tests.server import ROOT

pytestmark = pytest.mark.once

PLACES = ("static/css/*.css", "static/js/*.js", "static/*.svg", "templates/**/*.html")
OF_RULESETS = ("app/rulesets/*/static/*", "app/rulesets/*/templates/**/*.html")
FILES = {str(path.relative_to(ROOT)): path.read_text() for names in PLACES + OF_RULESETS for path in ROOT.glob(names)}
SHEETS = {name: re.sub(r"(?s)/\*.*?\*/", "", text) for name, text in FILES.items() if name.endswith(".css")}

LENGTHS = r"stroke-width|stroke-dasharray|stroke-dashoffset|font-size|font|r|rx|ry|x|y|cx|cy|width|height"
DECLARED = re.compile(rf"(?<![\w-])({LENGTHS})\s*:\s*([^;{{}}]+)")
CALC = re.compile(r"calc\(((?:[^()]|\([^()]*\))*)\)")
UNIT = re.compile(r"\d(?:px|r?em|ch|v[wh]|[sld]v[wh]|%)")
DASHES = re.compile(r"stroke-dasharray\s*[:=]\s*[\"']?([\d.]+)[ ,]")


def test_a_length_that_is_worked_out_has_a_unit() -> None:
    """Firefox takes a calc() without one for no length, and draws a line as wide as a cell of the map."""
    text = "\n".join(SHEETS.values())
    lengths = {name for name, value in re.findall(r"(--[\w-]+)\s*:\s*([^;}]+)", text) if UNIT.search(value)}
    wrong = [
        f"{name}: {found[0]}"
        for name, sheet in SHEETS.items()
        for found in DECLARED.finditer(sheet)
        for inner in CALC.findall(found[2])
        if not UNIT.search(inner) and not lengths & set(re.findall(r"--[\w-]+", inner))
    ]
    assert wrong == []


def test_an_arrows_head_has_a_colour_of_its_own() -> None:
    """WebKit knows no context-stroke, and paints the head black."""
    assert [name for name, text in FILES.items() if re.search(r"context-(stroke|fill)", text)] == []


def test_where_fields_cannot_grow_with_their_words_there_is_another_way() -> None:
    for name, sheet in SHEETS.items():
        other_way = re.findall(r"@supports not \(field-sizing: content\) \{(.*?)\n?  \}", sheet, flags=re.S)
        grows = re.sub(r"@supports not \(field-sizing: content\)", "", sheet).count("field-sizing: content")
        assert bool(grows) == bool(other_way), name


def test_dots_of_a_line_can_be_seen_on_a_phone() -> None:
    """WebKit leaves out dashes that are shorter than its finest step, round ends and all."""
    found = [
        f"{name}: {dash}" for name, text in FILES.items() for dash in DASHES.findall(text) if 0 < float(dash) < 0.5
    ]
    assert found == []


def test_choices_are_painted_by_us() -> None:
    """WebKit's own radio buttons are bright discs in the dark."""
    rule = re.search(r'input\[type="radio"\] \{([^}]*)\}', SHEETS["static/css/parts.css"])
    assert rule and "appearance: none" in rule[1] and "background: var(--raised)" in rule[1]
