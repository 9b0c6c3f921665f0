"""What becomes of the quiet drafts of a step when it ends: those that may count are envelopes from then on, the others
are gone. The scene's row must be locked."""

import uuid
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.models.scenes import Envelope, StepRow
from app.table.loaded_scene import LoadedScene, box_place

_HOLD = text(
    """
    SELECT 1 FROM steps WHERE campaign_id = :campaign AND scene_id = :scene AND key = :step FOR NO KEY UPDATE
    """
)
_TAKE = text(
    """
    DELETE FROM drafts AS draft WHERE campaign_id = :campaign AND scene_id = :scene AND step_key = :step
    RETURNING seat, author_id, wax, box, saved_at, EXISTS (
        SELECT FROM seat_holders AS holder
          JOIN members AS author
            ON author.campaign_id = holder.campaign_id AND author.id = holder.member_id
           AND author.removed_at IS NULL AND author.quiet_drafts
         WHERE holder.campaign_id = draft.campaign_id AND holder.scene_id = draft.scene_id
           AND holder.seat = draft.seat AND holder.member_id = draft.author_id
           AND holder.since <= draft.saved_at) AS counts
    """
)
_DROP = text(
    """
    DELETE FROM drafts AS draft USING steps AS step
     WHERE draft.campaign_id = :campaign AND draft.scene_id = :scene AND step.status = 'retired'
       AND step.campaign_id = draft.campaign_id AND step.scene_id = draft.scene_id AND step.key = draft.step_key
    """
)


def draft_place(scene: str, step_key: str, seat: str) -> str:
    """Returns the place that the box of a seat's quiet draft is bound to."""
    return f"{scene}/draft/{step_key}/{seat}"


async def take(session: AsyncSession, live: LoadedScene, row: StepRow) -> dict[str, Envelope]:
    """Empties the table of a step that closes, and returns the drafts that may count, by seat, as envelopes that are
    not stored yet: of authors who still hold the seat and want them used.

    The step's row is locked first: a save is in before that, or is refused after the commit."""
    if not row.quiet:
        return {}
    there = {"campaign": live.campaign, "scene": live.id, "step": row.key}
    await session.execute(_HOLD, there)
    found = await session.execute(_TAKE, there)
    return {one.seat: _envelope(live, row.key, one) for one in found if one.counts}


def _envelope(live: LoadedScene, step_key: str, kept: Any) -> Envelope:
    """Ranks behind everything that was sealed; two drafts are then in seat order."""
    plain = live.vault.decrypt(bytes(kept.box), draft_place(live.place, step_key, kept.seat))
    return Envelope(
        campaign_id=live.campaign,
        scene_id=live.id,
        step_key=step_key,
        seat=kept.seat,
        revision=1,
        author_id=kept.author_id,
        request_id=uuid.uuid4(),
        ready=False,
        use_draft=True,
        order_no=live.row.orders + 1,
        salted_by="browser",
        commitment=kept.wax,
        box=live.vault.encrypt(plain, box_place(live, step_key, kept.seat, 1)),
        written_at=kept.saved_at,
        laid_at=kept.saved_at,
    )


async def drop(session: AsyncSession, live: LoadedScene) -> None:
    """Deletes the drafts of this scene's withdrawn steps; none of them counts any more."""
    await session.flush()  # so that the steps are locked, and a save is in before this or refused
    await session.execute(_DROP, {"campaign": live.campaign, "scene": live.id})
