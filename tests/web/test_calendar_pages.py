"""The calendar's pages: what is on them, dates that do not exist, and months of every shape."""

import asyncio
import itertools
import re
import uuid
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state as books
from app.almanac import entries
from app.almanac.entries import EntryTyped
from app.calendar.days import Date, reckoning
from app.calendar.presets import PRESETS
from app.calendar.shape import Month, Moon, Shape
from app.models.almanac import Crossing, Happening
from app.models.base import new_id
from app.models.people import Campaign, Character, Member
from app.models.scenes import Scene
from app.play import next_up
from app.table.runtime import Runtime
from app.web.calendar import month as sheets
from app.web.calendar.month import CalendarItem, DayContents
from tests.browser.planned_year import COUNT, TODAY, YEAR, day, plan
from tests.web.browser import Browser
from tests.web.seated_demo import seated_demo

pytestmark = pytest.mark.anyio
HOME = "/c/the-goblin-road"
WAITING = (
    "SELECT count(*) FROM pg_locks WHERE NOT granted "
    "AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())"
)


@pytest.fixture
async def people(site: FastAPI, open_browser: Callable[[], Browser]) -> dict[str, Browser]:
    """The demo campaign with its year planned; everybody at a browser."""
    demo = await seated_demo(site, open_browser)
    async with demo.runtime.sessions.begin() as session:
        await plan(session)
    return demo.browsers


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
    today = await people["alice"].get(f"{HOME}/alice/calendar/day")
    assert today.status == 200 and "today" in today.text
    for at in ("x", "99999999999", "1e9", "-400000001"):
        assert (await people["alice"].get(f"{HOME}/alice/calendar/day?at={at}")).status == 404


async def test_a_number_that_is_none_means_today(people: dict[str, Browser]) -> None:
    gm = people["gm"]
    entry = await gm.send(await gm.get(f"{HOME}/gm/calendar/entries/new"), "/calendar/entries", {"title": "A thing"})
    paths = ("move?to=", "entries/new?day=", f"{entry.path.split('/calendar/')[1]}?on=")
    for odd, path in zip(("--5", "-", "²", "٣", "9" * 12, "%00"), itertools.cycle(paths), strict=False):
        assert (await gm.get(f"{HOME}/gm/calendar/{path}{odd}")).status == 200, path


async def test_a_million_years_away_is_a_month_like_others(people: dict[str, Browser]) -> None:
    for far in (1_000_000, -1_000_000, 0):
        for view in ("", "/year", "/agenda"):
            page = await people["alice"].get(f"{HOME}/alice/calendar{view}?year={far}&month=1")
            assert page.status == 200, (view, far)


async def test_filters_keep_to_every_page(people: dict[str, Browser]) -> None:
    page = await people["gm"].get(f"{HOME}/gm/calendar?kind=scene&who=bob")
    assert "Council at Ashby" in page.text and "The clearing" not in page.text and "Lantern" not in page.text
    assert "kind=scene&amp;who=bob" in page.html, "turning the page keeps the filter"
    page = await people["gm"].get(f"{HOME}/gm/calendar?place=thorn&kind=nonsense&who=%00")
    assert "Lantern feast" in page.text and "Council" not in page.text


async def test_search_finds_what_is_years_away(people: dict[str, Browser], site: FastAPI) -> None:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        gm, campaign = await _seat(session, "gm")
        far = EntryTyped(title="The comet returns", day=COUNT.number(Date(YEAR + 900, 1, 1)), kind="event")
        await entries.add(session, runtime.vault, campaign, gm, far)
    page = await people["alice"].get(f"{HOME}/alice/calendar/agenda?q=COMET")
    assert "The comet returns" in page.text and "1312 OR" in page.text
    page = await people["alice"].get(f"{HOME}/alice/calendar/agenda?q=100%25")
    assert "match “100%”" in page.text


async def test_a_characters_time_says_where_they_are(people: dict[str, Browser]) -> None:
    page = await people["bob"].get(f"{HOME}/bob/calendar/of/alice")
    for words in ("Chapter 1", "Spring, 412 OR", "The clearing", "Alice rides to the coast", "today"):
        assert words in page.text, words
    assert "Bob reaches Thornwick" not in page.text


async def test_the_fog_hides_days_and_what_is_on_them(people: dict[str, Browser], site: FastAPI) -> None:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        _, campaign = await _seat(session, "gm")
        book = await books.read(session, campaign)
        await books.choose_settings(session, runtime.vault, campaign, 3, book.settings, book.version)
    page = await people["alice"].get(f"{HOME}/alice/calendar")
    assert "is-fogged" in page.html and "Nobody knows yet what comes after Wainday, 9 Leaf 412 OR" in page.text
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


# ---- entries -------------------------------------------------------------------------------------------------------


async def test_an_entry_is_made_looked_at_changed_and_crossed_out(people: dict[str, Browser]) -> None:
    alice, bob = people["alice"], people["bob"]
    form = await alice.get(f"{HOME}/alice/calendar/entries/new?day={TODAY}&who=alice")
    assert 'value="alice" checked' in form.html
    typed = {"title": "A walk by the river", "day": "20", "lasts": "3", "place": "The river", "people": "alice"}
    page = await alice.send(form, "/calendar/entries", typed)
    assert page.status == 200 and "Entry added." in page.text
    assert "Moonday, 20 Leaf 412 OR to Hearthday, 22 Leaf 412 OR" in page.text and "in 14 days" in page.text
    other = await bob.get(page.path.replace("/alice/", "/bob/"))
    assert "A walk by the river" in other.text and not other.has_form("/mark") and "Added by Alice" in other.text
    stale = page
    page = await alice.send(page, "/change", {"title": "A ride by the river", "day": "21"})
    assert "A ride by the river" in page.text and "21 Leaf 412 OR to" in page.text
    refused = await alice.post(f"{stale.path}/change", {**dict(stale.form("/change").fields), "title": "Too late"})
    assert refused.status == 409 and "Too late" in refused.html and "Someone changed" in refused.text
    assert (await bob.post(stale.path.replace("/alice/", "/bob/") + "/change", {"title": "Mine"})).status == 403
    page = await alice.post(f"{page.path}/mark", {"version": "2", "state": "dropped"})
    assert "cancelled" in page.text
    assert "A ride by the river" not in (await alice.get(f"{HOME}/alice/calendar")).html


async def test_pressed_twice_it_is_one_entry_and_other_words_are_another(people: dict[str, Browser]) -> None:
    alice = people["alice"]
    form = await alice.get(f"{HOME}/alice/calendar/entries/new?day={TODAY}")
    walks = [await alice.send(form, "/calendar/entries", {"title": "A walk"}) for _ in range(2)]
    assert walks[0].path == walks[1].path
    swim = await alice.send(form, "/calendar/entries", {"title": "A swim"})
    assert swim.path != walks[0].path, "gone back to the form and typed something else"
    found = (await alice.get(f"{HOME}/alice/calendar/agenda?q=A+walk")).html
    assert len(set(re.findall(r"calendar/entries/([0-9a-f-]{36})", found))) == 1


async def test_a_gm_is_told_that_an_author_keeps_seeing_it(people: dict[str, Browser]) -> None:
    form = await people["bob"].get(f"{HOME}/bob/calendar/entries/new?day={TODAY}")
    page = await people["bob"].send(form, "/calendar/entries", {"title": "My plan", "seen_by": "gm"})
    assert "GMs and its author" in (await people["gm"].get(page.path.replace("/bob/", "/gm/"))).text


REPEATS: tuple[tuple[dict[str, str], list[str], str], ...] = (
    ({"repeat": "days", "every": "10"}, ["Restday, 6 Leaf", "16 Leaf", "26 Leaf"], "every 10 days"),
    ({"repeat": "weekly", "weekdays": "3"}, ["Hearthday, 10 Leaf", "16 Leaf"], "every Hearthday"),
    ({"repeat": "date", "month_day": "-1"}, ["30 Leaf 412", "30 Fog 412"], "on the last day of every month"),
    (
        {"repeat": "nth", "nth": "2", "nth_weekday": "1", "of_month": "16"},
        ["Moonday, 8 Ember 412", "413"],
        "second Moonday",
    ),
    ({"repeat": "moon", "moon": "0", "phase": "full"}, ["15 Leaf 412", "15 Fog 412"], "when Ansa is full"),
    ({"repeat": "season", "season": "0"}, ["1 Seed 413 OR", "1 Seed 414 OR"], "when Spring begins"),
)


async def test_what_comes_again_says_when_before_it_is_kept(people: dict[str, Browser]) -> None:
    gm = people["gm"]
    form = await gm.get(f"{HOME}/gm/calendar/entries/new?day={TODAY}")
    for typed, first, repeats in REPEATS:
        title = f"Again: {typed['repeat']}"
        fields = [pair for pair in form.form("/entries").fields if pair[0] not in ("title", *typed)]
        pairs = [*fields, ("title", title), *typed.items()]
        shown = await gm.post(f"{HOME}/gm/calendar/entries", [*pairs, ("_act", "times")])
        assert shown.status == 200 and "Next dates" in shown.text
        assert [words for words in first if words not in shown.text] == []
        assert title not in (await gm.get(f"{HOME}/gm/calendar")).text, "nothing is kept yet"
        page = await gm.post(f"{HOME}/gm/calendar/entries", pairs)
        assert repeats in page.text
        again = dict(page.form("/change").fields)
        assert all(again[name] == value for name, value in typed.items()), "the form that changes it says the same"


async def test_wrong_fields_are_named_and_the_rest_is_kept(people: dict[str, Browser]) -> None:
    gm = people["gm"]
    form = dict((await gm.get(f"{HOME}/gm/calendar/entries/new?day={TODAY}")).form("/entries").fields)
    form |= {"title": "Kept words", "text": "More kept words"}
    for wrong, field in (
        ({"day": "31"}, "day"),
        ({"lasts": "0"}, "lasts"),
        ({"title": ""}, "title"),
        ({"kind": "dragon"}, "kind"),
        ({"repeat": "weekly"}, "weekdays"),
        ({"repeat": "date", "month_day": "0"}, "month_day"),
        ({"repeat": "days", "until_day": "1", "until_month": "1", "until_year": "1"}, "repeat"),
        ({"repeat": "date", "month_day": "400"}, "repeat"),
        ({"people": "nobody"}, "people"),
        ({"kind": "session"}, "real_date"),
        ({"kind": "session", "real_date": "2026-12-24", "real_time": "25:00"}, "real_time"),
        ({"kind": "session", "real_date": "2026-12-24", "real_time": "19:30", "zone": "Middle/Earth"}, "zone"),
        ({"kind": "session", "real_date": "2026-12-24", "real_time": "19:30", "minutes": "a while"}, "minutes"),
        ({"kind": "session", "real_date": "2026-03-29", "real_time": "02:30", "zone": "Europe/Vienna"}, "real_time"),
    ):
        page = await gm.post(f"{HOME}/gm/calendar/entries", {**form, **wrong})
        assert page.status in (409, 422), wrong
        assert f'id="fault-{field}"' in page.html, (wrong, field)
        assert "More kept words" in page.html


async def test_sessions_stand_on_their_day_and_say_who_comes(people: dict[str, Browser]) -> None:
    gm, alice, bob = people["gm"], people["alice"], people["bob"]
    form = dict((await gm.get(f"{HOME}/gm/calendar/entries/new?day={TODAY}&kind=session")).form("/entries").fields)
    when = {"real_date": "2999-07-01", "real_time": "20:00", "zone": "Europe/Vienna", "minutes": "150"}
    page = await gm.post(f"{HOME}/gm/calendar/entries", {**form, **when, "title": "The long night"})
    assert 'datetime="2999-07-01T18:00:00+00:00"' in page.html and "2 h 30 min" in page.text
    assert page.text.count("no answer yet") == 4, "the GM and three players; whoever watches is not asked"
    at = page.path.replace("/gm/", "/{}/") + "/reply"
    await bob.post(at.format("bob"), {"answer": "no"})
    await bob.post(at.format("bob"), {"answer": "maybe"})
    page = await alice.post(at.format("alice"), {"answer": "yes"})
    assert "Answer saved" in page.text and page.text.count("maybe") == 1 and page.text.count("coming") == 1
    assert (await alice.post(at.format("alice"), {"answer": "later"})).status == 422
    assert (await people["sam"].post(at.format("sam"), {"answer": "yes"})).status == 403
    month = await alice.get(f"{HOME}/alice/calendar")
    assert "The long night" in month.text and "When we meet" in month.text
    await gm.post(page.path.replace("/alice/", "/gm/") + "/mark", {"version": "1", "state": "dropped"})
    assert (await alice.post(at.format("alice"), {"answer": "no"})).status in (404, 409)


async def test_private_entries_are_unknown_to_others(people: dict[str, Browser]) -> None:
    """An author chooses who may know; its address, its answers and its counts are closed to everybody else."""
    bob = people["bob"]
    form = dict((await bob.get(f"{HOME}/bob/calendar/entries/new?day={TODAY}")).form("/entries").fields)
    secret = uuid.uuid4().hex
    page = await bob.post(f"{HOME}/bob/calendar/entries", {**form, "title": secret, "seen_by": "gm", "place": secret})
    assert "Only you and the GM" in page.text
    for name, may in (("gm", True), ("alice", False), ("charlie", False), ("sam", False)):
        at = page.path.replace("/bob/", f"/{name}/")
        assert (await people[name].get(at)).status == (200 if may else 404)
        if not may and name != "sam":
            for path in ("/change", "/mark", "/reply"):
                answer = await people[name].post(f"{at}{path}", {"version": "1", "answer": "yes", "title": "x"})
                assert answer.status == 404, path
        for view in ("", "/agenda", f"/agenda?q={secret[:9]}", f"/day?at={TODAY}", "/year", f"?place={secret[:9]}"):
            seen = (await people[name].get(f"{HOME}/{name}/calendar{view}")).html
            assert (secret in seen) == may, (name, view)


# ---- time ----------------------------------------------------------------------------------------------------------


async def test_time_passes_after_it_was_shown_what_lies_ahead_and_is_taken_back(people: dict[str, Browser]) -> None:
    gm, alice = people["gm"], people["alice"]
    desk = await gm.get(f"{HOME}/gm/calendar/move?to={TODAY + 30}")
    for words in ("To Restday, 6 Fog 412", "Bob travels to Thornwick", "Lantern feast", "Time stops there"):
        assert words in desk.text, words
    form = desk.form("/calendar/go")
    answers = [await gm.post(f"{HOME}/gm/calendar/go", form.fields) for _ in range(2)]
    assert answers[0].path == answers[1].path, "a repeated press is one movement"
    moved = answers[0]
    assert moved.status == 200 and "Time has passed" in moved.text
    today = (await alice.get(f"{HOME}/alice/calendar")).text
    assert "today is Restday, 6 Leaf" not in today
    assert (await alice.get(moved.path.replace("/gm/", "/alice/"))).status == 403
    stale = await gm.post(f"{HOME}/gm/calendar/go", [*form.fields, ("_once", str(uuid.uuid4()))])
    assert stale.status == 409 and 'role="alert"' in stale.html
    back = await gm.send(moved, "/undo")
    assert "Undone" in back.text and "You undid this" in back.text
    assert "today is Restday, 6 Leaf" in (await alice.get(f"{HOME}/alice/calendar")).text


async def test_a_day_tells_what_it_did_to_whom_it_concerns(site: FastAPI, people: dict[str, Browser]) -> None:
    gm, runtime, at = people["gm"], site.state.runtime, TODAY + 1
    assert "What happened" not in (await gm.get(f"{HOME}/gm/calendar/day?at={at}")).text
    await gm.send(await gm.get(f"{HOME}/gm/calendar/move?to={at}"), "/calendar/go")
    async with runtime.sessions.begin() as session:
        crossing = (await session.scalars(select(Crossing))).one()
        roll = {"label": "x", "size": 8, "face": 7, "stream": "open"}
        shared = {"campaign_id": crossing.campaign_id, "crossing_id": crossing.id, "day": at, "kind": "healing"}
        for number, (who, seen_by) in enumerate((("Alice", "all"), ("The ogre", "gm")), 90):
            told = {"thing": f"days/{who}", "title": f"{who} mends", "text": "A roll.", "rolls": [roll], "people": []}
            session.add(Happening(id=new_id(), number=number, seen_by=seen_by, viewers=[], rule="", **shared, **told))
    for name, ogres in (("gm", True), ("alice", False), ("sam", False)):
        page = (await people[name].get(f"{HOME}/{name}/calendar/day?at={at}")).html
        assert "Alice mends" in page and "a d8 shows" in page and ("ogre" in page) == ogres, name


async def test_what_cannot_be_taken_back_says_why(people: dict[str, Browser]) -> None:
    gm = people["gm"]
    moved = await gm.send(await gm.get(f"{HOME}/gm/calendar/move?to={TODAY + 1}"), "/calendar/go")
    assert moved.has_form("/undo")
    new = await people["alice"].get(f"{HOME}/alice/calendar/entries/new?day={TODAY + 2}")
    await people["alice"].send(new, "/entries", {"title": "A note"})
    page = await gm.get(moved.path)
    assert page.has_form("/undo") and "(undo keeps it): “A note”" in page.text
    await people["alice"].send(new, "/entries", {"title": "A new plan", "kind": "event"})
    page = await gm.get(moved.path)
    assert not page.has_form("/undo") and "“A new plan” was edited" in page.text
    refused = await gm.post(f"{moved.path}/undo")
    assert refused.status == 409 and "acted since" in refused.text


async def test_a_day_that_is_over_is_refused_in_words(people: dict[str, Browser]) -> None:
    gm = people["gm"]
    for query in ("year=412&month=1&day=1", "year=412&month=1&day=99", "year=x"):
        page = await gm.get(f"{HOME}/gm/calendar/move?{query}")
        assert page.status == 422 and 'class="fault"' in page.html
    assert (await gm.get(f"{HOME}/gm/calendar/move?to=99999999999")).status == 200, "as far as one movement goes"


async def test_the_desk_proposes_opens_and_settles(people: dict[str, Browser], site: FastAPI) -> None:
    gm = people["gm"]
    new = await gm.get(f"{HOME}/gm/calendar/entries/new?day={TODAY}&kind=scene&who=alice")
    for title in ("The gate", "The well"):
        await gm.send(new, "/entries", {"title": title})
    desk = await gm.get(f"{HOME}/gm/calendar/move")
    assert "The gate" in desk.text and "the same date; this one was added first" in desk.text
    assert "a decision first" in desk.text and not desk.has_form("/calendar/go"), "time waits for scenes"
    hers = await gm.get(f"{HOME}/gm/desk")
    assert "The gate and The well" in hers.text and "Play it" in hers.text, "the stops stand on the GM's own desk too"
    moves = [one for one in hers.forms if one.action.endswith("/decide/put-off")]
    hers = await gm.post(moves[-1].action, {**dict(moves[-1].fields), "day": str(TODAY + 1)})
    assert hers.path == f"{HOME}/gm/desk" and "The gate and The well" not in hers.text, "moved, and back at the desk"
    desk = await gm.get(f"{HOME}/gm/calendar/move")
    opening = await gm.send(desk, "/open")
    assert opening.path.endswith("/scenes/new") and 'value="The gate"' in opening.html
    assert 'name="seat[]" value="alice" checked' in opening.html and 'value="bob" checked' not in opening.html
    fields = [*opening.form("/scenes/new").fields, ("held", "copy")]
    fields += [("given.muster.sword-goblin.count", "1")]
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        # As a movement of time locks: the almanac, then characters. Whoever opens a scene waits, and holds nobody.
        _, campaign = await _seat(session, "gm")
        await books.hold(session, runtime.vault, campaign)
        opened = asyncio.create_task(gm.post(f"{HOME}/gm/scenes/new", fields))
        while not await session.scalar(text(WAITING)):
            assert not opened.done(), "whoever opens a scene waits for the almanac"
            await asyncio.sleep(0.01)
        await session.execute(
            select(Character.id).where(Character.campaign_id == campaign).with_for_update(nowait=True)
        )
    scene = await opened
    assert "/scene/" in scene.path, scene.text
    desk = await gm.get(f"{HOME}/gm/calendar/move")
    assert "Go to the table" in desk.text
    assert "In two places at once" in desk.text and "is in “Alice rides to the coast” at that time" in desk.text
    settled = await gm.send(desk, "/decide/allow")
    assert "Saved." in settled.text and "In two places at once" not in settled.text


# ---- months of every shape -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("days", [1, 5, 28, 31, 500])
@pytest.mark.parametrize("week", [0, 1, 6, 10, 11, 14, 30])
@pytest.mark.parametrize("weeks", ["on", "by-month"])
def test_a_month_of_any_length_and_week_shows_each_day_once(days: int, week: int, weeks: str) -> None:
    names = tuple(f"Day {number}" for number in range(week))
    months = (Month(name="One", days=3), Month(name="Two", days=days))
    count = reckoning(Shape.model_validate({"name": "x", "months": months, "weekdays": names, "weeks": weeks}))
    span = CalendarItem("a", "note", "A", "A", "/", 2, 3 + days // 2)
    sheet = sheets.lay(count, 1, 2, DayContents([span], 4))
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


def test_every_month_and_festival_is_on_one_page() -> None:
    for shape in (*PRESETS.values(), _begins_with_a_feast()):
        count = reckoning(shape)
        pages = {sheets.chapter(count, month) for month in range(1, len(shape.months) + 1)}
        assert sorted(month for page in pages for month in page) == list(range(1, len(shape.months) + 1))
        full = next(year for year in range(1, 20) if all(count.lengths(year)))  # a year with its leap month
        seen, at = set(), (full, 1)
        for _ in range(len(pages)):
            seen.add(sheets.chapter(count, at[1]))
            following = sheets.beside(count, *at, 1)
            assert following is not None
            at = following
        assert seen == pages and at[0] == full + 1
        back = sheets.beside(count, *at, -1)
        assert back is not None and back[0] == full


def _begins_with_a_feast() -> Shape:
    feast = Month(name="Feast", days=2, between=True)
    return Shape(name="x", months=(feast, feast, Month(name="One", days=9), feast, Month(name="Two", days=9)))


def test_a_moon_is_drawn_as_it_stands() -> None:
    assert sheets.lit(0) == "" and sheets.lit(0.5).count("A8 8") == 2
    quarter, last = sheets.lit(0.25), sheets.lit(0.75)
    assert "A8 8 0 0 1 0 8" in quarter and "A8 8 0 0 0 0 8" in last
    shape = Shape(name="x", months=(Month(name="One", days=30),), moons=(Moon(name="Ansa", period="30"),))
    sheet = sheets.lay(reckoning(shape), 1, 1, DayContents())
    assert [(one.day, moon.phase) for one in sheet.days for moon in one.moons] == [
        (1, "new"), (8, "first quarter"), (16, "full"), (23, "last quarter")]  # fmt: skip


def test_days_with_much_on_them_say_how_much_more() -> None:
    words = [CalendarItem(str(n), "note", f"N{n}", "", "/", TODAY, TODAY) for n in range(9)]
    for many, shown, more in ((4, 4, 0), (5, 5, 0), (6, 4, 2), (9, 4, 5)):
        found = sheets.day_of(COUNT, TODAY, DayContents(words[:many], TODAY))
        assert (len(found.words), found.more, found.today) == (shown, more, True)


async def _seat(session: AsyncSession, handle: str) -> tuple[Member, uuid.UUID]:
    campaign = (await session.scalars(select(Campaign).where(Campaign.demo))).one()
    who = select(Member).where(Member.campaign_id == campaign.id, Member.handle == handle)
    return (await session.scalars(who)).one(), campaign.id


async def test_a_scene_that_is_paused_on_the_calendar_is_paused_at_the_table(
    site: FastAPI, people: dict[str, Browser]
) -> None:
    gm, runtime = people["gm"], site.state.runtime
    async with runtime.sessions.begin() as session:
        scene = (await session.scalars(select(Scene).where(Scene.status == "open"))).one()
        member = (await session.scalars(select(Member).where(Member.handle == "gm"))).one()
        typed = EntryTyped(kind="scene", title="The long fight", day=TODAY)
        entry = await entries.add(session, runtime.vault, scene.campaign_id, member, typed)
        await next_up.link(session, runtime.vault, scene.campaign_id, entry.id, entry.version, scene.id, member)
    at = f"{HOME}/gm/calendar/entries/{entry.id}"
    page = await gm.get(at)
    form = next(one for one in page.forms if one.action.endswith("/decide/put-off"))
    fields = [(name, {"pick_day": "20", "pick_month": "13"}.get(name, value)) for name, value in form.fields]
    answer = await gm.post(f"{at}/decide/pause", fields)
    assert answer.status == 200 and "Saved" in answer.text, answer.text
    async with runtime.sessions() as session:
        assert (await session.get_one(Scene, (scene.campaign_id, scene.id))).paused_at is not None
    again = await gm.post(f"{at}/decide/pause", fields)
    assert again.status == 409, "the page was older than the calendar"
    async with runtime.sessions() as session:
        assert (await session.get_one(Scene, (scene.campaign_id, scene.id))).paused_at is not None
