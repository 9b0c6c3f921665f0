"""Tables in play: goblins in the woods, the scene is set, all are asked to declare, and Alice has sealed."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from app.campaign import characters, founding, seats, tokens
from app.crypto.vault import Vault
from app.db.engine import make_engine
from app.models.people import Campaign, Member, Role
from app.play import decisions
from app.rulesets.whiskey.samples import goblins_in_the_woods
from app.table import envelopes
from app.table.bus import PostgresBus
from app.table.envelopes import Submission
from app.table.opening import open_scene
from app.table.runtime import Runtime
from benchmarks.ground import KEY

STEP = "r1/declare"
BROWSER = "the benchmark"
WORDS = (
    ("of.alice.intent", "attack"),
    ("of.alice.attack", "sword-goblin"),
    ("of.alice.engage", ""),
    ("of.alice.other", ""),
    ("of.alice.rider", "text"),
    ("of.alice.rider_text", "and I shout for Bob to watch the one with the old axe"),
)
"""Alice's declaration: an attack, and a rider."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A member at a table: the address of the page, and the cookie that opens it."""

    slug: str
    handle: str
    token: str
    campaign: uuid.UUID
    scene: uuid.UUID
    member: uuid.UUID
    device: uuid.UUID

    @property
    def base(self) -> str:
        return f"/c/{self.slug}/{self.handle}"

    @property
    def page(self) -> str:
        return f"{self.base}/scene/{self.scene}"

    @property
    def cookie(self) -> str:
        return f"signet={self.token}"


@dataclass(frozen=True, slots=True)
class Table:
    """One campaign with one scene: its players in seat order, the GM, and those who only watch."""

    players: tuple[Chair, ...]
    gm: Chair
    watching: tuple[Chair, ...] = ()


async def lay_tables(url: str, count: int, watching: int = 0) -> list[Table]:
    """Makes `count` campaigns, each with a scene that waits for its players' declarations."""
    engine = make_engine(url)
    bus = PostgresBus(url)
    runtime = Runtime(async_sessionmaker(engine, expire_on_commit=False), Vault([KEY]), bus, decisions.after)
    try:
        return [await _table(runtime, number, watching) for number in range(count)]
    finally:
        await bus.close()
        await engine.dispose()


async def _table(runtime: Runtime, number: int, watching: int) -> Table:
    sheets, brief = goblins_in_the_woods()
    async with runtime.sessions.begin() as session:
        seated = await founding.found_campaign(session, f"Table {number}", "whiskey", "The GM", BROWSER)
        campaign = seated.campaign
        players = [await _sit(session, campaign, sheet.name, Role.PLAYER) for sheet in sheets.values()]
        for (member, *_), sheet in zip(players, sheets.values(), strict=True):
            await characters.create(session, campaign, sheet.name, "whiskey", sheet.model_dump(mode="json"), member)
        others = [await _sit(session, campaign, f"Guest {n}", Role.SPECTATOR) for n in range(watching)]
        scene = await open_scene(session, runtime.vault, campaign.id, "whiskey", brief, {})

    def chair(member: Member, token: str, device: uuid.UUID) -> Chair:
        return Chair(campaign.slug, member.handle, token, campaign.id, scene, member.id, device)

    table = Table(
        tuple(chair(*one) for one in players),
        chair(seated.member, seated.token, seated.device_id),
        tuple(chair(*one) for one in others),
    )
    await lay(runtime, table.gm, "r1/scene", "gm", ())
    await lay(runtime, table.players[0], STEP, "alice", WORDS)
    return table


async def _sit(session: AsyncSession, campaign: Campaign, name: str, role: Role) -> tuple[Member, str, uuid.UUID]:
    member, token = await seats.add_member(session, campaign, name, role), tokens.fresh()
    return member, token, await seats.sit_down(session, member, BROWSER, token)


async def lay(
    runtime: Runtime, chair: Chair, step: str, seat: str, pairs: Sequence[tuple[str, str]], revision: int = 0
) -> None:
    """Seals for the member at a chair."""
    async with runtime.locked_scene(chair.campaign, chair.scene) as (session, live):
        await envelopes.lay(
            session, live, chair.member, Submission(step, seat, pairs, revision, uuid.uuid4(), ready=True)
        )
