"""The GMs' private notes: one page per topic, seen by GMs only."""

import uuid
from dataclasses import dataclass

from sqlalchemy import func
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import Conflict, NotYours
from app.models.people import Member, Note, Role


@dataclass(frozen=True, slots=True)
class Page:
    """A page of notes; `version` 0: never written."""

    body: str
    version: int


async def read(session: AsyncSession, campaign_id: uuid.UUID, by: Member, topic: str = "") -> Page:
    """Returns a topic's page; "" is the whole campaign, "scene/<id>" one scene. Raises NotYours unless for a GM."""
    _gm(by)
    note = await session.get(Note, (campaign_id, topic), populate_existing=True)
    return Page("", 0) if note is None else Page(note.body, note.version)


async def write(
    session: AsyncSession, campaign_id: uuid.UUID, by: Member, body: str, seen: int, topic: str = ""
) -> Page:
    """Replaces a page. Raises Conflict where it changed since version `seen`, and NotYours unless for a GM."""
    _gm(by)
    fresh = insert(Note).values(campaign_id=campaign_id, topic=topic, body=body, version=1, changed_by=by.id)
    written = await session.scalar(
        fresh.on_conflict_do_update(
            index_elements=[Note.campaign_id, Note.topic],
            set_={"body": body, "version": seen + 1, "changed_by": by.id, "changed_at": func.now()},
            where=Note.version == seen,
        ).returning(Note.version)
        if seen > 0
        else fresh.on_conflict_do_nothing().returning(Note.version)
    )
    if written is None:
        raise Conflict(
            "Someone changed these notes after you opened this page.",
            "What you typed is still here; the saved notes are below.",
        )
    return Page(body, written)


def _gm(member: Member) -> None:
    if member.role != Role.GM:
        raise NotYours("Only GMs can read these notes.")
