"""What the pages of a mass battle say of it: its log by closings, with headlines, reasons, films and the ending."""

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from markupsafe import Markup

from app.engine.film import Beat
from app.engine.ruleset import Seat, Viewer
from app.engine.steps import round_of
from app.engine.wording import title_of
from app.rulesets.chronicle import RULESET
from app.rulesets.chronicle.mass import MASS
from app.rulesets.chronicle.mass.state import State
from app.rulesets.chronicle.mass.view import View
from app.web.drawing.sentences import event_line, event_reason, round_headline
from app.web.http.templating import environment, ruleset_template
from tests.rulesets.chronicle.mass.battles import Closed, copied, play

SEATS = tuple(
    SimpleNamespace(seat=key, name=key.title() if key != "gm" else "GM") for key in ("ann", "bob", "dot", "gm")
)


def plain(text: Markup | str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", str(text))).split())


def sight_of(view: View) -> Any:
    return SimpleNamespace(view=view, seats=SEATS, ruleset=RULESET, kind="mass", is_gm=view.is_gm, status="over")


@dataclass(frozen=True)
class Chapter:
    """What one closing has told."""

    title: str
    key: str
    events: tuple[Any, ...]
    sight: Any

    @property
    def words(self) -> Any:
        template = environment().get_template(ruleset_template(RULESET, "mass", "log.html"))
        return template.make_module({"sight": self.sight, "desk": None, "seated": None})

    def lines(self) -> list[str]:
        words = self.words
        return [line for one in self.events if (line := plain(event_line(words, one, self.sight, None, self.events)))]

    def reasons(self) -> list[str]:
        words = self.words
        return [plain(event_reason(words, one, self.sight, None)) for one in self.events]


def chapter(events: Sequence[Any], state: State, key: str = "", viewer: Viewer | None = None) -> Chapter:
    """Some events as a closing tells them in the end, to a viewer."""
    view = MASS.view(state, viewer or Viewer(seats=frozenset({Seat("ann")}), gm=False))
    return Chapter(title_of(MASS, key, ""), key, tuple(events), sight_of(view))


def chapters(log: Any, closings: Iterable[Closed]) -> Iterator[tuple[Chapter, Closed | None]]:
    """What was told before the first closing, then each closing."""
    if log.events:
        yield chapter(tuple(log.events), log.state), None
    for closed in closings:
        yield chapter(tuple(log.events[closed.first :]), log.state, closed.step.key), closed


def headlines(told: Sequence[Chapter]) -> list[str]:
    """The headline of each round."""
    rounds: list[list[Chapter]] = []
    for one in told:
        if not rounds or (round_of(one.key) and round_of(one.key) != round_of(rounds[-1][-1].key)):
            rounds.append([])
        rounds[-1].append(one)
    return [_headline(round) for round in rounds]


def _headline(round: Sequence[Chapter]) -> str:
    as_read = [SimpleNamespace(step=SimpleNamespace(title=one.title), events=one.events) for one in round]
    return round_headline(round[-1].words, as_read, round[-1].sight)


def filmed(closed: Closed, viewer: Viewer) -> tuple[Beat, ...]:
    events = tuple(closed.log.events[closed.first :])
    after = copied(closed.before)
    for one in events:
        MASS.apply(after, one)
    assert MASS.film is not None
    return MASS.film(events, MASS.view(closed.before, viewer), MASS.view(after, viewer))


def ending(state: State, viewer: Viewer) -> str:
    template = environment().get_template(ruleset_template(RULESET, "mass", MASS.pages.ending))
    return template.render(sight=sight_of(MASS.view(state, viewer)), desk=None, seated=None)


__all__ = ["Chapter", "chapter", "chapters", "ending", "filmed", "headlines", "plain", "play"]
