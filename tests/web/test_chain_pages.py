"""Where a scene comes from and what came of it, on its page and on the calendar, and how long things usually take."""

import uuid
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from sqlalchemy import update

from app.almanac import calendar_state
from app.models.people import Campaign
from app.models.scenes import Scene
from app.play import decisions
from tests.play import test_chain
from tests.table.table import Table
from tests.web.browser import Browser, Page
from tests.web.test_decisions import Evening
from tests.web.test_decisions import evening as evening

pytestmark = pytest.mark.anyio

FORM = "/calendar/entries"


async def _raid(table: Table, **ride: str) -> dict[str, uuid.UUID]:
    """The raid of test_chain; today is its last day, and the council is over."""
    async with table.runtime.sessions.begin() as session:
        (await calendar_state.hold(session, table.runtime.vault, table.campaign)).today = 10
    at = await test_chain._raid(table, **ride)
    await test_chain._change(table, at["council"], state="done")
    async with table.runtime.sessions.begin() as session:
        over = update(Scene).where(Scene.id.in_((at["council"], at["ride"])))
        await session.execute(over.values(status="over", next_due_at=None))
    return at


def _strip(page: Page) -> str:
    assert page.status == 200, page.text
    words = " ".join(page.text_of("chain").split()) if 'id="chain"' in page.html else ""
    return words.replace(" .", ".")


async def test_a_scenes_page_leads_back_and_on(evening: Evening) -> None:
    at = await _raid(evening.table)
    for who in ("gm", "ann", "sam"):
        parley = await evening.get(who, f"/scene/{at['parley']}")
        assert _strip(parley) == ("Before this: … → The ride (4 First Month) → The battle (5 First Month)")
        assert f'href="{evening.at(who)}scene/{at["council"]}"' in parley.html
        council = await evening.get(who, f"/scene/{at['council']}")
        assert _strip(council) == "After this: The ride (4 First Month)"
    duel = await evening.get("gm", f"/scene/{at['duel']}/as/ann")
    assert duel.status == 200 and 'id="chain"' not in duel.html, "a seat that a GM looks through is not theirs"
    ride = await evening.get("ann", f"/scene/{at['ride']}")
    assert _strip(ride) == "Before this: The council (2 First Month). After this: The battle (5 First Month)"


async def test_a_scene_that_stands_alone_says_nothing(evening: Evening) -> None:
    await evening.table.open()
    for who in ("gm", "ann"):
        page = await evening.scene(who)
        assert "Before this" not in page.text and "chain" not in page.html


async def test_no_page_tells_a_player_of_a_secret_entry(evening: Evening) -> None:
    at = await _raid(evening.table, seen_by="gm", text="canary-of-the-ride", place="canary-hill")
    pages = [f"/scene/{one}" for one in at.values()]
    pages += ["/calendar", "/calendar/agenda?year=1&month=1&day=1", "/calendar/day?at=1", "/calendar/day?at=3"]
    for who in ("ann", "sam"):
        for path in pages:
            page = await evening.get(who, path)
            assert page.status == 200 and "canary" not in page.html and "4 First Month)" not in page.text, path
        assert _strip(await evening.get(who, f"/scene/{at['council']}")) == ""
        assert _strip(await evening.get(who, f"/scene/{at['battle']}")) == "Before this: The ride"
        assert "Led to" not in (await evening.get(who, "/calendar/agenda?year=1&month=1&day=1")).text
    assert "Led to “The ride”" in (await evening.get("gm", "/calendar/agenda?year=1&month=1&day=1")).text


async def test_the_calendar_says_what_follows_from_what(evening: Evening) -> None:
    at = await _raid(evening.table)
    feast = await test_chain._left(evening.table, at["council"], "The feast", 2)
    agenda = await evening.get("ann", "/calendar/agenda?year=1&month=1&day=1")
    assert "Led to “The feast”, “The ride”." in agenda.text and "Follows from “The council”." in agenda.text
    assert "Follows from “The council”" in (await evening.get("ann", "/calendar")).html
    assert "Follows from “The ride”" in (await evening.get("ann", "/calendar/day?at=4")).text
    entry = await evening.get("ann", f"/calendar/entries/{feast.id}")
    assert "Follows from The council (2 First Month)" in " ".join(entry.text.split())
    day = await evening.get("ann", "/calendar/day?at=1")
    first = next(link for link in day.links if f"{FORM}/" in link and f"{FORM}/new" not in link)
    council = await evening.browsers["ann"].get(first)
    assert "Led to The feast (3 First Month), The ride (4 First Month)" in " ".join(council.text.split())


async def test_a_kept_page_asks_for_no_chain(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    at = await _raid(evening.table)
    first = await evening.get("sam", f"/scene/{at['parley']}")
    asked: list[object] = []
    monkeypatch.setattr("app.web.scene.table.chain.chain_of", asked.append)
    assert _strip(await evening.get("sam", f"/scene/{at['parley']}")) == _strip(first) != "" and not asked


async def test_a_new_campaign_asks_what_comes_next_where_its_rules_say_so(
    site: FastAPI, open_browser: Callable[[], Browser]
) -> None:
    for rules, asks in (("chronicle", True), ("duel", False)):
        gm = open_browser()
        home = await gm.send(await gm.get("/new"), "/new", {"title": rules, "name": "Gerda", "ruleset": rules})
        usual = f"In new campaigns of these rules, this is {'on' if asks else 'off'}."
        assert usual in " ".join(home.text.split())
        page = home
        for on in (asks, not asks):
            box = (decisions.ALWAYS, "yes")
            assert (box in page.form("/decide/ways").fields) is on
            kept = [one for one in page.form("/decide/ways").fields if one != box]
            page = await gm.post(page.form("/decide/ways").action, [*kept, box] if not asks else kept)
            assert usual in " ".join(page.text.split()), "the default stays what it is"


# ---- usual durations (CHR-CAL-10) ---------------------------------------------------------------------------------


async def _rules(evening: Evening, key: str, today: int = 10) -> None:
    async with evening.table.runtime.sessions.begin() as session:
        (await calendar_state.hold(session, evening.table.runtime.vault, evening.table.campaign)).today = today
    async with evening.table.runtime.sessions.begin() as session:
        campaign = await session.get_one(Campaign, evening.table.campaign)
        campaign.settings = {"ruleset": key}


async def _press(browser: Browser, page: Page, **typed: str) -> Page:
    """Press the button below the usual durations."""
    fields = [(name, value) for name, value in page.form(FORM).fields if name not in typed]
    return await browser.post(page.form(FORM).action, [*fields, *typed.items(), ("_act", "usual")])


@pytest.mark.parametrize(
    ("usual", "km", "says", "date"),
    [
        ("foot", "100", "On foot, 100 km: 4 days. From today, that is 15 First Month 1.", ("15", "1")),
        ("foot", "101", "On foot, 101 km: 5 days.", ("16", "1")),
        ("mounted", "40", "Mounted, 40 km: 1 day.", ("12", "1")),
        ("cart", "40", "With a cart, 40 km: 2 days.", ("13", "1")),
        ("ship", "800", "By ship, 800 km: 10 days.", ("21", "1")),
        ("letter", "61", "A letter by rider, 61 km: 2 days.", ("13", "1")),
        ("house", "", "Building a house: 60 days.", ("11", "3")),
        ("build-ship", "", "Building a ship: 120 days.", ("11", "5")),
        ("army", "5", "Raising an army: 30 days.", ("11", "2")),
    ],
)
async def test_a_usual_duration_dates_an_entry(
    evening: Evening, usual: str, km: str, says: str, date: tuple[str, str]
) -> None:
    """CHR-CAL-10."""
    await _rules(evening, "chronicle")
    for who in ("gm", "ann"):
        form = await evening.get(who, f"{FORM}/new?kind=arrival")
        typed = {"title": "On the road", "usual": usual, "km": km, "place": "Ashby"}
        page = await _press(evening.browsers[who], form, **typed)
        assert page.status == 200 and says in " ".join(page.text.split()), page.text
        fields = dict(page.form(FORM).fields)
        assert (fields["day"], fields["month"]) == date and (fields["title"], fields["place"]) == (
            "On the road",
            "Ashby",
        )
        assert fields["kind"] == ("arrival" if km and usual != "army" else "completion")
        again = await _press(evening.browsers[who], page)
        assert dict(again.form(FORM).fields)["day"] == date[0], "pressed twice it is the same day"


@pytest.mark.parametrize(
    ("usual", "km", "fault"),
    [("", "10", "usual"), ("gone", "", "usual"), ("foot", "", "km"), ("foot", "-3", "km"), ("foot", "0", "km"),
     ("foot", "٣", "km"), ("ship", "999999", "km"), ("discussion", "", "usual")],
)  # fmt: skip
async def test_a_duration_that_cannot_be_is_said_at_its_field(
    evening: Evening, usual: str, km: str, fault: str
) -> None:
    await _rules(evening, "chronicle")
    form = await evening.get("gm", f"{FORM}/new?kind=arrival")
    page = await _press(evening.browsers["gm"], form, usual=usual, km=km)
    assert page.status == 422 and page.html.count('id="fault-') == 1 and f'id="fault-{fault}' in page.html


async def test_the_last_day_of_all_is_no_error(evening: Evening) -> None:
    await _rules(evening, "chronicle", calendar_state.MOST_DAY - 100_000)
    form = await evening.get("gm", f"{FORM}/new?kind=arrival")
    page = await _press(evening.browsers["gm"], form, usual="army")
    assert page.status == 422 and "That day is too far away." in page.text


async def test_scenes_say_their_usual_length_and_other_games_have_none(evening: Evening) -> None:
    await _rules(evening, "chronicle")
    form = await evening.get("gm", f"{FORM}/new?kind=scene")
    assert "a discussion takes 1 hour, a hand-to-hand fight takes 1 hour, a mass battle takes half a day" in (
        " ".join(form.text.split())
    )
    assert "/chronicle/CHR-CAL-10" in form.html
    for rules in ("duel", "gone"):
        await _rules(evening, rules)
        form = await evening.get("gm", f"{FORM}/new")
        assert form.status == 200 and "Usual durations" not in form.text
        page = await _press(evening.browsers["gm"], form, title="x", usual="foot", km="3")
        assert page.status == 200 and "Entry added." in page.text, "a button that is not there does nothing of its own"


async def test_a_gm_opens_the_next_scene_from_the_ending(evening: Evening) -> None:
    """One press where its day has come, the way to its day where it has not; a player has neither."""
    at = await _raid(evening.table)
    for scene in at.values():
        await test_chain._change(evening.table, scene, state="done")
    feast = await test_chain._left(evening.table, at["council"], "The feast", 10)
    opens = f'{evening.at("gm")}calendar/entries/{feast.id}/open"'
    ending = await evening.get("gm", f"/scene/{at['council']}")
    assert "Open “The feast”" in ending.text and opens in ending.html
    player = await evening.get("ann", f"/scene/{at['council']}")
    assert "Next: The feast" in player.text and "/open" not in player.html
    async with evening.table.runtime.sessions.begin() as session:
        book = await calendar_state.hold(session, evening.table.runtime.vault, evening.table.campaign)
        book.today = feast.day - 1
    later = await evening.get("gm", f"/scene/{at['council']}")
    assert (
        "Let time pass to" in later.text and f"/calendar/move?to={feast.day}" in later.html and opens not in later.html
    )
