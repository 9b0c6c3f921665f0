"""The end of a scene: writes its outcome to characters and campaign, and releases its claims."""

from datetime import datetime
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state, entries, played
from app.almanac.entries import BriefTyped, EntryTyped
from app.campaign import characters, seating, sheets
from app.engine.ruleset import PlannedEntry
from app.models.people import Character
from app.models.scenes import CampaignMemory, Claim, StepRow
from app.table import draft_store, legs, new_characters, recording, step_acts
from app.table.loaded_scene import LoadedScene


async def end(session: AsyncSession, live: LoadedScene) -> None:
    """Writes the outcome to the calendar, to sheets and to the campaign's memory, and releases every claim."""
    outcome = live.kind.outcome(live.state)
    live.ended = True
    await recording.ended(session, live, "over", outcome, await step_acts.at_the_end(session, live))
    day = await played.over(session, live.vault, live.campaign, live.id, whole=True)
    if day is None and live.row.outer_id is not None and outcome.entries:
        day = await legs.day_around(session, live)
    for planned in outcome.entries:
        await _put_entry(session, live, planned, day)
    await new_characters.make(session, live, outcome.made)
    rows = await characters.lock(session, live.campaign, Character.slug.in_(outcome.sheets))
    held = await claimed(session, live)  # once they are locked: a scene that lent one may take it back
    for row in rows:
        if f"character/{row.slug}" in held:
            await _put_sheet(session, live, row, outcome.sheets[row.slug])
    for name, body in sorted(outcome.kept.items()):
        if f"kept/{name}" in held:
            await _put_kept(session, live, name, body)
    await release(session, live, "over", live.now)


async def release(session: AsyncSession, live: LoadedScene, status: str, at: datetime) -> None:
    """Ends the scene's row and releases every claim, and gives back what was lent to it; open and stuck steps are
    retired, their envelopes stay closed."""
    live.row.status, live.row.ended_at = status, at
    live.row.next_due_at, live.row.paused_at, live.row.paused_until, live.row.stopped = None, None, None, False
    live.row.paused_by = None
    scene = live.row
    await give_back(session, live)
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
    await draft_store.drop(session, live)


async def give_back(session: AsyncSession, live: LoadedScene) -> None:
    """Gives back what was lent to a scene that was opened out of another one, which may go on now."""
    if live.row.outer_id is not None and live.row.returned is None:
        live.row.returned = await seating.give_back(session, live.campaign, live.id)


async def claimed(session: AsyncSession, live: LoadedScene) -> set[str]:
    """Returns the things that this scene has claimed. It has no claim on a copy, so a copy is not written back."""
    names = await session.scalars(
        select(Claim.thing).where(Claim.campaign_id == live.campaign, Claim.scene_id == live.id)
    )
    return set(names)


async def _put_entry(session: AsyncSession, live: LoadedScene, planned: PlannedEntry, last: int | None) -> None:
    """Adds an open entry that all members see. Its author is the campaign's first GM, for a scene is no author. `last`:
    the day of the scene's entry, or of the scene around it; that may be after today if it has legs."""
    author = await legs.first_gm(session, live.campaign)
    if author is None:
        return
    day = planned.day
    if day is None:
        today = (await calendar_state.hold(session, live.vault, live.campaign)).today
        day = max(today, today if last is None else last) + planned.in_days
    typed = EntryTyped(
        kind=planned.kind,
        title=planned.title,
        text=planned.text,
        place=planned.place,
        day=day,
        people=planned.people,
        brief=None if planned.brief is None else _in_this_house(live, BriefTyped.model_validate(planned.brief)),
    )
    await entries.add(session, live.vault, live.campaign, author, typed, from_scene=live.id)


def _in_this_house(live: LoadedScene, brief: BriefTyped) -> BriefTyped:
    """Adds this scene's settings to the brief of the next one, as far as a new scene would begin with others: a kind of
    scene knows only those that concern it."""
    rules = live.ruleset
    if brief.ruleset != rules.key:
        return brief
    usual = rules.settings.dump_python(rules.settings.validate_python(rules.of_new_scene({})), mode="json")
    own = {name: value for name, value in live.row.settings.items() if value != usual.get(name)}
    return brief.model_copy(update={"settings": {**own, **brief.settings}})


async def _put_sheet(session: AsyncSession, live: LoadedScene, row: Character, sheet: Any) -> None:
    # Fields that the scene does not know (a note, for example) stay as they were.
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
