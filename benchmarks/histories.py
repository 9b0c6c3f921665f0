"""A battle in round 200 against the same battle in round 10: its page drawn anew, a browser's seal, and the film of the
round before."""

import asyncio
import http.client
import statistics
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlencode

import psycopg
from sqlalchemy.ext.asyncio import async_sessionmaker

from app.crypto.vault import Vault
from app.db.engine import make_engine
from app.engine.ruleset import GM
from app.play import decisions
from app.table import envelopes
from app.table.bus import PostgresBus
from app.table.envelopes import Submission
from app.table.runtime import Runtime
from benchmarks import ground, tables
from benchmarks.figures import Figure
from benchmarks.ground import KEY, Server
from benchmarks.tables import Chair, Table

FEW, MANY = 10, 200
WARM = 5
STAND = {
    "alice": ("alice",),
    "bob": ("bob",),
    "charlie": ("charlie",),
    "gm": ("sword-goblin", "red-axe", "old-axe"),
}
"""Whom each seat declares for; all of them only stand, so that no round is the last, but one blow in the last that is
played, which makes its film."""
BLOW = {"of.alice.intent": "attack", "of.alice.attack": "sword-goblin"}


@dataclass
class Taken:
    """What one table took."""

    seconds: list[float] = field(default_factory=list)
    work: list[float] = field(default_factory=list)
    length: int = 0


def figures(*, quick: bool = False, few: int = FEW, many: int = MANY, count: int | None = None) -> Iterator[Figure]:
    """Yields the late table against the early one, by turns, one request at a time; the ratio is of processor time."""
    count = count or (20 if quick else 100)
    with ground.database() as url:
        early, late = asyncio.run(tables.lay_tables(url, 2))
        asyncio.run(_play(url, early, few))
        asyncio.run(_play(url, late, many))
        with ground.signet(url) as server, psycopg.connect(ground.plain(url), autocommit=True) as database:
            database.execute("ANALYZE")
            pages, seals, films = ((Taken(), Taken()) for _ in range(3))
            for number in range(WARM + count):
                for table, round_no, page, seal, film in zip(
                    (early, late), (few, many), pages, seals, films, strict=True
                ):
                    scene = table.gm.scene
                    database.execute("UPDATE scenes SET changes = changes + 1 WHERE id = %s", [scene])
                    _take(server, table.players[1], page, number)
                    _take(server, table.players[2], seal, number, _seal(round_no, number))
                    _take(server, table.players[1], film, number, at=f"/film?step=r{round_no - 1}/declare")
    for name, (before, after) in (
        ("scene page drawn anew", pages), ("a browser’s seal", seals), ("the film of the round before", films),
    ):  # fmt: skip
        seconds, floor = (statistics.median(one.seconds) * 1000 for one in (after, before))
        work, less = (statistics.fmean(one.work) for one in (after, before))
        yield Figure(name=f"Whiskey, round {many}: {name}", measured=f"{seconds:.1f} ms",
                     floor=f"{floor:.1f} ms (round {few})", ratio=work / less, at_most=1.15,
                     work=work, floor_work=less)  # fmt: skip
    before, after = pages
    yield Figure(name=f"Whiskey, round {many}: bytes of the page", measured=f"{after.length / 1000:.1f} kB",
                 floor=f"{before.length / 1000:.1f} kB (round {few})", ratio=after.length / before.length,
                 at_most=1.15)  # fmt: skip


def _seal(round_no: int, revision: int) -> dict[str, str]:
    step = {"_step": f"r{round_no}/declare", "_seat": "charlie", "_act": "seal", "of.charlie.intent": "stand"}
    return {**step, "_revision": str(revision), "_request": str(uuid.uuid4())}


def _take(
    server: Server, chair: Chair, taken: Taken, number: int, form: dict[str, str] | None = None, at: str = ""
) -> None:
    """Asks for the page, or posts a form as htmx does and gets the live part back."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    head = {"Cookie": chair.cookie, "Sec-Fetch-Site": "same-origin"}
    try:
        connection.connect()
        work, began = server.work(), time.perf_counter()
        if form is None:
            connection.request("GET", chair.page + at, headers=head)
        else:
            head |= {"HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded"}
            connection.request("POST", f"{chair.page}/lay", urlencode(form), head)
        answer = connection.getresponse()
        body = answer.read()
        seconds = time.perf_counter() - began
    finally:
        connection.close()
    if answer.status != 200 or (at and b"edits" not in body):
        raise RuntimeError(f"{chair.page} was answered with {answer.status}: {body[-300:]!r}")
    if number >= WARM:
        taken.seconds.append(seconds)
        taken.work.append(server.work() - work)
        taken.length = len(body)


async def _play(url: str, table: Table, rounds: int) -> None:
    """Plays until the round with this number waits for its declarations."""
    engine = make_engine(url)
    bus = PostgresBus(url)
    runtime = Runtime(async_sessionmaker(engine, expire_on_commit=False), Vault([KEY]), bus, decisions.after)
    chairs = {"gm": table.gm, **dict(zip(("alice", "bob", "charlie"), table.players, strict=True))}
    try:
        while True:
            async with runtime.locked_scene(table.gm.campaign, table.gm.scene) as (session, live):
                step = live.kind.steps(live.state)[0]
                if step.key == f"r{rounds}/declare":
                    return
                for ask in step.asks:
                    pairs = [(f"of.{who}.intent", "stand") for who in STAND[ask.seat]] if ask.kind == "declare" else []
                    if (step.key, ask.seat) == (f"r{rounds - 1}/declare", "alice"):
                        pairs = list(BLOW.items())
                    revision = 1 if (step.key, ask.seat) == (tables.STEP, "alice") else 0
                    who = chairs["gm" if ask.seat == GM else ask.seat].member
                    laid = Submission(step.key, ask.seat, pairs, revision, uuid.uuid4(), ready=True)
                    await envelopes.lay(session, live, who, laid)
    finally:
        await bus.close()
        await engine.dispose()
