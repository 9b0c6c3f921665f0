"""The demo campaign: five people on the goblin road, and a battle that waits for their first seals."""

import base64
import hmac

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import demo as year
from app.campaign import characters, founding, names, seats, tokens
from app.campaign.models import Campaign, Member, Role
from app.rulesets import find
from app.rulesets.whiskey import samples
from app.table.opening import open_scene
from app.table.vault import Vault

TITLE = "The Goblin Road"
ABOUT = "A cart, a fir wood, and the road to the old stone bridge. Somebody rustles in the trees."
PLAYERS = ("Alice", "Bob", "Charlie")


async def ensure_demo(session: AsyncSession, vault: Vault, *, calendar: bool = False) -> list[tuple[str, str]]:
    """A label and a path of a personal link for each seat of the demo; makes it all the first time, with `calendar`
    also a calendar that lives.

    The links are made from the key of the envelopes and so are the same at each start: what was printed or
    bookmarked once keeps working, and still nothing but their hashes is stored.
    """
    campaign = await session.scalar(select(Campaign).where(Campaign.demo).order_by(Campaign.made_at).limit(1))
    if campaign is None:
        campaign = await _make(session, vault, calendar=calendar)
    links: list[tuple[str, str]] = []
    for member in await seats.members(session, campaign.id):
        token = _token(vault, member)
        member.way_back = tokens.digest(token)
        links.append((_label(member), f"/enter/{campaign.slug}/{token}"))
    await session.flush()
    return links


async def _make(session: AsyncSession, vault: Vault, *, calendar: bool) -> Campaign:
    gm = await founding.found(session, TITLE, "whiskey", "GM", "the first start")
    await seats.sign_out(session, gm.member)
    campaign = gm.campaign
    campaign.demo, campaign.about = True, ABOUT
    sheets, brief = samples.goblins_in_the_woods()
    rules = find("whiskey")
    for name in PLAYERS:
        member = await seats.add_member(session, campaign, name, Role.PLAYER)
        sheet = rules.character.dump_python(sheets[names.slug(name, "")], mode="json")
        await characters.create(session, campaign, name, rules.key, sheet, member)
    await seats.add_member(session, campaign, "Sam", Role.SPECTATOR)
    scene = await open_scene(session, vault, campaign.id, rules.key, brief)
    if calendar:
        await year.fill(session, vault, campaign, scene)
    return campaign


def _token(vault: Vault, member: Member) -> str:
    place = b"signet-demo-link-1\n" + member.campaign_id.bytes + member.id.bytes
    return base64.urlsafe_b64encode(hmac.digest(vault.keys[0], place, "sha256")).rstrip(b"=").decode()


def _label(member: Member) -> str:
    return {Role.GM: member.name, Role.PLAYER: member.name, Role.SPECTATOR: f"{member.name}, who watches"}[member.role]
