"""The draft of a cast at the real table: what its end makes, whose that is, and two ends at once."""

import asyncio
import json
import uuid
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import select

from app.campaign import characters, lifecycle, people, seats
from app.errors import NotThere, NotYours
from app.models.people import Campaign, Character, SheetChange
from app.models.scenes import Scene, SeatHolder
from app.play import decisions
from app.receipts.file import parse
from app.receipts.verify import check
from app.rulesets.chronicle.sheets import Sheet
from app.table import gm_actions, receipt
from app.table.opening import BadBrief
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

WHO = ("ann", "bea", "cyd")


@pytest.fixture
async def table(runtime: Any) -> Table:
    return await sit_down(runtime)


async def _draft(table: Table, who: Sequence[str] = WHO, size: str = "1-5", **given: Any) -> uuid.UUID:
    async with table.runtime.sessions.begin() as session:
        campaign = await session.get(Campaign, table.campaign)
        assert campaign is not None
        where = (session, table.runtime.vault, campaign, table.people["gm"])
        table.scene = await decisions.draft(*where, "chronicle", who, given, {"cast_size": size})
    return table.scene


async def _pick(table: Table, who: str, number: int, name: str, **more: str) -> None:
    step = f"draft/{len((await table.sight('gm')).view.people) + 1}"
    await table.lay(who, step, {"number": number, "name": name, **more})


async def _sizes(table: Table, **sizes: int) -> None:
    for who, number in sizes.items():
        await table.lay(who, "cast", {"number": number})


async def _cast(table: Table) -> list[Character]:
    async with table.runtime.sessions() as session:
        rows = await session.scalars(
            select(Character)
            .where(Character.campaign_id == table.campaign, Character.ruleset == "chronicle")
            .order_by(Character.id)
        )
        return list(rows)


async def test_a_draft_makes_the_cast_and_its_receipts_hold(table: Table) -> None:
    await _draft(table)
    await _sizes(table, ann=1, bea=2)
    seen = await table.sight("sam")
    assert not seen.view.sets and not seen.chapters, "no luck before the last size is in"
    await _sizes(table, cyd=1)
    seen = await table.sight("sam")
    assert [one.number for one in seen.view.sets] == [1, 2, 3, 4]
    names = iter(("Ella", "Ella", "GM", "Morten"))
    for who in seen.view.coming:
        left = (await table.sight("gm")).view.left
        await _pick(table, who, left[-1], next(names), home="The mill", past="Came over the hills.")
    seen = await table.sight("sam")
    assert seen.status == "over"
    cast = await _cast(table)
    assert [row.slug for row in cast] == ["ella", "ella-2", "gm-2", "morten"], "a chair's name is nobody's address"
    by = {member.id: who for who, member in table.people.items()}
    assert [by[row.owner_id] for row in cast if row.owner_id] == [one.seat for one in seen.view.people]
    for row, picked in zip(cast, seen.view.people, strict=True):
        sheet = Sheet.model_validate(row.sheet)
        of = next(one for one in seen.view.sets if one.number == picked.number)
        assert (sheet.name, sheet.is_main, sheet.home, row.version) == (picked.name, True, "The mill", 1)
        rated = {one.name: one.rating for _, skills in of.groups for one in skills}
        assert rated["Lead"] == sheet.skills.lead and sheet.survive_terrain == of.terrain
    assert {seat.seat: list(seat.characters) for seat in seen.seats if seat.seat != "gm"} == {
        who: [row.slug for row in cast if row.owner_id == table.people[who].id] for who in WHO
    }
    async with table.runtime.sessions() as session:
        past = await lifecycle.past(session, cast[0], table.people["sam"])
        noted = await session.scalars(select(SheetChange).where(SheetChange.campaign_id == table.campaign))
        assert {(one.how, one.scene_id) for one in noted} == {("made", table.scene)}
        text = await receipt.lines(session, table.runtime.vault, table.campaign, table.scene, table.people["ann"])
    assert [one.how for one in past] == ["scene"] and past[0].scene_id == table.scene
    report = check(parse(text))
    assert not report.wrong, report.wrong
    assert report.replayed == 5
    forged = check(parse(_with_another_made(text)))
    assert any("new characters" in wrong or "hash" in wrong.lower() for wrong in forged.wrong), forged.wrong


def _with_another_made(text: str) -> str:
    """The receipts with another digest of what was made."""
    lines = []
    for line in text.splitlines():
        raw = json.loads(line)
        if "record" in raw and '"made"' in raw["record"]:
            record = json.loads(raw["record"])
            record["made"] = "0" * 64
            raw["record"] = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        lines.append(json.dumps(raw))
    assert "0" * 64 in "\n".join(lines)
    return "\n".join(lines)


async def test_silence_takes_the_lowest_set_and_who_left_owns_nobody(table: Table) -> None:
    await _draft(table, ("ann", "bea"))
    await _sizes(table, ann=1, bea=1)
    async with table.runtime.sessions.begin() as session:
        bea = await session.merge(table.people["bea"], load=True)
        await people.remove(session, bea, table.people["gm"])
    for number in (1, 2):
        async with table.runtime.locked_scene(table.campaign, table.scene) as (session, live):
            await gm_actions.open_now(session, live, table.people["gm"], f"draft/{number}")
    cast = await _cast(table)
    assert [row.name for row in cast] == ["Alda", "Bero"]
    owners = {row.owner_id for row in cast}
    assert owners == {table.people["ann"].id, None}


async def test_one_of_several_gms_chairs_is_nobodys_own(table: Table) -> None:
    await _draft(table, (), gm="yes")
    await _sizes(table, gm=1)
    async with table.runtime.sessions.begin() as session:
        ann = table.people["ann"].id
        session.add(SeatHolder(campaign_id=table.campaign, scene_id=table.scene, seat="gm", member_id=ann))
    await _pick(table, "gm", 1, "Ella")
    assert [row.owner_id for row in await _cast(table)] == [None]


async def test_who_may_and_what_cannot_be_drafted(table: Table) -> None:
    async with table.runtime.sessions.begin() as session:
        campaign = await session.get(Campaign, table.campaign)
        assert campaign is not None
        where = (session, table.runtime.vault, campaign)
        with pytest.raises(NotYours):
            await decisions.draft(*where, table.people["ann"], "chronicle", ["ann"], {}, {})
        for rules in ("whiskey", "council", "nothing", ""):
            with pytest.raises(NotThere):
                await decisions.draft(*where, table.people["gm"], rules, ["ann"], {}, {})
        with pytest.raises(NotThere):
            await decisions.draft(*where, table.people["gm"], "chronicle", ["sam"], {}, {})
        with pytest.raises(BadBrief, match="Nobody takes part"):
            await decisions.draft(*where, table.people["gm"], "chronicle", [], {}, {})
        once = "o" * 43
        one = await decisions.draft(*where, table.people["gm"], "chronicle", ["ann"], {}, {}, once)
        assert one == await decisions.draft(*where, table.people["gm"], "chronicle", ["ann"], {}, {}, once)


@pytest.mark.postgres
async def test_ends_at_once_and_hands_that_make_sheets_never_lock_each_other_up(table: Table) -> None:
    """Three drafts end while sheets are made by hand, all with the same names: everybody is made once."""
    drafts = []
    for who in WHO:
        drafts.append((await _draft(table, (who,)), who))
        await _sizes(table, **{who: 3})
        for number, name in ((1, "Ella"), (2, "Morten")):
            await _pick(table, who, number, name)
    sheet = Sheet(name="Ella").model_dump(mode="json")

    async def end(scene: uuid.UUID, who: str) -> None:
        table_of = Table(**{**vars(table), "scene": scene})
        await _pick(table_of, who, 3, "Ella")

    async def by_hand(name: str) -> None:
        async with table.runtime.sessions.begin() as session:
            campaign = await seats.hold(session, table.campaign)
            await characters.create(session, campaign, name, "chronicle", sheet, None, table.people["gm"])

    hands = [by_hand(name) for name in ("Ella", "Morten", "Ella", "Alda")]
    await asyncio.wait_for(asyncio.gather(*(end(*one) for one in drafts), *hands), 30)
    cast = await _cast(table)
    assert len(cast) == 9 + 4 and len({row.slug for row in cast}) == 13
    async with table.runtime.sessions() as session:
        rows = await session.scalars(select(Scene.status).where(Scene.campaign_id == table.campaign))
        assert set(rows) <= {"over", "open"}
        over = [scene for scene, _ in drafts]
        done = await session.scalars(
            select(Scene.status).where(Scene.campaign_id == table.campaign, Scene.id.in_(over))
        )
        assert list(done) == ["over"] * 3
