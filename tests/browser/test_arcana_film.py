"""A cycle as a film in a real Chromium: what the map draws over itself beat by beat, on a laptop and on a phone."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.arcana_fight import lay
from tests.browser.seats import PATIENCE, WATCH_FILM, Seat, axe, links_of, overflow, shots_folder
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
FILMING = "() => document.querySelector('.film') !== null"
OVER = "() => !('filming' in document.documentElement.dataset)"


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
    seat.page.locator(f'.film [data-part="{part}"]').click()


def title(seat: Seat) -> str:
    return seat.page.locator('.film [data-part="title"]').inner_text()


# The map, the words and the keys are seen at once, between what is awaited and the tabs at the foot.
IN_VIEW = """() => { const at = (one) => document.querySelector(one).getBoundingClientRect();
    const foot = document.querySelector('.tabs').checkVisibility() ? at('.tabs').top : innerHeight;
    return at('svg.ground').top >= at('.awaits').bottom - 1 && at('.film-keys').bottom <= foot + 1
        && at('.film-lines').height > 60 && at('svg.ground').height > 180
        && (at('.film').left >= at('svg.ground').right - 1 || at('.film').top >= at('svg.ground').bottom - 1); }"""


def look(seat: Seat, shots: Path, name: str) -> None:
    assert overflow(seat.page) == []
    for scheme in ("light", "dark"):
        seat.page.emulate_media(color_scheme=scheme)
        seat.shot(shots, f"{name}-{scheme}")
        assert axe(seat.page, colours_only=scheme == "dark") == []
    seat.page.emulate_media(color_scheme=None)


def drawn(seat: Seat, css: str) -> int:
    return seat.page.locator(f".film-layer :is({css})").count()


def test_a_cycle_plays_on_the_map_and_nothing_is_told_before_its_beat(arena: Arena, tmp_path: Path) -> None:
    shots = shots_folder(tmp_path)
    ada, ben, cleo, gm = (arena.of[name] for name in ("Ada", "Ben", "Cleo", "GM"))
    for seat in (ada, ben, gm):
        seat.page.evaluate(WATCH_FILM)
    arena.cycle()
    for seat in (ada, ben):
        seat.page.wait_for_function(FILMING, timeout=PATIENCE)
        press(seat, "play")
        seat.page.wait_for_function(IN_VIEW)
        while seat.page.locator(".film [data-part=back]").is_enabled():
            press(seat, "back")
    assert drawn(ben, "*") == 0, "before the first beat"
    press(ben, "next")
    assert title(ben) == "Everything opens" and drawn(ben, ".paper") == 10
    expect(ben.page.locator("#opened .ifthen.is-open")).to_have_count(2)
    seen: dict[str, int] = {}
    for seat, name in ((ben, "desk"), (ada, "phone")):
        while seat.page.evaluate(FILMING):
            if title(seat) not in seen and title(seat) in ("Launches", "Landings", "What the if-thens see"):
                look(seat, shots, f"film-{title(seat).split()[0]}-{name}")
            seen[title(seat)] = seen.get(title(seat), 0) + drawn(seat, ".arc, .star, .ring, .number, .paper, .trail")
            press(seat, "next")
        seat.page.wait_for_function(OVER)
        seen = {one: seen[one] for one in seen} if seat is ada else {}
    assert list(seen)[:2] == ["The envelopes open", "Everything opens"] and {"Launches", "Landings"} <= set(seen), seen
    assert all(seen[one] for one in ("Launches", "Landings")), seen
    assert drawn(ben, "*") == 0, "nothing of the film is left on the map"
    gm.skip_film()
    assert [seat.page.evaluate("[...early]") for seat in (ada, ben, gm)] == [[], [], []]
    assert "Declarations, and 2 if-thens" in ada.page.locator("#opened").inner_text()
    look(ada, shots, "film-over-phone")
    look(ben, shots, "film-over-desk")

    assert not cleo.page.evaluate(FILMING), "with reduced motion nothing plays by itself"
    cleo.page.locator("[data-film-play]").last.click()
    cleo.page.wait_for_function(FILMING)
    press(cleo, "next")
    assert title(cleo) == "Everything opens"
    look(cleo, shots, "film-still-desk")


def test_the_film_of_a_scene_played_back(arena: Arena, tmp_path: Path) -> None:
    ben = arena.of["Ben"]
    arena.cycle()
    ben.page.wait_for_function(FILMING, timeout=PATIENCE)
    ben.page.goto(ben.page.url.split("#")[0] + "/replay?chapter=c1/plan")
    ben.page.wait_for_function(FILMING, timeout=PATIENCE)
    press(ben, "play")
    for _ in range(4):
        press(ben, "next")
    assert drawn(ben, "*") > 0
    look(ben, shots_folder(tmp_path), "film-replay-desk")
