"""Rows of the ledger that are the calendar's own, each shown once in its plainest form."""

import pytest
from sqlalchemy import select

from app.almanac import calendar_state as books
from app.models.almanac import Entry
from tests.almanac.small_campaign import Land

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]


async def test_one_calendar_for_all_and_everything_on_it_seen_by_all(land: Land) -> None:
    """CHR-CAL-01, CHR-CAL-14: a player's entry stands on everybody's calendar, unless its author says otherwise."""
    entry = await land.add(land.ann, "note", "a letter", 3)
    assert entry.seen_by == "all"
    for member in (land.gm, land.ann, land.bea, land.watcher):
        assert await land.titles(member, 0, 9) == ["a letter"], member.name


async def test_the_usual_calendar_has_twelve_months_of_thirty_days(land: Land) -> None:
    """CHR-CAL-15."""
    async with land.sessions() as session:
        book = await books.read(session, land.id)
    assert book.count.lengths(1) == (30,) * 12 == book.count.lengths(999)
    assert (book.settings.turn_month, book.settings.turn_day) == (1, 1)


async def test_works_and_journeys_come_to_their_end_by_themselves_in_the_order_of_their_making(land: Land) -> None:
    """CHR-CAL-07, CHR-CAL-09, on the day that was agreed (CHR-CAL-10), and what an entry holds (CHR-CAL-13)."""
    ship = await land.add(land.ann, "completion", "the ship", 4, people=(), place="Ford", text="oak")
    await land.add(land.bea, "arrival", "Bea is there", 4)
    await land.add(land.ann, "completion", "the house", 9)
    assert (ship.kind, ship.day, ship.place, ship.text, ship.author_id, ship.made_no, ship.state) == (
        "completion", 4, "Ford", "oak", land.ann.id, 1, "open",
    )  # fmt: skip
    await land.move(5)
    assert [(day, title) for day, title, _ in await land.happened()] == [(4, "the ship"), (4, "Bea is there")]
    async with land.sessions() as session:
        rows = await session.execute(
            select(Entry.title, Entry.state).where(Entry.campaign_id == land.id).order_by(Entry.made_no)
        )
    assert rows.all() == [("the ship", "done"), ("Bea is there", "done"), ("the house", "open")]


async def test_healing_is_rolled_when_its_day_comes_and_not_before(land: Land) -> None:
    """CHR-CAL-16: what a day brings is in no row until time has passed it."""
    await land.person("Ella", bruises=2)
    await land.add(land.gm, "note", "far away", 30)
    assert await land.happened() == []
    await land.move(1)
    first = await land.happened()
    assert first and {kind for _, _, kind in first} == {"healing"} and max(day for day, _, _ in first) <= 1
