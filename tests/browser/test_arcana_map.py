"""The map of a wizards' fight in a real Chromium: moved, zoomed, walked with the keyboard, picked from, laid out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.arcana_fight import lay
from tests.browser.seats import Seat, axe, links_of, overflow, shots_folder
from tests.browser.wizard_pages import deed, seals
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
COVERS = {f"20,{y}": "full" for y in range(9, 14)} | {"24,12": "half", "25,12": "half", "18,20": "three_quarter"}


@pytest.fixture
def open_fight(db_url: str) -> Callable[..., dict[str, str]]:
    """Opens a fight on this database: the path of each one's personal link, by the member's name."""

    def open_one(given: Any = None, settings: Any = None) -> dict[str, str]:
        return links_of(db_url, lay, given=given, settings=settings)

    return open_one


def look(seat: Seat, shots: Path, name: str) -> None:
    assert overflow(seat.page) == []
    for scheme in ("light", "dark"):
        seat.page.emulate_media(color_scheme=scheme)
        seat.shot(shots, f"{name}-{scheme}")
        assert axe(seat.page, colours_only=scheme == "dark") == []
    seat.page.emulate_media(color_scheme=None)


def box(seat: Seat) -> tuple[float, float, float, float]:
    """Left, top, width and height of what is seen, in cells."""
    found = seat.page.locator("svg.ground").get_attribute("viewBox") or ""
    left, top, wide, high = (float(n) for n in found.split())
    return left, top, wide, high


def at(seat: Seat, x: float, y: float) -> tuple[float, float]:
    """Where the middle of a cell is on the screen, once the map has followed its frame, which it does a frame later."""
    seat.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    drawn = seat.page.locator("svg.ground").bounding_box()
    assert drawn
    left, top, wide, high = box(seat)
    return drawn["x"] + (x + 0.5 - left) / wide * drawn["width"], drawn["y"] + (y + 0.5 - top) / high * drawn["height"]


def says(seat: Seat) -> str:
    return seat.page.locator(".map-says").text_content() or ""


def press(seat: Seat, *keys: str) -> None:
    for key in keys:
        seat.page.keyboard.press(key)


def test_the_ground_is_moved_zoomed_and_walked_over(
    browser: Browser, server: Server, open_fight: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    links = open_fight({"covers": COVERS})
    ada = Seat("Ada", browser.new_context(**DESK), server.url).enter(links["Ada"]).open_scene()
    svg = ada.page.locator("svg.ground")
    expect(svg).to_have_attribute("role", "application")
    svg.scroll_into_view_if_needed()
    whole = box(ada)
    ada.page.mouse.move(*at(ada, 20, 18))
    ada.page.mouse.wheel(0, 60)
    ada.page.wait_for_function("() => document.querySelector('.stage').scrollTop > 0")
    assert box(ada) == whole, "the stage moves, not the map, while somebody is elsewhere"
    svg.scroll_into_view_if_needed()
    ada.page.get_by_role("button", name="Zoom in").click()
    assert box(ada)[2] < whole[2] / 1.3
    x, y = at(ada, 20, 18)
    ada.page.mouse.move(x, y)
    ada.page.mouse.down()
    ada.page.mouse.move(x - 60, y - 30, steps=4)
    ada.page.mouse.up()
    moved = at(ada, 20, 18)
    assert (round(moved[0] - x), round(moved[1] - y)) == (-60, -30)
    before = box(ada)
    svg.focus()
    svg.scroll_into_view_if_needed()
    ada.page.mouse.move(*at(ada, 20, 18))
    ada.page.mouse.wheel(0, -300)
    expect(svg).not_to_have_attribute("viewBox", " ".join(f"{n:.3f}" for n in before))
    zoomed = box(ada)
    assert zoomed[2] < before[2]
    press(ada, "ArrowRight")
    assert says(ada) == "Ada, 10 of 10 HP, 10 of 10 FP; 5 m across, 5 m down."
    press(ada, "ArrowRight", "ArrowDown")
    assert says(ada) == "5.5 m across, 5.5 m down; 0.8 m from Ada."
    press(ada, "n", "n", "n", "n")
    assert says(ada).startswith("Troll, fresh; 15 m across, 5 m down; 10 m from Ada.")
    kept = box(ada)
    left, top, wide, high = kept
    assert left < 30 < left + wide and top < 12 < top + high, "the view follows the cursor"
    ada.page.evaluate("document.body.dispatchEvent(new CustomEvent('signet:changed'))")
    ada.page.wait_for_timeout(600)
    assert box(ada) == kept and ada.page.locator(".cursor").count() == 1
    expect(svg).to_be_focused()
    assert ada.page.locator(".map-tools button").count() == 4
    press(ada, "0")
    assert box(ada)[2] >= 44
    look(ada, shots_folder(tmp_path), "map-walked")
    assert ada.wrong == []


def on_the_map(seat: Seat, field: str) -> Locator:
    return seat.page.locator(f'#asks button[data-pick="{field}"]')


def test_a_place_and_a_target_are_picked_for_a_form(
    browser: Browser, server: Server, open_fight: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    given = {
        "covers": COVERS,
        "at": {"ada": "20,15", "imp": "27,12"},
        "objects": "barrel 25,18 1 m 8 hp\ngate 31,15 3 m",
    }
    links = open_fight(given, {"planning_seconds": ""})
    shots = shots_folder(tmp_path)
    for name, where in (("phone", PHONE), ("desk", DESK)):
        ada = Seat("Ada", browser.new_context(**where), server.url).enter(links["Ada"]).open_scene()
        svg, to = ada.page.locator("svg.ground"), ada.field("of.ada.minors.0.to")
        deed(ada, "minors")
        ada.field("of.ada.minors.0.do").select_option("considered")
        on_the_map(ada, "of.ada.minors.0.to").click()
        expect(ada.page.locator(".map-mode")).to_contain_text("Choose a place, up to 1.5 m from Ada.")
        expect(svg).to_be_focused()
        expect(ada.page.locator(".reach.is-asked")).to_have_attribute("r", "3")
        press(ada, "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
        assert "That is too far: 2 m of 1.5 m." in says(ada)
        press(ada, "Enter")
        assert to.input_value() == ""
        press(ada, "ArrowLeft", "Enter")
        assert to.input_value() == "23,15"
        expect(on_the_map(ada, "of.ada.minors.0.to")).to_be_focused()
        expect(svg.locator(".way")).to_have_count(1)
        ada.field("of.ada.minors.1.do").select_option("quickspell")
        ada.field("of.ada.minors.1.spell").select_option("spark_volley")
        on_the_map(ada, "of.ada.minors.1.target").click()
        expect(svg.locator(".may-be-picked")).to_have_count(7)
        ada.page.mouse.click(*at(ada, 25, 18))
        assert ada.field("of.ada.minors.1.target").input_value() == "object:barrel"
        assert "Chosen: Barrel." in says(ada)
        expect(ada.page.locator("[data-read-back]").first).to_contain_text("quickly cast Spark Volley on the barrel")
        look(ada, shots, f"map-object-{name}")
        on_the_map(ada, "of.ada.minors.1.target").click()
        ada.page.mouse.click(*at(ada, 27, 12))
        assert ada.field("of.ada.minors.1.target").input_value() == "imp"
        expect(svg.locator(".aim")).to_have_count(1)
        look(ada, shots, f"map-picked-{name}")
        ada.field("of.ada.minors.1.spell").select_option("wail")
        expect(svg.locator(".area")).to_have_count(1)
        expect(svg.locator(".token.is-in")).to_have_count(1)
        on_the_map(ada, "of.ada.minors.0.to").click()
        press(ada, "Escape")
        expect(ada.page.locator(".map-mode")).to_be_hidden()
        expect(on_the_map(ada, "of.ada.minors.0.to")).to_be_focused()
        deed(ada, "hold")
        expect(svg.locator(":is(.way, .aim, .area, .ghost)")).to_have_count(0)
        assert ada.wrong == []


def test_what_is_planned_is_seen_by_its_author_only(
    browser: Browser, server: Server, open_fight: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    links = open_fight({"at": {"ada": "20,15"}}, {"planning_seconds": ""})
    seats = [Seat(name, browser.new_context(**DESK), server.url) for name in ("Ada", "Ben", "GM")]
    ada, *others = [seat.enter(links[seat.name]).open_scene() for seat in seats]
    deed(ada, "major", do="move")
    ada.field("of.ada.major.to").fill("23,16")
    drawn = "svg.ground :is(.way, .ghost)"
    expect(ada.page.locator(drawn)).to_have_count(2)
    seals(ada)
    expect(ada.page.locator(".ask.is-sealed")).to_be_visible()
    expect(ada.page.locator(drawn)).to_have_count(2)
    for other in others:
        expect(other.envelope("Ada")).to_contain_text("sealed")
        expect(other.page.locator('.token[data-who="ada"]')).to_have_attribute("data-x", "20")
        assert other.page.locator("svg.ground .ghost.side-a").count() == 0 and "23,16" not in other.source()


def test_the_gm_places_people_and_paints_walls(
    browser: Browser, server: Server, open_fight: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    links = open_fight({"lay_out": "yes"})
    shots = shots_folder(tmp_path)
    gm = Seat("GM", browser.new_context(**DESK), server.url).enter(links["GM"]).open_scene()
    gm.page.wait_for_selector("svg.ground.is-live")
    svg = gm.page.locator("svg.ground")
    svg.scroll_into_view_if_needed()
    gm.page.mouse.move(*at(gm, 30, 13))
    gm.page.mouse.down()
    gm.page.mouse.move(*at(gm, 26, 15), steps=5)
    expect(svg.locator('.token[data-who="imp"].is-moved')).to_have_attribute("transform", "translate(26.5 15.5)")
    gm.page.mouse.up()
    assert gm.field("at.imp").input_value() == "26,15"
    gm.page.locator(".placing summary").click()
    on_the_map(gm, "at.troll").click()
    press(gm, "ArrowLeft", "ArrowLeft", "Enter")
    assert gm.field("at.troll").input_value() == "28,10"
    on_the_map(gm, "walls").click()
    press(gm, "ArrowDown", "Enter", "ArrowDown", "Enter")
    first = gm.field("walls").input_value()
    assert first.endswith("full") and " to " in first, first
    svg.scroll_into_view_if_needed()
    gm.page.get_by_label("Cover", exact=True).select_option("half")
    gm.page.get_by_label("Paint", exact=True).select_option("rectangle")
    gm.page.mouse.move(*at(gm, 18, 16))
    gm.page.mouse.down()
    gm.page.mouse.move(*at(gm, 22, 17), steps=4)
    expect(svg.locator(".brush")).to_have_attribute("width", "5")
    gm.page.mouse.up()
    assert "18,16 to 22,17 half" in gm.field("walls").input_value()
    expect(svg.locator(".drafted .wall")).to_have_count(2)
    look(gm, shots, "map-painting")
    press(gm, "Escape")
    gm.field("wide").fill("30")
    expect(svg).to_have_attribute("data-frame", "0 0 60 30")
    gm.field("hidden.imp").select_option("yes")
    gm.page.locator('[name="unaware[]"][value="ben"]').check()
    gm.press(kind="setting")
    expect(svg.locator(".walls .wall.is-half")).to_have_count(1)
    ben = Seat("Ben", browser.new_context(**PHONE), server.url).enter(links["Ben"]).open_scene()
    expect(ben.page.locator('.token[data-who="troll"]')).to_have_attribute("data-x", "28")
    expect(ben.page.locator("svg.ground .token")).to_have_count(4)
    assert "30 by 15 metres" in ben.source() and "26,15" not in ben.source()
    look(ben, shots, "map-laid")
    desk = gm.page.locator("#whenever-desk-gm")
    desk.locator("summary").first.click()
    desk.locator('[name="what"]').select_option("place")
    svg.scroll_into_view_if_needed()
    gm.page.mouse.move(*at(gm, 28, 10))
    gm.page.mouse.down()
    gm.page.mouse.move(*at(gm, 29, 20), steps=5)
    gm.page.mouse.up()
    assert (desk.locator('[name="who"]').input_value(), desk.locator('[name="at"]').input_value()) == ("troll", "29,20")
    assert gm.wrong == [] and ben.wrong == []


def test_fingers_move_and_zoom(browser: Browser, server: Server, open_fight: Callable[..., dict[str, str]]) -> None:
    links = open_fight()
    ada = Seat("Ada", browser.new_context(**PHONE), server.url).enter(links["Ada"]).open_scene()
    ada.page.locator("svg.ground.is-live").scroll_into_view_if_needed()
    before = box(ada)
    touch = ada.context.new_cdp_session(ada.page)

    def fingers(kind: str, *cells: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(cells)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y = at(ada, 20, 12)
    fingers("touchStart", (x - 30, y), (x + 30, y))
    for step in range(1, 6):
        fingers("touchMove", (x - 30 - 10 * step, y), (x + 30 + 10 * step, y))
    fingers("touchEnd")
    zoomed = box(ada)
    assert 0.3 < zoomed[2] / before[2] < 0.5
    fingers("touchStart", (x, y))
    fingers("touchMove", (x - 20, y - 20))
    fingers("touchMove", (x - 40, y - 40))
    fingers("touchEnd")
    assert box(ada)[0] > zoomed[0] and box(ada)[1] > zoomed[1]
    assert ada.wrong == []


def test_the_gm_lays_terrain(
    browser: Browser, server: Server, open_fight: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    """ARC-68: from corner to corner with mouse and keys, drawn at once; rubbed out; everybody reads what it does."""
    links = open_fight({"lay_out": "yes"}, {"terrain": "on"})
    shots = shots_folder(tmp_path)
    gm = Seat("GM", browser.new_context(**DESK), server.url).enter(links["GM"]).open_scene()
    svg = gm.page.locator("svg.ground")
    on_the_map(gm, "terrain").click()
    press(gm, "Enter", "ArrowRight", "ArrowRight", "ArrowDown", "Enter")
    assert gm.field("terrain").input_value().startswith("indoors ")
    svg.scroll_into_view_if_needed()
    pieces = (
        ("mud", (14, 14), (17, 17)),
        ("darkness", (20, 14), (23, 17)),
        ("fog", (26, 14), (29, 17)),
        ("drop", (20, 5), (23, 7)),
    )
    for kind, start, end in pieces:
        gm.page.get_by_label("Terrain", exact=True).select_option(kind)
        if kind == "drop":
            gm.page.get_by_label("How deep", exact=True).select_option("5")
        gm.page.mouse.move(*at(gm, *start))
        gm.page.mouse.down()
        gm.page.mouse.move(*at(gm, *end), steps=4)
        gm.page.mouse.up()
    lines = gm.field("terrain").input_value().split("\n")
    assert lines[1:] == [
        "mud 14,14 to 17,17", "darkness 20,14 to 23,17", "fog 26,14 to 29,17", "drop 20,5 to 23,7 5 m deep",
    ], lines  # fmt: skip
    expect(svg.locator(".zones-drafted .zone")).to_have_count(5)
    gm.page.get_by_label("Terrain", exact=True).select_option("")
    gm.page.mouse.move(*at(gm, 15, 15))
    gm.page.mouse.down()
    gm.page.mouse.up()
    expect(svg.locator(".zones-drafted .zone")).to_have_count(4)
    look(gm, shots, "terrain-laying")
    press(gm, "Escape")
    gm.press(kind="setting")
    expect(svg.locator(".zones .zone.is-total")).to_have_count(1)
    ben = Seat("Ben", browser.new_context(**PHONE), server.url).enter(links["Ben"]).open_scene()
    expect(ben.page.locator(".zones .zone.is-drop")).to_have_count(1)
    assert "nobody sees through it" in ben.source() and "5 m deep; you can only climb back up" in ben.source()
    look(ben, shots, "terrain-laid")
    assert gm.wrong == [] and ben.wrong == []
