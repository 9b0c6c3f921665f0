"""The transcript of a scene: as a page or text file, to read, print and keep, and as a replay, step by step.

Made from the same sight as the scene's own page, so it shows no more than the table does.
"""

import textwrap
from dataclasses import dataclass, replace

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from markupsafe import Markup

from app.campaign import names
from app.engine.sentences import and_list
from app.table.history import Round
from app.table.past import view_after
from app.table.reading import Chapter, SceneSight
from app.table.runtime import Runtime
from app.web.http.seat_session import CurrentSeat, SeatSession
from app.web.http.templating import render
from app.web.scene.rounds import MOST, logged, words_of
from app.web.scene.table import ScenePage, scene_page

router = APIRouter(prefix="/c/{slug}/{handle}/scene/{scene_id}")

WIDTH = 78  # of the text file: fits a letter, a mail and a terminal


@dataclass(frozen=True, slots=True)
class TranscriptStep:
    """One closed step with at least one line."""

    title: str  # "Round 1, opened together"
    lines: tuple[Markup, ...]
    numbers: tuple[int, ...]  # the number of each line's event, 0 for a line without one
    chapter: Chapter
    ceremony: bool  # whether it plays as a film


@router.get("/story")
async def story(request: Request, seated: CurrentSeat, scene_id: str, page: str = "") -> Response:
    """The transcript by rounds, a number of them on each page, which prints well."""
    number = max(1, int(page)) if page.isdecimal() and len(page) < 6 else 1

    def choose(rounds: tuple[Round, ...]) -> tuple[Round, ...]:
        begin = MOST * (min(number, _pages(rounds)) - 1)
        return rounds[begin : begin + MOST]

    desk = await scene_page(request, seated, scene_id, choose=choose)
    pages = _pages(desk.sight.rounds)
    context = {"desk": desk, "sight": desk.sight, "parts": transcript_steps(desk, seated)}
    return render(request, "scene/story.html", seated=seated, **context, page=min(number, pages), pages=pages)


def _pages(rounds: tuple[Round, ...]) -> int:
    return max(1, -(-len(rounds) // MOST))


@router.get("/story.txt")
async def text_file(request: Request, seated: CurrentSeat, scene_id: str) -> Response:
    """The transcript as a plain text file."""
    desk = await scene_page(request, seated, scene_id)
    name = names.slug(desk.sight.title, "scene")
    headers = {"Content-Disposition": f'attachment; filename="{name}.txt"'}
    return PlainTextResponse(
        written(desk.sight, seated.campaign.title, transcript_steps(desk, seated)), headers=headers
    )


@router.get("/replay")
async def replay(request: Request, seated: CurrentSeat, scene_id: str, step: str = "", chapter: str = "") -> Response:
    """The table after the given number of steps; 0 is the beginning. A number too high shows the last step.

    `chapter` names the step by its key instead; a step without lines shows the beginning.
    """
    desk = await scene_page(request, seated, scene_id)
    told = transcript_steps(desk, seated)
    number = min(int(step), len(told)) if step.isdecimal() and len(step) < 6 else 0
    if chapter:
        number = next((n for n, part in enumerate(told, 1) if part.chapter.step.key == chapter), 0)
    part = told[number - 1] if number else None
    chapters = desk.sight.chapters[: desk.sight.chapters.index(part.chapter) + 1] if part else ()
    runtime: Runtime = request.app.state.runtime
    async with runtime.repeatable_read() as session:
        keys = [chapter.step.key for chapter in chapters]
        view = await view_after(session, runtime.vault, seated.campaign.id, desk.sight.id, keys, seated.member)
    then = replace(desk.sight, view=view, chapters=chapters, steps=())
    filmed = part is not None and part.ceremony
    context = {"desk": desk, "sight": then, "parts": told, "part": part, "number": number, "filmed": filmed}
    return render(request, "scene/replay.html", seated=seated, **context)


def transcript_steps(desk: ScenePage, seated: SeatSession) -> tuple[TranscriptStep, ...]:
    """The log in the ruleset's own words, without steps that have no lines."""
    found = []
    for one in logged(desk, words_of(desk, seated)):
        for step in one.steps:
            missing = [Markup("{} did not answer in time.").format(name) for name in step.absent]
            lines = (*missing, *(line for _, line in step.lines))
            numbers = (*(0 for _ in missing), *(event.number for event, _ in step.lines))
            found.append(TranscriptStep(step.title, lines, numbers, step.chapter, step.ceremony))
    return tuple(found)


def written(sight: SceneSight, campaign: str, told: tuple[TranscriptStep, ...]) -> str:
    """The transcript as a text file: title, campaign, dates, seats and their holders, and the lines of all steps."""
    days = list(dict.fromkeys(f"{at:%-d %B %Y}" for at in (sight.made_at, sight.ended_at) if at))
    ends = {"over": "", "abandoned": " Abandoned: no character was changed.", "open": " So far."}
    head = [
        sight.title,
        "=" * min(len(sight.title), WIDTH),
        "",
        f"{campaign}. {sight.ruleset.title}.{ends[sight.status]}",
    ]
    head += [f"Played {' to '.join(days)}.", "", "At the table:"]
    head += [f"  {who}" for who in seat_lines(sight)]
    body: list[str] = []
    for part in told:
        body += ["", part.title, "-" * min(len(part.title), WIDTH)]
        body += [_wrapped(line.striptags()) for line in part.lines]
    return "\n".join([*head, *body, ""])


def seat_lines(sight: SceneSight) -> list[str]:
    """The seats and their holders: "Alice: played by Ann"."""
    return [f"{seat.name}: {and_list(seat.holders) if seat.holders else 'nobody'}" for seat in sight.seats]


def _wrapped(line: str) -> str:
    return textwrap.fill(line, WIDTH, initial_indent="* ", subsequent_indent="  ", break_long_words=False)
