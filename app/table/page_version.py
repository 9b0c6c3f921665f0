"""The version of a scene's page for one member: one query shows whether the page has to be drawn again.

It depends only on what that member may see: if it depended on more, the time that a page takes would reveal hidden
changes.
"""

import hmac
import json
import uuid
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign.seats import SEEN_EVERY
from app.crypto.vault import Vault
from app.db.page_version import PageVersion
from app.table.listing import STOPPED, WAITING
from app.table.pauses import PLAYERS_WAIT

_COLUMNS = f"""
       statement_timestamp() AS now,
       scenes.next_due_at <= statement_timestamp() AS due,
       scenes.changes, scenes.seals,
       concat_ws(' ', scenes.status, scenes.paused_at,
                 scenes.paused_at <= statement_timestamp() - :players_wait, encode(scenes.head, 'hex'),
                 CASE WHEN scenes.paused_at IS NOT NULL THEN (
                      SELECT string_agg(leg.data ->> 'resumes', ',' ORDER BY leg.id) FROM entries AS leg
                       WHERE (leg.campaign_id, leg.scene_id, leg.state) = (scenes.campaign_id, scenes.id, 'paused')
                         AND (leg.seen_by = 'all' OR me.role = 'gm')) END) AS public,
       concat_ws(' ', me.role, me.name, '/', campaigns.title, '/', campaigns.settings ->> 'sealing_shows',
                 me.handed_at, me.quiet_drafts) AS me,
       (SELECT string_agg(waiting.id::text, ',' ORDER BY waiting.id) FROM challenges AS waiting
         WHERE waiting.campaign_id = scenes.campaign_id AND waiting.status = 'open') AS challenges,
       (SELECT string_agg(concat_ws(' ', holder.seat, member.name, member.role, holder.since), ','
                          ORDER BY holder.seat, member.id)
          FROM seat_holders AS holder
          JOIN members AS member ON (member.campaign_id, member.id) = (holder.campaign_id, holder.member_id)
         WHERE holder.campaign_id = scenes.campaign_id AND holder.scene_id = scenes.id) AS holders,
       (SELECT string_agg(concat_ws(' ', other.id, asks.step_key, asks.seat, asks.nudged_at), ','
                          ORDER BY other.id, asks.step_key)
          {WAITING} AND other.id <> scenes.id AND other.paused_at IS NULL) AS elsewhere,
       (SELECT string_agg(other.id::text, ',' ORDER BY other.id) {STOPPED} AND other.id <> scenes.id) AS stops,
       (SELECT json_object_agg(mine.seat, mine.changes ORDER BY mine.seat) FROM seat_holders AS mine
         WHERE mine.campaign_id = scenes.campaign_id AND mine.scene_id = scenes.id AND mine.member_id = :member
       ) AS mine,
       (SELECT json_agg(json_build_array(laid.step_key, laid.seat, laid.revision)
                        ORDER BY laid.step_key, laid.seat, laid.revision)
          FROM seat_holders AS mine
          JOIN steps ON (steps.campaign_id, steps.scene_id) = (mine.campaign_id, mine.scene_id)
          JOIN envelopes AS laid ON (laid.campaign_id, laid.scene_id, laid.step_key, laid.seat)
                                  = (steps.campaign_id, steps.scene_id, steps.key, mine.seat)
         WHERE mine.campaign_id = scenes.campaign_id AND mine.scene_id = scenes.id AND mine.member_id = :member
           AND steps.status = 'open') AS laid,
       CASE WHEN me.role = 'gm' THEN concat_ws('/',
           (SELECT string_agg(concat_ws(' ', guest.slug, guest.name), ',' ORDER BY guest.slug) FROM characters AS guest
             WHERE guest.campaign_id = scenes.campaign_id AND guest.ruleset = scenes.ruleset
               AND guest.retired_at IS NULL AND NOT EXISTS (
                   SELECT 1 FROM claims WHERE claims.campaign_id = guest.campaign_id
                      AND claims.thing = concat('character/', guest.slug))),
           (SELECT string_agg(concat_ws(' ', player.handle, player.name), ',' ORDER BY player.id)
              FROM members AS player
             WHERE player.campaign_id = scenes.campaign_id AND player.role = 'player' AND player.removed_at IS NULL),
           (SELECT string_agg(asking.id::text, ',' ORDER BY asking.id) FROM join_requests AS asking
             WHERE asking.campaign_id = scenes.campaign_id AND asking.status = 'waiting')
       ) END AS gms
"""

_SEALS = """,
       scenes.ruleset, scenes.kind, scenes.status, scenes.stopped, scenes.paused_at IS NOT NULL AS paused,
       scenes.paused_until, me.role,
       campaigns.settings ->> 'sealing_shows' AS shows,
       (SELECT json_agg(json_build_object('seat', seat, 'name', name, 'role', role, 'only_gms', (
               SELECT bool_and(member.role = 'gm') FROM seat_holders AS holder
                 JOIN members AS member ON (member.campaign_id, member.id) = (holder.campaign_id, holder.member_id)
                WHERE (holder.campaign_id, holder.scene_id, holder.seat)
                    = (seats.campaign_id, seats.scene_id, seats.seat))) ORDER BY position) FROM seats
         WHERE seats.campaign_id = scenes.campaign_id AND seats.scene_id = scenes.id) AS seats,
       (SELECT json_agg(json_build_object(
               'key', steps.key, 'spec', steps.spec::text, 'status', steps.status, 'due_at', steps.due_at,
               'left_seconds', steps.left_seconds, 'seconds', steps.seconds, 'held', steps.held, 'quiet', steps.quiet,
               'asks', (SELECT json_object_agg(asks.seat, json_build_array(
                               asks.status, asks.awaited, asks.nudged_at)) FROM asks
                         WHERE (asks.campaign_id, asks.scene_id, asks.step_key)
                             = (steps.campaign_id, steps.scene_id, steps.key)),
               'seals', (SELECT json_object_agg(newest.seat, encode(newest.wax, 'hex')) FROM (
                         SELECT DISTINCT ON (laid.seat) laid.seat, laid.wax, laid.ready FROM envelopes AS laid
                          WHERE (laid.campaign_id, laid.scene_id, laid.step_key)
                              = (steps.campaign_id, steps.scene_id, steps.key)
                          ORDER BY laid.seat, laid.revision DESC) AS newest WHERE newest.ready)
               ) ORDER BY steps.position)
          FROM steps WHERE steps.campaign_id = scenes.campaign_id AND steps.scene_id = scenes.id
           AND steps.status IN ('open', 'stuck')) AS steps
"""

_FOR_READER = """
  FROM scenes
  JOIN campaigns ON campaigns.id = scenes.campaign_id
  JOIN members AS me ON me.campaign_id = scenes.campaign_id
  JOIN sessions ON (sessions.campaign_id, sessions.member_id) = (me.campaign_id, me.id)
 WHERE scenes.campaign_id = :campaign AND scenes.id = :scene AND me.id = :member AND me.removed_at IS NULL
   AND sessions.id = :device AND sessions.revoked_at IS NULL AND sessions.seen_at > now() - :seen_within
"""

_VERSION = text(f"SELECT {_COLUMNS}{_FOR_READER}")
_VERSION_AND_SEALS = text(f"SELECT {_COLUMNS}{_SEALS}{_FOR_READER}")

OwnRevisions = tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class Reader:
    """A member who looks at a scene in one of their browsers."""

    campaign: uuid.UUID
    member: uuid.UUID
    device: uuid.UUID
    scene: uuid.UUID


@dataclass(frozen=True, slots=True)
class SceneVersion(PageVersion):
    """Equal `rest` and `laid`: the same page but for the seals of others."""

    rest: tuple[str | None, ...]
    laid: OwnRevisions  # step, seat and revision of each envelope in an open step, of the reader's own seats
    row: Any = field(repr=False, compare=False)  # what app/table/open_steps.py reads, if it was asked for

    @property
    def stops_elsewhere(self) -> int:
        """How many other scenes the X-card has stopped."""
        return len(self.row.stops.split(",")) if self.row.stops else 0

    def without(self, laid: tuple[str, str, int]) -> "SceneVersion":
        """Returns the version before the reader laid this envelope."""
        return replace(self, laid=tuple(one for one in self.laid if one != laid))

    def mark(self, vault: Vault, reader: Reader) -> str:
        """Returns a text that stands for `rest` and `laid` and tells nothing of them."""
        place = [str(one) for one in (reader.campaign, reader.scene, reader.member, reader.device)]
        what = json.dumps([place, self.rest, self.laid]).encode()
        return hmac.digest(vault.keys[0], b"signet-shown-1\n" + what, "sha256").hex()


async def version(session: AsyncSession, reader: Reader) -> SceneVersion | None:
    """Returns the version of the scene's page for this reader.

    Returns None where the page needs more than a cache: no such scene, a step whose time is up, a browser that is
    signed out, or one whose last use has to be recorded again.
    """
    return await _read(session, reader, _VERSION)


async def version_and_seals(session: AsyncSession, reader: Reader) -> SceneVersion | None:
    """Like `version`, with what app/table/open_steps.py reads."""
    return await _read(session, reader, _VERSION_AND_SEALS)


async def _read(session: AsyncSession, reader: Reader, statement: Any) -> SceneVersion | None:
    asked = {"campaign": reader.campaign, "scene": reader.scene, "member": reader.member, "device": reader.device}
    spans = {"seen_within": SEEN_EVERY, "players_wait": PLAYERS_WAIT}
    row = (await session.execute(statement, {**asked, **spans})).one_or_none()
    if row is None or row.due:
        return None
    laid: OwnRevisions = tuple((step, seat, revision) for step, seat, revision in row.laid or ())
    common = (row.public, row.me, row.challenges, row.elsewhere, row.stops, row.holders, json.dumps(row.mine))
    what = (str(row.changes), *common, json.dumps(laid))
    return SceneVersion(row.now, what, (str(row.changes - row.seals), *common, row.gms), laid, row)
