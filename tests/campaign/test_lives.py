"""Characters live across scenes: every change of a sheet is noted, with how it came about."""

import doctest

import pytest
from sqlalchemy import select

from app.campaign import characters, sheets
from app.campaign.models import SheetChange
from tests.campaign.people import Sessions, found

pytestmark = pytest.mark.anyio


def test_the_example_of_differences_runs() -> None:
    assert doctest.testmod(sheets).failed == 0


def test_differences_go_into_mappings_and_take_lists_whole() -> None:
    old = {"name": "Ella", "hp": 15, "wounds": {"arm": {"rolls": 1}}, "cards": ["fly"], "gone": 1}
    new = {"name": "Ella", "hp": 15, "wounds": {"arm": {"rolls": 2}}, "cards": ["fly", "fog"], "came": {"x": {"y": 0}}}
    assert sheets.differences(old, new) == {
        "wounds.arm.rolls": [1, 2],
        "cards": [["fly"], ["fly", "fog"]],
        "gone": [1, None],
        "came.x.y": [None, 0],
    }
    assert sheets.differences({"a": {"b": 1}}, {}) == {"a.b": [1, None]}
    assert sheets.differences(old, old) == {}


async def test_making_editing_and_laying_aside_are_noted_once_each(sessions: Sessions) -> None:
    gm = await found(sessions)
    async with sessions.begin() as session:
        ella = await characters.create(session, gm.campaign, "Ella", "toy", {"hp": 15}, None, gm.member)
        await characters.edit(session, ella, 1, "Ella", {"hp": 8}, gm.member)
        await characters.edit(session, ella, 2, "Ella", {"hp": 8}, gm.member)  # nothing new: nothing noted
        for retired in (True, True, False):
            await characters.retire(session, ella, gm.member, retired=retired)
    async with sessions() as session:
        noted = await session.scalars(
            select(SheetChange).where(SheetChange.campaign_id == gm.campaign.id).order_by(SheetChange.id)
        )
        told = [(one.how, one.version, one.changes, one.member_id) for one in noted]
    assert told == [
        ("made", 1, {}, gm.member.id),
        ("edited", 2, {"hp": [15, 8]}, gm.member.id),
        ("retired", 2, {}, gm.member.id),
        ("taken up", 2, {}, gm.member.id),
    ]
