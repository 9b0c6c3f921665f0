"""Whether the browsers of open streams are still signed in: one query for all streams that a hint has woken."""

import asyncio
import uuid
from dataclasses import dataclass, field

from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from app.campaign import seats

Sessions = async_sessionmaker[AsyncSession]


@dataclass(slots=True)
class _Question:
    """What is asked of the database for one campaign, and its answer: the browsers, or why there is none."""

    devices: set[uuid.UUID] = field(default_factory=set)
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    signed_in: set[uuid.UUID] | Exception = field(default_factory=set)
    task: asyncio.Task[None] | None = None


@dataclass(slots=True)
class SignedIn:
    """The questions of one process, by campaign."""

    _next: dict[uuid.UUID, _Question] = field(default_factory=dict)

    async def is_still(self, sessions: Sessions, campaign: uuid.UUID, device: uuid.UUID) -> bool:
        """Returns whether this browser is signed in now. Callers that the loop runs in the same turn share a query,
        which begins after the call. Raises what the database raises."""
        question = self._next.get(campaign)
        if question is None:
            question = self._next[campaign] = _Question()
            question.task = asyncio.create_task(self._ask(sessions, campaign, question), name="signet-signed-in")
        question.devices.add(device)
        await question.answered.wait()
        if isinstance(question.signed_in, Exception):
            raise question.signed_in
        return device in question.signed_in

    async def _ask(self, sessions: Sessions, campaign: uuid.UUID, question: _Question) -> None:
        del self._next[campaign]  # this task's first turn comes after those of all who were woken with its maker
        try:
            async with sessions() as session:
                question.signed_in = await seats.signed_in(session, campaign, question.devices)
        except Exception as error:
            question.signed_in = error
        question.answered.set()
