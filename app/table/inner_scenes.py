"""Scenes that wait for scenes: one is opened out of another, which stands until it is over (CHR-FLO-04).

The outer scene lends its characters, with what it has changed about them, and gets them back when the inner one is
over, abandoned or stuck. Each transaction locks one scene: the outer one is woken after the commit of the inner one's
end, and by the sweep if that was lost.
"""

import logging
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pydantic import JsonValue, ValidationError
from sqlalchemy import exists, func, or_, select
from sqlalchemy.exc import InterfaceError, InternalError, OperationalError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.almanac import calendar_state
from app.campaign import seating
from app.crypto.vault import Locked
from app.engine.log import Recorder
from app.engine.ruleset import Brief
from app.errors import Conflict, MissingRules, Refusal
from app.models.people import Character, Member
from app.models.scenes import Scene
from app.observability import logs
from app.receipts import chain
from app.receipts.setup import inner_scene
from app.table import clock, closing, gm_actions, legs, opening, pauses, recording
from app.table.loaded_scene import LoadedScene, OldRules, read, read_again
from app.table.scene_sight import OtherScene

log = logging.getLogger("signet.table")

MOST_DEEP = 3
"""How many scenes may lie in one another: a discussion, its battle, a duel in it."""


_INNER = aliased(Scene)
TO_WAKE = (
    select(Scene.campaign_id, Scene.id)
    .where(Scene.waits_for.is_not(None), Scene.status == "open")
    .where(or_(Scene.next_due_at.is_(None), Scene.next_due_at <= func.statement_timestamp()))
    .where(
        ~exists().where(
            _INNER.campaign_id == Scene.campaign_id, _INNER.id == Scene.waits_for, _INNER.returned.is_(None)
        )
    )
)
"""The scenes of all campaigns that wait for one that has come back, or is gone."""


async def open_inner(
    session: AsyncSession,
    outer: LoadedScene,
    who: Member,
    brief: Brief,
    settings: Mapping[str, Any],
    held: opening.HeldCharacters = "wait",
) -> uuid.UUID:
    """Opens a scene out of another one, which is locked and waits from now on; returns the new scene's id. Raises
    Conflict and Refusal where the outer scene cannot wait, and what `open_scene` raises."""
    may_open(outer)
    lenders = await _lenders(session, outer)
    if len(lenders) >= MOST_DEEP:
        names = " in ".join(f"“{one.row.title}”" for one in lenders)
        raise Refusal(f"At most {MOST_DEEP} scenes lie in one another, and {names} are {MOST_DEEP}. End one first.")
    scene = await opening.open_scene(
        session, outer.vault, outer.campaign, outer.ruleset.key, brief, settings, held, lenders=lenders
    )
    outer.row.waits_for = scene
    await clock.halt(session, outer, outer.now)
    gm_actions.notice(session, outer, who, f"{who.name} opened “{brief.title}”. This scene waits until it is over.")
    return scene


def may_open(outer: LoadedScene) -> None:
    """Raises Conflict or Refusal where no scene can be opened out of this one now."""
    gm_actions.must_run(outer)
    if outer.kind.inner is None:
        raise Refusal("In these rules, no other scene is played inside one of this kind.")
    if outer.row.head is None:
        raise Refusal("This scene was opened before Signet kept records, so no other can be played inside it.")
    if outer.row.waits_for is not None:
        raise Conflict("This scene already waits for another one. Finish that one first.")
    if outer.row.paused_at is not None:
        raise Conflict("The scene is paused. Resume it first.")


def why_not(outer: LoadedScene) -> str:
    """Returns why no scene can be opened out of this one now; "" if one can."""
    try:
        may_open(outer)
    except Refusal as refused:
        return refused.text
    return ""


async def linked(session: AsyncSession, live: LoadedScene, scene: uuid.UUID | None) -> OtherScene | None:
    """Returns the scene with that id, which waits for this one or the other way round; None for None."""
    if scene is None:
        return None
    title = await session.scalar(select(Scene.title).where(Scene.campaign_id == live.campaign, Scene.id == scene))
    return OtherScene(scene, title or "a scene that is gone")


async def _lenders(session: AsyncSession, outer: LoadedScene) -> list[LoadedScene]:
    """Returns the scene and those that wait for it, the innermost first."""
    found = [outer]
    while len(found) < MOST_DEEP and (around := found[-1].row.outer_id) is not None:
        try:
            one = await read(session, outer.vault, outer.campaign, around)
        except Refusal:
            break
        if one.row.status != "open" or one.row.waits_for != found[-1].id:
            break
        found.append(one)
    return found


async def go_on_without(session: AsyncSession, outer: LoadedScene, who: Member) -> None:
    """Lets a scene go on although the one it waits for is not over: that one goes on with copies of what was lent.
    Raises Conflict where it waits for none."""
    gm_actions.must_run(outer)
    inner = outer.row.waits_for
    if inner is None:
        raise Conflict("This scene does not wait for another one. The page shows the current state.")
    if await wake(session, outer):
        return  # it has just come back
    await calendar_state.hold(session, outer.vault, outer.campaign)  # before characters, in case this ends the scene
    lent = await seating.lent(session, outer.campaign, inner)
    await seating.lock_characters(session, outer.campaign, lent)
    await seating.give_back(session, outer.campaign, inner)
    gm_actions.notice(session, outer, who, f"{who.name} lets this scene go on.")
    found = await session.get(Scene, (outer.campaign, inner))
    await _come_back(session, outer, found, "left" if found is not None else "missing")


async def wake(session: AsyncSession, outer: LoadedScene) -> bool:
    """Lets a scene go on if the one it waits for has come back. Returns whether it does."""
    if outer.row.waits_for is None or outer.row.status != "open":
        return False
    inner = await session.get(Scene, (outer.campaign, outer.row.waits_for))
    if inner is None:
        await _come_back(session, outer, None, "missing")
    elif inner.returned is None:
        return False
    else:
        await _come_back(session, outer, inner, "stuck" if inner.status == "open" else inner.status)
    return True


async def _come_back(session: AsyncSession, outer: LoadedScene, inner: Scene | None, how: str) -> None:
    """Records what came of the inner scene, tells it by the rules, and lets the clocks run."""
    assert outer.row.waits_for is not None
    came = recording.CameBack(str(outer.row.waits_for), how)
    if inner is not None:
        came = replace(
            came,
            kind=inner.kind,
            title=inner.title,
            head=inner.head.hex() if inner.head is not None else None,
            result=await _result(session, outer, inner) if how == "over" else None,
            sheets=chain.canonical(await _sheets(session, outer, inner.returned or ())),
        )
    try:
        async with session.begin_nested():
            await _tell(session, outer, came)
            await closing.reconcile(session, outer)
            await session.flush()
    except (OperationalError, InterfaceError, InternalError):
        raise  # a failure of the database: the sweep tries again
    except Exception as error:  # an error of the rules must not make the scene wait for ever
        kinds, where = logs.whereabouts(error)
        extra = {"error": kinds, "where": where[-6:]}
        log.error("scene %s: what came of %s cannot be told", outer.id, came.scene, extra=extra)
        await read_again(session, outer)
        outer.held_up = False
        await recording.came_back(session, outer, replace(came, how="failed", result=None, sheets="{}"), ())
    outer.touched.add("")
    outer.row.waits_for = None
    if outer.row.status == "open" and not (outer.row.stopped or outer.held_up):
        await pauses.resume(session, outer)


async def _tell(session: AsyncSession, outer: LoadedScene, came: recording.CameBack) -> None:
    assert outer.kind.inner is not None
    leg = legs.number(outer)
    recorder: Recorder[Any, Any] = Recorder(outer.state, outer.kind.apply, last=outer.row.last_event)
    outer.kind.inner(recorder, inner_scene(outer.ruleset, came.entry, came.sheets))
    outer.state = recorder.state
    closing.write_events(session, outer, "", recorder.events)
    await recording.came_back(session, outer, came, recorder.events)
    await legs.passed(session, outer, leg)


async def _result(session: AsyncSession, outer: LoadedScene, inner: Scene) -> JsonValue:
    """Returns what the rules of a scene that is over say of its result; None where it cannot be read."""
    try:
        live = await read(session, outer.vault, inner.campaign_id, inner.id)
    except (Locked, OldRules, MissingRules, ValidationError) as error:
        log.error("scene %s: its result cannot be read (%s)", inner.id, type(error).__name__)
        return None
    return live.kind.outcome(live.state).result


async def _sheets(session: AsyncSession, outer: LoadedScene, slugs: Sequence[str]) -> dict[str, JsonValue]:
    """Returns the sheets of the characters that came back, by slug, as their ruleset writes them; not those that it
    cannot read any more."""
    adapter = outer.ruleset.character
    rows = await session.scalars(
        select(Character)
        .where(Character.campaign_id == outer.campaign, Character.slug.in_(slugs))
        .order_by(Character.slug)
    )
    found: dict[str, JsonValue] = {}
    for row in rows:
        with suppress(ValidationError):
            found[row.slug] = adapter.dump_python(adapter.validate_python(row.sheet), mode="json")
    return found
