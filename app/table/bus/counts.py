"""The counters by which the poller finds lost hints: each hint raises exactly one of them, in its own transaction.

| hint | counter |
|---|---|
| to everybody, a scene changed | `scenes.changes` |
| to the holders of a seat | `seat_holders.changes` |
| any other, to everybody or to one member | `hints.sent` |
"""

import uuid

from sqlalchemy import BigInteger, String, literal, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.models.people import Campaign, HintCount

EVERYBODY = "all"
COUNTS = """
    SELECT campaign_id, whom, sent FROM hints
     WHERE campaign_id = ANY(%(campaigns)s) AND whom = ANY(%(whom)s)
    UNION ALL
    SELECT campaign_id, 'all', sum(changes)::bigint FROM scenes
     WHERE campaign_id = ANY(%(campaigns)s) GROUP BY campaign_id
    UNION ALL
    SELECT campaign_id, member_id::text, sum(changes)::bigint FROM seat_holders
     WHERE campaign_id = ANY(%(campaigns)s) AND member_id = ANY(%(members)s) GROUP BY campaign_id, member_id
    UNION ALL
    SELECT campaign_id, member_id::text, sum(CASE WHEN revoked_at IS NULL THEN 1 ELSE 1::bigint << 40 END)::bigint
      FROM sessions
     WHERE campaign_id = ANY(%(campaigns)s) AND member_id = ANY(%(members)s) GROUP BY campaign_id, member_id
"""
"""A member's count also rises with each browser that is signed out, by more than lost seats ever make up for."""


async def count(session: AsyncSession, campaign: uuid.UUID, whom: str) -> None:
    """Counts one hint, as the last lock of the transaction; nothing where the campaign has just been deleted."""
    await session.flush()
    one = select(Campaign.id, literal(whom, String), literal(1, BigInteger)).where(Campaign.id == campaign)
    added = insert(HintCount).from_select(["campaign_id", "whom", "sent"], one)
    await session.execute(
        added.on_conflict_do_update(index_elements=["campaign_id", "whom"], set_={"sent": HintCount.sent + 1})
    )
