"""A change of the key: everything that is encrypted is closed anew, and can be broken off anywhere."""

import asyncio
import base64
from collections.abc import Iterator

import pytest
from sqlalchemy import LargeBinary, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state
from app.campaign import characters, goals, handouts, prepared
from app.campaign.pictures import Picture
from app.crypto.columns import BOXES, key_names
from app.crypto.vault import Locked, Vault, key_name
from app.models import metadata
from app.models.scenes import Envelope
from app.ops import rekey as changing
from app.ops.rekey import Progress, rekey, rekey_all
from app.settings import Settings
from app.table import hidden_rolls, whispers
from app.table.runtime import Runtime
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

KNOCK, THIEF = "r1/knock", "r1/steal"
OLD, NEW = b"test key of thirty-two bytes, ok", b"a newer key of thirty-two bytes."


@pytest.fixture
async def table(runtime: Runtime) -> Table:
    """Two scenes: one over, with hidden events, a hidden closing, a secret roll and a whisper; one open, with a seal, a
    draft and a thief's."""
    table = await sit_down(runtime)
    await table.open(rounds=1)
    await table.act(whispers.whisper, "ann", "Listen at the door.")
    await table.act(hidden_rolls.roll, "Who hears it?", "d20", 0)
    await table.lay("cyd", THIEF, {"what": "the spoons"})
    await table.lay("ann", KNOCK, {"times": 1})
    await table.lay("bea", KNOCK, {"times": 2})
    table.seen.clear()
    async with runtime.sessions.begin() as session:
        await calendar_state.hold(session, runtime.vault, table.campaign)
        ann = await characters.find(session, table.campaign, "ann")
        await goals.write(session, runtime.vault, ann, table.people["ann"], "peace", 0)
    async with runtime.sessions.begin() as session:
        await handouts.add(session, runtime.vault, table.people["gm"], "A map", "", Picture(b"webp", 1, 1))
    async with runtime.sessions.begin() as session:
        await prepared.add(session, runtime.vault, table.people["gm"], (("title", "The ford"),))
    return table


async def open_second(table: Table) -> None:
    await table.open(held="copy")
    await table.lay("ann", KNOCK, {"times": 3, "note": "softly"})
    await table.choose("bea", KNOCK, {"times": 4})
    await table.lay("cyd", THIEF, {"what": "the bell"}, ready=False)


def _binary_columns() -> Iterator[tuple[str, str]]:
    for table in metadata.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, LargeBinary):
                yield table.name, column.name


async def _key_names(session: AsyncSession, table: str, column: str) -> set[bytes]:
    rows = await session.scalars(text(f"SELECT DISTINCT substring({column} FROM 1 FOR 4) FROM {table}"))
    return {bytes(row) for row in rows if row is not None}


async def test_every_encrypted_column_is_on_the_list_and_nothing_else_is(table: Table) -> None:
    """A law: play a scene, and look at each column of bytes in the database for boxes."""
    await open_second(table)
    listed = {(boxes.of, boxes.name) for boxes in BOXES}
    async with table.runtime.sessions() as session:
        found = {
            (name, column)
            for name, column in _binary_columns()
            if key_name(OLD) in await _key_names(session, name, column)
        }
    assert found == listed


async def test_with_the_new_key_alone_everything_opens_and_play_goes_on(table: Table) -> None:
    await open_second(table)
    runtime = table.runtime
    async for _ in rekey(runtime.sessions, Vault([NEW, OLD])):
        pass
    async with runtime.sessions() as session:
        for query in key_names():
            assert {bytes(row) for row in await session.scalars(text(query))} == {key_name(NEW)}, query
        for name, column in _binary_columns():
            assert key_name(OLD) not in await _key_names(session, name, column)
        vault, opened = Vault([NEW]), 0
        for boxes in BOXES:
            for *keys, box in await session.execute(select(*boxes.keys, boxes.column).where(boxes.column.is_not(None))):
                vault.decrypt(box, boxes.place_of(keys))
                opened += 1
        assert opened >= 18, "two scenes with all that can be hidden in them"

    runtime.vault = vault
    await table.lay("bea", KNOCK, {"times": 6})
    knocked = [e.event for c in (await table.sight("sam")).chapters for e in c.events if e.event.kind == "knocked"]
    assert [(e.seat, e.times, e.note) for e in knocked] == [("ann", 3, "softly"), ("bea", 6, "")]


async def test_it_can_be_broken_off_after_any_batch(table: Table) -> None:
    await open_second(table)
    vault, batches = Vault([NEW, OLD]), 0
    async for done in rekey(table.runtime.sessions, vault, batch=1):
        batches += 1
        assert done.boxes == batches, "one box a batch"
        if batches == 5:
            break
    for who in ("ann", "gm", "cyd", "sam"):  # with both keys every page works in between
        table.runtime.vault = vault
        assert (await table.sight(who)).steps
    rest = Progress()
    async for done in rekey(table.runtime.sessions, vault, batch=3):
        rest = done
    assert rest.boxes > 5 and not rest.locked
    async for _ in rekey(table.runtime.sessions, vault):
        pytest.fail("there was something left")


@pytest.mark.postgres
async def test_play_goes_on_meanwhile_and_no_seal_is_lost(table: Table) -> None:
    await open_second(table)
    table.runtime.vault = Vault([NEW, OLD])

    async def seal() -> None:
        for times in range(10, 30):
            await table.lay("ann", KNOCK, {"times": times, "note": f"note {times}"})

    async def change() -> None:
        for vault in (Vault([NEW, OLD]), Vault([OLD, NEW]), Vault([NEW, OLD])):
            async for _ in rekey(table.runtime.sessions, vault, batch=1):
                await asyncio.sleep(0)

    await asyncio.gather(seal(), change())
    mine = [ask.mine for step in (await table.sight("ann")).steps for ask in step.asks if ask.mine]
    assert [dict(words.pairs) for words in mine] == [{"times": "29", "note": "note 29"}]
    async with table.runtime.sessions() as session:
        full = (await session.scalars(select(Envelope).where(Envelope.seat == "ann", Envelope.box.is_not(None)))).all()
        assert len([e for e in full if e.scene_id == table.scene]) == 1, "a replaced seal did not come back"


async def test_what_no_key_opens_is_told_and_stays(
    table: Table, db_url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_second(table)
    monkeypatch.setattr(changing, "BATCH", 2)
    lost = b"a key of thirty-two bytes, lost."
    async with table.runtime.sessions.begin() as session:
        box = Vault([lost]).encrypt(b"x", "elsewhere")
        await session.execute(text("UPDATE events SET box = :box WHERE box IS NOT NULL"), {"box": box})
        count = await session.scalar(text("SELECT count(*) FROM events WHERE box IS NOT NULL"))
    keys = ",".join(base64.b64encode(key).decode() for key in (NEW, OLD))
    settings = Settings(database_url=db_url, key=keys)  # type: ignore[arg-type]
    assert await asyncio.to_thread(rekey_all, settings) == 1
    told = capsys.readouterr().out
    assert f"{count} boxes need the key named {key_name(lost).hex()}" in told and "can go" not in told
    async with table.runtime.sessions() as session:
        assert {bytes(one) for one in await session.scalars(text("SELECT box FROM events WHERE box IS NOT NULL"))} == {
            box
        }
    with pytest.raises(Locked):
        Vault([NEW, OLD]).decrypt(box, "elsewhere")

    async with table.runtime.sessions.begin() as session:
        await session.execute(text("UPDATE events SET box = NULL, body = '{}' WHERE box IS NOT NULL"))
    assert await asyncio.to_thread(rekey_all, settings) == 0
    assert "You can delete the others" in capsys.readouterr().out
