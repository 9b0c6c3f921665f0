"""The ending of a scene: its changes of sheets, and what comes next."""

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import character_visibility, lifecycle
from app.play import next_up
from app.table.reading import SceneSight
from app.web.characters.changes import change_lines
from app.web.characters.history import calendar
from app.web.forms.schema import SheetForm
from app.web.http.seat_session import SeatSession


@dataclass(frozen=True, slots=True)
class WrittenSheet:
    """A sheet that the scene changed, with its changes in words."""

    slug: str
    name: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """The ending as one member may know it."""

    written: tuple[WrittenSheet, ...]
    known: frozenset[str]  # slugs of all characters with a page that the member may open
    next: next_up.Proposal | None  # by the campaign's calendar, if it has one
    wait_until: str = ""  # the day of the next scene, if it has not come yet


async def read_ending(session: AsyncSession, seated: SeatSession, seen: SceneSight) -> Ending | None:
    """Returns the ending of a scene, or None while it is open."""
    if seen.status == "open":
        return None
    known = await character_visibility.known_characters(session, seated.member)
    changes = await lifecycle.written_by(session, seen.id, known, seated.member)
    form = SheetForm(seen.ruleset.character) if changes else None
    written = [
        WrittenSheet(one.slug, one.name, tuple(it.in_words for it in change_lines(form, changes[one.id])))
        for one in known
        if form is not None and one.id in changes
    ]
    book = await calendar(session, seated.campaign.id)
    coming = await next_up.proposed(session, seated.campaign.id, seated.member) if book is not None else None
    late = book.count.said(coming.day) if book is not None and coming is not None and coming.day > book.today else ""
    return Ending(tuple(one for one in written if one.changes), frozenset(one.slug for one in known), coming, late)
