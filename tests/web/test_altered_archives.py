"""A campaign from an altered file: it is refused in words, or it comes in and its pages open, to nobody new."""

import base64
import uuid
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from sqlalchemy import select

from app.almanac import calendar_state
from app.archive.arriving import arrive
from app.archive.leaving import Left, leave
from app.campaign import deleting, seats, tokens
from app.errors import UserError
from app.models.people import Campaign, Member
from app.models.scenes import Scene
from app.play.demo import ensure_demo
from app.settings import Settings
from app.table import gm_actions, hidden_rolls, whispers
from app.table.runtime import Runtime
from app.web.members.group_link import WAITING
from tests.archive.altering import alter, key_of, lines_of, planted, relabelled, write
from tests.server import KEY
from tests.web.browser import Browser
from tests.web.role_matrix import SPECTATORS_NOT, VERDICTS, address

pytestmark = pytest.mark.anyio

GAMES = ("whiskey", "arcana", "chronicle", "duel", "skirmish")
SEEDS = 120
LIBRARY = ("Traceback", "validation error", "Input should", "pydantic", "sqlalchemy", "psycopg", "Error:", "NoneType")


async def exported(site: FastAPI, game: str, place: Path) -> Left:
    """A game's demo with a year, two rounds played by the clock, talk and a secret roll."""
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        await ensure_demo(session, runtime.vault, game, calendar=True)
        campaign = (await session.scalars(select(Campaign))).one()
        scene = (await session.scalars(select(Scene.id))).one()
        people = {one.handle: one for one in await session.scalars(select(Member))}
        await calendar_state.hold(session, runtime.vault, campaign.id)
    gm = people["gm"]
    for number in range(6):
        async with runtime.locked_scene(campaign.id, scene) as (session, live):
            open_ones = await gm_actions.open_steps(session, live) if live.row.status == "open" else []
            asked = [row.key for row in open_ones if row.spec["pace"] != "whenever"]
            if asked:
                await gm_actions.open_now(session, live, gm, asked[0])
            if live.row.status == "open":
                gm_actions.say(session, live, gm, "Who is there?")
                await hidden_rolls.roll(session, live, gm, "Is it dark?", "2d6", number)
    async with runtime.locked_scene(campaign.id, scene) as (session, live):
        if live.row.status == "open":
            seat = next(one.seat for one in live.seats if one.role == "player")
            await whispers.whisper(session, live, gm, seat, "You hear a step.")
    return await leave(_settings(site), campaign.slug, place)


def _settings(site: FastAPI) -> Settings:
    url = site.state.runtime.sessions.kw["bind"].url.render_as_string(hide_password=False)
    return Settings(database_url=url, key=base64.b64encode(KEY).decode())  # type: ignore[arg-type]


def ids(table: str, row: dict[str, Any]) -> dict[str, Any]:
    """The parts of an address that lead to a row."""
    names = {"entries": "entry_id", "handouts": "handout_id", "crossings": "crossing_id", "scenes": "scene_id"}
    names |= {"happenings": "crossing_id", "prepared_scenes": "prepared_id"}
    found = {"who": row.get("slug"), "thing": row.get("key"), "seat": row.get("seat"), "number": row.get("number")}
    found |= {"scene_id": row.get("scene_id"), "crossing_id": row.get("crossing_id")}
    if table in names:
        found[names[table]] = row.get("id") or row.get("crossing_id")
    return {name: one for name, one in found.items() if isinstance(one, str | int) and "/" not in str(one) and one}


async def pages(site: FastAPI, browser: Browser, slug: str, parts: dict[str, Any]) -> Counter[str]:
    """Asks for every page of the campaign as a GM, a player and a spectator; returns what opened and what failed."""
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        campaign = (await session.scalars(select(Campaign).where(Campaign.slug == slug))).one()
        scenes = list(await session.scalars(select(Scene.id).where(Scene.campaign_id == campaign.id)))
        found = list(await session.scalars(select(Member).where(Member.campaign_id == campaign.id)))
        sitting = {one.role.value: one for one in found if one.removed_at is None}
        cookies = {role: tokens.fresh() for role in sitting}
        for role, member in sitting.items():
            await seats.sit_down(session, member, "test", cookies[role])
    answers = Counter[str]()
    routes = sorted({one.path for one in iter_route_contexts(site.routes) if "GET" in (one.methods or ())})
    asked = [path for path in routes if path.startswith("/c/") and not path.endswith(("/stream", "/awaits"))]
    for path in asked:
        for role, member in sitting.items():
            verdict = VERDICTS[("GET", path)]
            if role != "gm" and (verdict == "gm" or path in SPECTATORS_NOT):
                continue
            browser.http.cookies.clear()
            browser.http.cookies.set("signet", cookies[role], domain="signet.test", path=f"/c/{slug}/{member.handle}")
            at = {"scene_id": scenes[0] if scenes else uuid.uuid4(), **parts}
            where = address(path, **{**at, "slug": slug, "handle": member.handle})
            status = (await browser.http.get(quote(where))).status_code
            answers["opened" if status == 200 else f"{role} {where}: {status}" if status >= 500 else "refused"] += 1
    return answers


async def test_a_planted_token_opens_nothing(site: FastAPI, open_browser: Any, tmp_path: Path) -> None:
    """In a file of format 1, which anyone can change. Whoever has the file's key can plant one that opens: so the
    requests are right."""
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        await ensure_demo(session, runtime.vault, "duel")
        campaign = (await session.scalars(select(Campaign))).one()
    left = await leave(_settings(site), campaign.slug, tmp_path / "a.signet")
    lines, token, code = lines_of(left), tokens.fresh(), tokens.fresh_code()
    stored = base64.b64encode(tokens.digest(token)).decode()
    for of in ("sessions", "invitations", "group_links", "join_requests", "feeds"):
        lines = planted(lines, of, token_hash=stored)
    code_hash = base64.b64encode(tokens.digest_code(campaign.id, code)).decode()
    lines = planted(lines, "device_codes", code_hash=code_hash)
    next(line["row"] for line in lines if line.get("table") == "members").update(way_back=stored)
    for form, opened in ((2, {200}), (1, {401, 404, 422})):
        write(relabelled(lines, form), left.place, key_of(left))
        async with runtime.sessions.begin() as session:
            await deleting.delete(session, campaign.slug)
        await arrive(_settings(site), left.place, left.key)
        found = await doors(open_browser, campaign.slug, token, code)
        assert set(found.values()) <= opened and len(found) == 7, (form, found)


async def doors(open_browser: Any, slug: str, token: str, code: str) -> dict[str, int]:
    """What a stranger gets who has a token, at each door."""
    cookies, found = {"signet": f"/c/{slug}/gm", WAITING: f"/group/{slug}"}, {}
    asked = (f"/enter/{slug}/{token}", f"/join/{slug}/{token}", f"/group/{slug}/{token}", f"/feed/{slug}/{token}.ics")
    for place in (f"/c/{slug}/gm/desk", f"/group/{slug}", *asked):
        browser = open_browser()
        for name, path in cookies.items() if place not in asked else ():
            browser.http.cookies.set(name, token, domain="signet.test", path=path)
        found[place] = (await browser.get(place)).status
    browser = open_browser()
    found["/code"] = (await browser.send(await browser.get(f"/code/{slug}"), "/code", {"code": code})).status
    return found


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
async def test_an_altered_file_is_refused_or_its_pages_open(
    site: FastAPI, open_browser: Any, tmp_path: Path, game: str
) -> None:
    left = await exported(site, game, tmp_path / "a.signet")
    lines, there, runtime, browser = lines_of(left), key_of(left), site.state.runtime, open_browser()
    wrong, came_in = [], 0
    for seed in range(SEEDS):
        altered, what = alter(lines, there, seed) if seed else (lines, "nothing 1")
        write(altered, left.place, there)
        async with runtime.sessions.begin() as session:
            await deleting.delete(session, lines[0]["slug"])
        try:
            came = await arrive(_settings(site), left.place, left.key)
        except UserError as refused:
            if "Nothing was" not in str(refused) or any(word in str(refused) for word in LIBRARY):
                wrong.append(f"{seed} {what}: {refused}")
            continue
        except Exception as error:
            wrong.append(f"{seed} {what}: {type(error).__name__}: {error}"[:400])
            continue
        came_in += 1
        line = altered[min(int(what.split()[1].split(".")[0]), len(altered) - 1)]
        parts = ids(line["table"], line["row"])
        answers = await pages(site, browser, came.slug, parts)
        wrong += [f"{seed} {what}: {one}" for one in answers if one not in ("opened", "refused")]
        assert seed or answers["opened"] > 60, "of the file as it left"
    assert not wrong, f"{len(wrong)} of {SEEDS}\n" + "\n".join(wrong)
    assert 1 < came_in < SEEDS
