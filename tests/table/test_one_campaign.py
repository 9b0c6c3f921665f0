"""The schema and the app's statements as a cluster wants them whose tables are spread by `campaign_id`."""

import re
from pathlib import Path

import pytest
from sqlalchemy import ForeignKeyConstraint, Table, UniqueConstraint, select, text, update
from sqlalchemy.orm import aliased
from sqlalchemy.sql.elements import ClauseElement

from app.campaign.founding import campaigns
from app.models import metadata
from app.models.people import Campaign, Member
from app.models.scenes import AskRow, Scene, SeatHolder, StepRow
from app.table.runtime import Runtime, retry_stuck
from tests.one_campaign import ACROSS, Crossing, loose_tables, loose_words, spread, watched
from tests.table.table import sit_down

SCALING = Path(__file__).resolve().parents[2] / "docs" / "scaling.md"
EVERYWHERE = {"campaigns"}  # small, read by all, kept whole on each server

SPREAD = [table for table in metadata.sorted_tables if table.name not in EVERYWHERE]


@pytest.mark.parametrize("table", SPREAD, ids=lambda table: table.name)
def test_every_key_begins_with_the_campaign(table: Table) -> None:
    assert table.c.campaign_id.type.python_type.__name__ == "UUID" and not table.c.campaign_id.nullable
    keys = [table.primary_key, *(c for c in table.constraints if isinstance(c, UniqueConstraint))]
    keys += [index for index in table.indexes if index.unique]
    assert [next(iter(key.columns)).name for key in keys] == ["campaign_id"] * len(keys)


@pytest.mark.parametrize("table", SPREAD, ids=lambda table: table.name)
def test_no_row_refers_to_another_campaign(table: Table) -> None:
    keys = [c for c in table.constraints if isinstance(c, ForeignKeyConstraint)]
    assert keys, "it hangs on its campaign in the end"
    for key in keys:
        first = key.elements[0]
        assert first.parent.name == "campaign_id"
        there = "id" if key.referred_table.name in EVERYWHERE else "campaign_id"
        assert first.column.name == there
        assert len(key.elements) == len(key.referred_table.primary_key.columns)
        assert "SET" not in (key.ondelete or ""), "a campaign cannot be taken out of a key"


@pytest.mark.anyio
async def test_the_database_counts_triggers_and_locks_nothing_for_all(runtime: Runtime) -> None:
    """What the migrations really made: no sequence, no trigger but foreign keys' own, no view, no function."""
    async with runtime.sessions() as session:
        assert (await session.scalars(text("SELECT sequencename FROM pg_sequences"))).all() == []
        assert (await session.scalars(text("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"))).all() == []
        ours = "IN (SELECT oid FROM pg_namespace WHERE nspname = 'public')"
        assert (await session.scalars(text(f"SELECT proname FROM pg_proc WHERE pronamespace {ours}"))).all() == []
        kinds = set(
            await session.scalars(text(f"SELECT DISTINCT relkind::text FROM pg_class WHERE relnamespace {ours}"))
        )
        assert kinds <= {"r", "i", "t"}
        tables = set(await session.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")))
        assert tables == {table.name for table in SPREAD} | EVERYWHERE | {"alembic_version"}


def test_the_docs_name_each_table_after_those_it_refers_to() -> None:
    said = re.findall(r"create_(distributed|reference)_table\('(\w+)'(?:, '(\w+)')?\)", SCALING.read_text())
    assert [(how, by) for how, _, by in said] == [("reference", "")] + [("distributed", "campaign_id")] * len(SPREAD)
    order = [name for _, name, _ in said]
    assert set(order) == {table.name for table in SPREAD} | EVERYWHERE and len(order) == len(set(order))
    for table in SPREAD:
        for key in table.foreign_keys:
            assert order.index(key.column.table.name) < order.index(table.name)


OTHER = aliased(Scene)
TIED: list[ClauseElement] = [
    select(Campaign),
    select(Scene).where(Scene.campaign_id == "c", Scene.id == "s"),
    select(Scene).join(StepRow, (StepRow.campaign_id == Scene.campaign_id)).where(StepRow.campaign_id == "c"),
    select(Member).join(Campaign, Campaign.id == Member.campaign_id).where(Campaign.id == "c"),
    select(Scene).where(Scene.campaign_id == "c", select(StepRow).where(StepRow.campaign_id == "c").exists()),
    select(Scene, OTHER).where(Scene.campaign_id == "c", OTHER.campaign_id == Scene.campaign_id),
    update(SeatHolder).where(SeatHolder.campaign_id == "c").values(changes=1),
]
LOOSE: list[tuple[ClauseElement, set[str]]] = [
    (select(Scene), {"scenes"}),
    (select(Scene).where(Scene.id == "s"), {"scenes"}),
    (select(Scene).where((Scene.campaign_id == "c") | (Scene.id == "s")), {"scenes"}),
    (select(Scene).where(Scene.campaign_id != "c"), {"scenes"}),
    (select(Scene).where(Scene.campaign_id.in_(["c", "d"])), {"scenes"}),
    (select(Member).join(Campaign, Campaign.id == Member.campaign_id).where(Campaign.slug == "c"), {"members"}),
    (select(Scene).join(AskRow, AskRow.scene_id == Scene.id).where(Scene.campaign_id == "c"), {"asks"}),
    (select(Scene).where(Scene.campaign_id == "c", select(StepRow.key).exists()), {"steps"}),
    (update(SeatHolder).where(SeatHolder.member_id == "m").values(changes=1), {"seat_holders"}),
]


@pytest.mark.parametrize("statement", TIED, ids=str)
def test_what_stays_in_one_campaign_is_recognized(statement: ClauseElement) -> None:
    assert loose_tables(statement) == set()


@pytest.mark.parametrize(("statement", "loose"), LOOSE, ids=str)
def test_what_crosses_campaigns_is_recognized(statement: ClauseElement, loose: set[str]) -> None:
    assert loose_tables(statement) == loose


def test_written_statements_are_read_by_their_words() -> None:
    assert loose_words("SELECT 1 FROM scenes JOIN steps USING (id)") == {"scenes", "steps"}
    assert loose_words("SELECT 1 FROM scenes WHERE campaign_id = %s") == set()
    assert spread() == {table.name for table in SPREAD}


@pytest.mark.anyio
async def test_who_asks_all_campaigns_is_caught_and_known(runtime: Runtime) -> None:
    """Each of the few that may is still one that does; without the leave it is refused."""
    asked = {
        "table/runtime.py:Runtime.sweep": runtime.sweep,
        "table/runtime.py:retry_stuck": lambda: retry_stuck(runtime),
    }
    for name, ask in asked.items():
        with watched(ACROSS - {name}), pytest.raises(Crossing, match=re.escape(name)):
            await ask()
    with watched(ACROSS - {"campaign/founding.py:campaigns"}), pytest.raises(Crossing, match="founding"):
        async with runtime.sessions() as session:
            await campaigns(session)


@pytest.mark.anyio
async def test_a_test_may_ask_what_it_likes(runtime: Runtime) -> None:
    await sit_down(runtime)
    async with runtime.sessions() as session:
        assert len((await session.scalars(select(Member))).all()) == 5
