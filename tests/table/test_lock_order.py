"""Locks in the wrong order are refused in every test, in this process and in the servers that tests start."""

import itertools
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.lock_order import GUARDED_BY, ORDER, lock_row, locking
from app.models import metadata
from app.models.almanac import Almanac, Entry
from app.models.people import Campaign, Character, Promotion
from app.models.scenes import Scene
from tests import lock_watch
from tests.forking import program
from tests.lock_watch import WrongOrder

pytestmark = [pytest.mark.anyio, pytest.mark.postgres]
APP = Path(__file__).parents[2] / "app"
HERE = uuid.uuid4()
NAMES = [lock.table for lock in ORDER]


def _of(name: str) -> Any:
    """Rows of a table in one campaign; there are none, which the order does not mind."""
    table = metadata.tables[name]
    return select(table).where((table.c.id if name == "campaigns" else table.c.campaign_id) == HERE)


@pytest.mark.parametrize(("earlier", "later"), list(itertools.combinations(NAMES, 2)))
async def test_the_wrong_order_raises_with_both_names(session: AsyncSession, earlier: str, later: str) -> None:
    await session.execute(locking(_of(later)))
    with pytest.raises(WrongOrder, match=rf"rows of {earlier} are locked after {later}"):
        await session.execute(locking(_of(earlier)))


async def test_the_right_order_and_more_of_the_same_are_fine_and_a_transaction_begins_anew(
    session: AsyncSession,
) -> None:
    for _ in range(2):
        for name in NAMES:
            await session.execute(locking(_of(name)))
        await session.execute(locking(_of("scenes")))
        await session.rollback()


async def test_changes_lock_rows_too(session: AsyncSession) -> None:
    await session.execute(update(Character).where(Character.campaign_id == HERE).values(name="Ann"))
    with pytest.raises(WrongOrder, match="rows of scenes are locked after characters"):
        await session.execute(update(Scene).where(Scene.campaign_id == HERE).values(title="The door"))
    await session.rollback()
    await lock_row(session, Character, (HERE, HERE))
    with pytest.raises(WrongOrder, match="rows of almanacs are locked after characters"):
        await session.execute(upsert(Almanac).values(campaign_id=HERE).on_conflict_do_nothing())


async def test_guarded_rows_need_their_guard(session: AsyncSession) -> None:
    for model in (Entry, Promotion):
        with pytest.raises(WrongOrder, match=f"without {GUARDED_BY[model.__tablename__]}"):
            await session.execute(locking(select(model).where(model.campaign_id == HERE)))
    await session.rollback()
    for name in ("almanacs", "characters", "entries"):
        await session.execute(locking(_of(name)))


async def test_every_lock_has_its_place(session: AsyncSession) -> None:
    with pytest.raises(WrongOrder, match="rows of members are locked, which has no place"):
        await session.execute(locking(_of("members")))
    assert {*NAMES, *GUARDED_BY} <= metadata.tables.keys() and set(GUARDED_BY.values()) <= set(NAMES)


async def test_a_new_campaign_is_its_transaction_s_own(session: AsyncSession) -> None:
    await session.execute(insert(Campaign).values(id=HERE, slug="new", title="New", about="", settings={}, demo=False))
    for name in reversed(NAMES):
        await session.execute(locking(_of(name)))


def test_rows_are_locked_in_one_module() -> None:
    """So that each lock refers its reader to the order."""
    found = [path for path in APP.rglob("*.py") if "for_update" in path.read_text(encoding="utf-8")]
    assert [path.relative_to(APP).as_posix() for path in found] == ["db/lock_order.py"]


def test_every_connection_is_watched() -> None:
    assert all(event.contains(Engine, name, heard) for name, heard in lock_watch.EVENTS)


@pytest.mark.skipif(sys.platform != "linux", reason="programs are forks of a watched process on Linux only")
def test_the_servers_that_tests_start_are_watched() -> None:
    done = subprocess.run(program("tests.lock_watch"), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "watched\n"), done.stderr
