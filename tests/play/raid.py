"""A campaign of Chronicle with a calendar for a raid of several scenes: a GM with Berta, who holds the town, and three
players: Ella and Morten, who ride, and Ida."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import advance, calendar_state, entries
from app.almanac.entries import BriefTyped, EntryTyped
from app.campaign import characters, founding, seats
from app.crypto.vault import Vault
from app.engine.ruleset import GM, Brief, Seat
from app.models.almanac import Entry
from app.models.people import Campaign, Character, Member, Role
from app.models.scenes import Scene
from app.play import chain, decisions, next_up
from app.receipts.file import parse
from app.receipts.verify import check_many
from app.rulesets import find
from app.rulesets.chronicle.gear import Carried
from app.rulesets.chronicle.samples import heroes
from app.rulesets.chronicle.sheets import Sheet, Skills
from app.table import envelopes, gm_actions, inner_scenes, receipt
from app.table.envelopes import Submission
from app.table.loaded_scene import read
from app.table.reading import sight
from app.table.runtime import Runtime

RIDERS = ("ella", "morten", "ida")
Pairs = Mapping[str, str] | Sequence[tuple[str, str]]


def cast() -> dict[str, Sheet]:
    """Ella’s people and Berta, who see far."""
    ella, morten = heroes().values()
    keen = {"notice": 10, "hide": 0}
    return {
        "ella": ella.model_copy(update={"skills": ella.skills.model_copy(update=keen)}),
        "morten": morten,
        "ida": Sheet(name="Ida", skills=Skills(convince=4, know=4), weapons=(Carried.of("sword"),)),
        "berta": Sheet(
            name="Berta",
            standing="Reeve of the town",
            skills=Skills(**keen, lead=4, tactics=3, control=6, fighting_mind=6, speed=6, strength=6, run=8),
            weapons=(Carried.of("sword"),),
        ),
    }


@dataclass
class Raid:
    """The table. Scenes and entries are found by their titles."""

    runtime: Runtime
    campaign: uuid.UUID
    people: dict[str, Member]
    laid: Counter[tuple[uuid.UUID, str, str]] = field(default_factory=Counter)

    # ------------------------------------------------------------------------------------------------ at the table

    async def open_in(self, outer: uuid.UUID, kind: str, title: str, cast: Sequence[str], given: Any) -> uuid.UUID:
        async with self.runtime.locked_scene(self.campaign, outer) as (session, live):
            where = session, live, self.people["gm"], self.brief(kind, title, cast, given)
            return await inner_scenes.open_inner(*where, {})

    def brief(self, kind: str, title: str, cast: Sequence[str], given: Any) -> Brief:
        return brief_of(self.people, kind, title, cast, given)

    async def lay(self, scene: uuid.UUID, seat: str, step: str, pairs: Pairs) -> None:
        key = (scene, seat, step)
        fields = list(pairs.items() if isinstance(pairs, Mapping) else pairs)
        laid = Submission(step, seat, fields, self.laid[key], uuid.uuid4(), True)
        async with self.runtime.locked_scene(self.campaign, scene) as (session, live):
            self.laid[key] = (await envelopes.lay(session, live, self.people[seat].id, laid)).revision

    async def step(self, scene: uuid.UUID, /, **says: Pairs) -> str:
        """Lays these forms at the step at hand, by seat, and opens it with the rules' defaults for all others. Returns
        its key."""
        key = await self.waits_for(scene)
        for seat, pairs in says.items():
            await self.lay(scene, seat, key, pairs)
        if key == await self.waits_for(scene):
            async with self.runtime.locked_scene(self.campaign, scene) as (session, live):
                assert await gm_actions.open_now(session, live, self.people["gm"], key)
        return key

    async def desk(self, scene: uuid.UUID, **pairs: str) -> None:
        """An act of the GM's desk."""
        seen = await self.sight(scene, "gm")
        key = next(step.key for step in seen.steps for ask in step.asks if ask.kind == "desk")
        await self.lay(scene, "gm", key, pairs)

    async def waits_for(self, scene: uuid.UUID) -> str:
        """The key of the step at hand; "" if there is none."""
        async with self.runtime.sessions() as session:
            live = await read(session, self.runtime.vault, self.campaign, scene)
        steps = live.kind.steps(live.state) if live.row.status == "open" else ()
        return next((step.key for step in steps if step.pace != "whenever"), "")

    async def state(self, scene: uuid.UUID) -> Any:
        async with self.runtime.sessions() as session:
            return (await read(session, self.runtime.vault, self.campaign, scene)).state

    async def sight(self, scene: uuid.UUID, who: str) -> Any:
        async with self.runtime.sessions() as session:
            return await sight(session, self.runtime.vault, self.campaign, scene, self.people[who])

    async def row(self, scene: uuid.UUID) -> Scene:
        async with self.runtime.sessions() as session:
            return await session.get_one(Scene, (self.campaign, scene))

    # ------------------------------------------------------------------------------------------------ on the calendar

    async def days_pass(self, to: int) -> int:
        """Lets time pass to a day. Returns the day that it has come to."""
        async with self.runtime.sessions.begin() as session:
            version = (await calendar_state.read(session, self.campaign)).version
            where = session, self.runtime.vault, self.campaign, self.people["gm"]
            return (await advance.advance(*where, to, version, uuid.uuid4())).to_day

    async def add(self, day: int, brief: Brief, settings: Mapping[str, Any] | None = None) -> Entry:
        async with self.runtime.sessions.begin() as session:
            where = session, self.runtime.vault, self.campaign, self.people["gm"]
            return await entries.add(*where, _typed(day, brief, settings))

    async def fill_in(self, entry: Entry, brief: Brief) -> None:
        """The GM gives an entry the scene that is played on its day."""
        async with self.runtime.sessions.begin() as session:
            where = session, self.runtime.vault, self.campaign, entry.id, entry.version
            await entries.change(*where, _typed(entry.day, brief), self.people["gm"])

    async def play(self, title: str) -> uuid.UUID:
        """Opens the scene of an entry by a press."""
        entry = await self.entry(title)
        async with self.runtime.sessions.begin() as session:
            where = session, self.runtime.vault, self.campaign, entry.id, entry.version
            return await next_up.open_from(*where, self.people["gm"])

    async def entry(self, title: str) -> Entry:
        return next(one for one in await self.calendar() if title in one.title)

    async def calendar(self) -> list[Entry]:
        async with self.runtime.sessions() as session:
            found = select(Entry).where(Entry.campaign_id == self.campaign).order_by(Entry.made_no)
            return list(await session.scalars(found))

    async def chain(self, scene: uuid.UUID, who: str) -> chain.Chain:
        async with self.runtime.sessions() as session:
            row = await session.get_one(Scene, (self.campaign, scene))
            inside, over = row.outer_id is not None, row.status == "over"
            return await chain.chain_of(session, self.people[who], scene, inside=inside, over=over)

    # ------------------------------------------------------------------------------------------------ what came of it

    async def sheet(self, who: str) -> Any:
        async with self.runtime.sessions() as session:
            row = await session.scalar(select(Character).filter_by(campaign_id=self.campaign, slug=who))
            assert row is not None
            return find("chronicle").character.validate_python(row.sheet)

    async def receipts(self, who: str) -> None:
        """Checks the files of all scenes that are over, together, as one member downloads them."""
        texts = []
        async with self.runtime.sessions() as session:
            over = select(Scene.id).where(Scene.campaign_id == self.campaign, Scene.status == "over")
            for scene in await session.scalars(over.order_by(Scene.made_at)):
                where = session, self.runtime.vault, self.campaign, scene, self.people[who]
                texts.append(await receipt.lines(*where))
        reports, wrong = check_many([parse(text) for text in texts])
        assert wrong == [] and [one.wrong for one in reports] == [[] for _ in texts]
        assert [one.code for one in reports] == [0 for _ in texts]


def brief_of(people: Mapping[str, Member], kind: str, title: str, cast: Sequence[str], given: Any) -> Brief:
    """A scene of these characters, with their owners' seats."""
    chairs: dict[Seat, tuple[str, ...]] = {Seat(one): (one,) for one in cast if one in people}
    return Brief(kind=kind, title=title, seats={**chairs, GM: tuple(set(cast) - set(people))}, given=given)


def _typed(day: int, brief: Brief, settings: Mapping[str, Any] | None = None) -> EntryTyped:
    """The entry of a scene, with its people and its beginning."""
    chairs = {str(seat): keys for seat, keys in brief.seats.items()}
    start = BriefTyped(
        ruleset="chronicle", kind=brief.kind, seats=chairs, given=brief.given, settings={**(settings or {})}
    )
    cast = tuple(key for keys in chairs.values() for key in keys)
    return EntryTyped(kind="scene", title=brief.title, day=day, people=cast, brief=start)


@dataclass(frozen=True, slots=True)
class Laid:
    """The campaign on day 1 of its calendar; `people`: gm, ella, morten, ida, and sam, who watches."""

    campaign: Campaign
    people: dict[str, Member]


async def settle(session: AsyncSession, vault: Vault) -> Laid:
    """Makes the campaign, which asks for next scenes as new ones do."""
    founded = await founding.found_campaign(session, "The raid", "chronicle", "GM", "test")
    campaign, people = founded.campaign, {"gm": founded.member}
    campaign.settings = {**campaign.settings, **decisions.usual_settings("chronicle")}
    for key, sheet in cast().items():
        if key != "berta":
            people[key] = await seats.add_member(session, campaign, sheet.name, Role.PLAYER)
        typed = find("chronicle").character.dump_python(sheet, mode="json")
        await characters.create(session, campaign, sheet.name, "chronicle", typed, people.get(key))
    people["sam"] = await seats.add_member(session, campaign, "Sam", Role.SPECTATOR)
    (await calendar_state.hold(session, vault, campaign.id)).today = 1
    return Laid(campaign, people)


async def sit_down(runtime: Runtime) -> Raid:
    async with runtime.sessions.begin() as session:
        laid = await settle(session, runtime.vault)
    return Raid(runtime, laid.campaign.id, laid.people)


async def before_the_ride(session: AsyncSession, vault: Vault) -> Laid:
    """A council that is open on day 1, and the ride that it leads to, on day 3."""
    laid = await settle(session, vault)
    laid.campaign.settings = {**laid.campaign.settings, decisions.ALWAYS: False}
    gm, where = laid.people["gm"], (session, vault, laid.campaign.id)
    talk = brief_of(laid.people, "discussion", "The council", RIDERS, {"topic": "the herd"})
    entry = await entries.add(*where, gm, _typed(1, talk))
    council = await next_up.open_from(*where, entry.id, entry.version, gm)
    way = ride(brief_of(laid.people, "journey", "The ride", (*RIDERS, "berta"), {}))
    await entries.add(*where, gm, _typed(3, way), from_scene=council)
    return laid


def ride(cast: Brief, **more: Any) -> Brief:
    """The ride of these people to the town, which Berta holds."""
    given: dict[str, Any] = {
        "origin": "the mill",
        "goal": "the palisade",
        "routes": [
            {"name": "The valley road", "length": 6, "skill": "ride"},
            {"name": "Over the pass", "length": 8, "ground": "Closed"},
        ],
        "sides": {"ella": "a", "morten": "a", "ida": "a", "berta": "b"},
        "names": {"a": "The raiders", "b": "The town watch"},
        "aims": {"a": "reach", "b": "hold"},
        "armies": {"a": {"LC": 30, "MI": 40}, "b": {"MI": 60, "BW": 20}},
    }
    return replace(cast, given={**given, **more})
