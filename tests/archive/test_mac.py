"""A file that was changed without its key: in format 2 it is refused, in format 1 it opens no seat."""

import gzip
import hashlib
import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import func, select

from app.archive.arriving import Arrived, arrive
from app.archive.leaving import Left
from app.archive.rows import FORMAT, SECRETS, TABLES, end
from app.campaign import deleting
from app.crypto.vault import Vault
from app.errors import UserError
from app.models.people import Campaign, Member
from app.ops.gm_links import new_gm_links
from app.table.runtime import Runtime
from tests.archive.altering import NAMED, Lines, key_of, lines_of, planted, relabelled, write
from tests.archive.test_archive import OTHER_KEY, elsewhere, left, settings, table, url_of
from tests.server import KEY

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]
_ = elsewhere, left, table

PLANTED: dict[str, dict[str, Any]] = {
    "members": {"way_back": "A" * 43 + "=", "role": "gm", "handle": "eve", "name": "Eve\x1b[2J"},
    "lines": {"kind": "talk", "text": "The GM says: send me the key."},
    **{name: {} for name in SECRETS},
}
"""Rows that a stranger adds: one of each table that opens a seat, a GM with a link, a line of talk."""


def raw(lines: Lines) -> bytes:
    """The lines as Signet writes them, to the byte."""
    return "".join(json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n" for line in lines).encode()


def written(lines: Lines, last: bytes) -> bytes:
    return gzip.compress(raw(lines) + last, compresslevel=1)


def hashed(lines: Lines) -> bytes:
    """The last line of format 1, which needs no key."""
    return end(1, hashlib.sha256(raw(lines)))


def mac(left: Left) -> bytes:
    return gzip.decompress(left.place.read_bytes()).splitlines(keepends=True)[-1]


WITHOUT_THE_KEY: dict[str, tuple[Callable[[Lines, bytes], bytes], str]] = {
    "no MAC": (lambda ls, mac: written(ls, b""), "its end is missing"),
    "a hash in its place": (lambda ls, mac: written(ls, hashed(ls)), "its MAC is missing"),
    "relabelled from format 1": (lambda ls, mac: written(ls, hashed(relabelled(ls))), "its MAC is missing"),
    "relabelled as format 1": (lambda ls, mac: written(relabelled(ls), mac), "last line does not match"),
    "of no format": (lambda ls, mac: written(relabelled(ls, 3), mac), "not a campaign exported by this version"),
    "of half a format": (lambda ls, mac: written([ls[0] | {"format": True}], mac), "not a campaign exported"),
    "another MAC": (lambda ls, mac: written(ls, b'{"mac": "%064d"}\n' % 0), "its MAC does not fit"),
    "half a MAC": (lambda ls, mac: written(ls, mac[:-8] + b'"}\n'), "its MAC does not fit"),
    "two MACs": (lambda ls, mac: written(ls, mac + mac), "its MAC does not fit"),
    "a row cut": (lambda ls, mac: written(ls[:-1], mac), "its MAC does not fit"),
    "a row twice": (lambda ls, mac: written([*ls, ls[-1]], mac), "its MAC does not fit"),
    "another title": (lambda ls, mac: written([ls[0] | {"title": "Mine"}, *ls[1:]], mac), "its MAC does not fit"),
    "more behind": (lambda ls, mac: written(ls, mac + b"{}\n"), "data after it"),
}


async def test_format_2_is_refused_without_its_mac(left: Left, elsewhere: Runtime) -> None:
    house, lines, right = settings(url_of(elsewhere), OTHER_KEY), lines_of(left), mac(left)
    assert lines[0]["format"] == FORMAT == 2
    for how, (change, words) in WITHOUT_THE_KEY.items():
        left.place.write_bytes(change(lines, right))
        with pytest.raises(UserError, match=words) as refused:
            await arrive(house, left.place, None)
        assert "Nothing was" in str(refused.value), how
    for what, key in (("another campaign's key", OTHER_KEY), ("the house's key", KEY)):
        write(lines, left.place, Vault([key]))
        with pytest.raises(UserError, match="its MAC does not fit"):
            await arrive(house, left.place, None)
        assert await counted(elsewhere, "campaigns") == 0, what
    left.place.write_bytes(written(lines, right))
    assert (await arrive(house, left.place, None)).proved


async def counted(runtime: Runtime, of: str) -> int:
    async with runtime.sessions() as session:
        return (await session.scalars(select(func.count()).select_from(NAMED[of]))).one()


async def test_a_planted_row_is_refused_or_opens_nothing(left: Left, elsewhere: Runtime) -> None:
    """In format 2 only someone with the key can plant it. In format 1, which a stranger can write, sign-ins and links
    are left out, and the planted GM is named."""
    house, lines, there, right = settings(url_of(elsewhere), OTHER_KEY), lines_of(left), key_of(left), mac(left)
    people = sum(line.get("table") == "members" for line in lines)
    for of, fields in PLANTED.items():
        more = planted(lines, of, **fields)
        left.place.write_bytes(written(more, right))
        with pytest.raises(UserError, match="its MAC does not fit"):
            await arrive(house, left.place, None)
        assert await counted(elsewhere, "campaigns") == 0, of

        left.place.write_bytes(written(relabelled(more), hashed(relabelled(more))))
        came = await arrive(house, left.place, None, copy=of == "sessions")
        assert (came.proved, SECRETS & set(came.rows)) == (False, set()), of
        assert [one for one in SECRETS if await counted(elsewhere, one)] == [], of
        async with elsewhere.sessions.begin() as session:
            ways = await session.scalars(select(Member.way_back))
            assert list(ways) == [None] * (people + (of == "members")), of
            gms = [label for label, _ in await new_gm_links(session, came.slug)]
            assert any("Eve" in label for label in gms) == (of == "members")
        await gone(elsewhere, came)

        write(more, left.place, there)
        came = await arrive(house, left.place, None)
        assert came.proved and came.rows[of] >= 1 and not came.without_links, f"{of}: with the key"
        await gone(elsewhere, came)


async def gone(runtime: Runtime, came: Arrived) -> None:
    async with runtime.sessions.begin() as session:
        await deleting.delete(session, came.slug)
    async with runtime.sessions() as session:
        assert (await session.scalars(select(Campaign.id))).all() == []


def test_every_table_with_a_token_is_left_out() -> None:
    tokens = ("token_hash", "link_hash", "code_hash", "nonce")
    assert {one.name for one in TABLES if any(name in one.c for name in tokens)} <= SECRETS


def test_the_operator_is_told_whether_a_file_was_proved() -> None:
    came = Arrived("A", "a", uuid.UUID(int=1), copy=False, proved=True, rows={"notes": 2}, left_out={"B": 3})
    assert list(came.told()) == [
        "Imported “A”: 2 rows, at /c/a/.",
        "The file's MAC fits its key: nobody who lacks the key has changed the file.",
        "“B” is open again, without 3 sealed there. The GM can resume it when everyone is back.",
    ]
    came.proved = False
    said = " ".join(came.told())
    assert "Nobody can tell whether this file was changed" in said and "`signet delete a`" in said
    assert "all its GMs, with new links" in said and "MAC fits" not in said
