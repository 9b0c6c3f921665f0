"""What the field of a mass battle tells without colour, in a real Chromium that simulates colour blindness.

Sides, kinds of ground, and units that are chosen have to differ in grey. With SIGNET_SHOTS all kinds of sight are
pictured, by day and in the dark.
"""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, CDPSession

from app.rulesets.chronicle.mass.sample import DEMO
from tests.browser.hands import FINDS, Mouse
from tests.browser.seats import Seat, links_of, shots_folder
from tests.browser.test_whole_battle import Commander, play
from tests.hand_fight import lay
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
SIGHTS = ("none", "protanopia", "deuteranopia", "tritanopia", "achromatopsia")
MAP = """
. . . . . . . . . . . . . .
 . . . . . . . . . . . . .
. . # # . . . . ~ ~ . . . .
 . # # # . . . . ~ ~ . . .
. . # # . . . . ~ ~ . . . .
 . . . . . . . . . . . . .
. . . . . . . . . . . . . .
 . . . . . . . . . # # . .
. . . . . . . . . . # . . .
 . . . . . . . . . . . . .
. . . . . . . . . . . . . .
 . . . . . . . . . . . . .
heights
. . . . . . . . . . . . . .
 . . . . . . . . . . . . .
. . . . . . . . . . . . . .
 . . . . . . . . . . . . .
. . . . . . . . . . . . . .
 . 1 1 . . . . . . . . . .
. 1 2 1 . . . . . . . . . .
 . 1 1 . . . . . . . . . .
. . . . . . . . . . . . . .
 . . . . . . . . . . . . .
. . . . . . . . . . . . . .
 . . . . . . . . . . . . .
soft F8 F9
soft G8 G9
hard E6 E7
hard H10 > H9
"""
GROUNDS = {"open": "B6", "closed": "D3", "impassable": "D9", "high": "G3"}
ARMY = {"LI": 20, "HI": 20, "MC": 10, "BW": 20, "PK": 20}
GIVEN: dict[str, Any] = {
    "sides": {"ella": "a", "anselm": "b"}, "armies": {"a": ARMY, "b": ARMY}, "field": "own", "map": MAP,
}  # fmt: skip
LEAST = 10  # of 255: how much two pictures of a hex differ in grey, on average


class Reached(Exception):
    """A commander is asked what the test is about."""


@pytest.fixture
def sides(browser: Browser, server: Server, db_url: str) -> Iterator[list[Commander]]:
    links = links_of(db_url, lay, DEMO.set_up()[0], GIVEN, kind="mass")
    sides = list[Commander]()
    for name in ("Ella", "Anselm"):
        seat = Seat(name, browser.new_context(**DESK), server.url)
        sides.append(Commander(seat, Mouse(seat)))
        sides[-1].come(links[name])
    yield sides
    for one in sides:
        one.seat.context.close()
    assert [wrong for one in sides for wrong in one.seat.wrong] == []


def until(sides: list[Commander], wanted: str) -> Commander:
    """Plays until one of both is asked something."""

    def look(of: Commander, kind: str) -> None:
        if kind == wanted:
            raise Reached(of)

    with pytest.raises(Reached) as reached:
        play(sides, look)
    found: Commander = reached.value.args[0]
    return found


def picture(of: Commander, hex: str) -> Any:
    """A hex of the field in grey."""
    of.hand.drawn()
    x, y, free = of.page.evaluate(FINDS, hex)
    assert free, hex
    clip = {"x": x - 13, "y": y - 13, "width": 26, "height": 26}
    seen = of.page.screenshot(clip=clip)  # type: ignore[arg-type]
    return np.asarray(Image.open(io.BytesIO(seen)).convert("L"), dtype=float)


def apart(one: Any, other: Any) -> float:
    return float(abs(one - other).mean())


def shots(of: Commander, screen: CDPSession, folder: Path, kind: str) -> None:
    for sight in SIGHTS:
        screen.send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
        of.seat.both_shots(folder, f"battle-{kind}-{sight}")


def test_sides_grounds_and_choices_differ_without_colour(sides: list[Commander], tmp_path: Path) -> None:
    of = until(sides, "quick")
    screen = of.seat.context.new_cdp_session(of.page)
    shots(of, screen, shots_folder(tmp_path), "quick")
    screen.send("Emulation.setEmulatedVisionDeficiency", {"type": "achromatopsia"})
    at = of.pieces()
    mine, theirs = ("a1", "b1") if of.seat.name == "Ella" else ("b1", "a1")
    for scheme in ("light", "dark"):
        of.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        grounds = {kind: picture(of, hex) for kind, hex in GROUNDS.items()}
        found = {
            (one, other): apart(grounds[one], grounds[other]) for one in grounds for other in grounds if one < other
        }
        chosen = picture(of, at[mine])
        of.hand.hex(at[mine])
        plain = picture(of, at[mine])
        of.hand.hex(at[mine])
        found |= {
            ("chosen", "not chosen"): apart(chosen, plain),
            ("side a", "side b"): apart(plain, picture(of, at[theirs])),
        }
        assert min(found.values()) >= LEAST, (scheme, found)
    _plans_are_pictured(sides, shots_folder(tmp_path))


def _plans_are_pictured(sides: list[Commander], folder: Path) -> None:
    """An order, the reach of the next unit and the enemy's."""
    of = until(sides, "move")
    of.next()
    of.hand.hex(of.hand.offers()[0][0])
    of.next()
    of.hand.press(of.page.locator('.field-bar [data-key="e"]'))
    of.hand.drawn()
    assert of.page.locator(".plan-way.under, .plan-reach, .plan-threat").count() == 3
    shots(of, of.seat.context.new_cdp_session(of.page), folder, "plans")
