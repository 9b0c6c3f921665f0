"""The end of a scene: what it leaves to characters and the campaign, and what it no longer holds."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state, entries, played
from app.almanac.entries import BriefTyped, EntryTyped
from app.campaign import characters, sheets
from app.engine.ruleset import PlannedEntry
from app.models.people import Character, Member, Role
from app.models.scenes import CampaignMemory, Claim, StepRow
from app.table import new_characters, recording
from app.table.loaded_scene import LoadedScene


async def end(session: AsyncSession, live: LoadedScene) -> None:
    """Write the outcome to the calendar, to sheets and to the campaign's memory, and release every claim."""
    outcome = live.kind.outcome(live.state)
    live.ended = True
    await recording.ended(session, live, "over", outcome)
    held = await claimed(session, live)
    await played.over(session, live.vault, live.campaign, live.id, whole=True)
    for planned in outcome.entries:
        await _put_entry(session, live, planned)
    await new_characters.make(session, live, outcome.made)
    await _put_sheets(session, live, {slug: of for slug, of in outcome.sheets.items() if f"character/{slug}" in held})
    for name, body in sorted(outcome.kept.items()):
        if f"kept/{name}" in held:
            await _put_kept(session, live, name, body)
    await release(session, live, "over", live.now)


async def release(session: AsyncSession, live: LoadedScene, status: str, at: datetime) -> None:
    """Let go of every claim; steps that are still open are retired, their envelopes stay with their authors."""
    live.row.status, live.row.ended_at = status, at
    live.row.next_due_at, live.row.paused_at, live.row.stopped = None, None, False
    scene = live.row
    await session.execute(delete(Claim).where(Claim.campaign_id == scene.campaign_id, Claim.scene_id == scene.id))
    rows = await session.scalars(
        select(StepRow).where(
            StepRow.campaign_id == scene.campaign_id,
            StepRow.scene_id == scene.id,
            StepRow.status.in_(("open", "stuck")),
        )
    )
    for row in rows:
        row.status, row.closed_at, row.due_at = "retired", at, None


async def claimed(session: AsyncSession, live: LoadedScene) -> set[str]:
    """What this scene holds. A copy holds nothing, so nothing of it flows back."""
    names = await session.scalars(
        select(Claim.thing).where(Claim.campaign_id == live.campaign, Claim.scene_id == live.id)
    )
    return set(names)


async def _put_entry(session: AsyncSession, live: LoadedScene, planned: PlannedEntry) -> None:
    """Open, and for everybody to see; its author is the campaign's first GM, since a scene has none of its own."""
    author = await session.scalar(
        select(Member)
        .where(Member.campaign_id == live.campaign, Member.role == Role.GM, Member.removed_at.is_(None))
        .order_by(Member.joined_at, Member.id)
        .limit(1)
    )
    if author is None:
        return
    day = planned.day
    if day is None:
        day = (await calendar_state.hold(session, live.vault, live.campaign)).today + planned.in_days
    typed = EntryTyped(
        kind=planned.kind,
        title=planned.title,
        text=planned.text,
        place=planned.place,
        day=day,
        people=planned.people,
        brief=None if planned.brief is None else BriefTyped.model_validate(planned.brief),
    )
    await entries.add(session, live.vault, live.campaign, author, typed)


async def _put_sheets(session: AsyncSession, live: LoadedScene, left: Mapping[str, Any]) -> None:
    for row in await characters.lock(session, live.campaign, Character.slug.in_(left)):
        sheet = left[row.slug]
        # What the scene does not know of a character (a note, say) stays as it was.
        if isinstance(sheet, dict):
            await sheets.write(session, row, {**row.sheet, **sheet}, how="scene", scene=live.id)


async def _put_kept(session: AsyncSession, live: LoadedScene, name: str, body: Any) -> None:
    wanted = {"body": {"is": body}, "from_scene": live.id, "from_head": live.row.head}
    statement = insert(CampaignMemory).values(campaign_id=live.campaign, name=name, version=1, **wanted)
    await session.execute(
        statement.on_conflict_do_update(
            index_elements=[CampaignMemory.campaign_id, CampaignMemory.name],
            set_={**wanted, "version": CampaignMemory.version + 1},
        )
    )
