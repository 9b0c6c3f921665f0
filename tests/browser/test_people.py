"""The people's pages in a real Chromium: from an invitation to a seat, over plain http, five seats in one profile."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import ARGS, find_chromium
from tests.browser.seats import PATIENCE, Seat, axe, make_demo
from tests.server import Server, servers

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

ROAD = "/c/the-goblin-road"
SMALLEST = {"width": 320, "height": 640}


@pytest.fixture
def server(db_url: str, tmp_path: Path) -> Iterator[Server]:
    with servers(db_url, tmp_path) as running:
        yield running[0]


@pytest.fixture
def home_network(browser: Browser, server: Server) -> Iterator[tuple[Browser, str]]:
    """A browser for which the server is a name on plain http: not trusted, so that it sends no Sec-Fetch headers."""
    rules = "--host-resolver-rules=MAP table.example 127.0.0.1"
    other = browser.browser_type.launch(executable_path=find_chromium(), args=[*ARGS, rules])
    yield other, f"http://table.example:{server.port}"
    other.close()


def heard(page: Page) -> list[str]:
    """What the console says from now on."""
    said: list[str] = []
    page.on("console", lambda m: said.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    return said


def found(page: Page, origin: str) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(f"{origin}/new")
    page.get_by_label("What is it called?").fill("The Goblin Road")
    page.get_by_label("Your name at the table").fill("Gerda")
    page.get_by_role("button", name="Create campaign").click()
    page.wait_for_url("**/gerda/?new=campaign")


def invite(page: Page, name: str) -> str:
    page.goto(re.sub(r"(/c/[^/]+/[^/]+)/.*", r"\1/people", page.url))
    page.get_by_label("For whom?").fill(name)
    page.get_by_role("button", name="Create invitation").click()
    return page.get_by_label("The invitation's link").input_value()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_table_gathers_in_a_home_network(home_network: tuple[Browser, str], scripts: bool) -> None:
    """Every form works where browsers name only the Origin, and no header makes the console complain."""
    browser, origin = home_network
    gm = browser.new_context(java_script_enabled=scripts).new_page()
    alice = browser.new_context(java_script_enabled=scripts).new_page()
    said = heard(gm) + heard(alice)
    found(gm, origin)
    link = invite(gm, "Alice")
    assert link.startswith(f"{origin}/join/the-goblin-road/")
    alice.goto(link)
    expect(alice.get_by_label("Your name at the table")).to_have_value("Alice")
    alice.get_by_label("This invitation is for me").check()
    alice.get_by_role("button", name="Join", exact=True).click()
    way_back = alice.get_by_label("Your personal link").input_value()
    expect(alice.get_by_text("No scene yet.")).to_be_visible()
    alice.goto(f"{origin}{ROAD}/alice/you")
    alice.get_by_role("button", name="Show a code", exact=True).click()
    code = alice.locator(".code-shown").inner_text()
    for enter in ("code", "link"):
        tablet = browser.new_context(java_script_enabled=scripts).new_page()
        if enter == "code":
            tablet.goto(f"{origin}/code/the-goblin-road")
            tablet.get_by_label("Code").fill(code.lower())
            tablet.get_by_role("button", name="Sign in").click()
        else:
            tablet.goto(way_back)
            tablet.get_by_role("button", name="Continue as Alice").click()
        tablet.wait_for_url(f"**{ROAD}/alice/")
    assert said == []


@pytest.mark.parametrize("trusted", [True, False])
def test_another_sites_form_changes_nothing(
    browser: Browser, home_network: tuple[Browser, str], server: Server, trusted: bool
) -> None:
    base = server.url if trusted else home_network[1]
    context = (browser if trusted else home_network[0]).new_context()
    gm, evil = context.new_page(), context.new_page()
    found(gm, base)
    trap = f"""<form method="post" action="{base}{ROAD}/gerda/notes"><input name="body" value="evil">
        <input name="version" value="0"><button>Win a prize</button></form>"""
    evil.route("http://evil.example/*", lambda route: route.fulfill(content_type="text/html", body=trap))
    evil.goto("http://evil.example/")
    with evil.expect_navigation() as answered:
        evil.get_by_role("button").click()
    assert answered.value is not None and answered.value.status == 403
    gm.goto(f"{base}{ROAD}/gerda/")
    notes = gm.get_by_label("Only GMs can read these.")
    expect(notes).to_have_value("")
    notes.fill("mine")
    gm.get_by_role("button", name="Save notes").click()
    expect(gm.get_by_text("Your notes are saved.")).to_be_visible()
    context.close()


def test_five_seats_in_five_tabs_of_one_profile(browser: Browser, server: Server, db_url: str) -> None:
    context = browser.new_context()
    links = make_demo(db_url)
    tabs = [Seat(name, context, server.url).enter(link) for name, link in links.items()]
    for tab in tabs:
        tab.page.reload()
        expect(tab.page.locator(".top .tools")).to_contain_text(tab.name)
    gm = next(tab for tab in tabs if tab.name == "GM")
    bob = next(tab for tab in tabs if tab.name == "Bob")
    gm.page.goto(f"{server.url}{ROAD}/gm/people")
    gm.page.locator("#about-bob summary").click()
    gm.page.get_by_role("button", name="Remove Bob").click()
    gm.page.locator("#ask-first .go").click()
    expect(gm.page.get_by_text("Player removed")).to_be_visible()
    bob.page.bring_to_front()
    expect(bob.page.get_by_role("heading", name="You're not signed in to this seat")).to_be_visible(timeout=PATIENCE)
    assert [wrong for tab in tabs for wrong in tab.wrong] == []


def test_open_pages_show_who_came_at_once(browser: Browser, server: Server) -> None:
    gm, alice = browser.new_context().new_page(), browser.new_context().new_page()
    found(gm, server.url)
    link = invite(gm, "Alice")
    gm.get_by_label("For whom?").fill("half typed")
    alice.goto(link)
    alice.get_by_label("This invitation is for me").check()
    alice.get_by_role("button", name="Join", exact=True).click()
    expect(gm.locator("#person-alice")).to_be_visible(timeout=PATIENCE)
    expect(gm.get_by_label("For whom?")).to_have_value("half typed")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible_and_fit_the_smallest_phone(
    browser: Browser, server: Server, db_url: str, scheme: str
) -> None:
    links = make_demo(db_url)
    context = browser.new_context(viewport=SMALLEST, color_scheme=scheme)
    gm = Seat("GM", context, server.url)
    _look(gm.page, f"{server.url}{links['GM']}")
    gm.enter(links["GM"])
    invitation = invite(gm.page, "W" * 60)
    _check(gm.page, "people, just invited")
    gm.page.locator("#about-alice summary").click()
    _check(gm.page, "people, somebody opened")
    base = f"{server.url}{ROAD}/gm"
    for path in ("/", "/you", "/people", "/characters/alice", "/characters/new", "/characters/new?sample=bob"):
        _look(gm.page, base + path)
    _refused(gm.page, base)
    for path in ("/new", "/code", f"{ROAD}/nobody/", "/nowhere", invitation.removeprefix(server.url)):
        _look(gm.page, server.url + path)
    _join(context, invitation)
    assert gm.wrong == []


def _refused(page: Page, base: str) -> None:
    """A sheet with faults."""
    page.goto(f"{base}/characters/new")
    page.get_by_label("Name").fill("W" * 60)
    page.locator('[name="sheet.combat"]').fill("many")
    page.get_by_role("button", name="Create character").click()
    expect(page.locator(".fault")).to_have_count(1)
    _check(page, "a sheet with a fault")


def _join(context: BrowserContext, invitation: str) -> None:
    page = context.new_page()
    page.goto(invitation)
    page.get_by_label("This invitation is for me").check()
    page.get_by_role("button", name="Join", exact=True).click()
    _check(page, "joined")


def _look(page: Page, address: str) -> None:
    page.goto(address)
    _check(page, address)


def _check(page: Page, what: str) -> None:
    assert axe(page) == [], what
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= SMALLEST["width"], f"{what} is {wide} pixels wide"
