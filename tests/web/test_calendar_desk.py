"""The calendar as a desk: adding on a day, moving to another, signs for kinds, repeats folded into one line."""

import re

import pytest
from fastapi import FastAPI

from app.almanac import calendar_state as books
from app.calendar.days import reckoning
from app.calendar.presets import PRESETS
from app.calendar.repeat import EveryDays, NthWeekday, OnDate, Rule, Weekly
from app.table.runtime import Runtime
from app.web.calendar import words as said
from tests.browser.planned_year import TODAY, day
from tests.web.browser import Browser
from tests.web.test_calendar_pages import HOME, _seat
from tests.web.test_calendar_pages import people as people

pytestmark = pytest.mark.anyio
Seats = dict[str, Browser]


async def test_the_short_form_adds_on_its_day_and_keeps_what_was_typed(people: Seats) -> None:
    alice, at = people["alice"], day("Leaf", 25)
    month = await alice.get(f"{HOME}/alice/calendar?add={at}")
    assert month.html.count('class="short-form') == 2, "on the day of the table, and of the list"
    assert (
        month.html.count("is-adding") == 2
        and "For now" not in month.text
        and 'value="session">' not in (month.html.split('class="short-form')[1].split("</form>")[0])
    )
    fields = dict(month.form("/calendar/entries").fields)
    for typed, fault in (({"title": " "}, "title"), ({"title": "Kept", "kind": "healing"}, "kind")):
        refused = await alice.post(f"{HOME}/alice/calendar/entries", {**fields, **typed})
        assert refused.status in (409, 422) and refused.html.count(f'id="fault-{fault}-table"') == 1
        assert f'value="{typed["title"].strip()}"' in refused.html and "Leaf, 412 OR" in refused.text
    more = await alice.post(f"{HOME}/alice/calendar/entries", {**fields, "title": "A ball", "_act": "more"})
    full = dict(more.form("/calendar/entries").fields)
    assert more.status == 200 and full["title"] == "A ball" and (full["day"], full["month"]) == ("25", "13")
    empty = await alice.post(f"{HOME}/alice/calendar/entries", {**fields, "title": "", "_act": "more"})
    assert empty.status == 200 and "fault-" not in empty.html, "nothing is wrong with going on"
    added = [await alice.post(f"{HOME}/alice/calendar/entries", {**fields, "title": "A ball"}) for _ in range(2)]
    assert added[0].status == 200 and "Entry added." in added[0].text and "Leaf, 412 OR" in added[0].text
    assert "short-form" not in added[0].html
    seen = (await people["bob"].get(f"{HOME}/bob/calendar/day?at={at}")).text
    assert seen.count("A ball") == 1, "pressed twice it is one, and everyone sees it"


async def test_the_short_form_says_who_sees_it_in_the_fog_and_is_not_for_spectators(
    people: Seats, site: FastAPI
) -> None:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        _, campaign = await _seat(session, "gm")
        book = await books.read(session, campaign)
        await books.choose_settings(session, runtime.vault, campaign, 3, book.settings, book.version)
    for name, words in (("gm", "For now only GMs see it."), ("alice", "For now only you and the GMs see it.")):
        assert words in (await people[name].get(f"{HOME}/{name}/calendar?add={TODAY + 5}")).text
        assert "For now" not in (await people[name].get(f"{HOME}/{name}/calendar?add={TODAY + 2}")).text
    watched = await people["sam"].get(f"{HOME}/sam/calendar?add={TODAY}")
    assert watched.status == 200 and "short-form" not in watched.html and "data-add" not in watched.html
    for odd in ("x", "-", "99999999999", "400000000", "-399999999", "%00"):
        assert (await people["alice"].get(f"{HOME}/alice/calendar?add={odd}")).status == 200
        sent = {"_quick": odd.replace("%00", "\0"), "title": "Nowhere"}
        assert (await people["alice"].post(f"{HOME}/alice/calendar/entries", sent)).status == 422


async def test_an_entry_is_moved_by_its_page_and_by_a_drag_and_keeps_its_length(people: Seats) -> None:
    bob, gm = people["bob"], people["gm"]
    form = await bob.get(f"{HOME}/bob/calendar/entries/new?day={TODAY}")
    page = await bob.send(form, "/calendar/entries", {"title": "Tending the bees", "day": "20", "lasts": "3"})
    moved = await bob.send(page, "/move", {"pick_day": "24"})
    assert "24 Leaf 412 OR to" in moved.text and "26 Leaf 412 OR" in moved.text and "Entry moved" in moved.text
    dragged = {"version": "2", "day": str(day("Leaf", 2))}
    drag = {"HX-Request": "true"}
    assert (await bob.post(f"{page.path}/move", dragged, **drag)).status == 204
    assert "2 Leaf 412 OR to" in (await bob.get(page.path)).text
    late = await bob.post(f"{page.path}/move", dragged, **drag)
    assert late.status == 409 and "Someone changed this entry" in late.text and "Look at it again" in late.text
    assert "What you had typed" not in late.text, "nothing was"
    assert late.headers["HX-Retarget"] == "#problem" and "<main" not in late.html
    stale = await bob.send(page, "/move", {"pick_day": "25"})
    assert stale.status == 409 and "Someone changed" in stale.text and 'value="25"' in stale.html, "typed text stays"
    wrong = await bob.send(moved, "/move", {"pick_day": "99"})
    assert wrong.status == 409 and "it has 30 days" in wrong.text and 'value="99"' in wrong.html
    assert (await people["alice"].post(page.path.replace("/bob/", "/alice/") + "/move", dragged)).status == 403
    for name, may in (("alice", False), ("bob", True)):
        month = await people[name].get(f"{HOME}/{name}/calendar")
        link = re.search(r"title=\"Note: Tending the bees[^>]*>", month.html)
        assert link and ("data-move" in link[0]) == may, "only who may edit it can drag it"
    done = await gm.post(page.path.replace("/bob/", "/gm/") + "/mark", {"version": "3", "state": "done"})
    again = await gm.send(done, "/move", {"pick_day": "9"})
    assert "9 Leaf 412 OR to" in again.text and "done" in again.text, "what is done moves like the rest"


async def test_one_day_of_a_repeat_is_not_moved_alone(people: Seats) -> None:
    month = await people["gm"].get(f"{HOME}/gm/calendar?kind=healing")
    at = month.html.split("/calendar/entries/")[2][:36]
    page = f"{HOME}/gm/calendar/entries/{at}"
    refused = await people["gm"].post(f"{page}/move", {"version": "1", "day": str(TODAY)}, **{"HX-Request": "true"})
    assert refused.status == 409 and "repeats, so it cannot be moved on one day alone" in refused.text
    assert not (await people["gm"].get(page)).has_form("/move")


async def test_kinds_have_signs_and_each_page_explains_those_that_are_on_it(people: Seats) -> None:
    for view, there, not_there in (
        ("", {"Scene", "Journey leg", "Feast day", "Session", "Healing"}, set()),
        ("?kind=holiday", {"Feast day"}, {"Scene", "Note"}),
        ("/year?kind=scene", {"Scene"}, {"Note"}),
        ("/agenda?kind=note", {"Note"}, {"Scene"}),
    ):
        page = await people["alice"].get(f"{HOME}/alice/calendar{view}")
        legend = page.html.split('<ul class="legend"')[1].split("</ul>")[0]
        said = set(re.findall(r"</span>([^<]+)</li>", legend))
        assert there <= said and not said & not_there, (view, said)
    event = await people["alice"].get(f"{HOME}/alice/calendar?kind=event")
    assert 'aria-label="Event"><use href="' in event.html and "kinds.svg#star" in event.html
    empty = await people["alice"].get(f"{HOME}/alice/calendar?kind=event&place=nowhere")
    assert 'class="legend"' not in empty.html


async def test_repeats_fold_in_the_year_and_the_agenda_and_nowhere_else(people: Seats) -> None:
    arm = "Alice’s arm is looked at"
    agenda = await people["alice"].get(f"{HOME}/alice/calendar/agenda")
    assert agenda.text.count(arm) == 1 and f"{arm}, every 3 days (4 times)" in agenda.text
    tax = "The harbour tax is due, on the last day of every month (3 times)"
    assert tax in agenda.text and "Lantern feast" in agenda.text
    series = re.search(r'href="([^"]+)" title="Healing: Alice’s arm[^"]*, every 3 days', agenda.html)
    assert series and "Repeats" in (await people["alice"].get(series[1])).text
    year = await people["alice"].get(f"{HOME}/alice/calendar/year")
    assert year.text.count(arm) == 1 and f"{arm}, every 3 days (4 times)" in year.text
    assert year.text.count("The harbour tax is due") >= 2 and tax not in year.text, "once a month is no repeat"
    month = await people["alice"].get(f"{HOME}/alice/calendar")
    assert month.text.count(arm) >= 2 * 4 and "(4 times)" not in month.text
    late = await people["alice"].get(f"{HOME}/alice/calendar/agenda?year=412&month=13&day=16")
    assert f"{arm}" in late.text and "every 3 days" not in late.text, "a single one is itself"


async def test_a_session_keeps_its_moment_in_the_hour_that_comes_twice(people: Seats) -> None:
    """The browser shows the form in its own zone; whoever changes the title alone changes nothing else."""
    gm = people["gm"]
    new = await gm.get(f"{HOME}/gm/calendar/entries/new?day={TODAY}&kind=session")
    typed = {"title": "Late", "real_date": "2027-10-31", "real_time": "01:30", "zone": "UTC"}
    page = await gm.send(new, "/calendar/entries", typed)
    assert 'datetime="2027-10-31T01:30:00+00:00"' in page.html
    local = {"real_time": "02:30", "zone": "Europe/Berlin"}  # as static/js/moments.js writes it
    page = await gm.send(page, "/change", {**local, "title": "Later"})
    assert "Later" in page.text and 'datetime="2027-10-31T01:30:00+00:00"' in page.html
    page = await gm.send(page, "/change", {**local, "real_time": "02:45"})
    assert 'datetime="2027-10-31T00:45:00+00:00"' in page.html, "another time is one that was typed"


async def test_a_session_is_neither_offered_nor_given_a_repeat(people: Seats) -> None:
    gm = people["gm"]
    new = await gm.get(f"{HOME}/gm/calendar/entries/new?day={TODAY}&kind=session")
    assert 'data-unless="kind=session&amp;repeat="' in new.html
    typed = {"title": "Weekly", "real_date": "2027-10-03", "real_time": "19:30", "repeat": "days", "every": "7"}
    refused = await gm.send(new, "/calendar/entries", typed)
    assert refused.status == 409 and 'id="fault-repeat"' in refused.html and "cannot repeat" in refused.text
    assert 'value="Weekly"' in refused.html, "what was typed is kept"


async def test_a_repeat_says_what_it_skips(people: Seats) -> None:
    gm = people["gm"]
    new = await gm.get(f"{HOME}/gm/calendar/entries/new?day={TODAY}")
    typed = {"title": "Second fire", "repeat": "date", "month_day": "2", "of_month": "8"}
    words = "Years in which Midsummer has no day 2 are skipped."
    fields = dict(new.form("/calendar/entries").fields)
    assert words in (await gm.post(f"{HOME}/gm/calendar/entries", {**fields, **typed, "_act": "times"})).text
    assert words in (await gm.send(new, "/calendar/entries", typed)).text
    assert "are skipped" not in (await gm.send(new, "/calendar/entries", {**typed, "month_day": "1"})).text
    ended = {"until_day": "1", "until_month": "1", "until_year": "1"}
    weekly = {"title": "Market", "repeat": "days", "every": "9", "day": "1", "month": "1", "year": "1"}
    page = await gm.send(new, "/calendar/entries", {**weekly, **ended})
    assert "It does not come again in this calendar." in page.text


GREGORIAN, LUNAR = reckoning(PRESETS["gregorian"]), reckoning(PRESETS["lunar"])


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (OnDate(day=29, month=2), "Years in which February has no day 29 are skipped."),
        (OnDate(day=28, month=2), ""),
        (OnDate(day=-1, month=2), ""),
        (OnDate(day=31), "Months without a day 31 are skipped."),
        (OnDate(day=28), ""),
        (OnDate(day=-1), ""),
        (NthWeekday(nth=5, weekday=0), "Months without a fifth Monday are skipped."),
        (NthWeekday(nth=5, weekday=0, month=2), "Years in which February has no fifth Monday are skipped."),
        (NthWeekday(nth=4, weekday=0, month=2), ""),
        (Weekly(weekdays=frozenset({0})), ""),
        (EveryDays(days=400), ""),
    ],
)
def test_which_years_and_months_a_rule_skips(rule: Rule, words: str) -> None:
    assert said.skipped(rule, GREGORIAN) == words


def test_a_month_of_some_years_alone_skips_the_others() -> None:
    assert said.skipped(OnDate(day=-1, month=13), LUNAR) == "Years in which Blue Moon has no last day are skipped."
    assert said.skipped(OnDate(day=29), LUNAR) == "" and said.skipped(OnDate(day=9, month=60), LUNAR) == ""
