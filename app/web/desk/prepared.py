"""The list of prepared scenes on the GM's desk, each with what would keep it from opening now."""

import uuid
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app import rulesets
from app.campaign import character_visibility, prepared
from app.crypto.vault import Vault
from app.engine.sentences import who_is_in
from app.errors import MissingRules
from app.web.forms.reading import nested
from app.web.http.seat_session import SeatSession


@dataclass(frozen=True, slots=True)
class Line:
    """A prepared scene in the list."""

    id: uuid.UUID
    title: str
    kind: str  # in words
    cast: tuple[str, ...]
    hints: tuple[str, ...]  # why it would not open now, as far as can be told


async def panel(session: AsyncSession, vault: Vault, seated: SeatSession) -> dict[str, Any]:
    """The names of the template: `prepared` and `removed`, lists of `Line`."""
    rows = await prepared.unopened(session, vault, seated.member)
    if not rows:
        return {"prepared": [], "removed": []}
    everybody = {one.slug: one for one in await character_visibility.known_characters(session, seated.member)}
    held = await character_visibility.holdings(session, seated.member)
    lines: dict[bool, list[Line]] = {False: [], True: []}
    for row in rows:
        form = nested(row.pairs)
        slugs = list(dict.fromkeys(form.get("seat", [])))
        there = [everybody[slug] for slug in slugs if slug in everybody]
        hints = [f"{one.name} has retired" for one in there if one.retired_at is not None]
        hints += who_is_in((one.name, held[one.slug].title) for one in there if one.slug in held)
        kind = _kind(form.get("ruleset", ""), form.get("kind", ""))
        title = form.get("title", "").strip() or kind
        cast = tuple(one.name for one in there)
        lines[row.removed].append(Line(row.id, title, kind, cast, tuple(hints)))
    return {"prepared": lines[False], "removed": lines[True]}


def _kind(ruleset: str, kind: str) -> str:
    try:
        title = rulesets.find_kind(ruleset, kind)[1].title.removeprefix("A ").removeprefix("An ")
    except MissingRules:
        return "A scene for rules that are not here"
    return f"{title[:1].upper()}{title[1:]}"
