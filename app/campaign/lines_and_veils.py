"""Lines and veils: topics that a campaign never shows, keeps off-screen, or asks about first. All members edit them.

A bound stores no author and no time, its id contains no time, and bounds are listed alphabetically: neither place nor
time in the list gives away a member who adds one without a name.
"""

import uuid
from collections.abc import Sequence
from typing import Literal

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import Conflict, NotThere
from app.models.people import Bound

Kind = Literal["line", "veil", "ask"]
MOST = 300
LISTS: dict[str, str] = {"line": "Lines", "veil": "Veils", "ask": "Ask first"}


async def bounds(session: AsyncSession, campaign_id: uuid.UUID) -> Sequence[Bound]:
    """Returns all bounds alphabetically, with removed ones (`gone`), so that no removal goes unnoticed."""
    rows = await session.scalars(select(Bound).where(Bound.campaign_id == campaign_id))
    return sorted(rows, key=lambda bound: (bound.text.casefold(), bound.text))


async def get_bound(session: AsyncSession, campaign_id: uuid.UUID, bound_id: uuid.UUID) -> Bound:
    """Returns a bound; raises NotThere where this campaign has none of that id."""
    found = await session.get(Bound, (campaign_id, bound_id))
    if found is None:
        raise NotThere("There is no such entry.", "The page shows the current list.")
    return found


async def add(session: AsyncSession, campaign_id: uuid.UUID, kind: Kind, text: str, said_by: str = "") -> None:
    """Adds a bound, or restores a removed one; `said_by` "" leaves it without a name. Does nothing if it is on the list
    already; raises Conflict where it is on another list, or there are too many."""
    rows = await bounds(session, campaign_id)
    known = next((bound for bound in rows if bound.text.casefold() == text.casefold()), None)
    if known is not None:
        if not known.gone and known.kind != kind:
            raise Conflict(f"“{known.text}” is already under {LISTS[known.kind]}. Move it from there.", field="text")
        if known.gone:  # restored with the new name, since the old one may be another member's
            known.gone, known.kind, known.said_by, known.version = False, kind, said_by, known.version + 1
            await session.flush()
        return
    if len(rows) >= MOST:
        raise Conflict(f"There are already {MOST} entries. Change one of them.", field="text")
    fresh = insert(Bound).values(campaign_id=campaign_id, id=uuid.uuid4(), kind=kind, text=text, said_by=said_by)
    await session.execute(fresh.on_conflict_do_nothing())


async def change(
    session: AsyncSession, campaign_id: uuid.UUID, bound_id: uuid.UUID, seen: int, kind: Kind, text: str, *, gone: bool
) -> None:
    """Rewords, moves, removes or restores a bound. Raises Conflict where it changed since version `seen`.

    New words have no author: the name attached to the old words is removed with them.
    """
    was = await get_bound(session, campaign_id, bound_id)
    others = [bound for bound in await bounds(session, campaign_id) if bound.id != bound_id]
    if any(bound.text.casefold() == text.casefold() for bound in others):
        raise Conflict(f"“{text}” is already on this list.", field="text")
    said_by = was.said_by if was.text == text else ""
    changed = await session.scalar(
        update(Bound)
        .where(Bound.campaign_id == campaign_id, Bound.id == bound_id, Bound.version == seen)
        .values(kind=kind, text=text, gone=gone, said_by=said_by, version=Bound.version + 1)
        .returning(Bound.version)
        .execution_options(synchronize_session=False)
    )
    if changed is None:
        raise Conflict("Someone changed this after you opened the page.", "Your words are still here.", field="text")
