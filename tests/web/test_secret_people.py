"""The GM's people are the GM's alone: no page, form, list or answer tells a player or a spectator that they are there.

In scenes their rules show what they show; from a scene that is over, everybody keeps the name.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters, seats
from app.engine.ruleset import GM, Brief, Seat
from app.models.people import Character
from app.models.scenes import Scene
from app.play import decisions
from app.rulesets.chronicle import samples
from app.table import ending
from app.table.loaded_scene import lock
from app.table.opening import open_scene
from tests.selection import nightly
from tests.web.browser import Browser
from tests.web.chronicle_campaign import Valley, found
from tests.web.role_matrix import VERDICTS, address
from tests.web.test_crawl import Walk

pytestmark = pytest.mark.anyio

NAME, SLUG, NOTE = "Xenoria", "xenoria", "Zarquonite"
SECRET = re.compile(rf"{NAME}|{NOTE}", re.IGNORECASE)
NOBODY = "xenophon"  # as long, and not there at all


class Secret(Valley):
    """The GM alone knows of Xenoria."""

    async def person(self) -> Character:
        async with self.runtime.sessions() as session:
            return await characters.find(session, self.campaign.id, SLUG)

    async def play(self, kind: str, *who: str, **given: Any) -> None:
        """A scene with these people, which is over."""
        async with self.runtime.sessions.begin() as session:
            seated = {**{Seat(one): (one,) for one in who}, GM: ()}
            brief = Brief(kind=kind, title="A night at the mill", seats=seated, given=given)
            scene = await open_scene(session, self.runtime.vault, self.campaign.id, "chronicle", brief)
            live = await lock(session, self.runtime.vault, self.campaign.id, scene)
            assert live is not None
            await ending.release(session, live, "over", live.now)


@pytest.fixture
async def valley(site: FastAPI, open_browser: Callable[[], Browser]) -> Secret:
    """On the calendar she takes part in what everybody may know of, and days have done something with it."""
    heroes = samples.heroes()

    async def more(session: AsyncSession, valley: Valley) -> None:
        await valley.create(session, heroes["morten"].model_copy(update={"name": NAME, "past": NOTE}))

    laid = await found(site, open_browser, heroes, more)
    valley = Secret(laid.runtime, laid.campaign, laid.people, laid.seats)
    day = {"month": "1", "year": "1", "people": SLUG}
    for kind, title, number in (("event", "A caravan", "1"), ("event", "A market", "2"), ("scene", "A feast", "9")):
        put = await valley.post("gm", "/calendar/entries", kind=kind, title=title, day=number, **day)
        assert put.status == 200 and NAME in put.text, put.text
    desk = await valley.get("gm", "/calendar/move?to=3")
    assert "A caravan" in (await valley.seats["gm"].send(desk, "/calendar/go")).text
    return valley


ROUTES = [(method, route) for (method, route), verdict in VERDICTS.items() if verdict not in ("stream", "all")]


async def shown(valley: Secret, who: str) -> dict[str, str]:
    """All that a member is shown: every address of the app, and by night wherever links lead from home besides."""
    walk = Walk(valley.seats[who])
    if nightly() and who == "ella":  # whoever watches sees less of the same
        await walk.follow(valley.at(who, "/"))
    assert walk.wrong == []
    found = {at: page.html for at, page in walk.seen.items()}
    for method, route in ROUTES:
        if method == "GET":
            path = address(route, slug=valley.campaign.slug, handle=who, scene_id="x", who="ella")
            found[path] = (await valley.seats[who].http.get(path)).text
    for path in ("/calendar/day?at=1", "/calendar/agenda?q=a", "/calendar?year=1&month=1"):
        found[path] = (await valley.get(who, path)).html
    return found


async def test_no_page_tells_that_they_are_there(valley: Secret) -> None:
    """Defect 2: lists, the calendar with what days did, forms and what they offer, live parts."""
    for path in ("/", "/people", "/calendar/day?at=1", "/calendar/of/ella", "/characters/ella", "/scenes/new"):
        assert SECRET.search((await valley.get("gm", path)).html), path
    for who in ("ella", "sam"):
        assert [at for at, text in (await shown(valley, who)).items() if SECRET.search(text)] == []


async def _answer(browser: Browser, method: str, path: str, asked: str, typed: dict[str, str]) -> tuple[int, str]:
    """Status and page of an answer, without the words that were asked with and what is new on each page."""
    data = {name: value.format(asked=asked) for name, value in typed.items()} if typed else None
    said = {"Sec-Fetch-Site": "same-origin"}
    answer = await browser.http.request(method, path.format(asked=asked), headers=said, data=data)
    return answer.status_code, re.sub(r'value="[\w-]{20,}"', "", answer.text.replace(asked, "asked"))


NAMING: tuple[tuple[str, str, dict[str, str]], ...] = (
    *(("GET", f"/calendar{page}?who={{asked}}", {}) for page in ("", "/year", "/agenda", "/entries/new")),
    ("GET", "/calendar/agenda?who={asked}&q=a", {}),
    ("POST", "/calendar/entries", {"title": "A", "day": "1", "month": "1", "year": "1", "people": "{asked}"}),
    ("POST", "/people/hand-over", {"character": "{asked}"}),
    ("POST", "/challenges", {"challenger": "ella", "challenged": "{asked}"}),
    ("POST", "/promotions", {"who": "{asked}"}),
    ("POST", "/characters/ella/successor", {"who": "{asked}"}),
    ("POST", "/characters/ella/aid", {"helper": "{asked}"}),
    ("POST", "/characters/ella/care", {"care.by": "helper", "care.helper": "{asked}"}),
)
"""Wherever a character is named besides in the address itself."""


@pytest.mark.parametrize("who", ["ella", pytest.param("sam", marks=pytest.mark.nightly)])
async def test_asked_for_by_name_they_are_as_if_they_were_not_there(valley: Secret, who: str) -> None:
    routes = [(method, route, {}) for method, route in ROUTES if "{who}" in route and "/people/of/" not in route]
    parts = {"slug": valley.campaign.slug, "handle": who}
    ways = [(method, address(route, **parts, who="{asked}"), typed) for method, route, typed in routes]
    ways += [(method, valley.at(who, path), typed) for method, path, typed in NAMING]
    wrong = []
    for method, path, typed in ways:
        there, not_there = [await _answer(valley.seats[who], method, path, one, typed) for one in (SLUG, NOBODY)]
        if there != not_there or (not typed and "?" not in path and there[0] not in (403, 404)):
            wrong.append((method, path, there[0], not_there[0]))
    assert wrong == [] and len(ways) > 25
    assert (await valley.get("gm", f"/characters/{SLUG}")).status == 200


async def test_they_are_known_as_long_as_a_member_plays_them(valley: Secret) -> None:
    given = await valley.post("gm", f"/characters/{SLUG}/hand-over", to="ella")
    assert "Character handed over" in given.text
    for who in ("ella", "morten", "sam"):
        assert NOTE in (await valley.get(who, f"/characters/{SLUG}")).text
        assert NAME in (await valley.get(who, "/calendar/day?at=1")).text
    back = await valley.post("ella", f"/characters/{SLUG}/hand-over", to="")
    assert back.status == 200 and back.path.endswith("/people") and "Character handed over" in back.text
    assert (await valley.get("ella", f"/characters/{SLUG}")).status == 404


async def test_whom_players_met_they_ask_for_by_the_name_of_that_scene(valley: Secret) -> None:
    """CHR-CHA-10: what the GM's person is called since then, and all else, stays unknown until the GM confirms."""
    await valley.play("free", "ella", SLUG, description="Rain.")
    person = await valley.person()
    async with valley.runtime.sessions.begin() as session:
        gm = await seats.member_by_handle(session, valley.campaign.id, "gm")
        await characters.edit(session, person, person.version, "Zarina", {**person.sheet, "name": "Zarina"}, gm)
    for who in ("ella", "morten"):
        page = await valley.get(who, "/characters/new")
        assert f'value="{SLUG}">{NAME}</option>' in page.html and "Zarina" not in page.html
    home = await valley.seats["ella"].send(await valley.get("ella", "/characters/new"), "/promotions")
    assert f"You ask to play {NAME} from now on" in home.text and "Zarina" not in home.html
    assert "to play" not in (await valley.get("morten", "/")).text
    home = await valley.get("gm", "/")
    assert "Ella asks to play Zarina" in home.text
    await valley.seats["gm"].send(home, "/confirm")
    assert "Zarina" in (await valley.get("morten", f"/characters/{SLUG}")).text
    assert not (await valley.get("ella", "/characters/new")).has_form("/promotions")


@pytest.mark.parametrize("who", [("ella", "morten"), ("ella", SLUG)])
async def test_what_comes_next_offers_whom_everybody_knows(valley: Secret, who: tuple[str, ...]) -> None:
    await valley.play("free", *who, description="Rain.")
    async with valley.runtime.sessions.begin() as session:
        played = (await session.scalars(select(Scene.id).where(Scene.campaign_id == valley.campaign.id))).one()
        asked = await decisions.ask_next(session, valley.runtime.vault, valley.campaign.id, played)
    for reader in ("ella", "sam"):
        page = await valley.get(reader, f"/scene/{asked}")
        assert page.status == 200 and (NAME in page.text) == (SLUG in who)


async def test_who_helps_is_known_to_whoever_is_helped(valley: Secret) -> None:
    """A GM says on a player's sheet who treats the wounds: there the name stands, and the form keeps it."""
    form = (await valley.get("gm", "/characters/ella")).form("/ella/care")
    kept = [(name, value) for name, value in form.fields if name not in ("care.by", "care.helper")]
    await valley.seats["gm"].post(form.action, [*kept, ("care.by", "helper"), ("care.helper", SLUG)])
    page = await valley.get("ella", "/characters/ella")
    assert f"{NAME} treats Ella" in page.text and NOTE not in page.text
    assert ("care.helper", SLUG) in page.form("/ella/care").fields
    assert NAME not in (await valley.get("morten", "/characters/morten")).text
    again = await valley.seats["ella"].send(page, "/ella/care")
    assert again.status == 200 and f"{NAME} treats Ella" in again.text


async def test_an_entry_keeps_whom_its_writer_does_not_see(valley: Secret) -> None:
    day = {"day": "5", "month": "1", "year": "1"}
    put = await valley.post("ella", "/calendar/entries", title="A walk", people="ella", **day)
    path = put.path.split("/ella", 1)[1]
    page = await valley.get("gm", path)
    form = page.form("/change")
    await valley.seats["gm"].post(form.action, [*form.fields, ("people", SLUG)])
    page = await valley.get("ella", path)
    assert NAME not in page.text and SLUG not in page.html
    changed = await valley.seats["ella"].send(page, "/change", {"title": "A long walk"})
    assert changed.status == 200 and "A long walk" in changed.text
    page = await valley.get("gm", path)
    assert "A long walk" in page.text and f"Who: Ella, {NAME}" in " ".join(page.text.split())
