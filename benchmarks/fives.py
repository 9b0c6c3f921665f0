"""A table of five in its browsers: one seal, and what the pages of all five then ask for."""

import http.client
import re
import statistics
import time
import uuid
from asyncio import run
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from urllib.parse import urlencode

import psycopg

from benchmarks import ground, tables
from benchmarks.figures import Figure
from benchmarks.ground import Server
from benchmarks.presses import FORM
from benchmarks.tables import STEP, Chair

WARM = 5
SHOWN = re.compile(r'data-shown="([^"]*)"')
BY_TURNS = {1: "bob", 2: "charlie"}  # places among the players; the GM never seals, so the step stays open


@dataclass
class Tab:
    """The scene's page in one browser: a connection that stays open, and the mark of what the page shows."""

    server: Server
    chair: Chair
    tells: bool  # whether it tells the server what it shows, as browsers do
    shown: str = ""
    length: int = 0  # bytes of the last answer
    connection: http.client.HTTPConnection = field(init=False)

    def __post_init__(self) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        self._ask("GET", self.chair.page)

    def look(self) -> None:
        """Fetches what has changed, as after a hint."""
        self._ask("GET", f"{self.chair.page}/live", htmx=True)

    def seal(self, seat: str, revision: int) -> None:
        form = {"_step": STEP, "_seat": seat, "_act": "seal", f"of.{seat}.intent": "stand"}
        form |= {"_revision": str(revision), "_request": str(uuid.uuid4())}
        self._ask("POST", f"{self.chair.page}/lay", urlencode(form), htmx=True)

    def _ask(self, method: str, path: str, body: str | None = None, *, htmx: bool = False) -> None:
        head = {"Cookie": self.chair.cookie, **(FORM if body else {})}
        if htmx:
            head |= {"HX-Request": "true", **({"Signet-Shown": self.shown} if self.tells and self.shown else {})}
        self.connection.request(method, path, body, head)
        answer = self.connection.getresponse()
        said = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path} was answered with {answer.status}: {said[-300:]!r}")
        self.length = len(said)
        self.shown = next(iter(SHOWN.findall(said.decode())), self.shown)

    def close(self) -> None:
        self.connection.close()


@dataclass
class Five:
    """A GM, three players and a spectator."""

    tabs: list[Tab]
    revisions: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BY_TURNS.values(), 0))
    work: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    bytes: int = 0

    def seal(self, server: Server, number: int) -> None:
        place = 1 + number % len(BY_TURNS)
        seat = BY_TURNS[place]
        work, began = server.work(), time.perf_counter()
        self.tabs[place].seal(seat, self.revisions[seat])
        for tab in self.tabs:  # also the one that has sealed: its own hint waited for the answer
            tab.look()
        self.revisions[seat] += 1
        if number >= WARM:
            self.work.append(server.work() - work)
            self.seconds.append(time.perf_counter() - began)
            self.bytes = sum(tab.length for tab in self.tabs)


def figures(*, quick: bool = False, count: int | None = None) -> Iterator[Figure]:
    """Yields a seal with all that five browsers ask for because of it, against the same where every page is fetched
    whole, by turns; the ratio is of processor time."""
    count = count or (40 if quick else 200)
    with ground.database() as url:
        laid = run(tables.lay_tables(url, 2, watching=1))
        with (
            ground.signet(url) as server,
            psycopg.connect(ground.plain(url), autocommit=True) as database,
            ExitStack() as open_tabs,
        ):
            database.execute("ANALYZE")
            parts, whole = (
                Five([Tab(server, chair, tells) for chair in (*table.players, table.gm, *table.watching)])
                for table, tells in zip(laid, (True, False), strict=True)
            )
            for tab in (*parts.tabs, *whole.tabs):
                open_tabs.callback(tab.close)
            for number in range(WARM + count):
                for five in (parts, whole):
                    five.seal(server, number)
    seconds, floor = (statistics.median(five.seconds) * 1000 for five in (parts, whole))
    work, less = (statistics.fmean(five.work) for five in (parts, whole))
    yield Figure(name="A seal at a table of five, all browsers", measured=f"{seconds:.1f} ms",
                 floor=f"{floor:.1f} ms (pages fetched whole)", ratio=work / less, at_most=1 / 3,
                 work=work, floor_work=less)  # fmt: skip
    yield Figure(name="A seal at a table of five: bytes sent", measured=f"{parts.bytes / 1000:.1f} kB",
                 floor=f"{whole.bytes / 1000:.1f} kB (whole)", ratio=parts.bytes / whole.bytes,
                 at_most=1 / 3)  # fmt: skip
