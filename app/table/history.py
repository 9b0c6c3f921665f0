"""What a process remembers of the closed steps of scenes, for each audience, so that no page reads them all again.

It holds keys and numbers only, no events: which steps have closed, and which events the audience sees. Both are only
added to, so a read continues where the last one ended.
"""

import uuid
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from cachetools import LRUCache
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.engine.steps import round_of
from app.models.scenes import EventRow, StepRow
from app.receipts.setup import STEP
from app.table.loaded_scene import LoadedScene, read_event
from app.table.perspective import Perspective

MOST = 500_000  # events in all histories of a process: with their steps and headlines about 20 MB
OUT_OF_ORDER = timedelta(minutes=1)  # the most by which steps may close in another order than their times say


@dataclass(frozen=True, slots=True)
class Round:
    """Closed steps of one round, as one audience may know them."""

    key: str  # of its first step
    steps: tuple[str, ...]  # their keys, in the order in which they closed
    first: int  # numbers of its events, among those the audience sees; 0 without events
    last: int


@dataclass(slots=True)
class History:
    """The closed steps of one scene and the events that one audience sees."""

    read: tuple[int, int] = (0, 0)  # the scene's last event and number of records when it was read
    seen: "array[int]" = field(default_factory=lambda: array("l"))  # numbers in the log, of events it sees
    places: dict[str, tuple[int, int]] = field(default_factory=dict)  # step key -> its events, as a range of `seen`
    closed: dict[str, tuple[datetime, int]] = field(default_factory=dict)  # known steps: time and position
    unknown: set[str] = field(default_factory=set)  # closed steps that the audience may not know of
    remembered: list[int] = field(default_factory=list)  # numbers in the log, of events that later sentences refer to
    headlines: dict[Round, str] = field(default_factory=dict)  # "" for a round without lines
    _place: str = ""
    _rounds: tuple[Round, ...] | None = None

    async def continue_with(self, session: AsyncSession, live: LoadedScene, by: Perspective) -> bool:
        """Adds what has happened since the last read. Returns False if the history is already newer than `live`."""
        now = (live.row.last_event, live.row.records)
        while self.read != now or not now[1]:  # scenes that are older than the record have no records
            before = self.read
            if now[0] < before[0] or now[1] < before[1]:
                return False
            steps = await self._new_steps(session, live)
            rows = await session.scalars(
                select(EventRow)
                .where(EventRow.campaign_id == live.campaign, EventRow.scene_id == live.id)
                .where(EventRow.number > before[0], EventRow.number <= now[0])
                .order_by(EventRow.number)
            )
            if self.read == before:  # nobody else has added to it meanwhile
                self._add_steps(steps, by)
                for row in rows:
                    self._add_event(live, row, by)
                self.read, self._rounds = now, None
                break
        return True

    async def _new_steps(self, session: AsyncSession, live: LoadedScene) -> Sequence[StepRow]:
        here = (StepRow.campaign_id == live.campaign, StepRow.scene_id == live.id)
        asked = select(StepRow.key).where(*here, StepRow.status == "closed")
        if self.closed:
            asked = asked.where(StepRow.closed_at >= max(at for at, _ in self.closed.values()) - OUT_OF_ORDER)
        keys = [key for key in await session.scalars(asked) if key not in self.closed and key not in self.unknown]
        if not keys:
            return ()
        return list(await session.scalars(select(StepRow).where(*here, StepRow.key.in_(keys))))

    def _add_steps(self, rows: Sequence[StepRow], by: Perspective) -> None:
        for row in rows:
            asks = STEP.validate_python(row.spec).asks
            if row.closed_at is None or (asks and not any(by.is_in(ask.known_to) for ask in asks)):
                self.unknown.add(row.key)
            else:
                self.closed[row.key] = (row.closed_at, row.position)

    def _add_event(self, live: LoadedScene, row: EventRow, by: Perspective) -> None:
        if row.box is not None and not by.viewer.seats and not by.viewer.gm:
            return
        event = read_event(live, row).event
        if not by.sees(live.kind, event):
            return
        # Visible events of a step that the viewer may not know of belong to the step before it.
        self._place = row.step_key if row.step_key in self.closed else self._place
        begin, _ = self.places.get(self._place, (len(self.seen), 0))
        self.seen.append(row.number)
        self.places[self._place] = (begin, len(self.seen))
        if event.kind in live.kind.pages.remembered:
            self.remembered.append(row.number)

    def number(self, row: int) -> int | None:
        """Returns the audience's number of the event with this number in the log; None for one it does not see."""
        place = bisect_left(self.seen, row)
        return place + 1 if place < len(self.seen) and self.seen[place] == row else None

    def rounds(self) -> tuple[Round, ...]:
        """Returns the closed rounds, oldest first. Without a closed step there is none."""
        if self._rounds is not None:
            return self._rounds
        found: list[tuple[str, list[str]]] = []
        for key in sorted(self.closed, key=self.closed.__getitem__):
            name = round_of(key)
            if not found or (name and name != found[-1][0]):
                found.append((name, []))
            found[-1][1].append(key)
        self._rounds = tuple(self._round(steps, first=number == 0) for number, (_, steps) in enumerate(found))
        return self._rounds

    def _round(self, steps: Sequence[str], *, first: bool) -> Round:
        places = [self.places[key] for key in (*([""] if first else []), *steps) if key in self.places]
        begin, end = min((a for a, _ in places), default=-1), max((b for _, b in places), default=0)
        return Round(steps[0], tuple(steps), begin + 1, end)

    def events_of(self, key: str) -> Sequence[int]:
        """Returns the numbers in the log of a closed step's events that the audience sees."""
        begin, end = self.places.get(key, (0, 0))
        return self.seen[begin:end]


class Histories:
    """The histories of one process; the least recently used are dropped first."""

    def __init__(self) -> None:
        self._kept: LRUCache[object, History] = LRUCache(MOST, getsizeof=lambda one: 200 + len(one.seen))

    async def of(self, session: AsyncSession, live: LoadedScene, by: Perspective) -> History:
        """Returns the history up to `live`, which was read in the same transaction."""
        key: tuple[uuid.UUID, uuid.UUID, Perspective] = (live.campaign, live.id, by)
        history = self._kept.get(key) or History()
        if await history.continue_with(session, live, by):
            self._kept[key] = history  # also after it has grown: its size is taken anew
            return history
        return await fresh(session, live, by)


async def fresh(session: AsyncSession, live: LoadedScene, by: Perspective) -> History:
    """Returns a history that nobody shares."""
    history = History()
    await history.continue_with(session, live, by)
    return history
