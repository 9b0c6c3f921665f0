"""The log of a scene by rounds: the newest are on the scene's page, older ones fold under a headline and are fetched
when a reader opens them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from app.errors import NotThere
from app.table.history import Round
from app.table.reading import Chapter, EventSight, SceneSight, StepSight, sight
from app.table.runtime import Runtime
from app.web.drawing.fights import by_fight
from app.web.drawing.sentences import event_line, round_headline
from app.web.http.seat_session import SeatSession
from app.web.http.templating import environment, ruleset_template

DRAWN = 2  # the newest rounds, whose lines are on the scene's page
TOGETHER = 5  # rounds leave the list of headlines by so many at a time, so that what is open stays for some rounds
FEWEST = 4  # headlines on the page above the drawn rounds, at least
MOST = 20  # headlines in a fetched list, and rounds on a page of the story


@dataclass(frozen=True, slots=True)
class RoundAddress:
    """The round that a page or a link asks for, as its address names it."""

    round: str = ""  # its key
    event: str = ""  # else the number of one of its events

    def find(self, rounds: Sequence[Round]) -> Round | None:
        """Returns the round, or None where none was asked for. Raises NotThere where there is no such round."""
        if not (self.round or self.event):
            return None
        number = int(self.event) if self.event.isdecimal() and len(self.event) < 9 else 0
        for one in rounds:
            if one.key == self.round or (not self.round and number and one.first <= number <= one.last):
                return one
        raise NotThere("There is no such round in this scene’s log.", "The scene’s page lists its rounds.")

    def and_newest(self, rounds: tuple[Round, ...]) -> Collection[Round]:
        """Chooses the newest rounds, and the one that was asked for."""
        asked = self.find(rounds)
        return rounds[-DRAWN:] if asked is None or asked in rounds[-DRAWN:] else (asked, *rounds[-DRAWN:])

    def alone(self, rounds: tuple[Round, ...]) -> Collection[Round]:
        """Chooses the round that was asked for."""
        asked = self.find(rounds)
        return () if asked is None else (asked,)


@dataclass(frozen=True, slots=True)
class LoggedStep:
    """One closed step with its lines in the ruleset's words."""

    chapter: Chapter
    lines: tuple[tuple[EventSight, Markup], ...]
    absent: tuple[str, ...]  # who did not answer in time
    ceremony: bool  # whether it is revealed piece by piece

    @property
    def opened(self) -> str:
        """How it opened, as a screen reader hears it before the lines. "" if a GM opened it, which the talk says, or if
        nobody waited for it."""
        step = self.chapter.step
        if step.closed_by == "due":
            return "Time is up."
        return "All open." if step.many_asked and step.closed_by == "all" else ""

    @property
    def title(self) -> str:
        step = self.chapter.step
        if step.closed_by == "due":
            return f"{step.title}, when the time was up"
        return f"{step.title}, opened together" if step.many_asked and step.closed_by == "all" else step.title


@dataclass(frozen=True, slots=True)
class LoggedRound:
    """A round with its headline, and with its steps if they are drawn."""

    round: Round
    headline: str
    steps: tuple[LoggedStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Log:
    """The log of a scene's page, or a list of headlines."""

    words: Any = None  # the module of the log.html
    earlier: Round | None = None  # the oldest round of `folded`, if there are rounds before it
    folded: tuple[LoggedRound, ...] = ()  # without their lines, except the one that was asked for
    drawn: tuple[LoggedRound, ...] = ()  # the newest, the last one open
    asked: str = ""  # the key of the round that was asked for

    @property
    def ceremony(self) -> str:
        """The key of the step whose pieces lie on the board."""
        steps = [step for one in self.drawn for step in one.steps if step.ceremony]
        return steps[-1].chapter.step.key if steps else ""

    @property
    def last_line(self) -> Markup:
        """The newest line; empty if there is none."""
        lines = [line for one in self.drawn for step in one.steps for _, line in step.lines]
        return lines[-1] if lines else Markup("")


def words_of(desk: Any, seated: SeatSession) -> Any:
    """Returns the module of the scene's log.html."""
    book = environment().get_template(ruleset_template(desk.sight.ruleset, desk.sight.kind, "log.html"))
    return book.make_module({"sight": desk.sight, "desk": desk, "seated": seated})


def logged(desk: Any, words: Any) -> tuple[LoggedRound, ...]:
    """Returns the rounds that the sight has read, without those that have no lines; notes their headlines."""
    seen: SceneSight = desk.sight
    by_key = {chapter.step.key: chapter for chapter in seen.chapters}
    rounds = seen.rounds or tuple(Round(key, (key,), 0, 0) for key in by_key)
    found = []
    for one in rounds:
        chapters = [by_key[key] for key in one.steps if key in by_key]
        steps = tuple(step for chapter in chapters if (step := _logged(desk, words, chapter)) is not None)
        if chapters:
            seen.headlines[one] = round_headline(words, chapters, seen) if steps else ""
        if steps:
            found.append(LoggedRound(one, seen.headlines[one], steps))
    return tuple(found)


def _logged(desk: Any, words: Any, chapter: Chapter) -> LoggedStep | None:
    lines = [(one, event_line(words, one, desk.sight, desk, chapter.events)) for one in chapter.events]
    people = getattr(desk.sight.view, "fighters", ())
    told = tuple(by_fight(words, [(one, line) for one, line in lines if line], chapter.events, people))
    absent = absent_from(chapter.step)
    ceremony = any(one.event.kind in words.ceremony for one in chapter.events)
    return LoggedStep(chapter, told, absent, ceremony) if told or absent else None


def absent_from(step: StepSight) -> tuple[str, ...]:
    """Returns who did not answer in time, of several who were asked."""
    asks = step.asks if step.many_asked else ()
    return tuple("The GM" if ask.name == "GM" else ask.name for ask in asks if ask.how == "default")


async def log_of(runtime: Runtime, seated: SeatSession, desk: Any, asked: RoundAddress) -> Log:
    """Returns the log of a scene's page, whose sight has the newest rounds and the one that was asked for."""
    rounds = desk.sight.rounds
    words = words_of(desk, seated)
    drawn = logged(desk, words)
    older = rounds[:-DRAWN]
    shown = older[TOGETHER * max(0, (len(older) - FEWEST) // TOGETHER) :]
    wanted = asked.find(rounds)
    extra = () if wanted is None or wanted not in older or wanted in shown else (wanted,)
    by_round = {one.round: one for one in drawn}
    folded = [by_round.get(one.round, one) for one in await headlines(runtime, seated, desk, (*extra, *shown))]
    newest = [one for one in drawn if one.round not in older]
    earlier = shown[0] if len(shown) < len(older) else None
    return Log(words, earlier, tuple(folded), tuple(newest), wanted.key if wanted else "")


async def headlines(
    runtime: Runtime, seated: SeatSession, desk: Any, rounds: Sequence[Round]
) -> tuple[LoggedRound, ...]:
    """Returns these rounds with their headlines, without those that have no lines; writes those that are missing."""
    known = dict(desk.sight.headlines)
    missing = [one for one in rounds if one not in known]
    if missing:
        async with runtime.repeatable_read() as session:
            there = (seated.campaign.id, desk.sight.id, seated.member)
            seen = await sight(
                session,
                runtime.vault,
                *there,
                histories=runtime.histories,
                choose=lambda rounds: missing,
                as_seat=desk.as_seat,
            )
        older = replace(desk, sight=seen)
        logged(older, words_of(older, seated))
        known |= seen.headlines
    return tuple(LoggedRound(one, known[one]) for one in rounds if known.get(one))


async def before(runtime: Runtime, seated: SeatSession, desk: Any, key: str) -> Log:
    """Returns the headlines of the last rounds before the one with this key."""
    rounds = desk.sight.rounds
    place = next((number for number, one in enumerate(rounds) if one.key == key), 0)
    begin = max(0, place - MOST)
    listed = await headlines(runtime, seated, desk, rounds[begin:place])
    return Log(earlier=rounds[begin] if begin else None, folded=listed)
