"""The panel of the GMs' own characters on the desk: folders, what players know, and the scenes that they can join."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import library
from app.table.desk import Card
from app.web.desk.address import words
from app.web.forms.reading import Form, TypedPairs
from app.web.http.seat_session import SeatSession

SHOWN = (("gm", "GM alone"), ("name", "Name only"), ("known", "Known"))

FILED = "_who"
"""The name under which a refused form has the slug of its character."""


async def panel(
    session: AsyncSession, seated: SeatSession, asked: TypedPairs, cards: Sequence[Card], filing: Form[Any]
) -> dict[str, Any]:
    """The names of the template: `folders`, `folder_names`, `npcs_find`, `shown_choices`; `filing`, a refused form, and
    `misfiled`, why, if its character is not in the list; and `to_join`, the open scenes that a character can join in
    mid-scene, by ruleset, each with the slugs that have a seat there already."""
    find = words(asked, "npcs")
    to_join: dict[str, list[tuple[Card, frozenset[str]]]] = {}
    for card in cards:
        sight = card.sight
        if sight is not None and sight.ruleset.kind(sight.kind).enter is not None:
            here = frozenset(slug for seat in sight.seats for slug in seat.characters)
            to_join.setdefault(sight.ruleset.key, []).append((card, here))
    folders = await library.folders(session, seated.member, find)
    there = {one.character.slug for folder in folders for one in folder.characters}
    wrong = filing.wrong or next(iter(filing.faults.values()), "")
    return {
        "folders": folders,
        "filing": filing,
        "misfiled": "" if filing.typed.get(FILED) in there else wrong,
        "folder_names": await library.folder_names(session, seated.member),
        "npcs_find": find,
        "shown_choices": SHOWN,
        "to_join": to_join,
    }
