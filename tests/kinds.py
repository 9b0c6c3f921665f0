"""Scenes of every kind of every ruleset, for tests that go through them all: with a GM, Ann and Bea who play."""

import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state
from app.campaign import characters, seats
from app.crypto.vault import Vault
from app.engine.ruleset import Brief, Ruleset, SceneKind, Seat
from app.models.people import Campaign, Character, Member
from app.models.scenes import CampaignMemory
from app.rulesets import RULESETS
from app.table.opening import open_scene

Rules = Ruleset[Any, Any]
Kind = SceneKind[Any, Any, Any, Any, Any, Any]

KINDS = [(rules, kind) for rules in RULESETS for kind in rules.kinds]
GIVEN: Mapping[str, Mapping[str, Any]] = {
    "hand": {},
    "throw": {},
    "draft": {"gm": False},
    "vote": {"purpose": "Which way?", "options": ["the pass", "the ferry"]},
    "order": {"purpose": "Who takes what?", "things": ["the ring", "the map", "the horse"]},
    "roll": {"purpose": "How many come?", "dice": "2d6"},
    "next": {"purpose": "The flood", "today": 3, "people": [{"key": "ella", "name": "Ella", "seat": "ann"}]},
}
"""What scenes start from that no sample tells of."""


def sample_of(rules: Rules, kind: Kind) -> tuple[Mapping[str, Any], Brief]:
    """Sheets and brief of the demo that opens this kind; else of the game's usual demo."""
    assert rules.demo is not None
    begun = [demo.set_up() for demo in (rules.demo, *rules.demos.values())]
    return next((one for one in begun if one[1].kind == kind.key), begun[0])


async def begin(
    session: AsyncSession,
    vault: Vault,
    campaign: Campaign,
    people: Mapping[str, Member],
    rules: Rules,
    kind: Kind,
    given: Mapping[str, Any] | None = None,
    sheets: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    kept: Mapping[str, Any] | None = None,
) -> uuid.UUID:
    """A scene of this kind; `people` are ann and bea, who own its characters by turns. `given` and `sheets` replace
    some of what the sample starts from, and the campaign remembers what is `kept`."""
    if kind.leg is not None:
        await seats.hold(session, campaign.id)
        await calendar_state.hold(session, vault, campaign.id)  # before characters
    for name, body in (kept or {}).items():
        left = CampaignMemory(campaign_id=campaign.id, name=name, body={"is": body}, from_scene=uuid.uuid4())
        await session.merge(left)
    if rules.utility or kind.seats_are_people:
        chairs = {Seat("ann"): people["ann"], Seat("bea"): people["bea"]}
        brief = Brief(kind=kind.key, title=kind.title, seats=dict.fromkeys(chairs, ()), given=dict(GIVEN[kind.key]))
    else:
        chairs = {}
        brief = await _of_characters(session, campaign, people, rules, kind, sheets or {})
    if given:
        assert isinstance(brief.given, dict)
        brief = replace(brief, given={**brief.given, **given})
    return await open_scene(session, vault, campaign.id, rules.key, brief, settings, held="copy", people=chairs)


async def _of_characters(
    session: AsyncSession,
    campaign: Campaign,
    people: Mapping[str, Member],
    rules: Rules,
    kind: Kind,
    others: Mapping[str, Any],
) -> Brief:
    sheets, sample = sample_of(rules, kind)
    sheets = {**sheets, **others}
    here = {one.slug for one in await characters.all_characters(session, campaign.id)}
    for turn, (key, sheet) in enumerate(sheets.items()):
        if key not in here:
            typed = rules.character.dump_python(sheet, mode="json")
            owner = people["ann" if turn % 2 == 0 else "bea"]
            row: Character = await characters.create(session, campaign, sheet.name, rules.key, typed, owner)
            assert row.slug == key
    if sample.kind == kind.key:
        return sample
    return Brief(kind=kind.key, title=kind.title, seats=sample.seats, given=dict(GIVEN[kind.key]))
