"""kill -9 of workers: one dies at each named point, all in one round, while others seal, talk and look on."""

import asyncio
import signal
import time
import uuid
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
from sqlalchemy import select

from app.failpoints import POINTS
from app.models.scenes import Envelope, Line
from app.table.bus.poller import LOOK_SECONDS
from tests.kills.fork_server import Nursery, Worker
from tests.kills.stage import Press, Stage, Truth
from tests.kills.watching import REVEALED, Watcher


@dataclass
class Figures:
    """What happened at one point."""

    kills: int = 0
    kept: int = 0  # kills after which the press was in the database, though nobody had been told
    acknowledged: int = 0  # seals that were answered with "yes"
    waits: list[float] = field(default_factory=list)  # seconds from being connected (or sealed) to the true page
    read_sessions: list[float] = field(
        default_factory=list
    )  # seconds that a plain look at the page took in the same moments
    seals: list[uuid.UUID] = field(default_factory=list)

    @property
    def usual(self) -> float:
        """What nine of ten pages waited at most; a busy machine has a slow one now and then."""
        return _nine_of_ten(self.waits)

    @property
    def slow(self) -> bool:
        """Longer than a second, and not because the machine was so busy that one look took a tenth of that."""
        return self.usual > max(1.0, 10 * _nine_of_ten(self.read_sessions))


def _nine_of_ten(spans: list[float]) -> float:
    return sorted(spans)[max(0, len(spans) * 9 // 10 - 1)]


@dataclass
class Doomed:
    point: str
    worker: Worker
    fuse: Path

    def start(self) -> None:
        self.fuse.unlink(missing_ok=True)
        self.worker.start(SIGNET_FAILPOINT=self.point, SIGNET_FUSE=str(self.fuse))


class Battlefield:
    """One worker for each point, and a neighbour who never dies."""

    def __init__(self, stage: Stage, nursery: Nursery, place: Path, points: Iterable[str] = POINTS) -> None:
        self.stage, self.figures = stage, {point: Figures() for point in points}
        self.neighbour = nursery.worker()
        self.doomed = [Doomed(p, Worker(nursery, int(nursery.order(port=0)["port"])), place / p) for p in self.figures]
        for one in self.doomed:
            one.start()

    async def round(self) -> None:
        await asyncio.gather(*(self._kill(one) for one in self.doomed))

    async def _kill(self, one: Doomed) -> None:
        stage, figures = self.stage, self.figures[one.point]
        press = await stage.nearly_revealed(but=("bob", "charlie"))
        bob = stage.press("bob", press.scene)
        assert await stage.send(self.neighbour.url, bob) == 303
        watcher, far = (Watcher(stage, url, "alice", press.scene) for url in (one.worker.url, self.neighbour.url))
        try:
            await watcher.until(False)
            await far.until(False)
            one.fuse.touch()
            words = f"Beside {one.point}, {uuid.uuid4()}"
            answer, said = await asyncio.gather(
                stage.send(one.worker.url, press), stage.say(self.neighbour.url, "sam", press.scene, words)
            )
            assert answer is None, f"answered with {answer} beyond {one.point}"
            assert one.worker.gone() == -signal.SIGKILL
            figures.kills += 1
            truth = await stage.truth(press.scene)
            assert truth.closed == (one.point == "committed"), f"killed at {one.point}: {truth}"
            assert set(truth.seals) == ({press.request} if truth.closed else set())
            figures.kept += truth.closed
            if truth.closed:  # the hint died with its worker; the look of every other finds what it said
                await far.until(True, LOOK_SECONDS + 30)
            one.start()
            await self._back(one, press, truth, watcher)
            assert said == 303 and await self._was_said(press.scene, words), "a neighbour's word was lost"
        finally:
            await watcher.close()
            await far.close()
        figures.seals += [bob.request, press.request]
        figures.acknowledged += 2

    async def _back(self, one: Doomed, press: Press, truth: Truth, watcher: Watcher) -> None:
        """The worker is there again: pages come true, and the repeated press is told what is so."""
        restarted = await self._answers(one)
        if truth.closed:
            self._shown(one, restarted, watcher, await watcher.until(True))
        assert await self.stage.send(one.worker.url, press) == 303
        answered = time.monotonic()
        self._shown(one, answered, watcher, await watcher.until(True))
        self.figures[one.point].read_sessions.append(await timed_look(self.stage, one.worker.url, press.scene))
        after = await self.stage.truth(press.scene)
        assert after.closed and after.seals == {press.request: 1}
        assert not truth.closed or after.events == truth.events
        assert await self.stage.send(self.neighbour.url, press) == 303, "a third time, elsewhere"
        assert await self.stage.truth(press.scene) == after
        await self.stage.receipts_hold(press.scene)

    async def _answers(self, one: Doomed) -> float:
        """The moment at which the new process is up; what waited in the old one's queue may be refused."""
        browser = self.stage.browser(one.worker.url, "sam")
        try:
            while True:
                with suppress(httpx2.TransportError):
                    await browser.http.get("/about")
                    return time.monotonic()
                await asyncio.sleep(0.01)
        finally:
            await browser.http.aclose()

    def _shown(self, one: Doomed, since: float, watcher: Watcher, shown: float) -> None:
        # Negative where the page was true before: a look that was under way may be answered by the new process.
        self.figures[one.point].waits.append(shown - max(since, watcher.connected_at))

    async def _was_said(self, scene: uuid.UUID, words: str) -> bool:
        async with self.stage.runtime.sessions() as session:
            found = await session.scalars(select(Line.text).where(Line.scene_id == scene, Line.text == words))
            return len(found.all()) == 1

    async def lost(self) -> list[uuid.UUID]:
        return await kept_once(self.stage, self.figures)

    def close(self) -> None:
        """End the workers; their ports stay with the nursery."""
        self.neighbour.end()
        for one in self.doomed:
            one.worker.end()


async def kept_once(stage: Stage, figures: dict[str, Figures]) -> list[uuid.UUID]:
    """Seals that were acknowledged and are not in the database once each, opened."""
    async with stage.runtime.sessions() as session:
        rows = await session.execute(select(Envelope.request_id, Envelope.opened))
        there = Counter(request for request, opened in rows if opened is not None and opened["words"])
    return [seal for point in figures.values() for seal in point.seals if there[seal] != 1]


async def timed_look(stage: Stage, origin: str, scene: uuid.UUID) -> float:
    """Seconds that it takes to get the page, with everything else that is going on."""
    begun = time.monotonic()
    assert REVEALED in (await stage.page(origin, "alice", scene)).text
    return time.monotonic() - begun
