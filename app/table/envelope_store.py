"""Stores envelopes: one query reads all that laying one needs, another writes all that it changes.

The scene's row must be locked. Plain SQL, because all players seal at the same moment, just before the reveal: with a
query for each question, most of a seal's time was spent on queries.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import inspect, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.models.scenes import Envelope
from app.table.loaded_scene import LoadedScene

_LOOK = text(
    """
    SELECT step.spec, step.status, step.due_at, step.held,
           holder.member_id IS NOT NULL AS holds, asks.statuses, asks.excused,
           newest.revision, newest.ready, newest.wax AS commitment, newest.box, newest.opened, newest.written_at,
           newest.salted_by, newest.author_id,
           press.step_key AS press_step, press.seat AS press_seat, press.revision AS press_revision,
           press.wax AS press_commitment, press.ready AS press_ready, press.order_no AS press_order,
           press.status AS press_status,
           (SELECT settings ->> 'sealing_shows' FROM campaigns WHERE id = :campaign) AS shows
      FROM (SELECT 1) AS one
      LEFT JOIN steps AS step
        ON step.campaign_id = :campaign AND step.scene_id = :scene AND step.key = :step
      LEFT JOIN seat_holders AS holder
        ON holder.campaign_id = :campaign AND holder.scene_id = :scene AND holder.seat = :seat
       AND holder.member_id = :member
      LEFT JOIN LATERAL (
           SELECT jsonb_object_agg(ask.seat, ask.status) AS statuses,
                  array_agg(ask.seat) FILTER (WHERE ask.excused) AS excused
             FROM asks AS ask
            WHERE ask.campaign_id = :campaign AND ask.scene_id = :scene AND ask.step_key = :step) AS asks ON true
      LEFT JOIN LATERAL (
           SELECT * FROM envelopes AS e
            WHERE e.campaign_id = :campaign AND e.scene_id = :scene AND e.step_key = :step AND e.seat = :seat
            ORDER BY e.revision DESC LIMIT 1) AS newest ON true
      LEFT JOIN LATERAL (
           SELECT e.*, s.status FROM envelopes AS e
             JOIN steps AS s ON s.campaign_id = e.campaign_id AND s.scene_id = e.scene_id AND s.key = e.step_key
            WHERE e.campaign_id = :campaign AND e.scene_id = :scene AND e.request_id = :request
              AND e.author_id = :member) AS press ON true
    """
)

_PUT = text(
    """
    WITH emptied AS (
         UPDATE envelopes SET box = NULL
          WHERE campaign_id = :campaign_id AND scene_id = :scene_id AND step_key = :step_key AND seat = :seat
            AND revision = :revision - 1),
         asked AS (
         UPDATE asks SET status = :status
          WHERE campaign_id = :campaign_id AND scene_id = :scene_id AND step_key = :step_key AND seat = :seat
            AND status <> :status)
    INSERT INTO envelopes (campaign_id, scene_id, step_key, seat, revision, author_id, request_id, ready, use_draft,
                           order_no, salted_by, wax, box, written_at)
    VALUES (:campaign_id, :scene_id, :step_key, :seat, :revision, :author_id, :request_id, :ready, :use_draft,
            :order_no, :salted_by, :commitment, :box, coalesce(CAST(:written_at AS timestamptz), clock_timestamp()))
    """
)


@dataclass(frozen=True, slots=True)
class StoredEnvelope:
    """The stored data on one seat in one step, before a new envelope is laid."""

    spec: dict[str, Any] | None  # of the step, if there is one of that key
    status: str
    due_at: datetime | None
    held: bool  # it opens only at the GM's word
    holds: bool  # the member holds the seat
    asks: Mapping[str, str]  # seat -> status
    excused: frozenset[str]  # of these seats, those that the GM goes on without
    before: Envelope | None  # the newest revision
    press: Envelope | None  # laid by the same press of the button, if it has arrived before
    press_status: str  # of the step that it was laid in
    shows: str | None  # the campaign's setting `sealing_shows`


async def load(
    session: AsyncSession, live: LoadedScene, member: uuid.UUID, step_key: str, seat: str, request_id: uuid.UUID
) -> StoredEnvelope:
    """Returns all data that decide whether this member may lay an envelope for this seat in this step."""
    asked = {"campaign": live.campaign, "scene": live.id, "step": step_key, "seat": seat, "member": member}
    row = (await session.execute(_LOOK, {**asked, "request": request_id})).one()
    place = {"campaign_id": live.campaign, "scene_id": live.id, "step_key": step_key, "seat": seat}
    before = press = None
    if row.revision is not None:
        names = ("revision", "ready", "commitment", "box", "opened", "written_at", "salted_by", "author_id")
        before = Envelope(**place, **{name: getattr(row, name) for name in names})
    if row.press_step is not None:
        press = Envelope(
            step_key=row.press_step,
            seat=row.press_seat,
            revision=row.press_revision,
            commitment=row.press_commitment,
            ready=row.press_ready,
            order_no=row.press_order,
        )
    return StoredEnvelope(
        spec=row.spec,
        status=row.status or "",
        due_at=row.due_at,
        held=bool(row.held),
        holds=row.holds,
        asks=row.statuses or {},
        excused=frozenset(row.excused or ()),
        before=before,
        press=press,
        press_status=row.press_status or "",
        shows=row.shows,
    )


async def save(session: AsyncSession, envelope: Envelope, status: str) -> None:
    """Stores an envelope, empties the box of the one before, and sets the ask's status."""
    names = [one.key for one in inspect(Envelope).column_attrs if one.key not in ("opened", "laid_at")]
    await session.execute(_PUT, {**{name: getattr(envelope, name) for name in names}, "status": status})
