"""A whole battle in a real Chromium, from the choice of armies to the end by the rules: one commander at a desk, one on
a phone. By mouse, by touch and by keys alone; each question is answered on the field wherever the field offers it.

It finds what cannot be done by one of the three, and prints presses and seconds (`-s`).
"""

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from app.rulesets.chronicle.mass.hexes import distance, read
from app.rulesets.chronicle.mass.sample import DEMO
from tests.browser.hands import HANDS, Hand
from tests.browser.seats import PATIENCE, Seat, axe, links_of, overflow, shots_folder
from tests.browser.two_sides import ASKED, STEP
from tests.hand_fight import lay
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", "has_touch": True}
PHONE: dict[str, Any] = {**DESK, "viewport": {"width": 390, "height": 844}, "is_mobile": True}
PLACES = {"Ella": DESK, "Anselm": PHONE}
GIVEN: dict[str, Any] = {
    "sides": {"ella": "a", "anselm": "b"}, "names": {"a": "Ella’s levy", "b": "Anselm’s army"},
    "attacker": "a", "how": "set", "points": {"a": 300, "b": 340},
}  # fmt: skip
ARMIES = {"a": {"LI": 9, "HI": 9, "PK": 9, "MC": 9, "BW": 9}, "b": {"LI": 30, "MI": 20, "HI": 20, "BW": 20}}
"""Five units against nine: each has more men than one fight costs."""
INTENTS = {2: "retreat", 4: "surrender"}  # of Ella, by round: one unit leaves, then the rest gives up
MOST = 150  # answers of both
ROUND = re.compile(r"Round (\d+), proactive:")
SURE = {"armies", "field", "place", "line", "intent", "leave", "quick", "move", "targets"}
"""What every such battle asks, whatever the dice say; terms, too, unless Ella's last unit falls before she gives up."""


Look = Callable[["Commander", str], None]


class Commander:
    """One of the two: a page, a hand, and what it was asked."""

    def __init__(self, seat: Seat, hand: Hand) -> None:
        self.seat, self.page, self.hand = seat, seat.page, hand
        self.asked = Counter[str]()
        self.seconds = 0.0
        self.gave_up = False

    def come(self, link: str) -> None:
        """From the personal link to the scene."""
        self.page.goto(self.seat.origin + link)
        self.hand.press(self.page.locator("main form button").first)
        self.page.wait_for_url("**/c/**")
        self.hand.press(self.page.locator('main a[href*="/scene/"]').first)
        self.page.wait_for_selector("#live")
        self.page.wait_for_load_state()

    def open(self) -> tuple[str, Locator, str] | None:
        """The kind and the form of what this seat has to answer now, once its page shows it; and the whole page."""
        source = self.seat.fetch(self.seat.scene)
        cards = ASKED.findall(source)
        if not cards:
            return None
        card = self.page.locator(f"#{cards[0]}")
        expect(card).to_be_attached(timeout=PATIENCE)
        if not card.is_visible():
            self.hand.press(self.page.locator('.tabs a[href="#asks"]'))
        expect(card).to_be_visible()
        step = str(card.locator('input[name="_step"]').first.get_attribute("value"))
        kind = re.sub(r"^.*-(\w+)$", r"\1", STEP.sub("", step).split("/")[0])
        return kind, card.locator("form.declare").first, source

    def answer(self, look: Look) -> bool:
        """Answers what is asked of this seat."""
        found = self.open()
        if not found:
            return False
        kind, form, source = found
        kind = _kind(kind, form)
        self.asked[kind] += 1
        self.hand.drawn()
        look(self, kind)
        begun = time.perf_counter()
        now = ROUND.search(source)
        ANSWERS.get(kind, _as_it_stands)(self, form, int(now[1]) if now else 0)
        self.seal(form)
        self.seconds += time.perf_counter() - begun
        return True

    def seal(self, form: Locator) -> None:
        with self.page.expect_response(lambda got: got.request.method == "POST" and "/lay" in got.url) as answered:
            self.hand.press(form.locator(".acts .go"))
        assert answered.value.status == 200, form.locator(".fault").all_text_contents()

    def pieces(self) -> dict[str, str]:
        """The units on the field, with their hexes."""
        found: dict[str, str] = self.page.evaluate(
            "Object.fromEntries([...document.querySelectorAll('svg.field > [data-piece][data-at]')]"
            ".map(({ dataset }) => [dataset.piece, dataset.at]))"
        )
        return found

    def wide(self) -> float:
        """How much of the field is seen, from west to east."""
        return float(self.page.evaluate("document.querySelector('svg.field').viewBox.baseVal.width"))

    def foes(self, key: str) -> list[str]:
        return [hex for one, hex in self.pieces().items() if one[0] != key[0]]

    def next(self) -> str:
        """Picks the next unit without an order; its hex."""
        self.hand.press(self.page.locator('.field-bar [data-key="n"]'))
        return self.hand.picked()

    def undo(self) -> None:
        self.hand.press(self.page.locator('.field-bar [data-key="u"]'))
        self.hand.drawn()


def _kind(step: str, form: Locator) -> str:
    """The kind of an ask: two that have no step of their own are told by their fields."""
    fields = {"whom": '[name="winner"]', "step": '[name$=".step"]'}
    return next((kind for kind, field in fields.items() if form.locator(field).count()), step)


def _far(hex: str, others: list[str]) -> int:
    """How far the nearest of some hexes is."""
    return min((distance(_at(hex), _at(other)) for other in others), default=0)


def _at(text: str) -> tuple[int, int]:
    hex = read(text)
    assert hex
    return hex


def _value(form: Locator, name: str) -> str:
    return form.locator(f'[name="{name}"]').input_value()


def _units(form: Locator, what: str) -> list[str]:
    """The units that have a field "of.UNIT.what" which can be filled in."""
    fields = form.locator(f'[name^="of."][name$=".{what}"]:not([type=hidden])').all()
    return [str(one.get_attribute("name")).split(".")[1] for one in fields]


# ---- answers, in the order in which they are asked -----------------------------------------------------------------


def _armies(of: Commander, form: Locator, now: int) -> None:
    for side, army in ARMIES.items():
        for troop, men in army.items() if form.locator(f'[name^="of.{side}."]').count() else ():
            of.hand.write(form.locator(f'[name="of.{side}.{troop}"]'), str(men))
    expect(form.locator("output")).to_have_text(re.compile(r"^\d+ of 3\d0 points spent, \d+ left$"))


def _field(of: Commander, form: Locator, now: int) -> None:
    of.hand.press(form.locator('label:has([value="village"])'))


def _place(of: Commander, form: Locator, now: int) -> None:
    """The first army stands in two lines, but for a unit; the other one comes next to it."""
    arranged = json.loads(str(form.locator("[data-arranged]").get_attribute("data-arranged")))
    keys, zone = _units(form, "to"), arranged["zone"].split()
    foes, taken = of.foes(keys[0]), set[str]()
    if not foes:
        of.hand.press(form.locator('label:has([value="two lines"])'))
        taken |= set(arranged["arranged"]["two lines"].split()[: len(keys)])
        keys, foes = keys[:1], [*taken]
    for key in keys:
        near = 2 if key == "a5" else 1  # bowmen shoot from afar
        end = min((hex for hex in zone if hex not in taken), key=lambda hex: abs(_far(hex, foes) - near))
        of.next()
        of.hand.hex(end)
        assert _value(form, f"of.{key}.to") == end, of.hand.says()
        taken.add(end)


def _line(of: Commander, form: Locator, now: int) -> None:
    """The row is pulled to the south of the army, and then to its north."""
    army = sorted(of.pieces().values())
    for hex, by, row in ((army[-1], 2, "z+"), (army[0], -2, "z-")):
        of.hand.hex(f"{chr(ord(hex[0]) + by)}{hex[1:]}")
        expect(form.locator('[name="line"]:checked')).to_have_value(row)


def _intent(of: Commander, form: Locator, now: int) -> None:
    intent = INTENTS.get(now, "fight") if of.seat.name == "Ella" else "fight"
    of.hand.press(form.locator(f'label:has([value="{intent}"])'))
    of.gave_up = intent == "surrender"


def _leave(of: Commander, form: Locator, now: int) -> None:
    """One unit leaves; all were ticked."""
    _, *rest = _units(form, "leave")
    for key in rest:
        of.hand.hex(of.pieces()[key])
        assert not form.locator(f'[name="of.{key}.leave"]').is_checked()


def _quick(of: Commander, form: Locator, now: int) -> None:
    """One unit is quick instead of another one."""
    boxes = {key: form.locator(f'[name="of.{key}.quick"]') for key in _units(form, "quick")}
    was = {key: box.is_checked() for key, box in boxes.items()}
    for on in (True, False):
        key = next(key for key in boxes if was[key] is on)
        of.hand.hex(of.pieces()[key])
        assert boxes[key].is_checked() is not on


def _move(of: Commander, form: Locator, now: int) -> None:
    """All units close in, bowmen as far as they can shoot; the first order is changed and restored."""
    at = {of.pieces()[key]: key for key in _units(form, "to")}
    for number, (start, key) in enumerate(at.items()):
        if of.hand.manner == "pointer":
            of.hand.hex(start)
        else:
            start = of.next()
            key = at[start]
        offered, stops = of.hand.offers()
        far = of.page.locator(f'svg.field > [data-piece="{key}"] use[href="#troop-BW"]').count()
        foes = of.foes(key)
        order = sorted(offered, key=lambda hex: (bool(far) == (hex in stops), _far(hex, foes), hex))
        if not order:
            continue
        of.hand.hex(order[0])
        assert _value(form, f"of.{key}.to") == order[0], of.hand.says()
        if number == 0 and len(order) > 1:
            of.hand.drag(order[0], order[1])
            assert _value(form, f"of.{key}.to") == order[1], of.hand.says()
            of.undo()
            assert _value(form, f"of.{key}.to") == order[0], of.hand.says()


def _clusters(of: Commander, form: Locator, now: int) -> None:
    """The first unit that may goes to another fight."""

    def named() -> list[str]:
        return [field.input_value() for field in form.locator('[name$=".against"]').all()]

    was = named()
    seen = list[float]()
    for key in ("0", "f"):
        of.hand.press(of.page.locator(f'.field-bar [data-key="{key}"]'))
        of.hand.drawn()
        seen.append(of.wide())
    assert seen[1] < seen[0]
    for key in _units(form, "against"):
        at = of.pieces()[key]
        if of.hand.picked() != at:
            of.hand.hex(at)
        other = next((hex for hex in of.hand.offers()[0] if hex in of.pieces().values()), None)
        if other is None:
            continue
        of.hand.drag(at, other)
        of.hand.drawn()
        if of.page.locator(".plan-odds.is-wrong").count():
            of.undo()
            assert named() == was
        elif named() != was:
            break
    assert of.page.locator(".plan-odds.is-wrong").count() == 0


def _on_the_field(what: str) -> Callable[[Commander, Locator, int], None]:
    """For each unit another one of what it can choose, pressed on the field."""

    def answer(of: Commander, form: Locator, now: int) -> None:
        keys = _units(form, what)
        for key in keys:
            field = form.locator(f'[name="of.{key}.{what}"]')
            others = field.locator("option[data-piece]:not(:checked)")
            if not others.count():
                continue
            other = others.last
            piece, value = (str(other.get_attribute(name)) for name in ("data-piece", "value"))
            if of.hand.picked() != of.pieces()[key]:
                of.hand.hex(of.pieces()[key])
            of.hand.hex(of.pieces().get(piece, piece))
            expect(field).to_have_value(value)

    return answer


def _order(of: Commander, form: Locator, now: int) -> None:
    """The last fight is to be the first; that is taken back, and pressed again."""
    row, order = form.locator("li[data-number]").last, form.locator('[name="order"]')
    number, units = (str(row.get_attribute(f"data-{name}")) for name in ("number", "units"))
    at = of.pieces()[units.split()[0]]
    for value in (number, "", number):
        of.hand.hex(at)
        expect(order).to_have_value(value)
    expect(row.locator(".plan-turn b")).to_have_text("1")
    assert "Fight 1 of" in of.hand.says()


def _whom(of: Commander, form: Locator, now: int) -> None:
    other = str(form.locator("[data-piece]:not(:checked)").first.get_attribute("value"))
    of.hand.hex(of.pieces()[other])
    expect(form.locator(f'[value="{other}"]')).to_be_checked()


def _terms(of: Commander, form: Locator, now: int) -> None:
    of.hand.write(form.locator("textarea, [type=text]").first, "All arms stay here.")


def _agree(of: Commander, form: Locator, now: int) -> None:
    of.hand.press(form.locator('label:has([value="accept"])'))


def _as_it_stands(of: Commander, form: Locator, now: int) -> None:
    raise AssertionError(f"a kind of question that nobody has played: {form.inner_text()}")


ANSWERS: dict[str, Callable[[Commander, Locator, int], None]] = {
    "armies": _armies, "field": _field, "place": _place, "line": _line, "intent": _intent, "leave": _leave,
    "quick": _quick, "move": _move, "clusters": _clusters, "targets": _on_the_field("at"), "order": _order,
    "whom": _whom, "fall": _on_the_field("to"), "step": _on_the_field("step"), "terms": _terms, "agree": _agree,
}  # fmt: skip


def play(sides: list[Commander], look: Look) -> None:
    """Until the battle has ended."""
    for _ in range(MOST):
        if not [one for one in sides if one.answer(look)]:
            break
    for one in sides:
        expect(one.page.locator("#ending")).to_be_visible()
        look(one, "ended")


def show_film(of: Commander, look: Look) -> None:
    """The newest film, gone through by hand, as motion is reduced."""
    tab = of.page.locator('.tabs a[href="#log"]')
    if tab.is_visible():
        of.hand.press(tab)
    of.hand.press(of.page.locator("[data-film-play]").locator("visible=true").last)
    expect(of.page.locator(".film")).to_be_visible()
    of.hand.press(of.page.locator(".film").get_by_role("button", name="Next"))
    look(of, "film")


class Looker:
    """Takes each state of each page once, by day and in the dark, and asks axe; does nothing for the other hands."""

    def __init__(self, sides: list[Commander], shots: Path) -> None:
        self.sides, self.shots = sides, shots
        self.looked = set[tuple[str, str]]()

    def __call__(self, of: Commander, kind: str) -> None:
        self.take(of, kind)
        for other in self.sides:
            if kind not in ("ended", "film") and other.page.locator("#awaits:not(.is-mine)").count():
                self.take(other, "waiting")

    def take(self, of: Commander, kind: str) -> None:
        if (of.seat.name, kind) in self.looked:
            return
        self.looked.add((of.seat.name, kind))
        assert overflow(of.page) == [], kind
        for scheme in ("light", "dark"):
            of.page.emulate_media(color_scheme=scheme)
            of.seat.shot(self.shots, f"battle-{kind}-{of.seat.name.lower()}-{scheme}")
            assert axe(of.page, colours_only=scheme == "dark") == [], (kind, scheme)
        of.page.emulate_media(color_scheme=None)


@pytest.fixture
def links(db_url: str) -> dict[str, str]:
    return links_of(db_url, lay, DEMO.set_up()[0], GIVEN, kind="mass")


@pytest.mark.parametrize("manner", HANDS)
def test_a_whole_battle_is_fought(
    browser: Browser, server: Server, links: dict[str, str], tmp_path: Path, manner: str
) -> None:
    sides = list[Commander]()
    for name, where in PLACES.items():
        seat = Seat(name, browser.new_context(**where), server.url)
        sides.append(Commander(seat, HANDS[manner](seat)))
        sides[-1].come(links[name])
    looker = Looker(sides, shots_folder(tmp_path)) if manner == "pointer" else None
    play(sides, looker or (lambda of, kind: None))
    for one in sides if looker else ():
        show_film(one, looker)
    asked = sum((one.asked for one in sides), Counter[str]())
    for one in sides:
        size = "phone" if one.seat.name == "Anselm" else "desk"
        told = f"{manner}, {size}: {one.asked.total()} questions, {one.hand.presses} presses, {one.seconds:.0f} s"
        sys.stdout.write(f"{told}: {dict(one.asked)}\n")
        one.seat.context.close()
    assert [wrong for one in sides for wrong in one.seat.wrong] == []
    assert asked.keys() >= SURE, SURE - asked.keys()
    assert asked["terms"] == asked["agree"] == any(one.gave_up for one in sides)
