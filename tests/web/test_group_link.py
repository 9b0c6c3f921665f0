"""The group link: many people ask to join by one link, a GM admits them, and nobody learns anything meanwhile."""

import asyncio
import re
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from fastapi import FastAPI
from sqlalchemy import delete, func, select, update

from app.campaign import group_links
from app.crypto.vault import Vault
from app.models.people import Campaign, Character, Device, GroupLink, JoinRequest, Member
from app.table.runtime import Runtime
from app.web.http import limits
from tests.web.browser import Browser, Page

pytestmark = pytest.mark.anyio

Open = Callable[[], Browser]
GM = "/c/the-goblin-road/gerda"


@pytest.fixture
async def gm(open_browser: Open) -> Browser:
    browser = open_browser()
    await browser.send(
        await browser.get("/new"), "/new", {"title": "The Goblin Road", "name": "Gerda", "ruleset": "whiskey"}
    )
    return browser


async def link_of(gm: Browser) -> str:
    return urlsplit((await gm.get(f"{GM}/people")).values["group-link"]).path


async def ask(browser: Browser, link: str, name: str, hero: str = "") -> Page:
    page = await browser.get(link)
    fields = [*((n, v) for n, v in page.form("").fields if n != "name"), ("name", name), ("hero", hero)]
    return await browser.post(link, fields)


async def answer(gm: Browser, how: str, page: str = "/") -> Page:
    return await gm.send(await gm.get(f"{GM}{page}"), f"/{how}")


async def count(site: FastAPI, model: type) -> int:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        return await session.scalar(select(func.count()).select_from(model)) or 0


async def test_one_who_asks_waits_and_is_let_in_with_the_hero(site: FastAPI, open_browser: Open, gm: Browser) -> None:
    """The whole way without scripts, and every page of it again by a reload."""
    alice, link = open_browser(), await link_of(gm)
    waiting = await ask(alice, link, "Alice", "bob")
    assert waiting.path == "/group/the-goblin-road" and "Waiting for the GM" in waiting.text
    assert (await alice.get(link)).path == "/group/the-goblin-road", "the link leads back to the page that waits"
    assert (await alice.http.get("/group/the-goblin-road/state")).json() == {"status": "waiting"}
    home = await gm.get(f"{GM}/")
    assert "Alice asks to join as Bob" in home.text
    admitted = await answer(gm, "admit")
    assert admitted.path == f"{GM}/" and "They have joined." in admitted.text and "asks to join" not in admitted.text
    assert (await alice.http.get("/group/the-goblin-road/state")).json() == {"status": "admitted"}
    seated = await alice.get("/group/the-goblin-road")
    assert seated.path == "/c/the-goblin-road/alice/" and "You have joined, Alice" in seated.text
    assert "Bob" in seated.text and seated.has_form("/characters/new") is False
    phone = open_browser()
    welcome = await phone.get(urlsplit(seated.values["way-back"]).path)
    assert "Welcome back, Alice" in welcome.text, "the personal link works"
    names = {cookie.name for cookie in alice.http.cookies.jar if cookie.value}
    assert names == {"signet", "signet_shown", "signet_joined"}, "the waiting page keeps no copy of the seat's secret"
    again = await alice.get(link)
    assert "You have joined in this browser already" in again.text and "/c/the-goblin-road/alice/" in again.html
    assert await count(site, Member) == 2 and await count(site, Character) == 1


async def test_a_person_who_waits_sees_the_title_and_nothing_else(open_browser: Open, gm: Browser) -> None:
    link, stranger = await link_of(gm), open_browser()
    await gm.send(await gm.get(f"{GM}/"), "/campaign", {"about": "A road of secrets"})
    pages = [await stranger.get(link), await ask(stranger, link, "Gerda"), await stranger.get("/group/the-goblin-road")]
    for page in pages:
        assert page.status == 200 and "The Goblin Road" in page.text
        assert "secrets" not in page.html and "/c/the-goblin-road" not in page.html
    assert "Gerda" not in pages[0].html, "a name that is taken is not told to a stranger"
    for path in ("/c/the-goblin-road/gerda/", "/c/the-goblin-road/gerda-2/"):
        assert (await stranger.get(path)).status == 401
    await answer(gm, "admit")
    assert "You have joined, Gerda 2" in (await stranger.get("/group/the-goblin-road")).text


async def test_only_gms_see_the_link_and_who_asks(open_browser: Open, gm: Browser) -> None:
    link = await link_of(gm)
    alice, sam = open_browser(), open_browser()
    await ask(alice, link, "Alice")
    await answer(gm, "admit")
    await alice.get("/group/the-goblin-road")
    invited = await gm.send(await gm.get(f"{GM}/people"), "/people/invite", {"role": "spectator"})
    path = urlsplit(invited.values["invitation-link"]).path
    await sam.send(await sam.get(path), "", {"name": "Sam"})
    await ask(open_browser(), link, "Newt")
    for reader, handle in ((alice, "alice"), (sam, "sam")):
        for page in ("/", "/live", "/people", "/people/live", "/you", "/awaits"):
            seen = await reader.get(f"/c/the-goblin-road/{handle}{page}")
            assert seen.status == 200 and "Newt" not in seen.html and "/group/" not in seen.html, page
    for page in ("/", "/live", "/people", "/people/live"):
        assert "Newt asks to join" in (await gm.get(f"{GM}{page}")).text, page


async def test_a_declined_person_learns_it_and_may_ask_again(site: FastAPI, open_browser: Open, gm: Browser) -> None:
    link, newt = await link_of(gm), open_browser()
    await ask(newt, link, "Newt")
    page = await gm.get(f"{GM}/people")
    declined = await gm.send(page, "/decline")
    assert declined.path == f"{GM}/people" and "You declined the request." in declined.text
    assert (await gm.send(page, "/admit")).status == 410, "an open page may press too late"
    assert "did not let you in" in (await newt.get("/group/the-goblin-road")).text
    assert "Waiting for the GM" in (await ask(newt, link, "Newt")).text
    page = await gm.get(f"{GM}/")
    await gm.send(page, "/admit")
    assert (await gm.send(page, "/decline")).status == 410 and await count(site, Member) == 2


async def test_a_renewed_link_and_one_switched_off_stop_working(open_browser: Open, gm: Browser) -> None:
    old, late, newt = await link_of(gm), open_browser(), open_browser()
    form = await late.get(old)
    await ask(newt, old, "Newt")
    renewed = await gm.send(await gm.get(f"{GM}/people"), "/group-link")
    assert renewed.path == f"{GM}/people" and "Newt" not in renewed.text
    new = urlsplit(renewed.values["group-link"]).path
    assert new != old and (await open_browser().get(new)).status == 200
    for refused in (await open_browser().get(old), await late.send(form, "", {"name": "Late"})):
        assert refused.status == 404 and "This group link does not work" in refused.text
    assert "did not let you in" in (await newt.get("/group/the-goblin-road")).text
    off = await gm.send(renewed, "/group-link/close")
    assert "switched off" in off.text and "group-link" not in off.values
    assert (await open_browser().get(new)).status == 404
    on = await gm.send(await gm.get(f"{GM}/"), "/group-link")
    assert urlsplit(on.values["group-link"]).path not in (old, new)


async def test_double_presses_and_many_at_once_count_once(site: FastAPI, open_browser: Open, gm: Browser) -> None:
    link, alice = await link_of(gm), open_browser()
    page = await alice.get(link)
    for _ in range(3):
        assert (await alice.send(page, "", {"name": "Alice"})).status == 200
    assert await count(site, JoinRequest) == 1
    home = await gm.get(f"{GM}/")
    answers = await asyncio.gather(*(gm.send(home, "/admit") for _ in range(5)))
    assert {one.status for one in answers} == {200}
    assert await count(site, Member) == 2 and await count(site, Device) == 2
    assert (await alice.get("/group/the-goblin-road")).path == "/c/the-goblin-road/alice/"
    state: Runtime = site.state.runtime
    async with state.sessions.begin() as session:
        campaign = (await session.scalars(select(Campaign))).one()
        for n in range(group_links.MOST_WAITING):
            await group_links.ask(session, campaign.slug, link.rsplit("/", 1)[1], f"Newt {n}", "", "test")
    full = await ask(open_browser(), link, "Late")
    assert full.status == 409 and "Too many people are waiting" in full.text and 'value="Late"' in full.html


async def test_wrong_input_keeps_the_name_and_says_what_is_wrong(open_browser: Open, gm: Browser) -> None:
    link, newt = await link_of(gm), open_browser()
    for name, hero, said in (("", "", "needed"), ("N" * 61, "", "60"), ("Newt", "nobody", "no ready-made hero")):
        refused = await ask(newt, link, name, hero)
        assert refused.status in (409, 422) and said in refused.text and f'value="{name}"' in refused.html
    assert (await newt.get("/group/the-goblin-road")).status == 404
    assert (await newt.get("/group/no-such-campaign")).status == 404
    newt.http.cookies.set("signet_waiting", "x" * 43, domain="signet.test", path="/group/the-goblin-road")
    assert (await newt.get("/group/the-goblin-road")).status == 404
    assert (await newt.http.get("/group/the-goblin-road/state")).json() == {"status": "gone"}


async def test_strangers_may_not_try_for_ever(site: FastAPI, open_browser: Open, gm: Browser) -> None:
    link, newt = await link_of(gm), open_browser()
    await ask(newt, link, "Newt")
    now = site.state.meter.clock()
    site.state.meter.clock = lambda: now  # a slow machine would earn new tries meanwhile
    for rate in (limits.JOIN, limits.WAIT):
        while not site.state.meter.wait(rate, "127.0.0.1"):
            pass
    assert (await ask(open_browser(), link, "Late")).status == 429
    for path in ("/group/the-goblin-road", "/group/the-goblin-road/state"):
        assert (await newt.get(path)).status == 429
    while not site.state.meter.wait(limits.LOOK, "127.0.0.1"):
        pass
    assert (await open_browser().get(link)).status == 429


async def test_who_left_or_was_removed_is_not_let_in_by_the_old_request(open_browser: Open, gm: Browser) -> None:
    link, alice = await link_of(gm), open_browser()
    await ask(alice, link, "Alice")
    await answer(gm, "admit")
    cookie = next(one for one in alice.http.cookies.jar if one.name == "signet_waiting")
    await alice.get("/group/the-goblin-road")
    await gm.send(await gm.get(f"{GM}/people"), "/of/alice/remove")
    thief = open_browser()
    thief.http.cookies.set("signet_waiting", cookie.value or "", domain="signet.test", path="/group/the-goblin-road")
    assert (await thief.get("/group/the-goblin-road")).status == 404
    assert (await alice.get("/c/the-goblin-road/alice/")).status == 401


async def test_the_database_holds_no_link_and_no_old_names(site: FastAPI, open_browser: Open, gm: Browser) -> None:
    link, newt = await link_of(gm), open_browser()
    await ask(newt, link, "Newt")
    secret = next(one.value for one in newt.http.cookies.jar if one.name == "signet_waiting")
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        campaign = (await session.scalars(select(Campaign))).one()
        rows = [await session.get(GroupLink, campaign.id), await session.scalar(select(JoinRequest))]
        stored = repr([vars(row) for row in rows])
        assert link.rsplit("/", 1)[1] not in stored and secret and secret not in stored
        assert await group_links.token_for_gms(session, Vault([bytes(32)]), campaign) == "", (
            "without the key nobody can tell it"
        )
        await session.execute(update(JoinRequest).values(made_at=func.now() - group_links.LIFE - timedelta(hours=1)))
    assert "Newt asks" not in (await gm.get(f"{GM}/")).text
    await ask(open_browser(), link, "Later")
    assert await count(site, JoinRequest) == 1, "the old one is gone for good"
    async with runtime.sessions.begin() as session:
        await session.execute(delete(Campaign))
    assert await count(site, GroupLink) == await count(site, JoinRequest) == 0


async def test_a_ready_made_hero_is_one_press(site: FastAPI, open_browser: Open, gm: Browser) -> None:
    """On a personal invitation and on the page for new characters; a second one of the same name gets a number."""
    invited = await gm.send(await gm.get(f"{GM}/people"), "/people/invite", {"for_name": "Ann"})
    ann, path = open_browser(), urlsplit(invited.values["invitation-link"]).path
    page = await ann.get(path)
    assert ("hero", "alice") in page.form("").buttons
    seated = await ann.post(path, [*page.form("").fields, ("me", "yes"), ("hero", "alice")])
    assert seated.path == "/c/the-goblin-road/ann/" and "Alice" in seated.text
    new = await ann.get("/c/the-goblin-road/ann/characters/new")
    form = new.form("/new/ready")
    made = [await ann.post(form.action, [*form.fields, ("hero", "alice")]) for _ in range(2)]
    assert {one.path for one in made} == {"/c/the-goblin-road/ann/characters/alice-2"} and "Alice 2" in made[0].text
    wrong = await ann.post(form.action, [*form.fields, ("hero", "nobody")])
    assert wrong.status == 409 and "no ready-made hero" in wrong.text
    hers = await gm.get(f"{GM}/characters/new")
    form = hers.form("/new/ready")
    given = [(n, "ann" if n == "owner" else v) for n, v in form.fields]
    assert "Bob" in (await gm.post(form.action, [*given, ("hero", "bob")])).text
    assert "Bob" in (await ann.get("/c/the-goblin-road/ann/")).text
    kept = await gm.post(form.action, [*((n, v) for n, v in form.fields if n != "_once"), ("hero", "charlie")])
    assert kept.status == 200 and "Charlie" not in (await ann.get("/c/the-goblin-road/ann/")).html
    spectator = await gm.send(await gm.get(f"{GM}/people"), "/people/invite", {"role": "spectator"})
    page = await open_browser().get(urlsplit(spectator.values["invitation-link"]).path)
    assert page.form("").buttons == [] and re.search("invited to watch", page.text)
    assert await count(site, Character) == 4
