"""kill -9 of Postgres: a worker stands at each named point, the database dies, and the workers go on without it."""

import asyncio
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

import httpx2

from app.failpoints import POINTS
from tests.kills.cluster import Cluster
from tests.kills.fork_server import Nursery
from tests.kills.holding import Held
from tests.kills.stage import ROAD, Press, Stage
from tests.kills.watching import Watcher
from tests.kills.workers import Figures, kept_once, timed_look
from tests.web.browser import Page, page_of


@dataclass
class Trial:
    """One point in one round."""

    held: Held
    press: Press
    words: str
    watcher: Watcher


class Collapse:
    """One worker for each point; none of them ever dies, each has to find the database again by itself."""

    def __init__(self, stage: Stage, cluster: Cluster, nursery: Nursery, place: Path) -> None:
        self.stage, self.cluster = stage, cluster
        self.figures = {point: Figures() for point in POINTS}
        self.held = [Held.start(nursery, point, place) for point in POINTS]

    def close(self) -> None:
        for held in self.held:
            held.worker.end()

    async def round(self) -> None:
        trials = await asyncio.gather(*(self._trial(held) for held in self.held))
        try:
            for held in self.held:
                held.lay_pipes()
            sent = [asyncio.create_task(self._send(t.held.worker.url, t.press)) for t in trials]
            await asyncio.gather(*(t.held.reached() for t in trials))
            self.cluster.kill()
            for trial in trials:
                trial.held.go()
            for trial, answer in zip(trials, await asyncio.gather(*sent), strict=True):
                _said_what_is_known(trial, answer)
            await asyncio.gather(*(self._without_a_database(t) for t in trials))
            await asyncio.to_thread(self.cluster.start)
            back = time.monotonic()
            await asyncio.gather(*(self._afterwards(t, back) for t in trials))
        finally:
            for trial in trials:
                await trial.watcher.close()

    async def _trial(self, held: Held) -> Trial:
        words = f"I shout {uuid.uuid4()}"
        scene = (await self.stage.nearly_revealed(but=("bob", "charlie"))).scene
        press = self.stage.press("charlie", scene, shout=words)
        bob = self.stage.press("bob", press.scene)
        assert await self.stage.send(held.worker.url, bob) == 303
        self.figures[held.point].seals.append(bob.request)
        watcher = Watcher(self.stage, held.worker.url, "alice", press.scene)
        await watcher.until(False)
        return Trial(held, press, words, watcher)

    async def _send(self, origin: str, press: Press) -> httpx2.Response:
        answer = await self.stage.post(origin, press.who, f"{press.path}/lay", press.fields)
        assert answer is not None, "a worker must answer, whatever its database does"
        return answer

    async def _without_a_database(self, trial: Trial) -> None:
        """Every answer is a page that says so, with status 503, and what was typed is in it."""
        origin, press = trial.held.worker.url, trial.press
        page = page_of(await self._send(origin, press))
        _keeps_what_was_typed(page, press, trial.words)
        for who in ("alice", "gm"):
            page = await self.stage.page(origin, who, press.scene)
            assert page.status == 503 and "The database is not answering." in page.text
        answer = await self.stage.post(origin, "sam", f"{ROAD}/sam/scene/{press.scene}/say", [("said", trial.words)])
        assert answer is not None and answer.status_code == 503 and trial.words in answer.text
        assert "check whether it is there before you send it again" in answer.text

    async def _afterwards(self, trial: Trial, back: float) -> None:
        press, origin, figures = trial.press, trial.held.worker.url, self.figures[trial.held.point]
        figures.kills += 1
        truth = await self.stage.truth(press.scene)
        assert truth.closed == (trial.held.point == "committed"), f"killed at {trial.held.point}: {truth}"
        assert set(truth.seals) == ({press.request} if truth.closed else set())
        figures.kept += truth.closed
        if truth.closed:
            figures.waits.append(await trial.watcher.until(True) - back)
        assert await self.stage.send(origin, press) == 303
        answered = time.monotonic()
        figures.waits.append(await trial.watcher.until(True) - answered)
        figures.read_sessions.append(await timed_look(self.stage, origin, press.scene))
        after = await self.stage.truth(press.scene)
        assert after.closed and after.seals == {press.request: 1}
        assert not truth.closed or after.events == truth.events
        assert await self.stage.send(origin, press) == 303
        assert await self.stage.truth(press.scene) == after
        await self.stage.receipts_hold(press.scene)
        assert trial.watcher.answers <= {503}, f"a look was answered with {trial.watcher.answers}"
        figures.seals.append(press.request)
        figures.acknowledged += 2

    async def lost(self) -> list[uuid.UUID]:
        return await kept_once(self.stage, self.figures)


def _said_what_is_known(trial: Trial, answer: httpx2.Response) -> None:
    if trial.held.point == "committed":
        assert answer.status_code == 303, "it is in the database, and that was known"
    else:
        _keeps_what_was_typed(page_of(answer), trial.press, trial.words)


def _keeps_what_was_typed(page: Page, press: Press, words: str) -> None:
    assert page.status == 503, f"{page.status}: {page.text[:400]}"
    assert "so Signet can't tell whether this still went through" in page.text and words in page.text
    assert page.headers["retry-after"] == "3"
    again = page.form("/lay")
    assert sorted(again.fields) == sorted(press.fields), "pressing the page's button sends the same form"
