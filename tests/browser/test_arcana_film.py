"""A cycle as a film in a real Chromium: it plays once by itself, is skipped, stepped, played again."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.arcana_fight import lay
from tests.browser.seats import PATIENCE, Seat, axe, links_of, overflow, shots_folder
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
GIVEN = {
    "at": {"ada": "10,10", "ben": "11,14", "cleo": "8,12"},
    "foes": [
        {"key": "troll", "name": "Troll", "foe": "troll", "place": "14,10"},
        {"key": "imp", "name": "Imp", "foe": "imp", "place": "20,15", "habit": "hold"},
    ],
}
ADA = {"major.do": "cast", "major.spell": "spark_volley", "major.target": "troll"}
BEN = {
    "major.do": "attack",
    "major.weapon": "club",
    "major.target": "them",
    "when.who": "troll",
    "when.verb": "attacks",
}
CLEO = {"major.do": "cast", "major.spell": "mend", "major.target": "ada", "when.who": "imp", "when.verb": "searches"}
TROLL = {"major.do": "attack", "major.weapon": "fists", "major.target": "ada"}
IMP = {"major.do": "move", "major.to": "18,14"}
SEAL = """async (typed) => {
  const form = [...document.querySelectorAll('form.declare')].find(one => JSON.parse(one.dataset.seal).ask === 'plan');
  const data = new FormData(form);
  for (const [name, value] of Object.entries(typed)) data.set(name, value);
  data.set('_act', 'seal');
  const answer = await fetch(form.action, {method: 'POST', body: new URLSearchParams(data)});
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return [answer.status, ...[...page.querySelectorAll('.fault')].map(one => one.textContent)].join(' ');
}"""
FILMING = "() => document.documentElement.dataset.mapFilm !== undefined"
OVER = "() => document.documentElement.dataset.mapFilm === undefined"


@pytest.fixture
def open_fight(db_url: str) -> Callable[[], dict[str, str]]:
    """Opens a fight on this database: the path of each one's personal link, by the member's name."""

    return lambda: links_of(db_url, lay, given=GIVEN)


class Arena:
    """Ada on a phone, Ben and the GM at desks, Cleo who likes no motion; all their errors are the test's."""

    def __init__(self, browser: Browser, server: Server, links: dict[str, str]) -> None:
        kinds = {"Ada": PHONE, "Ben": DESK, "Cleo": {**DESK, "reduced_motion": "reduce"}, "GM": DESK}
        self.of = {name: Seat(name, browser.new_context(**kind), server.url) for name, kind in kinds.items()}
        for name, seat in self.of.items():
            seat.enter(links[name]).open_scene()

    def cycle(self) -> None:
        """Everybody declares; the last seal opens it for all."""
        says = {"Ada": {"ada": ADA}, "Ben": {"ben": BEN}, "Cleo": {"cleo": CLEO}, "GM": {"troll": TROLL, "imp": IMP}}
        for name, turns in says.items():
            typed = {f"of.{who}.{key}": value for who, turn in turns.items() for key, value in turn.items()}
            answer = self.of[name].page.evaluate(SEAL, typed)
            assert answer.startswith("200"), (name, answer)

    def close(self) -> None:
        for seat in self.of.values():
            seat.context.close()
        assert [wrong for seat in self.of.values() for wrong in seat.wrong + seat.refused] == []


@pytest.fixture
def arena(browser: Browser, server: Server, open_fight: Callable[[], dict[str, str]]) -> Iterator[Arena]:
    here = Arena(browser, server, open_fight())
    yield here
    here.close()


def press(seat: Seat, part: str) -> None:
    seat.page.locator(f'.film-strip [data-part="{part}"]').click()


def count(seat: Seat) -> str:
    return seat.page.locator('.film-strip [data-part="count"]').inner_text()


LAUNCHED = """() => document.querySelector('.film-phase').textContent === 'Launches'
    && document.querySelector('.film-layer .arc') !== null"""
# The map, the words and the keys are seen at once, between what is awaited and the tabs at the foot.
IN_VIEW = """() => { const at = (one) => document.querySelector(one).getBoundingClientRect();
    return at('svg.ground').top >= at('.awaits').bottom - 1 && at('.film-keys').bottom <= at('.tabs').top + 1
        && at('.film-screen').height > 100 && at('svg.ground').height > 180; }"""


def look(seat: Seat, shots: Path, name: str) -> None:
    assert overflow(seat.page) == []
    for scheme in ("light", "dark"):
        seat.page.emulate_media(color_scheme=scheme)
        seat.shot(shots, f"{name}-{scheme}")
        assert axe(seat.page, colours_only=scheme == "dark") == []
    seat.page.emulate_media(color_scheme=None)


def test_a_cycle_plays_once_by_itself_and_is_skipped_stepped_and_played_again(arena: Arena, tmp_path: Path) -> None:
    shots = shots_folder(tmp_path)
    ada, ben, cleo = (arena.of[name] for name in ("Ada", "Ben", "Cleo"))
    for seat in arena.of.values():
        expect(seat.page.locator(".film-strip")).to_have_count(0)
    arena.cycle()
    for seat in (ada, ben):
        seat.page.wait_for_function(FILMING, timeout=PATIENCE)
    ben.page.wait_for_function("() => document.querySelector('.film-count').textContent.startsWith('2 of')")
    press(ben, "play")
    expect(ben.page.locator('.film-strip [data-part="play"]')).to_have_text("Play")
    while not count(ben).startswith("1 of"):
        press(ben, "back")
    expect(ben.page.locator(".film-phase")).to_have_text("Everything opens")
    while not ben.page.evaluate(LAUNCHED):
        press(ben, "on")
    look(ben, shots, "film-launch-desk")
    before = count(ben)
    press(ben, "on")
    assert count(ben) != before
    press(ben, "back")
    assert count(ben) == before
    expect(ben.page.locator("li.is-now").first).to_be_attached()
    ben.page.keyboard.press("Escape")
    ben.page.wait_for_function(OVER)
    assert ben.page.locator(".film-layer *").count() == 0, "nothing of the film is left on the map"
    assert ben.page.locator(".token[style*=translate]").count() == 0
    expect(ben.page.locator(".film-screen")).to_be_hidden()
    ben.page.locator("[data-film-play]").click()
    ben.page.wait_for_function(FILMING)
    press(ben, "skip")
    ben.page.wait_for_function(OVER)

    press(ada, "play")
    ada.page.wait_for_function(IN_VIEW, timeout=PATIENCE)
    look(ada, shots, "film-phone")
    while ada.page.locator(".film-screen").is_visible():
        seen = ada.page.locator(".film-phase").inner_text()
        if seen == "Landings" and ada.page.locator(".film-layer .star, .film-layer .ring").count():
            look(ada, shots, "film-landing-phone")
        press(ada, "on")
    assert "Declarations, and 2 if-thens" in ada.page.locator("#opened").inner_text()
    look(ada, shots, "film-cards-phone")
    look(ben, shots, "film-cards-desk")

    expect(cleo.page.locator(".film-screen")).to_be_visible()
    first = count(cleo)
    assert cleo.page.locator('.film-strip [data-part="play"]').is_hidden(), "with reduced motion it is stepped by hand"
    cleo.page.wait_for_timeout(2500)
    assert count(cleo) == first, "nothing goes on by itself"
    press(cleo, "on")
    assert count(cleo) != first
    look(cleo, shots, "film-still-desk")
    cleo.page.locator('.film-strip [data-part="on"]').focus()
    cleo.page.keyboard.press("ArrowRight")
    assert count(cleo).startswith("3 of")


def test_the_film_of_a_scene_played_back(arena: Arena, tmp_path: Path) -> None:
    shots = shots_folder(tmp_path)
    ben = arena.of["Ben"]
    arena.cycle()
    ben.page.wait_for_function(FILMING, timeout=PATIENCE)
    ben.page.goto(ben.page.url.split("#")[0] + "/replay?chapter=c1/plan")
    ben.page.wait_for_function(FILMING, timeout=PATIENCE)
    expect(ben.page.locator(".film-screen")).to_be_visible()
    press(ben, "play")
    for _ in range(4):
        press(ben, "on")
    look(ben, shots, "film-replay-desk")
    ben.page.reload()
    ben.page.wait_for_timeout(400)
    assert ben.page.evaluate(OVER), "it plays by itself once"
