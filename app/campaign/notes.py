"""The GMs' private notes: one page per topic, seen by GMs only.

A topic is "" for the whole campaign, "scene/<id>" or "character/<slug>".
"""

import re
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import finding
from app.campaign.finding import MarkedText
from app.errors import Conflict, NotThere, NotYours
from app.models.people import Character, Member, Note, Role
from app.models.scenes import Scene

Of = Literal["campaign", "open", "character", "over", "gone"]
"""What notes are about: the campaign, an open scene, a character, a scene that is over, or something deleted."""

TOPIC = re.compile(r"|scene/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|character/[a-z0-9-]{1,40}", re.ASCII)
FIRST = 200  # letters of a note that a list needs


@dataclass(frozen=True, slots=True)
class Page:
    """A page of notes; `version` 0: never written."""

    body: str
    version: int


@dataclass(frozen=True, slots=True)
class NoteLine:
    """One line in the list of all notes; `title` "" for the campaign's, and for those of something deleted."""

    topic: str
    of: Of
    title: str
    pieces: tuple[MarkedText, ...]  # the first line, or what was found with the words around it
    changed_at: datetime | None  # None: nothing is written yet


class Place(NamedTuple):
    """What has notes, or could have."""

    topic: str
    of: Of
    name: str


async def read(session: AsyncSession, campaign_id: uuid.UUID, by: Member, topic: str = "") -> Page:
    """Returns a topic's page. Raises NotYours unless for a GM."""
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


async def title(session: AsyncSession, by: Member, topic: str) -> str:
    """Returns what a topic is called; "" for the campaign, and for something deleted that has notes. Raises NotThere
    for any other text, and NotYours unless for a GM."""
    _gm(by)
    if TOPIC.fullmatch(topic) is None:
        raise NotThere("There are no such notes.")
    kind, _, name = topic.partition("/")
    found = ""
    if kind == "scene":
        found = await session.scalar(
            select(Scene.title).where(Scene.campaign_id == by.campaign_id, Scene.id == uuid.UUID(name))
        )
    elif kind == "character":
        found = await session.scalar(
            select(Character.name).where(Character.campaign_id == by.campaign_id, Character.slug == name)
        )
    if found is None and await session.get(Note, (by.campaign_id, topic)) is None:
        raise NotThere("There are no such notes.")
    return found or ""


async def all_notes(session: AsyncSession, by: Member, find: str = "") -> list[NoteLine]:
    """Returns all notes of the campaign, or those in which all words of a search are, in the notes or in the name.

    The campaign's come first and then all open scenes, with notes or without; then characters by name, scenes that are
    over, the latest first, and what is left of things deleted. Raises NotYours unless for a GM.
    """
    _gm(by)
    wanted = finding.words(find)
    body = Note.body if wanted else func.left(Note.body, FIRST)
    rows = await session.execute(
        select(Note.topic, body, Note.changed_at).where(Note.campaign_id == by.campaign_id, Note.body != "")
    )
    written = {topic: (text, at) for topic, text, at in rows}
    places = await _places(session, by.campaign_id, written)
    known = {topic for topic, _, _ in places}
    places += [Place(topic, "gone", "") for topic in sorted(written) if topic not in known]
    found = []
    for topic, of, name in places:
        text, at = written.get(topic, ("", None))
        if finding.has(wanted, text, name):
            found.append(NoteLine(topic, of, name, _line(text, wanted), at))
    return found


async def _places(session: AsyncSession, campaign_id: uuid.UUID, written: Collection[str]) -> list[Place]:
    """Returns what has notes, and of all open scenes, in the list's order."""
    scenes = (
        await session.execute(
            select(Scene.id, Scene.title, Scene.status).where(Scene.campaign_id == campaign_id).order_by(Scene.id)
        )
    ).all()
    slugs = [topic.removeprefix("character/") for topic in written if topic.startswith("character/")]
    people = await session.execute(
        select(Character.slug, Character.name)
        .where(Character.campaign_id == campaign_id, Character.slug.in_(slugs))
        .order_by(func.lower(Character.name), Character.id)
    )
    found = [Place("", "campaign", "")]
    found += [Place(f"scene/{key}", "open", name) for key, name, status in scenes if status == "open"]
    found += [Place(f"character/{slug}", "character", name) for slug, name in people]
    over = [Place(f"scene/{key}", "over", name) for key, name, status in reversed(scenes) if status != "open"]
    return found + [one for one in over if one.topic in written]


def _line(text: str, wanted: tuple[str, ...]) -> tuple[MarkedText, ...]:
    if any(finding.has((word,), text) for word in wanted):
        return finding.excerpt(text, wanted)
    first = text.strip().partition("\n")[0]
    return (MarkedText(first if len(first) <= 80 else f"{first[:79]}…"),) if first else ()


def _gm(member: Member) -> None:
    if member.role != Role.GM:
        raise NotYours("Only GMs can read these notes.")
