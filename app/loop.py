"""The event loop of a worker, and the end of its tasks."""

import asyncio
from typing import Any

CANCEL_AGAIN = 2.0  # seconds


class SharingLoop(asyncio.SelectorEventLoop):
    """Accepts new connections one at a time, so that workers share a rush of them.

    Python's own loop accepts all waiting connections at once. Connections stay open and are reused, so the worker that
    woke first when a table sat down would answer for the whole table, while the others idle.
    """

    async def create_server(self, *args: Any, backlog: int = 2048, **more: Any) -> asyncio.Server:
        # Python uses one number for how many to accept at once and for how many the system lets wait.
        server = await super().create_server(*args, backlog=1, **more)
        waiting = more.get("sock")
        if waiting is not None:
            waiting.listen(backlog)
        return server


async def end(task: asyncio.Task[None] | None) -> None:
    """Cancels a task, and returns when it is over.

    Before Python 3.12 `asyncio.wait_for`, which psycopg waits with, loses a cancellation that comes at the same moment
    as the awaited result. So a task that still runs is cancelled again, every `CANCEL_AGAIN` seconds.
    """
    while task is not None and not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=CANCEL_AGAIN)
