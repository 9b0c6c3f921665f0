"""What a GM's desk shows of a campaign's open scenes: as much of each as that GM may know, and what the GMs did lately.

Everything rests on `sight`, so a step that this GM may not know of is in no card, rail or number.
"""

import uuid
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.crypto.vault import Vault
from app.engine.gm_desk import Vital
from app.engine.ruleset import GM, Phase
from app.engine.steps import phase_of, round_of
from app.errors import MissingRules
from app.models.people import Member, Role
from app.models.scenes import AskRow, Line, Scene, StepRow
from app.receipts.setup import STEP
from app.table import foes, hidden_rolls, suggestions, whispers
from app.table.history import Histories, Round
from app.table.loaded_scene import OldRules, knows, read
from app.table.reading import sight_of
from app.table.scene_sight import AskSight, LineSight, SceneSight, StepSight
from app.table.suggestions import Suggested

LATELY = 8
"""The closed steps in which missed answers are counted."""

RECENT = timedelta(minutes=15)
"""While a whisper or a secret roll is as new as this, the desk shows it unfolded."""

WHISPERS = 4  # on a card

Place = Literal["past", "now", "coming", "skipped", "unseen"]
"""Where a phase stands in its round; "unseen": over, and only the seats it asks would know whether it was there."""


@dataclass(frozen=True, slots=True)
class Station:
    """A phase of the round on the rail."""

    words: str
    place: Place


@dataclass(frozen=True, slots=True)
class DeskStep:
    """An open step that a scene waits for."""

    step: StepSight
    since: datetime
    sealed: tuple[AskSight, ...]
    default: str  # what counts for a seat without a seal, in the ruleset's words; "": not said
    missed: dict[str, tuple[int, int]]  # by seat: how often it did not answer lately, of how many times it was asked
    may_open: bool
    may_hold: bool

    @property
    def missing(self) -> tuple[AskSight, ...]:
        return self.step.missing

    @property
    def given_up(self) -> tuple[AskSight, ...]:
        """The asks without a seal that the table goes on without: a GM said so, or nobody holds the seat."""
        return tuple(ask for ask in self.step.asks if not ask.awaited and ask.status != "ready")

    @property
    def unsealed(self) -> tuple[AskSight, ...]:
        """The asks that get the rules' default if the step opens now."""
        return tuple(ask for ask in self.step.asks if ask in (*self.missing, *self.given_up))

    @property
    def waits_for_gm(self) -> bool:
        """Whether nothing but a GM opens it, since nobody holds one of its seats."""
        return self.step.goes_without and not self.timed

    @property
    def timed(self) -> bool:
        return self.step.due_at is not None or self.step.left_seconds is not None


@dataclass(frozen=True, slots=True)
class Card:
    """An open scene, vote or pick. `sight` is None where this server cannot read the scene, for the reason `wrong`."""

    id: uuid.UUID
    title: str
    sight: SceneSight | None = None
    wrong: str = ""
    steps: tuple[DeskStep, ...] = ()
    rails: tuple[tuple[Station, ...], ...] = ()  # one for each round that has an open step
    paused_by: str = ""
    sheets: Mapping[str, Any] = field(default_factory=dict)  # as changed so far, by the character's slug; for GMs
    whispers: tuple[LineSight, ...] = ()  # the last ones, the newest last
    rolls: tuple[hidden_rolls.HiddenRoll, ...] = ()  # the last secret ones, the newest first
    empty: tuple[str, ...] = ()  # the names of asked seats that nobody holds
    suggested: tuple[Suggested, ...] = ()  # what this GM may seal unread
    suggested_mark: str = ""
    vitals: tuple[Vital, ...] = ()  # everybody as this GM may know them: the players' first, then foes
    may: Mapping[str, frozenset[str]] = field(default_factory=dict)  # what may be done with a foe now, by its key
    has_foes: bool = False  # whether foes can be brought in now

    def suggestion(self, step_key: str, seat: str) -> Suggested | None:
        """The suggestion for one of this GM's asks; None where there is none, or a seal or a draft is there."""
        return next((one for one in self.suggested if (one.step_key, one.seat) == (step_key, seat)), None)

    @property
    def whispers_are_new(self) -> bool:
        """Whether there was a whisper a short time ago."""
        return self.sight is not None and any(self.sight.now - one.at < RECENT for one in self.whispers)

    @property
    def rolls_are_new(self) -> bool:
        """Whether there was a secret roll a short time ago."""
        return self.sight is not None and any(self.sight.now - one.at < RECENT for one in self.rolls)

    @property
    def stopped(self) -> bool:
        """Whether it does not go on although nobody paused it."""
        if self.sight is None or self.sight.stopped:
            return True
        stuck = any(step.status == "stuck" for step in self.sight.steps)
        waits = any(step.clock_waits for step in self.sight.steps)
        return not self.sight.paused and (stuck or waits or self.waits_for_gm)

    @property
    def waits_for_gm(self) -> bool:
        """Whether a step waits for no seat any more, since one is empty, and for no clock: a GM has to open it."""
        return any(one.waits_for_gm for one in self.steps)


@dataclass(frozen=True, slots=True)
class GmAct:
    """What a GM did to a scene, as its notice says."""

    scene_id: uuid.UUID
    scene: str
    text: str
    at: datetime


async def cards(session: AsyncSession, vault: Vault, member: Member, histories: Histories) -> list[Card]:
    """Returns the campaign's open scenes: those first that the X-card has stopped, then those opened first."""
    rows = await session.execute(
        select(Scene.id, Scene.title)
        .where(Scene.campaign_id == member.campaign_id, Scene.status == "open")
        .order_by(Scene.stopped.desc(), Scene.made_at, Scene.id)
    )
    found = []
    for scene, title in list(rows):
        try:
            found.append(await _card(session, vault, member, scene, histories))
        except (OldRules, MissingRules) as old:
            found.append(Card(scene, title, wrong=old.text))
    return found


async def recent_acts(session: AsyncSession, campaign: uuid.UUID, most: int = 12) -> list[GmAct]:
    """Returns what the GMs did to the campaign's scenes, the newest first. Everybody may read these notices."""
    rows = await session.execute(
        select(Line.scene_id, Scene.title, Line.text, Line.at)
        .join(Scene, (Scene.campaign_id == Line.campaign_id) & (Scene.id == Line.scene_id))
        .join(Member, (Member.campaign_id == Line.campaign_id) & (Member.id == Line.member_id))
        .where(Line.campaign_id == campaign, Line.kind != "talk", Member.role == Role.GM)
        .order_by(Line.at.desc(), Line.id.desc())
        .limit(most)
    )
    return [GmAct(scene, title, text, at) for scene, title, text, at in rows]


def rail(phases: Sequence[Phase], closed: Sequence[str], now: Sequence[str]) -> tuple[Station, ...]:
    """Returns the phases of one round. `now` has the keys of its open steps, `closed` those of the scene's last closed
    ones, the newest last. Without an open step the rail is empty."""
    here = [phase for key in now if (phase := phase_of(phases, key)) is not None]
    if not here:
        return ()
    opening = here[0].opening
    shown = [phase for phase in phases if phase.opening == opening]
    name = _round(closed, now[0], opening)
    past = [phase for key in closed if round_of(key) == name and (phase := phase_of(phases, key)) in shown]
    reached = max(shown.index(phase) for phase in (*here, *past) if phase in shown)
    return tuple(Station(phase.words, _place(phase, here, past, shown.index(phase) < reached)) for phase in shown)


def _round(closed: Sequence[str], key: str, opening: bool) -> str:
    """The round of an open step; that of the step before if its own key does not say it ("stalled-2")."""
    name, last = round_of(key), round_of(closed[-1]) if closed else ""
    return last if not opening and last.startswith(name) else name


def _place(phase: Phase, here: Collection[Phase], past: Collection[Phase], before: bool) -> Place:
    if phase in here:
        return "now"
    if phase in past:
        return "past"
    if not before:
        return "coming"
    return "unseen" if phase.unseen else "skipped"


async def _card(session: AsyncSession, vault: Vault, member: Member, scene: uuid.UUID, histories: Histories) -> Card:
    live = await read(session, vault, member.campaign_id, scene)
    seen = await sight_of(session, live, member, histories=histories, choose=lambda rounds: (), talk=False)
    awaited = [step for step in seen.steps if step.status == "open" and step.pace != "whenever"]
    since = await _since(session, member.campaign_id, scene, [step.key for step in awaited])
    closed = _last(seen.rounds)
    missed = await _missed(session, member.campaign_id, seen, closed)
    phases = seen.ruleset.kind(seen.kind).phases
    empty = {seat.seat: seat.name for seat in seen.seats if not seat.holders}
    names = [empty[ask.seat] for step in awaited for ask in step.asks if ask.status != "ready" and ask.seat in empty]
    told = await whispers.heard(session, vault, member.campaign_id, scene, member, WHISPERS)
    return Card(
        id=scene,
        title=seen.title,
        sight=seen,
        steps=tuple(_step(seen, step, since[step.key], missed) for step in awaited),
        rails=_rails(phases, closed, awaited),
        paused_by=(live.row.paused_by or "") if not seen.stopped else "",
        sheets=live.kind.outcome(live.state).sheets,
        whispers=tuple(reversed(told)),
        rolls=await hidden_rolls.last(session, vault, member.campaign_id, scene),
        empty=tuple(dict.fromkeys(names)),
        suggested=(found := suggestions.suggested(live, seen)),
        suggested_mark=suggestions.mark(found),
        vitals=tuple(sorted(live.kind.vitals(seen.view), key=lambda one: one.foe)),
        may=foes.possible(live, seen.view) if (mine := _plays_gm(seen)) else {},
        has_foes=mine and not seen.paused and foes.may_act(live),
    )


def _plays_gm(seen: SceneSight) -> bool:
    return any(seat.seat == GM and seat.is_mine for seat in seen.seats)


def _step(
    seen: SceneSight,
    step: StepSight,
    since: datetime,
    missed: dict[str, tuple[int, int]],
) -> DeskStep:
    return DeskStep(
        step=step,
        since=since,
        sealed=tuple(ask for ask in step.asks if ask.status == "ready"),
        default=seen.default_of(step),
        missed={ask.seat: missed[ask.seat] for ask in step.asks if ask.seat in missed},
        may_open=seen.may_open(step),
        may_hold=seen.may_hold(step),
    )


def _rails(
    phases: Sequence[Phase], closed: Sequence[str], awaited: Sequence[StepSight]
) -> tuple[tuple[Station, ...], ...]:
    if not phases:
        return (tuple(Station(step.title, "now") for step in awaited),) if awaited else ()
    rounds: dict[str, list[str]] = {}
    for step in awaited:
        rounds.setdefault(round_of(step.key), []).append(step.key)
    found = (rail(phases, closed, keys) for keys in rounds.values())
    return tuple(one for one in found if one)


def _last(rounds: Sequence[Round], most: int = 40) -> list[str]:
    """The keys of the last closed steps that this member knows of, the newest last."""
    keys: list[str] = []
    for one in reversed(rounds):
        keys = [*one.steps, *keys]
        if len(keys) >= most:
            break
    return keys


def _of(table: type[StepRow] | type[AskRow], campaign: uuid.UUID, scene: uuid.UUID) -> tuple[ColumnElement[bool], ...]:
    return table.campaign_id == campaign, table.scene_id == scene


async def _since(
    session: AsyncSession, campaign: uuid.UUID, scene: uuid.UUID, keys: Collection[str]
) -> dict[str, datetime]:
    rows = await session.execute(
        select(StepRow.key, StepRow.opened_at).where(*_of(StepRow, campaign, scene), StepRow.key.in_(keys))
    )
    return {key: at for key, at in rows}


async def _missed(
    session: AsyncSession, campaign: uuid.UUID, seen: SceneSight, closed: Sequence[str]
) -> dict[str, tuple[int, int]]:
    """How often each seat did not answer in the last closed steps, of the times that this viewer knows it was asked."""
    keys = closed[-LATELY:]
    specs = await session.execute(
        select(StepRow.key, StepRow.spec).where(*_of(StepRow, campaign, seen.id), StepRow.key.in_(keys))
    )
    known = {
        (key, str(ask.seat))
        for key, spec in specs
        for ask in STEP.validate_python(spec).asks
        if knows(ask.known_to, seen.viewer)
    }
    rows = await session.execute(
        select(AskRow.step_key, AskRow.seat, AskRow.how).where(
            *_of(AskRow, campaign, seen.id), AskRow.step_key.in_(keys)
        )
    )
    hows = [(seat, how) for key, seat, how in rows if (key, seat) in known]
    asked, absent = Counter(seat for seat, _ in hows), Counter(seat for seat, how in hows if how == "default")
    return {seat: (times, asked[seat]) for seat, times in absent.items()}
