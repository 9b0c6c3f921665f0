"""The colours of the style sheet: every pair that meets on a page has the contrast WCAG asks for, in both themes."""

import re
from pathlib import Path

import pytest

CSS = (Path(__file__).resolve().parents[2] / "static" / "css" / "signet.css").read_text(encoding="utf-8")
TOKENS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", CSS)
} | {name: (both, both) for name, both in re.findall(r"--([\w-]+): (#[0-9a-f]{6});", CSS)}
GROUNDS = ("paper", "raised", "sunk", "lamp")


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str, theme: int) -> float:
    dark, light = sorted(luminance(TOKENS[name][theme]) for name in (one, other))
    return (light + 0.05) / (dark + 0.05)


def test_the_measure_is_right() -> None:
    assert contrast.__defaults__ is None
    assert round((luminance("#ffffff") + 0.05) / (luminance("#000000") + 0.05), 6) == 21
    assert round((luminance("#ffffff") + 0.05) / (luminance("#777777") + 0.05), 2) == 4.48


def test_both_themes_are_whole() -> None:
    assert {"paper", "ink", "soft", "wax", "on-wax", "gold", "bad", "side-a", "side-gm", "wax-d"} <= TOKENS.keys()


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("text", "grounds", "least"),
    [
        ("ink", GROUNDS, 7),
        ("soft", ("paper", "raised"), 7),
        ("soft", ("sunk", "lamp"), 4.5),
        ("gold", ("paper", "raised"), 4.5),
        ("good", ("paper", "raised"), 4.5),
        ("bad", ("paper", "raised", "lamp"), 4.5),
        ("on-wax", ("wax", "wax-deep"), 4.5),
        *((f"side-{side}", ("paper", "raised"), 4.5) for side in ("a", "b", "c", "d", "gm")),
        *(("on-seal", (f"wax-{side}",), 4.5) for side in ("a", "b", "c", "d", "gm")),
    ],
)
def test_text_can_be_read(text: str, grounds: tuple[str, ...], least: float, theme: int) -> None:
    for ground in grounds:
        assert contrast(text, ground, theme) >= least, f"{text} on {ground}: {contrast(text, ground, theme):.2f}"


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("line", ["edge", "wax", "gold", "wax-a", "wax-b", "wax-c", "wax-d", "wax-gm"])
def test_edges_and_seals_stand_out(line: str, theme: int) -> None:
    for ground in ("paper", "raised"):
        assert contrast(line, ground, theme) >= 3, f"{line} on {ground}: {contrast(line, ground, theme):.2f}"
