"""The film of closed steps of a scene: the board as it was, beat by beat, with the log's lines. Pages with scripts play
it (static/js/film.js)."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from difflib import SequenceMatcher
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from app.errors import NotThere
from app.table.film import Film, Frame, film_of
from app.table.history import Round
from app.table.reading import Chapter, SceneSight, StepSight, sight
from app.table.runtime import Runtime
from app.web.drawing.sentences import event_line
from app.web.http.seat_session import CurrentSeat, SeatSession
from app.web.http.templating import fragment
from app.web.scene.rounds import absent_from, words_of
from app.web.scene.table import RejectedForm, ScenePage, scene_of

router = APIRouter(prefix="/c/{slug}/{handle}/scene/{scene_id}")

PARTS = "scene/film.html"
MOST_STEPS = 4  # of one film


@router.get("/film")
async def film(
    request: Request, seated: CurrentSeat, scene_id: str, step: Annotated[list[str] | None, Query()] = None
) -> Response:
    """The film of the newest of these steps, in the order in which they closed, as JSON (see `frames`), with the
    milliseconds that it may last, and may last now. A step without a ceremony has no frames. Raises NotThere where no
    key is that of a closed step the member knows."""
    return await answer(request, seated, scene_id, step or [])


async def answer(
    request: Request, seated: SeatSession, scene_id: str, steps: Sequence[str], as_seat: str | None = None
) -> Response:
    """The film of these steps, as the member sees it, or as a GM sees it who looks at the scene as a seat does."""
    keys = steps[-MOST_STEPS:]
    runtime: Runtime = request.app.state.runtime
    async with runtime.repeatable_read() as session:
        there = (seated.campaign.id, scene_of(scene_id), seated.member)
        choose = partial(_around, keys)
        seen = await sight(
            session, runtime.vault, *there, histories=runtime.histories, choose=choose, talk=False, as_seat=as_seat
        )
        chapters = [chapter for chapter in seen.chapters if chapter.step.key in keys]
        if keys and not chapters:
            raise NotThere("There is no such step in this scene’s log.", "The scene’s page lists its rounds.")
        desk = ScenePage(seen, RejectedForm(), seated.base, as_seat=as_seat)
        ceremony = words_of(desk, seated).ceremony
        told = [chapter for chapter in chapters if any(one.event.kind in ceremony for one in chapter.events)]
        played = await film_of(session, runtime.vault, *there, runtime.histories, runtime.past, told, seen.viewer)
    drawn = []
    for frame in frames(request, desk, seated, played):
        drawn.append(frame)
        await asyncio.sleep(0)  # so that other requests are answered meanwhile
    most = 1000 * played.live.kind.film_seconds
    return JSONResponse({"most": most, "longest": longest(seen), "frames": drawn})


def _around(keys: Sequence[str], rounds: tuple[Round, ...]) -> tuple[Round, ...]:
    """Returns the rounds of these steps, and the one before them, which a board may show as the newest."""
    found = [number for number, one in enumerate(rounds) if set(one.steps) & set(keys)]
    return rounds[max(0, found[0] - 1) : found[-1] + 1] if found else ()


def longest(seen: SceneSight) -> int | None:
    """Returns the milliseconds until a quarter of the limit of an open step is gone; None if no open step has one."""
    left = [
        (step.due_at - seen.now).total_seconds() - 0.75 * step.seconds
        for step in seen.steps
        if step.status == "open" and step.pace != "whenever" and step.due_at is not None and step.seconds
    ]
    return max(0, round(1000 * min(left))) if left else None


def frames(request: Request, desk: ScenePage, seated: SeatSession, played: Film) -> Iterator[dict[str, Any]]:
    """Yields the frames of a film: `edits` turn the lines of the frame before, none at first, into those of the table's
    side of the page at that moment; `title`, `lines`, `marks`, `cards` and `draw` are of the beat that led to it, and
    empty for the frame before a step's first beat."""
    before: list[str] = []
    for frame in played.frames():
        then = replace(desk, sight=_moment(desk.sight, frame))
        words = words_of(then, seated)
        lines = [(one, event_line(words, one, then.sight, then, frame.chapter.events)) for one in frame.new]
        context = {"desk": then, "sight": then.sight, "seated": seated}
        text = [line for line in fragment(request, PARTS, "table", **context).splitlines() if line.strip()]
        absent = absent_from(frame.chapter.step) if lines and frame.new == frame.chapter.events else ()
        beat = {"lines": lines, "events": frame.chapter.events, "absent": absent}
        told = fragment(request, PARTS, "lines", **context, words=words, **beat)
        yield {
            "step": frame.chapter.step.key,
            "title": frame.beat.title if frame.beat else "",
            "edits": edits(before, text),
            "lines": told.strip(),
            "marks": [asdict(mark) for mark in frame.beat.marks] if frame.beat else [],
            "cards": [asdict(card) for card in frame.beat.cards] if frame.beat else [],
            "draw": frame.beat.draw if frame.beat else (),
        }
        before = text


def edits(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, str]]:
    """Returns what turns the old lines into the new ones, last place first: the lines from the first number up to the
    second become this text. No line is empty."""
    codes = SequenceMatcher(None, old, new).get_opcodes()
    changed = [(a, b, "\n".join(new[c:d])) for tag, a, b, c, d in codes if tag != "equal"]
    return changed[::-1]


def _moment(seen: SceneSight, frame: Frame) -> SceneSight:
    """Returns the sight of a past moment: what had been told by then; before anything was told, the seals."""
    place = next(n for n, one in enumerate(seen.chapters) if one.step.key == frame.chapter.step.key)
    earlier: tuple[Chapter, ...] = seen.chapters[:place]
    if frame.beat is None:
        return replace(seen, view=frame.view, chapters=earlier, steps=(_sealed(frame.chapter.step),), status="open")
    return replace(seen, view=frame.view, chapters=(*earlier, frame.chapter), steps=(), status="open")


def _sealed(step: StepSight) -> StepSight:
    """Returns a closed step as it was before it opened."""
    asks = tuple(
        replace(ask, status="ready" if ask.how in ("sealed", "draft") else "waiting", how=None) for ask in step.asks
    )
    return replace(step, status="open", asks=asks, due_at=None, left_seconds=None, closed_by=None)
