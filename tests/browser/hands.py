"""Hands at a mass battle: the same presses by mouse, by finger and by keys alone, on the field and in forms.

Each hand counts its presses. A hand by keys never moves a pointer, and reaches what it presses as people do: by the key
on it, else with Tab and the arrow keys.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.seats import Seat

HEX = re.compile(r"[A-Z]\d+")
MOST = 240  # times that one thing is tried: Tab to a field, steps over the field
FINDS = """hex => {
  const [row, column] = [hex.charCodeAt(0) - 65, hex.slice(1) - 1];
  const at = new DOMPoint(14 + 28 * column + 14 * (row % 2), 16 + 24 * row);
  const { x, y } = at.matrixTransform(document.querySelector("svg.field").getScreenCTM());
  return [x, y, Boolean(document.elementFromPoint(x, y)?.closest("svg.field"))];
}"""
"""Where a hex is on the screen, and whether it can be pressed there."""
GRIP = """([x, y]) => {
  const svg = document.querySelector("svg.field");
  const box = svg.getBoundingClientRect();
  const shown = svg.getScreenCTM();
  const units = [...svg.querySelectorAll("[data-piece], .is-ghost")].map((one) => one.getAttribute("transform"));
  const row = svg.querySelector(".plan-row")?.getAttribute("d") ?? "";
  const holds = [...`${units} ${row}`.matchAll(/([\\d.]+)[ ,]+([\\d.]+)/g)]
    .map(([, x, y]) => new DOMPoint(x, y).matrixTransform(shown));
  const held = (left, top) => holds.some((one) => Math.hypot(one.x - left, one.y - top) < 20 * shown.a);
  const free = [];
  for (let left = box.left + 12; left < box.right - 12; left += 14)
    for (let top = box.top + 12; top < box.bottom - 12; top += 14) {
      const there = document.elementFromPoint(left, top);
      if (there?.closest("svg.field") && !held(left, top)) free.push([left, top]);
    }
  const far = ([left, top]) => Math.hypot(left - x, top - y);
  const grip = free.sort((one, other) => far(one) - far(other))[0];
  const middle = [box.left + box.width / 2, box.top + box.height / 2];
  const within = (at, low, high) => Math.min(high - 8, Math.max(low + 8, at));
  const [left, top] = [grip[0] + middle[0] - x, grip[1] + middle[1] - y];
  return [grip, [within(left, box.left, box.right), within(top, box.top, box.bottom)]];
}"""
"""A drag on free ground that brings a place on the screen nearer to the middle of the field."""
OFFERS = """() => {
  const starts = (kind, up) => [...document.querySelectorAll(`.plan-${kind}`)].flatMap((path) =>
    [...path.getAttribute("d").matchAll(/M([\\d.-]+)[ ,]([\\d.-]+)/g)].map(([, x, y]) => {
      const row = Math.round((Number(y) + up - 16) / 24);
      return String.fromCharCode(65 + row) + (Math.round((x - 14 - 14 * (row % 2)) / 28) + 1);
    }));
  const stops = starts("stops", 5);
  return { stops, all: [...stops, ...starts("dots", 0), ...starts("offer", 16)] };
}"""
"""The hexes that the field offers for the picked unit; those where it meets an enemy first."""
PICKED = """() => {
  const corner = document.querySelector(".plan-picked")?.getAttribute("d").match(/M([\\d.-]+),([\\d.-]+)/);
  if (!corner) return "";
  const row = Math.round(corner[2] / 24);
  return String.fromCharCode(65 + row) + (Math.round((corner[1] - 14 - 14 * (row % 2)) / 28) + 1);
}"""
KEY_OF = """one => {
  const key = one.dataset.key;
  const seen = (it) => it.checkVisibility({ visibilityProperty: true }) && !it.disabled;
  return key && [...document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)].find(seen) === one ? key : "";
}"""
TYPING = "document.activeElement.matches('textarea, select, input:not([type=checkbox], [type=radio])')"
TOWARDS = """one => {
  const now = document.activeElement;
  if (one === now) return "";
  const group = now.type === "radio" && now.name === one.name && now.form === one.form;
  const after = now === document.body || now.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING;
  return group ? (after ? "ArrowDown" : "ArrowUp") : after ? "Tab" : "Shift+Tab";
}"""
"""The key that leads from the focus towards something; "" on it."""
FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Hand:
    """What somebody presses, and how often."""

    manner = ""

    def __init__(self, seat: Seat) -> None:
        self.seat, self.page = seat, seat.page
        self.presses = 0

    def press(self, what: Locator) -> None:
        """A button, a link, a box, a radio button."""
        raise NotImplementedError

    def write(self, what: Locator, text: str) -> None:
        raise NotImplementedError

    def hex(self, hex: str) -> None:
        """Presses a hex of the field, which is brought into view first."""
        raise NotImplementedError

    def drag(self, start: str, end: str) -> None:
        """Drags what is on a hex to another one."""
        raise NotImplementedError

    def drawn(self) -> None:
        """Waits for the picture that follows a press."""
        self.page.evaluate(FRAME)

    def offers(self) -> tuple[list[str], list[str]]:
        """The hexes that the picked unit is offered, and those of them where it meets an enemy."""
        self.drawn()
        found: dict[str, list[str]] = self.page.evaluate(OFFERS)
        return found["all"], found["stops"]

    def picked(self) -> str:
        """The hex of the picked unit; "" without one."""
        self.drawn()
        return str(self.page.evaluate(PICKED))

    def says(self) -> str:
        return self.page.locator(".field-bar p").inner_text()


class Pointing(Hand):
    """What mouse and finger have in common: they press what they see, and move the field to see more."""

    def at(self, hex: str) -> tuple[float, float]:
        """Where a hex can be pressed."""
        for _ in range(MOST):
            x, y, free = self.page.evaluate(FINDS, hex)
            if free:
                return x, y
            with self.pressed():
                (start, end) = self.page.evaluate(GRIP, [x, y])
                self.slide(start, end)
            self.drawn()
        raise AssertionError(f"{hex} cannot be brought into view")

    @contextmanager
    def pressed(self) -> Iterator[None]:
        self.presses += 1
        yield

    def hex(self, hex: str) -> None:
        x, y = self.at(hex)
        with self.pressed():
            self.touch(x, y)

    def drag(self, start: str, end: str) -> None:
        """Both ends have to be seen at once; else it is pressed there."""
        self.at(end)
        x, y, free = self.page.evaluate(FINDS, start)
        if free:
            with self.pressed():
                self.slide((x, y), self.at(end))
            return
        if self.picked() != start:
            self.hex(start)
        self.hex(end)

    def touch(self, x: float, y: float) -> None:
        raise NotImplementedError

    def slide(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        raise NotImplementedError


class Mouse(Pointing):
    manner = "pointer"

    def press(self, what: Locator) -> None:
        with self.pressed():
            what.click()

    def write(self, what: Locator, text: str) -> None:
        self.press(what)
        self.page.keyboard.insert_text(text)

    def touch(self, x: float, y: float) -> None:
        self.page.mouse.click(x, y)

    def slide(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=4)
        self.page.mouse.up()


class Finger(Pointing):
    manner = "touch"

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.screen = seat.context.new_cdp_session(seat.page)

    def press(self, what: Locator) -> None:
        with self.pressed():
            what.tap()

    def write(self, what: Locator, text: str) -> None:
        self.press(what)
        self.page.keyboard.insert_text(text)  # as a keyboard on the screen does

    def touch(self, x: float, y: float) -> None:
        self.page.touchscreen.tap(x, y)

    def slide(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        for part in range(5):
            x, y = (one + (other - one) * part / 4 for one, other in zip(start, end, strict=True))
            self._send("touchStart" if part == 0 else "touchMove", [{"x": x, "y": y}])
        self._send("touchMove", [{"x": x + 1, "y": y}])
        self.drawn()
        self._send("touchMove", [{"x": x, "y": y}])
        self.drawn()
        self._send("touchEnd", [])

    def _send(self, kind: str, points: list[dict[str, float]]) -> None:
        self.screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


class Keys(Hand):
    manner = "keys"

    def key(self, key: str) -> None:
        self.presses += 1
        self.page.keyboard.press(key)

    def reach(self, what: Locator) -> None:
        """Brings the focus to something with Tab, and within a group with the arrow keys."""
        for _ in range(MOST):
            key = what.evaluate(TOWARDS)
            if not key:
                return
            self.key(key)
        raise AssertionError(f"no way by keys to {what}, from {self.page.evaluate('document.activeElement.outerHTML')}")

    def press(self, what: Locator) -> None:
        what = what.locator("input") if what.evaluate("one => one.matches('label')") else what
        short = what.evaluate(KEY_OF)
        if short and not self.page.evaluate(TYPING):
            self.key(short)
            return
        self.reach(what)
        kind = what.evaluate("one => one.type ?? ''")
        if kind != "radio" or not what.is_checked():
            self.key("Space" if kind in ("checkbox", "radio") else "Enter")

    def write(self, what: Locator, text: str) -> None:
        self.reach(what)
        for sign in text:
            self.key(sign)

    def hex(self, hex: str) -> None:
        self.walk(hex)
        self.key("Enter")

    def drag(self, start: str, end: str) -> None:
        if self.picked() != start:
            self.hex(start)
        self.hex(end)

    def walk(self, hex: str) -> None:
        """From hex to hex with the arrow keys, by what the field says."""
        field = self.page.locator("svg.field")
        if not field.evaluate("one => one === document.activeElement"):
            self.press(self.page.locator('.field-bar [data-key="m"]'))
            expect(field).to_be_focused()
        for _ in range(MOST):
            now = re.split("[,;.:]", self.says())[0]
            if now == hex:
                return
            if not HEX.fullmatch(now):
                self.key("m")
                continue
            (row, column), (end, last) = ((ord(one[0]), int(one[1:])) for one in (now, hex))
            if row == end:
                self.key("ArrowRight" if column < last else "ArrowLeft")
            else:
                self.key("ArrowDown" if row < end else "ArrowUp")
        raise AssertionError(f"no way by arrow keys to {hex}: {self.says()}")


HANDS: dict[str, Any] = {hand.manner: hand for hand in (Mouse, Finger, Keys)}
