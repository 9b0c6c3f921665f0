"""Two players agree on a duel: challenge, decline, withdraw, accept, fight, ladder, rematch."""

import re
from collections.abc import Callable

import pytest
from fastapi import FastAPI

from tests.web.browser import Browser, Page
from tests.web.seated_demo import seated_demo

pytestmark = pytest.mark.anyio
ROAD = "/c/the-goblin-road"
Seats = dict[str, Browser]


@pytest.fixture
async def table(site: FastAPI, open_browser: Callable[[], Browser]) -> Seats:
    """The demo's people, with duellists for Alice, Bob and the GM."""
    demo = await seated_demo(site, open_browser)
    sitting: Seats = {name: demo.browsers[name.lower()] for name in ("GM", "Alice", "Bob", "Sam")}
    for name, sample, called in (("Alice", "Mira", "Mira"), ("Bob", "Tomo", "Tomo"), ("GM", "Mira", "Wall")):
        new = await sitting[name].get(f"{home(name)}characters/new?ruleset=duel&sample={sample}")
        made = await sitting[name].send(new, "/characters", {"sheet.name": called})
        assert made.status == 200, made.text
    return sitting


def home(name: str) -> str:
    return f"{ROAD}/{name.lower()}/"


async def see(table: Seats, name: str) -> Page:
    return await table[name].get(home(name))


async def challenge(table: Seats, name: str = "Alice", other: str = "tomo", best_of: str = "1") -> Page:
    typed = {"challenged": other, "settings.best_of": best_of}
    return await table[name].send(await see(table, name), "/challenges", typed)


async def test_it_is_seen_by_all_and_answered_by_one(table: Seats) -> None:
    made = await challenge(table)
    assert made.status == 200 and "Challenge sent" in made.text
    bob, sam, gm = await see(table, "Bob"), await see(table, "Sam"), await see(table, "GM")
    assert "You've been challenged: Mira challenges Tomo" in bob.text and bob.has_form("/accept")
    for page in (sam, gm):
        assert "Mira challenges Tomo" in page.text and not page.has_form("/accept") and not page.has_form("/close")
    declined = await table["Bob"].send(bob, "/close")
    assert "Challenge declined." in declined.text and "challenges Tomo" not in declined.text
    await challenge(table)
    withdrawn = await table["Alice"].send(await see(table, "Alice"), "/close")
    assert "Challenge withdrawn." in withdrawn.text
    late = await table["Bob"].post(bob.form("/accept").action)
    assert late.status in (409, 410) and "already been declined" in late.text


async def test_what_cannot_be_challenged_is_said_at_the_field(table: Seats) -> None:
    base = f"{home('Alice')}challenges"
    cases = (
        ({"challenger": "tomo", "challenged": "mira"}, "one of your own"),
        ({"challenger": "mira", "challenged": "mira"}, "another player's character"),
        ({"challenger": "mira", "challenged": "bob"}, "same rules"),
        ({"challenger": "mira", "challenged": "nobody"}, "another player's character"),
        (
            {"challenger": "mira", "challenged": "wall"},
            "another player's character",
        ),  # the GM's, of whom Alice does not know
        ({"challenger": "mira", "challenged": "tomo", "settings.best_of": "4"}, "Choose one of the options."),
        ({"challenger": "mira", "challenged": "tomo", "settings": "x"}, ""),
    )
    for typed, says in cases:
        answer = await table["Alice"].post(base, typed)
        assert (answer.status == 422 and says in answer.text) or not says, (typed, answer.text[-400:])
    assert (await table["Sam"].post(f"{home('Sam')}challenges", {"challenger": "mira"})).status == 403


async def test_a_second_one_to_the_same_waits_for_the_first(table: Seats) -> None:
    await challenge(table)
    again = await challenge(table)
    assert again.status == 422 and "has not answered" in again.text


async def test_accepted_it_is_fought_counted_and_fought_again(table: Seats) -> None:
    await challenge(table, best_of="3")
    scene = await table["Bob"].send(await see(table, "Bob"), "/accept")
    assert scene.status == 200 and "/scene/" in scene.path and "Mira against Tomo" in scene.text
    busy = await challenge(table, "GM", "tomo")
    assert busy.status == 200, "he can be asked while he fights"
    assert "Wall challenges Tomo" in (await see(table, "Bob")).text
    for name in ("Alice", "Sam"):
        assert "Wall" not in (await see(table, name)).html, "the GM's own secret"
    taken = await table["Bob"].send(await see(table, "Bob"), "/accept")
    assert taken.status == 409 and "The duel cannot start now" in taken.text
    number = scene.path.rsplit("/", 1)[1]
    given_up = await table["Bob"].post(
        f"{home('Bob')}scene/{number}/lay",
        {"_step": "concede/tomo", "_seat": "tomo", "_revision": "0", "_act": "seal", "sure": "yes"},
    )
    assert "Mira wins the match, 1 to 0" in given_up.text and given_up.has_form("/challenges")
    assert "Duels won 0 → became 1" not in given_up.text
    ladder = (await see(table, "Sam")).text
    assert re.search(r"1\.\s*Mira\s*1\s*0\s*0\s*2\.\s*Tomo\s*0\s*1\s*0", ladder), ladder
    over = {name: await table[name].get(f"{home(name)}scene/{number}") for name in ("Alice", "Sam", "GM")}
    again = await table["Bob"].send(given_up, "/challenges")
    for name, before in over.items():
        page = await table[name].get(f"{home(name)}scene/{number}")
        asked = name == "Alice"
        assert ("You've been challenged: Tomo challenges Mira" in " ".join(page.text.split())) == asked
        assert page.has_form("/accept") == asked and not before.has_form("/accept")
        awaits = (await table[name].http.get(f"{home(name)}awaits")).json()
        assert any("Tomo challenges Mira" in one["call"] for one in awaits["calls"]) == asked
    assert again.status == 200 and "Tomo challenges Mira best of 3" in again.text
