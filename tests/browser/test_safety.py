"""Safety tools at real browsers: somebody stops the scene with a thumb, everybody's page says so, nobody's says who."""

import re
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seats import PATIENCE, Seat, axe, overflow, shots_folder
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

PHONE = {"width": 360, "height": 740}


def test_a_thumb_stops_the_scene_and_every_page_says_so_alike(
    browser: Browser, server: Server, links: dict[str, str], tmp_path: Path
) -> None:
    shots = shots_folder(tmp_path)
    phone = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    contexts = {"GM": browser.new_context(), "Alice": phone, "Bob": browser.new_context(java_script_enabled=False)}
    gm, alice, bob = (Seat(name, context, server.url) for name, context in contexts.items())
    for seat in (gm, alice, bob):
        seat.enter(links[seat.name]).open_scene()
    gm.press(kind="scene")
    expect(alice.ask("declare")).to_be_visible(timeout=PATIENCE)
    alice.plan("sword-goblin", "thinks aloud")
    alice.page.locator(".tabs button").tap()
    card = alice.page.locator("#stop-here")
    expect(card).to_be_visible()
    alice.both_shots(shots, "stop-asked-phone")
    assert axe(alice.page) == [] and overflow(alice.page) == []
    card.get_by_role("button", name="Keep playing").tap()
    expect(card).to_be_hidden()
    expect(gm.page.locator("#stopped")).to_have_count(0)
    alice.page.locator(".tabs button").tap()
    card.get_by_role("button", name="Stop the scene").tap()
    for seat in (alice, gm):
        expect(seat.page.locator("#stopped")).to_contain_text("Someone would like to stop here", timeout=PATIENCE)
        expect(seat.page.locator("#awaits")).to_contain_text("Someone would like to stop here")
        assert axe(seat.page) == [] and overflow(seat.page) == []
    assert alice.field("of.alice.rider_text").input_value() == "thinks aloud", "what was typed stays"
    alice.page.reload()
    expect(alice.field("of.alice.rider_text")).to_have_value("thinks aloud")
    kept = "Object.keys(sessionStorage).filter(key => key.startsWith('signet-typed')).length"
    assert alice.page.evaluate(kept) == 1
    assert "Alice" not in alice.page.locator("#stopped").inner_text() + gm.page.locator("#stopped").inner_text()
    alice.both_shots(shots, "stopped-phone")
    gm.both_shots(shots, "stopped-desk")
    gm.page.locator("#stopped").get_by_role("button", name="Resume the scene").click()
    expect(alice.page.locator("#stopped")).to_have_count(0, timeout=PATIENCE)
    # Without scripts: a popover needs none.
    bob.page.reload()
    bob.page.locator(".stop-mark").click()
    bob.shot(shots, "stop-asked-without-scripts")
    bob.page.get_by_role("button", name="Stop the scene").click()
    expect(bob.page.locator("#stopped")).to_be_visible()
    expect(gm.page.locator("#stopped")).to_be_visible(timeout=PATIENCE)
    alice.press()
    expect(alice.page.locator(".ask.is-sealed")).to_be_visible(timeout=PATIENCE)
    assert alice.page.evaluate(kept) == 0, "what is sealed is nowhere in the browser"
    alice.page.locator(".ask details summary").first.click()
    alice.field("of.alice.rider_text").fill("another thought")
    assert alice.page.evaluate(kept) == 1
    alice.page.goto(server.url)
    assert alice.page.evaluate(kept) == 0, "whoever leaves the seat leaves nothing behind"
    assert gm.wrong == alice.wrong == []


def test_the_players_end_a_pause_that_has_lasted_a_day(
    browser: Browser, server: Server, links: dict[str, str], db_url: str
) -> None:
    """Finds a vote that cannot be drawn anew, and pages that keep a pause after the vote has ended it."""
    gm, alice, bob = (Seat(name, browser.new_context(), server.url) for name in ("GM", "Alice", "Bob"))
    for seat in (gm, alice, bob):
        seat.enter(links[seat.name]).open_scene()
    gm.page.get_by_role("button", name="Pause", exact=True).click()
    for seat in (gm, alice, bob):
        expect(seat.page.locator("#awaits")).to_contain_text("Paused until", timeout=PATIENCE)
    vote = "I want to go on"
    expect(alice.page.get_by_role("button", name=vote)).to_have_count(0)
    with psycopg.connect(db_url.replace("+psycopg", "")) as database:
        database.execute("UPDATE scenes SET paused_at = paused_at - interval '25 hours'")
    for seat in (alice, bob):
        seat.page.reload()
        seat.page.get_by_role("button", name=vote).click()
    for seat in (gm, alice, bob):
        expect(seat.page.locator("#awaits")).not_to_contain_text("Paused", timeout=PATIENCE)
        expect(seat.page.locator(".resume-vote")).to_have_count(0)
    assert gm.wrong + alice.wrong + bob.wrong == []
    for seat in (gm, alice, bob):
        seat.context.close()


def test_lines_and_veils_and_a_scene_played_back(
    browser: Browser, server: Server, links: dict[str, str], tmp_path: Path
) -> None:
    shots = shots_folder(tmp_path)
    phone = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    gm, alice = Seat("GM", browser.new_context(), server.url), Seat("Alice", phone, server.url)
    for seat in (gm, alice):
        seat.enter(links[seat.name])
    home = alice.page.url
    gm.page.get_by_role("link", name="Lines and veils").first.click()
    alice.page.goto(home + "lines")
    for text, kind in (("Harm to animals", "line"), ("Spiders in detail", "line"), ("Torture", "veil")):
        alice.page.get_by_label("In a few words").fill(text)
        alice.page.locator("#add-form select").select_option(kind)
        alice.page.get_by_role("button", name="Add entry").tap()
        expect(gm.page.locator(".bounds")).to_contain_text(text, timeout=PATIENCE)
    assert "Alice" not in gm.page.locator(".bounds").inner_text()
    gm.page.locator(".bound summary").first.click()
    for seat, name in ((alice, "lines-phone"), (gm, "lines")):
        assert axe(seat.page) == [] and overflow(seat.page) == []
        seat.both_shots(shots, name)
    gm.page.goto(gm.page.url.split("/lines")[0] + "/")
    alice.page.goto(home)
    for seat in (gm, alice):
        seat.open_scene()
    gm.press(kind="scene")
    expect(alice.ask("declare")).to_be_visible(timeout=PATIENCE)
    alice.plan("sword-goblin", "shouts")
    alice.press()
    gm.press()
    gm.page.get_by_role("button", name="Open now").click()
    gm.page.get_by_role("button", name="Open now").last.click()
    alice.look_at("log")
    expect(alice.page.locator("#log .chapter").first).to_be_visible(timeout=PATIENCE)
    scene = alice.scene
    gm.page.goto(gm.scene + "/story")
    assert axe(gm.page) == [] and overflow(gm.page) == []
    gm.both_shots(shots, "story")
    gm.page.emulate_media(media="print")
    gm.shot(shots, "story-print")
    gm.page.emulate_media(media="screen")
    gm.page.get_by_role("link", name="Replay").click()
    expect(gm.page.locator(".steps")).to_contain_text("How it started")
    gm.page.wait_for_load_state()  # with its scripts, which hear the keys
    gm.page.keyboard.press("ArrowRight")
    expect(gm.page.locator(".steps")).to_contain_text("1 of")
    gm.page.keyboard.press("Escape")
    assert axe(gm.page) == [] and overflow(gm.page) == []
    gm.both_shots(shots, "replay")
    gm.page.keyboard.press("ArrowLeft")
    expect(gm.page.locator(".steps")).to_contain_text("How it started")
    alice.page.goto(scene + "/replay?step=1")
    alice.page.touchscreen.tap(20, 400)
    assert overflow(alice.page) == []
    alice.both_shots(shots, "replay-phone")
    alice.page.locator(".steps").get_by_role("link", name="Back").tap()
    expect(alice.page.locator(".steps")).to_contain_text("How it started")
    assert gm.wrong == alice.wrong == []


def test_one_browser_sees_what_awaits_it_at_all_its_tables(
    browser: Browser, server: Server, links: dict[str, str], tmp_path: Path
) -> None:
    shots = shots_folder(tmp_path)
    mine = Seat("GM", browser.new_context(), server.url)
    page = mine.page
    page.goto(server.url)
    expect(page.locator("[data-tables]")).to_be_hidden()
    mine.enter(links["GM"])
    mine.enter(links["Alice"])
    page.goto(server.url + "/new")
    page.locator("main input[name=title]").fill("The Other Road")
    page.locator("main input[name=name]").fill("Ann")
    page.locator("main form button").first.click()
    expect(page.locator("[data-elsewhere]")).to_contain_text("The Goblin Road", timeout=PATIENCE)
    mine.both_shots(shots, "elsewhere")
    page.goto(server.url)
    expect(page.locator(".table-row")).to_have_count(3, timeout=PATIENCE)
    expect(page.locator(".table-row.is-mine")).to_have_count(1)
    expect(page.locator(".table-row").first).to_contain_text("in Goblins in the woods")
    expect(page).to_have_title(re.compile(r"^\(!\)"))
    assert axe(page) == [] and overflow(page) == []
    mine.both_shots(shots, "tables")
    page.set_viewport_size(PHONE)
    assert overflow(page) == []
    mine.context.clear_cookies()
    page.reload()
    expect(page.locator(".table-row").first).to_contain_text("signed out of this seat", timeout=PATIENCE)
    mine.both_shots(shots, "tables-closed-phone")
    for left in (2, 1, 0):
        page.get_by_role("button", name="Remove from list").first.click()
        expect(page.locator(".table-row")).to_have_count(left)
    expect(page.locator("[data-tables]")).to_be_hidden()
    page.reload()
    expect(page.locator("[data-tables]")).to_be_hidden()
    assert mine.wrong == []
