"""A stop by the X-card is told on every page of the campaign, to everybody alike, and first on the GM's desk."""

import re

import pytest

from tests.web.browser import Browser, Page
from tests.web.test_scene_pages import ROAD, Sit, at, scene, seal, sit

__all__ = ["scene", "sit"]
pytestmark = pytest.mark.anyio
SAYS = "Stop: Goblins in the woods is paused. Someone would like to stop here."
STOPPED = re.compile(r'<div class="awaits is-stop"[^>]*>(<p>.*?</p>)', re.DOTALL)
KEPT = ("/calendar", "/vote")  # pages that are kept while nothing on them changes; "/vote" is the other scene's
PAGES = (
    "/",
    "/people",
    "/characters/alice",
    "/you",
    "/lines",
    "/rulebook/whiskey",
    "/scene/verify",
    "/vote/log",
    *KEPT,
)
GMS = ("/desk", "/scenes/new", "/vote/as/alice")


@pytest.fixture
async def vote(sit: Sit) -> str:
    """A second scene: the id of a vote that waits for everybody."""
    form = await sit("gm").get(f"{ROAD}/gm/decide/vote")
    page = await sit("gm").send(form, "/decide/vote", {"given.purpose": "Who leads?", "given.options": "Alice\nBob"})
    return page.path.split("/scene/")[1].split("#")[0].split("?")[0]


def address(page: str, handle: str, scene: str, vote: str) -> str:
    of_scene = {"/scene/": at(scene, handle), "/vote": at(vote, handle)}
    for name, there in of_scene.items():
        if page.startswith(name):
            return there + page.removeprefix(name.rstrip("/"))
    return f"{ROAD}/{handle}{page}"


async def press(browser: Browser, scene: str, handle: str) -> None:
    page = await browser.get(at(scene, handle))
    assert (await browser.send(page, "/stop")).status == 200


def bar(page: Page) -> str:
    """The red bar, without its reader's own address."""
    found = STOPPED.search(page.html)
    assert found, f"no bar at {page.path}"
    return re.sub(rf"{ROAD}/[a-z]+/|(?<=>) ", "", " ".join(found[1].split()))


async def test_every_page_of_everybody_says_it_alike(sit: Sit, scene: str, vote: str) -> None:
    """Finds a page without the bar, one that was kept from before or stays after, a reader who is not told, and a word
    that tells who pressed."""
    people = {name: sit(name) for name in ("gm", "alice", "bob", "sam")}
    assert (await seal(people["gm"], await people["gm"].get(at(scene, "gm")), {"description": "Rain."})).status == 200
    for page in KEPT:
        before = await people["alice"].get(address(page, "alice", scene, vote))
        assert "Stop:" not in before.text and "Stop ·" not in before.html
    await press(people["bob"], scene, "bob")
    bars = set()
    for name, browser in people.items():
        for page in (*PAGES, *(GMS if name == "gm" else ())):
            found = await browser.get(address(page, name, scene, vote))
            assert found.status == 200 and SAYS in found.text, (name, page)
            assert re.search(r"<title>\(!\) Stop · (?!\(!\))", found.html), (name, page)
            assert 'data-stops="1"' in found.html, (name, page)
            bars.add(bar(found))
        own = await browser.get(at(scene, name))
        assert "<title>(!) Stop · " in own.html and 'data-stops="1"' in own.html and "Stop:" not in own.text, name
    assert len(bars) == 1 and "Bob" not in bars.pop(), "the same words for everybody"
    await people["gm"].send(await people["gm"].get(at(scene, "gm")), "/act/go-on")
    for page in PAGES:
        after = await people["alice"].get(address(page, "alice", scene, vote))
        assert "Stop:" not in after.text and "Stop ·" not in after.html and "data-stops" not in after.html, page


async def test_pages_that_ask_hear_it_first_and_what_waits_stays(sit: Sit, scene: str, vote: str) -> None:
    """Finds a poll that does not tell it or tells it as a turn, a part that a hint brings without it, a turn that the
    bar loses, and two stops of which one is folded away."""
    alice, sam = sit("alice"), sit("sam")
    for handle, browser in (("alice", alice), ("sam", sam)):
        assert (await browser.http.get(f"{ROAD}/{handle}/awaits")).json()["stops"] == []
    await press(sit("bob"), scene, "bob")
    for handle, browser, waits in (("alice", alice, True), ("sam", sam, False)):
        says = (await browser.http.get(f"{ROAD}/{handle}/awaits")).json()
        there = f"{ROAD}/{handle}/scene/{scene}#stopped"
        assert says["stops"] == [
            {"call": "Someone would like to stop here", "where": "Goblins in the woods", "at": there}
        ]
        assert says["awaited"] is waits and len(says["calls"]) == waits
    part = await alice.get(f"{ROAD}/alice/turns")
    assert SAYS in part.text and "+1 more" in part.text and "Who leads?" in part.text
    assert SAYS in (await alice.get(f"{at(vote, 'alice')}/live", **{"HX-Request": "true"})).text
    await press(sit("bob"), vote, "bob")
    both = await sam.get(f"{ROAD}/sam/people")
    assert len(STOPPED.findall(both.html)) == 2 and 'data-stops="2"' in both.html
    assert "Stop: Who leads? is paused." in both.text and SAYS in both.text


async def test_it_is_the_first_card_of_the_desk_and_the_first_scene_at_home(sit: Sit, scene: str, vote: str) -> None:
    """Finds a stopped scene among the others, below those that were opened before or after it."""
    gm = sit("gm")
    for stopped in (vote, scene):
        await press(sit("bob"), stopped, "bob")
        desk, home = await gm.get(f"{ROAD}/gm/desk"), await gm.get(f"{ROAD}/gm/")
        assert re.findall(r'id="card-([0-9a-f-]+)"', desk.html)[0] == stopped
        assert re.findall(r'<a class="strong" href="[^"]*/scene/([^"]+)">', home.html)[0] == stopped
        assert "stopped</span>" in home.html
        await gm.send(await gm.get(at(stopped, "gm")), "/act/go-on")
