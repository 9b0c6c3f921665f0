"""The browser modules in a real Chromium, against a small real site under the strict content policy."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.small_site_process import DRAWN, HIDE, Site, page, running, seated, site, wait_for

__all__ = ["page", "running", "site"]
pytestmark = pytest.mark.browser


def test_a_change_is_shown_and_a_burst_is_fetched_a_few_times(page: Page, site: Site) -> None:
    before = site.set(quiet=True)["live_asked"]
    page.evaluate("document.getElementById('live').mark = 'the same node'")
    site.set(text="second", times=12)
    expect(page.locator("#text")).to_have_text("second")
    page.wait_for_timeout(400)
    assert 1 <= site.set(quiet=True)["live_asked"] - before < 6
    assert page.evaluate("document.getElementById('live').mark") == "the same node"


def test_a_piece_of_the_page_is_sent_once_and_stays_whatever_scripts_did(page: Page, site: Site) -> None:
    """Though it was taken off the page meanwhile, as a film does; one that has changed arrives."""
    site.set(piece="the ford", text="second")
    expect(page.locator("#drawn")).to_have_text("the ford")
    before = int(site.set(quiet=True)["left_out"])
    page.evaluate("document.querySelector('[data-kept]').replaceChildren('nothing')")
    site.set(text="third")
    expect(page.locator("#text")).to_have_text("third")
    expect(page.locator("#drawn")).to_have_text("the ford")
    page.evaluate("document.querySelector('[data-kept]').remove()")
    site.set(text="fourth")
    expect(page.locator("#text")).to_have_text("fourth")
    expect(page.locator("#drawn")).to_have_text("the ford")
    assert int(site.set(quiet=True)["left_out"]) > before
    site.set(piece="the wood", text="fifth")
    expect(page.locator("#drawn")).to_have_text("the wood")
    assert page.evaluate("document.querySelector('#drawn').namespaceURI") == "http://www.w3.org/2000/svg"


def test_after_a_restart_of_the_server_the_page_is_right_again(page: Page, site: Site) -> None:
    """It looks for the server again and again, with less than a second in between, and says so while nothing is
    pressed: its line would move a button away from under a finger."""
    expect(page.locator("#connection")).to_be_hidden()
    tries: list[str] = []
    page.on("request", lambda request: tries.append(request.url) if request.url.endswith("/stream") else None)
    page.evaluate(
        """() => { const real = setTimeout; window.pauses = [];
        window.setTimeout = (done, pause, ...given) => {
          pauses.push(pause);
          return pause === 5000 ? 0 : real(done, pause, ...given);
        }; }"""
    )
    page.mouse.down()
    site.stop()
    page.wait_for_function("() => pauses.filter(pause => pause >= 200 && pause <= 700).length > 4")
    assert len(tries) >= 3
    expect(page.locator("#connection")).to_be_hidden()
    page.mouse.up()
    expect(page.locator("#connection")).to_be_visible()
    page.locator("#plan").fill("typed while away")
    site.start(text="after the restart")
    expect(page.locator("#text")).to_have_text("after the restart")
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator("#plan")).to_have_value("typed while away")


def test_a_refresh_that_fails_leaves_the_page_and_is_tried_again(page: Page, site: Site) -> None:
    site.set(live_status=500, text="later")
    page.wait_for_timeout(400)
    expect(page.locator("#text")).to_have_text("first")
    site.set(live_status=200, quiet=True)
    expect(page.locator("#text")).to_have_text("later")


def test_a_page_whose_browser_is_signed_out_says_so_at_once(page: Page, site: Site) -> None:
    """Finds a tab that tries to connect for ever: one in the background, and one that was not told why."""
    hidden, cut = page.context.new_page(), page.context.new_page()
    for one in (hidden, cut):
        seated(one, site)
    hidden.evaluate(HIDE, True)
    site.set(over=True, quiet=True)
    cut.evaluate("dispatchEvent(new Event('online'))")  # connects anew, and is refused
    expect(cut).to_have_title("Closed")
    site.set(over=True)
    for one in (page, hidden):
        expect(one).to_have_title("Closed")


@pytest.mark.nightly
def test_hidden_tabs_keep_three_streams_and_the_others_ask(page: Page, site: Site) -> None:
    others = [page.context.new_page() for _ in range(3)]
    for other in others:
        seated(other, site)
    pages = [page, *others]
    for one in pages:
        one.evaluate(HIDE, True)
        one.wait_for_timeout(150)
    wait_for(lambda: site.set(quiet=True)["streams"] == 3)
    asked = site.set(quiet=True)["live_asked"]
    site.set(awaited="yes", text="unseen")
    for one in pages:
        expect(one).to_have_title("(!) Small")
        assert one.locator("link[rel=icon]").get_attribute("href") == "/static/seal-awaited.svg"
    assert site.set(quiet=True)["live_asked"] == asked, "nobody looks: nothing needs fetching"
    for one in pages:
        one.evaluate(HIDE, False)
        expect(one.locator("#text")).to_have_text("unseen")
    wait_for(lambda: site.set(quiet=True)["streams"] == 4)
    site.set(awaited="no")
    expect(page).to_have_title("Small")
    assert page.locator("link[rel=icon]").get_attribute("href") == "/static/seal.svg"


@pytest.mark.nightly
def test_a_page_opens_beside_six_that_are_looked_at(page: Page, site: Site) -> None:
    """Visible tabs of one browser took all its six connections, and the next page hung; now they share five streams."""
    others = [page.context.new_page() for _ in range(6)]
    for other in others:
        other.goto(page.url)
    wait_for(lambda: site.set(quiet=True)["streams"] == 5)
    site.set(text="for all")
    for one in (page, *others):
        expect(one.locator("#text")).to_have_text("for all")
        expect(one.locator("#connection")).to_be_hidden()


def test_the_bell_rings_once_when_awaited_or_nudged_and_only_if_asked_for(page: Page, site: Site) -> None:
    site.set(awaited="yes")
    expect(page).to_have_title("(!) Small")
    assert page.evaluate("document.body.dataset.rang") is None
    site.set(awaited="no")
    expect(page).to_have_title("Small")
    page.locator("[data-sound-toggle]").click()
    expect(page.locator("[data-sound-toggle]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("body")).to_have_attribute("data-rang", "1")
    site.set(awaited="yes")
    expect(page.locator("body")).to_have_attribute("data-rang", "2")
    site.set(text="more, still awaited")
    expect(page.locator("#text")).to_have_text("more, still awaited")
    assert page.evaluate("document.body.dataset.rang") == "2"
    site.set(awaited="nudged")
    expect(page.locator("body")).to_have_attribute("data-rang", "3")


def test_a_stop_rings_and_stands_in_the_title_whatever_waits(page: Page, site: Site) -> None:
    """Finds a stop that rings only those whose turn it is not, one that waits for the end of a film, a second one
    without a bell, and a tab in the background without a stream that does not ask."""
    page.locator("[data-sound-toggle]").click()
    expect(page.locator("body")).to_have_attribute("data-rang", "1")
    site.set(awaited="nudged")
    expect(page.locator("body")).to_have_attribute("data-rang", "2")
    site.set(reveal="r1", stops="1")
    expect(page).to_have_title("(!) Stop · Small")
    expect(page.locator("body")).to_have_attribute("data-rang", "3")
    site.set(stops="2")
    expect(page.locator("body")).to_have_attribute("data-rang", "4")
    site.set(stops="", awaited="no")
    expect(page).to_have_title("Small")
    assert page.evaluate("document.body.dataset.rang") == "4"
    page.evaluate(HIDE, True)
    site.set(stops="1")
    expect(page).to_have_title("(!) Stop · Small")
    stop = page.locator("#announce p").filter(has_text="Stop: The bridge is paused. Someone would like to stop here.")
    expect(stop).to_have_count(1)


def test_typed_text_choice_focus_and_cursor_survive_a_refresh(page: Page, site: Site) -> None:
    page.locator("select[name=how]").select_option("fast, first")
    page.locator("#plan").press_sequentially("I strike the goblin")
    page.evaluate("document.getElementById('plan').setSelectionRange(2, 8)")
    page.locator("#more summary").evaluate("summary => summary.parentElement.open = true")
    expect(page.locator("#declare")).to_have_attribute("data-unsaved", "yes")
    expect(page.locator("[data-unsaved-note]")).to_be_visible()
    for number in range(3):
        site.set(text=f"change {number}")
        expect(page.locator("#text")).to_have_text(f"change {number}")
    expect(page.locator("#plan")).to_have_value("I strike the goblin")
    expect(page.locator("select[name=how]")).to_have_value("fast, first")
    assert page.evaluate("[document.activeElement.id, document.activeElement.selectionStart]") == ["plan", 2]
    assert page.locator("#more").evaluate("details => details.open")


def test_an_unsaved_choice_outlives_a_reload_in_its_tab_until_its_step_is_over(page: Page, site: Site) -> None:
    """A reload threw away what was chosen and typed; now it is a draft of the tab, with the forms' own events."""
    kept = "Object.keys(sessionStorage).filter(key => key.startsWith('signet-typed')).length"
    page.locator("select[name=how]").select_option(index=1)
    page.locator("#plan").fill("I strike the goblin")
    page.locator("[name=hand][value=right]").check()
    page.reload()
    expect(page.locator("#plan")).to_have_value("I strike the goblin")
    expect(page.locator("select[name=how]")).to_have_value("fast, first")
    expect(page.locator("[name=hand][value=right]")).to_be_checked()
    expect(page.locator("#declare")).to_have_attribute("data-unsaved", "yes")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#plan")).to_have_value("")
    assert page.evaluate(kept) == 1 and other.evaluate(kept) == 0
    site.set(text="moved on", version="b/0")
    expect(page.locator("#plan")).to_have_value("")
    assert page.evaluate(kept) == 0


@pytest.mark.parametrize("change", [{"version": "b/0"}, {"form": "no"}], ids=["a new step", "the form is gone"])
def test_text_typed_for_something_past_is_shown_beside_the_page(page: Page, site: Site, change: dict[str, str]) -> None:
    page.locator("#plan").press_sequentially("too late <b>")
    site.set(text="moved on", **change)
    expect(page.locator("#kept-text")).to_contain_text("too late <b>")
    if "version" in change:
        expect(page.locator("#plan")).to_have_value("")
    page.locator("#kept-text button").click()
    expect(page.locator("#kept-text")).to_have_count(0)


def test_a_double_press_sends_once_with_an_id_and_the_form_starts_anew(page: Page, site: Site) -> None:
    site.set(held=True, quiet=True)
    page.locator("#plan").fill("once")
    page.evaluate(
        "const b = document.querySelector('#declare button'); b.click(); b.click(); setTimeout(() => b.click())"
    )
    expect(page.locator("#declare")).to_have_attribute("aria-busy", "true")
    before = site.set(text="told meanwhile")["live_asked"]
    page.wait_for_timeout(200)
    assert site.set(quiet=True)["live_asked"] == before, "a refresh waits for the form's own answer"
    site.set(held=False, quiet=True)
    expect(page.locator("#declare")).to_have_attribute("data-version", "a/1")
    expect(page.locator("#text")).to_have_text("told meanwhile")
    expect(page.locator("#plan")).to_have_value("")
    expect(page.locator("#kept-text")).to_have_count(0)
    page.wait_for_timeout(300)
    (sent,) = site.set(quiet=True)["sent"]
    assert sent["plan"] == "once"
    assert len(sent["_request"]) == 36
    page.locator("#plan").fill("twice")
    page.locator("#declare button").click()
    expect(page.locator("#declare")).to_have_attribute("data-version", "a/2")
    assert len({one["_request"] for one in site.set(quiet=True)["sent"]}) == 2


def test_a_refused_form_shows_its_faults_and_keeps_the_text(page: Page, site: Site) -> None:
    site.set(answer_status=422, quiet=True)
    page.locator("#plan").fill("no")
    page.locator("#declare button").click()
    expect(page.locator("#declare .fault")).to_have_text("Too short.")
    expect(page.locator("#plan")).to_have_value("no")
    page.evaluate("document.activeElement.blur()")
    site.set(text="meanwhile")
    expect(page.locator("#text")).to_have_text("meanwhile")
    expect(page.locator("#declare .fault")).to_have_text("Too short.")  # a refresh is no reason to forget it
    expect(page.locator("#plan")).to_have_value("no")


@pytest.mark.parametrize("form", ["yes", "plain"])
def test_a_form_that_is_refused_as_a_whole_outlives_refreshes(page: Page, site: Site, form: str) -> None:
    """No field has a fault, and what was typed comes back as the server's own words. Finds a refresh that takes it, or
    the reason, away; a text that is lost with the form; and a refusal that stays after the form was taken."""
    site.set(answer_status=409, form=form)
    expect(page.locator("#declare[hx-post]")).to_have_count(1 if form == "yes" else 0)
    page.locator("#plan").fill("I strike the goblin")
    page.locator("#declare button").click()
    for number in range(2):
        expect(page.locator(".notice.bad")).to_have_text("Someone was faster.")
        expect(page.locator("[data-unsaved-note]")).to_be_visible()
        site.set(text=f"change {number}")
        expect(page.locator("#text")).to_have_text(f"change {number}")
        expect(page.locator("#plan")).to_have_value("I strike the goblin")
    expect(page.locator(".notice.bad")).to_have_count(1)
    site.set(version="b/0")
    expect(page.locator("#kept-text blockquote")).to_have_text("I strike the goblin")
    expect(page.locator("#plan")).to_have_value("")
    site.set(answer_status=200, form="yes")
    expect(page.locator("#declare[hx-post]")).to_have_count(1)
    page.locator("#plan").fill("I talk to it")
    page.locator("#declare button").click()
    expect(page.locator("#plan")).to_have_value("")
    expect(page.locator(".notice.bad, [data-refused]:not(body)")).to_have_count(0)


def test_a_form_that_is_not_delivered_says_so_and_can_be_sent_again(page: Page, site: Site) -> None:
    site.set(answer_status=500, quiet=True)
    page.locator("#plan").fill("keep me")
    page.locator("#declare button").click()
    expect(page.locator("#declare [data-undelivered]")).to_contain_text("error 500")
    site.set(answer_status=503, quiet=True)
    page.locator("#declare button").click()
    says = "Nothing was changed. Send it again. What you typed is still here."
    expect(page.locator("#declare [data-undelivered]")).to_have_text(says)
    expect(page.locator("#plan")).to_have_value("keep me")
    site.stop()
    page.locator("#declare button").click()
    expect(page.locator("#declare [data-undelivered]")).to_contain_text("did not get through")
    site.start()
    page.locator("#declare button").click()
    expect(page.locator("#declare")).to_have_attribute("data-version", "a/1")
    (sent,) = site.set(quiet=True)["sent"]
    assert sent["plan"] == "keep me"


def test_what_cannot_be_undone_is_asked_first(page: Page, site: Site) -> None:
    page.locator("#ender").click()
    expect(page.locator("#ask-first")).to_contain_text("End it?")
    page.get_by_role("button", name="No", exact=True).click()
    assert site.set(quiet=True)["sent"] == []
    page.locator("#ender").click()
    page.locator("#ask-first").get_by_role("button", name="End it now").click()
    wait_for(lambda: len(site.set(quiet=True)["sent"]) == 1)


def test_the_clock_follows_the_server_whatever_the_device_says(browser: Browser, site: Site) -> None:
    site.set(due="32", quiet=True)
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(
        """const Real = Date; const wrong = 2 * 3600 * 1000;
        globalThis.Date = class extends Real {
          constructor(...given) { given.length ? super(...given) : super(Real.now()); }
          static now() { return Real.now() + wrong; }
        };"""
    )
    seated(page, site)
    left = page.locator("#clock").inner_text()
    assert re.fullmatch(r"0:(3[012]|[12]\d)", left), left
    expect(page.locator("#clock.soon")).to_have_count(1)
    expect(page.locator("#announce")).to_have_text("30 seconds left.")
    site.set(due="7500")
    expect(page.locator("#clock")).to_have_text("2 h 05 min")
    site.set(due="187200")
    expect(page.locator("#clock")).to_have_text("2 days 4 h")
    before = site.set(quiet=True)["live_asked"]
    site.set(due="1")
    expect(page.locator("#clock")).to_have_text("time is up")
    expect(page.locator("#announce")).to_contain_text("Time is up.")
    wait_for(lambda: site.set(quiet=True)["live_asked"] >= before + 2)
    context.close()


def test_a_round_is_fetched_once_and_a_link_leads_to_its_lines(browser: Browser, site: Site) -> None:
    """Finds an older round that does not come, goes with the next refresh, plays by itself or with the newest pieces,
    an address of a line that leads nowhere, and a link followed before htmx has come to it."""
    site.set(rounds="yes")
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{site.port}/")
    page.locator("#round-2 > summary").click()
    expect(page.locator("#e4")).to_be_visible()
    assert page.locator("html[data-filming]").count() == 0, "an older step does not play by itself"
    site.set(text="second")
    expect(page.locator("#text")).to_have_text("second")
    expect(page.locator("#e4")).to_be_visible()
    page.locator("#round-2 > summary").click()
    page.locator("#round-2 > summary").click()
    assert site.set(quiet=True)["log_asked"] == ["round=2"]
    other = browser.new_page()
    other.add_init_script("const real = setTimeout; window.setTimeout = (run, pause = 300) => real(run, pause)")
    other.goto(f"http://127.0.0.1:{site.port}/#e3")  # htmx begins late, as it does on a busy machine
    expect(other.locator("#e3:target")).to_be_in_viewport()
    earlier = browser.new_page()
    earlier.goto(f"http://127.0.0.1:{site.port}/#e1")
    earlier.wait_for_url("**/log?event=1#e1")
    assert site.set(quiet=True)["log_asked"][2:] == ["event=1"]
    for each in (page, other, earlier):
        each.close()


@pytest.mark.parametrize("half", [False, True], ids=["whole", "half there"])
def test_a_press_counts_though_the_page_moves_meanwhile(page: Page, site: Site, half: bool) -> None:
    """A change of the page arrives between the press of a button and its release, and moves the button away; or half of
    it was there before the press."""
    button = page.locator("button[data-key=s]")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    if not half:
        page.mouse.down()
    with page.expect_response("**/live") as answer:
        site.set(held=half, text="longer " * 2000)
    if half:
        page.mouse.down()
    site.set(held=False, quiet=True)
    answer.value.finished()
    page.evaluate(DRAWN)
    page.mouse.up()
    expect(page.locator("#text")).to_contain_text("longer longer")
    wait_for(lambda: len(site.set(quiet=True)["sent"]) == 1)


def test_keys_list_theme_copy_and_local_time(browser: Browser, site: Site) -> None:
    context = browser.new_context(timezone_id="America/New_York", locale="en-GB")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    seated(page, site)
    expect(page.locator("#when")).to_have_text("21 Nov 2026, 15:15")
    assert "Saturday" in (page.locator("#when").get_attribute("title") or "")
    said = "async ([at, form]) => (await import('/static/js/local-time.js')).said(new Date(Date.now() + at), form)"
    for days, form, words in ((0, "time", r"\d\d:\d\d"), (3, "time", r"\d+ \w+,? \d\d:\d\d"), (3, "short", r"\w+ .*")):
        assert re.fullmatch(words, page.evaluate(said, [days * 86_400_000, form])), "the date, unless it is today"
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_contain_text("s Seal it")
    page.keyboard.press("Escape")
    page.locator("#plan").press_sequentially("sss ?")
    assert site.set(quiet=True)["sent"] == []
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("s")
    wait_for(lambda: len(site.set(quiet=True)["sent"]) == 1)
    for wanted in ("light", "dark", None):
        page.locator("[data-theme-toggle]").click()
        assert page.evaluate("document.documentElement.dataset.theme ?? null") == wanted
    page.locator("[data-copy]").click()
    expect(page.locator("[data-copy]")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == "first"
    context.close()
