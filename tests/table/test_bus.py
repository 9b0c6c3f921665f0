"""The same promises of the wake-up bus over each carrier: whom a hint wakes, when it leaves, what a cut costs."""

import asyncio
import base64
import contextlib
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker
from typer.testing import CliRunner

from app import loop
from app.campaign import seats, tokens
from app.cli import cli
from app.errors import UserError
from app.table.bus import EVERYBODY, Bus, make_bus
from app.table.bus.counts import count
from app.table.bus.fanout import WakingBus
from app.table.bus.poller import LATE_SECONDS, Poller, plain
from app.table.runtime import Runtime
from tests.server import KEY, Proxy, free_port, stop_accepting, turns
from tests.table.carriers import OVER_EACH, POSTGRES_FIRST, Carried, before, carried, through
from tests.table.hints import until_heard, waits
from tests.table.table import sit_down

pytestmark = pytest.mark.anyio

Sessions = async_sessionmaker[AsyncSession]
SOON = 30.0  # seconds; a busy machine is slow now and then
ANN, BEA = uuid.uuid4(), uuid.uuid4()


@pytest.fixture(params=OVER_EACH)
def carrier(request: pytest.FixtureRequest, db_url: str) -> Carried:
    return carried(request.param, db_url)


@pytest.fixture(params=["nats", "valkey"])
def outside(request: pytest.FixtureRequest, db_url: str) -> Carried:
    return carried(request.param, db_url)


@pytest.fixture
async def stack() -> AsyncIterator[contextlib.AsyncExitStack]:
    async with contextlib.AsyncExitStack() as stack:
        yield stack


@pytest.fixture
def campaign() -> uuid.UUID:
    return uuid.uuid4()


def opened(stack: contextlib.AsyncExitStack, bus: WakingBus) -> WakingBus:
    stack.push_async_callback(bus.close)
    return bus


def proxied(stack: contextlib.AsyncExitStack, proxy: Proxy) -> Proxy:
    stack.callback(proxy.stop)
    return proxy


async def woken(*events: asyncio.Event) -> None:
    async with asyncio.timeout(SOON):
        for event in events:
            await event.wait()


async def say(bus: Bus, sessions: Sessions, campaign: uuid.UUID, whom: str = EVERYBODY) -> None:
    async with sessions.begin() as session:
        await bus.publish(session, campaign, whom)


async def test_a_hint_wakes_whom_it_names_in_every_process_and_nobody_else(
    stack: contextlib.AsyncExitStack, carrier: Carried, sessions: Sessions, campaign: uuid.UUID
) -> None:
    here, there = opened(stack, carrier.bus()), opened(stack, carrier.bus())
    other, last = uuid.uuid4(), uuid.uuid4()
    near = await waits(stack, here, campaign, ANN, BEA)
    far = await waits(stack, there, campaign, ANN, ANN, BEA)
    (elsewhere,) = await waits(stack, there, other, ANN)
    (marker,) = await waits(stack, there, last, ANN)
    (near_marker,) = await waits(stack, here, last, ANN)
    await say(here, sessions, campaign, str(ANN))
    await woken(near[0], far[0], far[1])
    await say(here, sessions, last)  # hints of one process come in order, so what this one has not overtaken is not
    await woken(marker, near_marker)
    assert not near[1].is_set() and not far[2].is_set() and not elsewhere.is_set()
    for event in [*near, *far]:
        event.clear()
    await say(here, sessions, campaign)
    await woken(*near, *far)
    assert not elsewhere.is_set()


async def test_a_hint_leaves_with_its_commit_and_not_before(
    stack: contextlib.AsyncExitStack, carrier: Carried, sessions: Sessions, campaign: uuid.UUID
) -> None:
    here, there = opened(stack, carrier.bus()), opened(stack, carrier.bus())
    (event,) = await waits(stack, there, campaign, ANN)
    last = uuid.uuid4()
    (marker,) = await waits(stack, there, last, ANN)
    async with sessions.begin() as session:
        await here.publish(session, campaign, EVERYBODY)
        async with session.begin_nested():
            await session.execute(text("SELECT 1"))
        with contextlib.suppress(ZeroDivisionError):
            async with session.begin_nested():
                await session.execute(text("SELECT 1"))
                raise ZeroDivisionError
        await say(here, sessions, last)
        await woken(marker)
        assert not event.is_set(), "neither the publishing nor a savepoint's end sends it"
    await woken(event)


async def test_what_is_rolled_back_says_nothing(
    stack: contextlib.AsyncExitStack, carrier: Carried, sessions: Sessions, campaign: uuid.UUID
) -> None:
    here, there = opened(stack, carrier.bus()), opened(stack, carrier.bus())
    (event,) = await waits(stack, there, campaign, ANN)
    last = uuid.uuid4()
    (marker,) = await waits(stack, there, last, ANN)
    async with sessions() as session:
        await here.publish(session, campaign, EVERYBODY)
        await session.rollback()
        await here.publish(session, last, EVERYBODY)  # the same session goes on
        await session.commit()
    await woken(marker)
    assert not event.is_set()
    marker.clear()
    with contextlib.suppress(ZeroDivisionError):
        async with sessions.begin() as session:
            await here.publish(session, campaign, EVERYBODY)
            raise ZeroDivisionError
    async with sessions() as session:
        await here.publish(session, campaign, EVERYBODY)  # closed without a word
    await say(here, sessions, last)
    await woken(marker)
    assert not event.is_set()


@pytest.mark.own_database
async def test_a_commit_that_fails_says_nothing(
    stack: contextlib.AsyncExitStack, carrier: Carried, sessions: Sessions, campaign: uuid.UUID
) -> None:
    here, there = opened(stack, carrier.bus()), opened(stack, carrier.bus())
    (event,) = await waits(stack, there, campaign, ANN)
    last = uuid.uuid4()
    (marker,) = await waits(stack, there, last, ANN)
    async with sessions.begin() as session:
        await session.execute(text("CREATE TABLE odd (n int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)"))
    with pytest.raises(Exception, match="odd_pkey"):
        async with sessions.begin() as session:
            await here.publish(session, campaign, EVERYBODY)
            await session.execute(text("INSERT INTO odd VALUES (1), (1)"))  # noticed by COMMIT only
    await say(here, sessions, last)
    await woken(marker)
    assert not event.is_set()


async def test_a_cut_listener_comes_back_and_wakes_all(
    stack: contextlib.AsyncExitStack, carrier: Carried, sessions: Sessions, campaign: uuid.UUID
) -> None:
    proxy = proxied(stack, carrier.proxy())
    here, there = opened(stack, carrier.bus()), opened(stack, carrier.bus(by=proxy))
    events = await waits(stack, there, campaign, ANN, BEA)
    (near,) = await waits(stack, here, campaign, ANN)
    proxy.cut()
    await say(here, sessions, campaign, str(ANN))
    await woken(near)
    assert not any(event.is_set() for event in events), "this one is lost"
    proxy.mend()
    await woken(*events)
    events[0].clear()
    await say(here, sessions, campaign, str(ANN))
    await woken(events[0])


async def test_a_carrier_that_is_gone_fails_no_commit_and_gets_its_hints_later(
    stack: contextlib.AsyncExitStack, outside: Carried, sessions: Sessions, campaign: uuid.UUID
) -> None:
    proxy = proxied(stack, outside.proxy())
    here, there = opened(stack, outside.bus(by=proxy)), opened(stack, outside.bus())
    (event,) = await waits(stack, there, campaign, ANN)
    await say(here, sessions, campaign)
    await woken(event)
    event.clear()
    proxy.cut()
    for _ in range(3):
        async with asyncio.timeout(SOON):  # nobody waits for a carrier
            await say(here, sessions, campaign)
    assert not event.is_set()
    proxy.mend()
    await woken(event)


async def test_a_carrier_that_hangs_up_at_once_is_hung_up_on(
    stack: contextlib.AsyncExitStack, outside: Carried
) -> None:
    """Each failed try that kept its socket would cost one until the next collection of garbage."""
    gone = asyncio.Event()

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        stack.callback(writer.transport.abort)
        writer.write_eof()
        while await reader.read(1024):
            pass
        writer.close()
        gone.set()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    stack.push_async_callback(turns)
    stack.push_async_callback(stop_accepting, server)
    port = server.sockets[0].getsockname()[1]
    bus = opened(stack, replace(outside, address=f"{outside.kind}://127.0.0.1:{port}").bus())
    bus.start()
    await woken(gone)


async def test_what_loses_its_cancellation_ends_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bus that closed in the moment in which its connection broke once waited for its listener for ever."""
    monkeypatch.setattr(loop, "CANCEL_AGAIN", 0.01)
    begun, lost = asyncio.Event(), []

    async def listen() -> None:
        while True:
            try:
                begun.set()
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                if len(lost) == 2:
                    raise
                lost.append("a cancellation")

    task = asyncio.create_task(listen())
    await begun.wait()
    async with asyncio.timeout(SOON):
        await loop.end(task)
    assert task.cancelled() and len(lost) == 2


async def test_the_last_hints_of_a_process_are_sent(
    stack: contextlib.AsyncExitStack, outside: Carried, sessions: Sessions, campaign: uuid.UUID
) -> None:
    there = opened(stack, outside.bus())
    (event,) = await waits(stack, there, campaign, ANN)
    brief = outside.bus()  # as `signet close` has it: it listens to nobody
    await say(brief, sessions, campaign)
    await brief.close()
    await woken(event)


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("carrier", POSTGRES_FIRST, indirect=True)
async def test_the_look_finds_what_a_carrier_lost(
    stack: contextlib.AsyncExitStack, carrier: Carried, runtime: Runtime
) -> None:
    ours, theirs = await sit_down(runtime), await sit_down(runtime)
    await ours.open()
    await theirs.open()
    await until_heard(runtime.bus, runtime.sessions)  # of its opening
    bus = opened(stack, carrier.bus(0.3))
    events = await waits(stack, bus, ours.campaign, ANN, BEA)
    (other,) = await waits(stack, bus, theirs.campaign, ANN)
    async with runtime.sessions.begin() as session:
        await session.execute(
            text("UPDATE scenes SET changes = changes + 1 WHERE campaign_id = :c"), {"c": ours.campaign}
        )
    await woken(*events)
    assert not other.is_set()
    for event in events:
        event.clear()
    async with runtime.sessions.begin() as session:  # what is outside scenes
        await count(session, ours.campaign, str(ANN))
    await woken(events[0])
    assert not events[1].is_set()
    assert not other.is_set()


@pytest.mark.usefixtures("toy")
async def test_the_look_finds_a_browser_that_was_signed_out_without_a_hint(
    stack: contextlib.AsyncExitStack, db_url: str, runtime: Runtime
) -> None:
    """Finds a stream that outlives a removal by a process that could not say so, and one whose lost seat makes up for
    it."""
    table = await sit_down(runtime)
    await table.open()
    ann, bea = (table.people[name].id for name in ("ann", "bea"))
    async with runtime.sessions.begin() as session:
        for name in ("ann", "bea"):
            await seats.sit_down(session, table.people[name], "test", tokens.fresh())
    await until_heard(runtime.bus, runtime.sessions)  # of its opening
    events = await waits(stack, opened(stack, carried("postgres", db_url).bus(0.3)), table.campaign, ann, bea)
    async with runtime.sessions.begin() as session:
        await seats.sign_out(session, table.people["ann"])
        await session.execute(text("DELETE FROM seat_holders WHERE member_id = :ann"), {"ann": ann})
    await woken(events[0])
    assert not events[1].is_set()
    async with runtime.sessions.begin() as session:
        await session.execute(text("DELETE FROM campaigns WHERE id = :c"), {"c": table.campaign})
    await woken(events[1])


@pytest.mark.usefixtures("toy")
async def test_the_look_finds_a_lost_hint_about_a_hidden_seat_for_those_who_know_of_it(
    stack: contextlib.AsyncExitStack, runtime: Runtime, db_url: str
) -> None:
    table = await sit_down(runtime)
    await table.open()
    await until_heard(runtime.bus, runtime.sessions)  # of its opening
    people = {name: person.id for name, person in table.people.items()}
    nobody = opened(stack, Carried("nats", db_url, f"nats://127.0.0.1:{free_port()}").bus())
    table.runtime = replace(runtime, bus=nobody)
    bus = opened(stack, Carried("postgres", db_url, None).bus(0.3))
    events = dict(zip(people, await waits(stack, bus, table.campaign, *people.values()), strict=True))
    await table.lay("cyd", "r1/steal", {"what": "the bell"})
    await woken(events["cyd"], events["gm"])
    await asyncio.sleep(0.7)  # two more looks
    assert {name for name, event in events.items() if event.is_set()} == {"cyd", "gm"}
    for event in events.values():
        event.clear()
    await asyncio.sleep(0.7)
    assert not any(event.is_set() for event in events.values()), "what was found is not found again"


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("scheme", ["nats", pytest.param("valkey", marks=pytest.mark.nightly)])
async def test_without_any_broker_play_goes_on_and_the_look_wakes(
    stack: contextlib.AsyncExitStack, scheme: str, runtime: Runtime, db_url: str
) -> None:
    table = await sit_down(runtime)
    await table.open(thief=False)
    bus = opened(stack, Carried(scheme, db_url, f"{scheme}://127.0.0.1:{free_port()}").bus(0.3))
    table.runtime = replace(runtime, bus=bus)
    event = await stack.enter_async_context(bus.subscribe(table.campaign, ANN))
    async with asyncio.timeout(SOON):
        await table.lay("ann", "r1/knock", {"times": 1})
    await woken(event)
    assert not bus.listening.is_set()
    async with asyncio.timeout(SOON):
        await bus.close()


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("carrier", POSTGRES_FIRST, indirect=True)
async def test_the_look_is_silent_about_what_was_heard(
    stack: contextlib.AsyncExitStack, carrier: Carried, runtime: Runtime
) -> None:
    """Every reveal would otherwise be fetched twice by everybody. Looks fall between a commit and its hint here."""
    table = await sit_down(runtime)
    await table.open(thief=False)
    await until_heard(runtime.bus, runtime.sessions)  # of its opening
    bus = opened(stack, carrier.bus(0.001))
    table.runtime = replace(runtime, bus=bus)
    (event,) = await waits(stack, bus, table.campaign, ANN)
    for _ in range(4):
        await table.lay("ann", "r1/knock", {"times": 1})
        await woken(event)
        event.clear()
        await asyncio.sleep(LATE_SECONDS + 0.2)
        assert not event.is_set()


class SlowPoller(Poller):
    """One whose answer is on its way for so long that a change is committed and its hint is heard meanwhile."""

    meanwhile: Callable[[], Awaitable[None]] | None = None

    async def _count(self, connection: psycopg.AsyncConnection, keys: Collection[tuple[str, str]]) -> dict[Any, int]:
        found = await super()._count(connection, keys)
        if self.meanwhile is not None:
            await self.meanwhile()
            self.meanwhile = None
        return found


@pytest.mark.usefixtures("toy")
async def test_a_hint_that_overtakes_a_look_is_not_repeated(runtime: Runtime, db_url: str) -> None:
    """The counters were read before its change; the next look finds the change, and the hint was heard already."""
    table = await sit_down(runtime)
    hint, woken = f"{table.campaign.hex}:{EVERYBODY}", list[str]()
    keys = [(table.campaign.hex, EVERYBODY)]
    poller = SlowPoller(db_url, SimpleNamespace(watched=lambda: keys, wake=woken.append, wake_all=woken.clear), 1)

    async def change() -> None:
        async with runtime.sessions.begin() as session:
            await count(session, table.campaign, EVERYBODY)

    async def change_and_hear() -> None:
        await change()
        poller.heard(hint)

    async with await psycopg.AsyncConnection.connect(plain(db_url), autocommit=True) as connection:
        await poller._compare(connection)
        poller.meanwhile = change_and_hear
        for _ in range(2):
            await poller._compare(connection)
        assert not poller._late
        await change()  # the hint of this one is lost
        await poller._compare(connection)
        assert list(poller._late) == [hint]
    await poller.close()


@pytest.mark.usefixtures("toy")
async def test_after_a_cut_database_the_look_wakes_all(
    stack: contextlib.AsyncExitStack, outside: Carried, runtime: Runtime
) -> None:
    table = await sit_down(runtime)
    await table.open()
    proxy = proxied(stack, before(outside.database))
    bus = opened(stack, outside.bus(0.3, database=through(outside.database, proxy)))
    (event,) = await waits(stack, bus, table.campaign, ANN)
    proxy.cut()
    async with asyncio.timeout(SOON), bus.subscribe(table.campaign, BEA) as late:
        await asyncio.sleep(0.5)
        assert not event.is_set() and not late.is_set()
        proxy.mend()
        await woken(event, late)


async def test_garbage_on_the_wire_harms_nobody(
    stack: contextlib.AsyncExitStack, carrier: Carried, sessions: Sessions, campaign: uuid.UUID, db_url: str
) -> None:
    bus = opened(stack, carrier.bus())
    (event,) = await waits(stack, bus, campaign, ANN)
    for garbage in ("", ":", "all", f"{campaign.hex}", f"{campaign.hex}:nobody", "ä:ö", ":all"):
        async with sessions.begin() as session:
            await bus._carrier.publish(session, garbage)
    assert not event.is_set()
    await say(bus, sessions, campaign)
    await woken(event)


def test_an_unknown_address_is_refused_without_repeating_it(db_url: str) -> None:
    with pytest.raises(UserError, match="SIGNET_BUS_URL is not the address of a bus") as caught:
        make_bus("amqp://anna:s3cret@queue", db_url)
    assert "s3cret" not in str(caught.value)


def test_serve_says_so_before_any_worker_starts(db_url: str) -> None:
    given = {"DATABASE_URL": db_url, "SIGNET_KEY": base64.b64encode(KEY).decode(), "BUS_URL": "http://127.0.0.1"}
    told = CliRunner().invoke(cli, ["serve", "--workers", "2"], env=given)
    assert isinstance(told.exception, UserError) and "SIGNET_BUS_URL" in str(told.exception)


@pytest.mark.parametrize(("library", "address"), [("nats", "nats://127.0.0.1"), ("redis", "rediss://127.0.0.1")])
def test_a_missing_extra_is_named(library: str, address: str) -> None:
    without = (
        f"import sys; sys.modules[{library!r}] = None\nfrom app.table.bus import make_bus\nmake_bus({address!r}, '')"
    )
    done = subprocess.run([sys.executable, "-c", without], capture_output=True, text=True, check=False)
    assert "UserError: For SIGNET_BUS_URL the extra 'bus' has to be installed" in done.stderr
