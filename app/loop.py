"""The event loop of a worker: it takes new connections one at a time, so that workers share a rush of them.

Python's own loop takes all that wait at once. Connections stay open and are used again, so whichever worker woke first
when a table sat down would answer for the whole table, while the others idle.
"""

import asyncio
from typing import Any


class SharingLoop(asyncio.SelectorEventLoop):
    async def create_server(self, *args: Any, backlog: int = 2048, **more: Any) -> asyncio.Server:
        # For Python one number says how many to take at once, and for the system how many may wait.
        server = await super().create_server(*args, backlog=1, **more)
        waiting = more.get("sock")
        if waiting is not None:
            waiting.listen(backlog)
        return server
