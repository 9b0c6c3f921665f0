"""Troubles of the database that have a name: pages say which, what was typed is kept, and reading goes on."""

import logging
from collections.abc import AsyncIterator

import psycopg
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from app.db import troubles, waiting
from app.table.runtime import Runtime
from tests.web.browser import Browser
from tests.web.test_page_cache import ROAD, scene_of, seats

pytestmark = [pytest.mark.anyio, pytest.mark.own_database]
__all__ = ["seats"]

FULL = """
    CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$
"""


@pytest.fixture
async def full_disk(seats: dict[str, Browser], runtime: Runtime) -> AsyncIterator[str]:
    """The address of an open scene, on a database that cannot store another row."""
    scene = await scene_of(seats)
    async with runtime.sessions.begin() as session:
        await session.execute(text("UPDATE sessions SET seen_at = seen_at - interval '1 hour'"))
        await session.execute(text(FULL))
        tables = await session.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))
        for table in tables:
            on = f"BEFORE INSERT OR UPDATE ON {table} EXECUTE FUNCTION full_disk()"
            await session.execute(text(f"CREATE TRIGGER full_disk {on}"))
    yield scene


async def test_a_full_disk_is_called_so_and_pages_are_still_read(
    seats: dict[str, Browser], full_disk: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Finds a full disk that is passed off as a database that does not answer."""
    alice, scene = seats["Alice"], f"{ROAD}/alice{full_disk}"
    page = await alice.get(scene)
    assert page.status == 200, "that a browser was seen is not recorded, and that is all"
    form = next(form for form in page.forms if "of.alice.intent" in form.names)
    typed = {"of.alice.intent": "stand", "of.alice.rider": "text", "of.alice.rider_text": "I count the planks"}
    fields = [*((name, value) for name, value in form.fields if name not in typed), *typed.items(), ("_act", "seal")]
    caplog.clear()
    for _ in range(2):
        refused = await alice.post(form.action, fields)
        assert refused.status == 503 and refused.headers["Retry-After"] == "60"
        assert "The server's disk is full. Nothing was changed. Tell the people who run this server." in refused.text
        assert sorted(refused.form(form.action).fields) == sorted(fields), "it can be sent again"
    said = [one for one in caplog.records if one.levelno == logging.ERROR and one.name == "signet.web"]
    assert {one.getMessage() for one in said} == {"The server's disk is full"}, "always the same, so once a minute"
    assert "I count the planks" not in (await alice.get(scene)).text


async def test_a_database_that_takes_no_changes_says_so(
    site: FastAPI, seats: dict[str, Browser], runtime: Runtime
) -> None:
    """As a standby does. Finds the page that calls this a mistake of Signet's."""
    scene = await scene_of(seats)
    async with runtime.sessions.begin() as session:
        name = await session.scalar(text("SELECT quote_ident(current_database())"))
        await session.execute(text(f"ALTER DATABASE {name} SET default_transaction_read_only = on"))
    await site.state.runtime.sessions.kw["bind"].dispose()
    said = await seats["Alice"].post(f"{ROAD}/alice{scene}/say", {"said": "hello"})
    assert said.status == 503 and "The database takes no changes at the moment." in said.text and "hello" in said.text


async def test_nothing_was_changed_only_where_nothing_was_committed(runtime: Runtime) -> None:
    """Finds the page of a press whose second transaction failed, as where the computer answers a move."""
    refused = OperationalError("INSERT INTO lines", None, psycopg.errors.DiskFull())
    assert not troubles.changed_nothing(refused), "outside a request"
    waiting.begin_request()
    assert troubles.changed_nothing(refused)
    assert not troubles.changed_nothing(OperationalError("SELECT 1", None, psycopg.errors.DiskFull())), "no change"
    async with runtime.read_sessions() as session:
        await session.execute(text("SELECT 1"))
    assert troubles.changed_nothing(refused)
    async with runtime.sessions.begin() as session:
        await session.execute(text("SELECT 1"))
    assert not troubles.changed_nothing(refused)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("FATAL:  sorry, too many clients already", "The database has no connection free"),
        ("FATAL:  the database system is starting up", "The database is starting or stopping"),
        ("connection refused", None),
    ],
)
def test_a_refused_connection_is_known_by_its_words(words: str, said: str | None) -> None:
    found = troubles.of(OperationalError(None, None, psycopg.OperationalError(f"connection failed: {words}")))
    assert (found.said if found else None) == said
