"""Whether a scene still looks to one member as it did: one question instead of reading all of it again.

A mark is made of what that member may see change, and of nothing else: were it made of more, the time that a page takes
would tell of hidden things.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign.models import Member

_MARK = text("""
SELECT statement_timestamp() AS now,
       scenes.next_due_at <= statement_timestamp() AS due,
       concat_ws(' ', scenes.changes, scenes.status, scenes.paused_at, encode(scenes.head, 'hex')) AS public,
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
 WHERE scenes.campaign_id = :campaign AND scenes.id = :scene
""")


@dataclass(frozen=True, slots=True)
class Mark:
    """Equal marks: the same page, but for the time of day."""

    now: datetime
    what: tuple[str | None, ...]


async def mark(session: AsyncSession, scene: uuid.UUID, member: Member) -> Mark | None:
    """How the scene stands for this member; None where there is none, or where a step's time is up."""
    asked = {"campaign": member.campaign_id, "scene": scene, "member": member.id}
    row = (await session.execute(_MARK, asked)).one_or_none()
    if row is None or row.due:
        return None
    return Mark(row.now, (row.public, row.holders, row.mine))
