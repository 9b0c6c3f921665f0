"""The panel of notes on the GM's desk: all notes with a search, and one of them open to be edited."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import notes
from app.errors import NotThere
from app.web.desk.address import words
from app.web.forms.reading import Form, TypedPairs
from app.web.http.seat_session import SeatSession


@dataclass(frozen=True, slots=True)
class Open:
    """The notes that are open on the page."""

    topic: str
    title: str
    page: notes.Page


@dataclass(frozen=True, slots=True)
class Notebook:
    """The panel: what was searched for, what there is of it, and the notes that are open, if any."""

    find: str
    found: int
    listed: list[notes.NoteLine]  # what was found, and the open notes
    open: Open | None
    missing: bool  # the address asks for notes that there are not


async def panel(session: AsyncSession, seated: SeatSession, asked: TypedPairs, noting: Form[Any]) -> dict[str, Any]:
    """The names of the template: `notebook`. Without a search, the campaign's notes are open."""
    asked = noting.typed if noting.faults else asked
    find = words(asked, "find")
    topic = asked.get("note") if "note" in asked else None if find else ""
    opened = missing = None
    if topic is not None:
        try:
            opened = await _open(session, seated, topic)
        except NotThere:
            missing = True
            opened = await _open(session, seated, "") if noting.faults else None  # nothing typed is lost
    listed = await notes.all_notes(session, seated.member, find)
    found = len(listed)
    if opened is not None and all(one.topic != opened.topic for one in listed):
        listed = [await _line(session, seated, opened), *listed]
    return {"notebook": Notebook(find, found, listed, opened, bool(missing))}


async def _open(session: AsyncSession, seated: SeatSession, topic: str) -> Open:
    title = await notes.title(session, seated.member, topic)
    return Open(topic, title, await notes.read(session, seated.campaign.id, seated.member, topic))


async def _line(session: AsyncSession, seated: SeatSession, opened: Open) -> notes.NoteLine:
    """The line of open notes that are not in the list: the search leaves them out, or nothing is written yet."""
    everything = await notes.all_notes(session, seated.member)
    of: notes.Of = "character" if opened.topic.startswith("character/") else "over"
    without = notes.NoteLine(opened.topic, of, opened.title, (), None)
    return next((one for one in everything if one.topic == opened.topic), without)
