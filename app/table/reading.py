"""Reads a scene for one member as a `SceneSight`, from which its pages are drawn.

It holds nothing that the member may not know: no hidden step, no sealed words of others, no number that counts hidden
things.
"""

import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ARRAY, Integer, Text, any_, bindparam, func, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import sealing_shows
from app.campaign.sealing_shows import SealingShows
from app.crypto.vault import Vault
from app.engine import form_text
from app.engine.ruleset import GM, SPECTATOR, Ask, Seat, Step, Viewer
from app.engine.wording import call_of, title_of
from app.errors import NotThere, Refusal
from app.models.people import Member, Role
from app.models.scenes import AskRow, Envelope, EventRow, Line, SeatHolder, StepRow
from app.receipts.setup import STEP
from app.table import inner_scenes, legs, pauses, whispers
from app.table.history import Histories, History, Round, fresh
from app.table.loaded_scene import LoadedScene, open_box, read, read_event, read_words
from app.table.perspective import Perspective
from app.table.scene_sight import (
    AskSight,
    Chapter,
    EventSight,
    LineSight,
    OwnEnvelope,
    ResumeVote,
    SceneSight,
    SeatSight,
    StepSight,
    answered_by,
)


def _in(table: Any) -> tuple[Any, Any]:
    return table.campaign_id == bindparam("campaign"), table.scene_id == bindparam("scene")


def _here(live: LoadedScene) -> dict[str, uuid.UUID]:
    return {"campaign": live.campaign, "scene": live.id}


_KEYS = any_(bindparam("keys", type_=ARRAY(Text)))
_STEMS = any_(bindparam("stems", type_=ARRAY(Text)))
_NUMBERS = any_(bindparam("numbers", type_=ARRAY(Integer)))

# Built once, as in loaded_scene.py.
_HOLDERS = (
    select(SeatHolder.seat, SeatHolder.member_id, Member.name, SeatHolder.since, Member.role)
    .join(Member, (Member.campaign_id == SeatHolder.campaign_id) & (Member.id == SeatHolder.member_id))
    .where(*_in(SeatHolder))
    .order_by(SeatHolder.since, Member.name)
)
_STEPS = (
    select(StepRow)
    .where(*_in(StepRow), StepRow.status.in_(("open", "stuck")) | (StepRow.key == _KEYS))
    .order_by(StepRow.position)
)
_ASKS = select(AskRow).where(*_in(AskRow), AskRow.step_key == _KEYS)
_RETURNED = (
    select(StepRow.key)
    .where(*_in(StepRow), StepRow.status == "retired")
    .where(func.regexp_replace(StepRow.key, "-[^-]*$", "") == _STEMS)
)
_LAID = (
    select(Envelope)
    .where(*_in(Envelope))
    .where((Envelope.step_key == _KEYS) | Envelope.step_key.in_(_RETURNED))
    .ext(distinct_on(Envelope.step_key, Envelope.seat))
    .order_by(Envelope.step_key, Envelope.seat, Envelope.revision.desc())
)
_EVENTS = select(EventRow).where(*_in(EventRow), EventRow.number == _NUMBERS).order_by(EventRow.number)
_LINES = (
    select(Line)
    .where(*_in(Line))
    .order_by(Line.at.desc(), Line.id.desc())  # not by id alone: ids come from the clocks of different workers
    .limit(bindparam("most"))
)


class HeldSeat(NamedTuple):
    """A seat, and a member who holds it."""

    seat: str
    member: uuid.UUID
    name: str
    since: datetime
    role: Role


A_SPECTATOR = "spectator"
"""What `as_seat` says for a spectator; a seat of that name goes first."""

Choose = Callable[[tuple[Round, ...]], Collection[Round]]
"""Returns which of a scene's rounds to read."""


async def sight(
    session: AsyncSession,
    vault: Vault,
    campaign: uuid.UUID,
    scene: uuid.UUID,
    member: Member,
    *,
    histories: Histories | None = None,
    choose: Choose | None = None,
    talk: bool = True,
    as_seat: str | None = None,
) -> SceneSight:
    """Returns all that `member` may know of the scene, or its present and the rounds that `choose` returns; without
    `talk`, nothing of what was said.

    With `as_seat` it is what the player of that seat, or A_SPECTATOR, sees of the scene, as far as this GM may know it:
    no envelope, no hidden ask. `histories` spares reading what this process has read before. Raises NoScene
    where the campaign has no scene of that id, and NotThere where the scene has no such seat.
    """
    live = await read(session, vault, campaign, scene)
    if as_seat is not None:
        return await _as_seat(session, live, member, as_seat, histories, choose)
    return await sight_of(session, live, member, histories=histories, choose=choose, talk=talk)


async def sight_of(
    session: AsyncSession,
    live: LoadedScene,
    member: Member,
    *,
    histories: Histories | None = None,
    choose: Choose | None = None,
    talk: bool = True,
) -> SceneSight:
    """Like `sight`, of a scene that has been read already; nothing but seals may have changed there since."""
    held = await _holders(session, live)
    mine = {one.seat: one.since for one in held if one.member == member.id}
    return await _sight(session, live, Perspective(_viewer(held, member)), mine, held, member, histories, choose, talk)


async def _as_seat(
    session: AsyncSession,
    live: LoadedScene,
    gm: Member,
    seat: str,
    histories: Histories | None,
    choose: Choose | None,
) -> SceneSight:
    held = await _holders(session, live)
    chair = next((row for row in live.seats if row.seat == seat), None)
    if gm.role != Role.GM or (chair is None and seat != A_SPECTATOR):
        raise NotThere("There is no such seat in this scene.")
    if chair is not None and chair.role == "gm":
        raise Refusal("This is the GM's own seat.", "The scene's page shows what it sees.")
    seats = (Seat(chair.seat),) if chair is not None else ()
    by = Perspective(Viewer(seats=frozenset(seats)), _viewer(held, gm))
    mine: dict[str, datetime] = dict.fromkeys(seats, live.now)
    return await _sight(session, live, by, mine, held, None, histories, choose, True)


def _viewer(held: Sequence[HeldSeat], member: Member) -> Viewer:
    """Returns a member as the viewer of a scene, by the seats they hold."""
    seats = frozenset(Seat(one.seat) for one in held if one.member == member.id)
    return Viewer(seats=seats, gm=member.role == Role.GM)


async def _sight(
    session: AsyncSession,
    live: LoadedScene,
    by: Perspective,
    mine: dict[str, datetime],
    held: Sequence[HeldSeat],
    member: Member | None,
    histories: Histories | None,
    choose: Choose | None,
    talk: bool,
) -> SceneSight:
    """`member`: who reads it; None for a GM who sees it as a seat."""
    viewer, is_gm = by.viewer, by.viewer.gm
    shows = "names" if is_gm else await sealing_shows.read(session, live.campaign)
    history = await (histories.of(session, live, by) if histories else fresh(session, live, by))
    rounds = history.rounds()
    chosen = rounds if choose is None else choose(rounds)
    seats = {row.seat: _seat(row.seat, live, held, mine) for row in live.seats}
    steps = await _steps(session, live, by, mine, seats, [key for one in chosen for key in one.steps], shows)
    told = await _told(session, live, history, chosen)
    present = _in_rules_order(live, [step for step in steps if step.status in ("open", "stuck")])
    return SceneSight(
        id=live.id,
        sealed_in=live.sealed_in,
        title=live.row.title,
        ruleset=live.ruleset,
        kind=live.kind.key,
        settings=live.row.settings,
        status=live.row.status,
        paused=live.row.paused_at is not None,
        stopped=live.row.stopped,
        paused_until=live.row.paused_until,
        is_gm=is_gm,
        viewer=viewer,
        now=live.now,
        made_at=live.row.made_at,
        ended_at=live.row.ended_at,
        head=live.row.head.hex() if live.row.head is not None else None,
        seats=tuple(seats.values()),
        view=by.view(live.kind, live.state),
        steps=present,
        chapters=_chapters(history, steps, rounds, chosen, told),
        lines=await _lines(session, live, member) if talk else (),
        rounds=rounds,
        remembered=tuple(told[row] for row in history.remembered if row in told),
        seals_apart=member is not None and _seals_apart(live, viewer, steps, present),
        resume_vote=_resume_vote(live, viewer if member is not None else SPECTATOR, {one.seat for one in held}),
        inner=await inner_scenes.linked(session, live, live.row.waits_for),
        outer=await inner_scenes.linked(session, live, live.row.outer_id),
        resumes=await legs.resumes(session, live, is_gm=is_gm),
        headlines=history.headlines,
        whisper_to=_whisper_to(live, held, mine, member) if member is not None else (),
    )


def _resume_vote(live: LoadedScene, viewer: Viewer, held: Collection[str]) -> ResumeVote | None:
    if not pauses.may_be_voted(live):
        return None
    players, voted = pauses.players(live, held), live.row.resume_votes
    return ResumeVote(len(voted), len(players), any(seat in viewer.seats and seat not in voted for seat in players))


def _whisper_to(
    live: LoadedScene, held: Sequence[HeldSeat], mine: Collection[str], member: Member
) -> tuple[tuple[str, str], ...]:
    """GMs choose among the seats that players hold; a player of several seats, from which of them they speak."""
    if live.row.status != "open":
        return ()
    seats = [row for row in live.seats if row.role != "gm"]
    if member.role == Role.GM:
        players = {one.seat for one in held if one.role != Role.GM}
        return tuple((row.seat, row.name) for row in seats if row.seat in players)
    own = [row for row in seats if row.seat in mine]
    return tuple((row.seat, "the GM" if len(own) == 1 else f"the GM, as {row.name}") for row in own)


def _seals_apart(live: LoadedScene, viewer: Viewer, steps: Sequence[StepSight], present: Sequence[StepSight]) -> bool:
    """Returns whether app/table/open_steps.py reads all that another's seal can change on this viewer's page. It keeps
    the order in which steps were opened, knows no inner scene or pause, and tells nothing to a GM without a seat."""
    pages = live.kind.pages
    among = pages.seals_on_board or bool(pages.envelopes) or (viewer.gm and GM not in viewer.seats)
    early = any(step.ranked or any(ask.reads_early and not ask.is_mine for ask in step.asks) for step in present)
    shared = [step.key for step in present if step.pace != "whenever"]
    in_order = [step.key for step in steps if step.key in shared] == shared
    return live.row.status == "open" and not (live.row.waits_for or live.row.paused_by or among or early) and in_order


def _in_rules_order(live: LoadedScene, steps: Sequence[StepSight]) -> tuple[StepSight, ...]:
    order = {step.key: place for place, step in enumerate(live.kind.steps(live.state))}
    return tuple(sorted(steps, key=lambda step: order.get(step.key, len(order))))


async def _holders(session: AsyncSession, live: LoadedScene) -> list[HeldSeat]:
    rows = await session.execute(_HOLDERS, _here(live))
    return [HeldSeat(*row) for row in rows]


def _seat(seat: str, live: LoadedScene, held: Sequence[HeldSeat], mine: dict[str, datetime]) -> SeatSight:
    row = next(row for row in live.seats if row.seat == seat)
    holders = [one for one in held if one.seat == seat]
    return SeatSight(
        seat=seat,
        name=row.name,
        role=row.role,
        characters=tuple(row.characters),
        holders=tuple(one.name for one in holders),
        is_mine=seat in mine,
        answered_by=answered_by(all(one.role == Role.GM for one in holders) if holders else None),
    )


async def _steps(
    session: AsyncSession,
    live: LoadedScene,
    by: Perspective,
    mine: dict[str, datetime],
    seats: Mapping[str, SeatSight],
    closed: Sequence[str],
    shows: SealingShows,
) -> list[StepSight]:
    """Returns the steps that are open or stuck, and the closed ones with these keys."""
    rows = list(await session.scalars(_STEPS, {**_here(live), "keys": closed}))
    these = {**_here(live), "keys": [row.key for row in rows], "stems": [_stem(row.key) for row in rows]}
    asks: dict[tuple[str, str], AskRow] = {(row.step_key, row.seat): row for row in await session.scalars(_ASKS, these)}
    laid: dict[tuple[str, str], Envelope] = {
        (row.step_key, row.seat): row for row in await session.scalars(_LAID, these)
    }
    sights = []
    for row in rows:
        step = STEP.validate_python(row.spec)
        known = [ask for ask in step.asks if by.is_in(ask.known_to)]
        if step.asks and not known:
            continue
        drawn = _step(live, by, mine, seats, row, step, known, asks, laid)
        sights.append(without_names(drawn, shows) if row.status != "closed" else drawn)
    return sights


def without_names(step: StepSight, shows: SealingShows) -> StepSight:
    """Returns a step that has not opened yet without what tells which other seats have sealed. An ask that stands alone
    has no seal while its step is open, and one that the viewer reads early is no secret."""
    if shows == "names":
        return step
    known = [ask for ask in step.asks if ask.is_mine or ask.spoken is not None]
    hidden = "hidden" if len(step.asks) > 1 else "waiting"
    asks = tuple(
        replace(ask, rank=None)
        if ask in known
        else replace(ask, status=hidden, awaited=True, nudged_at=None, commitment=None, rank=None)
        for ask in step.asks
    )
    sealed = sum(ask.status == "ready" for ask in step.asks) if shows == "number" else None
    return replace(step, asks=asks, shows=shows, sealed=sealed)


def _step(
    live: LoadedScene,
    by: Perspective,
    mine: dict[str, datetime],
    seats: Mapping[str, SeatSight],
    row: StepRow,
    step: Step,
    known: Sequence[Ask],
    asks: dict[tuple[str, str], AskRow],
    laid: dict[tuple[str, str], Envelope],
) -> StepSight:
    ranks = _ranks(step, asks, laid) if step.ranked else {}
    return StepSight(
        key=step.key,
        title=title_of(live.kind, step.key, step.title),
        pace=step.pace,
        status=row.status,
        due_at=row.due_at,
        left_seconds=row.left_seconds,
        seconds=row.seconds,
        held=row.held,
        quiet=row.quiet,
        closed_at=row.closed_at,
        closed_by=row.closed_by,
        ranked=step.ranked,
        asks=tuple(
            _ask(live, by, mine, seats[ask.seat], row, ask, asks[step.key, ask.seat], laid, ranks) for ask in known
        ),
    )


def _ranks(step: Step, asks: dict[tuple[str, str], AskRow], laid: dict[tuple[str, str], Envelope]) -> dict[str, int]:
    """Returns the public rank of each seat that has sealed, by its last change."""
    sealed = [
        (laid[step.key, ask.seat].order_no, ask.seat)
        for ask in step.asks
        if (step.key, ask.seat) in laid and laid[step.key, ask.seat].ready
    ]
    return {seat: rank for rank, (_, seat) in enumerate(sorted(sealed), start=1)}


def _ask(
    live: LoadedScene,
    by: Perspective,
    mine: dict[str, datetime],
    seat: SeatSight,
    step: StepRow,
    ask: Ask,
    row: AskRow,
    laid: dict[tuple[str, str], Envelope],
    ranks: dict[str, int],
) -> AskSight:
    envelope = laid.get((step.key, ask.seat))
    sealed = envelope is not None and (envelope.ready or envelope.opened is not None)
    own = ask.seat in mine and by.gm is None
    spoken = None
    if envelope is not None and envelope.ready and step.status == "open" and by.is_in(ask.open_to):
        spoken = read_words(live, ask, open_box(live, envelope)[1])
    return AskSight(
        seat=ask.seat,
        name=seat.name,
        role=seat.role,
        kind=ask.kind,
        call=call_of(live.kind, ask.kind, ask.call, seat.name),
        about=ask.about,
        awaited=row.awaited,
        answered_by=seat.answered_by,
        nudged_at=row.nudged_at,
        status=row.status,
        commitment=envelope.commitment.hex() if envelope is not None and sealed else None,
        rank=ranks.get(ask.seat),
        how=row.how,
        is_mine=ask.seat in mine,
        first_stands=ask.first_stands,
        reads_early=by.is_in(ask.open_to),
        mine=_mine(live, mine, step, ask, envelope, laid) if own and step.status == "open" else None,
        spoken=spoken,
    )


def _mine(
    live: LoadedScene,
    mine: dict[str, datetime],
    step: StepRow,
    ask: Ask,
    envelope: Envelope | None,
    laid: dict[tuple[str, str], Envelope],
) -> OwnEnvelope | None:
    returned = False
    if envelope is None:
        envelope, returned = _given_back(live, step, ask, laid), True
        if envelope is None or envelope.written_at < mine[ask.seat]:
            return None
    readable = envelope.written_at >= mine[ask.seat] and (envelope.box is not None or envelope.opened is not None)
    return OwnEnvelope(
        revision=0 if returned else envelope.revision,
        ready=envelope.ready and not returned,
        use_draft=envelope.use_draft,
        pairs=form_text.read(open_box(live, envelope)[1]) if readable else [],
        readable=readable,
        laid_at=envelope.laid_at,
        commitment=envelope.commitment.hex(),
        salted_by=envelope.salted_by,
        returned=returned,
    )


def _given_back(live: LoadedScene, step: StepRow, ask: Ask, laid: dict[tuple[str, str], Envelope]) -> Envelope | None:
    """Returns the seat's envelope from a withdrawn step of the same question ("r3/declare" for "r3/declare-2"), as
    initial values."""
    stem = _stem(step.key)
    same = [
        envelope
        for (key, seat), envelope in laid.items()
        if seat == ask.seat and key != step.key and _stem(key) == stem and envelope.box is not None
    ]
    return max(same, key=lambda envelope: envelope.laid_at, default=None)


def _stem(key: str) -> str:
    return key.rsplit("-", 1)[0]


async def _told(
    session: AsyncSession, live: LoadedScene, history: History, chosen: Collection[Round]
) -> dict[int, EventSight]:
    """Returns the events of these rounds, and those that sentences refer to, by their numbers in the log."""
    steps = {row: key for key in ("", *(key for one in chosen for key in one.steps)) for row in history.events_of(key)}
    found: dict[int, EventSight] = {}
    if not (steps or history.remembered):
        return found
    for row in await session.scalars(_EVENTS, {**_here(live), "numbers": [*steps, *history.remembered]}):
        told = read_event(live, row)
        because = tuple(number for cause in told.because if (number := history.number(cause)) is not None)
        number = history.number(row.number)
        assert number is not None
        found[row.number] = EventSight(number, told.rule, because, told.event, steps.get(row.number, row.step_key))
    return found


def _chapters(
    history: History,
    steps: Sequence[StepSight],
    rounds: Sequence[Round],
    chosen: Collection[Round],
    told: dict[int, EventSight],
) -> tuple[Chapter, ...]:
    """Returns the closed steps of these rounds. What happened at the GM's desk before the first closing that this
    viewer knows of belongs to that one; until then, to the first step that is open."""
    by_key = {step.key: step for step in steps}
    first = rounds[0].steps[0] if rounds else next((step.key for step in steps if step.status == "open"), "")
    keys = [key for one in chosen for key in one.steps]
    if not rounds and first and history.events_of(""):
        keys = [first]
    found = []
    for key in keys:
        rows = [*(history.events_of("") if key == first else ()), *history.events_of(key)]
        found.append(Chapter(by_key[key], tuple(told[row] for row in rows)))
    return tuple(found)


async def _lines(
    session: AsyncSession, live: LoadedScene, member: Member | None, most: int = 200
) -> tuple[LineSight, ...]:
    """Returns the last lines of the talk, and of what was said to this member alone."""
    rows = await session.scalars(_LINES, {**_here(live), "most": most})
    me = member.id if member is not None else None
    found = [LineSight(row.kind, row.who, row.text, row.at, me is not None and row.member_id == me) for row in rows]
    if member is not None:
        found += await whispers.heard(session, live.vault, live.campaign, live.id, member, most)
    found.reverse()  # the newest last, also of those at the same moment
    return tuple(sorted(found, key=lambda line: line.at)[-most:])
