"""The GMs' library on the desk: folders, a search, and what players may know of each of their characters.

`test_secret_people.py` has the level "GM alone"; here are the other two, and the way between them.
"""

import pytest
from sqlalchemy import select

from app.campaign import characters, library, notes, seats
from app.engine.ruleset import Brief, Seat
from app.models.scenes import Scene
from app.play import decisions
from app.table.opening import open_scene
from tests.web.test_desk import ROAD, Sit, sit
from tests.web.test_secret_people import NAME, NOBODY, NOTE, SLUG, Secret, shown, valley

pytestmark = pytest.mark.anyio
__all__ = ["sit", "valley"]

FOLDER, JOTTED = "Quibbleford", "Vexillophant"
NAMED = {"/", "/live", "/characters/new", "/promotions", "/people", "/people/live"}
"""Pages that may say a name that players know, and nothing else."""


async def plant(valley: Secret) -> None:
    """A folder and notes: of no level are they anybody's but the GMs'."""
    async with valley.runtime.sessions.begin() as session:
        gm = await seats.member_by_handle(session, valley.campaign.id, "gm")
        await library.move(session, await valley.person(), FOLDER, gm)
        await notes.write(session, valley.campaign.id, gm, JOTTED, 0, f"character/{SLUG}")


async def put(valley: Secret, level: str) -> None:
    page = await valley.post("gm", f"/desk/npcs/{SLUG}/shown", shown=level)
    assert page.status == 200 and f'value="{level}" aria-pressed="true"' in page.html and "Saved." in page.text


async def hold(valley: Secret) -> str:
    """An open scene in which she is, and nobody knows."""
    async with valley.runtime.sessions.begin() as session:
        brief = Brief(kind="free", title="An ambush by night", seats={Seat(SLUG): (SLUG,)}, given={"description": "x"})
        scene = await open_scene(session, valley.runtime.vault, valley.campaign.id, "chronicle", brief)
    return f"/scene/{scene}"


async def test_name_only_is_a_name_and_nothing_else(valley: Secret) -> None:
    who = "morten"
    await plant(valley)
    await put(valley, "name")
    pages = await shown(valley, who)
    told = {at.split("?")[0].removeprefix(valley.at(who, "")) for at, text in pages.items() if NAME in text}
    assert {"/"} <= told <= NAMED
    assert [at for at, text in pages.items() if NOTE in text or FOLDER in text or JOTTED in text] == []
    for path in ("/characters/{}", "/calendar/of/{}", "/characters/{}/edit"):
        asked, unknown = [(await valley.get(who, path.format(one))) for one in (SLUG, NOBODY)]
        assert asked.status == unknown.status in (403, 404) and NAME not in asked.text, path
    assert "You also know of Xenoria." in (await valley.get(who, "/")).text
    await put(valley, "gm")
    for path in ("/", "/characters/new"):
        assert NAME not in (await valley.get(who, path)).html, path


async def test_known_shows_what_players_see_of_one_another(valley: Secret) -> None:
    who = "sam"
    await plant(valley)
    await put(valley, "name")
    await put(valley, "known")
    page = await valley.get(who, f"/characters/{SLUG}")
    assert page.status == 200 and NOTE in page.text and not page.has_form(f"/{SLUG}/notes")
    assert NAME in (await valley.get(who, "/calendar/day?at=1")).text and NAME in (await valley.get(who, "/")).text
    assert (await valley.get(who, f"/calendar/of/{SLUG}")).status == 200
    assert (await valley.get(who, f"/characters/{SLUG}/edit")).status == 403
    gms = await valley.get("gm", f"/characters/{SLUG}")
    assert "Known to players" in gms.text and "Known by name" in gms.text, "it is in the past that GMs read"
    for at, text in {**await shown(valley, who), "itself": page.html}.items():
        secret = (FOLDER, JOTTED, "Known to players", "Known by name", "edited the sheet", "npc-shown")
        assert [word for word in secret if word in text] == [], at
    await put(valley, "gm")
    for path in (f"/characters/{SLUG}", f"/calendar/of/{SLUG}"):
        assert (await valley.get(who, path)).status == 404, "not from the cache either"
    assert NAME not in (await valley.get(who, "/calendar/day?at=1")).text


async def test_an_open_scene_does_not_tell_that_somebody_known_is_in_it(valley: Secret) -> None:
    """The rules may hide who is there; so may the lists of other pages."""
    await put(valley, "known")
    scene = await hold(valley)
    assert "An ambush by night" in (await valley.get("gm", f"/characters/{SLUG}")).text
    desk = await valley.get("gm", "/desk?panel=npcs")
    assert valley.at("gm", scene) in desk.links and desk.html.split('id="npc-xenoria"')[1].count("An ambush by night")
    for who in ("ella", "sam"):
        page = await valley.get(who, f"/characters/{SLUG}")
        assert page.status == 200 and "An ambush by night" not in page.text
        home = (await valley.get(who, "/")).html
        assert "An ambush by night" not in home.split('id="h-characters"')[1]
        assert "An ambush by night" not in (await valley.get(who, "/people")).text
    assert f'value="{SLUG}"' in (await valley.get("ella", "/characters/new")).html, "nor who can be asked for"


@pytest.mark.parametrize(("level", "there"), [("gm", False), ("name", True), ("known", True)])
async def test_what_comes_next_offers_whom_players_know(valley: Secret, level: str, there: bool) -> None:
    await put(valley, level) if level != "gm" else None
    await valley.play("free", "ella", "morten", description="Rain.")
    async with valley.runtime.sessions.begin() as session:
        played = (await session.scalars(select(Scene.id).where(Scene.campaign_id == valley.campaign.id))).one()
        asked = await decisions.ask_next(session, valley.runtime.vault, valley.campaign.id, played)
    page = await valley.get("ella", f"/scene/{asked}")
    assert page.status == 200 and (NAME in page.text) == there and NOTE not in page.text


async def test_folders_are_made_by_moving_and_found_by_name(valley: Secret) -> None:
    page = await valley.get("gm", "/desk?panel=npcs")
    typed = {"folder": "  The  mill "}
    page = await valley.seats["gm"].send(page, f"/{SLUG}/folder", typed)
    assert page.status == 200 and "The mill (1)" in page.text and '<option value="The mill">' in page.html
    home = await valley.get("gm", "/")
    assert "GM characters: The mill (only GMs see these)" in home.text
    pressed = await valley.seats["gm"].post(
        valley.at("gm", f"/desk/npcs/{SLUG}/shown"), {"shown": "gm"}, **{"HX-Request": "true"}
    )
    assert 'id="folder-1-The-mill" open>' in pressed.html, "a press inside leaves the folder open"
    again = await valley.post("gm", f"/desk/npcs/{SLUG}/folder", folder="THE MÍLL")
    assert "The mill (1)" in again.text, "the same folder"
    for find, found in (("xen", True), ("MILL", True), ("nobody", False)):
        page = await valley.get("gm", f"/desk?npcs={find}")
        assert (f'id="npc-{SLUG}"' in page.html) == found, find
    refused = await valley.post("gm", f"/desk/npcs/{SLUG}/folder", folder="m" * 41)
    assert refused.status == 422 and "m" * 41 in refused.html and "40" in refused.text
    wrong = await valley.post("gm", f"/desk/npcs/{SLUG}/shown", shown="everybody")
    assert wrong.status == 409 and "Choose one of the options." in wrong.text
    taken = await valley.post("gm", "/desk/npcs/ella/shown", shown="gm")
    assert taken.status == 409 and "Ella is a player's character now" in taken.text
    await valley.post("gm", f"/desk/npcs/{SLUG}/folder", folder="")
    assert "The mill" not in (await valley.get("gm", "/desk?panel=npcs")).text, "an empty folder is gone"
    async with valley.runtime.sessions() as session:
        made = await characters.find(session, valley.campaign.id, SLUG)
        assert (made.folder, made.shown, made.secret) == ("", "gm", True)


async def test_a_gm_adds_an_npc_to_an_open_scene_from_the_desk(sit: Sit) -> None:
    gm = sit("gm")
    desk = await gm.get(f"{ROAD}/gm/desk?panel=npcs")
    form = await gm.get(f"{ROAD}/gm/characters/new?sample=Alice")
    assert f"{ROAD}/gm/characters/new" in desk.links
    await gm.send(form, "/characters", {"sheet.name": "Rex"})
    desk = await gm.get(f"{ROAD}/gm/desk?panel=npcs")
    assert "Add to Goblins in the woods" in desk.text
    joined = await gm.send(desk, "/act/enter")
    assert joined.path == f"{ROAD}/gm/desk" and "Rex comes in." in joined.text
    assert ">Goblins in the woods</a>" in joined.html.split('id="npc-rex"')[1].split("</p>")[0] and not joined.has_form(
        "/act/enter"
    )
