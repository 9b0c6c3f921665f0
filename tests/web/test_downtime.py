"""How the wounded live, through pages: care settled in words and odds, thirty days of healing, and all of it back."""

import re
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state as books
from app.campaign import characters, seats
from app.engine.ruleset import GM, Brief, Seat
from app.rulesets.chronicle import samples
from app.rulesets.chronicle.wounds import Part, Wounds
from app.table.opening import open_scene
from tests.web.browser import Browser, Page
from tests.web.chronicle_campaign import Valley, found

pytestmark = pytest.mark.anyio

LUCK = bytes([2]) * 32  # in thirty days both kinds of wounds heal, and some rolls fail
HURT = Wounds(left_arm=Part(major=True), right_leg=Part(minor=1), body=Part(minor=1))


class Healing(Valley):
    """Ella is hurt, Morten knows how to heal; the GM's miller is hurt as she is."""

    async def get(self, who: str, path: str) -> Page:
        page = await super().get(who, path)
        assert page.status == 200, page.text
        return page

    async def settle(self, who: str, seen: str = "", **care: str) -> Page:
        """Send the care's form of Ella's page, some of it chosen anew; `seen` for a page that was opened long ago."""
        form = (await self.get(who, "/characters/ella")).form("/ella/care")
        typed = {f"care.{name}": value for name, value in care.items()} | ({"seen": seen} if seen else {})
        kept = [(name, value) for name, value in form.fields if name not in typed]
        return await self.seats[who].post(form.action, [*kept, *typed.items()])

    async def move(self, days: int) -> Page:
        page = await self.get("gm", f"/calendar/move?to={days}")
        return await self.seats["gm"].send(page, "/calendar/go")


@pytest.fixture
async def valley(site: FastAPI, open_browser: Callable[[], Browser]) -> Healing:
    heroes = samples.heroes()
    heroes["ella"] = heroes["ella"].model_copy(update={"wounds": HURT})

    async def more(session: AsyncSession, valley: Valley) -> None:
        await valley.create(session, heroes["morten"].model_copy(update={"name": "The miller", "wounds": HURT}))
        almanac = await books.hold(session, valley.runtime.vault, valley.campaign.id)
        almanac.root = valley.runtime.vault.encrypt(LUCK, books.root_place(valley.campaign.id))

    laid = await found(site, open_browser, heroes, more)
    return Healing(laid.runtime, laid.campaign, laid.people, laid.seats)


async def test_care_is_settled_in_words_and_odds(valley: Healing) -> None:
    """CHR-HEA-01 to -04, -08; H1 of a day of healing: who heals, and what rests."""
    page = await valley.get("ella", "/characters/ella")
    assert "Ella treats their own wounds (Heal 2, −1 for working alone)." in page.text
    assert "needs 20+ on 2d8+d10 (9 % a day)" in page.text
    assert '/ella/rulebook/chronicle/CHR-HEA-03"' in page.html
    form = page.form("/ella/care")
    assert dict(form.fields)["care.by"] == "self" and ("care.material", "yes") in form.fields
    assert 'value="morten">Morten' in page.html and '<option value="ella"' not in page.html

    wrong = await valley.settle("ella", by="helper")
    assert wrong.status == 422 and "Choose who helps" in wrong.text and 'value="helper" selected' in wrong.html
    for stranger in ("nobody", "ella", "<script>"):
        wrong = await valley.settle("ella", by="helper", helper=stranger)
        assert wrong.status == 422 and "Choose one of the options." in wrong.text, stranger

    page = await valley.settle("ella", by="helper", helper="morten")
    assert page.status == 200 and "Care saved. It applies from now on." in page.text
    for who in ("ella", "morten", "sam", "gm"):
        page = await valley.get(who, "/characters/ella")
        assert "Morten treats Ella (Heal 4)." in page.text and "Ella rests the left arm." in page.text
        assert "17+ on 2d8+d10 (25 %" in page.text
        assert page.has_form("/ella/care") == (who in ("ella", "gm"))
    page = await valley.settle("gm", **{"uses[]": "left_arm"})
    assert "Ella uses the left arm, so its Major wound does not heal." in page.text and "(163 of 640)" not in page.text
    page = await valley.settle("gm", **{"lacks[]": "food"})
    assert "No healing roll: there is no proper food." in page.text and "of 640" not in page.text
    life = (await valley.get("morten", "/characters/ella")).text
    assert life.count("GM changed the care") == 2 and "Ella changed the care" in life
    assert (await valley.seats["morten"].post(valley.at("morten", "/characters/ella/care"))).status == 403


async def test_of_two_writers_the_second_is_told_and_nothing_is_lost(valley: Healing) -> None:
    seen = dict((await valley.get("ella", "/characters/ella")).form("/ella/care").fields)["seen"]
    await valley.settle("gm", by="helper", helper="morten")
    again = await valley.settle("gm", seen=seen)
    assert again.status == 200, "the same once more is nothing new"
    page = await valley.settle("ella", seen=seen, by="nobody")
    assert page.status == 409 and "Someone changed" in page.text
    assert "Morten treats Ella" in page.text and 'value="nobody" selected' in page.html
    assert page.text.count("changed the care") == 1
    page = await valley.seats["ella"].send(page, "/ella/care")
    assert page.status == 200 and "Nobody treats Ella." in page.text


async def test_an_open_scene_is_no_hindrance(valley: Healing) -> None:
    async with valley.runtime.sessions.begin() as session:
        seated = {Seat("ella"): ("ella",), GM: ()}
        brief = Brief(kind="free", title="A long night", seats=seated, given={"description": "Rain."})
        await open_scene(session, valley.runtime.vault, valley.campaign.id, "chronicle", brief)
    page = await valley.settle("ella", by="nobody")
    assert page.status == 200 and "Nobody treats Ella." in page.text
    assert "days do nothing to Ella" in page.text and not page.has_form("/aside")


async def test_care_changes_the_rolls_of_a_day(valley: Healing) -> None:
    """The dice of a day are the same in every try; who treats the wounds is not."""
    alone = await valley.move(1)
    assert "Ella: the healing roll for the Major wound of the left arm" in alone.text, alone.text
    await valley.seats["gm"].send(alone, "/undo")
    await valley.settle("ella", by="helper", helper="morten")
    helped = await valley.move(1)
    sums = re.compile(r"Ella:[^()]*\((\d+ \+ \d+ \+ \d+) ([+−] \d+) for Heal = (\d+) against (\d+)\)")
    first, second = sums.findall(alone.text), sums.findall(helped.text)
    assert len(first) == 2 and [one[0] for one in first] == [one[0] for one in second]
    assert {one[1] for one in first} == {"+ 1"} and {one[1] for one in second} == {"+ 4"}
    assert [int(two[2]) - int(one[2]) for one, two in zip(first, second, strict=True)] == [3, 3]
    await valley.seats["gm"].send(helped, "/undo")
    await valley.settle("gm", **{"lacks[]": "water"})
    assert "Ella: no healing roll: there was no water." in (await valley.move(1)).text


async def test_thirty_days_of_healing_and_back(valley: Healing) -> None:
    """CHR-HEA-02, -05, -12 through pages; CHR-CAL-08: each success has its day on the calendar."""
    before = {who: (await valley.get(who, "/characters/ella")).text for who in ("ella", "sam")}
    await valley.settle("ella", by="helper", helper="morten")
    ahead = await valley.get("gm", "/calendar/move?to=30")
    assert "Ella: healing, day by day" in ahead.text and "rolled day by day" in ahead.text
    moved = await valley.seats["gm"].send(ahead, "/calendar/go")
    rolled = re.findall(r"Ella: the healing roll for the (Major|Minor) wounds? .*?(succeeds|fails) \(", moved.text)
    assert moved.html.count("/rulebook/chronicle/CHR-HEA-") >= len(rolled) > 25
    rule = re.findall(r'href="(\S+/rulebook/chronicle/CHR-HEA-\d+)"', moved.html)[0]
    assert (await valley.seats["gm"].get(rule)).status == 200
    wins = sum(1 for _, how in rolled if how == "succeeds")
    assert (
        wins >= 8
        and "it is a Minor wound now" in moved.text
        and "the second of four" in moved.text
        and "all Minor wounds are healed" in moved.text
    )

    entries = await valley.get("ella", "/calendar/of/ella")
    said = re.findall(r"Ella: (?:left arm|Minor wounds)(?:, \d of 4| now a Minor wound| healed)", entries.text)
    assert len(said) == wins > 4, "every success stands on the calendar, and only those"
    assert "Ella: left arm, 2 of 4" in said and "Ella: Minor wounds healed" in said
    month = await valley.get("sam", "/calendar?year=1&month=1")
    assert "Ella: left arm, 1 of 4" in month.text and "The miller: " not in month.text
    page = await valley.get("ella", "/characters/ella")
    assert "Days pass" in page.text and "the healing roll for the Major wound of the left arm" in page.text
    assert "became" in page.text.split("Days pass")[1], "what the days changed on the sheet"

    back = await valley.seats["gm"].send(await valley.get("gm", moved.path.split("/gm")[1]), "/undo")
    assert "You undid this" in back.text
    assert "healing roll" not in (await valley.get("gm", "/calendar/of/ella")).text
    page = await valley.get("sam", "/characters/ella")
    state = re.compile(r"(Major wound: left arm|Minor wound: \w+ ?\w+)")
    assert state.findall(page.text) == state.findall(before["sam"])
    assert "Days pass" not in page.text and "healing roll for" not in page.text.split("The story so far")[1]


async def _strike_head(valley: Healing, who: str) -> None:
    async with valley.runtime.sessions.begin() as session:
        hurt = await characters.find(session, valley.campaign.id, who)
        hit = HURT.model_copy(update={"head": Part(major=True)})
        sheet = {**hurt.sheet, "wounds": hit.model_dump(mode="json")}
        gm = await seats.member_by_handle(session, valley.campaign.id, "gm")
        await characters.edit(session, hurt, hurt.version, hurt.name, sheet, gm)


async def test_nobody_dies_of_a_head_wound_unless_somebody_says_so(valley: Healing) -> None:
    """CHR-HEA-10, -11 (defect 3): time stands still before the day, and whoever could come is asked."""
    await _strike_head(valley, "ella")
    await _strike_head(valley, "the-miller")
    desk = await valley.get("gm", "/calendar/move?to=9")
    assert "Who helps Ella?" in desk.text and "Who helps The miller?" in desk.text
    assert "or send no one." in desk.text and "Play it" not in desk.text
    assert not desk.has_form("/calendar/go")
    refused = await valley.seats["gm"].post(
        valley.at("gm", "/calendar/go"), {"to": "9", "version": "1", "_once": "00000000-0000-0000-0000-000000000001"}
    )
    assert refused.status == 409 and "“Who helps Ella?”" in refused.text

    async def aid(who: str, whose: str, **told: str) -> Page:
        return await valley.seats[who].post(valley.at(who, f"/characters/{whose}/aid"), told)

    for nonsense in (dict[str, str](), {"helper": "morten", "nobody": "yes"}):
        assert (await aid("gm", "ella", **nonsense)).status == 422
    for who in ("ella", "the-miller", "nobody-at-all"):  # neither herself, nor who lies there too
        page = await aid("gm", "ella", helper=who)
        assert page.status == 409 and "That character cannot help." in page.text

    for who, pressed in (("ella", "Send no one"), ("morten", "Send Morten")):
        home = await valley.get(who, "/")
        assert "Who helps Ella?" in home.text and pressed in home.text and "helps The miller" not in home.text
    assert "Send no one" not in (await valley.get("morten", "/")).text
    assert "Who helps Ella?" not in (await valley.get("sam", "/")).text
    for who, told in (("morten", {"nobody": "yes"}), ("sam", {"helper": "morten"})):
        assert (await aid(who, "ella", **told)).status == 403
    assert (await aid("morten", "the-miller", helper="morten")).status == 404, "nobody that Morten knows of"

    page = await aid("morten", "ella", helper="morten", then="home")
    assert "Saved." in page.text and "Who helps Ella?" not in page.text
    assert "Morten treats Ella (Heal 4)." in (await valley.get("ella", "/characters/ella")).text
    late = await aid("gm", "ella", nobody="yes")
    assert late.status == 409 and "no longer needs help" in late.text
    desk = await aid("gm", "the-miller", nobody="yes", then="desk")
    assert desk.has_form("/calendar/go")
    moved = await valley.move(3)
    assert "Ella: Morten treated the Major head wound within the hour" in moved.text
    assert "The miller: nobody treated the Major head wound" in moved.text
    assert "Dead" in (await valley.get("gm", "/characters/the-miller")).text


async def test_time_waits_for_a_dead_ones_place(valley: Healing) -> None:
    """CHR-CHA-11, CHR-HEA-10: whoever dies on the way has a place to be taken before the next day, or somebody says
    that it may wait."""
    await _strike_head(valley, "ella")
    page = await valley.get("ella", "/characters/ella")
    assert "within the hour, the Major head wound kills." in page.text
    page = await valley.seats["ella"].post(valley.at("ella", "/characters/ella/aid"), {"nobody": "yes"})
    assert "Nobody comes within the hour, so the Major head wound kills." in page.text
    assert "Saved. The care has changed, too." in page.text and "Who helps Ella?" not in page.text
    moved = await valley.move(9)
    assert "and it was deadly." in moved.text and "2 First Month" in moved.text
    assert "“Who takes Ella’s place?” needs a decision" in moved.text
    desk = await valley.get("gm", "/calendar/move?to=9")
    assert "Choose the next character, or decide later." in desk.text and not desk.has_form("/calendar/go")
    assert "Ella is dead" in desk.text and "Play it" not in desk.text
    refused = await valley.seats["gm"].post(
        valley.at("gm", "/calendar/go"), {"to": "9", "version": "2", "_once": "00000000-0000-0000-0000-000000000001"}
    )
    assert refused.status == 409

    page = await valley.get("ella", "/characters/ella")
    assert "No day can pass until you choose." in page.text and not page.has_form("/ella/care")
    page = await valley.seats["ella"].send(page, "/ella/later")
    assert "You postponed this" in page.text
    assert (await valley.get("gm", "/calendar/move?to=9")).has_form("/calendar/go")
    await valley.seats["ella"].send(page, "/ella/later")
    desk = await valley.get("gm", "/calendar/move?to=9")
    desk = await valley.seats["gm"].send(desk, "/ella/later")
    assert "Saved." in desk.text and desk.has_form("/calendar/go")
    page = await valley.get("ella", "/characters/ella")
    await valley.seats["ella"].send(page, "/ella/later")
    assert (await valley.seats["morten"].post(valley.at("morten", "/characters/ella/later"))).status == 403

    page = await valley.get("gm", "/characters/ella")
    chosen = await valley.seats["gm"].send(page, "/ella/successor", {"who": "the-miller"})
    assert "played by Ella" in chosen.text
    took = await valley.get("gm", moved.path.split("/gm")[1])
    assert "The miller became a player’s character" in took.text and not took.has_form("/undo")
    assert "10 First Month" in (await valley.move(9)).text


async def _settle_rules(valley: Healing, **chosen: str) -> Page:
    """Send the page of house rules as it stands, some of it chosen anew."""
    form = (await valley.get("gm", "/calendar/rules")).form("/calendar/rules")
    kept = [(name, value) for name, value in form.fields if name not in chosen]
    return await valley.seats["gm"].post(form.action, [*kept, *chosen.items()])


async def test_house_rules_of_time_are_settled_on_one_page(valley: Healing) -> None:
    """Settings that the ledger names and nobody could set: the year's turn, the order of scenes, healing."""
    page = await valley.get("gm", "/calendar")
    assert f'href="{valley.at("gm", "/calendar/rules")}"' in page.html
    wrong = await _settle_rules(valley, turn_day="0", **{"days_chronicle.tracks": "many"})
    assert wrong.status == 422 and 'name="turn_day" type="text" value="0"' in wrong.html
    assert "Choose one of the options." in wrong.text
    wrong = await _settle_rules(valley, turn_month="40")
    assert wrong.status == 409 and "This calendar does not have that month." in wrong.text
    page = await _settle_rules(valley, turn_day="5", at_turn="stop", **{"days_chronicle.tracks": "per-wound"})
    assert page.status == 200 and "House rules saved." in page.text
    assert 'value="per-wound" selected' in page.html and 'name="turn_day" type="text" value="5"' in page.html
    late = await _settle_rules(valley, version="1")
    assert late.status == 409 and "Someone changed" in late.text
    page = await valley.get("ella", "/characters/ella")
    assert "Minor wound of the right leg: needs" in page.text and "Minor wound of the body: needs" in page.text
    moved = await valley.move(9)
    assert "healing roll for a Minor wound of the body" in moved.text
    assert "The year 1 begins" in moved.text and "5 First Month" in moved.text, "time stops where the year turns"


async def test_healing_rolled_ahead_is_what_comes(valley: Healing) -> None:
    """CHR-CAL-16: the sheet tells what the days will mark, and they mark it."""
    await _strike_head(valley, "morten")  # pleads by himself, and is no hindrance to Ella's own days
    assert "Rolled ahead" not in (await valley.get("ella", "/characters/ella")).text
    await _settle_rules(valley, **{"days_chronicle.roll_time": "ahead"})
    page = await valley.get("ella", "/characters/ella")
    assert "Rolled ahead" in page.text
    told = re.findall(r"<li>(\d+ First Month[^:]*): (Ella: [^<]+)</li>", page.html)
    assert len(told) > 4 and all("succeeds" in line for _, line in told)
    await valley.seats["gm"].post(valley.at("gm", "/characters/morten/aid"), {"helper": "ella"})
    moved = await valley.move(29)
    for _, line in told[:4]:
        assert line in moved.text
    page = await valley.get("sam", "/characters/ella")
    assert "Rolled ahead" in page.text, "who may read the care may read what comes of it"
