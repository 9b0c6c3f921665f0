"""Kills a process in the middle of time that passes, or is taken back: `python -m tests.almanac.kills --times 100`.

Each round a forked process lets a month pass (or takes it back) and dies by SIGKILL: at a named point, before a
statement, at its commit, or right behind it, when nobody has been told yet. Then the database must hold all of it or
nothing; the same press is made again and must leave exactly one movement; and what it did must be what it always does.
"""

import argparse
import asyncio
import os
import random
import secrets
import signal
import sys
import uuid
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Engine, event, make_url
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker
from sqlalchemy.pool import NullPool

import app.rulesets
from app import failpoints
from app.crypto.vault import Vault
from app.db.engine import make_engine, migrate
from app.models.almanac import Crossing
from tests.almanac.small_campaign import Contents, Land, settle
from tests.kills.cluster import Cluster, place_for_one
from tests.toy import TOY

KEY = b"test key of thirty-two bytes, ok"
TO = 30

Doom = tuple[str, int]  # where, and before which statement


@contextmanager
def database() -> Iterator[str]:
    """A migrated database of our own, on the server at DATABASE_URL or an embedded one."""
    with ExitStack() as ends:
        given = os.environ.get("DATABASE_URL")
        if not given:
            cluster = Cluster(Path(ends.enter_context(place_for_one())))
            ends.callback(cluster.stop)
            given = cluster.start().url
        yield from _database(given)


def _database(given: str) -> Iterator[str]:
    server = make_url(given)
    name = f"signet_kill_{secrets.token_hex(5)}"
    admin = server.set(drivername="postgresql", database="postgres").render_as_string(hide_password=False)
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            url = server.set(database=name).render_as_string(hide_password=False)
            migrate(url)
            yield url
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


class Killing:
    """One campaign, pressed and killed again and again."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.figures: Counter[tuple[str, str]] = Counter()
        self.land: Land = self.do(self._begin)
        self.start = self.do(self.land.contents)
        self.statements = {what: self._count(what) for what in ("pass", "take back")}

    def do(self, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """In a loop of its own, so that nothing runs while we fork."""

        async def whole() -> Any:
            engine = make_engine(self.url, poolclass=NullPool)
            sessions = async_sessionmaker(engine, expire_on_commit=False, class_=AsyncSession)
            if hasattr(self, "land"):
                self.land.sessions = sessions
            else:
                self.sessions = sessions
            try:
                return await work()
            finally:
                await engine.dispose()

        return asyncio.run(whole())

    async def _begin(self) -> Land:
        land = await settle(self.sessions, Vault([KEY]))
        await land.fill()
        return land

    def _count(self, what: str) -> int:
        """How many statements a whole movement takes; learns on the way what it leaves."""
        seen = Counter[str]()

        def count(*_: Any) -> None:
            seen["statements"] += 1

        crossing: Crossing | None = None if what == "pass" else self.do(lambda: self.land.move(TO))
        event.listen(Engine, "before_cursor_execute", count)
        try:
            done: Crossing = self.do(lambda: self._press(what, crossing, uuid.uuid4()))
        finally:
            event.remove(Engine, "before_cursor_execute", count)
        if what == "pass":
            self.left: Contents = self.do(lambda: self.land.contents(ids=False))
            self.do(lambda: self.land.undo(done))
        return seen["statements"]

    async def _press(self, what: str, crossing: Crossing | None, press: uuid.UUID) -> Crossing:
        if what == "pass":
            return await self.land.move(TO, press=press)
        assert crossing is not None
        return await self.land.undo(crossing)

    def round(self, what: str, doom: Doom) -> None:
        crossing = None if what == "pass" else self.do(lambda: self.land.move(TO))
        before: Contents = self.do(self.land.everything)
        press = uuid.uuid4()
        child = os.fork()
        if not child:
            self._die(doom, lambda: self._press(what, crossing, press))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL, f"nobody died at {doom}"
        kept = doom[0] == "committed"
        if not kept:
            assert self.do(self.land.everything) == before, f"something is left of a press that died at {doom}"
        self._look(what, press, kept)
        # The browser sends the press again: it must be done, and once only.
        again = self.do(lambda: self._press(what, crossing, press))
        self._look(what, press, True)
        if what == "pass":
            self.do(lambda: self.land.undo(again))
        assert self.do(self.land.contents) == self.start, f"not all was taken back after {doom}"
        self.figures[what, doom[0]] += 1

    def _look(self, what: str, press: uuid.UUID, done: bool) -> None:
        """All of it or nothing."""
        passed = done if what == "pass" else not done
        contents: Contents = self.do(lambda: self.land.contents(ids=False))
        if passed:
            assert contents == self.left, "a movement does what it always does"
        else:
            assert self.do(self.land.contents) == self.start
        everything: Contents = self.do(self.land.everything)
        assert sum(press in row for row in everything["crossings"]) == (done and what == "pass")

    def _die(self, doom: Doom, work: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        where, number = doom
        left = number

        def now(*_: Any) -> None:
            os.kill(os.getpid(), signal.SIGKILL)

        def count(*_: Any) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                now()

        if where == "statement":
            event.listen(Engine, "before_cursor_execute", count)
        elif where == "commit":
            event.listen(Engine, "commit", now)
        elif where != "committed":
            failpoints.hit = lambda name: now() if name == where else None
        try:
            self.do(work)
        except BaseException as error:  # a forked copy of a test must never go on as the test
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
            os._exit(1)
        if where == "committed":
            now()


def dooms(killing: Killing, times: int) -> Iterator[tuple[str, Doom]]:
    """Named places first, then before statements all over the movement."""
    luck = random.Random(5)
    named = [(w, (p, 0)) for w, p in (("pass", "days-run"), ("pass", "days-written"), ("take back", "days-undone"))]
    named += [(what, (where, 0)) for what in ("pass", "take back") for where in ("commit", "committed")]
    for number in range(times):
        if number % 2 and number // 2 < len(named):
            yield named[number // 2]
        else:
            what = "take back" if number % 4 == 2 else "pass"
            yield what, ("statement", luck.randint(1, killing.statements[what]))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.almanac.kills", description=__doc__)
    parser.add_argument("--times", type=int, default=100, help="how often (100)")
    times = parser.parse_args().times
    app.rulesets.RULESETS = (*app.rulesets.RULESETS, TOY)
    with database() as url:
        killing = Killing(url)
        for what, doom in dooms(killing, times):
            killing.round(what, doom)
    for (what, where), number in sorted(killing.figures.items()):
        sys.stdout.write(f"{number:4} killed while time was to {what}, at: {where}\n")
    sys.stdout.write(f"{sum(killing.figures.values()):4} kills: each time all of it or nothing, and once.\n")


if __name__ == "__main__":
    main()
