"""The calendar's editor over HTTP: rows, faults at their fields, what becomes of dates, imports."""

import asyncio
import dataclasses
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select

from app.almanac import calendar_state, entries
from app.almanac.entries import EntryTyped
from app.calendar.days import Date
from app.calendar.presets import PRESETS
from app.foreign.door import Door
from app.models.almanac import Entry
from app.models.people import Campaign, Member
from app.table.runtime import Runtime
from app.web.calendar import imports
from tests.foreign import jobs
from tests.foreign.test_door import begun
from tests.web.browser import Browser, Page
from tests.web.test_people_pages import BASE, found

pytestmark = pytest.mark.anyio
Open = Callable[[], Browser]
AT = f"{BASE}/gerda/calendar/shape"
FILES = Path(__file__).parents[1] / "calendar" / "files"


@pytest.fixture
async def gm(open_browser: Open) -> Browser:
    browser = open_browser()
    await found(browser)
    return browser


async def stored(site: FastAPI) -> calendar_state.CalendarState:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        campaign = (await session.scalars(select(Campaign.id).where(Campaign.slug == "the-goblin-road"))).one()
        return await calendar_state.read(session, campaign)


async def press(gm: Browser, page: Page, what: str, **typed: str) -> Page:
    """Press one of the form's buttons, with some fields typed over ("__" for a dot)."""
    changes = {name.replace("__", "."): value for name, value in typed.items()}
    fields = [(name, value) for name, value in page.form("/calendar/shape").fields if name not in changes]
    return await gm.post(AT, [*fields, *changes.items(), ("_do", what)])


def values(page: Page) -> dict[str, str]:
    return dict(page.form("/calendar/shape").fields)


def preview(page: Page) -> str:
    inside = page.html.split('id="preview"')[1].split("</aside>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", inside).split())


EACH_PRESET = [pytest.param(key, marks=() if key == "festivals" else pytest.mark.nightly) for key in PRESETS]
"""By night all; festivals have what any of them has: leap days, days between months, two moons."""


@pytest.mark.parametrize("key", EACH_PRESET)
async def test_a_preset_is_kept_as_it_is(site: FastAPI, gm: Browser, key: str) -> None:
    page = await gm.get(f"{AT}?from={key}")
    kept = await press(gm, page, "keep", today="date", today_day="3", today_month="2", today_year="1021")
    assert kept.status == 200 and "Calendar saved." in kept.text
    now = await stored(site)
    moons = [moon.model_copy(update={"new_at": "0"}) for moon in now.shape.moons]
    wanted = [moon.model_copy(update={"new_at": "0"}) for moon in PRESETS[key].moons]
    assert now.shape.model_copy(update={"moons": ()}) == PRESETS[key].model_copy(update={"moons": ()})
    assert moons == wanted and now.count.date(now.today) == (1021, 3, 3) and now.fog is None
    for ours, theirs in zip(now.shape.moons, PRESETS[key].moons, strict=True):
        assert now.count.age(ours, 12345) == now.count.age(theirs, 12345), "the moon stands where it stood"


async def test_rows_are_added_moved_and_removed_and_what_points_to_them_follows(gm: Browser) -> None:
    page = await gm.get(f"{AT}?from=gregorian")
    page = await press(gm, page, "up.months.1", name="Odd")
    now = values(page)
    assert now["months.0.name"] == "February" and now["leaps.0.month"] == "0" and now["name"] == "Odd"
    page = await press(gm, page, "remove.months.2")
    now = values(page)
    assert now["months.2.name"] == "April" and "months.11.name" not in now
    assert len([name for name in now if name.startswith("seasons.") and name.endswith("name")]) == 3, "spring is gone"
    page = await press(gm, page, "add.months")
    assert values(page)["months.11.days"] == "30"
    for list_name in ("leaps", "eras", "seasons", "moons"):
        page = await press(gm, page, f"add.{list_name}")
        page = await press(gm, page, f"remove.{list_name}.0")
        assert page.status == 200
    for odd in ("up.months.0", "down.months.99", "remove.x.1", "add.", "up.months.999", "<script>"):
        assert (await press(gm, page, odd)).status == 200


FAULTS = (
    ("name", "", "Fill this in"),
    ("months.2.name", "", "Fill this in"),
    ("months.2.days", "many", "whole number"),
    ("months.2.days", "999", "At most 500"),
    ("months.2.days", "0", "never has a day"),
    ("weekdays", "x" * 70, "At most 60"),
    ("weekdays", "\n".join("abcdefghijklmnopqrstuvwxyzabcdefg"), "At most 30"),
    ("leaps.0.every", "now and then", "numbers of years"),
    ("leaps.0.every", "0", "1 and more"),
    ("seasons.1.day", "99", "That month has 30 days"),
    ("moons.0.period", "0.5", "once a day"),
    ("moons.0.new_in", "soon", "Enter a number of days"),
    ("eras.0.short", "far too long a word", "At most 12"),
    ("hours", "0", "At least 1"),
    ("fog", "-3", "from 0"),
    ("today_day", "31", "no 31 Frost"),
    ("today_year", "x", "whole number"),
)


async def test_faults_stand_at_their_field_and_what_was_typed_stays(site: FastAPI, gm: Browser) -> None:
    page = await gm.get(f"{AT}?from=festivals")
    for field, value, says in FAULTS:
        typed = {field.replace(".", "__"): value, "today": "date", "months__5__name": "My own month"}
        if field == "today_day":
            typed["today_month"] = "0"
        answer = await press(gm, page, "keep", **typed)
        assert answer.status == 422 and says in answer.text, (field, answer.text[-900:])
        assert f'id="fault-{field}"' in answer.html or "never has" in says, field
        assert values(answer)[field].strip() == value.strip() and values(answer)["months.5.name"] == "My own month"
        assert "No preview yet" in preview(answer) or field.startswith("today"), field
    assert (await stored(site)).version == 1


async def test_the_preview_shows_what_becomes_of_today_and_of_entries(site: FastAPI, gm: Browser) -> None:
    realm = PRESETS["festivals"]
    count = calendar_state.reckoning(realm)
    today = count.number(Date(1021, 2, 12))
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        campaign = (await session.scalars(select(Campaign).where(Campaign.slug == "the-goblin-road"))).one()
        gerda = (await session.scalars(select(Member).where(Member.campaign_id == campaign.id))).one()
        await calendar_state.choose_shape(session, runtime.vault, campaign.id, realm, 1, today)
        fair = EntryTyped(title="Goose fair", day=today + 9)
        await entries.add(session, runtime.vault, campaign.id, gerda, fair)
    page = await gm.get(AT)
    assert values(page)["today"] == "keep" and values(page)["today_year"] == "1021"
    seen = preview(page)
    assert f"Today is {count.said(today)} and becomes {count.said(today)}" in seen
    assert "Spring Gate 1021 OR" in seen and "Ansa" in seen and "Spring begins on" in seen
    shown = await press(gm, page, "show", months__0__days="31")
    assert shown.status == 200
    longer = calendar_state.reckoning(
        realm.model_copy(update={"months": (realm.months[0].model_copy(update={"days": 31}), *realm.months[1:])})
    )
    seen = preview(shown)
    assert f"and becomes {longer.said(today)}" in seen
    assert f"Goose fair {count.said(today + 9)} → becomes {longer.said(today + 9)}" in seen
    kept = await press(gm, page, "keep", months__0__days="31", fog="30")
    assert kept.status == 200
    now = await stored(site)
    assert now.today == today and now.fog == 30 and now.count.said(now.today) == longer.said(today)
    again = await press(gm, page, "keep", months__0__days="29", name="Mine")
    assert again.status == 409 and "Someone changed" in again.text and values(again)["name"] == "Mine"
    assert (await stored(site)).shape.months[0].days == 31


async def test_a_festival_that_comes_only_in_leap_years_can_be_looked_at(site: FastAPI, gm: Browser) -> None:
    page = await gm.get(f"{AT}?from=festivals")
    page = await press(gm, page, "add.months")
    last = max(int(name.split(".")[1]) for name in values(page) if name.startswith("months."))
    typed = {f"months__{last}__name": "Oath Day", f"months__{last}__days": "0", f"months__{last}__between": "yes"}
    kept = await press(
        gm,
        page,
        "keep",
        **typed,
        leaps__0__month=str(last),
        today="date",
        today_day="1",
        today_month="15",
        today_year="7",
    )
    assert kept.status == 200, kept.text[-500:]
    told: dict[int, int] = {}
    for year in (7, 8):
        for path in (
            f"?year={year}&month={last}&day=1",
            f"/year?year={year}&month=1&day=1",
            f"?year={year}&month=1&day=1",
        ):
            shown = await gm.get(f"{BASE}/gerda/calendar{path}")
            assert shown.status == 200, path
        told[year] = (await gm.get(f"{BASE}/gerda/calendar/year?year={year}&month=1&day=1")).html.count("Oath Day")
    assert told[8] > told[7]


def bring(gm: Browser, what: str, version: int, text: str = "", file: bytes | None = None) -> Any:
    files = {"file": ("calendar.json", file, "application/json")} if file is not None else {"x": ("", b"")}
    data = {"_do": what, "_version": str(version), "text": text}
    said = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate"}
    return gm.http.post(f"{AT}/import", data=data, files=files, headers=said)


@pytest.mark.parametrize("name", ["simple-calendar.json", "simple-calendar-ours.json", "fantasy-calendar.json"])
async def test_a_file_is_looked_at_and_then_taken_over_once(site: FastAPI, gm: Browser, name: str) -> None:
    body = (FILES / name).read_bytes()
    looked = await bring(gm, "show", 1, file=body)
    assert looked.status_code == 200 and "Use this calendar" in looked.text
    assert "or will differ" in looked.text and "Everything in the file" not in looked.text
    assert (await stored(site)).version == 1, "looking takes nothing over"
    answers = [await bring(gm, "take", 1, text=body.decode()) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 409]
    now = await stored(site)
    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        made = await session.scalar(select(func.count()).select_from(Entry))
        hidden = set(await session.scalars(select(Entry.title).where(Entry.seen_by == "gm")))
    imported = json.loads(body)
    assert now.version == 2 and now.shape.months and made
    assert hidden == {
        "simple-calendar.json": {"What the GM plans"},
        "fantasy-calendar.json": {"The GM's storm", "Hidden by its kind", "Rare tide", "Either or", "Never"},
    }.get(name, set())
    month = await gm.get(f"{BASE}/gerda/calendar")
    assert month.status == 200 and imported


async def test_a_file_that_takes_long_keeps_nobody_waiting_and_is_given_up(
    site: FastAPI, gm: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    door: Door = site.state.door
    door.longest_wait = 0
    endless = dataclasses.replace(imports.CALENDAR, convert=jobs.endless, seconds=600)
    monkeypatch.setattr(imports, "CALENDAR", endless)
    looking = asyncio.create_task(bring(gm, "show", 1, text="{}"))
    await begun(door)
    assert (await gm.http.get("/health/live")).status_code == 200
    busy = await bring(gm, "show", 1, text="typed words")
    assert busy.status_code == 503 and "Wait a minute" in busy.text and "typed words" in busy.text
    assert door.child is not None
    door.child.kill()
    assert (await looking).status_code == 422
    monkeypatch.setattr(imports, "CALENDAR", dataclasses.replace(endless, seconds=0.1))
    late = await bring(gm, "show", 1, text="typed words")
    assert late.status_code == 422 and "takes too long" in late.text and "typed words" in late.text
    assert not door.busy and (await stored(site)).version == 1


async def test_files_that_are_none_are_refused_in_words(site: FastAPI, gm: Browser) -> None:
    for body, status in (
        (b"", 422), (b"hello", 422), (b"\xff\xfe\x00", 415), (b"[" * 5000, 422), (b'{"static_data": {}}', 422),
        (b"x" * 1_048_570, 422), (b"x" * 1_500_000, 413), (b"x" * 3_000_000, 413),
    ):  # fmt: skip
        answer = await bring(gm, "take", 1, file=body)
        assert answer.status_code == status and ('role="alert"' in answer.text or status != 422), body[:20]
        assert "<h1" in answer.text
    assert (await stored(site)).version == 1
