"""What a member may know of a scene, as values from which its pages are drawn; app/table/reading.py makes them."""

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from app.campaign.sealing_shows import SealingShows
from app.engine import form_text
from app.engine.ruleset import Pages, Ruleset, Viewer
from app.engine.steps import phase_of
from app.receipts import chain
from app.table.history import Round


@dataclass(frozen=True, slots=True)
class OwnEnvelope:
    """The viewer's envelope for one ask. `pairs` is empty where the viewer took the seat over and may not read it."""

    revision: int
    ready: bool
    use_draft: bool
    pairs: list[tuple[str, str]]
    readable: bool
    laid_at: datetime
    commitment: str  # hex
    salted_by: str  # browser, server
    returned: bool = False  # from a withdrawn step: initial values of the form, not laid in this step yet

    def form(self) -> dict[str, Any]:
        """Returns the words as nested fields, as templates read them."""
        return form_text.unflatten(self.pairs)


AnsweredBy = Literal["players", "gms", "nobody"]
"""Who holds a seat: at least one player, only GMs, or nobody."""


def answered_by(only_gms: bool | None) -> AnsweredBy:
    """`only_gms`: whether all holders of a seat are GMs; None where nobody holds it."""
    return "nobody" if only_gms is None else "gms" if only_gms else "players"


@dataclass(frozen=True, slots=True)
class AskSight:
    """One ask of a step, as the viewer may know it."""

    seat: str
    name: str
    role: str
    kind: str
    call: str
    about: tuple[str, ...]
    awaited: bool
    status: str  # waiting, ready, taken (sealed and taken back), hidden (the campaign does not show it)
    commitment: str | None  # hex; only of a seal or an opened envelope
    rank: int | None  # in ranked steps: 1 for the earliest last change
    how: str | None  # sealed, draft, default; after the step has closed
    is_mine: bool
    first_stands: bool
    reads_early: bool  # the rules let this viewer read the declaration before the step opens
    answered_by: AnsweredBy = "players"
    nudged_at: datetime | None = None  # when a GM last said that the table waits for it
    mine: OwnEnvelope | None = None
    spoken: Any = None  # the sealed declaration, if the viewer reads it early

    @property
    def takes_drafts(self) -> bool:
        """Whether a quiet draft of the viewer can count here: no envelope was laid, and an answer may be changed."""
        laid = self.status in ("ready", "taken") or (self.mine is not None and not self.mine.returned)
        return not (laid or self.first_stands)

    @property
    def awaited_name(self) -> str:
        """Whom a table waits for that waits for this seat."""
        return f"the GM (for {self.name})" if self.answered_by == "gms" and self.role != "gm" else self.name


@dataclass(frozen=True, slots=True)
class StepSight:
    """A step the viewer may know of."""

    key: str
    title: str
    pace: str
    status: str  # open, closed, retired, stuck
    due_at: datetime | None
    left_seconds: int | None
    seconds: int | None  # its usual time limit
    closed_at: datetime | None
    closed_by: str | None
    ranked: bool
    asks: tuple[AskSight, ...]
    held: bool = False  # it opens at the GM's word, or when its time is up
    quiet: bool = False  # what is chosen counts as a draft when its time is up, once it is saved
    shows: SealingShows = "names"  # what the viewer learns of others' seals
    sealed: int | None = None  # where `shows` is "number": how many of these asks have a seal

    @property
    def clock_waits(self) -> bool:
        """Whether its clock was not started because no player answered in time before (app/table/clock.py)."""
        clocks = self.due_at is None and self.left_seconds is None
        return clocks and self.status == "open" and self.pace != "whenever" and self.seconds is not None

    @property
    def many_asked(self) -> bool:
        return len(self.asks) > 1

    @property
    def missing(self) -> tuple[AskSight, ...]:
        """The asks without a seal while the step is open, the viewer's own included; none that is hidden."""
        if self.status != "open":
            return ()
        return tuple(a for a in self.asks if a.awaited and a.status not in ("ready", "hidden"))

    @property
    def all_sealed(self) -> bool:
        return all(ask.status == "ready" for ask in self.asks)

    @property
    def awaits_nobody(self) -> bool:
        """Whether the viewer knows that the step waits for no seal."""
        return self.status == "open" and not (self.missing or self.unnamed)

    @property
    def goes_without(self) -> bool:
        """Whether it waits for a GM or its clock alone, since nobody holds one of its seats."""
        empty = any(ask.answered_by == "nobody" and ask.status != "ready" for ask in self.asks)
        return self.awaits_nobody and self.pace != "whenever" and not self.held and empty

    @property
    def unnamed(self) -> bool:
        """Whether the viewer does not learn who has sealed."""
        return any(ask.status == "hidden" for ask in self.asks)


@dataclass(frozen=True, slots=True)
class EventSight:
    """One event the viewer may see, numbered among those the viewer sees; so is `because`."""

    number: int
    rule: str
    because: tuple[int, ...]
    event: Any
    step_key: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """A closed step with its events."""

    step: StepSight
    events: tuple[EventSight, ...]


@dataclass(frozen=True, slots=True)
class SeatSight:
    seat: str
    name: str
    role: str
    characters: tuple[str, ...]
    holders: tuple[str, ...]
    is_mine: bool
    answered_by: AnsweredBy = "players"


@dataclass(frozen=True, slots=True)
class LineSight:
    kind: str  # talk, notice, whisper
    who: str
    text: str
    at: datetime
    is_mine: bool
    seat: str = ""  # of a whisper: between this seat and the GMs
    seat_name: str = ""
    by_gm: bool = False


@dataclass(frozen=True, slots=True)
class ResumeVote:
    """The players' vote to end a pause that has lasted a day (app/table/pauses.py)."""

    votes: int
    seats: int
    may_vote: bool  # the viewer has a player's seat without a vote


@dataclass(frozen=True, slots=True)
class OtherScene:
    """A scene that this one waits for, or that waits for this one."""

    id: uuid.UUID
    title: str


@dataclass(frozen=True, slots=True)
class SceneSight:
    """A scene as one member may know it now."""

    id: uuid.UUID
    sealed_in: str  # the campaign's id in this scene's hashes
    title: str
    ruleset: Ruleset[Any, Any]
    kind: str
    settings: dict[str, Any]
    status: str  # open, over, abandoned
    paused: bool
    stopped: bool  # paused by the X-card
    paused_until: datetime | None  # None: not paused, or until somebody resumes it
    is_gm: bool
    viewer: Viewer
    now: datetime
    made_at: datetime
    ended_at: datetime | None
    head: str | None  # hex, over the record so far; None in scenes that are older than the record
    seats: tuple[SeatSight, ...]
    view: Any  # the ruleset's own view for all the viewer's seats
    steps: tuple[StepSight, ...]  # open and stuck ones
    chapters: tuple[Chapter, ...]  # closed ones, oldest first; without rounds that were not asked for
    lines: tuple[LineSight, ...]
    rounds: tuple[Round, ...] = ()  # all closed ones, oldest first
    remembered: tuple[EventSight, ...] = ()  # of any round: events of the kinds in `Pages.remembered`
    seals_apart: bool = False  # on the page a seal changes the line on top, the envelopes, and its own seat's forms
    resume_vote: ResumeVote | None = None
    whisper_to: tuple[
        tuple[str, str], ...
    ] = ()  # to whom the viewer can speak alone: a seat, and whom its choice names
    inner: OtherScene | None = None  # the scene that was opened out of this one and that it waits for
    outer: OtherScene | None = None  # the scene that this one was opened out of
    resumes: str = ""  # the date until which the calendar has paused it
    headlines: dict[Round, str] = field(default_factory=dict, compare=False, repr=False)  # as far as they were written

    @property
    def first_act(self) -> tuple[StepSight, AskSight, str] | None:
        """The viewer's optional act whose form is open as nothing else is asked of them, and what it calls for."""
        first = self.pages.acts_first
        if not first or self.status != "open" or self.mine_now:
            return None
        steps = [step for step in self.steps if step.status == "open" and step.pace == "whenever"]
        mine = ((step, ask) for step in steps for ask in step.asks if ask.is_mine and ask.kind in first)
        return next(((step, ask, first[ask.kind] or ask.call) for step, ask in mine), None)

    @property
    def may_open_inner(self) -> bool:
        """Whether a GM may open another scene out of this one now."""
        running = self.status == "open" and not self.paused and self.head is not None
        return self.is_gm and running and self.ruleset.kind(self.kind).inner is not None

    @property
    def pages(self) -> Pages:
        """The ruleset's pages for this kind of scene."""
        return self.ruleset.kind(self.kind).pages

    @property
    def mine_now(self) -> tuple[tuple[StepSight, AskSight], ...]:
        """The asks that wait for the viewer, in order."""
        return tuple(
            (step, ask)
            for step in self.steps
            if step.status == "open"
            for ask in step.asks
            if ask.is_mine and ask.awaited and ask.status != "ready"
        )

    @property
    def waiting_for(self) -> tuple[str, ...]:
        """The names of the other seats that the table waits for, or of the GM who answers for one."""
        names = [a.awaited_name for step in self.steps for a in step.missing if not a.is_mine]
        return tuple(dict.fromkeys(names))

    def may_open(self, step: StepSight) -> bool:
        """Whether a GM may open a step now: it asks not only this GM, and the clocks run. A step for a single seat
        counts too, as its holder may be away."""
        others = any(not ask.is_mine for ask in step.asks)
        running = self.status == "open" and not self.paused
        return running and step.status == "open" and others and step.pace != "whenever"

    def may_hold(self, step: StepSight) -> bool:
        """Whether a GM may hold a step: it waits for others than the GM."""
        return step.status == "open" and step.pace != "whenever" and any(ask.role != "gm" for ask in step.asks)

    def default_of(self, step: StepSight) -> str:
        """What happens to a seat without a seal in this step, in words that follow "will"; "": not said."""
        phase = phase_of(self.ruleset.kind(self.kind).phases, step.key)
        return phase.default if phase is not None else ""

    @property
    def nudged(self) -> bool:
        """Whether a GM has nudged the viewer, who has not sealed since."""
        return not self.paused and any(ask.nudged_at is not None for _, ask in self.mine_now)

    @property
    def six_words(self) -> str:
        """The record's head in six words, to be read aloud; "" if there is none."""
        return chain.six_words(bytes.fromhex(self.head)) if self.head else ""

    def event(self, number: int) -> EventSight | None:
        return next((e for chapter in self.chapters for e in chapter.events if e.number == number), None)
