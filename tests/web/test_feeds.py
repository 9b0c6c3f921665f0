"""Calendar feeds: valid files, exactly what their member may see, addresses that end."""

import datetime as dt
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from dateutil.rrule import rrulestr
from fastapi import FastAPI
from icalendar import Calendar
from sqlalchemy import func, select, update

from app.almanac import calendar_state, entries
from app.almanac.entries import EntryTyped
from app.calendar.days import Date
from app.calendar.presets import PRESETS
from app.calendar.repeat import OnDate
from app.campaign import founding, seats
from app.models.almanac import Almanac, Feed
from app.models.people import Campaign, Member, Role
from app.models.scenes import AskRow, SeatHolder, StepRow
from app.play import feeds
from app.play.demo import ensure_demo
from app.table.runtime import Runtime
from app.web.http.limits import Meter
from tests.web.browser import Browser, Page
from tests.web.seated_fight import sit
from tests.web.test_people_pages import BASE

pytestmark = pytest.mark.anyio
Open = Callable[[], Browser]
SOON = dt.datetime.now(dt.UTC).replace(microsecond=0) + dt.timedelta(days=3)


@dataclass
class Group:
    """Gerda the GM, Alice and Bob, and the calendar with festivals on 12 Thaw of year 1021."""

    runtime: Runtime
    campaign: Campaign
    people: dict[str, Member]
    browsers: dict[str, Browser]
    stranger: Browser

    async def write(self, by: str, title: str, **more: Any) -> uuid.UUID:
        async with self.runtime.sessions.begin() as session:
            typed = EntryTyped.model_validate({"title": title, **more})
            made = await entries.add(session, self.runtime.vault, self.campaign.id, self.people[by], typed)
            return made.id

    async def make(self, who: str, kind: str) -> str:
        """The address of a new feed, by the page's own button."""
        at = f"{BASE}/{who}/calendar/feeds"
        page = await self.browsers[who].post(f"{at}/make", {"kind": kind})
        assert page.status == 200, page.text
        return urlsplit(page.values[f"feed-{kind}"]).path

    async def read(self, address: str, **headers: str) -> httpx2.Response:
        return await self.stranger.http.get(address, headers=headers)

    async def events(self, address: str) -> dict[str, Any]:
        """The events of a feed by title, read by the library as any program would."""
        answer = await self.read(address)
        assert answer.status_code == 200, answer.text
        calendar = Calendar.from_ical(answer.content)
        assert not calendar.errors and all(not event.errors for event in calendar.walk("VEVENT"))
        assert all(len(line) <= 75 for line in answer.content.split(b"\r\n")), "folded"
        return {str(event["summary"]): event for event in calendar.walk("VEVENT")}


REALM = PRESETS["festivals"]


def day(month: int, of_month: int, year: int = 1021) -> int:
    return calendar_state.reckoning(REALM).number(Date(year, month, of_month))


@pytest.fixture
async def group(site: FastAPI, open_browser: Open) -> Group:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        founded = await founding.found_campaign(session, "The Goblin Road", "toy", "Gerda", "test")
        group = Group(runtime, founded.campaign, {"gerda": founded.member}, {}, open_browser())
        for name in ("Alice", "Bob"):
            group.people[name.lower()] = await seats.add_member(session, group.campaign, name, Role.PLAYER)
        group.browsers = await sit(session, open_browser, group)
        await calendar_state.choose_shape(session, runtime.vault, group.campaign.id, REALM, 1, day(2, 12))
    return group


async def test_sessions_are_told_with_all_that_a_program_needs(group: Group) -> None:
    words = "Bring dice; and, well, “snacks”.\nThe \\ door is open.\r\nBEGIN:VEVENT\x07"
    title = "Ünexpected " + "very long title " * 5
    await group.write(
        "gerda", title, kind="session", day=0, starts_at=SOON, minutes=240, text=words, place="Gerda's kitchen; 2nd"
    )
    address = await group.make("alice", "real")
    answer = await group.read(address)
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert b"\r\nBEGIN:VEVENT\r\n" in answer.content and answer.content.count(b"\r\nBEGIN:VEVENT\r\n") == 1
    event = (await group.events(address))[title.strip()]
    assert event.start == SOON and event.end == SOON + dt.timedelta(hours=4)
    assert "Bring dice; and, well, “snacks”.\nThe \\ door is open.\nBEGIN:VEVENT" in event["description"]
    assert event["location"] == "Gerda's kitchen; 2nd" and "You have not said" in event["description"]


async def test_who_sees_what(group: Group) -> None:
    """Entries for all, for some, for GMs; a player's own; what lies in the fog; sessions are not fogged."""
    alice = str(group.people["alice"].id)
    await group.write("gerda", "Fair", day=day(3, 2), last_day=day(3, 4))
    await group.write("gerda", "Hint", day=day(3, 5), seen_by="named", viewers=[alice])
    await group.write("gerda", "Ambush", day=day(3, 6), seen_by="gm")
    await group.write("bob", "Bob's secret", day=day(3, 7), seen_by="named", viewers=[])
    await group.write("gerda", "Far away", day=day(13, 7))
    await group.write("gerda", "We play", kind="session", day=day(13, 8), starts_at=SOON)
    await group.write("gerda", "GMs meet", kind="session", day=day(2, 12), starts_at=SOON, seen_by="gm")
    async with group.runtime.sessions.begin() as session:
        await session.execute(update(Almanac).where(Almanac.campaign_id == group.campaign.id).values(fog=60))
    world = {"gerda": {"Fair", "Hint", "Ambush", "Bob's secret", "Far away"}, "alice": {"Fair", "Hint"}}
    world["bob"] = {"Fair", "Bob's secret"}
    for name, titles in world.items():
        events = await group.events(await group.make(name, "world"))
        assert {title for title in events if not title.startswith("Today in the world")} == titles, name
        sessions = await group.events(await group.make(name, "real"))
        assert set(sessions) == ({"We play", "GMs meet"} if name == "gerda" else {"We play"}), name


async def test_days_of_the_world_stand_where_the_page_says(group: Group) -> None:
    await group.write("gerda", "Fair", day=day(3, 2), last_day=day(3, 4), text="With geese.")
    await group.write("gerda", "Midsummer dance", day=0, rule=OnDate(month=8, day=1).model_dump(mode="json"))
    address = await group.make("alice", "world")
    events = await group.events(address)
    year = dt.datetime.now(dt.UTC).year
    first = dt.date(year, 1, 1)
    fair = events["Fair"]
    assert fair.start == first + dt.timedelta(days=day(3, 2) - day(1, 1))
    assert fair.end - fair.start == dt.timedelta(days=3)
    assert (
        "Moonday, 2 Seed 1021 OR to " in fair["description"].replace("\n", " ") or "Seed 1021 OR" in fair["description"]
    )
    assert "With geese." in fair["description"]
    answer = await group.read(address)
    dances = [e for e in Calendar.from_ical(answer.content).walk("VEVENT") if e["summary"] == "Midsummer dance"]
    assert len(dances) == 2 and len({str(e["uid"]) for e in dances}) == 2, "this year's and the next one's"
    today = next(event for title, event in events.items() if title.startswith("Today in the world: "))
    assert today.start == first + dt.timedelta(days=day(2, 12) - day(1, 1))
    page = await group.browsers["alice"].get(f"{BASE}/alice/calendar/feeds")
    assert f"1 Frost 1021 OR is shown as 1 January {year}" in " ".join(page.text.split())
    assert f"is shown as {today.start.day} {today.start:%B %Y}" in " ".join(page.text.split())


def expanded(feed: Calendar) -> list[tuple[str, dt.date, dt.date]]:
    """Title, first and last day of all that a program shows, by dateutil's rules."""
    found = []
    for event in feed.walk("VEVENT"):
        days = [event.start]
        if "rrule" in event:
            begins = dt.datetime.combine(event.start, dt.time())
            days = [day.date() for day in rrulestr(event["rrule"].to_ical().decode(), dtstart=begins)]
            days = [day for day in days if day not in [one.dt for one in getattr(event.get("exdate"), "dts", ())]]
        lasts = event.end - event.start - dt.timedelta(days=1)
        found += [(str(event["summary"]), day, day + lasts) for day in days]
    return sorted(one for one in found if not one[0].startswith("Today in"))


@pytest.mark.parametrize("preset", ["festivals", "gregorian"])
async def test_rules_give_exactly_the_days_that_members_see(group: Group, preset: str) -> None:
    """Every rule, with ends, exceptions, several days and fog, in a world whose weeks are real ones and in another."""
    shape = PRESETS[preset]
    async with group.runtime.sessions.begin() as session:
        book = await calendar_state.read(session, group.campaign.id)
        await calendar_state.choose_shape(
            session, group.runtime.vault, group.campaign.id, shape, book.version, book.today
        )
    today = book.today
    gone = [-(10**8), today + 9, today + 10, today + 31]
    rules: dict[str, dict[str, Any]] = {
        "days": {"kind": "days", "days": 7}, "daily": {"kind": "days", "days": 1, "until": today + 90},
        "skips": {"kind": "days", "days": 3, "until": today + 200, "skip": gone},
        "weekly": {"kind": "weekly", "weekdays": [1, 4]}, "one": {"kind": "weekly", "weekdays": [2]},
        "date": {"kind": "date", "day": 3}, "nth": {"kind": "nth", "nth": 2, "weekday": 1},
        "moon": {"kind": "moon", "moon": 0}, "season": {"kind": "season", "season": 0},
        "few": {"kind": "days", "days": 400},
    }  # fmt: skip
    for name, rule in rules.items():
        if (name != "moon" or shape.moons) and (name != "season" or shape.seasons):
            last = today - 19 if name == "days" else None
            await group.write("gerda", name, day=today - 20, last_day=last, rule=rule)
    await group.write("gerda", "once", day=today + 3)
    for fog, who in ((None, "gerda"), (None, "alice"), (61, "alice")):
        async with group.runtime.sessions.begin() as session:
            await session.execute(update(Almanac).where(Almanac.campaign_id == group.campaign.id).values(fog=fog))
            listed = await feeds.world(session, group.people[who])
        content = (await group.read(await group.make(who, "world"))).content
        feed = Calendar.from_ical(content)
        want = sorted((one.title, listed.anchor.on(one.first), listed.anchor.on(one.last)) for one in listed.entries)
        assert len(want) > 40 and expanded(feed) == want
        ruled = {str(event["summary"]): event for event in feed.walk("VEVENT") if "rrule" in event}
        assert {"days", "daily", "skips"} <= ruled.keys() and "once" not in ruled and "few" not in ruled
        assert ("weekly" in ruled) == (preset == "gregorian"), "festivals lie between the weeks of the other one"
        assert b"EXDATE;VALUE=DATE:" in content
        uids = [str(event["uid"]) for event in feed.walk("VEVENT")]
        assert len(set(uids)) == len(uids)
        ids = {one.title: one.id for one in listed.entries}
        assert str(ruled["days"]["uid"]) == f"entry-{ids['days']}@signet", "as if it did not repeat"


async def test_an_entry_keeps_its_uid_and_programs_are_told_whether_anything_changed(group: Group) -> None:
    made = await group.write("gerda", "We play", kind="session", day=0, starts_at=SOON)
    address = await group.make("alice", "real")
    first = await group.read(address)
    again = await group.read(address)
    assert first.content == again.content and first.headers["etag"] == again.headers["etag"]
    tag = first.headers["etag"]
    for said in (tag, f"W/{tag}", f'"x", {tag}'):
        kept = await group.read(address, **{"If-None-Match": said})
        assert kept.status_code == 304 and kept.content == b"" and kept.headers["etag"] == tag
    uid = str((await group.events(address))["We play"]["uid"])
    async with group.runtime.sessions.begin() as session:
        later = EntryTyped(kind="session", title="We play on", day=0, starts_at=SOON + dt.timedelta(days=1))
        gerda = group.people["gerda"]
        await entries.change(session, group.runtime.vault, group.campaign.id, made, 1, later, gerda)
    changed = await group.read(address, **{"If-None-Match": tag})
    event = (await group.events(address))["We play on"]
    assert changed.status_code == 200 and str(event["uid"]) == uid and event["sequence"] == 1


async def test_an_address_is_stored_as_a_hash_renewed_ended_and_dies_with_its_member(group: Group) -> None:
    old = await group.make("alice", "real")
    world = await group.make("alice", "world")
    async with group.runtime.sessions() as session:
        hashes = [row.token_hash for row in await session.scalars(select(Feed))]
    token = old.rsplit("/", 1)[1].removesuffix(".ics")
    assert len(hashes) == 2 and all(len(h) == 32 and token.encode() not in h for h in hashes) and len(token) == 43
    new = await group.make("alice", "real")
    assert (await group.read(old)).status_code == 404 and (await group.read(new)).status_code == 200
    alice = group.browsers["alice"]
    page = await alice.get(f"{BASE}/alice/calendar/feeds")
    assert new.rsplit("/", 1)[1] not in page.html and "cannot show it again" in page.text
    ended = await alice.send(page, "/feeds/revoke")
    assert ended.status == 200 and "It no longer works." in ended.text
    assert {(await group.read(one)).status_code for one in (old, new)} == {404}
    assert (await group.read(world)).status_code == 200, "the other one stays"
    gerda = group.browsers["gerda"]
    await gerda.send(await gerda.get(f"{BASE}/gerda/people"), "/people/of/alice/remove")
    gone = await group.read(world)
    assert gone.status_code == 404 and "does not work" in gone.text


async def test_a_press_that_is_repeated_makes_one_address(group: Group) -> None:
    alice = group.browsers["alice"]
    page = await alice.get(f"{BASE}/alice/calendar/feeds")
    told = [(await alice.send(page, "/feeds/make")).values["feed-real"] for _ in range(2)]
    assert told[0] == told[1] and (await group.read(urlsplit(told[0]).path)).status_code == 200


async def test_addresses_that_are_none_open_nothing(group: Group, open_browser: Open) -> None:
    right = await group.make("alice", "real")
    token = right.rsplit("/", 1)[1]
    for wrong in (
        f"/feed/elsewhere/{token}", f"/feed/the-goblin-road/{token[1:]}", f"/feed/the-goblin-road/{'A' * 43}.ics",
        "/feed/the-goblin-road/.ics", "/feed/%00/x.ics", f"/feed/the-goblin-road/{token}x",
        f"/feed/{'a' * 3000}/{token}",
    ):  # fmt: skip
        answer = await group.read(wrong)
        assert answer.status_code == 404 and "BEGIN" not in answer.text, wrong
    page: Page = await group.browsers["alice"].post(f"{BASE}/alice/calendar/feeds/make", {"kind": "all"})
    assert page.status == 422 and "Choose one of the options" in page.text
    answer = await group.read(right)
    assert answer.headers["referrer-policy"] == "strict-origin" and "noindex" in answer.headers["x-robots-tag"]
    assert answer.headers["cache-control"] == "private, no-cache"


async def test_whoever_guesses_is_slowed_down(site: FastAPI, group: Group) -> None:
    site.state.meter = Meter(clock=lambda: 0.0)  # on a slow machine new tries would come meanwhile
    answers = [(await group.read("/feed/the-goblin-road/x.ics")).status_code for _ in range(125)]
    assert answers[0] == 404 and answers[-1] == 429


async def test_deadlines_of_steps_are_in_the_feed_of_whom_they_await(site: FastAPI, open_browser: Open) -> None:
    """The demo's scene: a step that awaits somebody gets a deadline; only they are told of it, in today's words, under
    the id that the stored words have given it."""
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        links = {label.split(" ")[0].strip(",:"): path for label, path in await ensure_demo(session, runtime.vault)}
        due = await session.scalar(select(func.now() + dt.timedelta(hours=2)))
        await session.execute(update(StepRow).where(StepRow.status == "open").values(due_at=due))
        await session.execute(update(AskRow).where(AskRow.awaited).values(call="Look at the pairing"))
        ask = (
            await session.execute(
                select(AskRow.scene_id, AskRow.call, SeatHolder.member_id, Member.handle)
                .join(SeatHolder, (SeatHolder.scene_id == AskRow.scene_id) & (SeatHolder.seat == AskRow.seat))
                .join(Member, Member.id == SeatHolder.member_id)
                .where(AskRow.awaited, AskRow.status != "ready")
            )
        ).first()
    assert ask is not None and due is not None
    stranger = open_browser()
    for name, path in links.items():
        browser = open_browser()
        await browser.send(await browser.get(path), "/enter")
        handle = name.lower()
        made = await browser.post(f"{BASE}/{handle}/calendar/feeds/make", {"kind": "real"})
        answer = await stranger.http.get(urlsplit(made.values["feed-real"]).path)
        told = [str(e["summary"]) for e in Calendar.from_ical(answer.content).walk("VEVENT")]
        assert told == (["Deadline: Check who fights whom"] if handle == ask.handle else []), name
        if told:
            event = Calendar.from_ical(answer.content).walk("VEVENT")[0]
            assert str(event["uid"]).startswith(f"deadline-{uuid.uuid5(ask.scene_id, ask.call)}")
            assert event.start == due.replace(microsecond=0) and "DTEND" not in event
