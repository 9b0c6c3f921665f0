"""Every hint that the app sends is counted where the poller looks, so that no page waits for a bus that is away."""

import ast
import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi import FastAPI
from sqlalchemy import select

import app
from app.models.base import new_id
from app.models.people import Campaign, Member, Role
from app.table.bus.fanout import WakingBus
from app.table.runtime import Runtime
from tests.server import free_port, servers
from tests.table.carriers import NO_LOOK, Carried, carried
from tests.table.table import sit_down
from tests.table.test_workers import Player, links
from tests.web.browser import Browser
from tests.web.test_group_link import ask
from tests.web.test_scene_pages import ROAD, Sit, sit

__all__ = ["links", "sit"]
pytestmark = pytest.mark.anyio
APP = Path(app.__file__).parent
SOON = 30.0  # seconds; a busy machine is slow now and then
COUNTED_ELSEWHERE = {"table/runtime.py:_wake"}
"""The functions that count their hints themselves: on the scene, or on the seat's holders."""


def _functions(tree: ast.AST) -> Iterator[ast.AsyncFunctionDef]:
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef))


def _hints() -> Iterator[tuple[str, ast.Call]]:
    """Each place of the app that publishes a hint."""
    for file in sorted(APP.rglob("*.py")):
        if file.parent.name == "bus":
            continue
        for function in _functions(ast.parse(file.read_text())):
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("bus.publish"):
                    yield f"{file.relative_to(APP).as_posix()}:{function.name}", call


def test_every_hint_is_counted_for_the_poller() -> None:
    """Finds a place that says its hint is counted, while nothing counts it, and a hint for others than the poller's."""
    found = list(_hints())
    assert {"web/http/seat_session.py:changing", *COUNTED_ELSEWHERE} <= {where for where, _ in found}
    assert {where for where, call in found if call.keywords} == COUNTED_ELSEWHERE
    for where, call in found:
        whom = ast.unparse(call.args[2])
        assert whom == "EVERYBODY" or whom.startswith("str("), f"{where} sends a hint to {whom}"


@pytest.fixture
async def stack() -> AsyncIterator[contextlib.AsyncExitStack]:
    async with contextlib.AsyncExitStack() as stack:
        yield stack


def without_broker(stack: contextlib.AsyncExitStack, database: str, look: float) -> WakingBus:
    bus = Carried("nats", database, f"nats://127.0.0.1:{free_port()}").bus(look)
    stack.push_async_callback(bus.close)
    return bus


async def opened(
    stack: contextlib.AsyncExitStack, bus: WakingBus, people: dict[str, Member]
) -> dict[str, asyncio.Event]:
    """For each member an event that the bus sets when it wakes them."""
    return {
        name: await stack.enter_async_context(bus.subscribe(one.campaign_id, one.id)) for name, one in people.items()
    }


async def woken(events: dict[str, asyncio.Event]) -> set[str]:
    """Who was woken, once somebody is; all are asleep again."""
    tasks = [asyncio.create_task(event.wait()) for event in events.values()]
    done, asleep = await asyncio.wait(tasks, timeout=SOON, return_when=asyncio.FIRST_COMPLETED)
    for task in asleep:
        task.cancel()
    found = {name for name, event in events.items() if event.is_set()}
    for event in events.values():
        event.clear()
    assert done, "nobody was woken"
    return found


async def test_without_a_broker_the_poll_finds_what_changes_outside_scenes(
    stack: contextlib.AsyncExitStack, site: FastAPI, sit: Sit, open_browser: Callable[[], Browser], db_url: str
) -> None:
    """One process answers the presses and another has the open pages; no broker answers either."""
    runtime: Runtime = site.state.runtime
    site.state.runtime = replace(runtime, bus=without_broker(stack, db_url, NO_LOOK))
    async with runtime.sessions() as session:
        people = {one.handle: one for one in await session.scalars(select(Member))}
    events = await opened(stack, without_broker(stack, db_url, 0.2), people)
    gm, alice = sit("gm"), sit("alice")

    await gm.send(await gm.get(f"{ROAD}/gm/"), "/campaign", {"title": "The long road"})
    assert await woken(events) == set(people)
    letter = await gm.send(
        await gm.get(f"{ROAD}/gm/handouts/new"), "/handouts/new", {"title": "A letter", "text": "Come."}
    )
    assert await woken(events) == set(people)
    await gm.post(letter.form("/give").action, {"to": "alice"})
    assert await woken(events) == set(people)
    await alice.get(f"{ROAD}/alice/handouts")
    assert await woken(events) == {"alice"}, "the bar of her other pages"
    page = await gm.send(await gm.get(f"{ROAD}/gm/people"), "/group-link")
    assert await woken(events) == set(people)
    link = urlsplit(page.values["group-link"]).path
    await ask(open_browser(), link, "Dora")
    assert await woken(events) == {"gm"}, "nobody else may know of it"


async def test_without_a_broker_the_poll_finds_a_seal_for_a_gm_without_a_seat(
    stack: contextlib.AsyncExitStack, runtime: Runtime, db_url: str, toy: None
) -> None:
    """Nobody else is told of it where the campaign shows nothing of seals."""
    table = await sit_down(runtime)
    second = Member(campaign_id=table.campaign, id=new_id(), handle="ida", name="Ida", role=Role.GM)
    async with runtime.sessions.begin() as session:
        campaign = await session.get_one(Campaign, table.campaign)
        campaign.settings = {"sealing_shows": "nothing"}
    await table.open()
    async with runtime.sessions.begin() as session:
        session.add(second)  # only now: whoever is a GM when a scene opens has the GM's seat
    table.runtime = replace(runtime, bus=without_broker(stack, db_url, NO_LOOK))
    people = {**table.people, "ida": second}
    events = await opened(stack, without_broker(stack, db_url, 0.2), people)
    await table.lay("ann", "r1/knock", {"times": 1})
    assert await woken(events) == {"ann", "gm", "ida"}


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["nats", "valkey"])
async def test_when_the_broker_dies_a_home_page_follows_what_another_server_changes(
    stack: contextlib.AsyncExitStack, links: dict[str, str], db_url: str, tmp_path: Path, kind: str
) -> None:
    proxy = carried(kind, db_url).proxy()
    stack.callback(proxy.stop)
    with servers(db_url, tmp_path, 2, SIGNET_BUS_URL=f"{kind}://127.0.0.1:{proxy.port}") as (near, far):
        gm, alice = await Player(near, stack).come(links["gm"]), await Player(far, stack).come(links["alice"])
        await alice.quiet()
        proxy.cut()
        await gm.browser.send(await gm.browser.get(f"{ROAD}/gm/"), "/campaign", {"title": "The long road"})
        async with asyncio.timeout(SOON):
            assert await alice.hints.get() == "changed"
        assert "The long road" in (await alice.browser.get(f"{ROAD}/alice/")).text
        await stack.aclose()
