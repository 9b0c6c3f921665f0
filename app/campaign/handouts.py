"""Texts and pictures that GMs hand out: to everyone, those who join later included, or to single members.

Before that only GMs know of them, so title, text and picture are encrypted. What was handed out can be taken back.
"""

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, delete, func, or_, select, update
from sqlalchemy import exists as sql_exists
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from app.campaign import seats
from app.campaign.pictures import Picture
from app.crypto.vault import Vault
from app.errors import Conflict, NotThere, NotYours, Refusal
from app.models.base import new_id
from app.models.people import Handout, HandoutReader, Member, Role

MOST = 200
"""The most handouts of a campaign; with pictures of half a megabyte that is a hundred megabytes."""


@dataclass(frozen=True, slots=True)
class Page:
    """A handout as a member may read it; `everyone_at` and `readers` are for GMs, and empty for others."""

    id: uuid.UUID
    title: str
    text: str
    version: int
    width: int | None
    height: int | None
    everyone_at: datetime | None = None
    readers: frozenset[uuid.UUID] = frozenset()

    @property
    def pictured(self) -> bool:
        return self.width is not None


async def all_known(session: AsyncSession, vault: Vault, reader: Member) -> list[Page]:
    """Returns what this member has been handed, the newest first; for GMs all handouts."""
    rows = (await session.scalars(_without_pictures(reader).order_by(Handout.id.desc()))).all()
    given = await _readers(session, reader)
    return [_page(vault, reader, row, given.get(row.id, frozenset())) for row in rows]


async def find(session: AsyncSession, vault: Vault, reader: Member, handout: uuid.UUID) -> Page:
    """Returns a handout that this member may read. Raises NotThere for all others, as if they did not exist."""
    row = await session.scalar(_without_pictures(reader).where(Handout.id == handout))
    if row is None:
        raise NotThere("There is no such handout, or it has been taken back.")
    return _page(vault, reader, row, (await _readers(session, reader)).get(row.id, frozenset()))


async def exists(session: AsyncSession, reader: Member, handout: uuid.UUID) -> None:
    """Raises NotThere like `find`."""
    if await session.scalar(select(Handout.id).where(*_known(reader), Handout.id == handout)) is None:
        raise NotThere("There is no such handout, or it has been taken back.")


async def picture(session: AsyncSession, vault: Vault, reader: Member, handout: uuid.UUID) -> bytes:
    """Returns the WebP picture of a handout that this member may read. Raises NotThere like `find`."""
    row = await session.scalar(select(Handout).where(*_known(reader), Handout.id == handout))
    if row is None or row.picture is None:
        raise NotThere("There is no such picture, or it has been taken back.")
    return vault.decrypt(row.picture, _picture_place(row.campaign_id, row.id))


async def add(
    session: AsyncSession, vault: Vault, by: Member, title: str, text: str, made: Picture | None
) -> uuid.UUID:
    """Adds a handout that nobody but GMs knows of; returns its id."""
    _gm(by)
    await seats.hold(session, by.campaign_id)
    count = await session.scalar(select(func.count()).select_from(Handout).where(Handout.campaign_id == by.campaign_id))
    if (count or 0) >= MOST:
        raise Conflict(f"This campaign has {MOST} handouts, the most there can be.", "Remove one that is not needed.")
    handout = new_id()
    row = Handout(campaign_id=by.campaign_id, id=handout, box=_box(vault, by.campaign_id, handout, title, text))
    _put(vault, row, made)
    session.add(row)
    await session.flush()
    return handout


async def change(
    session: AsyncSession,
    vault: Vault,
    by: Member,
    handout: uuid.UUID,
    seen: int,
    title: str,
    text: str,
    made: Picture | None,
    *,
    no_picture: bool = False,
) -> None:
    """Changes a handout, for those who have it too; `made` replaces its picture, `no_picture` removes it.

    Raises Conflict where it changed since version `seen`.
    """
    row = await _held(session, by, handout)
    if row.version != seen:
        raise Conflict(
            "Someone changed this handout after you opened this page.",
            "What you typed is still here; the saved handout is below.",
        )
    row.box = _box(vault, row.campaign_id, row.id, title, text)
    row.version = seen + 1
    if made is not None or no_picture:
        _put(vault, row, made)
    await session.flush()


async def give(session: AsyncSession, by: Member, handout: uuid.UUID, to: Member | None) -> bool:
    """Hands it out to a member; None: to everyone, those who join later included. Returns False where they have it
    already: then nothing changes."""
    row = await _held(session, by, handout)
    whom = [Member.campaign_id == row.campaign_id, Member.role != Role.GM]
    if to is None:
        if row.everyone_at is not None:
            return False
        row.everyone_at = func.now()
    elif to.role == Role.GM:
        raise Refusal("GMs can read every handout.", field="to")
    else:
        key = {"campaign_id": row.campaign_id, "handout_id": row.id, "member_id": to.id}
        given = insert(HandoutReader).values(**key).on_conflict_do_nothing().returning(HandoutReader.member_id)
        if await session.scalar(given) is None:
            return False
        whom.append(Member.id == to.id)
    await session.execute(update(Member).where(*whom).values(handed_at=func.now()))
    await session.flush()
    return True


async def looked_at(session: AsyncSession, reader: Member) -> None:
    """Notes that a member has looked at their handouts; those given later count as new."""
    mine = Member.campaign_id == reader.campaign_id, Member.id == reader.id, Member.handed_at == reader.handed_at
    await session.execute(update(Member).where(*mine).values(handed_at=None))


async def take_back(session: AsyncSession, by: Member, handout: uuid.UUID, whose: Member | None) -> None:
    """Takes it back from a member; None: from everyone."""
    row = await _held(session, by, handout)
    mine = [HandoutReader.campaign_id == row.campaign_id, HandoutReader.handout_id == row.id]
    if whose is None:
        row.everyone_at = None
    else:
        mine.append(HandoutReader.member_id == whose.id)
    await session.execute(delete(HandoutReader).where(*mine))
    await session.flush()


async def remove(session: AsyncSession, by: Member, handout: uuid.UUID) -> None:
    """Removes it for everyone."""
    row = await _held(session, by, handout)
    await session.delete(row)
    await session.flush()


def _known(reader: Member) -> Sequence[ColumnElement[bool]]:
    here = Handout.campaign_id == reader.campaign_id
    if reader.role == Role.GM:
        return (here,)
    given = sql_exists().where(
        HandoutReader.campaign_id == Handout.campaign_id,
        HandoutReader.handout_id == Handout.id,
        HandoutReader.member_id == reader.id,
    )
    return here, or_(Handout.everyone_at.is_not(None), given)


def _without_pictures(reader: Member) -> Select[Handout]:
    query = select(Handout).where(*_known(reader)).options(defer(Handout.picture))
    return query.execution_options(populate_existing=True)


async def _readers(session: AsyncSession, reader: Member) -> dict[uuid.UUID, frozenset[uuid.UUID]]:
    """The members who were given each handout; nobody but GMs learns it."""
    if reader.role != Role.GM:
        return {}
    rows = await session.execute(
        select(HandoutReader.handout_id, HandoutReader.member_id).where(HandoutReader.campaign_id == reader.campaign_id)
    )
    found: dict[uuid.UUID, frozenset[uuid.UUID]] = {}
    for handout, member in rows:
        found[handout] = found.get(handout, frozenset()) | {member}
    return found


def _page(vault: Vault, reader: Member, row: Handout, readers: frozenset[uuid.UUID]) -> Page:
    said = json.loads(vault.decrypt(row.box, _place(row.campaign_id, row.id)))
    everyone = row.everyone_at if reader.role == Role.GM else None
    return Page(row.id, said["title"], said["text"], row.version, row.width, row.height, everyone, readers)


async def _held(session: AsyncSession, by: Member, handout: uuid.UUID) -> Handout:
    """The handout, under the campaign's lock: changes of handouts run one after the other."""
    _gm(by)
    await seats.hold(session, by.campaign_id)
    query = _without_pictures(by).where(Handout.id == handout)
    row = await session.scalar(query)
    if row is None:
        raise NotThere("There is no such handout. Another GM may have removed it.")
    return row


def _put(vault: Vault, row: Handout, made: Picture | None) -> None:
    row.picture = None if made is None else vault.encrypt(made.body, _picture_place(row.campaign_id, row.id))
    row.width, row.height = (None, None) if made is None else (made.width, made.height)


def _box(vault: Vault, campaign: uuid.UUID, handout: uuid.UUID, title: str, text: str) -> bytes:
    said = json.dumps({"title": title, "text": text}, ensure_ascii=False)
    return vault.encrypt(said.encode(), _place(campaign, handout))


def _place(campaign: uuid.UUID, handout: uuid.UUID) -> str:
    return f"{campaign}/handout/{handout}"


def _picture_place(campaign: uuid.UUID, handout: uuid.UUID) -> str:
    return f"{campaign}/handout/{handout}/picture"


def _gm(member: Member) -> None:
    if member.role != Role.GM:
        raise NotYours("Only GMs hand things out.")
