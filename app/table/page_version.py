"""The version of a scene's page for one member: one query shows whether the page has to be drawn again.

It depends only on what that member may see: if it depended on more, the time that a page takes would reveal hidden
changes.
"""

import uuid
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign.seats import SEEN_EVERY
from app.db.page_version import PageVersion

_VERSION = text("""
SELECT statement_timestamp() AS now,
       scenes.next_due_at <= statement_timestamp() AS due,
       concat_ws(' ', scenes.changes, scenes.status, scenes.paused_at, encode(scenes.head, 'hex')) AS public,
       concat_ws(' ', me.role, me.name, '/', campaigns.title, '/', campaigns.settings ->> 'sealing_shows') AS me,
       (SELECT string_agg(waiting.id::text, ',' ORDER BY waiting.id) FROM challenges AS waiting
         WHERE waiting.campaign_id = scenes.campaign_id AND waiting.status = 'open') AS challenges,
       (SELECT string_agg(concat_ws(' ', holder.seat, member.name, holder.since), ',' ORDER BY holder.seat, member.id)
          FROM seat_holders AS holder
          JOIN members AS member ON (member.campaign_id, member.id) = (holder.campaign_id, holder.member_id)
         WHERE holder.campaign_id = scenes.campaign_id AND holder.scene_id = scenes.id) AS holders,
       (SELECT string_agg(concat_ws(' ', mine.seat, mine.changes, laid.step_key, laid.revision), ','
                          ORDER BY mine.seat, laid.step_key, laid.revision)
          FROM seat_holders AS mine
          LEFT JOIN (SELECT envelopes.campaign_id, envelopes.scene_id, envelopes.step_key, envelopes.seat, revision
                       FROM envelopes
                       JOIN steps ON (steps.campaign_id, steps.scene_id, steps.key)
                                   = (envelopes.campaign_id, envelopes.scene_id, envelopes.step_key)
                      WHERE steps.status = 'open') AS laid
            ON (laid.campaign_id, laid.scene_id, laid.seat) = (mine.campaign_id, mine.scene_id, mine.seat)
         WHERE mine.campaign_id = scenes.campaign_id AND mine.scene_id = scenes.id AND mine.member_id = :member) AS mine
  FROM scenes
  JOIN campaigns ON campaigns.id = scenes.campaign_id
  JOIN members AS me ON me.campaign_id = scenes.campaign_id
  JOIN sessions ON (sessions.campaign_id, sessions.member_id) = (me.campaign_id, me.id)
 WHERE scenes.campaign_id = :campaign AND scenes.id = :scene AND me.id = :member AND me.removed_at IS NULL
   AND sessions.id = :device AND sessions.revoked_at IS NULL AND sessions.seen_at > now() - :seen_within
""")


@dataclass(frozen=True, slots=True)
class Reader:
    """A member who looks at a scene in one of their browsers."""

    campaign: uuid.UUID
    member: uuid.UUID
    device: uuid.UUID
    scene: uuid.UUID


async def version(session: AsyncSession, reader: Reader) -> PageVersion | None:
    """Returns the version of the scene's page for this reader.

    Returns None where the page needs more than a cache: no such scene, a step whose time is up, a browser that is
    signed out, or one whose last use has to be recorded again.
    """
    asked = {"campaign": reader.campaign, "scene": reader.scene, "member": reader.member, "device": reader.device}
    row = (await session.execute(_VERSION, {**asked, "seen_within": SEEN_EVERY})).one_or_none()
    if row is None or row.due:
        return None
    return PageVersion(row.now, (row.public, row.me, row.challenges, row.holders, row.mine))
