"""The demo campaigns: for each game one or more, with members, their characters, and an open scene."""

import base64
import hmac
from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state
from app.campaign import characters, founding, seats, tokens
from app.crypto.vault import Vault
from app.engine.ruleset import Demo, Ruleset
from app.models.people import Campaign, Member, Role
from app.play import demo_calendar as year
from app.play import demo_desk as desk
from app.rulesets import RULESETS
from app.table.opening import open_scene

MARK = "demo"  # the key of DEMOS, in a campaign's settings; the usual demo has no such setting

DEMOS: Mapping[str, tuple[Ruleset[Any, Any], Demo[Any]]] = {
    key: (ruleset, demo)
    for ruleset in RULESETS
    for key, demo in {ruleset.key: ruleset.demo, **ruleset.demos}.items()
    if demo is not None
}
USUAL = "whiskey"


async def ensure_demo(
    session: AsyncSession, vault: Vault, key: str = USUAL, *, calendar: bool = False
) -> list[tuple[str, str]]:
    """Returns label and path of a personal link for each member of that demo; makes it the first time, with `calendar`
    also a calendar with entries. Raises KeyError if there is no such demo.

    The links are derived from the key of the envelopes, so they are the same at each start and bookmarks keep working,
    although only their hashes are stored.
    """
    (rules, demo), key_of = DEMOS[key], Campaign.settings[MARK].as_string()
    mine = key_of == key if key != USUAL else key_of.is_(None)
    campaign = await session.scalar(select(Campaign).where(Campaign.demo, mine).order_by(Campaign.made_at).limit(1))
    if campaign is None:
        campaign = await _make(session, vault, key, rules, demo, calendar=calendar and demo.dated)
    links: list[tuple[str, str]] = []
    for member in await seats.members(session, campaign.id):
        token = _token(vault, member)
        member.way_back = tokens.digest(token)
        links.append((_label(member), f"/enter/{campaign.slug}/{token}"))
    await session.flush()
    return links


async def _make(
    session: AsyncSession, vault: Vault, key: str, rules: Ruleset[Any, Any], demo: Demo[Any], *, calendar: bool
) -> Campaign:
    gm = await founding.found_campaign(session, demo.title, rules.key, "GM", "the first start")
    await seats.sign_out(session, gm.member)
    campaign = gm.campaign
    campaign.demo, campaign.about = True, demo.about
    if key != USUAL:
        campaign.settings = {**campaign.settings, MARK: key}
    sheets, brief = demo.set_up()
    if (
        rules.kind(brief.kind).leg is not None
    ):  # the scene puts itself on the calendar, which is locked before characters
        await calendar_state.hold(session, vault, campaign.id)
    for sheet in sheets.values():
        member = await seats.add_member(session, campaign, sheet.name, Role.PLAYER)
        typed = rules.character.dump_python(sheet, mode="json")
        await characters.create(session, campaign, sheet.name, rules.key, typed, member)
    await seats.add_member(session, campaign, "Sam", Role.SPECTATOR)
    scene = await open_scene(session, vault, campaign.id, rules.key, brief, demo.settings)
    if calendar:
        await year.fill(session, vault, campaign, scene)
        await desk.fill(session, vault, campaign)
    return campaign


def _token(vault: Vault, member: Member) -> str:
    place = b"signet-demo-link-1\n" + member.campaign_id.bytes + member.id.bytes
    return base64.urlsafe_b64encode(hmac.digest(vault.keys[0], place, "sha256")).rstrip(b"=").decode()


def _label(member: Member) -> str:
    return {Role.GM: member.name, Role.PLAYER: member.name, Role.SPECTATOR: f"{member.name}, who watches"}[member.role]
