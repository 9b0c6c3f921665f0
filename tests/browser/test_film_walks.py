"""The films of a skirmish and of a fight hand to hand in a real Chromium, as three people watch them: nothing is told
before its beat, board and strip fit the window, and a question that cannot wait is there at once, named on top."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import test_fight, test_skirmish
from tests.browser.seats import WATCH_FILM, Seat, links_of, shots_folder
from tests.hand_fight import lay
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
AIDE: dict[str, Any] = {**LAPTOP, "reduced_motion": "reduce"}
"""Where somebody seals whose film nobody watches."""
MOST_SECONDS = 12
MOST = 200  # times that everybody is looked at in one round
OVER = "() => !('filming' in document.documentElement.dataset)"
OPEN = "() => document.getElementById('awaits').dataset.steps"
BOARD = "document.querySelector('.stage figure.board > svg, .stage svg.ground')"
FITS = f"""() => {{
  const box = (one) => one.getBoundingClientRect(), board = {BOARD}, strip = document.querySelector('.film');
  if (!board) return [];
  const dock = document.querySelector('.dock'), sheet = getComputedStyle(document.querySelector('.tabs')).display;
  const top = box(document.querySelector('.turn')).bottom, [side, at] = [box(document.querySelector('.table-side')),
    box(board)];
  const foot = sheet === 'none' ? innerHeight : box(document.querySelector('.tabs')).top;
  const found = [];
  if (at.height < 100 || at.width < 200) found.push(`a small board: ${{at.width}} x ${{at.height}}`);
  if (at.top < Math.max(top, side.top) - 1 || at.bottom > Math.min(foot, side.bottom) + 1)
    found.push(`the board from ${{at.top}} to ${{at.bottom}} of ${{side.top}} to ${{side.bottom}}`);
  if (at.left < -1 || at.right > side.right + 1) found.push(`the board's sides: ${{at.left}} to ${{at.right}}`);
  if (dock.checkVisibility() && sheet !== 'none' && box(dock).top < at.bottom - 1)
    found.push(`the sheet from ${{box(dock).top}} covers the board to ${{at.bottom}}`);
  if (strip) {{
    const there = box(strip), pane = box(dock);
    if (there.top < pane.top - 1 || there.bottom > Math.min(pane.bottom, foot) + 1 || there.height < 90)
      found.push(`the strip from ${{there.top}} to ${{there.bottom}} of ${{pane.top}} to ${{pane.bottom}}`);
  }}
  return found;
}}"""
"""What of a drawn board and of the film's strip is cut off, or covers the other."""
WATCH = f"""() => {{
  const fits = {FITS};
  window.walked = [];
  let title = document.title;
  const outside = () => [document.querySelectorAll('#log .events li').length,
    Boolean(document.getElementById('ending')), document.title.replace('(!) ', '')].join(' ');
  const calm = () => {{ if (!('filming' in document.documentElement.dataset)) title = outside();
    requestAnimationFrame(calm); }};
  calm();
  const numbers = (frame) => [...frame.lines.matchAll(/why\\/(\\d+)/g)].map((one) => Number(one[1]));
  const zone = (piece) => {{
    const [x, y] = piece.getAttribute('transform').match(/-?[\\d.]+/g).map(Number);
    const inside = [...document.querySelectorAll('.stage [data-place] > rect')].find((one) => {{
      const at = ['x', 'y', 'width', 'height'].map((name) => Number(one.getAttribute(name)));
      return x >= at[0] && x <= at[0] + at[2] && y >= at[1] && y <= at[1] + at[3]; }});
    return inside ? inside.parentElement.dataset.place : `${{x}} ${{y}}`;
  }};
  document.addEventListener('signet:frame', ({{detail: {{frames, at, time}}}}) => {{
    const later = Math.min(...frames.slice(at + 1).flatMap(numbers));
    const pieces = [...document.querySelectorAll('.stage .fighter[data-piece]')];
    const asks = [...document.querySelectorAll('#asks .ask[data-pace="react"]:not(.is-sealed)')];
    const line = document.getElementById('awaits');
    const links = [...line.querySelectorAll('a')].filter((one) => one.checkVisibility());
    const named = links.map((one) => one.hash.slice(1));
    walked.push({{
      at, of: frames.length, time, fits: {BOARD} ? fits() : ['no board'], step: frames[0].step,
      title: frames[at].title, lines: frames[at].lines.replace(/<[^>]*>/g, ' ').toLowerCase(),
      early: [...document.querySelectorAll('.table-side [data-beat]')].map((one) => Number(one.dataset.beat))
        .filter((one) => one >= later),
      outside: outside() === title ? '' : `${{title}} became ${{outside()}}`,
      pieces: Object.fromEntries(pieces.map((one) => [one.querySelector('title').textContent.trim().split(/[,:]/)[0],
        [one.querySelector('title').textContent.replace(/\\s+/g, ' ').trim(), zone(one)]])),
      urgent: asks.filter((one) => one.checkVisibility()).map((one) => one.id), named,
      old: named.length ? '' : [...line.querySelectorAll('span:not(.suspense)')].filter((one) => one.checkVisibility())
        .map((one) => one.textContent).join(' '),
    }});
  }});
}}"""
"""Notes each frame of each film as the page has it at that moment."""


def seated(browser: Browser, server: Server, links: Mapping[str, str], places: Mapping[str, Any]) -> dict[str, Seat]:
    found = {name: Seat(name, browser.new_context(**where), server.url) for name, where in places.items()}
    for name, seat in found.items():
        seat.enter(links[name]).open_scene()
    return found


@pytest.fixture
def sit(browser: Browser, server: Server, db_url: str) -> Iterator[Callable[..., dict[str, Seat]]]:
    """Lays a scene and seats its people; all errors of their pages are the test's."""
    everybody: list[Seat] = []

    def sit(places: Mapping[str, Any], lay: Callable[..., Any], *given: Any) -> dict[str, Seat]:
        found = seated(browser, server, links_of(db_url, lay, *given), places)
        everybody.extend(found.values())
        return found

    yield sit
    for seat in everybody:
        seat.context.close()
    assert [wrong for seat in everybody for wrong in seat.wrong + seat.refused] == []


def asked(seat: Seat) -> list[str]:
    """The ids of the cards that this seat has to answer, as the server says now."""
    return [one for one in test_skirmish.ASKED.findall(seat.fetch(seat.scene)) if not one.startswith("ask-gm-")]


def stands(seat: Seat, card: str) -> None:
    """Waits until that card may be answered on the page, after what plays."""
    found = seat.page.locator(f"#{card}")
    expect(found).to_be_attached()
    seat.page.wait_for_function(OVER)
    seat.look_at("asks")
    expect(found).to_be_visible()


def walk(
    watching: Sequence[Seat], everybody: Sequence[Seat], answers: Callable[[Seat, str], None], until: str, shots: Path
) -> None:
    """Everybody answers what is asked until the GM is asked such a thing; the films are judged as each one saw them."""
    for seat in watching:
        seat.page.evaluate(WATCH)
        seat.page.evaluate(WATCH_FILM)
    gm = everybody[-1]
    for _ in range(MOST):
        cards = {seat: asked(seat) for seat in everybody}
        if any(until in card for card in cards[gm]):
            break
        for seat, mine in cards.items():
            for card in mine[:1]:
                stands(seat, card)
                if seat in watching:
                    seat.shot(shots, f"walk-{seat.key}-{card}")
                    assert (cut := seat.page.evaluate(FITS)) == [], f"{seat.name} at {card}: {cut}"
                answers(seat, card)
                expect(seat.page.locator(f"#{card}:not(.is-sealed)")).to_have_count(0)
    else:
        raise AssertionError(f"{until} never came")
    stands(gm, next(card for card in cards[gm] if until in card))
    for seat in watching:
        seat.page.wait_for_function(f"(open) => ({OVER})() && ({OPEN})() === open", arg=gm.page.evaluate(OPEN))
        judged(seat)
        assert (cut := seat.page.evaluate(FITS)) == [], f"{seat.name}, after the films: {cut}"


def judged(seat: Seat) -> None:
    """What was wrong with the films that this page has played."""
    films: list[list[dict[str, Any]]] = []
    for frame in seat.page.evaluate("walked"):
        if frame["at"] == 0:
            films.append([])
        films[-1].append(frame)
    assert films, f"{seat.name} saw no film"
    assert seat.page.evaluate("[...early]") == [], seat.name
    for film in films:
        where = f"{seat.name}, {film[0]['step']}"
        assert [frame["at"] for frame in film] == list(range(film[0]["of"])), f"{where}: the film was cut short"
        assert sum(frame["time"] for frame in film) < 1000 * MOST_SECONDS + 1, where
        for before, frame in zip([film[0], *film], film, strict=False):
            place = f"{where}, frame {frame['at']} ({frame['title']})"
            for what in ("early", "fits"):
                assert frame[what] == [], f"{place}: {what} {frame[what]}"
            assert frame["outside"] == "", place
            assert set(frame["urgent"]) <= set(frame["named"]), f"{place}: {frame['old']} above {frame['urgent']}"
            assert frame["urgent"] == film[0]["urgent"], f"{place}: a question that came late"
            for who in before["pieces"].keys() & frame["pieces"].keys():
                if before["pieces"][who] != frame["pieces"][who]:
                    changed = f"{before['pieces'][who]} became {frame['pieces'][who]}"
                    assert who.lower() in frame["lines"], f"{place}: {changed}"


def test_a_turn_of_a_skirmish(sit: Callable[..., dict[str, Seat]], tmp_path: Path) -> None:
    """Who goes first, each one's deeds, and reactions before them."""
    places = {"Maren": LAPTOP, "Ilse": PHONE, "Sefton": AIDE, "Goran": AIDE, "GM": LAPTOP}
    people = sit(places, test_skirmish.lay)
    watching = [people[name] for name in ("Maren", "Ilse", "GM")]

    def answers(seat: Seat, card: str) -> None:
        if "-declare-" in card and seat.name != "GM":
            doing = {"turn": "quick", "first.do": "attack", "first.target": "mob"}
            if seat.key in ("maren", "goran"):
                beside = seat.field(f"of.{seat.key}.first.close").locator('option[value="mob"]')
                there = beside.get_attribute("data-zone") or ""
                doing = {"turn": "full", "first.do": "move", "first.zone": there, "first.close": "mob"}
                doing |= {"then.do": "attack", "then.target": "mob"}
            if seat.key == "ilse":
                doing = {"turn": "full", "first.do": "cast", "first.spell": "fire_bolt", "first.target": "mob"}
            for name, value in doing.items():
                seat.field(f"of.{seat.key}.{name}").select_option(value)
        seat.press(kind=re.split("-", card)[-2])

    walk(watching, list(people.values()), answers, "t2-declare", shots_folder(tmp_path))


def test_a_round_hand_to_hand(sit: Callable[..., dict[str, Seat]], tmp_path: Path) -> None:
    """Actions, the defences against them, and one blow after the other."""
    people = sit({"Ella": LAPTOP, "Morten": PHONE, "GM": LAPTOP}, lay)

    def answers(seat: Seat, card: str) -> None:
        assert test_fight.answer(seat) == card.split("-")[-2], card

    walk(list(people.values()), list(people.values()), answers, "r1-next", shots_folder(tmp_path))
