"""All notes on the GM's desk: the list, the search, and notes opened, saved and refused where they stand."""

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.campaign import notes, seats
from app.models.people import Note
from app.models.scenes import Scene
from app.table.runtime import Runtime
from tests.web.browser import Browser
from tests.web.test_desk import ROAD, Sit, sit

pytestmark = pytest.mark.anyio
__all__ = ["sit"]

DESK = f"{ROAD}/gm/desk"
CANARY = "Vexillophant"


async def written(site: FastAPI, **pages: str) -> str:
    """Notes by topic ("scene" is the open scene); returns the scene's topic."""
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        campaign = await seats.by_slug(session, "the-goblin-road")
        assert campaign is not None
        gm = await seats.member_by_handle(session, campaign.id, "gm")
        scene = f"scene/{(await session.scalars(select(Scene.id))).one()}"
        for topic, body in pages.items():
            name = {"campaign": "", "scene": scene}.get(topic, topic)
            await notes.write(session, campaign.id, gm, body, 0, name)
    return scene


async def test_every_note_is_listed_opened_and_saved_on_the_desk(sit: Sit, site: FastAPI) -> None:
    pages = {"campaign": "The inn burns.\nSecond line", "character/alice": "Owes the miller", "scene": "Two ways in"}
    scene = await written(
        site, **pages, **{"character/long-gone": "Was a spy", f"scene/{'0' * 8}{'-0000' * 4}{'0' * 8}": "Old"}
    )
    gm = sit("gm")
    page = await gm.get(DESK)
    order = [
        page.text.index(said) for said in ("The campaign", "Two ways in", "Owes the miller", "A deleted character")
    ]
    assert order == sorted(order) and "A deleted scene" in page.text and "Was a spy" in page.text
    assert ("body", "The inn burns.\nSecond line") in page.form("/desk/notes").fields, "the campaign's are open"
    for topic, before in (
        ("character/alice", "Owes the miller"),
        (scene, "Two ways in"),
        ("character/long-gone", "Was a spy"),
    ):
        page = await gm.get(f"{DESK}?note={topic}")
        assert ("body", before) in page.form("/desk/notes").fields
        page = await gm.send(page, "/desk/notes", {"body": f"{before}, and more"})
        assert page.status == 200 and "Your notes are saved." in page.text
        assert ("body", f"{before}, and more") in page.form("/desk/notes").fields, "still open"
    new = await gm.get(f"{DESK}?note=character/bob")
    assert new.form("/desk/notes").fields[0] == ("note", "character/bob")
    assert f"{DESK}?note=character/alice#notes" in (await gm.get(f"{ROAD}/gm/characters/alice")).links
    live = await gm.get(f"{DESK}/live?note=character/alice")
    assert "Owes the miller, and more" in live.html and "/desk/live?panel=notes&amp;note=character%2Falice" in live.html
    act = await gm.post(
        f"{ROAD}/gm/{scene}/act/pause",
        {"_page": "desk"},
        **{"HX-Request": "true", "HX-Current-URL": f"http://x{DESK}?note={scene}"},
    )
    assert "Two ways in, and more" in act.html, "a press on a card closes no notes"


async def test_notes_that_are_not_there_and_clashes_lose_no_text(sit: Sit, site: FastAPI) -> None:
    await written(site, **{"character/alice": "First"})
    gm = sit("gm")
    for topic in ("character/nobody", "scene/1", "\0", "../x", f"scene/{'9' * 8}{'-9999' * 4}{'9' * 8}"):
        page = await gm.get(DESK + "?note=" + topic.replace("\0", "%00"))
        assert page.status == 200 and "There are no such notes any more." in page.text, topic
        lost = await gm.post(f"{DESK}/notes", {"note": topic, "body": "Typed for long", "version": "0"})
        assert lost.status == 409 and "There are no such notes." in lost.text and "Typed for long" in lost.html, topic
    page = await gm.get(f"{DESK}?note=character/alice")
    await gm.send(page, "/desk/notes", {"body": "Second"})
    clash = await gm.send(page, "/desk/notes", {"body": "Third"})
    assert clash.status == 409 and "Someone changed these notes" in clash.text
    assert ("body", "Third") in clash.form("/desk/notes").fields and "Second" in clash.text
    async with site.state.runtime.sessions() as session:
        assert [one.body for one in await session.scalars(select(Note))] == ["Second"]


async def test_the_search_marks_what_it_finds_and_is_safe(sit: Sit, site: FastAPI) -> None:
    evil = '<script>alert(1)</script> the Žďár road & "more"'
    await written(site, **{"campaign": "Nothing here", "character/alice": evil, "scene": "On the road"})
    gm = sit("gm")
    page = await gm.get(f"{DESK}?find=ZDAR+script")
    assert "1 found for “ZDAR script”" in page.text and "Nothing here" not in page.text
    assert "<mark>Žďár</mark>" in page.html and "<mark>script</mark>" in page.html and "<script>alert" not in page.html
    assert not page.has_form("/desk/notes"), "a list of what was found, and none of it open"
    assert "<mark>&lt;script&gt;</mark>" in (await gm.get(f"{DESK}?find=%3Cscript%3E")).html
    both = await gm.get(f"{DESK}?find=road")
    assert "2 found" in both.text
    by_name = await gm.get(f"{DESK}?find=alice")
    assert "1 found" in by_name.text and f"{DESK}?note=character/alice&find=alice#notes" in by_name.links
    opened = await gm.get(f"{DESK}?find=nowhere%22%3E%3Cb%3E&note=character/alice")
    assert "Nothing found" in opened.text and '"><b>' not in opened.html and opened.has_form("/desk/notes")
    kept = await gm.send(opened, "/desk/notes", {"body": "Short"})
    assert kept.has_form("/desk/notes") and 'Nothing found for “nowhere"><b>”' in kept.text


async def test_notes_are_on_no_page_of_anybody_else(sit: Sit, site: FastAPI) -> None:
    scene = await written(site, **{"character/alice": CANARY, "scene": CANARY, "campaign": CANARY})
    for who in ("alice", "sam"):
        browser: Browser = sit(who)
        for path in ("/", "/people", "/characters/alice", f"/{scene}", f"/{scene}/notes", f"/desk?find={CANARY[:4]}"):
            page = await browser.get(f"{ROAD}/{who}{path}")
            assert CANARY not in page.html, (who, path)
        assert (await browser.get(f"{ROAD}/{who}/desk?note=character/alice")).status == 403
        sent = await browser.post(f"{ROAD}/{who}/desk/notes", {"note": "character/alice", "body": "x", "version": "1"})
        assert sent.status == 403
    gm = sit("gm")
    assert (await gm.get(f"{DESK}?find={CANARY[:4].lower()}")).html.count(CANARY[:4]) >= 3
