"""A battle and a duel by somebody who sees nothing: found by roles and names, played by keys, and followed by what the
live regions say, line by line."""

import re
import time
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seats import AXE, PATIENCE, SEALED, Seat, links_of, wait
from tests.duel_fight import lay
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

LISTEN = """() => {
  const live = '[aria-live]:not([aria-live=off]), [role=status], [role=log], [role=alert]';
  window.heard = [];
  new MutationObserver((changes) => {
    for (const node of changes.flatMap((change) => [...change.addedNodes])) {
      const text = node.textContent.replace(/\\s+/g, ' ').trim();
      if (text && (node.closest ? node : node.parentElement)?.closest(live)) window.heard.push(text);
    }
  }).observe(document.body, {childList: true, subtree: true});
}"""
FOCUSED = "part => part === document.activeElement"
REST = """() => !['filming', 'looking', 'saying'].some((one) => one in document.documentElement.dataset)
  && !document.querySelector('form[aria-busy]')"""
"""No film plays, nothing is on its way to the server, and all that the page shows was said."""
SHOWN = (
    "() => [document.getElementById('awaits').dataset.steps, document.querySelectorAll('#log .chapter').length].join()"
)
CARDS = '.dock .ask:not(.is-sealed) :is(button[name="action"], button[name="half"], button[name="go"])'
CHOICES = ("High", "Haymaker", "Hook", "Uppercut", "Straight", "Jab", "Continue", "Rest")
NO_OUTCOME = re.compile("(Your turn|Waiting for|Tomo has sealed).*")
MINE = r"^\(!\) "
MOST = 60  # presses of Tab to any place, and choices until a duel is over
WHOLE = 10  # lines that a reveal says at most
ORDER = """async () => (await axe.run(document, {runOnly: ['heading-order', 'page-has-heading-one', 'empty-heading']}))
  .violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html)}`)"""


class Unseeing(Seat):
    """Who hears a page and presses keys; nothing here looks for what only eyes find."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.said: list[str] = []

    def hear(self, *lines: str | re.Pattern[str]) -> None:
        """Waits for as many lines, and whatever else comes with them; they are these, in this order, and no more since
        the last that were heard."""
        self.page.wait_for_function("many => window.heard.length >= many", arg=len(lines))
        self.page.wait_for_function(REST)
        heard = self.overhear()
        found = [re.compile(one if isinstance(one, re.Pattern) else re.escape(one)) for one in lines]
        assert len(heard) == len(lines) and all(map(re.Pattern.fullmatch, found, heard)), heard

    def overhear(self) -> list[str]:
        heard: list[str] = self.page.evaluate("window.heard.splice(0)")
        self.said += heard
        return heard

    def rest(self, other: Seat) -> None:
        """Until this page shows as much as the other one, and has said it."""
        until = time.monotonic() + PATIENCE / 1000
        for page in (other.page, self.page):
            page.wait_for_function(REST)
        while self.page.evaluate(SHOWN) != other.page.evaluate(SHOWN):  # what is new may be on its way to either
            assert time.monotonic() < until, "the two pages show different things"
            for page in (other.page, self.page):
                page.wait_for_function(REST)
        self.page.wait_for_function(REST)

    def reach(self, role: Any, name: str | re.Pattern[str], most: int = MOST) -> None:
        """The Tab key, until it is there."""
        for _ in range(most):
            self.page.keyboard.press("Tab")
            if any(one.evaluate(FOCUSED) for one in self.page.get_by_role(role, name=name).all()):
                return
        raise AssertionError(f"the {role} {name} is more than {most} presses of Tab away")

    def headings(self) -> list[str]:
        """What is wrong with the headings; the parts of the table are found by them."""
        page = self.page
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        for name in ("The board", "Your decisions", "Log", "Table talk"):
            expect(page.get_by_role("heading", level=2, name=name, exact=True)).to_have_count(1)
        page.evaluate(AXE.read_text())
        found: list[str] = page.evaluate(ORDER)
        return found

    def declare(self, whom: str) -> None:
        """From the top of the page: the skip link, the first field at most two presses away, whom, and the seal."""
        page = self.page
        page.reload()
        page.evaluate(LISTEN)
        self.reach("link", "Skip to your decisions", 1)
        page.keyboard.press("Enter")
        self.reach("combobox", "What Alice does", 2)
        self.reach("combobox", "whom", 1)
        page.keyboard.type(whom)
        self.reach("button", "Seal it")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name=re.compile("Sealed at"))).to_have_count(1)

    def ask_why(self) -> None:
        """A line's reason by its name; the dialog begins with its heading, and gives the focus back."""
        self.reach("link", re.compile("^Why: Alice"))
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_role("dialog", name="Why?").get_by_role("heading", name="Why?")).to_be_focused()
        self.page.keyboard.press("Escape")
        expect(self.page.get_by_role("link", name=re.compile("^Why: Alice")).and_(self.page.locator(":focus"))
               ).to_have_count(1)  # fmt: skip

    def choose(self) -> None:
        """A duellist's card, or whatever else is asked, by its name."""
        mine = self.page.get_by_role("region", name="Your decisions")
        for name in CHOICES:
            button = mine.get_by_role("button", name=re.compile(rf"\b{name}")).first
            if button.is_visible() and button.is_enabled():
                self.page.evaluate("document.getElementById('decisions').focus()")
                self.reach("button", re.compile(rf"\b{name}"))
                self.page.keyboard.press("Enter")
                return

    def lines(self, every: bool = False) -> list[str]:
        """What the newest step's lines say, without their sums unless `every`; of many only those with a reason."""
        chapter = self.page.locator("#log section.chapter").last
        found = [" ".join((line.text_content() or "").split()) for line in chapter.get_by_role("listitem").all()]
        if every:
            return [line.removesuffix("Why?").strip() for line in found]
        weighty = sorted(found, key=lambda line: not line.endswith(("Why?", "in time.")))[:WHOLE]
        told = [line for line in found if line in weighty]
        rest = [f"And {len(found) - len(told)} more in the log."] if len(found) > len(told) else []
        return [re.sub(r" \([^)]*\)", "", line.removesuffix("Why?").strip()) for line in told] + rest


def test_a_battle_is_played_unseen(browser: Browser, server: Server, links: dict[str, str]) -> None:
    """Finds a seal, an outcome, a turn or a time that is up and not said, or said twice, late, or in another order."""
    gm, bob, charlie = (_seat(browser, server, links, name) for name in ("GM", "Bob", "Charlie"))
    alice = _unseeing(browser, server, links, "Alice")
    gm.press(kind="scene")
    alice.hear("Your turn: declare for Alice.")
    expect(alice.page).to_have_title(re.compile(MINE))
    assert alice.headings() == []
    for player in (gm, bob, charlie):  # so that one clash comes, and nobody is out of the battle by it
        wait(player.ask("declare"))
        player.page.locator("#asks [name$='.intent']").evaluate_all("all => all.map((one) => (one.value = 'stand'))")
    bob.press()
    alice.hear("Bob has sealed. Also waiting for Charlie and the GM.")
    alice.declare("Sword goblin")
    # Of the own seal nothing is said: the focus is on the line that tells whom the table waits for.
    expect(alice.page.locator(":focus")).to_contain_text("Waiting for Charlie and the GM.")
    charlie.press()
    alice.hear("Charlie has sealed. Waiting for the GM.")
    expect(alice.page).not_to_have_title(re.compile(MINE))
    gm.press()
    alice.hear(re.compile("All open. .+"), "Waiting for the GM.")
    assert alice.said[-2] == " ".join(["All open.", *alice.lines()])
    alice.ask_why()

    gm.press(kind="next")
    gm.press(kind="scene")
    alice.hear("Your turn: declare for Alice.")
    gm.press()
    alice.hear("GM has sealed. Also waiting for Bob and Charlie.")
    alice.declare("Red axe goblin")
    gm.page.locator("[name=seconds]").first.evaluate("field => field.value = '4'")
    gm.page.get_by_role("button", name="Give it two minutes").first.click()
    alice.hear("GM set a time limit of 4 seconds.", "Time is up.", re.compile(".+"), "Waiting for the GM.")
    assert alice.said[-2] == " ".join(alice.lines())
    assert "Bob did not answer in time. Charlie did not answer in time." in alice.said[-2]
    _leave(gm, bob, charlie, alice)


def test_a_duel_is_played_unseen_to_its_end(browser: Browser, server: Server, db_url: str) -> None:
    """Finds an outcome that who seals last does not hear, or hears after the next question."""
    links = links_of(db_url, lay)
    tomo, mira = _seat(browser, server, links, "Tomo"), _unseeing(browser, server, links, "Mira")
    for turn in range(MOST):
        for player in ("mira", "tomo") if turn % 2 else ("tomo", "mira"):
            mira.rest(tomo)
            if player == "mira":
                mira.choose()
            elif tomo.page.locator(CARDS).count():
                tomo.page.locator(CARDS).last.evaluate("card => card.click()")
        mira.rest(tomo)
        told = [line for line in mira.overhear() if not NO_OUTCOME.fullmatch(line)]
        if mira.page.get_by_role("heading", name=re.compile("wins$")).count():
            break
        for line in told[-1:]:
            assert line.removeprefix("All open. ") == " ".join(mira.lines())
    else:
        raise AssertionError(f"nobody won: {mira.said}")
    assert re.fullmatch("All open. .*(Mira|Tomo) wins the duel.", mira.said[-3]), mira.said
    assert mira.said[-2] == "This scene is over." and re.fullmatch("(Mira|Tomo) wins", mira.said[-1]), mira.said
    asked = ["Your turn" in line for line in mira.said]
    assert True not in [one and two for one, two in pairwise(asked)], "no question before the outcome of the last"
    assert [one for one, two in pairwise(mira.said) if one == two] == [], "nothing is said twice"
    assert [line for line in mira.said if "waiting for Tomo" in line] == [], "which Tomo's seal would make untrue"
    _leave(tomo, mira)


@pytest.mark.parametrize(("shows", "line"), [("nothing", ""), ("number", "1 of 4 has sealed.")])
def test_no_more_is_said_than_the_page_shows(
    browser: Browser, server: Server, links: dict[str, str], shows: str, line: str
) -> None:
    """Finds a name, a number or a moment that the campaign does not show; then each beat said once, as it is shown."""
    gm, bob, charlie = (_seat(browser, server, links, name) for name in ("GM", "Bob", "Charlie"))
    scene = gm.scene
    gm.page.goto(gm.home)
    chosen = "(field, value) => { field.value = value; field.form.requestSubmit(); }"
    with gm.page.expect_navigation():
        gm.page.locator("[name=sealing_shows]").evaluate(chosen, shows)
    gm.page.goto(scene)
    sam = _unseeing(browser, server, links, "Sam")
    gm.press(kind="scene")
    sam.hear("Everything opens once all have sealed." if not line else "0 of 4 have sealed.")
    for player in (bob, charlie):
        wait(player.ask("declare"))
        player.plan("old-axe")
    bob.press()
    wait(gm.envelope("Bob").filter(has_text=SEALED))
    if line:
        sam.hear(line)
    charlie.page.locator("#said").fill("Well?")
    charlie.page.get_by_role("button", name="Send").click()
    sam.hear(re.compile("Charlie.*Well\\?"))  # and nothing before it
    gm.page.get_by_role("button", name="Open now").click()
    gm.page.locator("#ask-first").get_by_role("button", name="Open now").click()
    sam.hear("GM opened “Round 1” early.", re.compile(".+"), "Waiting for the GM.")
    assert sam.said[-2] == " ".join(sam.lines())
    sam.reach("checkbox", "Say each beat")
    sam.page.keyboard.press("Space")
    expect(sam.page.get_by_role("checkbox", name="Say each beat")).to_be_checked()
    sam.reach("button", "Play again", 1)
    sam.page.keyboard.press("Enter")
    sam.page.wait_for_selector(".film")
    sam.page.wait_for_function(REST)
    heard = sam.overhear()
    assert [line.partition(". ")[0] for line in heard][:2] == ["Declarations", "Who clashes with whom"], heard
    assert " ".join(line.partition(". ")[2] for line in heard) == " ".join(sam.lines(True))
    _leave(gm, bob, charlie, sam)


def _seat(browser: Browser, server: Server, links: dict[str, str], name: str) -> Seat:
    return Seat(name, browser.new_context(), server.url).enter(links[name]).open_scene()


def _unseeing(browser: Browser, server: Server, links: dict[str, str], name: str) -> Unseeing:
    seat = Unseeing(name, browser.new_context(), server.url)
    seat.enter(links[name]).open_scene()
    seat.page.evaluate(LISTEN)
    return seat


def _leave(*seats: Seat) -> None:
    for seat in seats:
        seat.context.close()
    assert [wrong for seat in seats for wrong in seat.wrong] == []
