"""A page that stays open, the way `static/js/live.js` keeps it true: a stream, and a look after each hint."""

import asyncio
import time
import uuid
from contextlib import suppress

import httpx2

from tests.kills.stage import ROAD, Stage

REVEALED = "Round 1, opened together"
LOOK_AGAIN = 1.0  # after an error
AGAIN = 0.2  # the shortest pause before live.js connects again


class Watcher:
    """Somebody who looks on at one scene, on one worker."""

    def __init__(self, stage: Stage, origin: str, who: str, scene: uuid.UUID) -> None:
        self.scene, self.who = scene, who
        self.shows = ""
        self.connected_at = 0.0
        self.shown_at = 0.0
        self.answers: set[int] = set()  # other than 200
        self._browser = stage.browser(origin, who)
        self._changed = asyncio.Event()
        self._task = asyncio.create_task(self._watch())

    async def close(self) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        await self._browser.http.aclose()

    async def until(self, revealed: bool, seconds: float = 30) -> float:
        """Wait until the page shows what is so; the moment at which it did."""
        async with asyncio.timeout(seconds):
            while not self.shows or (REVEALED in self.shows) != revealed:
                await self._changed.wait()
                self._changed.clear()
        return self.shown_at

    async def _watch(self) -> None:
        while True:
            with suppress(httpx2.TransportError):
                await self._listen()
            await asyncio.sleep(AGAIN)

    async def _listen(self) -> None:
        at, said = f"{ROAD}/{self.who}", {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}
        async with self._browser.http.stream("GET", f"{at}/stream", headers=said) as stream:
            if stream.status_code != 200:
                return
            self.connected_at = time.monotonic()
            async for line in stream.aiter_lines():
                while line.startswith("data:"):
                    page = await self._browser.http.get(f"{at}/scene/{self.scene}/live", headers=said)
                    if page.status_code == 200:
                        self.shows, self.shown_at = page.text, time.monotonic()
                        self._changed.set()
                        break
                    self.answers.add(page.status_code)
                    await asyncio.sleep(LOOK_AGAIN)
