"""Further calendars: the same days and entries, written in another way, for everybody, and only GMs settle them."""

from collections.abc import Callable

import pytest
from fastapi import FastAPI

from app.calendar.days import Date
from app.calendar.presets import PRESETS
from app.web.calendar.ways import month_name
from tests.web.browser import Browser, Page
from tests.web.test_calendar_export import write
from tests.web.test_calendar_shape import stored
from tests.web.test_people_pages import BASE, found, invite, join

pytestmark = pytest.mark.anyio
Open = Callable[[], Browser]
AT, HERS = f"{BASE}/gerda/calendar", f"{BASE}/alice/calendar"


async def add(gm: Browser, preset: str, **typed: str) -> Page:
    return await gm.send(await gm.get(f"{AT}/others?from={preset}"), "/calendar/others", typed)


async def test_the_same_days_in_another_calendar(site: FastAPI, open_browser: Open) -> None:
    gm, alice = open_browser(), open_browser()
    await found(gm)
    await join(alice, await invite(gm), "Alice")
    await gm.post(f"{AT}/setup", [("preset", "festivals"), ("year", "412"), ("version", "1")])
    await write(gm, "gerda", title="A feast", kind="holiday")
    await write(gm, "gerda", title="A plot", kind="event", seen_by="gm")
    assert "Show in" not in (await alice.get(HERS)).text
    added = await add(gm, "gregorian", name="Elvish", day="14", month="3", year="87")
    assert added.status == 200 and "Calendar added." in added.text
    book = await stored(site)
    (elvish,) = book.settings.others
    assert elvish.count.date(book.today) == Date(87, 3, 14) and elvish.shape == PRESETS["gregorian"]
    elsewhere, here = elvish.count.said(book.today), book.count.said(book.today)

    for page in (await alice.get(HERS), await alice.get(f"{HERS}/day")):  # a page that was kept is drawn anew
        assert elsewhere in page.text and here in page.text
    for day, words in ((book.today, elsewhere), (book.today + 1, elvish.count.said(book.today + 1))):
        assert words in (await alice.get(f"{HERS}/day?at={day}")).text
    march = await alice.get(f"{HERS}?cal=1&year=87&month=3")
    assert "March, 87" in march.text and "A plot" not in march.text
    cell = march.html.split(f'data-day="{book.today}"')[1].split("</td>")[0]
    assert "A feast" in cell and ">14</a>" in cell and book.count.day_name(book.today) in cell
    assert f">{month_name(book.count, 1)} 412 OR</a>" in march.html, "the month of today, which is in it"
    for href in ("cal=1", "year=87&amp;month=4&amp;cal=1", "year=87&amp;month=2&amp;cal=1"):
        assert f'href="{HERS}?{href}"' in march.html, "turning pages and today keep the calendar"
    for path in ("/year", "/agenda"):
        drawn = await alice.get(f"{HERS}{path}?cal=1&year=87&month=3&day=1")
        assert "A feast" in drawn.text and "87" in drawn.text and "A plot" not in drawn.text
    wrong = await alice.get(f"{HERS}?cal=1&year=87&month=2&day=30")
    assert wrong.status == 422 and "There is no 30 February in 87" in wrong.text

    eve = book.today + 6
    short = await alice.get(f"{HERS}?add={eve}&cal=1")
    put = await alice.send(short, "/entries", {"title": "Eve", "kind": "note"})
    assert put.path.startswith(HERS) and "March, 87" in put.text, "back on the month in the same calendar"
    cell = put.html.split(f'data-day="{eve}"')[1].split("</td>")[0]
    assert "Eve" in cell and ">20</a>" in cell

    rules = await gm.get(f"{AT}/rules")
    assert (await gm.send(rules, "/calendar/rules", {"climate": "cold"})).status == 200
    assert (await stored(site)).settings.others == (elvish,), "house rules leave them alone"
    assert (await gm.send(await gm.get(f"{AT}/move?to={book.today + 2}"), "/calendar/go")).status == 200
    later = await stored(site)
    assert elvish.count.said(later.today) in (await alice.get(HERS)).text
    listed = await gm.get(f"{AT}/others")
    gone = await gm.send(listed, "/others/1/remove")
    assert "Calendar removed." in gone.text and not (await stored(site)).settings.others
    late = await gm.send(listed, "/others/1", {"name": "High Elvish"})
    assert late.status == 404 and "This calendar was removed." in late.text and "High Elvish" in late.text
    old = await alice.get(f"{HERS}?cal=1")
    assert old.status == 200 and "Show in" not in old.text and "A feast" in old.text


async def test_setting_them_up_says_what_is_wrong_and_loses_nothing(site: FastAPI, open_browser: Open) -> None:
    gm = open_browser()
    await found(gm)
    refused = await add(gm, "gregorian", name="Elvish", day="30", month="2", year="87")
    assert refused.status == 409 and "There is no 30 February in 87; it has 28 days." in refused.text
    assert 'value="Elvish"' in refused.html and 'value="30"' in refused.html
    nameless = await add(gm, "gregorian", name=" ", day="x", year="87")
    assert nameless.status == 422 and 'value="x"' in nameless.html
    unknown = await gm.post(f"{AT}/others", [*refused.form("/calendar/others").fields, ("shape", "martian")])
    assert unknown.status == 409 and "Choose one of the calendars." in unknown.text
    assert not (await stored(site)).settings.others

    looked = await gm.get(f"{AT}/others?from=own")
    for _ in range(2):
        twice = await gm.send(looked, "/calendar/others", {"name": "Since the fall", "year": "9"})
        assert twice.status == 200
    (fall,) = (await stored(site)).settings.others
    assert fall.count.date((await stored(site)).today) == Date(9, 1, 1)
    stale = await gm.send(looked, "/calendar/others", {"name": "Late", "year": "3"})
    assert stale.status == 409 and "Someone changed the calendar" in stale.text and 'value="Late"' in stale.html
    named = await gm.send(await gm.get(f"{AT}/others"), "/others/1", {"name": "Since the flood", "year": "-3"})
    assert "Calendar saved." in named.text and "Since the flood" in named.text
    (flood,) = (await stored(site)).settings.others
    assert flood.key == fall.key and flood.count.date((await stored(site)).today) == Date(-3, 1, 1)
    for name in ("Two", "Three"):
        assert (await add(gm, "lunar", name=name)).status == 200
    full = await gm.get(f"{AT}/others")
    assert "at most three" in full.text
    fourth = await add(gm, "lunar", name="Four")
    assert fourth.status == 409 and "three further calendars already" in fourth.text
    assert len((await stored(site)).settings.others) == 3
