"""The reveal: closes a step as a whole, resolves its answers by the rules and adds to the log, in one transaction.

The scene's row must be locked. If the rules fail, nothing changes except that the step is stuck; every seal remains.
"""

import logging
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Literal

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.exc import InterfaceError, InternalError, OperationalError
from sqlalchemy.ext.asyncio import AsyncSession

from app import failpoints
from app.campaign import seating, step_openings
from app.campaign.step_openings import Opening
from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, SPECTATOR, Answer, Answers, Ask, How, LoggedEvent, Step
from app.engine.steps import at_desk
from app.engine.wording import call_of
from app.models.scenes import AskRow, Envelope, EventRow, StepRow
from app.observability import logs, metrics
from app.receipts import luck
from app.receipts.setup import STEP
from app.receipts.step_acts import Acts
from app.table import clock, draft_store, ending, legs, recording, step_acts
from app.table.loaded_scene import LoadedScene, open_box, public, read_words
from app.table.recording import Opened

log = logging.getLogger("signet.table")

AT_ONCE = 64  # the most steps that may close by themselves in one transaction; more is an error of the rules

By = Literal["all", "due", "gm", "itself"]


async def close(session: AsyncSession, live: LoadedScene, row: StepRow, by: By) -> bool:
    """Closes an open step and those that then close by themselves. Returns False if the rules failed: it is stuck."""
    key, step, touched, said = row.key, STEP.validate_python(row.spec), set(live.touched), dict(live.numbers)
    live.deferred = []
    began = time.perf_counter()
    try:
        async with session.begin_nested():
            await _close_one(session, live, row, by)
            await reconcile(session, live)
            for write in live.deferred:
                write()
            await session.flush()
    except (OperationalError, InterfaceError, InternalError):
        raise  # a failure of the database: all of this is rolled back, and the step stays open
    except Exception as error:  # an error of a ruleset must not cost the last seal
        live.touched, live.numbers = touched, said  # rolled back, so there is nothing new to look at
        live.held_up = False
        await _stick(session, live, key, error)
        live.touch(step)  # only those who may know of the step learn that it is stuck
        return False
    finally:
        live.deferred = None
    metrics.closed(live.ruleset.key, by, time.perf_counter() - began)
    return True


async def reconcile(session: AsyncSession, live: LoadedScene) -> None:
    """Makes the open steps those that the rules wait for: opens new ones, retires withdrawn ones, closes those without
    asks, and ends the scene if the rules wait for nothing."""
    for _ in range(AT_ONCE):
        idle = await _match_steps(session, live)
        if idle is None:
            return
        await _close_one(session, live, idle, "itself")
    log.error("scene %s: more than %s steps closed by themselves", live.id, AT_ONCE)
    raise RuntimeError(f"more than {AT_ONCE} steps of {live.row.ruleset} closed by themselves, one after another")


async def _match_steps(session: AsyncSession, live: LoadedScene) -> StepRow | None:
    """One pass of `reconcile`. Returns a step that closes by itself, or None."""
    wanted = {step.key: step for step in live.kind.steps(live.state)}
    rows = {row.key: row for row in await _steps(session, live, wanted)}
    for key, row in rows.items():
        if row.status == "open" and key not in wanted:
            await step_acts.withdrawn(session, live, row)
            row.status, row.closed_at, row.due_at = "retired", live.now, None
            await draft_store.drop(session, live)
            live.touch(STEP.validate_python(row.spec))
        elif row.status == "open" and STEP.validate_python(row.spec) != wanted[key]:
            raise RuntimeError(f"the rules changed the open step {key}; a changed question needs a new key")
    idle = None
    for key, step in wanted.items():
        known = rows.get(key)
        if known is not None and known.status in ("closed", "retired"):
            raise RuntimeError(f"the rules asked for the step {key} twice")
        if known is None:
            known = await _open(session, live, step)
            rows[key] = known
        if not step.asks and idle is None:
            idle = known
    if not wanted:
        await ending.end(session, live)
    if idle is None:
        live.put_state()
        _next_due(live, rows.values())
        await session.flush()
    return idle


async def _open(session: AsyncSession, live: LoadedScene, step: Step) -> StepRow:
    names = {ask.seat for ask in step.asks}
    if len(names) != len(step.asks) or not names <= set(live.order):
        raise RuntimeError(f"the step {step.key} asks a seat twice, or one that is not at the table")
    opening = Opening(limit=0)
    if step.asks and step.pace != "whenever":
        opening = await step_openings.of_step(session, live.campaign, live.ruleset.key, live.kind, step)
    usual = seconds = opening.seconds(step.seconds)
    if seconds is not None and await clock.waits(session, live, step):
        seconds = None
    paused = live.row.paused_at is not None
    row = StepRow(
        campaign_id=live.campaign,
        scene_id=live.id,
        key=step.key,
        position=await _count_steps(session, live),
        spec=STEP.dump_python(step, mode="json"),
        status="open",
        due_at=None if paused or seconds is None else _due_at(live, seconds),
        left_seconds=seconds if paused else None,
        seconds=usual,
        held=opening.held,
        quiet=bool(step.asks) and step.pace != "whenever",
        acts={"held": True} if opening.held else {},
        fixed=not paused and seconds is not None and live.deadline is not None,
    )
    session.add(row)
    live.touch(step)
    await session.flush()
    awaited = step.pace != "whenever"
    empty = await seating.empty(session, live.campaign, live.id) if awaited else set[str]()
    named = {seat.seat: seat.name for seat in live.seats}
    for ask in step.asks:
        session.add(
            AskRow(
                campaign_id=live.campaign,
                scene_id=live.id,
                step_key=step.key,
                seat=ask.seat,
                kind=ask.kind,
                call=ask.call or call_of(live.kind, ask.kind, "", named[ask.seat]),
                awaited=awaited and ask.seat not in empty,
                excused=ask.seat in empty,
                status="waiting",
            )
        )
    await session.flush()
    return row


def _due_at(live: LoadedScene, seconds: int) -> datetime:
    """Counts from the fixed deadline of the step that has closed, if there was one and it leaves any time."""
    due = (live.deadline or live.now) + timedelta(seconds=seconds)
    return due if due > live.now else live.now + timedelta(seconds=seconds)


async def _close_one(session: AsyncSession, live: LoadedScene, row: StepRow, by: By) -> None:
    step = STEP.validate_python(row.spec)
    live.touch(step)
    if row.fixed and public(step):
        live.deadline = row.due_at
    opened = await _gather(session, live, row, step)
    if by == "all" and any(o.answer.how != "sealed" for o in opened):
        by = "gm"  # a GM goes on without some of its seats
    chance, link, opened_link = (_chance if live.row.protocol > 1 else _old_chance)(live, step, opened)
    leg = legs.number(live)
    recorder: Recorder[Any, Any] = Recorder(live.state, live.kind.apply, last=live.row.last_event)
    live.kind.resolve(recorder, step, Answers(of={o.ask.seat: o.answer for o in opened}), chance)
    live.state = recorder.state
    live.row.desk_draws += _at_desk(step) and bool(chance.used)
    write_events(session, live, step.key, recorder.events)
    if not public(step):
        _touch_seeing(live, recorder.events)
    row.status, row.closed_at, row.closed_by, row.due_at, row.link = "closed", live.now, by, None, link
    if recorder.events:
        row.first_event, row.last_event = recorder.events[0].number, recorder.events[-1].number
    asks = await asks_of(session, live, step.key)
    _publish(live, asks, opened)
    acts = _acts(live, step, row, asks, opened)
    closing = recording.Closing(step, by, link, opened_link, opened, recorder.events, acts)
    await recording.closed(session, live, closing)
    await session.flush()
    failpoints.hit("events-written")
    await legs.passed(session, live, leg)


def _touch_seeing(live: LoadedScene, told: Sequence[LoggedEvent[Any]]) -> None:
    """Marks the seats that see an event of a step they may not know of."""
    for seat in live.order:
        viewer = live.viewer(seat)
        if any(live.kind.sees(one.event, viewer) for one in told):
            live.touched.add(seat)


async def _gather(session: AsyncSession, live: LoadedScene, row: StepRow, step: Step) -> list[Opened]:
    """Returns all answers in seat order: the seal, else the draft its author allowed, else the rules' default. A seat
    that laid no envelope has its quiet draft, unless its first answer stands: that is one it pressed a button for."""
    laid = {envelope.seat: envelope for envelope in await newest(session, live, step.key)}
    quiet = await draft_store.take(session, live, row)
    asks = sorted(step.asks, key=lambda ask: live.order.index(ask.seat))
    answers = {ask.seat: laid.get(ask.seat) or (None if ask.first_stands else quiet.get(ask.seat)) for ask in asks}
    opened = [_open_envelope(live, step, ask, answers[ask.seat]) for ask in asks]
    used = {o.ask.seat for o in opened if o.envelope is not None and o.envelope is quiet.get(o.ask.seat)}
    session.add_all(quiet[seat] for seat in used)
    opened = [replace(o, quiet=o.ask.seat in used) for o in opened]
    return _ranked(opened) if step.ranked else opened


def _open_envelope(live: LoadedScene, step: Step, ask: Ask, envelope: Envelope | None) -> Opened:
    view = live.kind.view(live.state, live.viewer(ask.seat))
    if envelope is not None and (envelope.ready or envelope.use_draft):
        salt, text = open_box(live, envelope)
        part = luck.digest("signet-salt-1", salt)
        how: How = "sealed" if envelope.ready else "draft"
        says: Any = None
        try:
            says = read_words(live, ask, text)
            legal = not live.kind.check(view, ask, says)
        except ValueError:
            legal = False
        if legal or (envelope.ready and says is not None and live.kind.may_invalidate_sealed(view)):
            return Opened(ask, Answer(says=says, how=how), part, envelope, salt, text)
        if envelope.ready:
            # It was legal when it was sealed, and the closing of another step must not make it illegal.
            raise RuntimeError(f"a sealed declaration in {step.key} is no longer legal")
    return Opened(ask, Answer(says=live.kind.default(view, ask), how="default"), None, None)


def _ranked(opened: list[Opened]) -> list[Opened]:
    """Ranks 1..n by the public number of each seat's last change; seats without an answer come last, in seat order."""
    last = max((o.envelope.order_no for o in opened if o.envelope), default=0)
    by_order = sorted(range(len(opened)), key=lambda i: (o.order_no if (o := opened[i].envelope) else last + 1, i))
    rank = {i: n for n, i in enumerate(by_order, start=1)}
    return [replace(o, answer=replace(o.answer, rank=rank[i])) for i, o in enumerate(opened)]


Luck = tuple[SeededChance, int | None, bytes | None]
"""The chance of a closing, and number and value of the link it opens; None where it opens none."""


def _chance(live: LoadedScene, step: Step, opened: Sequence[Opened]) -> Luck:
    """Returns the luck of this closing. A GM's act at the desk and a hidden step use only veiled luck and no link."""
    root = live.vault.decrypt(live.row.root, f"{live.place}/root")
    players = [o.luck for o in opened if o.ask.seat != GM]
    if _at_desk(step):
        return _veiled(luck.desk_seed(root, live.row.desk_draws, live.row.thread))
    if not public(step):
        live.row.hidden_closings += 1
        return _veiled(luck.hidden_seed(root, live.row.hidden_closings, live.row.thread, players))
    number, link = _next_link(live, root, players)
    veil = luck.veiled_seed(root, live.row.thread)
    return SeededChance(luck.open_seed(link, live.row.thread), veil), number, link


def _old_chance(live: LoadedScene, step: Step, opened: Sequence[Opened]) -> Luck:
    """Returns the luck of a closing in a scene of protocol 1: the GM's acts open links, too, and the GM's luck part is
    in the veiled luck."""
    root = live.vault.decrypt(live.row.root, f"{live.place}/root")
    veil = luck.old_veiled_seed(root, step.key, [o.luck for o in opened])
    if not public(step):
        return _veiled(veil)
    number, link = _next_link(live, root, [o.luck for o in opened if o.ask.seat != GM])
    return SeededChance(luck.open_seed(link, live.row.thread), veil), number, link


def _at_desk(step: Step) -> bool:
    return at_desk(step.pace, [ask.seat for ask in step.asks])


def _veiled(seed: bytes) -> Luck:
    return SeededChance(seed, seed, "veiled"), None, None


def _next_link(live: LoadedScene, root: bytes, players: Sequence[bytes | None]) -> tuple[int, bytes]:
    """Opens the next link and mixes in the luck part of each player's answer; returns its number and its value."""
    number = live.row.links_used + 1
    if number > luck.LINKS:
        raise RuntimeError("this scene has used up its luck; end it and begin another")
    live.row.links_used = number
    live.row.thread = luck.next_thread(live.row.thread, number, players)
    return number, luck.chain_link(root, number)


def write_events(session: AsyncSession, live: LoadedScene, step_key: str, told: Sequence[LoggedEvent[Any]]) -> None:
    """Appends events to the log; those that a spectator may not see are encrypted."""
    for one in told:
        event = _event_row(live, step_key, one)
        if event.box is not None:
            session.add(event)
        else:
            live.defer_public_write(partial(session.add, event))
        live.touched.add("" if event.body is not None else GM)
        live.row.last_event = one.number


def _event_row(live: LoadedScene, step_key: str, told: LoggedEvent[Any]) -> EventRow:
    body, box, public_no = None, None, None
    if live.kind.sees(told.event, SPECTATOR):
        body = live.kind.event.dump_python(told.event, mode="json")
        public_no = live.row.public_events = live.row.public_events + 1
        live.numbers[told.number] = public_no
    else:
        box = live.vault.encrypt(live.kind.event.dump_json(told.event), f"{live.place}/event/{told.number}")
    return EventRow(
        campaign_id=live.campaign,
        scene_id=live.id,
        number=told.number,
        public_no=public_no,
        step_key=step_key,
        rule=told.rule,
        because=list(told.because),
        body=body,
        box=box,
    )


def _acts(live: LoadedScene, step: Step, row: StepRow, asks: Sequence[AskRow], opened: Sequence[Opened]) -> list[Acts]:
    """Returns what a GM did to this step, and to those withdrawn since the last public closing, or hidden one."""
    if _at_desk(step):
        return []
    mine = step_acts.of_step(row, asks, [o.ask.seat for o in opened if o.answer.how == "sealed"])
    return [*([mine] if mine else []), *step_acts.take_untold(live, hidden=not public(step))]


def _publish(live: LoadedScene, asks: Sequence[AskRow], opened: Sequence[Opened]) -> None:
    """Records how each answer came about, and publishes salt and words of envelopes that the rules open now."""
    rows = {ask.seat: ask for ask in asks}
    for o in opened:
        rows[o.ask.seat].how, rows[o.ask.seat].quiet = o.answer.how, o.quiet
        if o.envelope is not None and o.salt is not None and o.ask.opens == "close" and o.ask.known_to is None:
            live.defer_public_write(partial(_unseal, o.envelope, {"salt": o.salt.hex(), "words": o.words}))


def _unseal(envelope: Envelope, opened: dict[str, Any]) -> None:
    envelope.opened, envelope.box = opened, None


async def _stick(session: AsyncSession, live: LoadedScene, key: str, error: Exception) -> None:
    """Marks the step as stuck; the seals remain, and `signet close` tries again once the rules are fixed.

    The traceback is logged without values: an exception's text might quote a declaration.
    """
    kinds, where = logs.whereabouts(error)
    log.error("scene %s: step %s is stuck", live.id, key, extra={"error": kinds, "where": where[-6:]})
    await session.execute(
        update(StepRow)
        .where(StepRow.campaign_id == live.campaign, StepRow.scene_id == live.id, StepRow.key == key)
        .values(status="stuck", due_at=None)
        .execution_options(synchronize_session=False)
    )
    session.expire_all()
    await session.refresh(live.row)
    await ending.give_back(session, live)  # a scene that waits for this one must not wait for a repair
    await refresh_due(session, live)


def _next_due(live: LoadedScene, rows: Any) -> None:
    due = [row.due_at for row in rows if row.status == "open" and row.due_at is not None]
    if live.row.paused_at is not None:
        due = [live.row.paused_until] if live.row.paused_until is not None else []
    live.row.next_due_at = min(due) if due and live.row.status == "open" else None


async def refresh_due(session: AsyncSession, live: LoadedScene) -> None:
    """Sets the time at which the sweeper looks at this scene next."""
    _next_due(live, await _steps(session, live))


async def _steps(session: AsyncSession, live: LoadedScene, keys: Iterable[str] = ()) -> list[StepRow]:
    """Returns the open steps, and those with these keys."""
    found = await session.scalars(
        select(StepRow)
        .where(StepRow.campaign_id == live.campaign, StepRow.scene_id == live.id)
        .where((StepRow.status == "open") | StepRow.key.in_(keys))
        .order_by(StepRow.position)
    )
    return list(found)


async def _count_steps(session: AsyncSession, live: LoadedScene) -> int:
    here = (StepRow.campaign_id == live.campaign, StepRow.scene_id == live.id)
    return (await session.scalar(select(func.count()).select_from(StepRow).where(*here))) or 0


async def asks_of(session: AsyncSession, live: LoadedScene, key: str) -> list[AskRow]:
    found = await session.scalars(
        select(AskRow).where(AskRow.campaign_id == live.campaign, AskRow.scene_id == live.id, AskRow.step_key == key)
    )
    return list(found)


def complete(row: StepRow, asks: Sequence[AskRow]) -> bool:
    """Whether a step waits for nobody: each seat has sealed, or the table goes on without it, and no GM holds it."""
    return not row.held and bool(asks) and all(ask.status == "ready" or ask.excused for ask in asks)


async def newest(session: AsyncSession, live: LoadedScene, key: str) -> list[Envelope]:
    """Returns the newest revision of each seat's envelope in a step."""
    found = await session.scalars(
        select(Envelope)
        .where(
            Envelope.campaign_id == live.campaign,
            Envelope.scene_id == live.id,
            Envelope.step_key == key,
        )
        .ext(distinct_on(Envelope.seat))
        .order_by(Envelope.seat, Envelope.revision.desc())
    )
    return list(found)
