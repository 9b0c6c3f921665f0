"""A GM paints battlefields in a real Chromium, by pointer and by keys, and opens a battle on one; a player sees only
what is shown."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Page, expect

from app.rulesets.chronicle.mass import picture
from app.rulesets.chronicle.mass.field import Barrier, Field
from app.rulesets.chronicle.mass.field_text import read_field
from app.rulesets.chronicle.mass.hexes import Hex, read
from tests.browser.seats import Seat, axe, make_demo, overflow, shots_folder
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]
SIZES: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}


@pytest.fixture
def links(db_url: str) -> dict[str, str]:
    return make_demo(db_url, "battle")


@pytest.fixture(params=list(SIZES))
def gm(request: pytest.FixtureRequest, browser: Browser, server: Server, links: dict[str, str]) -> Iterator[Seat]:
    seat = Seat("GM", browser.new_context(**SIZES[request.param]), server.url).enter(links["GM"])
    seat.size = request.param  # type: ignore[attr-defined]
    yield seat
    assert seat.wrong == []
    seat.context.close()


def home(seat: Seat) -> str:
    found = re.match(r".*/c/[^/]+/[^/]+", seat.page.url)
    assert found
    return found[0]


def at(spelled: str) -> Hex:
    found = read(spelled)
    assert found
    return found


class Canvas:
    """The drawing of a page that paints."""

    def __init__(self, page: Page) -> None:
        self.page, self.svg = page, page.locator(".canvas svg")

    def spot(self, *hexes: str) -> tuple[float, float]:
        """The middle of a hex on the window, or the middle between two of them."""
        self.svg.scroll_into_view_if_needed()
        x, y = (sum(part) / len(hexes) for part in zip(*(picture.centre(at(one)) for one in hexes), strict=True))
        found: list[float] = self.svg.evaluate(
            "(svg, [x, y]) => { const p = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()); return [p.x, p.y]; }",
            [x, y],
        )
        return found[0], found[1]

    def drag(self, *spots: tuple[float, float]) -> None:
        self.page.mouse.move(*spots[0])
        self.page.mouse.down()
        for spot in spots[1:]:
            self.page.mouse.move(*spot, steps=20)
        self.page.mouse.up()

    def tool(self, words: str) -> None:
        self.page.locator(".palette label", has_text=words).first.click()

    @property
    def field(self) -> Field:
        """The map as its text says it."""
        return read_field(self.page.locator("textarea").input_value())


def look(seat: Seat, shots: Path, name: str) -> None:
    assert axe(seat.page) == [] and overflow(seat.page) == [], name
    for scheme in ("light", "dark"):
        seat.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        seat.shot(shots, f"painting-{name}-{seat.size}-{scheme}")  # type: ignore[attr-defined]
        assert axe(seat.page, colours_only=True) == [], name
    seat.page.emulate_media(color_scheme=None)


def test_a_mirrored_field_is_painted_saved_and_fought_on(
    gm: Seat, browser: Browser, server: Server, links: dict[str, str], tmp_path: Path
) -> None:
    page, shots, base = gm.page, shots_folder(tmp_path), home(gm)
    page.goto(f"{base}/own/new?rules=chronicle&kind=maps")
    canvas = Canvas(page)
    expect(canvas.svg).to_be_visible()
    page.locator("[name=mirror]").select_option("half")
    canvas.drag(canvas.spot("C3"), canvas.spot("C5"))
    assert set(canvas.field.kinds) == {at(one) for one in ("C3", "C4", "C5", "U18", "U17", "U16")}
    canvas.tool("Hard barrier")
    page.locator("[name=way]").check()
    canvas.drag(canvas.spot("E4", "E5"))
    inner, outer = canvas.field.barriers[0].one, canvas.field.barriers[0].other
    assert {inner, outer} == {at("E4"), at("E5")} and canvas.field.barriers[0].one_way
    assert {canvas.field.barriers[1].one, canvas.field.barriers[1].other} == {at("S17"), at("S16")}
    page.locator("[name=undo]").click()
    assert canvas.field.barriers == ()
    page.locator("[name=redo]").click()
    assert len(canvas.field.barriers) == 2
    _by_keys(canvas)
    expect(page.locator(".fair")).to_contain_text("The north and the south have about the same.")
    page.locator('[name="own.name"]').fill("The pass where they wait")
    look(gm, shots, "new")
    painted = canvas.field
    page.get_by_role("button", name="Add the battlefield").click()
    expect(page.locator("#own_the_pass_where_they_wait")).to_contain_text(
        "Players see it once a battle is fought on it."
    )
    look(gm, shots, "list")
    _random(gm, base)
    player = Seat("Ella", browser.new_context(**SIZES["desk"]), server.url).enter(links["Ella"])
    player.page.goto(f"{home(player)}/own?rules=chronicle")
    expect(player.page.locator("#maps")).to_contain_text("The mill")
    assert "The pass where they wait" not in player.page.content()
    _open_battle(gm, base, "own_the_pass_where_they_wait")
    expect(page.locator("svg.field")).to_be_visible()
    drawn = picture.ground(painted)
    assert page.locator("svg.field .closed").get_attribute("d") == drawn.closed
    assert page.locator("svg.field .wall").first.get_attribute("d") == drawn.hard
    assert player.wrong == []
    player.context.close()


def _by_keys(canvas: Canvas) -> None:
    """Impassable ground, a height, a barrier on a side, and what was too much; the twin follows."""
    keys = canvas.page.keyboard
    canvas.tool("Soft barrier")
    canvas.page.locator("[name=way]").uncheck()
    canvas.page.mouse.move(0, 0)
    canvas.svg.focus()
    for key in ["ArrowDown"] * 4 + ["ArrowRight"] * 2:
        keys.press(key)
    said = canvas.page.locator("[data-said]").text_content() or ""
    here = at(said.partition(":")[0])
    keys.press("i")
    assert canvas.field.kind(here) == "impassable"
    keys.press("2")
    east = (here[0], here[1] + 1)
    assert Barrier("soft", here, east) in canvas.field.barriers
    keys.press("2")
    assert Barrier("soft", here, east) not in canvas.field.barriers
    canvas.tool("Height")
    canvas.svg.focus()
    keys.press("ArrowRight")
    keys.press("3")
    turned = (22 - east[0], canvas.field.width(east[0]) - 1 - east[1])
    assert canvas.field.levels == {east: 3, turned: 3}
    keys.press("Control+z")
    assert canvas.field.levels == {}
    keys.press("Control+y")
    assert canvas.field.levels == {east: 3, turned: 3}
    keys.press("Delete")
    assert canvas.field.levels == {}


def _random(gm: Seat, base: str) -> None:
    """A map from a seed, shown to players; text that cannot be read hides the drawing, and Show says why."""
    page = gm.page
    page.goto(f"{base}/own/new?rules=chronicle&kind=maps")
    page.locator("#make summary").click()
    page.locator('[name="make.seed"]').fill("mill creek")
    page.get_by_role("button", name="Make a map").click()
    expect(page.locator("#make")).to_contain_text("Made from the seed “mill creek”")
    whole = page.locator("textarea").input_value()
    page.locator("textarea").fill(f"{whole.strip()}\nsoft A1 A9")
    expect(page.locator(".painter")).to_be_hidden()
    page.get_by_role("button", name="Show the map").click()
    expect(page.locator("#map-check")).to_contain_text("A1 and A9 are not neighbours")
    page.locator("textarea").fill(whole)
    expect(page.locator(".painter")).to_be_visible()
    page.locator('[name="own.name"]').fill("The mill")
    page.locator('[name="own.shown"]').check()
    page.get_by_role("button", name="Add the battlefield").click()
    expect(page.locator("#own_the_mill")).to_contain_text("Players can see it.")


def _open_battle(gm: Seat, base: str, field: str) -> None:
    """Both heroes are in the demo's battle already, so copies of them fight."""
    page = gm.page
    page.goto(f"{base}/scenes/new?ruleset=chronicle&kind=mass")
    page.locator('[name="given.field"]').select_option(field)
    page.locator('[name="given.sides.anselm"]').select_option("b")
    for side in ("a", "b"):
        page.locator(f'[name="given.armies.{side}.MI"]').fill("300")
    page.get_by_role("button", name="Open the scene").click()
    page.locator('[name="held"][value="copy"]').check()
    page.get_by_role("button", name="Open the scene").click()
    page.wait_for_selector("#live")


def test_every_mirror_brush_and_size(gm: Seat) -> None:
    page, base = gm.page, home(gm)
    page.goto(f"{base}/own/new?rules=chronicle&kind=maps")
    canvas = Canvas(page)
    expect(canvas.svg).to_be_visible()
    box: FloatRect | None = canvas.svg.bounding_box()
    assert box and box["width"] > 300
    page.locator("[name=mirror]").select_option("ew")
    canvas.tool("7 hexes")
    canvas.drag(canvas.spot("D4"))
    assert len(canvas.field.kinds) == 14 and canvas.field.kind(at("D16")) == canvas.field.kind(at("D4")) == "closed"
    page.keyboard.down("Shift")
    canvas.drag(canvas.spot("D4"))
    page.keyboard.up("Shift")
    assert canvas.field.kinds == {}
    page.locator("[name=mirror]").select_option("off")
    canvas.tool("Fill")
    canvas.tool("Impassable")
    canvas.drag(canvas.spot("A1"))
    assert len(canvas.field.kinds) == 449
    for name, count in (("rows", "26"), ("columns", "38")):
        page.locator(f"[name={name}]").fill(count)
    page.locator("[name=resize]").click()
    assert (canvas.field.rows, canvas.field.columns, len(canvas.field.kinds)) == (26, 38, 449)
    page.locator("[name=columns]").fill("39")
    page.locator("[name=resize]").click()
    expect(page.locator("[data-said]")).to_contain_text("at most 1,000 hexes")
    page.locator("[name=mirror]").select_option("half")
    canvas.tool("1 hex")
    canvas.tool("Open")
    canvas.drag(canvas.spot("A1"))
    assert len(canvas.field.kinds) == 448, "no half turn of an even number of rows"


def test_a_fast_stroke_takes_what_lies_on_its_way(gm: Seat) -> None:
    """Two steps of the pointer: each side that the line passes, none that leads away from it, each hex."""
    page, base = gm.page, home(gm)
    page.goto(f"{base}/own/new?rules=chronicle&kind=maps")
    canvas = Canvas(page)
    expect(canvas.svg).to_be_visible()
    page.locator("[name=mirror]").select_option("off")
    page.locator("[name=way]").check()
    canvas.tool("Hard barrier")
    one, other = canvas.spot("C7", "D7"), canvas.spot("C8", "D7")
    _fast(canvas, canvas.spot("C3", "D2"), ((one[0] + other[0]) / 2, one[1]))
    ridge = ["C3 D2", "C3 D3", "C4 D3", "C4 D4", "C5 D4", "C5 D5", "C6 D5", "C6 D6", "C7 D6", "C7 D7"]
    barriers = canvas.field.barriers
    assert [sorted((one.one, one.other)) for one in barriers] == [[*map(at, both.split())] for both in ridge]
    assert len({one.one[0] for one in barriers}) == 1, "one-way barriers look to the same side"
    page.keyboard.down("Shift")
    _fast(canvas, canvas.spot("C3", "D2"), ((one[0] + other[0]) / 2, one[1]))
    page.keyboard.up("Shift")
    assert canvas.field.barriers == ()
    canvas.drag(canvas.spot("F4", "F5"))
    assert [{one.one, one.other} for one in canvas.field.barriers] == [{at("F4"), at("F5")}]
    canvas.tool("Closed")
    _fast(canvas, canvas.spot("H2"), canvas.spot("H12"))
    assert set(canvas.field.kinds) == {at(f"H{number}") for number in range(2, 13)}


def _fast(canvas: Canvas, start: tuple[float, float], end: tuple[float, float]) -> None:
    canvas.page.mouse.move(*start)
    canvas.page.mouse.down()
    canvas.page.mouse.move(*end, steps=2)
    canvas.page.mouse.up()
