"""The demo: made once, the same links at each start, and a battle that really waits for its people."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from app.almanac import advance, entries
from app.almanac import calendar_state as books
from app.campaign import founding, handouts, library, people, prepared, seats
from app.crypto.vault import Vault
from app.models.people import Campaign, Device
from app.play import next_up
from app.play.demo import DEMOS, USUAL, ensure_demo
from app.rulesets import games
from app.table import listing
from tests.campaign.people import Sessions
from tests.server import ROOT

pytestmark = pytest.mark.anyio


async def test_the_demo_is_made_once_and_its_links_stay(sessions: Sessions, vault: Vault) -> None:
    async with sessions.begin() as session:
        first = await ensure_demo(session, vault)
    async with sessions.begin() as session:
        second = await ensure_demo(session, vault)
    assert first == second
    assert [label for label, _ in first] == ["GM", "Alice", "Bob", "Charlie", "Sam, who watches"]
    async with sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Campaign)) == 1
        assert await seats.by_slug(session, "the-goblin-road") is not None
        for (label, path), handle in zip(first, ("gm", "alice", "bob", "charlie", "sam"), strict=True):
            _, slug, token = path.strip("/").split("/")
            found = await seats.by_link(session, slug, token)
            assert found is not None and found[1].handle == handle, label
            assert await seats.devices(session, found[1]) == []


async def test_other_keys_make_other_links(sessions: Sessions, vault: Vault) -> None:
    async with sessions.begin() as session:
        first = await ensure_demo(session, vault)
    async with sessions.begin() as session:
        second = await ensure_demo(session, Vault([b"another key of 32 bytes, for sure"[:32]]))
    assert not {path for _, path in first} & {path for _, path in second}


async def test_a_battle_waits_for_its_gm_to_set_the_scene(sessions: Sessions, vault: Vault) -> None:
    async with sessions.begin() as session:
        await ensure_demo(session, vault)
    async with sessions() as session:
        campaign = await seats.by_slug(session, "the-goblin-road")
        assert campaign is not None and campaign.demo
        awaited = {}
        for member in await seats.members(session, campaign.id):
            [scene] = await listing.scenes(session, campaign.id, member)
            assert (scene.title, scene.status) == ("Goblins in the woods", "open")
            awaited[member.name] = bool(scene.calls)
    assert awaited == {"GM": True, "Alice": False, "Bob": False, "Charlie": False, "Sam": False}


OTHERS = {
    "arcana": ("arcana", "At the broken gate", {"Isaura", "Brom", "Nerys", "GM"}),
    "chronicle": ("chronicle", "The flood at the mill", set()),
    "battle": ("chronicle", "The road through the pass", {"Anselm"}),
    "duel": ("duel", "After closing time", {"Mira", "Tomo"}),
}


@pytest.mark.parametrize("demo", OTHERS)
async def test_other_demos_stand_beside_it(sessions: Sessions, vault: Vault, demo: str) -> None:
    game, title, awaited = OTHERS[demo]
    async with sessions.begin() as session:
        usual = await ensure_demo(session, vault)
        first = await ensure_demo(session, vault, demo, calendar=True)
    async with sessions.begin() as session:
        assert await ensure_demo(session, vault, demo, calendar=True) == first
        assert await ensure_demo(session, vault, calendar=True) == usual
    assert not {path for _, path in usual} & {path for _, path in first}
    async with sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Campaign)) == 2
        campaign = await seats.by_slug(session, first[0][1].split("/")[2])
        assert campaign is not None and campaign.demo and campaign.settings["ruleset"] == game
        called = set()
        for member in await seats.members(session, campaign.id):
            [scene] = await listing.scenes(session, campaign.id, member)
            assert (scene.title, scene.status) == (title, "open")
            called |= {member.name} if scene.calls else set()
    assert called == awaited


async def test_a_demo_is_found_again_when_its_usual_rules_are_others(sessions: Sessions, vault: Vault) -> None:
    async with sessions.begin() as session:
        first = await ensure_demo(session, vault, "arcana")
        campaign = await seats.by_slug(session, "the-broken-gate")
        assert campaign is not None
        await founding.change(session, campaign, "Ours", "", "duel", None)
    async with sessions.begin() as session:
        assert await ensure_demo(session, vault, "arcana") == first
        assert await ensure_demo(session, vault) != first, "and it is nobody else's"


async def test_demos_of_one_game_stand_beside_each_other(sessions: Sessions, vault: Vault) -> None:
    async with sessions.begin() as session:
        first = await ensure_demo(session, vault, "chronicle")
        second = await ensure_demo(session, vault, "battle")
    async with sessions.begin() as session:
        assert await ensure_demo(session, vault, "chronicle") == first
        assert await ensure_demo(session, vault, "battle") == second
    assert [label for label, _ in first] == ["GM", "Ella", "Morten", "Sam, who watches"]
    assert [label for label, _ in second] == ["GM", "Ella", "Anselm", "Sam, who watches"]


def test_every_game_has_a_demo() -> None:
    assert {rules.key for rules, _ in DEMOS.values()} == {rules.key for rules in games()}
    assert {rules.key for rules in games()} <= set(DEMOS)
    assert USUAL in DEMOS


def test_the_readme_names_every_demo() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"--demo (\w+)", readme)) == set(DEMOS) - {USUAL}


async def test_whoever_starts_signet_finds_a_calendar_that_lives(sessions: Sessions, vault: Vault) -> None:
    async with sessions.begin() as session:
        first = await ensure_demo(session, vault, calendar=True)
    async with sessions.begin() as session:
        assert await ensure_demo(session, vault, calendar=True) == first
    async with sessions() as session:
        campaign = await seats.by_slug(session, "the-goblin-road")
        assert campaign is not None
        gm, alice = [await seats.member_by_handle(session, campaign.id, name) for name in ("gm", "alice")]
        book = await books.read(session, campaign.id)
        days = (book.today - 5, book.today + 20)
        told = {one.title: one for one in await entries.between(session, campaign.id, gm, *days)}
        assert book.count.said(book.today) == "Restday, 6 Leaf 412 OR"
        [scene] = await listing.scenes(session, campaign.id, gm)
        assert told["Goblins in the woods"].scene_id == scene.id
        assert {one.kind for one in told.values()} == {
            "scene", "session", "note", "leg", "arrival", "completion", "holiday", "event",
        }  # fmt: skip
        assert [one.rule is not None for one in told.values() if one.title == "Full moon"] == [True]
        starts = told["Next session"].starts_at
        assert starts is not None and timedelta(days=3) < starts - datetime.now(UTC) < timedelta(days=6)
        known = {one.title for one in await entries.between(session, campaign.id, alice, *days)}
        assert set(told) - known == {"The goblins come back, with wolves"}
        assert [len(one.characters) for one in await library.folders(session, gm)] == [1, 1]
        assert len(await handouts.all_known(session, vault, gm)) == 2
        assert len(await handouts.all_known(session, vault, alice)) == 1
        assert len(await prepared.unopened(session, vault, gm)) == 1
        ahead = await advance.preview(session, campaign.id, gm, book.today + 1)
        assert [stop.title for stop in ahead.stops] == ["Goblins in the woods"], "the battle comes first"
        proposed = await next_up.proposed(session, campaign.id, alice)
        assert proposed is not None and proposed.scene.title == "Goblins in the woods"


async def test_sessions_outlive_a_restart_and_a_removed_member_gets_no_link(sessions: Sessions, vault: Vault) -> None:
    async with sessions.begin() as session:
        await ensure_demo(session, vault)
        campaign = await seats.by_slug(session, "the-goblin-road")
        assert campaign is not None
        alice = await seats.member_by_handle(session, campaign.id, "alice")
        await seats.sit_down(session, alice, "x", "a" * 43)
        bob = await seats.member_by_handle(session, campaign.id, "bob")
        await people.remove(session, bob, by=await seats.member_by_handle(session, campaign.id, "gm"))
    async with sessions.begin() as session:
        assert "Bob" not in [label for label, _ in await ensure_demo(session, vault)]
        assert await seats.find(session, "the-goblin-road", "alice", "a" * 43) is not None
        assert await session.scalar(select(func.count()).select_from(Device).where(Device.revoked_at.is_(None))) == 1
