"""The calendar's pages: what is on them, dates that do not exist, and months of every shape."""

import uuid
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import book as books
from app.almanac import entries
from app.almanac.entries import EntryTyped
from app.calendar.days import Date, reckoning
from app.calendar.presets import PRESETS
from app.calendar.shape import Month, Moon, Shape
from app.campaign.demo import ensure_demo
from app.campaign.models import Campaign, Member
from app.table.house import House
from app.web import calendarsheet as sheets
from app.web.calendarsheet import On, Word
from tests.browser.planned_year import COUNT, TODAY, YEAR, day, plan
from tests.web.browser import Browser

pytestmark = pytest.mark.anyio
HOME = "/c/the-goblin-road"


@pytest.fixture
async def people(site: FastAPI, open_browser: Callable[[], Browser]) -> dict[str, Browser]:
    """The demo campaign with its year planned; everybody at a browser."""
    house: House = site.state.house
    async with house.sessions.begin() as session:
        links = await ensure_demo(session, house.vault)
        await plan(session)
    found: dict[str, Browser] = {}
    for label, link in links:
        browser = open_browser()
        page = await browser.get(link)
        await browser.send(page, "/enter")
        found[label.split()[0].strip(",").lower()] = browser
    return found


async def test_a_month_says_what_is_on_its_days(people: dict[str, Browser]) -> None:
    page = await people["gm"].get(f"{HOME}/gm/calendar")
    assert page.status == 200
    for words in ("Leaf, 412 OR", "Council at Ashby", "Bob travels to Thornwick", "Lantern feast", "and 3 more"):
        assert words in page.text, words
    assert page.html.count("is-today") == 2, "once in the table, once in the list of days"
    assert page.text.count("Alice’s arm is looked at") >= 2 * 4, "what repeats stands on each of its days"


async def test_a_date_that_there_is_not_is_said_at_the_form(people: dict[str, Browser]) -> None:
    for query in ("year=412&month=11&day=31", "year=412&month=99", "year=x", "year=99999999999", "month=-1", "day=%00"):
        for view in ("", "/year", "/agenda"):
            page = await people["alice"].get(f"{HOME}/alice/calendar{view}?{query}")
            assert page.status == 422 and 'class="fault"' in page.html, (view, query)
    for at in ("x", "", "99999999999", "1e9", "-400000001"):
        assert (await people["alice"].get(f"{HOME}/alice/calendar/day?at={at}")).status == 404


@pytest.mark.parametrize("far", [1_000_000, -1_000_000, 0, 1])
async def test_a_million_years_away_is_a_month_like_others(people: dict[str, Browser], far: int) -> None:
    for view in ("", "/year", "/agenda"):
        assert (await people["alice"].get(f"{HOME}/alice/calendar{view}?year={far}&month=1")).status == 200


async def test_filters_keep_to_every_page(people: dict[str, Browser]) -> None:
    page = await people["gm"].get(f"{HOME}/gm/calendar?kind=scene&who=bob")
    assert "Council at Ashby" in page.text and "The clearing" not in page.text and "Lantern" not in page.text
    assert "kind=scene&amp;who=bob" in page.html, "turning the page keeps the filter"
    page = await people["gm"].get(f"{HOME}/gm/calendar?place=thorn&kind=nonsense&who=%00")
    assert "Lantern feast" in page.text and "Council" not in page.text


async def test_search_finds_what_is_years_away(people: dict[str, Browser], site: FastAPI) -> None:
    house: House = site.state.house
    async with house.sessions.begin() as session:
        gm, campaign = await _seat(session, "gm")
        far = EntryTyped(title="The comet returns", day=COUNT.number(Date(YEAR + 900, 1, 1)), kind="event")
        await entries.add(session, house.vault, campaign, gm, far)
    page = await people["alice"].get(f"{HOME}/alice/calendar/agenda?q=COMET")
    assert "The comet returns" in page.text and "1312 OR" in page.text
    page = await people["alice"].get(f"{HOME}/alice/calendar/agenda?q=100%25")
    assert "speaks of “100%”" in page.text


async def test_a_characters_time_says_where_they_are(people: dict[str, Browser]) -> None:
    page = await people["bob"].get(f"{HOME}/bob/calendar/of/alice")
    for words in ("Chapter 1", "Spring, 412 OR", "The clearing", "Alice rides to the coast", "today"):
        assert words in page.text, words
    assert "Bob reaches Thornwick" not in page.text


async def test_the_fog_hides_days_and_what_is_on_them(people: dict[str, Browser], site: FastAPI) -> None:
    house: House = site.state.house
    async with house.sessions.begin() as session:
        _, campaign = await _seat(session, "gm")
        book = await books.read(session, campaign)
        await books.choose_settings(session, house.vault, campaign, 3, book.settings, book.version)
    page = await people["alice"].get(f"{HOME}/alice/calendar")
    assert "is-fogged" in page.html and "9 Leaf 412 OR nobody knows yet" in page.text
    assert "Lantern feast" not in page.html and "Bob travels" in page.html
    assert "is-fogged" not in (await people["gm"].get(f"{HOME}/gm/calendar")).html


async def test_what_some_may_know_is_nowhere_else(people: dict[str, Browser]) -> None:
    views = ("", "/year", "/agenda", "/agenda?q=letter", "/agenda?q=wolves", f"/day?at={day('Leaf', 13)}", "/of/bob")
    views = (*views, f"/day?at={day('Leaf', 15)}")
    for name, may in (("gm", {"letter", "wolves"}), ("bob", {"letter"}), ("alice", set()), ("sam", set())):
        seen = ""
        for view in views:
            page = await people[name].get(f"{HOME}/{name}/calendar{view}")
            assert page.status == 200
            seen += page.html.replace("q=letter", "").replace("q=wolves", "")
        for secret, words in (("letter", "A letter for Bob alone"), ("wolves", "The wolves come down")):
            assert (words in seen) == (secret in may), (name, secret)


# ---- months of every shape -----------------------------------------------------------------------------------------


@pytest.mark.once
@pytest.mark.parametrize("days", [1, 5, 28, 31, 500])
@pytest.mark.parametrize("week", [0, 1, 6, 10, 11, 14, 30])
@pytest.mark.parametrize("weeks", ["on", "by-month"])
def test_a_month_of_any_length_and_week_shows_each_day_once(days: int, week: int, weeks: str) -> None:
    names = tuple(f"Day {number}" for number in range(week))
    months = (Month(name="One", days=3), Month(name="Two", days=days))
    count = reckoning(Shape.model_validate({"name": "x", "months": months, "weekdays": names, "weeks": weeks}))
    span = Word("a", "note", "A", "A", "/", 2, 3 + days // 2)
    sheet = sheets.lay(count, 1, 2, On([span], 4))
    cells = [cell for row in sheet.weeks for cell in row.days]
    assert [cell.day for cell in cells if cell is not None] == list(range(1, days + 1))
    assert all(len(row.days) == sheet.columns <= 10 for row in sheet.weeks)
    assert all(sum(piece.span for piece in lane) == sheet.columns for row in sheet.weeks for lane in row.lanes)
    under = [piece for row in sheet.weeks for lane in row.lanes for piece in lane if piece.word]
    assert sum(piece.span for piece in under) == days // 2 + 1, "the ribbon runs under each of its days in this month"
    assert [piece.ends for piece in under] == [False] * (len(under) - 1) + [True] and not under[0].begins
    if 0 < week <= 10:
        for row in sheet.weeks:
            assert all(cell is None or cell.weekday == names[at] for at, cell in enumerate(row.days) if week > 1)


@pytest.mark.once
def test_every_month_and_festival_is_on_one_page() -> None:
    for shape in (*PRESETS.values(), _begins_with_a_feast()):
        count = reckoning(shape)
        pages = {sheets.chapter(count, month) for month in range(1, len(shape.months) + 1)}
        assert sorted(month for page in pages for month in page) == list(range(1, len(shape.months) + 1))
        seen, at = set(), (1, 1)
        for _ in range(len(pages)):
            seen.add(sheets.chapter(count, at[1]))
            following = sheets.beside(count, *at, 1)
            assert following is not None
            at = following
        assert seen == pages and at[0] == 2
        back = sheets.beside(count, *at, -1)
        assert back is not None and back[0] == 1


def _begins_with_a_feast() -> Shape:
    feast = Month(name="Feast", days=2, between=True)
    return Shape(name="x", months=(feast, feast, Month(name="One", days=9), feast, Month(name="Two", days=9)))


@pytest.mark.once
def test_a_moon_is_drawn_as_it_stands() -> None:
    assert sheets.lit(0) == "" and sheets.lit(0.5).count("A8 8") == 2
    quarter, last = sheets.lit(0.25), sheets.lit(0.75)
    assert "A8 8 0 0 1 0 8" in quarter and "A8 8 0 0 0 0 8" in last
    shape = Shape(name="x", months=(Month(name="One", days=30),), moons=(Moon(name="Ansa", period="30"),))
    sheet = sheets.lay(reckoning(shape), 1, 1, On())
    assert [(one.day, moon.phase) for one in sheet.days for moon in one.moons] == [
        (1, "new"), (8, "first quarter"), (16, "full"), (23, "last quarter")]  # fmt: skip


@pytest.mark.once
def test_days_with_much_on_them_say_how_much_more() -> None:
    words = [Word(str(n), "note", f"N{n}", "", "/", TODAY, TODAY) for n in range(9)]
    for many, shown, more in ((4, 4, 0), (5, 5, 0), (6, 4, 2), (9, 4, 5)):
        found = sheets.day_of(COUNT, TODAY, On(words[:many], TODAY))
        assert (len(found.words), found.more, found.today) == (shown, more, True)


async def _seat(session: AsyncSession, handle: str) -> tuple[Member, uuid.UUID]:
    campaign = (await session.scalars(select(Campaign).where(Campaign.demo))).one()
    who = select(Member).where(Member.campaign_id == campaign.id, Member.handle == handle)
    return (await session.scalars(who)).one(), campaign.id
