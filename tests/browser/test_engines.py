"""What people see in the two other engines: a round of every kind of scene, with its pages, in real Firefox and WebKit.

Everything else is tried in Chromium alone.
"""

import os
import re
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.engines import Engine, engine, missing
from tests.browser.seats import links_of, shots_folder
from tests.browser.usual_round import AGAIN, AT_REST, NEXT, lay, look, play, press, proved, sit
from tests.kinds import KINDS
from tests.selection import nightly
from tests.server import Server
from tests.web.test_look_css import SHEETS


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def other(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    if packages := missing(request.param):
        reason = f"no {request.param} here (Debian: {' '.join(packages)})"
        if os.environ.get("CI") == "true" and nightly():
            pytest.fail(reason)
        pytest.skip(reason)
    with engine(request.param, tmp_path_factory.mktemp(request.param)) as running:
        yield running


WITHOUT = {
    "firefox": {"text-size-adjust: 100%", "text-wrap: pretty", "animation-timeline: scroll()"},
    "webkit": {"text-size-adjust: 100%", "user-select: all", "forced-color-adjust: none"}
    | {"field-sizing: content", "field-sizing: fixed"},
}
"""What one of them does not know, and does in another way or without."""
VARIABLE = re.compile(r"var\((--[\w-]+)(?:,\s*([^()]*))?\)")
MAP = """const map = document.querySelector("svg.ground"), box = map.getBoundingClientRect();
const scale = box.width / map.viewBox.baseVal.width;
return {width: box.width, cell: scale,
  lines: [...map.querySelectorAll(".line")].map((one) => parseFloat(getComputedStyle(one).strokeWidth) * scale)}"""
"""How wide the map is, a cell of it and each line of its grid, in pixels."""
THIN = "Math.max(...it.lines) < it.cell / 4"


@pytest.mark.nightly
def test_a_round_of_every_kind(other: Engine, server: Server, db_url: str, tmp_path: Path) -> None:
    scenes: dict[str, uuid.UUID] = {}
    bases = sit(other, server.url, links_of(db_url, lay, scenes, KINDS))
    for name, identity in scenes.items():
        scene = f"scene/{identity}"
        if name == "chronicle-free":  # nobody is asked there before somebody begins
            other.open(bases["Ann"] + scene)
            other.click(".whenever summary")
            press(other, *other.run(NEXT, True))
        pages = play(other, bases, scene, AGAIN.get(name, "#log .chapter"))
        if name in AGAIN:
            other.wait(AT_REST)
            other.click(AGAIN[name])
            other.wait(f"return !({AT_REST.removeprefix('return ')})")
            other.wait(AT_REST)
        look(other, shots_folder(tmp_path), name)
        if name == "arcana-fight":
            # The map follows a new size of its window a frame later.
            drawn = other.wait(f"const it = (() => {{ {MAP} }})(); return {THIN} && it")
            assert drawn["width"] > 300 and drawn["lines"], drawn
        compared = [proved(other, page) for page in pages]
        assert any(compared), name  # of those who sealed for what opens later, nothing can be
    other.open(f"{bases['Ann']}calendar")
    assert other.run("return document.querySelectorAll('.as-table td').length") >= 28
    look(other, shots_folder(tmp_path), "month")
    assert other.complaints() == []


def declarations() -> list[tuple[str, str]]:
    """What the style sheets say of properties, with the first value of each variable in its place."""
    text = "\n".join(SHEETS.values())
    values = dict(reversed(re.findall(r"(--[\w-]+):\s*([^;}]+)", text)))
    found = set()
    for before, inside in re.findall(r"([^{};]*)\{([^{}]*)\}", text):
        if "@" in before:  # of a font
            continue
        for name, value in re.findall(r"(?:^|;)\s*([a-z][\w-]*)\s*:\s*([^;]+)", inside):
            while use := VARIABLE.search(value):
                value = value.replace(use[0], values.get(use[1], use[2] or "1").strip())
            found.add((name, value.removesuffix("!important").strip()))
    return sorted(found)


def test_engines_know_what_the_style_sheets_say(other: Engine) -> None:
    """What a browser does not know it leaves out, and nobody is told."""
    other.open("about:blank")
    declared = declarations()
    assert len(declared) > 1000
    unknown = other.run("return arguments[0].filter(([name, value]) => !CSS.supports(name, value))", declared)
    assert {": ".join(one) for one in unknown} == WITHOUT[other.name]
