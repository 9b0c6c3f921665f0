"""What is dragged on the field of a mass battle, by mouse and by touch: units, the row between the armies, the place an
order leads to, the numbers of orders, units between clusters; two fingers, and the small field in the corner."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from app.rulesets.chronicle.mass import clusters
from app.rulesets.chronicle.mass.engagement import Engagement, engagement
from app.rulesets.chronicle.mass.field_text import read_field
from app.rulesets.chronicle.mass.hexes import read
from app.rulesets.chronicle.samples import heroes
from tests.browser.seats import Seat, axe, links_of, make_demo, overflow, shots_folder
from tests.browser.test_field import DESK, PHONE, Field, Table, orders, units_of
from tests.browser.two_sides import TwoSides, answer_as_it_stands, close_in, seal
from tests.hand_fight import lay
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

GIVEN: dict[str, Any] = {
    "sides": {"ella": "a", "anselm": "b"}, "attacker": "a", "how": "set", "field": "open",
    "armies": {"a": {"MI": 2}, "b": {"MI": 3}},
}  # fmt: skip
SHEETS = {key: heroes()["ella"].model_copy(update={"name": key.title()}) for key in ("ella", "anselm")}
DEFENDERS, ATTACKERS = ("K8", "K9", "K10"), ("L8", "L9")
"""Each attacker is next to the middle defender and to one at the end."""


MOVE = """hex => import(document.querySelector('script[src$="/field.js"]').src).then(field => field.moveCursor(hex))"""


class Finger(Field):
    """The field on somebody's page, and a mouse or fingers on it."""

    def __init__(self, seat: Seat, touches: bool) -> None:
        super().__init__(seat)
        self.touches = seat.context.new_cdp_session(seat.page) if touches else None

    def fingers(self, kind: str, *points: tuple[float, float]) -> None:
        assert self.touches
        told = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": told})

    def pull(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """A drag from one point of the window to another, in a few steps."""
        along = [tuple(one + (two - one) * step / 4 for one, two in zip(start, end, strict=True)) for step in range(5)]
        if self.touches:
            self.fingers("touchStart", along[0])
            for point in along[1:]:
                self.fingers("touchMove", point)
            self.fingers("touchEnd")
        else:
            self.page.mouse.move(*along[0])
            self.page.mouse.down()
            for point in along[1:]:
                self.page.mouse.move(*point)
            self.page.mouse.up()
        self.drawn()

    def drag(self, start: str, end: str) -> None:
        self.pull(self.at(start), self.at(end))

    def asked(self) -> None:
        """Waits until the field can be ordered on."""
        expect(self.page.locator(".field-bar [data-key=n]")).to_be_visible()
        self.drawn()

    def box(self) -> list[float]:
        return [float(one) for one in str(self.page.locator("svg.field").get_attribute("viewBox")).split()]


class Sides(Table):
    """Two commanders at the same kind of device."""

    def __init__(self, browser: Browser, server: Server, links: dict[str, str], where: dict[str, Any]) -> None:
        TwoSides.__init__(self, browser, server, links, {"Ella": where, "Anselm": where})
        self.ella, self.anselm = self.of.values()


def lay_battle(db_url: str, **given: Any) -> dict[str, str]:
    return links_of(db_url, lay, SHEETS, GIVEN | given, {}, "mass")


@pytest.fixture(params=["mouse", "touch"])
def touches(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "touch")


@pytest.fixture
def sides(
    browser: Browser, server: Server, db_url: str, touches: bool, request: pytest.FixtureRequest
) -> Iterator[Any]:
    given = getattr(request, "param", {})
    found = Sides(browser, server, lay_battle(db_url, **given), PHONE if touches else DESK)
    yield found
    found.close()


def place(form: Locator, hexes: tuple[str, ...]) -> None:
    form.locator("details:has(.units) > summary").click()
    for number, hex in enumerate(hexes, 1):
        form.locator(f'[name$="{number}.to"]').fill(hex)


@pytest.mark.parametrize("sides", [{"armies": {"a": {"MI": 9}, "b": {"MI": 9}}}], indirect=True)
def test_a_unit_the_row_an_order_and_its_number_are_dragged(sides: Sides, touches: bool, tmp_path: Any) -> None:
    seat, form = sides.until("place", sides.anselm)
    field = Finger(seat, touches)
    field.asked()
    usual = [str(one.get_attribute("placeholder")) for one in form.locator('[name$=".to"]').all()]
    start, end = usual[0], f"{usual[0][0]}{int(usual[0][1:]) - 2}"
    field.drag(start, end)
    assert orders(form)["b1"] == end, field.says()
    assert seal(seat, form) == 200
    _the_row_is_pulled(sides, touches, tmp_path)
    _orders_are_changed(sides, touches)


def _the_row_is_pulled(sides: Sides, touches: bool, tmp_path: Any) -> None:
    seat, form = sides.until("line", sides.anselm)
    field, shots = Finger(seat, touches), shots_folder(tmp_path)
    expect(seat.page.locator(".plan-row")).to_have_count(1)
    area = seat.page.locator(".plan-under .zone").get_attribute("d")
    seat.both_shots(shots, f"field-row-{'touch' if touches else 'mouse'}")
    assert axe(seat.page) == [] and overflow(seat.page) == []
    row = seat.page.locator(".plan-row").get_attribute("d") or ""
    field.page.get_by_role("button", name="All of the field").click()
    x, y = re.findall(r"([\d.]+),([\d.]+)", row)[len(row.split("L")) // 2]
    start = (
        f"{chr(65 + round((float(y) - 16) / 24))}{round((float(x) - 14 - 14 * ((float(y) - 16) / 24 % 2)) / 28) + 1}"
    )
    field.drag(start, "T8")
    assert form.locator('[name="line"]:checked').input_value() == "z+", field.says()
    assert seat.page.locator(".plan-under .zone").get_attribute("d") != area
    field.page.get_by_role("button", name="Undo the last order").click()
    expect(form.locator('[name="line"]:checked')).to_have_value("z-")
    assert seal(seat, form) == 200


def _orders_are_changed(sides: Sides, touches: bool) -> None:
    seat, form = sides.until("move", sides.anselm)
    while len(units_of(form)) < 3:
        answer_as_it_stands(seat, form)
        seat, form = sides.until("move", sides.anselm)
    field = Finger(seat, touches)
    field.asked()
    keys = list(units_of(form))
    for key in keys[:3]:
        field.drag(units_of(form)[key], _free(field, form, key))
    assert all(orders(form)[key] for key in keys[:3]), (orders(form), field.says())
    numbers = form.locator(".plan-turn b")
    expect(numbers).to_have_text(["1", "2", "3"])
    was = orders(form)[keys[0]]
    end = next(hex for hex in _free_hexes(field, form, keys[0]) if hex != was)
    field.drag(was, end)
    assert orders(form)[keys[0]] == end
    numbers.first.evaluate("one => one.scrollIntoView({block: 'start'})")
    spots = [one.bounding_box() for one in numbers.all()]
    points = [(one["x"] + one["width"] / 2, one["y"] + one["height"] / 2) for one in spots if one]
    field.pull(points[0], points[1])
    expect(numbers).to_have_text(["2", "1", "3"])
    field.page.get_by_role("button", name="Undo the last order").click()
    expect(numbers).to_have_text(["1", "2", "3"])
    answer_as_it_stands(seat, form)


def _free_hexes(field: Finger, form: Locator, key: str) -> list[str]:
    """Where a unit can be sent and pressed, as it is offered when picked."""
    field.page.keyboard.press("Escape")
    form.locator(f'[name="of.{key}.to"]').focus()
    return sorted(filter(field.shown, field.offered()[0]))


def _free(field: Finger, form: Locator, key: str) -> str:
    return _free_hexes(field, form, key)[0]


def groups_of(form: Locator) -> list[tuple[str, ...]]:
    """The clusters that a form says: units that hang together by whom they name."""
    found = dict[str, set[str]]()
    for one in form.locator('[name$=".against"]').all():
        key, other = str(one.get_attribute("name")).split(".")[1], one.input_value()
        both = found.get(key, {key}) | found.get(other, {other})
        found |= dict.fromkeys(both, both)
    return sorted({tuple(sorted(one)) for one in found.values()})


@pytest.mark.parametrize("sides", [{}], indirect=True)
def test_a_unit_is_dragged_from_one_cluster_to_another(sides: Sides, touches: bool, tmp_path: Any) -> None:
    seat, form = sides.until("place", sides.anselm)
    place(form, DEFENDERS)
    assert seal(seat, form) == 200
    seat, form = sides.until("line", sides.anselm)
    form.locator('[value="z+"]').check()
    assert seal(seat, form) == 200
    seat, form = sides.until("place", sides.ella)
    place(form, ATTACKERS)
    assert seal(seat, form) == 200
    seat, form = sides.until("clusters")
    field = Finger(seat, touches)
    field.asked()
    assert groups_of(form) == [("a1", "b1"), ("a2", "b2", "b3")]
    odds = sorted(seat.page.locator(".plan-odds text").all_text_contents())
    field.drag("L8", "K9")
    assert groups_of(form) == [("a1", "b1", "b2"), ("a2", "b3")]
    seat.both_shots(shots_folder(tmp_path), f"field-cluster-dragged-{'touch' if touches else 'mouse'}")
    field.drag("K9", "L9")
    assert groups_of(form) == [("a1", "b1"), ("a2", "b2", "b3")]
    assert sorted(seat.page.locator(".plan-odds text").all_text_contents()) == odds
    field.drag("L8", "K10")
    assert groups_of(form) == [("a1", "b1"), ("a2", "b2", "b3")], "they are not next to one another"
    assert seat.page.locator(".is-wrong").count() == 0
    assert seal(seat, form) == 200


def test_what_is_offered_between_clusters_is_legal(browser: Browser, server: Server, db_url: str) -> None:
    sides = Sides(browser, server, make_demo(db_url, "battle"), DESK)
    seat, form = sides.until("clusters", None, close_in)
    field, tried = Finger(seat, touches=False), 0
    field.asked()
    graph = _engaged(field, form)
    for key in form.locator("select").evaluate_all("all => all.map(one => one.name.split('.')[1])"):
        field.page.keyboard.press("Escape")
        form.locator(f'[name="of.{key}.against"]').focus()
        field.drawn()
        offers = [str(one.get_attribute("d")) for one in seat.page.locator(".plan-offer").all()]
        for x, y in (re.match(r"M([\d.]+),([\d.]+)", one).groups() for one in offers):  # type: ignore[union-attr]
            row = round(float(y) / 24)
            end = f"{chr(65 + row)}{round((float(x) - 14 - 14 * (row % 2)) / 28) + 1}"
            before = groups_of(form)
            field.drag(str(seat.page.locator(f'svg.field [data-piece="{key}"]').get_attribute("data-at")), end)
            tried += 1
            assert groups_of(form) != before, (key, end, field.says())
            assert clusters.legal(groups_of(form), graph) == [], (key, end)
            field.page.get_by_role("button", name="Undo the last order").click()
            assert groups_of(form) == before
    assert tried, "nothing is offered"
    assert seal(seat, form) == 200
    sides.close()


def _engaged(field: Finger, form: Locator) -> Engagement:
    """Who is next to whom, as the page shows it."""
    ground = read_field(str(field.page.locator("svg.field").get_attribute("data-field")))
    told = json.loads(str(form.locator("[data-duels]").get_attribute("data-duels")))
    at = {
        side: {
            str(one.get_attribute("data-piece")): read(str(one.get_attribute("data-at"))) or (0, 0)
            for one in field.page.locator(f'svg.field [data-piece^="{side}"]').all()
        }
        for side in ("a", "b")
    }
    return engagement(ground, at.pop(told["side"]), *at.values())


@pytest.mark.parametrize("touches", ["touch"], indirect=True)
def test_fingers_zoom_and_the_small_field_moves_what_is_seen(sides: Sides, tmp_path: Any) -> None:
    seat, form = sides.until("place", sides.anselm)
    field = Finger(seat, touches=True)
    field.asked()
    small, seen = seat.page.locator(".overview"), seat.page.locator(".overview-seen")
    expect(small).to_be_visible()
    before = field.box()
    drawn = seat.page.locator("svg.field").bounding_box()
    assert drawn
    x, y = drawn["x"] + drawn["width"] / 2, drawn["y"] + drawn["height"] / 3
    field.fingers("touchStart", (x - 30, y), (x + 30, y))
    for step in range(1, 6):
        field.fingers("touchMove", (x - 30 - 6 * step, y), (x + 30 + 6 * step, y))
    field.fingers("touchEnd")
    near = field.box()
    assert 0.4 < near[2] / before[2] < 0.6
    assert orders(form) == dict.fromkeys(orders(form), "")
    assert float(seen.get_attribute("width") or 0) == pytest.approx(near[2], abs=0.1)
    place = small.bounding_box()
    assert place and place["width"] <= 80 and place["height"] <= 80
    seat.both_shots(shots_folder(tmp_path), "field-overview")
    assert axe(seat.page) == [] and overflow(seat.page) == []
    seat.page.touchscreen.tap(place["x"] + place["width"] / 4, place["y"] + place["height"] / 4)
    pressed = field.box()
    assert pressed[0] + pressed[2] / 2 < 200 and pressed[1] + pressed[3] / 2 < 200, "the north-west quarter"
    place = small.bounding_box()
    assert place
    middle = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    field.pull(middle, (middle[0] + 20, middle[1] + 20))
    moved = field.box()
    assert moved[0] > pressed[0] + 100 and moved[1] > pressed[1] + 100
    assert moved[2:] == pressed[2:]
    _every_corner_can_be_pressed(field)
    seat.page.get_by_role("button", name="All of the field").tap()
    expect(small).to_be_hidden()


def _every_corner_can_be_pressed(field: Finger) -> None:
    """Neither the small field nor the buttons cover a corner of the field that is moved into view."""
    for hex in ("A1", "A20", "W1", "W20"):
        field.page.locator("svg.field").focus()
        field.page.evaluate(MOVE, hex)
        field.drawn()
        assert field.shown(hex), hex
