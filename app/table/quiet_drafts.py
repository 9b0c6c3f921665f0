"""Quiet drafts: what a person has chosen and not sealed, saved while they choose, and used if they seal nothing in time
(docs/fairness.md).

Nothing that a page shows changes with a save: no revision, no order number, no counter, no hint. It is one statement,
without the scene's lock; the step's row is locked for sharing, so that a save waits for nothing but the step's end.
"""

import uuid
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.crypto.vault import Vault
from app.errors import Conflict, NotThere, Refusal
from app.models.people import Member
from app.receipts import luck
from app.table import envelopes
from app.table.draft_store import draft_place
from app.table.envelopes import Mismatched, Stamp

_SAVE = text(
    """
    INSERT INTO drafts (campaign_id, scene_id, step_key, seat, author_id, wax, box, saved_at)
    SELECT ask.campaign_id, ask.scene_id, ask.step_key, ask.seat, author.id, :wax, :box, clock_timestamp()
      FROM steps AS step
      JOIN scenes AS scene ON scene.campaign_id = step.campaign_id AND scene.id = step.scene_id
      JOIN asks AS ask
        ON ask.campaign_id = step.campaign_id AND ask.scene_id = step.scene_id AND ask.step_key = step.key
      JOIN seat_holders AS holder
        ON holder.campaign_id = ask.campaign_id AND holder.scene_id = ask.scene_id AND holder.seat = ask.seat
      JOIN members AS author ON author.campaign_id = holder.campaign_id AND author.id = holder.member_id
     WHERE step.campaign_id = :campaign AND step.scene_id = :scene AND step.key = :step AND ask.seat = :seat
       AND holder.member_id = :member AND author.quiet_drafts AND author.removed_at IS NULL
       AND step.status = 'open' AND step.quiet AND scene.status = 'open'
       AND (step.due_at IS NULL OR step.due_at >= statement_timestamp() OR scene.paused_at IS NOT NULL)
       AND ask.kind = :ask AND coalesce(scene.made_in, scene.campaign_id) = CAST(:sealed_in AS uuid)
       AND NOT EXISTS (
           SELECT FROM envelopes AS laid
            WHERE laid.campaign_id = ask.campaign_id AND laid.scene_id = ask.scene_id
              AND laid.step_key = ask.step_key AND laid.seat = ask.seat)
       FOR SHARE OF step
    ON CONFLICT (campaign_id, scene_id, step_key, seat) DO UPDATE
       SET author_id = excluded.author_id, wax = excluded.wax, box = excluded.box, saved_at = excluded.saved_at
    RETURNING 1
    """
)
_ASKED = text(
    """
    SELECT 1 FROM asks AS ask
      JOIN seat_holders AS holder
        ON holder.campaign_id = ask.campaign_id AND holder.scene_id = ask.scene_id AND holder.seat = ask.seat
     WHERE ask.campaign_id = :campaign AND ask.scene_id = :scene AND ask.step_key = :step AND ask.seat = :seat
       AND holder.member_id = :member
    """
)
_SWITCH = text("UPDATE members SET quiet_drafts = :on WHERE campaign_id = :campaign AND id = :member")
_FORGET = text("DELETE FROM drafts WHERE campaign_id = :campaign AND author_id = :member")


@dataclass(frozen=True, slots=True)
class Saved:
    """A draft as its author's browser sends it: the place that it was hashed for, and its stamp."""

    sealed_in: uuid.UUID  # the campaign in the hash
    step_key: str
    seat: str
    ask: str
    stamp: Stamp


async def save(
    session: AsyncSession, vault: Vault, campaign: uuid.UUID, scene: uuid.UUID, member: Member, saved: Saved
) -> None:
    """Stores a draft over the one before. Whether it is legal is seen when it is used.

    Raises NotThere where this member is asked nothing, Conflict where it is not open or they have laid an envelope,
    Illegal or Mismatched as for a seal."""
    there = {"campaign": campaign, "scene": scene, "step": saved.step_key, "seat": saved.seat, "member": member.id}
    try:
        words = _words(scene, saved)
        plain = envelopes.plain_box(saved.stamp.salt, words)
        box = vault.encrypt(plain, draft_place(f"{campaign}/{scene}", saved.step_key, saved.seat))
        hashed = {"ask": saved.ask, "sealed_in": str(saved.sealed_in), "wax": saved.stamp.commitment}
        if (await session.execute(_SAVE, {**there, **hashed, "box": box})).first() is None:
            raise Conflict("This was not saved as a draft: it isn’t open any more, or you have already sealed.")
    except Refusal as refused:
        if await session.scalar(_ASKED, there) is None:
            raise NotThere("There is nothing for you to answer here.") from refused
        raise


def _words(scene: uuid.UUID, saved: Saved) -> str:
    """Returns the words of a draft, whose hash fits."""
    words = envelopes.checked_words(saved.stamp.words)
    place = (str(saved.sealed_in), str(scene), saved.step_key, saved.seat, saved.ask)
    fits = len(saved.stamp.salt) == 32 and luck.seal(*place, saved.stamp.salt, words).commitment
    if fits != saved.stamp.commitment:
        raise Mismatched("Nothing was saved: the draft does not match what you chose. Reload the page.")
    return words


async def switch(session: AsyncSession, member: Member, on: bool) -> None:
    """Whether what a member chooses is saved as a draft from now on; without it, what is there is deleted."""
    await session.execute(_SWITCH, {"campaign": member.campaign_id, "member": member.id, "on": on})
    if not on:
        await session.execute(_FORGET, {"campaign": member.campaign_id, "member": member.id})
