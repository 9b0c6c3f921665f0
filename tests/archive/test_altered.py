"""An altered file is refused whole, with table, row and field, before anything is written; or it comes in whole."""

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from app.archive.arriving import arrive
from app.archive.leaving import Left
from app.campaign import deleting
from app.errors import UserError
from app.models.people import Campaign
from app.table.runtime import Runtime
from tests.archive.altering import Lines, alter, deep, key_of, lines_of, relabelled, write
from tests.archive.test_archive import OTHER_KEY, elsewhere, left, settings, table, url_of
from tests.selection import nightly

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]
_ = elsewhere, left, table

SEEDS = 3_000 if nightly() else 50
LIBRARY = ("Traceback", "validation error", "Input should", "pydantic", "sqlalchemy", "psycopg", "Error:", "NoneType")


def row(lines: Lines, of: str, number: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = [line["row"] for line in lines if line.get("table") == of][number - 1]
    return found


def promoted(lines: Lines, **fields: Any) -> None:
    """Adds a promotion of Ann's character."""
    ann, gm = row(lines, "characters"), row(lines, "members")
    made = {"campaign_id": ann["campaign_id"], "id": ann["id"], "character_id": ann["id"], "member_id": gm["id"],
            "instead_of_id": None, "status": "open", "made_at": ann["made_at"], "answered_at": None}  # fmt: skip
    at = next(at for at, line in enumerate(lines) if line.get("table") == "envelopes")
    lines.insert(at, {"table": "promotions", "row": made | fields})


FIXED: dict[str, tuple[Callable[[Lines], object], str]] = {
    "opened_as": (
        lambda ls: row(ls, "prepared_scenes").update(opened_as=0),
        "Row 1 of prepared_scenes, field opened_as: is a number; text is expected",
    ),
    "instead_of_id": (
        lambda ls: promoted(ls, instead_of_id=0),
        "Row 1 of promotions, field instead_of_id: is a number; text is expected",
    ),
    "foreign id": (
        lambda ls: promoted(ls, instead_of_id="00000000-0000-0000-0000-000000000000"),
        "Row 1 of promotions, field instead_of_id: names a row that is not among the characters",
    ),
    "seat": (
        lambda ls: row(ls, "seats").update(seat="zoe"),
        "field seat of the seat_holders names a seat that its scene does not have|asks a seat that its scene does not",
    ),
    "spec": (lambda ls: row(ls, "steps").update(spec={}), "Row 1 of steps, field spec: its part “key” is not what"),
    "spec's ask": (
        lambda ls: row(ls, "steps")["spec"]["asks"][0].update(kind="dance"),
        "Row 1 of asks, field kind: is not what the step asks",
    ),
    "shape": (
        lambda ls: row(ls, "almanacs").update(shape={"name": "x", "months": []}),
        "Row 1 of almanacs, field shape: its part “months” is not what Signet writes there",
    ),
    "a year without days": (
        lambda ls: row(ls, "almanacs")["shape"]["months"][0].update(days=-1),
        "Row 1 of almanacs, field shape: its part “months.0.days”",
    ),
    "settings": (lambda ls: row(ls, "campaigns").update(settings={"steps": 1}), "field settings: its part “steps”"),
    "sheet": (lambda ls: row(ls, "characters").update(sheet={"name": 3}), "field sheet: its part “name”"),
    "event": (lambda ls: row(ls, "events", 2).update(body={"kind": "sang"}), "Row 2 of events, field body"),
    "half a character": (lambda ls: row(ls, "notes").update(body="a\ud800"), "field body: has a character that no"),
    "nought": (lambda ls: row(ls, "members").update(name="A\x00"), "field name: has a character that no text can"),
    "deep": (lambda ls: row(ls, "own_things")["data"].update(x=deep(101)), "more than 100 lists and tables"),
    "not a number": (lambda ls: row(ls, "own_things")["data"].update(x=float("nan")), "lines cannot be read"),
    "marks": (lambda ls: row(ls, "own_things")["data"].update(x=[[]] * 2_000_001), "lines cannot be read"),
    "huge": (lambda ls: row(ls, "notes").update(version=2**31), "field version: is too large; 0 to 2000000000"),
    "negative": (lambda ls: row(ls, "scenes").update(records=-1), "field records: is too small"),
    "count": (lambda ls: row(ls, "scenes").update(last_event=99), "field last_event of the scene in row 1"),
    "long": (lambda ls: row(ls, "members").update(name="x" * 301), "has 301 characters; 300 are the most"),
    "nothing": (lambda ls: row(ls, "members").update(name=None), "Row 1 of members, field name: it is empty"),
    "missing": (lambda ls: row(ls, "members").pop("name"), "Row 1 of members, field name: it is missing"),
    "here and there": (lambda ls: row(ls, "members", 2).pop("seen_at"), "in some rows of this table, but not in all"),
    "role": (lambda ls: row(ls, "members").update(role="king"), "is none of gm, player, spectator"),
    "time": (lambda ls: row(ls, "members").update(joined_at="2026-01-01"), "is not a date and time with a zone"),
    "handle": (lambda ls: row(ls, "members").update(handle="a/b"), "at most 40 lower-case letters"),
    "a row that is a list": (lambda ls: ls[3].update(row=[]), "is a list, not a table of fields"),
    "slug of the file": (lambda ls: ls[0].update(slug="a/b"), "does not say which campaign"),
    "left out": (lambda ls: ls[0].update(left_out=3), "does not say which campaign"),
    "no campaign": (lambda ls: ls.pop(1), "names a row that is not among the campaigns"),
}


async def test_what_no_signet_wrote_is_refused_with_its_place(left: Left, elsewhere: Runtime) -> None:
    house = settings(url_of(elsewhere), OTHER_KEY)
    for what, (change, words) in FIXED.items():
        lines = lines_of(left)
        change(lines)
        place = left.place.with_name("changed.signet")
        write(lines, place, key_of(left))
        with pytest.raises(UserError, match=words) as refused:
            await arrive(house, place, left.key)
        assert "Nothing was" in str(refused.value) and not any(word in str(refused.value) for word in LIBRARY), what
    async with elsewhere.sessions() as session:
        assert (await session.scalars(select(Campaign.id))).all() == []


async def test_an_altered_box_is_refused(left: Left, elsewhere: Runtime) -> None:
    """By somebody who has the file's key."""
    there, house, changed = key_of(left), settings(url_of(elsewhere), OTHER_KEY), left.place.with_name("changed.signet")
    for of, field, place, plain, words in (
        ("scenes", "state", "{campaign_id}/{id}/state", b'{"rounds": "x"}', "field state: its part"),
        ("scenes", "setup", "{campaign_id}/{id}/setup", b"[]", "field setup: is not what"),
        ("scenes", "root", "{campaign_id}/{id}/root", b"short", "field root: holds no 32 bytes"),
        ("prepared_scenes", "box", "{campaign_id}/prepared/{id}", b'{"pairs": [1]}', "field box: its part “pairs.0”"),
    ):
        lines = lines_of(left)
        one = row(lines, of)
        one[field] = base64.b64encode(there.encrypt(plain, place.format_map(one))).decode()
        write(lines, changed, there)
        with pytest.raises(UserError, match=f"Row 1 of {of}, {words}"):
            await arrive(house, changed, left.key)
    async with elsewhere.sessions() as session:
        assert (await session.scalars(select(Campaign.id))).all() == []


async def test_any_altered_value_is_refused_in_words_or_comes_in(left: Left, elsewhere: Runtime) -> None:
    """By someone who has the file's key, or by anyone in format 1."""
    lines, there, house = lines_of(left), key_of(left), settings(url_of(elsewhere), OTHER_KEY)
    place, refused, came_in = Path(left.place.with_name("altered.signet")), 0, 0
    for seed in range(SEEDS):
        altered, what = alter(relabelled(lines, 1 + seed % 2), there, seed)
        write(altered, place, there)
        try:
            came = await arrive(house, place, left.key)
        except UserError as wrong:
            refused += 1
            said = str(wrong)
            assert "Nothing was" in said and not any(word in said for word in LIBRARY), f"{seed} {what}: {said}"
            continue
        came_in += 1
        async with elsewhere.sessions.begin() as session:
            await deleting.delete(session, came.slug)
    async with elsewhere.sessions() as session:
        assert (await session.scalars(select(Campaign.id))).all() == [], "something was written of a refused file"
    assert refused > SEEDS // 3 and came_in > 0
