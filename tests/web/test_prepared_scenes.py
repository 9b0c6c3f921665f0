"""Prepared scenes: a form that is kept for later, opened in one press, and checked anew; only GMs know of it."""

import asyncio
from collections.abc import Callable

import psycopg
import pytest
from fastapi import FastAPI
from sqlalchemy import func, make_url, select, update

from app.campaign import notes, seats
from app.models.people import Character, PreparedScene
from app.models.scenes import Scene
from app.rulesets import find
from tests.web.browser import Browser, Page
from tests.web.test_desk import ROAD, Sit, sit
from tests.web.test_new_scene import every_game

pytestmark = pytest.mark.anyio
__all__ = ["sit"]

NEW, DESK = f"{ROAD}/gm/scenes/new", f"{ROAD}/gm/desk"
CANARY = "Vexillophant"
TYPED = {"title": f"{CANARY} bridge", "notes": f"{CANARY} is under it.\r\nTwo ways out", "given.muster.wolf.count": "2"}


async def keep(gm: Browser, at: str = NEW, **typed: str) -> Page:
    page = await gm.get(at)
    typed = {**TYPED, **typed}
    fields = [(name, value) for name, value in page.form("/scenes/new").fields if name not in typed]
    return await gm.post(NEW, [*fields, *typed.items(), ("_keep", "yes")])


async def counted(site: FastAPI, table: type[Scene | PreparedScene] = Scene) -> int:
    async with site.state.runtime.sessions() as session:
        return await session.scalar(select(func.count()).select_from(table)) or 0


async def free_the_cast(gm: Browser) -> None:
    """The demo's own battle is abandoned, so that its characters are free."""
    desk = await gm.get(DESK)
    scene = next(form.action for form in desk.forms if form.action.endswith("/act/pause")).removesuffix("/act/pause")
    assert (await gm.post(f"{scene}/act/leave")).status == 200


async def test_a_kept_form_opens_in_one_press_with_all_that_was_typed(sit: Sit, site: FastAPI) -> None:
    gm = sit("gm")
    await free_the_cast(gm)
    kept = await keep(gm)
    assert kept.path == DESK and f"{CANARY} bridge" in kept.text and "with Alice, Bob and Charlie" in kept.text
    assert await counted(site) == 1, "nothing is open yet"
    opened = await gm.send(kept, "/open")
    assert opened.path == DESK and "The scene is open." in opened.text and "Prepared scenes" not in opened.text
    async with site.state.runtime.sessions() as session:
        scene = (await session.scalars(select(Scene).where(Scene.title == f"{CANARY} bridge"))).one()
        campaign = await seats.by_slug(session, "the-goblin-road")
        assert campaign is not None
        host = await seats.member_by_handle(session, campaign.id, "gm")
        assert (
            await notes.read(session, campaign.id, host, f"scene/{scene.id}")
        ).body == f"{CANARY} is under it.\nTwo ways out"
    table = await gm.get(f"{ROAD}/gm/scene/{scene.id}")
    assert "Wolf" in table.text
    straight = await gm.get(NEW)
    fields = [(n, v) for n, v in straight.form("/scenes/new").fields if n not in ("title", "notes", "_doubt")]
    other = await gm.post(NEW, [*fields, ("title", "Now"), ("notes", "At once"), ("held", "copy")])
    assert "At once" in (await gm.get(f"{DESK}?note=scene/{other.path.rpartition('/')[2]}")).html


async def test_one_without_foes_is_doubted_once(sit: Sit, site: FastAPI) -> None:
    """Finds a prepared scene that opens with nobody to fight, where the form itself would have asked."""
    gm = sit("gm")
    await free_the_cast(gm)
    asked = await gm.send(await keep(gm, **{"given.muster.wolf.count": "0"}), "/open")
    assert asked.status == 422 and "Nobody to fight yet" in asked.text and await counted(site) == 1
    assert f"{CANARY} bridge" in asked.html
    await gm.send(asked, "/scenes/new")
    assert await counted(site) == 2 and await counted(site, PreparedScene) == 1
    assert "Prepared scenes" not in (await gm.get(DESK)).text


async def test_a_double_press_opens_one_scene_and_keeps_one_form(sit: Sit, site: FastAPI) -> None:
    gm = sit("gm")
    await free_the_cast(gm)
    page = await gm.get(NEW)
    fields = [(n, v) for n, v in page.form("/scenes/new").fields if n not in TYPED]
    both = [gm.post(NEW, [*fields, *TYPED.items(), ("_keep", "yes")]) for _ in range(2)]
    await asyncio.gather(*both)
    assert await counted(site, PreparedScene) == 1
    other = await gm.post(NEW, [*fields, *{**TYPED, "title": "Back in the browser"}.items(), ("_keep", "yes")])
    assert "Back in the browser" in other.text and f"{CANARY} bridge" in other.text
    action = other.form("/open").action
    answers = await asyncio.gather(*(gm.post(action) for _ in range(4)))
    assert {(one.status, one.path) for one in answers} == {(200, DESK)} and await counted(site) == 2
    late = await gm.post(action)
    assert late.path == DESK and await counted(site) == 2
    stale = await gm.get(f"{NEW}?prepared={action.split('/')[-2]}")
    again = [*stale.form("/scenes/new").fields, ("_keep", "yes")]
    told = await gm.post(NEW, again)
    assert told.status == 422 and "has been opened in the meantime" in told.text


async def test_what_no_longer_fits_is_named_on_the_filled_form(sit: Sit, site: FastAPI) -> None:
    gm = sit("gm")
    kept = await keep(gm)
    assert "Now: Alice, Bob and Charlie are in “Goblins in the woods”." in kept.text
    held = await gm.send(kept, "/open")
    assert held.status == 422 and "Alice, Bob, Charlie" in held.text and await counted(site) == 1
    typed = dict(held.form("/scenes/new").fields)
    as_read = TYPED["notes"].replace("\r\n", "\n")  # a browser keeps one sign for each end of a line
    assert (typed["title"], typed["notes"]) == (TYPED["title"], as_read)
    assert (typed["given.muster.0.kind"], typed["given.muster.0.count"]) == ("wolf", "2")
    async with site.state.runtime.sessions.begin() as session:
        await session.execute(update(Character).where(Character.slug == "bob").values(retired_at=func.now()))
    gone = await gm.send(await gm.get(DESK), "/open")
    assert (
        gone.status == 422
        and "Bob can’t take part: retired" in gone.text
        and "Bob has retired" in (await gm.get(DESK)).text
    )
    fields = gone.form("/scenes/new").fields
    assert ("seat[]", "alice") in fields and ("seat[]", "bob") not in fields and ("title", TYPED["title"]) in fields
    opened = await gm.post(NEW, [*fields, ("held", "copy")])
    assert "/scene/" in opened.path and await counted(site) == 2
    assert "Prepared scenes" not in (await gm.get(DESK)).text, "opened from its form, it is off the list"


async def test_it_is_changed_copied_removed_and_put_back(sit: Sit, site: FastAPI) -> None:
    gm = sit("gm")
    kept = await keep(gm)
    at = next(link for link in kept.links if "?prepared=" in link)
    form = await gm.get(at)
    assert form.status == 200 and "Prepared scene" in form.text and CANARY in form.html
    fields = [(n, v) for n, v in form.form("/scenes/new").fields if n not in ("title", "seat[]")]
    saved = await gm.post(NEW, [*fields, ("title", "The ford"), ("_keep", "yes")])
    assert saved.path == DESK and "The ford" in saved.text and CANARY not in saved.text, "no cast is needed yet"
    clash = await gm.post(NEW, [*fields, ("title", "The bog"), ("_keep", "yes")])
    assert clash.status == 422 and "Someone changed this prepared scene" in clash.text and "The bog" in clash.html
    for bad in ({"title": "x" * 121}, {"given.muster.wolf.count": "many"}, {"notes": "y" * 20_001}, {"title": "a\0b"}):
        refused = await keep(gm, at, **bad)
        assert refused.status == 422 and TYPED["given.muster.wolf.count"] in refused.html, bad
        assert all(
            value.replace("\0", "") in refused.html.replace("\0", "").replace("\ufffd", "") for value in bad.values()
        ), bad
    assert await counted(site, PreparedScene) == 1
    copied = await gm.send(saved, f"/prepared/{at.partition('?prepared=')[2]}/copy")
    assert "The ford (copy)" in copied.text and await counted(site, PreparedScene) == 2
    removed = await gm.send(copied, "/remove")
    assert "1 removed" in removed.text and removed.has_form("/restore")
    back = await gm.send(removed, "/restore")
    assert not back.has_form("/restore") and len([one for one in back.forms if one.action.endswith("/open")]) == 2
    for act in ("open", "copy", "remove", "restore"):
        for key in ("x", "%00", "00000000-0000-0000-0000-000000000000"):
            assert (await gm.post(f"{ROAD}/gm/scenes/prepared/{key}/{act}")).status == 404
    assert (await gm.get(f"{NEW}?prepared=00000000-0000-0000-0000-000000000000")).status == 404


async def test_only_gms_know_of_it_and_the_database_does_not(sit: Sit, db_url: str) -> None:
    gm = sit("gm")
    kept = await keep(gm, NEW, **{"given.description": f"{CANARY} waits"})
    assert CANARY in kept.html
    plain = make_url(db_url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain) as admin:
        for (name,) in admin.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall():
            rows = admin.execute(f'SELECT t::text FROM "{name}" t').fetchall()
            assert not any(CANARY in row or CANARY.encode().hex() in row for (row,) in rows), name
    prepared = kept.form("/open").action.removeprefix(f"{ROAD}/gm")
    for who in ("alice", "sam"):
        browser = sit(who)
        for path in ("/", "/live", "/people", "/calendar", "/turns", "/awaits"):
            assert CANARY not in (await browser.get(f"{ROAD}/{who}{path}")).html, (who, path)
        for path in ("/desk", f"/scenes/new?prepared={prepared.split('/')[-2]}"):
            assert (await browser.get(f"{ROAD}/{who}{path}")).status == 403
        for act in ("open", "copy", "remove", "restore"):
            there = await browser.post(f"{ROAD}/{who}{prepared.removesuffix('open')}{act}")
            assert there.status == 403 and CANARY not in there.html


async def test_every_kind_of_scene_can_be_prepared(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    gm, path, people = await every_game(site, open_browser)
    for game, (well, _) in people.items():
        for kind in find(game).kinds:
            if kind.seats_are_people or not kind.pages.opening:
                continue
            page = await gm.get(f"{path}/scenes/new?ruleset={game}&kind={kind.key}")
            fields = [(n, v) for n, v in page.form("/scenes/new").fields if n not in ("title", "seat[]")]
            kept = await gm.post(
                f"{path}/scenes/new", [*fields, ("title", f"A {game}"), ("seat[]", well), ("_keep", "yes")]
            )
            assert kept.path == f"{path}/desk", (game, kind.key, kept.text[-400:])
            form = await gm.get(next(link for link in kept.links if "?prepared=" in link))
            before = {pair for pair in fields if not pair[0].startswith("_")}
            assert before <= set(form.form("/scenes/new").fields), (game, kind.key)
            await gm.send(kept, "/remove")
            await gm.get(f"{path}/desk")
