"""Prepared scenes: forms for a new scene that GMs keep for later, as they were typed; only GMs read them.

They are encrypted like all that players must not read before a scene begins. What a form means, and whether it still
fits, is checked when it is opened (app/web/scene/new.py).
"""

import json
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.crypto.vault import Vault
from app.db.lock_order import lock_row
from app.errors import Conflict, NotThere, NotYours
from app.models.base import new_id
from app.models.people import Member, PreparedScene, Role

Pairs = tuple[tuple[str, str], ...]
"""The names and texts of a form, in order."""

MOST = 500
NOT_KEPT = frozenset({"held", "entry", "entry_version", "prepared", "prepared_version"})
"""Fields that belong to one opening or to one page."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A prepared scene; `opened_as` is the scene that it has become."""

    id: uuid.UUID
    version: int
    pairs: Pairs
    removed: bool
    opened_as: uuid.UUID | None
    changed_at: datetime


def without_buttons(pairs: Iterable[tuple[str, str]]) -> Pairs:
    """Returns what is stored of a form: what was typed, without buttons and what belongs to the page."""
    return tuple((name, text) for name, text in pairs if not name.startswith("_") and name not in NOT_KEPT)


async def add(
    session: AsyncSession, vault: Vault, by: Member, pairs: Pairs, prepared_id: uuid.UUID | None = None
) -> uuid.UUID:
    """Stores a form and returns its id; the same form sent twice with the same `prepared_id` counts once. Raises
    Conflict for the 501st, and NotYours unless for a GM."""
    _gm(by)
    there = await session.scalar(
        select(func.count())
        .select_from(PreparedScene)
        .where(PreparedScene.campaign_id == by.campaign_id, PreparedScene.opened_as.is_(None))
    )
    if (there or 0) >= MOST:
        raise Conflict(f"There are {MOST} prepared scenes already.", "Open or change one of them.")
    key = prepared_id or new_id()
    if await _added(session, vault, by, key, pairs) or (await find(session, vault, by, key)).pairs == pairs:
        return key
    key = new_id()  # typed over after going back in the browser: another one
    await _added(session, vault, by, key, pairs)
    return key


async def _added(session: AsyncSession, vault: Vault, by: Member, key: uuid.UUID, pairs: Pairs) -> bool:
    made = insert(PreparedScene).values(campaign_id=by.campaign_id, id=key, box=_box(vault, by.campaign_id, key, pairs))
    return await session.scalar(made.on_conflict_do_nothing().returning(PreparedScene.id)) is not None


async def change(
    session: AsyncSession, vault: Vault, by: Member, prepared_id: uuid.UUID, pairs: Pairs, seen: int
) -> None:
    """Replaces a stored form. Raises Conflict where it is opened, or where it changed since version `seen`."""
    row = await _lock(session, by, prepared_id)
    if row.opened_as is not None:
        raise Conflict("This scene has been opened in the meantime.", "What you typed is still here.")
    if row.version != seen:
        raise Conflict(
            "Someone changed this prepared scene after you opened this page.",
            "What you typed is still here. Compare it with the saved one, then save again.",
        )
    row.box, row.version = _box(vault, by.campaign_id, row.id, pairs), row.version + 1
    row.changed_at = func.now()
    await session.flush()


async def find(session: AsyncSession, vault: Vault, by: Member, prepared_id: uuid.UUID) -> Prepared:
    """Returns a prepared scene, an opened one too. Raises NotThere, and NotYours unless for a GM."""
    _gm(by)
    row = await session.get(PreparedScene, (by.campaign_id, prepared_id), populate_existing=True)
    if row is None:
        raise NotThere("There is no such prepared scene.")
    return _read(vault, row)


async def hold(session: AsyncSession, vault: Vault, by: Member, prepared_id: uuid.UUID) -> Prepared:
    """Like `find`, and locks the row: whoever opens it at the same moment waits, and finds it opened."""
    return _read(vault, await _lock(session, by, prepared_id))


async def opened(session: AsyncSession, by: Member, prepared_id: uuid.UUID, scene: uuid.UUID) -> None:
    """Notes the scene that a prepared one, held by this transaction, has become."""
    (await _lock(session, by, prepared_id)).opened_as = scene
    await session.flush()


async def unopened(session: AsyncSession, vault: Vault, by: Member) -> list[Prepared]:
    """Returns the prepared scenes that are not opened yet, in the order in which they were made, removed ones too.
    Raises NotYours unless for a GM."""
    _gm(by)
    rows = await session.scalars(
        select(PreparedScene)
        .where(PreparedScene.campaign_id == by.campaign_id, PreparedScene.opened_as.is_(None))
        .order_by(PreparedScene.made_at, PreparedScene.id)
    )
    return [_read(vault, row) for row in rows]


async def copy(session: AsyncSession, vault: Vault, by: Member, prepared_id: uuid.UUID) -> uuid.UUID:
    """Stores a second one like it, titled as a copy, and returns its id; an opened one can be copied too."""
    one = await find(session, vault, by, prepared_id)
    titled = tuple((name, f"{text[:112]} (copy)" if name == "title" and text else text) for name, text in one.pairs)
    return await add(session, vault, by, titled)


async def remove(session: AsyncSession, by: Member, prepared_id: uuid.UUID, *, removed: bool = True) -> None:
    """Takes a prepared scene off the list, or puts it back."""
    (await _lock(session, by, prepared_id)).removed = removed
    await session.flush()


async def _lock(session: AsyncSession, by: Member, prepared_id: uuid.UUID) -> PreparedScene:
    _gm(by)
    row = await lock_row(session, PreparedScene, (by.campaign_id, prepared_id))
    if row is None:
        raise NotThere("There is no such prepared scene.")
    return row


def _box(vault: Vault, campaign_id: uuid.UUID, prepared_id: uuid.UUID, pairs: Pairs) -> bytes:
    said = json.dumps({"pairs": pairs}, ensure_ascii=False)
    return vault.encrypt(said.encode(), _place(campaign_id, prepared_id))


def _read(vault: Vault, row: PreparedScene) -> Prepared:
    said = json.loads(vault.decrypt(row.box, _place(row.campaign_id, row.id)))
    pairs = tuple((str(name), str(text)) for name, text in said["pairs"])
    return Prepared(row.id, row.version, pairs, row.removed, row.opened_as, row.changed_at)


def _place(campaign_id: uuid.UUID, prepared_id: uuid.UUID) -> str:
    return f"{campaign_id}/prepared/{prepared_id}"


def _gm(member: Member) -> None:
    if member.role != Role.GM:
        raise NotYours("Only GMs can prepare scenes.")
