"""A GM sees a scene as a seat does: what that player's own page shows, and nothing that the GM may not know."""

import re
from collections.abc import Callable

import pytest
from fastapi import FastAPI

from tests.arcana_fight import lay
from tests.web.browser import Browser
from tests.web.seated_fight import Fight, seated

pytestmark = pytest.mark.anyio

CANARY = "canary-{}-5d1f"
OTHERS = ("ada", "ben", "cleo", "spectator")
CODED = {"what": "minors", "minors.0.do": "communicate", "minors.0.allies[]": "ben"}


def of(who: str, typed: dict[str, str]) -> dict[str, str]:
    return {f"of.{who}.{name}": value for name, value in typed.items()}


def plain(html: str) -> str:
    """Without what a page's own address, the time and a press put into it."""
    html = re.sub(r"/c/[\w-]+/\w+/scene/[0-9a-f-]+(/as/\w+)?", "HERE", html)
    html = re.sub(r"/c/[\w-]+/\w+/", "HOME/", html)
    return re.sub(r'data-(?:now|kept)="[^"]*"|value="[0-9a-f-]{36}"', "", html)


def part(html: str, begin: str, end: str) -> str:
    found = re.search(rf"{begin}.*?{end}", plain(html), re.DOTALL)
    assert found, begin
    return found[0]


async def as_others(fight: Fight) -> dict[str, str]:
    """The GM's pages of the scene as each seat, and as a spectator."""
    at = fight.at.format(who="gm")
    found = {}
    for seat in OTHERS:
        page = await fight.browsers["gm"].get(f"{at}/as/{seat}")
        assert page.status == 200, page.text
        found[seat] = page.html
    return found


async def test_it_is_what_the_players_own_page_shows(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    """Not the map alone: the form, the log and the words on top, too."""
    fight = await seated(site, open_browser, lay)
    for round_is_over in (False, True):
        if round_is_over:
            for who in ("ada", "ben", "cleo", "gm"):
                await fight.answer(who, "plan")
        seen = await as_others(fight)
        for seat, own in (("ada", "ada"), ("spectator", "sam")):
            page = (await fight.page(own)).html
            for begin, end in (
                ('<section class="table-side"', "</section>\\s*<div class"),
                ('<section class="log"', "</section>"),
                ('<p class="awaits', "</strong>"),
            ):
                assert part(page, begin, end) == part(seen[seat], begin, end)
        form = part((await fight.page("ada")).html, 'name="_request"', '<div class="acts">').partition(">")[2]
        assert form.removesuffix('<div class="acts">').strip() in plain(seen["ada"])
        assert 'name="_act"' not in seen["ada"], "nothing that looks as if it could be pressed"
        assert "You see what Ada’s player sees" in seen["ada"] and "what a spectator sees" in seen["spectator"]


async def test_no_secret_of_a_seat_is_on_it(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    """A draft, sealed words, a goal, and after the reveal the words that only the players may read."""
    fight = await seated(site, open_browser, lay)
    secrets = {name: CANARY.format(name) for name in ("draft", "sealed", "goal", "coded")}
    home = fight.at.partition("/scene/")[0]
    await fight.browsers["ada"].post(f"{home.format(who='ada')}/characters/ada/goals", {"body": secrets["goal"]})
    said = {"minors.0.words": secrets["draft"]}
    drafted = await fight.answer("ada", "plan", act="draft", **of("ada", {**CODED, **said}))
    sealed = await fight.answer("cleo", "plan", **of("cleo", {**CODED, "minors.0.words": secrets["sealed"]}))
    assert (drafted.status, sealed.status) == (200, 200), re.findall(r"fault[^>]*>[^<]+", sealed.html)
    assert secrets["draft"] in drafted.html and secrets["sealed"] in sealed.html
    seen = await as_others(fight)
    assert all(word not in html for word in secrets.values() for html in seen.values())
    assert "Cleo has sealed. You can’t read it." in seen["cleo"] and "This is a draft" not in seen["ada"]

    await fight.answer("ada", "plan", **of("ada", {**CODED, "minors.0.words": secrets["coded"]}))
    for who in ("ben", "gm"):
        await fight.answer(who, "plan")
    assert secrets["coded"] in (await fight.page("ben")).html, "ben may read it"
    seen = await as_others(fight)
    assert all(word not in html for word in secrets.values() for html in seen.values())


async def test_other_seats_and_the_gms_own_are_refused(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    fight = await seated(site, open_browser, lay)
    at = fight.at.format(who="gm")
    own = await fight.browsers["gm"].get(f"{at}/as/gm")
    assert own.status == 409 and "the GM’s own seat" in own.text.replace("'", "’")
    for wrong in ("nobody", "Ada", "%00", "x" * 300):
        assert (await fight.browsers["gm"].get(f"{at}/as/{wrong}")).status == 404
    assert (await fight.browsers["ada"].get(f"{fight.at.format(who='ada')}/as/ben")).status == 403
    for why in ("0", "99999", "x"):
        assert (await fight.browsers["gm"].get(f"{at}/as/ada/why/{why}")).status == 404
    for page in (at, at.partition("/scene/")[0] + "/desk"):
        assert f"{at}/as/ada" in (await fight.browsers["gm"].get(page)).links
