"""Fights in a real Chromium against a real server: a duel to its end, and three against two, one of them by post."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from app.rulesets.chronicle.gear import Carried
from app.rulesets.chronicle.sheets import Sheet, Skills
from tests.browser.seats import PATIENCE, Seat, axe, links_of, overflow, shots_folder
from tests.hand_fight import lay
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
MOST = 120  # answers of all together until a fight is over
DUEL = {
    "ella": Sheet(
        name="Ella", skills=Skills(control=10, fighting_mind=6, speed=6, strength=4), weapons=(Carried.of("sword"),)
    ),
    "morten": Sheet(
        name="Morten", skills=Skills(control=2, fighting_mind=2, speed=2, strength=3), weapons=(Carried.of("hammer"),)
    ),
}
CROWD = {
    "ella": DUEL["ella"],
    "ida": Sheet(
        name="Ida", skills=Skills(control=10, fighting_mind=5, speed=5, strength=3), weapons=(Carried.of("spear"),)
    ),
    "jon": Sheet(
        name="Jon",
        skills=Skills(control=10, fighting_mind=5, speed=3, strength=5),
        weapons=(Carried.of("axe"),),
        shield=True,
    ),
}
WISHES = ("kill", "controlled", "vicious", "break-tackle", "break-hold", "stand", "wait")


@pytest.fixture
def open_fight(db_url: str) -> Callable[..., dict[str, str]]:
    """Opens a fight on this database: the path of each one's personal link, by the member's name."""

    def open_one(sheets: Mapping[str, Sheet], given: Any = None, settings: Any = None) -> dict[str, str]:
        return links_of(db_url, lay, sheets, given, settings)

    return open_one


def look(seat: Seat, shots: Path, name: str) -> None:
    seat.page.wait_for_function("() => !('filming' in document.documentElement.dataset)")
    assert overflow(seat.page) == []
    for scheme in ("light", "dark"):
        seat.page.emulate_media(color_scheme=scheme)
        seat.shot(shots, f"{name}-{scheme}")
        assert axe(seat.page, colours_only=scheme == "dark") == []
    seat.page.emulate_media(color_scheme=None)


def kind(seat: Seat) -> str:
    """The kind of what is asked of somebody now, "" for nothing."""
    seat.skip_film()
    card = seat.page.locator("#asks .ask:not(.is-sealed)").first
    if not card.count():
        return ""
    return str(re.split(r"-", str(card.get_attribute("id")))[-2])


def answer(seat: Seat) -> str:
    """Answer what is asked as it stands; an action after one's wishes."""
    asked = kind(seat)
    if not asked:
        return ""
    form = seat.page.locator("#asks .ask:not(.is-sealed) form.declare").first
    if asked == "act":
        for who in form.locator("fieldset.hand-of").all():
            if who.locator('input[name$=".action"]:checked').count():
                continue
            wish = next(one for one in WISHES if who.locator(f'input[name$=".action"][value="{one}"]').count())
            who.locator(f'input[name$=".action"][value="{wish}"]').check()
            if not who.locator('select[name$=".strike"]').is_visible():
                who.locator("details.standing summary").click()
            who.locator('select[name$=".strike"]').select_option("head")
    button = form.locator('button[name="go"], .acts .go, button[name="combat"]').first
    with seat.page.expect_response(lambda got: got.request.method == "POST") as answered:
        button.click()
    assert answered.value.status in (200, 303), form.locator(".fault").all_text_contents()
    return asked


def fight_on(
    players: list[Seat], gm: Seat, read_sessions: Callable[[Seat, str], None], posts: Seat | None = None
) -> dict[tuple[str, str], list[str]]:
    """Everybody answers until the fight is over, who `posts` after loading the page anew: kinds asked, by round and
    player.
    """
    asked: dict[tuple[str, str], list[str]] = {}
    for _ in range(MOST):
        if posts:
            posts.page.reload()
        if gm.page.locator(".verdict").is_visible():
            return asked
        for seat in (*players, gm):
            if not (now := kind(seat)):
                continue
            read_sessions(seat, now)
            step = seat.page.locator('#asks .ask:not(.is-sealed) input[name="_step"]').first.get_attribute("value")
            answer(seat)
            asked.setdefault((str(step).split("/")[0], seat.name), []).append(now)
        gm.page.wait_for_timeout(60)
    raise AssertionError("no end")


def test_two_phones_and_a_desk_fight_a_duel_to_its_end(
    browser: Browser, server: Server, open_fight: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    shots = shots_folder(tmp_path)
    links = open_fight(DUEL)
    ella, morten = (Seat(name, browser.new_context(**PHONE), server.url) for name in ("Ella", "Morten"))
    gm = Seat("GM", browser.new_context(**DESK), server.url)
    for seat in (ella, morten, gm):
        seat.enter(links[seat.name]).open_scene()
    look(gm, shots, "fight-ground-desk")
    seen: set[str] = set()

    def read_sessions(seat: Seat, now: str) -> None:
        place = "desk" if seat is gm else "phone"
        if f"{now}-{place}" not in seen and seat is not morten:
            seen.add(f"{now}-{place}")
            look(seat, shots, f"fight-{now}-{place}")
        if now == "act" and "load" not in seen:
            seen.add("load")
            top = seat.page.locator("#asks .ask").bounding_box()
            assert top is not None and top["y"] < 844, "the declaration can be reached without scrolling a screen"

    asked = fight_on([ella, morten], gm, read_sessions)
    rounds = [
        kinds
        for (number, who), kinds in asked.items()
        if who != "GM" and number.startswith("r") and number[1:].isdecimal()
    ]
    assert rounds and all(len(kinds) <= 2 for kinds in rounds), asked
    for seat in (ella, morten, gm):
        expect(seat.page.locator(".verdict")).to_contain_text("has won", timeout=PATIENCE)
    look(ella, shots, "fight-over-phone")
    look(gm, shots, "fight-over-desk")
    for seat in (ella, morten, gm):
        seat.context.close()
        assert seat.wrong + seat.refused == []


def test_three_against_two_with_one_by_post(
    browser: Browser, server: Server, open_fight: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    shots = shots_folder(tmp_path)
    links = open_fight(CROWD, {"muster": {"brigand": {"count": "2"}}}, {"hand_between": "go-on"})
    ella, ida = (Seat(name, browser.new_context(**PHONE), server.url) for name in ("Ella", "Ida"))
    jon = Seat("Jon", browser.new_context(**DESK, java_script_enabled=False), server.url)
    gm = Seat("GM", browser.new_context(**DESK), server.url)
    everybody = (ella, ida, jon, gm)
    for seat in everybody:
        seat.enter(links[seat.name]).open_scene()
    seen: set[tuple[str, str]] = set()

    def read_sessions(seat: Seat, now: str) -> None:
        if (now, seat.name) in (("act", "GM"), ("defend", "GM"), ("act", "Ella")) and (now, seat.name) not in seen:
            seen.add((now, seat.name))
            look(seat, shots, f"crowd-{now}-{'desk' if seat is gm else 'phone'}")

    asked = fight_on([ella, ida, jon], gm, read_sessions, posts=jon)
    assert ("act", "GM") in seen
    jons = [kinds for (number, who), kinds in asked.items() if who == "Jon" and number[1:].isdecimal()]
    assert jons and all(len(kinds) <= 2 for kinds in jons), asked
    jon.page.reload()
    for seat in everybody:
        expect(seat.page.locator(".verdict")).to_contain_text("Side A has won", timeout=PATIENCE)
        seat.context.close()
        assert seat.wrong + seat.refused == []
