"""The closed steps of a scene as a film for one member: their board before the first event, then after each beat."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.crypto.vault import Vault
from app.engine.film import Beat, at_most
from app.engine.log import fold
from app.engine.ruleset import LoggedEvent, Viewer
from app.models.people import Member
from app.models.scenes import EventRow
from app.table.history import Histories
from app.table.loaded_scene import LoadedScene, read
from app.table.past import PastStates, log_between, viewer_of
from app.table.perspective import Perspective
from app.table.scene_sight import Chapter, EventSight


@dataclass(frozen=True, slots=True)
class Frame:
    """The board of one moment: the member's view, and what of the step they have been shown."""

    view: Any
    chapter: Chapter  # with the events that have been shown
    beat: Beat | None = None  # None: before the step's first event
    new: tuple[EventSight, ...] = ()  # what the beat shows


@dataclass(frozen=True, slots=True)
class _Played:
    """A step with its part of the log, events that the member does not see included."""

    chapter: Chapter
    rows: tuple[int, ...]  # the numbers in the log of the chapter's events
    log: tuple[LoggedEvent[Any], ...]


@dataclass(frozen=True, slots=True)
class Film:
    """Closed steps, ready to be played without a database."""

    live: LoadedScene
    by: Perspective
    before: bytes  # the state before the first step, as JSON
    played: tuple[_Played, ...]

    def frames(self) -> Iterator[Frame]:
        """Yields the frames in order, for each step one before its first beat; none for a step in which nothing
        happened on the board. A view is valid until the next frame is asked for."""
        kind = self.live.kind
        state = kind.state.validate_json(self.before)
        for one in self.played:
            beats = self._beats(one, state)
            if beats:
                yield Frame(self.by.view(kind, state), replace(one.chapter, events=()))
            left = list(one.log)
            done = 0
            for beat in beats:
                begin, done = done, done + len(beat.events)
                last = one.rows[done - 1] if beat is not beats[-1] else one.log[-1].number
                while left and left[0].number <= last:
                    kind.apply(state, left.pop(0))
                events = one.chapter.events
                yield Frame(
                    self.by.view(kind, state), replace(one.chapter, events=events[:done]), beat, events[begin:done]
                )
            fold(state, kind.apply, left)

    def _beats(self, one: _Played, state: Any) -> Sequence[Beat]:
        kind = self.live.kind
        seen = [LoggedEvent(number=e.number, rule=e.rule, because=e.because, event=e.event) for e in one.chapter.events]
        if kind.film is None:
            return (Beat(title=one.chapter.step.title, events=tuple(e.number for e in seen)),)
        text = kind.state.dump_json(state)
        before, after = (kind.state.validate_json(text) for _ in range(2))
        fold(after, kind.apply, one.log)
        beats = kind.film(seen, self.by.view(kind, before), self.by.view(kind, after))
        beats = at_most(beats, kind.film_seconds + 2)
        return [beat if beat.title else replace(beat, title=one.chapter.step.title) for beat in beats]


async def film_of(
    session: AsyncSession,
    vault: Vault,
    campaign: uuid.UUID,
    scene: uuid.UUID,
    member: Member,
    histories: Histories,
    past: PastStates,
    chapters: Sequence[Chapter],
    viewer: Viewer,
) -> Film:
    """Returns the film of these chapters of a sight that was read in the same transaction: the member's own, or, if
    `viewer` is not the member, what a GM sees of that viewer's."""
    live = await read(session, vault, campaign, scene)
    own = await viewer_of(session, live, member)
    by = Perspective(viewer, None if viewer == own else own)
    history = await histories.of(session, live, by)
    told = [chapter for chapter in chapters if chapter.events]
    seen = [tuple(history.seen[event.number - 1] for event in chapter.events) for chapter in told]
    last, base = 0, 0
    if told:
        last = max((await _numbers_of(session, live, told[-1].step.key))[1], seen[-1][-1])
        base = (await _numbers_of(session, live, told[0].step.key))[0] - 1
    begins = [numbers[0] for numbers in seen] + [last + 1]
    state = live.kind.state.validate_json(await past.after(session, live, base))
    log = await log_between(session, live, base, last)
    fold(state, live.kind.apply, [one for one in log if one.number < begins[0]])
    played = tuple(
        _Played(chapter, numbers, tuple(one for one in log if begins[n] <= one.number < begins[n + 1]))
        for n, (chapter, numbers) in enumerate(zip(told, seen, strict=True))
    )
    return Film(live, by, live.kind.state.dump_json(state), played)


async def _numbers_of(session: AsyncSession, live: LoadedScene, step: str) -> tuple[int, int]:
    """Returns the numbers of a closed step's first and last event, those that its reader does not see included."""
    here = (EventRow.campaign_id == live.campaign, EventRow.scene_id == live.id, EventRow.step_key == step)
    first, last = (
        await session.execute(select(func.min(EventRow.number), func.max(EventRow.number)).where(*here))
    ).one()
    return first, last
