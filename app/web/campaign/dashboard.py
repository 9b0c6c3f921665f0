"""The current state on the home page: the date, the next meeting, scenes to come, and the condition of characters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import entries, rsvp
from app.almanac.visibility import Filter, Occurrence
from app.campaign import aid, promoting
from app.campaign.finding import fold
from app.models.people import Character, Member, Role
from app.play import next_up
from app.web.calendar.words import distance
from app.web.characters.history import calendar, state
from app.web.http.seat_session import SeatSession

AHEAD = 400
"""Days ahead in which the home page looks for scenes; the calendar itself shows all."""

MOST_TO_COME = 12


@dataclass(frozen=True, slots=True)
class Coming:
    """A scene on the calendar that has not been opened yet."""

    entry: Occurrence
    when: str  # "today", "in 3 days"
    said: str  # the date in words
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Troupe:
    """The characters of one owner; `rest` is folded."""

    title: str
    shown: tuple[Character, ...]
    rest: tuple[Character, ...]


async def now(session: AsyncSession, seated: SeatSession, cast: Sequence[Character]) -> dict[str, Any]:
    """The home page's part about time and characters; contains nothing that this member may not know."""
    campaign_id, member = seated.campaign.id, seated.member
    book = await calendar(session, campaign_id)
    context: dict[str, Any] = {"book": book, "to_come": [], "meeting": None, "season": None, "next_up": None}
    if book is not None:
        want = Filter(kinds=frozenset({"scene"}), states=frozenset({"open", "paused"}))
        found = await entries.between(session, campaign_id, member, book.today - AHEAD, book.today + AHEAD, want)
        waiting = [one for one in found if one.scene_id is None]
        names = {one.slug: one.name for one in cast}
        context["to_come"] = [
            Coming(
                one,
                distance(one.first - book.today),
                book.count.said(one.first),
                tuple(names[slug] for slug in one.people if slug in names),
            )
            for one in waiting[:MOST_TO_COME]
        ]
        context["next_up"] = await next_up.proposed(session, campaign_id, member)
        context["season"] = book.count.season(book.today)
        context["meeting"] = next(iter(await rsvp.meetings(session, campaign_id, member, book, most=1)), None)
    gone = await promoting.bereaved(session, member)
    context["distance"] = distance
    context["bereaved"] = [one for one in gone if seated.is_gm or one.character.owner_id == member.id]
    context["dying"] = await aid.dying(session, member)
    context["wishes"] = await promoting.proposals(session, member)
    context["states"] = {one.slug: state(one) for one in cast if one.retired_at is None}
    return context


def troupes(members: Sequence[Member], cast: Sequence[Character], me: Member, most: int = 8) -> list[Troupe]:
    """Characters by owner, the member's own first, the GMs' last; long lists fold all but the first few.

    For GMs, theirs are in their folders, and those that players may read apart.
    """
    order = [me, *(one for one in members if one.id != me.id)]
    groups = [("Yours" if one is me else one.name, [c for c in cast if c.owner_id == one.id]) for one in order]
    own = [c for c in cast if c.owner_id is None]
    if me.role == Role.GM:
        for folder in sorted({c.folder for c in own}, key=lambda name: (fold(name), name)):
            named = f"GM characters: {folder}" if folder else "GM characters"
            groups.append((f"{named} (only GMs see these)", [c for c in own if c.folder == folder and c.secret]))
            groups.append((f"{named} (players see these)", [c for c in own if c.folder == folder and not c.secret]))
    else:
        groups.append(("GM characters", own))
    return [_troupe(title, some, most) for title, some in groups if some]


def _troupe(title: str, some: Sequence[Character], most: int) -> Troupe:
    open_to = most - 2 if len(some) > most else len(some)
    return Troupe(title, tuple(some[:open_to]), tuple(some[open_to:]))
