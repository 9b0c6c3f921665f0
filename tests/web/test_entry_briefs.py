"""The form for a new scene, filled in from an entry of the calendar that has a brief: unchanged, it says the same."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.almanac import entries
from app.almanac.entries import BriefTyped, EntryTyped
from app.campaign import characters, founding, seats, tokens
from app.engine.ruleset import GM, Brief
from app.models.almanac import Entry
from app.models.people import Campaign, Member
from app.models.scenes import Scene
from app.rulesets import find, games
from app.table.loaded_scene import read
from app.table.runtime import Runtime
from tests.web.browser import Browser, Page, PageForm

pytestmark = pytest.mark.anyio

DEMOS = {
    f"{rules.key}/{brief.kind}/{brief.title}": (rules.key, sheets, brief)
    for rules in games()
    for demo in (rules.demo, *rules.demos.values())
    if demo is not None
    for sheets, brief in (demo.set_up(),)
    if rules.kind(brief.kind).pages.opening and not rules.kind(brief.kind).seats_are_people
}
"""The scenes of all demos, by name."""

KNIGHT = {"key": "sir-guy", "name": "Sir Guy", "side": "a", "standing": "Sent by the duke"}
ARMIES = {"a": {"spearmen": 300}, "b": {"bowmen": 120}}


@dataclass
class Planning:
    """A GM with a calendar, and the characters of a scene."""

    runtime: Runtime
    gm: Browser
    member: Member
    campaign: Campaign
    path: str

    async def plan(self, brief: Mapping[str, Any], title: str = "The plan") -> Entry:
        async with self.runtime.sessions.begin() as session:
            people = tuple(slug for who in brief["seats"].values() for slug in who)
            typed = EntryTyped(kind="scene", title=title, day=0, people=people, brief=BriefTyped.model_validate(brief))
            return await entries.add(session, self.runtime.vault, self.campaign.id, self.member, typed)

    async def form(self, entry: Entry) -> tuple[Page, PageForm]:
        page = await self.gm.get(f"{self.path}/scenes/new?entry={entry.id}")
        assert page.status == 200
        return page, page.form("/scenes/new")

    async def press(self, form: PageForm, **typed: str) -> Page:
        fields = [(name, value) for name, value in form.fields if name not in typed]
        return await self.gm.post(form.action, [*fields, *typed.items()])

    async def begun(self, title: str = "The plan") -> tuple[Brief, Mapping[str, Any], uuid.UUID]:
        """Brief, settings and id of the scene of that title."""
        async with self.runtime.sessions() as session:
            scene = (await session.scalars(select(Scene).where(Scene.title == title))).one()
            live = await read(session, self.runtime.vault, self.campaign.id, scene.id)
        return live.setup().brief, scene.settings, scene.id

    async def entry(self, entry: Entry) -> Entry:
        async with self.runtime.sessions() as session:
            return await session.get_one(Entry, (self.campaign.id, entry.id))


async def planning(
    site: FastAPI, open_browser: Callable[[], Browser], ruleset: str, sheets: Mapping[str, Any]
) -> Planning:
    runtime: Runtime = site.state.runtime
    rules = find(ruleset)
    async with runtime.sessions.begin() as session:
        founded = await founding.found_campaign(session, "Plans", ruleset, "GM", "test")
        for slug, sheet in sheets.items():
            dumped = rules.character.dump_python(sheet, mode="json")
            made = await characters.create(session, founded.campaign, slug, ruleset, dumped, None)
            made.slug = slug
        gm, cookie = open_browser(), tokens.fresh()
        await seats.sit_down(session, founded.member, "test", cookie)
    path = f"/c/{founded.campaign.slug}/gm"
    gm.http.cookies.set("signet", cookie, domain="signet.test", path=path)
    return Planning(runtime, gm, founded.member, founded.campaign, path)


def planned(ruleset: str, brief: Brief, **settings: Any) -> dict[str, Any]:
    rules = find(ruleset)
    return {
        "ruleset": ruleset,
        "kind": brief.kind,
        "seats": {seat: list(who) for seat, who in brief.seats.items()},
        "given": rules.kind(brief.kind).given.dump_python(
            rules.kind(brief.kind).given.validate_python(brief.given), mode="json"
        ),
        "settings": settings,
    }


def said(given: Any) -> Any:
    """What an opening says: without empty fields, and without the sides of people who take no part in it."""
    if isinstance(given, list):
        return [said(one) for one in given]
    if not isinstance(given, dict):
        return given
    parts = {name: said(part) for name, part in given.items() if name != "sides"}
    return {name: part for name, part in parts.items() if part not in ("", 0, None, [], {}) or part is False}


ALOUD: dict[str, Any] = {"journey": {"comes": dict.fromkeys("ab", "behind"), "guide": dict.fromkeys("ab", 2)}}
"""What a form says that an opening leaves to the rules, by kind."""


@pytest.mark.parametrize("which", DEMOS)
async def test_an_unchanged_form_gives_the_same_scene(
    which: str, site: FastAPI, open_browser: Callable[[], Browser]
) -> None:
    ruleset, sheets, brief = DEMOS[which]
    plan = await planning(site, open_browser, ruleset, sheets)
    order = planned(ruleset, brief)
    entry = await plan.plan(order)
    page, form = await plan.form(entry)
    assert "Not opened yet" not in page.text
    opened = await plan.press(form)
    assert "/scene/" in opened.path, opened.text
    found, settings, scene = await plan.begun()
    assert said(found.given) == ALOUD.get(brief.kind, {}) | said(order["given"])
    assert {**found.seats, GM: ()} == {**brief.seats, GM: ()}
    rules = find(ruleset)
    usual = rules.settings.dump_python(rules.settings.validate_python(rules.of_new_scene({})), mode="json")
    assert settings == usual
    linked = await plan.entry(entry)
    assert (linked.scene_id, linked.state) == (scene, "open")


async def test_a_fight_keeps_its_foes_seats_and_settings(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    """Chronicle's hand-to-hand: foes that no card of the form could make."""
    rules = find("chronicle")
    assert rules.demo is not None
    sheet = next(iter(rules.demo.set_up()[0].values()))
    plan = await planning(site, open_browser, "chronicle", dict.fromkeys(("ann", "bea", "cid"), sheet))
    foes = [KNIGHT, {**KNIGHT, "key": "guard-1", "name": "Town guard"}]
    brief = Brief(
        kind="hand",
        title="",
        seats={"both": ("bea", "ann"), "gm": ("cid",)},  # type: ignore[dict-item]
        given={"description": "Rain.\nMud.", "foes": foes, "sides": {"ann": "b", "sir-guy": "a"}},
    )
    order = planned("chronicle", brief, hand_seconds=90, penalties_stack="max", npc_rating="guide")
    first = await plan.plan(order)
    page, form = await plan.form(first)
    assert "Sir Guy and Town guard" in page.text and ("planned", "yes") in form.fields
    await plan.press(form)
    found, settings, scene = await plan.begun()
    assert found.given == {**order["given"], "sides": {"bea": "", "cid": "", **order["given"]["sides"]}}
    assert (found.seats, settings["hand_seconds"]) == ({"both": ("bea", "ann"), GM: ("cid",)}, 90)
    assert (settings["penalties_stack"], settings["npc_rating"]) == ("max", "guide")
    await plan.gm.post(f"{plan.path}/scene/{scene}/act/leave")

    _, form = await plan.form(await plan.plan(order, "Changed"))
    fields = [one for one in form.fields if one not in (("planned", "yes"), ("seat[]", "cid"))]
    muster = [("given.muster.0.kind", "guard"), ("given.muster.0.count", "2"), ("given.description", "Sun.")]
    opened = await plan.gm.post(form.action, [*(one for one in fields if one[0] != "given.description"), *muster])
    assert "/scene/" in opened.path, opened.text
    found, _, _ = await plan.begun("Changed")
    assert [foe["name"] for foe in found.given["foes"]] == ["Town guard 1", "Town guard 2"]  # type: ignore[index,call-overload]
    assert (found.seats, found.given["description"]) == ({"both": ("bea", "ann"), GM: ()}, "Sun.")  # type: ignore[index,call-overload]


async def test_a_battle_keeps_its_armies_and_its_field(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    rules = find("chronicle")
    assert rules.demo is not None
    sheet = next(iter(rules.demo.set_up()[0].values()))
    plan = await planning(site, open_browser, "chronicle", dict.fromkeys(("ann", "bea"), sheet))
    kind = rules.kind("mass")
    troops = [troop["key"] for troop in kind.given.json_schema()["properties"]["armies"]["x-troops"]]
    field = kind.given.json_schema()["properties"]["field"]["x-labels"][0][0]
    given = {
        "armies": {"a": {troops[0]: 300, troops[1]: 20}}, "points": {"b": 5000}, "names": {"b": "The duke’s"},
        "sides": {"ann": "a", "bea": "b"}, "attacker": "b", "how": "ambush", "field": field,
    }  # fmt: skip
    order = planned("chronicle", Brief(kind="mass", title="", seats={"ann": ("ann",), "bea": ("bea",)}, given=given))  # type: ignore[dict-item]
    _, form = await plan.form(await plan.plan(order))
    opened = await plan.press(form)
    assert "/scene/" in opened.path, opened.text
    found, _, _ = await plan.begun()
    assert said(found.given) == said(order["given"]) and said(found.given)["armies"] == given["armies"]
    assert found.given["sides"] == given["sides"]  # type: ignore[index,call-overload]


async def test_it_comes_back_with_what_was_typed_and_is_kept_for_later(
    site: FastAPI, open_browser: Callable[[], Browser]
) -> None:
    rules = find("chronicle")
    assert rules.demo is not None
    sheet = next(iter(rules.demo.set_up()[0].values()))
    plan = await planning(site, open_browser, "chronicle", {"ann": sheet})
    brief = Brief(kind="hand", title="", seats={"ann": ("ann",)}, given={"foes": [KNIGHT]})  # type: ignore[dict-item]
    entry = await plan.plan(planned("chronicle", brief))
    _, form = await plan.form(entry)
    again = await plan.press(form, title="x" * 121)
    assert again.status == 422 and ("planned", "yes") in again.form("/scenes/new").fields
    again = await plan.press(again.form("/scenes/new"), title="Later", _muster="add guard")
    kept = await plan.press(again.form("/scenes/new"), title="Later", _keep="yes")
    opened = await plan.gm.send(kept, "/open")
    assert "The scene is open." in opened.text
    found, _, _ = await plan.begun("Later")
    assert [foe["name"] for foe in found.given["foes"]] == ["Sir Guy", "Town guard"]  # type: ignore[index,call-overload]
    for odd in ("{", "[]", '{"given": 3}', '{"seats": {"a": [""]}}', '{"given": {"foes": [{"key": 3}]}}'):
        wrong = await plan.press(form, unshown=odd, held="copy")
        assert wrong.status == 422, odd
    refused = await plan.press(form, unshown="x")
    assert "Part of this form was lost." in refused.text


async def test_the_entry_offers_to_open_at_once_or_to_change_first(
    site: FastAPI, open_browser: Callable[[], Browser]
) -> None:
    rules = find("chronicle")
    assert rules.demo is not None
    sheet = next(iter(rules.demo.set_up()[0].values()))
    plan = await planning(site, open_browser, "chronicle", {"ann": sheet})
    brief = Brief(kind="hand", title="", seats={"ann": ("ann",)}, given={"foes": [{**KNIGHT, "side": "b"}]})  # type: ignore[dict-item]
    entry = await plan.plan(planned("chronicle", brief))
    page = await plan.gm.get(f"{plan.path}/calendar/entries/{entry.id}")
    assert page.has_form(f"{entry.id}/open") and f"{plan.path}/scenes/new?entry={entry.id}" in page.links
    other = await plan.gm.get(f"{plan.path}/scenes/new?entry={entry.id}&kind=mass")
    assert other.status == 200 and "As planned" not in other.text, "another kind begins with an empty form"
    opened = await plan.gm.send(page, f"{entry.id}/open")
    assert "/scene/" in opened.path, opened.text
    found, _, _ = await plan.begun()
    assert [foe["name"] for foe in found.given["foes"]] == ["Sir Guy"]  # type: ignore[index,call-overload]
