"""What a campaign adds to its book: kept under an id of its own, taken into scenes as it was, missed when it goes."""

import json
from dataclasses import replace
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, TypeAdapter
from sqlalchemy.ext.asyncio import AsyncSession

import app.rulesets
from app.campaign import characters, homebrew
from app.engine.ruleset import HomebrewKind, Ruleset
from app.errors import Conflict, NotThere, Refusal
from app.models.people import Campaign, HomebrewItem
from app.receipts.setup import read_setup, write_setup
from app.table.loaded_scene import read
from app.table.runtime import Runtime
from tests.table.table import Table, sit_down
from tests.toy import TOY, Sheet, brief

pytestmark = pytest.mark.anyio


class Bearer(Sheet):
    charms: tuple[str, ...] = ()


class Charm(BaseModel):
    id: str
    name: str
    luck: Annotated[int, Field(ge=0, le=9)] = 1


class Ghost(Charm):
    charms: tuple[str, ...] = ()


def kind_of(model: type[Charm], one: str, **more: Any) -> HomebrewKind:
    return HomebrewKind(
        title=f"{one.capitalize()}s",
        one=one,
        adapter=TypeAdapter(model),
        book={"clover": model(id="clover", name="Clover")},
        sample={},
        text=lambda thing, own: (f"{thing.luck} luck.",),
        **more,
    )


CHARMS = kind_of(Charm, "charm", within=lambda one: frozenset(getattr(one, "charms", ())))
GHOSTS = kind_of(Ghost, "ghost", scene=lambda brief, things: frozenset((brief.given or {}).get("ghosts", ())))
RULES: Ruleset[Any, Any] = replace(TOY, character=TypeAdapter(Bearer), homebrew={"charms": CHARMS, "ghosts": GHOSTS})


@pytest.fixture
async def table(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(app.rulesets, "RULESETS", (RULES,))
    return await sit_down(runtime)


async def put(session: AsyncSession, table: Table, kind: str, name: str, **more: Any) -> str:
    campaign = await session.get_one(Campaign, table.campaign)
    return await homebrew.add(session, campaign, RULES, kind, {"id": "x", "name": name, "luck": 2, **more})


async def test_an_id_is_made_of_the_name_and_stays(table: Table) -> None:
    async with table.runtime.sessions.begin() as session:
        assert await put(session, table, "charms", "Rabbit’s foot!") == "own_rabbits_foot"
        assert await put(session, table, "ghosts", "Rabbits foot") == "own_rabbits_foot_2", "one id, one thing"
        assert (await put(session, table, "charms", "火" * 60)).startswith("own_thing_")
        assert len(await put(session, table, "charms", "x" * 1000)) <= 60
        with pytest.raises(Refusal, match="already have one called “Rabbit’s foot!”") as refused:
            await put(session, table, "charms", "rabbit’s FOOT!")
        assert refused.value.field == "name"
        with pytest.raises(Refusal, match="The book already has one called “Clover”"):
            await put(session, table, "charms", "clover")
    async with table.runtime.sessions.begin() as session:
        await homebrew.change(
            session, table.campaign, "own_rabbits_foot", 1, CHARMS, {"id": "y", "name": "Hare’s foot", "luck": 3}
        )
    async with table.runtime.sessions() as session:
        row = await homebrew.get_item(session, table.campaign, "own_rabbits_foot")
        assert row.data == {"id": "own_rabbits_foot", "name": "Hare’s foot", "luck": 3} and row.version == 2
        with pytest.raises(Conflict):
            await homebrew.change(session, table.campaign, "own_rabbits_foot", 1, CHARMS, {"name": "Mole’s foot"})
        for odd in ("clover", "own_", "own_\x00", "own_" + "x" * 999, "own_\ud800"):
            with pytest.raises(NotThere):
                await homebrew.get_item(session, table.campaign, odd)


async def test_two_hundred_are_enough(table: Table) -> None:
    async with table.runtime.sessions.begin() as session:
        for number in range(homebrew.MOST):
            row = {"campaign_id": table.campaign, "key": f"own_{number}", "ruleset": "toy", "kind": "charms"}
            session.add(HomebrewItem(**row, data={"id": f"own_{number}", "name": f"Charm {number}"}))
        await session.flush()
        with pytest.raises(Refusal, match="already have 200"):
            await put(session, table, "charms", "One more")


async def test_a_scene_keeps_what_it_began_with(table: Table) -> None:
    async with table.runtime.sessions.begin() as session:
        foot = await put(session, table, "charms", "Foot")
        await put(session, table, "ghosts", "Unnamed")
        session.add(
            HomebrewItem(campaign_id=table.campaign, key="own_odd", ruleset="toy", kind="charms", data={"name": 1})
        )
    await table.open()
    async with table.runtime.sessions.begin() as session:
        await homebrew.change(session, table.campaign, foot, 1, CHARMS, {"name": "Foot", "luck": 9})
    async with table.runtime.sessions() as session:
        live = await read(session, table.runtime.vault, table.campaign, table.scene)
        assert live.setup().own == {"charms": {foot: Charm(id=foot, name="Foot", luck=2)}, "ghosts": {}}


async def test_what_only_gms_read_is_in_a_scene_where_it_is_named(table: Table) -> None:
    async with table.runtime.sessions.begin() as session:
        named = await put(session, table, "ghosts", "Named")
        await put(session, table, "ghosts", "Canary-unnamed")
        order = replace(brief(), given={"ghosts": [named, "own_nobody"]})
        found = await homebrew.of_scene(session, table.campaign, RULES, order)
    assert set(found["ghosts"]) == {named}


async def test_receipts_carry_own_things_and_older_ones_have_none(table: Table) -> None:
    async with table.runtime.sessions.begin() as session:
        foot = await put(session, table, "charms", "Foot")
    await table.open()
    async with table.runtime.sessions() as session:
        live = await read(session, table.runtime.vault, table.campaign, table.scene)
    text = write_setup(RULES, live.setup())
    assert read_setup(RULES, text) == live.setup() and foot in text.decode()
    assert "own" not in json.loads(write_setup(TOY, replace(live.setup(), own={"charms": {}})))


async def test_who_would_miss_it_is_said_before_it_goes(table: Table) -> None:
    async with table.runtime.sessions.begin() as session:
        foot = await put(session, table, "charms", "Foot")
        ghost = await put(session, table, "ghosts", "Grey lady", charms=[foot])
        for slug in ("ann", "bea"):
            character = await characters.find(session, table.campaign, slug)
            character.sheet = {"name": slug.title(), "charms": [foot]}
    async with table.runtime.sessions.begin() as session:
        row = await homebrew.get_item(session, table.campaign, foot)
        assert await homebrew.missed_by(session, row, RULES) == {"ann": "Ann", "bea": "Bea", ghost: "Grey lady"}
        with pytest.raises(Refusal, match="Ann, Bea, Grey lady use it"):
            await homebrew.remove(session, row, RULES, frozenset({"ann"}))
    async with table.runtime.sessions.begin() as session:
        row = await homebrew.get_item(session, table.campaign, foot)
        await homebrew.remove(session, row, RULES, frozenset({"ann", "bea", ghost}))
    async with table.runtime.sessions() as session:
        with pytest.raises(NotThere):
            await homebrew.get_item(session, table.campaign, foot)
