"""Handouts: secret until they are handed out, gone when they are taken back, and pictures made anew.

No other test uploads a file that is not text, or looks at what a picture carries besides its pixels.
"""

import io
import re
import struct
import zlib
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from PIL import Image
from sqlalchemy import text

from app.campaign.pictures import LONGEST_SIDE, NoPicture, reencoded
from app.models import metadata
from app.table.runtime import Runtime
from tests.foreign.hostile import with_broken_exif
from tests.web.browser import Browser
from tests.web.test_people_pages import BASE, found, invite, join

pytestmark = pytest.mark.anyio

SECRET = "canary under the mill"
GM = f"{BASE}/gerda/handouts"


def drawn(size: tuple[int, int] = (40, 30), kind: str = "JPEG", **more: object) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", size, (200, 30, 30)).save(made, kind, **more)
    return made.getvalue()


def located() -> bytes:
    """A photograph on its side, with the place where it was taken and a comment, and a second file behind it."""
    facts = Image.Exif()
    facts[0x0112] = 6  # to be turned by a quarter
    facts[0x010E] = "canary in the metadata"
    return drawn(exif=facts, comment=b"canary in a comment") + b"PK\x03\x04canary behind the picture"


def claiming(width: int, height: int) -> bytes:
    """A tiny PNG that says it is this large."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    return b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", 0) + b"IDAT" + struct.pack(">I", zlib.crc32(b"IDAT"))


def test_a_picture_is_made_anew() -> None:
    made = reencoded(located())
    assert (made.width, made.height) == (30, 40), "upright"
    assert b"canary" not in made.body and b"Exif" not in made.body and b"PK" not in made.body
    wide = reencoded(drawn((5000, 100), "PNG"))
    assert (wide.width, wide.height) == (LONGEST_SIDE, 40)
    clear = io.BytesIO()
    Image.new("RGBA", (4, 4), (0, 0, 0, 0)).save(clear, "PNG")
    with Image.open(io.BytesIO(reencoded(clear.getvalue()).body)) as again:
        assert again.mode == "RGBA" and again.format == "WEBP"
    photograph = reencoded(drawn((6000, 4000)))
    assert (photograph.width, photograph.height) == (2000, 1333), "decoded at half its size"
    bitmap = io.BytesIO()
    Image.new("RGB", (4, 4)).save(bitmap, "BMP")
    wrong = {
        b"<svg xmlns='http://www.w3.org/2000/svg'/>": "not a picture",
        bitmap.getvalue(): "not a picture",
        drawn((400, 300))[:900]: "This JPEG picture is damaged",
        with_broken_exif(): "This JPEG picture is damaged",
        claiming(6300, 6300)[:-20]: "This PNG picture is damaged",
        claiming(30_000, 30_000): "pixels",
        claiming(7000, 7000): "pixels",
        claiming(10_000, 12_000): "pixels",
        b"x" * 8_400_000: "larger than 8 megabytes",
    }
    for body, why in wrong.items():
        with pytest.raises(NoPicture, match=why):
            reencoded(body)


async def upload(browser: Browser, at: str, fields: dict[str, str], body: bytes) -> str:
    """Posts a form with a file, as a browser sends it; returns the page that follows."""
    said = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate"}
    sent = await browser.http.post(at, data=fields, files={"picture": ("map.jpg", body, "image/jpeg")}, headers=said)
    if sent.status_code == 303:
        sent = await browser.http.get(sent.headers["location"].partition("#")[0])
    return sent.text


async def test_a_handout_is_read_by_those_who_have_it(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    gm, alice, bob = open_browser(), open_browser(), open_browser()
    await found(gm)
    await join(alice, await invite(gm), "Alice")
    await join(bob, await invite(gm), "Bob")
    refused = await upload(gm, f"{GM}/new", {"title": "The map", "text": SECRET}, b"no picture")
    assert "not a picture that Signet can read" in refused and SECRET in refused, "what was typed stays"
    page = await upload(gm, f"{GM}/new", {"title": "The map", "text": SECRET}, located())
    handout = re.findall(r"/handouts/([0-9a-f-]{36})/change", page)[0]
    assert "Only GMs can see this." in page and SECRET in page

    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        for table in metadata.sorted_tables:
            rows = await session.execute(text(f"SELECT t::text FROM {table.name} t"))
            dump = "".join(row[0] for row in rows)
            assert "canary" not in dump and b"canary".hex() not in dump and b"WEBP".hex() not in dump, table.name

    async def reads(who: Browser, name: str) -> tuple[bool, int]:
        listed = await who.get(f"{BASE}/{name}/handouts")
        pictured = await who.http.get(f"{BASE}/{name}/handouts/{handout}/picture")
        assert listed.status == 200 and "Handed to" not in listed.text
        return SECRET in listed.text, pictured.status_code

    async def told(who: Browser, name: str) -> bool:
        return "The GM has handed you something" in (await who.get(f"{BASE}/{name}/")).text

    assert await reads(alice, "alice") == (False, 404) and not await told(alice, "alice")
    await gm.post(f"{GM}/{handout}/give", {"to": "alice"})
    assert await told(alice, "alice") and not await told(bob, "bob") and not await told(gm, "gerda")
    assert await reads(alice, "alice") == (True, 200) and await reads(bob, "bob") == (False, 404)
    picture = await alice.http.get(f"{BASE}/alice/handouts/{handout}/picture")
    assert picture.headers["content-type"] == "image/webp" and picture.headers["cache-control"] == "no-store"
    assert (await bob.get(f"{BASE}/bob/handouts/{handout}/change")).status == 403
    await gm.post(f"{GM}/{handout}/give", {"to": "alice"})
    assert not await told(alice, "alice"), "she has looked at it; what she has is not handed to her again"
    taken = await gm.post(f"{GM}/{handout}/take-back", {"to": "alice", "_page": "desk/handouts"})
    assert taken.path == f"{BASE}/gerda/desk" and "Only GMs can see this." in taken.text
    assert await reads(alice, "alice") == (False, 404)
    await gm.post(f"{GM}/{handout}/give", {"to": "everyone"})
    assert await reads(alice, "alice") == (True, 200) and await reads(bob, "bob") == (True, 200)

    stale = await gm.post(f"{GM}/{handout}/change", {"title": "The old map", "text": "my words", "version": "7"})
    assert stale.status == 409 and "my words" in stale.html and SECRET in stale.html
    await gm.post(
        f"{GM}/{handout}/change", {"title": "The old map", "text": "nothing", "version": "1", "no_picture": "yes"}
    )
    assert await reads(bob, "bob") == (False, 404) and "The old map" in (await bob.get(f"{BASE}/bob/handouts")).text
    assert (await gm.post(f"{GM}/{handout}/give", {"to": "gerda"})).status == 409
    await gm.post(f"{GM}/{handout}/remove", {})
    assert "The old map" not in (await bob.get(f"{BASE}/bob/handouts")).text
