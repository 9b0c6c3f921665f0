"""Ordering on the field of a mass battle in a real Chromium: by pointer, by touch, by keys alone.

The field and the form say the same, and the browser reaches what the rules reach.

Presses and seconds of a usual round of nine units are measured and printed (`-s`).
"""

import json
import re
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from app.rulesets.chronicle.mass.field_text import spell_field
from app.rulesets.chronicle.mass.hexes import spell
from app.rulesets.chronicle.mass.reach import Passage
from tests.browser.seats import Seat, axe, make_demo, overflow, shots_folder
from tests.browser.two_sides import TwoSides, answer_as_it_stands, close_in, open_ask, seal
from tests.rulesets.chronicle.mass.boards import random_field
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", "has_touch": True}
PHONE: dict[str, Any] = {**DESK, "viewport": {"width": 390, "height": 844}, "is_mobile": True}
PLACES = {"Ella": DESK, "Anselm": PHONE, "Sam": {**DESK, "java_script_enabled": False}}
MOST = 60  # answers until somebody chooses clusters
THUMB = 44  # px that a hex is wide at least where fingers order
HEX = re.compile(r"([A-Z])(\d+)(?:–[A-Z](\d+))?")

WHERE = """hex => {
  const [row, column] = [hex.charCodeAt(0) - 65, hex.slice(1) - 1];
  const at = new DOMPoint(14 + 28 * column + 14 * (row % 2), 16 + 24 * row);
  const there = at.matrixTransform(document.querySelector("svg.field").getScreenCTM());
  return [there.x, there.y];
}"""
MARKS = """kind => {
  const d = document.querySelector(`.plan-${kind}`)?.getAttribute("d") ?? "";
  return [...d.matchAll(/M([\\d.]+) ([\\d.]+)/g)].map(([, x, y]) => {
    const row = Math.round((y - (kind === "stops" ? 11 : 16)) / 24);
    return String.fromCharCode(65 + row) + (Math.round((x - 14 - 14 * (row % 2)) / 28) + 1);
  });
}"""
REACH = """async ([source, cases]) => {
  const modules = ["hexes", "field-orders"].map((name) => import(source.replace("field.js", `${name}.js`)));
  const [{ readField }, { reach }] = await Promise.all(modules);
  return cases.map(({ text, start, most, friends, enemies, passes }) => {
    const found = reach(readField(text), start, most, new Set(friends), new Set(enemies), passes);
    return Object.fromEntries([...found].filter(([, one]) => !one.taken).map(([hex, { steps }]) => [hex, steps]));
  });
}"""


class Field:
    """The field on somebody's page, and what was pressed on it."""

    def __init__(self, seat: Seat) -> None:
        self.seat, self.page = seat, seat.page
        self.presses = 0

    def at(self, hex: str) -> tuple[float, float]:
        x, y = self.page.evaluate(WHERE, hex)
        return x, y

    def click(self, hex: str) -> None:
        self.presses += 1
        self.page.mouse.click(*self.at(hex))

    def tap(self, hex: str) -> None:
        self.presses += 1
        self.page.touchscreen.tap(*self.at(hex))

    def next(self) -> None:
        self.presses += 1
        self.page.get_by_role("button", name="Next unit without an order").tap()

    def key(self, *keys: str) -> None:
        for key in keys:
            self.presses += 1
            self.page.keyboard.press(key)

    def drag(self, start: str, end: str) -> None:
        self.presses += 1
        self.page.mouse.move(*self.at(start))
        self.page.mouse.down()
        self.page.mouse.move(*self.at(end), steps=4)
        self.page.mouse.up()

    def shown(self, hex: str) -> bool:
        """Whether a hex can be pressed where it is: in view, and nothing lies over it."""
        inside = "([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest('svg.field'))"
        return bool(self.page.evaluate(inside, list(self.at(hex))))

    def says(self) -> str:
        return self.page.locator(".field-bar p").inner_text()

    def drawn(self) -> None:
        """Waits for the picture that follows a press."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def offered(self) -> tuple[set[str], set[str]]:
        """The hexes where the picked unit can go, and those of them where it meets an enemy."""
        self.drawn()
        stops = set(self.page.evaluate(MARKS, "stops"))
        return set(self.page.evaluate(MARKS, "dots")) | stops, stops


def units_of(form: Locator) -> dict[str, str]:
    """The units that a form moves, with their hexes."""
    keys = [str(one.get_attribute("name")).split(".")[1] for one in form.locator('[name$=".to"]').all()]
    page = form.page
    return {key: str(page.locator(f'svg.field [data-piece="{key}"]').get_attribute("data-at")) for key in keys}


def orders(form: Locator) -> dict[str, str]:
    fields = form.locator('[name$=".to"]').all()
    return {str(one.get_attribute("name")).split(".")[1]: one.input_value() for one in fields}


def hexes(text: str) -> set[str]:
    """The hexes of "K9–K11, L6"."""
    return {
        f"{row}{column}" for row, one, last in HEX.findall(text) for column in range(int(one), int(last or one) + 1)
    }


class Table(TwoSides):
    def __init__(self, browser: Browser, server: Server, links: dict[str, str]) -> None:
        super().__init__(browser, server, links, PLACES)
        self.ella, self.anselm, self.sam = self.of.values()

    def until(self, kind: str, who: Seat | None = None, moves: Callable[[Locator], None] = lambda form: None) -> Any:
        """Answers all that comes before somebody is asked something: that seat and its form."""
        for _ in range(MOST):
            for seat in (self.ella, self.anselm):
                found = open_ask(seat)
                if found and found[0] == kind and who in (None, seat):
                    return seat, found[1]
                if found and found[0] == "move":
                    moves(found[1])
                if found:
                    answer_as_it_stands(seat, found[1])
        raise AssertionError(f"nobody was asked {kind}")


@pytest.fixture
def table(browser: Browser, server: Server, db_url: str) -> Any:
    table = Table(browser, server, make_demo(db_url, "battle"))
    yield table
    table.close()


def test_units_are_placed_and_moved_by_pointer_touch_and_keys(table: Table, tmp_path: Any) -> None:
    _an_army_is_placed_by_touch(table)
    _quick_units_are_chosen_on_the_field(table)
    shots = shots_folder(tmp_path)
    measured = dict[str, list[float]]()
    for _ in range(2):  # quick units, then the others: nine in all
        seat, form = table.until("move", table.anselm)
        field = Field(seat)
        if not measured:
            _list_and_field_say_the_same(field, form)
            _hexes_are_wide_enough_for_thumbs(field)
            assert overflow(seat.page) == []
        for how, give in {"touch": _by_touch, "pointer": _by_pointer, "keys": _by_keys}.items():
            for one in form.locator('[name$=".to"]').all():
                one.fill("")
            seat.page.reload()
            seat.look_at("asks")
            presses, begun = field.presses, time.perf_counter()
            given = give(field, form)
            both = measured.setdefault(how, [0, 0, 0])
            measured[how] = [both[0] + given, both[1] + field.presses - presses, both[2] + time.perf_counter() - begun]
            seat.both_shots(shots, f"field-moves-{how}")
        assert axe(seat.page) == []
        answer_as_it_stands(seat, form)
    for how, (count, presses, seconds) in measured.items():
        sys.stdout.write(f"{how}: {count:.0f} units, {presses:.0f} presses, {seconds:.1f} s\n")
    assert {count for count, _, _ in measured.values()} == {9}
    assert all(presses <= 9 * 6 for _, presses, _ in measured.values())
    _the_field_stays_a_picture_without_scripts(table.sam)


def _an_army_is_placed_by_touch(table: Table) -> None:
    seat, form = table.until("place", table.anselm)
    field = Field(seat)
    field.drawn()
    expect(seat.page.locator(".unit.is-placed")).to_have_count(9)
    start = str(form.locator('[name="of.b1.to"]').get_attribute("placeholder"))
    field.next()
    field.tap("M7")
    assert orders(form)["b1"] == "M7"
    seat.page.get_by_role("button", name="Undo the last order").tap()
    assert orders(form)["b1"] == ""
    assert start in field.says() or field.says() == "Undone."
    assert seal(seat, form) == 200


def _quick_units_are_chosen_on_the_field(table: Table) -> None:
    seat, form = table.until("quick", table.anselm)
    field = Field(seat)
    seat.page.get_by_role("button", name="All of the field").tap()
    box = form.locator('[name="of.b5.quick"]')
    was = box.is_checked()
    hex = str(seat.page.locator('svg.field [data-piece="b5"]').get_attribute("data-at"))
    field.tap(hex)
    assert box.is_checked() is not was
    seat.page.locator("svg.field").focus()
    field.key("ArrowRight", "ArrowLeft", "Enter")
    assert field.says().startswith(f"{hex}, Pikemen 5 (Anselm’s army)") and box.is_checked() is was


def _list_and_field_say_the_same(field: Field, form: Locator) -> None:
    for key in units_of(form):
        field.next()
        offered, stops = field.offered()
        row = form.locator(f'.unit-row:has([name="of.{key}.to"]) details p').all_text_contents()
        assert offered == hexes(row[-1].removeprefix("All hexes: ")), key
        assert stops == set[str]().union(*(hexes(one.split(": ")[1]) for one in row[:-1])), key


def _hexes_are_wide_enough_for_thumbs(field: Field) -> None:
    assert field.at("L8")[0] - field.at("L7")[0] >= THUMB


def _give(field: Field, form: Locator, press: Callable[[str], None]) -> int:
    """Picks each unit and presses the first hex it is offered; how many were ordered."""
    units = units_of(form)
    for key, hex in units.items():
        field.next() if press == field.tap else press(hex)
        offered, stops = field.offered()
        end = sorted(filter(field.shown, offered), key=lambda hex: (hex not in stops, hex))[0]
        press(end)
        assert orders(form)[key] == end, (key, end, field.says())
    field.drawn()
    expect(field.page.locator(".plan-number:not(.is-wrong)")).to_have_count(len(units))
    return len(units)


def _by_touch(field: Field, form: Locator) -> int:
    return _give(field, form, field.tap)


def _by_pointer(field: Field, form: Locator) -> int:
    count = _give(field, form, field.click)
    key, end = next(iter(orders(form).items()))
    field.click(units_of(form)[key])  # its place is free, and it is picked by it all the same
    other = sorted(field.offered()[0] - set(orders(form).values()))[0]
    field.drag(end, other)
    assert orders(form)[key] == other
    field.key("u")
    assert orders(form)[key] == end
    return count


def _by_keys(field: Field, form: Locator) -> int:
    field.page.locator("svg.field").focus()
    units = units_of(form)
    for _ in units:
        field.key("n")
        for key in ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown"):
            field.key(key)
            if "can go there" in field.says():
                field.key("Enter")
                break
    given = orders(form)
    assert all(given.values()), given
    assert field.page.evaluate("document.activeElement.matches('svg.field')")
    return len(given)


def _the_field_stays_a_picture_without_scripts(sam: Seat) -> None:
    sam.page.reload()
    svg = sam.page.locator("svg.field")
    assert (svg.get_attribute("role"), svg.get_attribute("tabindex")) == ("img", None)
    expect(sam.page.locator(".field-bar")).to_be_hidden()


def test_clusters_stand_on_the_field_with_their_odds(table: Table, tmp_path: Any) -> None:
    seat, form = table.until("clusters", None, close_in)
    page = seat.page
    Field(seat).drawn()
    now = sorted(page.locator(".clusters-now li").all_text_contents())
    marks = sorted(page.locator(".plan-odds text").all_text_contents())
    assert marks == sorted(one.split(": ")[1] for one in now)
    assert sorted(page.locator(".usual-clusters .clash > b").all_text_contents()) == marks, now
    assert page.locator(".plan-odds.is-wrong").count() == 0
    select = form.locator("select").first
    select.select_option(index=1)
    Field(seat).drawn()
    assert sorted(page.locator(".clusters-now li").all_text_contents()) != now
    seat.both_shots(shots_folder(tmp_path), "field-clusters")
    assert axe(page) == []


def test_the_browser_reaches_what_the_rules_reach(table: Table) -> None:
    cases, expected = list[dict[str, Any]](), list[dict[str, int]]()
    for seed in range(300):
        rng = Random(seed)
        ground = random_field(rng, rng.randint(5, 12), rng.randint(5, 12))
        unit, *others = rng.sample([hex for hex in ground if ground.passable(hex)], 9)
        friends, enemies, most = others[:4], others[4 : rng.randint(5, 8)], rng.randint(1, 5)
        passes = seed % 2 == 1
        found = Passage(ground, friends, enemies, passes).reach(unit, most)
        expected.append({spell(hex): steps for hex, steps in found.items()})
        cases.append(
            {
                "text": spell_field(ground), "start": spell(unit), "most": most, "passes": passes,
                "friends": [spell(hex) for hex in friends], "enemies": [spell(hex) for hex in enemies],
            }
        )  # fmt: skip
    source = table.ella.page.locator('script[src$="/field.js"]').get_attribute("src")
    got = table.ella.page.evaluate(REACH, [source, cases])
    wrong = [number for number, one in enumerate(got) if one != expected[number]]
    assert not wrong, json.dumps([cases[wrong[0]], got[wrong[0]], expected[wrong[0]]])
