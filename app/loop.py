"""The event loop of a worker, and the end of what goes on in it."""

import asyncio
from typing import Any

CANCEL_AGAIN = 2.0  # seconds


class SharingLoop(asyncio.SelectorEventLoop):
    """Takes new connections one at a time, so that workers share a rush of them.

    Python's own loop takes all that wait at once. Connections stay open and are used again, so whichever worker woke
    first when a table sat down would answer for the whole table, while the others idle.
    """

    async def create_server(self, *args: Any, backlog: int = 2048, **more: Any) -> asyncio.Server:
        # For Python one number says how many to take at once, and for the system how many may wait.
        server = await super().create_server(*args, backlog=1, **more)
        waiting = more.get("sock")
        if waiting is not None:
            waiting.listen(backlog)
        return server


async def end(task: asyncio.Task[None] | None) -> None:
    """Cancel a task, and return when it is over.

    Before Python 3.12 `asyncio.wait_for`, which psycopg waits with, loses a cancellation that comes in the same moment
    as what it waits for. So a task that goes on is cancelled again.
    """
    while task is not None and not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=CANCEL_AGAIN)
