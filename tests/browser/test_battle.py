"""The goblin battle to its end in a real Chromium against a real server: a GM and three very different players."""

import re
import secrets
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from app.receipts.file import Receipts, parse
from app.receipts.verify import check
from tests.browser.seats import SEALED, WATCH_FILM, Seat, shots_folder, wait
from tests.server import Proxy, Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

MOST_ROUNDS = 12
FOES = ("sword-goblin", "red-axe", "old-axe")
PHONE = {"width": 390, "height": 844}
SHEETS = re.compile(r"On the sheets|Nothing on the character sheets has changed")
"""What the ending says of them; it is no rarity that no hero is hurt."""
BLOW = re.compile(r"\bhits\b|\bbeats?\b")
"""A line with a roll, whoever won it."""


class Battle:
    """The four at the table: Alice on a phone, Bob without JavaScript, Charlie behind a proxy that can be cut."""

    def __init__(self, browser: Browser, server: Server, links: dict[str, str], proxy: Proxy) -> None:
        self.proxy = proxy
        phone = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, device_scale_factor=2)
        self.gm = Seat("GM", browser.new_context(), server.url)
        self.alice = Seat("Alice", phone, server.url)
        self.bob = Seat("Bob", browser.new_context(java_script_enabled=False), server.url)
        self.charlie = Seat("Charlie", browser.new_context(), proxy.url)
        for seat in self.all:
            seat.enter(links[seat.name]).open_scene()

    @property
    def all(self) -> tuple[Seat, ...]:
        return (self.gm, self.alice, self.bob, self.charlie)

    @property
    def heroes(self) -> tuple[Seat, ...]:
        return (self.alice, self.bob, self.charlie)

    def close(self) -> None:
        for seat in self.all:
            seat.context.close()
        assert [wrong for seat in self.all for wrong in seat.wrong] == []

    def seal(self, seat: Seat, *watching: Seat) -> None:
        """Seal, and see it on the pages of those who watch."""
        seat.press()
        for other in watching:
            wait(other.envelope(seat.name).filter(has_text=SEALED))

    def foe(self) -> str:
        """Whom to attack: the first goblin still in the battle, as the page offers them."""
        offered = self.alice.fetch(self.alice.scene + "/live")
        down = re.findall(r"<li><b>([^<]+)</b>:\s+out of the battle", offered)
        names = {"sword-goblin": "Sword goblin", "red-axe": "Red axe goblin", "old-axe": "Old axe goblin"}
        return next(foe for foe in FOES if names[foe] not in down)


@pytest.fixture
def battle(browser: Browser, server: Server, links: dict[str, str]) -> Iterator[Battle]:
    proxy = Proxy(server.port).start()
    table = Battle(browser, server, links, proxy)
    yield table
    table.close()
    proxy.stop()


def test_four_people_fight_the_goblins_to_the_end(battle: Battle, tmp_path: Path) -> None:
    shots = shots_folder(tmp_path)
    _the_gm_sets_the_scene(battle, shots)
    canary = _one_is_cut_off_while_the_others_seal(battle, shots)
    _everything_opens_for_everybody(battle, canary, shots)
    rounds = 1
    while rounds < MOST_ROUNDS and _another_round(battle):
        rounds += 1
    _the_end(battle, shots)
    _the_proof(battle, shots)


def _the_gm_sets_the_scene(battle: Battle, shots: Path) -> None:
    gm, alice, bob, charlie = battle.all
    for seat in battle.heroes:
        expect(seat.page.locator("#awaits")).to_contain_text("You’re done for now")
        assert seat.page.title() == "Goblins in the woods · Signet"
    expect(alice.page.locator("#log")).to_be_in_viewport()  # on a phone too, while nothing is asked
    gm.both_shots(shots, "gm-1-scene")
    gm.press(kind="scene")
    for seat in (alice, charlie):
        wait(seat.ask("declare"))
        expect(seat.page).to_have_title("(!) Goblins in the woods · Signet")
        expect(seat.page.locator('link[rel="icon"]')).to_have_attribute("href", re.compile("awaited"))
    expect(alice.page.locator("#log")).to_be_hidden()
    bob.page.reload()
    for seat in battle.all:
        expect(seat.page.locator("#awaits")).to_contain_text("Your turn:")
    for hero in FOES:
        assert gm.field(f"of.{hero}.attack").input_value() in ("alice", "bob", "charlie"), "the hand is prefilled"


WINDOWS = ((1280, 800), (1366, 768), (1920, 1080))
LEAST_BOARD = 0.4  # of the window
UNSEEN = """() => [...document.querySelectorAll('.ask :is(select, input, textarea, button, b)')].filter(part => {
  if (!part.checkVisibility({visibilityProperty: true}) || part.matches('.said')) return false;
  const box = part.getBoundingClientRect(), panes = [];
  for (let up = part.parentElement; up; up = up.parentElement) {
    if (getComputedStyle(up).overflowY !== 'visible') panes.push(up.getBoundingClientRect());
  }
  panes.push({top: 0, left: 0, bottom: innerHeight, right: innerWidth});
  return panes.some(pane => box.top < pane.top - 1 || box.bottom > pane.bottom + 1 || box.left < pane.left - 1
    || box.right > pane.right + 1);
}).map(part => part.outerHTML.slice(0, 120))"""
BOARD = """() => { const box = document.getElementById('board').getBoundingClientRect();
  return box.width * box.height / (innerWidth * innerHeight) }"""


def _the_decision_is_in_one_view(seat: Seat) -> None:
    """Finds a choice or a button below the fold or clipped, and a board that became too small beside it."""
    usual = seat.page.viewport_size
    for width, height in WINDOWS:
        seat.page.set_viewport_size({"width": width, "height": height})
        assert seat.page.evaluate(UNSEEN) == [], f"{seat.name}, {width} x {height}"
        assert seat.page.evaluate(BOARD) >= LEAST_BOARD, f"{seat.name}, {width} x {height}"
    assert usual is not None
    seat.page.set_viewport_size(usual)


def _the_board_chooses_as_the_form_does(seat: Seat, shown: Locator) -> None:
    """A foe, one of one's own side, an area: each press is one choice of the form, and the form's choice is lit."""
    what, board = f"of.{seat.key}.", seat.page.locator(".stage")
    for piece, intent, field, value in (
        ("red-axe", "attack", "attack", "red-axe"), ("bob", "defend", "ward", "who:bob"),
        ("area:bridge", "defend", "ward", "area:bridge"), ("sword-goblin", "attack", "attack", "sword-goblin"),
    ):  # fmt: skip
        board.locator(f'[data-piece="{piece}"] :is(.token, .area)').first.click(force=True)
        expect(seat.field(what + "intent")).to_have_value(intent)
        expect(seat.field(what + field)).to_have_value(value)
        expect(shown).to_have_attribute("data-piece", piece)
    seat.field(what + "attack").select_option("old-axe")
    expect(shown).to_have_attribute("data-piece", "old-axe")


def _one_is_cut_off_while_the_others_seal(battle: Battle, shots: Path) -> str:
    """Round 1 up to the last seal but one (Bob's is the last); the words that nobody may have seen so far."""
    gm, alice, bob, charlie = battle.all
    canary = f"whistles-{secrets.token_hex(6)}"
    alice.both_shots(shots, "alice-2-declare-phone")
    charlie.both_shots(shots, "charlie-2-declare")
    for seat in (gm, charlie):
        _the_decision_is_in_one_view(seat)
    _the_board_chooses_as_the_form_does(alice, alice.page.locator(".stage .is-chosen"))
    alice.plan("sword-goblin", canary)
    expect(alice.ask("declare").get_by_text("Saved as a draft.")).to_be_visible()
    expect(alice.page.get_by_role("button", name="Keep as a draft")).to_have_count(0)
    battle.seal(alice, gm, charlie)
    alice.both_shots(shots, "alice-3-sealed-phone")
    expect(alice.page).to_have_title("Goblins in the woods · Signet")
    alice.press("take_back")
    wait(gm.envelope("Alice").filter(has_text="took it back"))
    assert alice.field("of.alice.rider_text").input_value() == canary
    battle.seal(alice, gm, charlie)

    charlie.plan("red-axe", "roars " + canary)
    battle.seal(charlie, gm, alice)
    charlie.cut = True
    battle.proxy.cut()
    expect(charlie.page.locator("#connection")).to_be_visible()
    charlie.shot(shots, "charlie-3-cut-off")
    battle.seal(gm, alice)
    bob.page.reload()
    for seat in (gm, bob):
        assert canary not in seat.source(), f"{seat.name} could read what lies sealed"
    assert "roars" not in alice.source() and "roars" not in bob.source()
    bob.plan("old-axe")
    return canary


def _everything_opens_for_everybody(battle: Battle, canary: str, shots: Path) -> None:
    gm, alice, bob, charlie = battle.all
    gm.page.evaluate(WATCH_FILM)
    bob.press()
    bob.page.wait_for_selector("#log .events li")
    assert charlie.log() == []
    for part in (".film", "#log .events li"):
        for seat in (gm, alice):
            wait(seat.page.locator(part))
    battle.proxy.mend()
    wait(charlie.page.locator("#log .events li"))
    expect(charlie.page.locator("#connection")).to_be_hidden()
    charlie.cut = False
    told = gm.log()
    assert any(canary in line for line in told)
    for seat in battle.heroes:
        assert seat.log() == told, seat.name
    for seat in (gm, alice, charlie):
        seat.page.wait_for_function("() => !('filming' in document.documentElement.dataset)")
        seat.both_shots(shots, f"{seat.key}-4-revealed")
    assert gm.page.evaluate("[films, ...early]") == [1], "the GM's buttons wait for the end, as the questions do"
    bob.both_shots(shots, "bob-4-revealed-without-javascript")
    _why(battle, shots)


def _why(battle: Battle, shots: Path) -> None:
    """Why? opens a dialog with the rules behind the line; without JavaScript a page with the same."""
    charlie, bob = battle.charlie, battle.bob
    hit = charlie.page.locator("#log .events li").filter(has_text=BLOW).first
    hit.locator(".why").click()
    dialog = charlie.page.locator("dialog#why")
    expect(dialog).to_be_visible()
    expect(dialog.locator(".reasons a.rule-id").first).to_be_visible()
    charlie.shot(shots, "charlie-5-why")
    wanted = dialog.locator(".reasons a.rule-id").all_text_contents()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    bob.page.locator("#log .events li").filter(has_text=BLOW).first.locator(".why").click()
    assert bob.page.locator(".reasons a.rule-id").all_text_contents() == wanted
    bob.page.get_by_role("link", name="Back to the scene").click()


def _another_round(battle: Battle) -> bool:
    """Go on and play one more round, if both sides stand; False once the battle is over."""
    gm = battle.gm
    _gm_answers(gm)
    expect(
        gm.page.locator('.ask[id*="-declare-"], .ask[id*="-next-"]').or_(gm.page.locator("#ending")).first
    ).to_be_visible()
    if not gm.ask("declare").count():
        return False
    foe = battle.foe()
    for seat in battle.heroes:
        seat.page.goto(seat.scene) if seat is battle.bob else wait(seat.page.locator("#awaits"))
        if seat is not battle.bob:
            expect(
                seat.page.locator('#awaits:has-text("Your turn"), #awaits:has-text("Waiting for")').first
            ).to_be_visible()
            if not seat.ask("declare").count():  # out of the battle, or the news is on its way: the page itself knows
                seat.page.goto(seat.scene)
        if seat.field(f"of.{seat.key}.attack").count():
            seat.plan(foe)
        if seat.ask("declare").count():
            battle.seal(seat, gm)
    gm.press()
    expect(gm.page.locator('.ask[id*="-declare-"]')).to_have_count(0)
    return True


def _gm_answers(gm: Seat) -> None:
    """Everything that is asked of the GM up to the next declarations or the end, each with one press."""
    for _ in range(6):
        for kind in ("rule", "next", "scene"):
            if gm.ask(kind).count():
                before = gm.ask(kind).get_attribute("id")
                gm.press(kind=kind)
                expect(gm.page.locator(f"#{before}")).to_have_count(0)


def _the_end(battle: Battle, shots: Path) -> None:
    gm, alice, bob = battle.gm, battle.alice, battle.bob
    _gm_answers(gm)
    if not gm.page.locator("#ending").count():
        desk = gm.page.locator("details.whenever").last
        desk.locator("summary").first.click()
        desk.locator('[name="what"]').select_option("end")
        desk.locator('[name="reason"]').fill("It grows dark, and the goblins slip away.")
        desk.locator('button[value="seal"]').click()
    bob.page.goto(bob.scene)
    for seat in battle.all:
        expect(seat.page.locator("#ending")).to_contain_text(SHEETS)
        expect(seat.page.locator(".seats-row")).to_be_hidden()  # nobody is waited for any more
        assert seat.page.locator("#ending .after").evaluate("bar => bar.offsetHeight") < 80, "more than one row"
    told = gm.log()
    for seat in battle.heroes:
        assert seat.log() == told, seat.name
    gm.both_shots(shots, "gm-6-over")
    alice.both_shots(shots, "alice-6-over-phone")
    for seat in battle.heroes:
        words = seat.page.locator(".board-words li").filter(has_text=re.compile(rf"^{seat.name}")).first
        said = words.text_content() or ""
        hp = int(found[1]) if (found := re.search(r"HP (\d+) of", said)) else 0
        assert found or "out of the battle" in said
        sheet = seat.fetch(f"{seat.home}characters/{seat.key}/edit")
        kept = re.search(r'name="sheet\.hp"[^>]*value="(-?\d+)"', sheet)
        assert kept and int(kept[1]) == hp, f"{seat.name}: {said} but the sheet says {kept and kept[1]}"


def _the_proof(battle: Battle, shots: Path) -> None:
    """Everybody checks the scene, in the page and from the file; a changed sign is found."""
    gm, alice, bob, charlie = battle.all
    words = set()
    for seat in (gm, alice, charlie):
        seat.page.goto(f"{seat.scene}/verify")
        expect(seat.page.locator("#verdict")).to_have_text("Everything that can be checked is correct.")
        words.add(seat.page.locator("#six").text_content())
        seat.both_shots(shots, f"{seat.key}-7-verify")
    assert len(words) == 1 and len((words.pop() or "").split()) == 6
    expect(alice.page.locator("#findings")).to_contain_text("compared with what this browser saved")
    receipts = _downloaded(alice)
    report = check(receipts)
    assert report.wrong == [] and report.draws > 0 and report.replayed == report.closings and report.closed == 0
    assert len(receipts.kept) >= 2
    made = {(row.seat, row.salted_by) for entry in receipts.entries for row in entry.rows if row.wax}
    assert {("alice", "browser"), ("gm", "browser"), ("bob", "server")} <= made
    bob.page.goto(f"{bob.scene}/verify")
    expect(bob.page.locator("noscript, .notice").first).to_be_attached()
    _a_changed_sign_is_found(charlie)


def _downloaded(seat: Seat) -> Receipts:
    with seat.page.expect_download() as download:
        seat.page.locator("#download").click()
    assert download.value.suggested_filename.endswith(".jsonl")
    return parse(Path(download.value.path()).read_text(encoding="utf-8"))


def _a_changed_sign_is_found(seat: Seat) -> None:
    true = seat.fetch(f"{seat.page.url.split('/verify')[0]}/receipts")
    for old, new in (('\\"face\\":', '\\"face\\":1'), ("attack", "defend"), ('\\"luck\\":\\"', '\\"luck\\":\\"0')):
        forged = true.replace(old, new, 1)
        assert forged != true
        seat.page.route("**/receipts", partial(_fulfil, forged))
        seat.page.reload()
        expect(seat.page.locator("#verdict")).to_have_text("This is not an honest record:")
        expect(seat.page.locator("#findings .fault").first).to_be_visible()
        seat.page.unroute("**/receipts")


def _fulfil(body: str, route: Route) -> None:
    route.fulfill(body=body)
