"""What stands on a calendar: order, spans, repeats, who may know of it and who may write it."""

import uuid
from datetime import UTC, datetime

import pytest
from sqlalchemy import event

from app.almanac import calendar_state as books
from app.almanac import entries
from app.almanac.calendar_state import AlmanacSettings
from app.almanac.entries import EntryTyped
from app.almanac.visibility import Filter
from app.calendar.order import KINDS
from app.calendar.presets import PRESETS
from app.calendar.repeat import RULE, EveryDays, OnDate, Weekly
from app.campaign import characters
from app.errors import Conflict, NotThere, NotYours
from app.models.almanac import Entry
from tests.almanac.small_campaign import Land

pytestmark = pytest.mark.anyio


def test_the_form_and_the_order_name_the_same_kinds() -> None:
    assert set(KINDS) == set(entries.Kind.__args__)  # type: ignore[attr-defined]


async def test_without_a_calendar_there_is_the_plain_one(land: Land) -> None:
    async with land.sessions() as session:
        book = await books.read(session, land.id)
    assert book.shape == PRESETS["plain"] and (book.today, book.fog, book.version) == (0, None, 1)


async def test_things_of_one_day_stand_in_the_books_order(land: Land) -> None:
    """CHR-CAL-11: the year turns; what is done or arrives, as made; healing; events; scenes, the first made first."""
    for kind, title, more in (
        ("scene", "late", {"minute": 900}), ("scene", "early", {"minute": 60}), ("scene", "all day", {}),
        ("event", "flood", {}), ("healing", "arm", {}), ("arrival", "ship", {"minute": 700}),
        ("completion", "wall", {"minute": 5}), ("reckoning", "year", {}),
    ):  # fmt: skip
        await land.add(land.gm, kind, title, 5, **more)  # type: ignore[arg-type]
    order = ["year", "ship", "wall", "arm", "flood", "all day", "early", "late"]
    assert await land.titles(land.ann, 5, 5) == order


async def test_spans_and_repeats_are_found_on_every_day_they_touch(land: Land) -> None:
    await land.add(land.gm, "holiday", "fair", 10, last_day=14)
    await land.add(land.gm, "holiday", "market", 0, last_day=1, rule=EveryDays(days=10))
    await land.add(land.gm, "note", "rent", 3, rule=OnDate(day=1))
    assert [(one.title, one.first, one.last) for one in await land.between(land.ann, 11, 12)] == [
        ("fair", 10, 14),
        ("market", 10, 11),
    ]
    assert await land.titles(land.ann, 15, 19) == []
    assert [one.first for one in await land.between(land.ann, 0, 65) if one.title == "rent"] == [30, 60]
    assert (await land.between(land.ann, 30, 30, Filter(text="REN")))[0].series_day == 30


async def test_who_may_know(land: Land) -> None:
    """All, the named, the GM alone; the author always, GMs everything, and nobody else by any way."""
    all_ = await land.add(land.gm, "note", "all", 1)
    named = await land.add(land.gm, "note", "named", 1, seen_by="named", viewers=(land.ann.id,))
    secret = await land.add(land.gm, "note", "secret", 1, seen_by="gm")
    own = await land.add(land.bea, "note", "own", 1, seen_by="gm")
    again = await land.add(land.gm, "note", "again", 1, seen_by="gm", rule=EveryDays(days=1, until=2))
    assert await land.titles(land.gm, 1, 1) == ["all", "named", "secret", "own", "again"]
    assert await land.titles(land.ann, 1, 3) == ["all", "named"]
    assert await land.titles(land.bea, 1, 3) == ["all", "own"]
    assert await land.titles(land.watcher, 1, 3, Filter(text="secret")) == []
    async with land.sessions.begin() as session:
        for entry, member in ((named, land.bea), (secret, land.ann), (own, land.ann), (again, land.watcher)):
            with pytest.raises(NotThere):
                await entries.get_entry(session, land.id, member, entry.id)
            with pytest.raises(NotThere):
                await entries.drop(session, land.vault, land.id, entry.id, 1, member)
        with pytest.raises(NotYours):
            await entries.drop(session, land.vault, land.id, all_.id, 1, land.ann)
        seen = await entries.get_entry(session, land.id, land.bea, own.id)
        assert seen.mine and seen.editable and seen.standing == "pass"
        told = await entries.get_entry(session, land.id, land.ann, named.id)
        assert not told.mine and not told.editable and told.standing == ""


async def test_fog_hides_what_is_further_ahead(land: Land) -> None:
    async with land.sessions.begin() as session:
        await books.choose_settings(session, land.vault, land.id, 10, AlmanacSettings(), 1)
    far = await land.add(land.gm, "holiday", "far", 11)
    await land.add(land.gm, "holiday", "near", 10)
    await land.add(land.gm, "holiday", "weekly", 4, rule=EveryDays(days=7))
    await land.add(land.ann, "note", "plan", 20)
    when = datetime(2026, 11, 25, 19, tzinfo=UTC)
    await land.add(land.gm, "session", "we meet", 30, starts_at=when)
    assert await land.titles(land.bea, 0, 40) == ["weekly", "near", "we meet"]
    assert await land.titles(land.ann, 0, 40) == ["weekly", "near", "plan", "we meet"]
    assert len(await land.between(land.gm, 0, 40)) == 10
    async with land.sessions() as session:
        with pytest.raises(NotThere):
            await entries.get_entry(session, land.id, land.bea, far.id)


async def test_what_is_looked_for(land: Land) -> None:
    async with land.sessions.begin() as session:
        await characters.create(session, land.campaign, "Ella", "toy", {"name": "Ella"}, land.ann)
    await land.add(land.gm, "scene", "100% sure", 1, people=("ella",), place="Old Mill")
    await land.add(land.gm, "note", "other", 1, text="at the mill, a_b")
    assert await land.titles(land.ann, 0, 9, Filter(people=frozenset({"ella", "nobody"}))) == ["100% sure"]
    assert await land.titles(land.ann, 0, 9, Filter(text="0%")) == ["100% sure"]
    assert await land.titles(land.ann, 0, 9, Filter(text="a_B")) == ["other"]
    assert await land.titles(land.ann, 0, 9, Filter(text="mill")) == ["other", "100% sure"]
    assert await land.titles(land.ann, 0, 9, Filter(place="mill")) == ["100% sure"]
    assert await land.titles(land.ann, 0, 9, Filter(kinds=frozenset({"note"}), text="mill")) == ["other"]
    with pytest.raises(NotThere) as no:
        await land.add(land.gm, "note", "who", 1, people=("gone",))
    assert no.value.field == "people"
    with pytest.raises(NotThere) as no:
        await land.add(land.gm, "note", "who", 1, seen_by="named", viewers=(uuid.uuid4(),))
    assert no.value.field == "viewers"


async def test_two_writers_and_what_was_dropped(land: Land) -> None:
    entry = await land.add(land.ann, "note", "mine", 1)
    async with land.sessions.begin() as session:
        typed = EntryTyped(title="ours", day=2)
        changed = await entries.change(session, land.vault, land.id, entry.id, 1, typed, land.gm)
        assert (changed.title, changed.version, changed.author_id) == ("ours", 2, land.ann.id)
    async with land.sessions.begin() as session:
        with pytest.raises(Conflict):
            await entries.change(session, land.vault, land.id, entry.id, 1, typed, land.ann)
        await entries.drop(session, land.vault, land.id, entry.id, 2, land.ann)
    assert await land.titles(land.gm, 0, 9) == []
    assert await land.titles(land.gm, 0, 9, Filter(states=frozenset({"dropped"}))) == ["ours"]


async def test_who_may_write(land: Land) -> None:
    with pytest.raises(NotYours):
        await land.add(land.watcher, "note", "no", 1)
    with pytest.raises(NotYours):
        await land.add(land.ann, "reckoning", "no", 1)
    with pytest.raises(Conflict) as never:
        await land.add(land.ann, "note", "no", 1, rule=Weekly(weekdays=frozenset({3})))
    assert never.value.field == "rule"


async def test_another_calendar_leaves_every_day_where_it_is(land: Land) -> None:
    await land.add(land.gm, "note", "kept", 400)
    async with land.sessions.begin() as session:
        book = await books.choose_shape(session, land.vault, land.id, PRESETS["gregorian"], 1, 365)
        assert book.count.said(book.today) == "Tuesday, 1 January 2 AD"
        with pytest.raises(Conflict):
            await books.choose_shape(session, land.vault, land.id, PRESETS["plain"], 1, 0)
    assert [one.first for one in await land.between(land.gm, 0, 1000)] == [400]


async def test_many_entries_are_added_by_few_statements(land: Land) -> None:
    """What an import brings: in its order, each with its state, all or none."""
    said: list[str] = []
    many = [EntryTyped(kind="note", title=f"note {number}", day=number % 7) for number in range(300)]
    yearly = EntryTyped(kind="holiday", title="feast", day=40, rule=OnDate(day=3, month=1))
    async with land.sessions.begin() as session:
        engine = session.get_bind()
        note = lambda *told: said.append(told[2])  # noqa: E731
        event.listen(engine, "before_cursor_execute", note)
        try:
            await entries.add_all(
                session, land.vault, land.id, land.gm, [*((one, "open") for one in many), (yearly, "done")]
            )
        finally:
            event.remove(engine, "before_cursor_execute", note)
    assert len(said) < 20, "not a few for each entry"
    assert await land.titles(land.ann, 2, 2) == [one.title for one in many if one.day == 2]
    (feast,) = [one for one in await land.between(land.ann, 360, 362) if one.title == "feast"]
    assert (feast.state, feast.series_day, feast.made_no) == ("done", 362, 301)
    async with land.sessions.begin() as session:
        almanac = await books.hold(session, land.vault, land.id)
        almanac.made = entries.MOST_ENTRIES - 1
    with pytest.raises(Conflict, match="too many"):
        async with land.sessions.begin() as session:
            await entries.add_all(session, land.vault, land.id, land.gm, [(many[0], "open"), (many[1], "open")])


async def test_a_session_does_not_repeat_unless_it_did(land: Land) -> None:
    """It has one date in the real world. Sessions that an older Signet stored stay as they are."""
    begins = datetime(2027, 1, 5, 19, tzinfo=UTC)
    weekly = {"kind": "session", "title": "evening", "day": 3, "rule": EveryDays(days=7), "starts_at": begins}
    with pytest.raises(Conflict, match="cannot repeat") as refused:
        await land.add(land.gm, **weekly)  # type: ignore[arg-type]
    assert refused.value.field == "rule"
    once = await land.add(land.gm, **{**weekly, "rule": None})  # type: ignore[arg-type]
    market = await land.add(land.gm, "note", "market", 3, rule=EveryDays(days=7))
    for entry in (once, market):
        with pytest.raises(Conflict, match="cannot repeat"):
            async with land.sessions.begin() as session:
                typed = EntryTyped.model_validate(weekly)
                await entries.change(session, land.vault, land.id, entry.id, entry.version, typed, land.gm)
    async with land.sessions.begin() as session:
        await books.hold(session, land.vault, land.id)
        old = await session.get_one(Entry, (land.id, once.id))
        old.rule = RULE.dump_python(EveryDays(days=7, start=3), mode="json")
    async with land.sessions.begin() as session:
        typed = EntryTyped.model_validate({**weekly, "title": "each week"})
        await entries.change(session, land.vault, land.id, once.id, once.version, typed, land.gm)
    assert [one.first for one in await land.between(land.ann, 0, 20) if one.title == "each week"] == [3, 10, 17]
