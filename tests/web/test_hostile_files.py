"""Broken and hostile files through their pages: no answer is a failure, and what is only looked at writes nothing."""

from collections.abc import Callable

import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.models import metadata
from app.table.runtime import Runtime
from tests.foreign.hostile import HostileFile, hostile_files
from tests.selection import nightly
from tests.web.browser import Browser
from tests.web.test_people_pages import BASE, found

pytestmark = pytest.mark.anyio

CALENDAR, SHAPE = f"{BASE}/gerda/calendar", f"{BASE}/gerda/calendar/shape/import"
FROM_HERE = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate"}
WITH_A_COMMIT = {
    "no weekdays", "half a character", "notes of half tags", "JPEG with a broken EXIF block", "PNG of 6300 x 6300"
}  # fmt: skip


@pytest.fixture
async def gm(open_browser: Callable[[], Browser]) -> Browser:
    browser = open_browser()
    await found(browser)
    return browser


def some_files() -> list[HostileFile]:
    """Five with a commit, two hundred by night."""
    files = list(hostile_files(7, 200 if nightly() else 30))
    return files if nightly() else list({one.name: one for one in files if one.name in WITH_A_COMMIT}.values())


async def everything(site: FastAPI) -> dict[str, str]:
    """All rows, but for when somebody was last seen."""
    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        return {
            table.name: "\n".join(
                sorted(row[0] for row in await session.execute(text(f"SELECT t::text FROM {table.name} t")))
            )
            for table in metadata.sorted_tables
            if table.name not in ("devices", "sessions", "seats_open")
        }


async def test_no_file_fails_or_writes(site: FastAPI, gm: Browser) -> None:
    before, files = await everything(site), some_files()
    assert len(files) >= 5
    for file in files:
        if file.kind == "calendar":
            sent = {"data": {"_do": "show", "_version": "1"}, "files": {"file": ("calendar.json", file.body)}}
            answer = await gm.http.post(SHAPE, headers=FROM_HERE, **sent)  # type: ignore[arg-type]
            assert answer.status_code in (200, 413, 415, 422), file.name
            if answer.status_code == 422:
                sent["data"]["_do"] = "take"  # type: ignore[index]
                again = await gm.http.post(SHAPE, headers=FROM_HERE, **sent)  # type: ignore[arg-type]
                assert again.status_code == 422 and 'role="alert"' in again.text, file.name
        else:
            sent = {"data": {"title": "", "text": "kept"}, "files": {"picture": ("map.png", file.body)}}
            answer = await gm.http.post(f"{BASE}/gerda/handouts/new", headers=FROM_HERE, **sent)  # type: ignore[arg-type]
            assert answer.status_code in (413, 422) and (answer.status_code == 413 or "kept" in answer.text), file.name
    assert await everything(site) == before


@pytest.mark.nightly
async def test_what_was_imported_can_be_looked_at(gm: Browser) -> None:
    """Of broken files that are read all the same, every page of the calendar is drawn."""
    taken = 0
    for file in hostile_files(11, 200):
        if file.kind == "calendar":
            page = await gm.get(SHAPE)
            version = dict(page.form("/calendar/shape/import").fields)["_version"]
            sent = {"data": {"_do": "take", "_version": version}, "files": {"file": ("calendar.json", file.body)}}
            answer = await gm.http.post(SHAPE, headers=FROM_HERE, **sent)  # type: ignore[arg-type]
            assert answer.status_code in (303, 409, 413, 415, 422), file.name
            if answer.status_code == 303:
                taken += 1
                for path in ("", "/year", "/agenda", "/shape", "/export"):
                    shown = await gm.http.get(f"{CALENDAR}{path}")
                    assert shown.status_code == 200, (file.name, path)
    assert taken > 20
