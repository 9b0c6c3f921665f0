"""Handing over, removing, replacing, roles: what happens to characters, to chairs, and to what lies sealed there."""

import asyncio

import pytest
from sqlalchemy import select

from app.campaign import characters, founding, inviting, notes, people, seats
from app.errors import Conflict, NotThere, NotYours, Refusal
from app.models.people import Campaign, Character, Member, Role
from app.models.scenes import Line, SeatHolder
from app.ops.gm_links import new_gm_links
from app.table import reassign_seat
from app.table.runtime import Runtime
from tests.campaign.people import Sessions, found, invite, join
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

KNOCK = "r1/knock"


@pytest.fixture
async def table(runtime: Runtime) -> Table:
    table = await sit_down(runtime)
    await table.open()
    return table


async def _character(table: Table, slug: str) -> Character:
    async with table.runtime.sessions() as session:
        return await characters.find(session, table.campaign, slug)


async def _hand_over(table: Table, slug: str, to: str | None, by: str = "gm") -> None:
    character = await _character(table, slug)
    async with table.runtime.sessions.begin() as session:
        taker = None if to is None else await seats.member_by_handle(session, table.campaign, to)
        await people.hand_over(session, table.campaign, character.id, taker, table.people[by])


async def _holders(table: Table, seat: str) -> set[str]:
    async with table.runtime.sessions() as session:
        rows = await session.scalars(
            select(Member.handle)
            .join(SeatHolder, SeatHolder.member_id == Member.id)
            .where(SeatHolder.scene_id == table.scene, SeatHolder.seat == seat)
        )
        return set(rows)


async def _notices(table: Table) -> list[str]:
    async with table.runtime.sessions() as session:
        return list(await session.scalars(select(Line.text).where(Line.kind == "notice").order_by(Line.id)))


async def test_a_character_is_handed_over_with_its_chair_and_the_table_reads_it(table: Table) -> None:
    await _hand_over(table, "ann", "bea")
    assert (await _character(table, "ann")).owner_id == table.people["bea"].id
    assert (await _holders(table, "ann"), await _holders(table, "bea")) == ({"bea"}, {"bea"})
    assert await _notices(table) == ["Ann is now played by Bea."]


async def test_the_new_holder_can_replace_but_not_read_what_lies_sealed(table: Table) -> None:
    await table.lay("ann", KNOCK, {"times": 3, "note": "my secret"})
    await _hand_over(table, "ann", "bea")
    sight = await table.sight("bea")
    mine = [ask.mine for step in sight.steps for ask in step.asks if ask.seat == "ann" and ask.mine]
    assert [(one.readable, one.pairs) for one in mine] == [(False, [])]
    assert "my secret" not in repr(sight)
    await table.lay("ann", KNOCK, {"times": 4, "note": "mine now"}, member="bea")
    assert "mine now" in repr(await table.sight("bea"))
    assert "mine now" not in repr(await table.sight("ann"))


async def test_only_a_gm_or_the_owner_hands_over_and_never_to_a_spectator(table: Table) -> None:
    with pytest.raises(NotYours, match="cannot hand over"):
        await _hand_over(table, "ann", "bea", by="bea")
    with pytest.raises(Conflict, match="only watches"):
        await _hand_over(table, "ann", "sam")
    with pytest.raises(NotThere):
        await _hand_over(table, "ann", "nobody")
    await _hand_over(table, "ann", None, by="ann")
    assert await _holders(table, "ann") == {"gm"}
    assert await _notices(table) == ["Ann is now played by the GM."]


async def test_a_chair_is_given_away_for_one_scene_and_the_character_stays_whose_it_is(table: Table) -> None:
    await table.lay("ann", KNOCK, {"times": 3, "note": "my secret"})
    await table.act(reassign_seat.give_chair, "ann", "bea")
    assert (await _holders(table, "ann"), (await _character(table, "ann")).owner_id) == (
        {"bea"},
        table.people["ann"].id,
    )
    assert await _notices(table) == ["Ann is now played by Bea."]
    assert "my secret" not in repr(await table.sight("bea"))
    await table.act(reassign_seat.give_chair, "ann", "")
    assert await _holders(table, "ann") == {"gm"}
    for seat, handle in (("ann", "sam"), ("ann", "nobody"), ("gm", "ann"), ("nowhere", "ann")):
        with pytest.raises(Refusal):
            await table.act(reassign_seat.give_chair, seat, handle)
    assert await _holders(table, "ann") == {"gm"}


async def test_a_removed_member_has_no_seat_no_way_in_and_no_characters(table: Table) -> None:
    async with table.runtime.sessions.begin() as session:
        ann = await seats.member_by_handle(session, table.campaign, "ann")
        token, link = "a" * 43, await seats.make_link(session, ann)
        await seats.sit_down(session, ann, "phone", token)
        code = await seats.show_code(session, ann)
        campaign = await session.get(Campaign, table.campaign)
        assert campaign is not None and await seats.find(session, campaign.slug, "ann", token) is not None
    async with table.runtime.sessions.begin() as session:
        ann = await seats.member_by_handle(session, table.campaign, "ann")
        await people.remove(session, ann, by=table.people["gm"])
    async with table.runtime.sessions.begin() as session:
        assert await seats.find(session, campaign.slug, "ann", token) is None
        assert await seats.by_link(session, campaign.slug, link) is None
        assert await seats.use_code(session, campaign.slug, code, "x") is None
        assert "Ann" not in [member.name for member in await seats.members(session, table.campaign)]
    assert (await _character(table, "ann")).owner_id is None
    assert await _holders(table, "ann") == {"gm"}
    assert await _notices(table) == ["Ann is now played by the GM."]


async def test_a_chair_held_by_two_stays_with_the_other(table: Table) -> None:
    async with table.runtime.sessions.begin() as session:
        session.add(
            SeatHolder(campaign_id=table.campaign, scene_id=table.scene, seat="ann", member_id=table.people["bea"].id)
        )
    async with table.runtime.sessions.begin() as session:
        ann = await seats.member_by_handle(session, table.campaign, "ann")
        await people.remove(session, ann, by=table.people["gm"])
    # Ann's character is the GM's now, and so is its chair: whoever shared it did so for Ann.
    assert await _holders(table, "ann") == {"gm"}


async def test_the_last_gm_stays(table: Table) -> None:
    async with table.runtime.sessions.begin() as session:
        gm = await seats.member_by_handle(session, table.campaign, "gm")
        for wish in (people.remove(session, gm, by=gm), people.set_role(session, gm, Role.PLAYER, by=gm)):
            with pytest.raises(Conflict, match="only GM"):
                await wish


async def test_two_gms_who_step_down_at_once_leave_one(table: Table) -> None:
    async with table.runtime.sessions.begin() as session:
        ann = await seats.member_by_handle(session, table.campaign, "ann")
        await people.set_role(session, ann, Role.GM, by=table.people["gm"])
    assert await _holders(table, "gm") == {"gm", "ann"}

    async def step_down(handle: str) -> str:
        try:
            async with table.runtime.sessions.begin() as session:
                member = await seats.member_by_handle(session, table.campaign, handle)
                await people.set_role(session, member, Role.PLAYER, by=member)
        except Refusal as refused:
            return refused.message
        return "done"

    said = await asyncio.gather(step_down("gm"), step_down("ann"))
    assert said.count("done") == 1
    assert len(await _holders(table, "gm")) == 1


async def test_a_gm_who_steps_down_leaves_no_invitation_behind(table: Table) -> None:
    """Finds the way back into the role: an invitation for another GM, kept until it is needed."""
    async with table.runtime.sessions.begin() as session:
        campaign = await seats.hold(session, table.campaign)
        bea = await seats.member_by_handle(session, table.campaign, "bea")
        await people.set_role(session, bea, Role.GM, by=table.people["gm"])
        mine = await inviting.invite(session, campaign, bea, Role.GM, "Bea again")
        other = await inviting.invite(session, campaign, table.people["gm"], Role.PLAYER, "Dora")
        await people.set_role(session, bea, Role.PLAYER, by=table.people["gm"])
        states = [(await inviting.preview(session, campaign.slug, token)).state for _, token in (mine, other)]
    assert states == ["revoked", "open"]


async def test_roles_change_chairs(table: Table) -> None:
    async with table.runtime.sessions.begin() as session:
        bea = await seats.member_by_handle(session, table.campaign, "bea")
        await people.set_role(session, bea, Role.SPECTATOR, by=table.people["gm"])
    assert await _holders(table, "bea") == {"gm"}
    assert (await _character(table, "bea")).owner_id is None


async def test_an_invitation_for_a_seat_makes_a_new_member_who_cannot_read_the_old_seal(table: Table) -> None:
    await table.lay("ann", KNOCK, {"times": 3, "note": "my secret"})
    async with table.runtime.sessions.begin() as session:
        campaign = await session.get(Campaign, table.campaign)
        ann = await seats.member_by_handle(session, table.campaign, "ann")
        assert campaign is not None
        _, token = await inviting.invite(session, campaign, table.people["gm"], Role.PLAYER, replaces=ann)
    async with table.runtime.sessions() as session:
        assert (await inviting.preview(session, campaign.slug, token)).characters == ("Ann",)
    async with table.runtime.sessions.begin() as session:
        new = await inviting.claim(session, campaign.slug, token, "Ann", "x")
    assert (new.member.handle, new.member.id != ann.id) == ("ann-2", True)
    assert await _holders(table, "ann") == {"ann-2"}
    table.people["new"] = new.member
    assert "my secret" not in repr(await table.sight("new"))
    async with table.runtime.sessions() as session:
        with pytest.raises(NotThere):
            await seats.member_by_handle(session, table.campaign, "ann")


async def test_promised_characters_go_to_whoever_claims_unless_given_away_meanwhile(sessions: Sessions) -> None:
    gm = await found(sessions)
    async with sessions.begin() as session:
        made = [await characters.create(session, gm.campaign, name, "toy", {"name": name}, None) for name in "XY"]
    token = await invite(sessions, gm, characters=[one.id for one in made])
    bob = await join(sessions, gm, "Bob")
    async with sessions.begin() as session:
        await people.hand_over(session, gm.campaign.id, made[0].id, bob.member, gm.member)
    async with sessions.begin() as session:
        alice = await inviting.claim(session, gm.campaign.slug, token, "Alice", "x")
    async with sessions() as session:
        owners = {one.name: one.owner_id for one in await characters.all_characters(session, gm.campaign.id)}
    assert owners == {"X": bob.member.id, "Y": alice.member.id}
    with pytest.raises(Conflict, match="belongs to a player"):
        await invite(sessions, gm, characters=[made[0].id])


async def test_two_of_one_name_cannot_sit_here(sessions: Sessions) -> None:
    gm = await found(sessions)
    alice = await join(sessions, gm, "Alice")
    with pytest.raises(Conflict, match="already has a player called Alice"):
        await join(sessions, gm, "ALICE")
    async with sessions.begin() as session:
        await people.rename(session, alice.member, "Alicia")
    assert (await join(sessions, gm, "Alice")).member.handle == "alice-2"


async def test_a_sheet_in_an_open_scene_is_read_only_and_two_writers_do_not_overwrite_each_other(
    table: Table,
) -> None:
    ann, gm = table.people["ann"], table.people["gm"]
    held = await _character(table, "ann")
    async with table.runtime.sessions() as session:
        with pytest.raises(Conflict, match="read-only"):
            await characters.edit(session, held, 1, "Ann", {"name": "Ann", "luck": 6}, ann)
    async with table.runtime.sessions.begin() as session:
        campaign = await session.get(Campaign, table.campaign)
        assert campaign is not None
        rex = await characters.create(session, campaign, "Rex", "toy", {"name": "Rex"}, ann)
        assert (await characters.edit(session, rex, 1, "Rex", {"name": "Rex", "luck": 2}, ann)).version == 2
    async with table.runtime.sessions() as session:
        with pytest.raises(Conflict, match="Someone changed"):
            await characters.edit(session, rex, 1, "Rex", {"name": "Rex", "luck": 3}, gm)
        with pytest.raises(NotYours):
            await characters.edit(session, rex, 2, "Rex", {"name": "Rex", "luck": 3}, table.people["bea"])
        stored = await characters.find(session, table.campaign, "rex")
        assert (stored.sheet, stored.version) == ({"name": "Rex", "luck": 2}, 2)


async def test_no_character_takes_the_gms_chair_or_anothers_name_in_addresses(sessions: Sessions) -> None:
    gm = await found(sessions)
    async with sessions.begin() as session:
        slugs = [
            (await characters.create(session, gm.campaign, name, "toy", {}, None)).slug
            for name in ("GM", "New", "Zoë!", "zoe", "Übel & Söhne")
        ]
    assert slugs == ["gm-2", "new-2", "zoe", "zoe-2", "ubel-sohne"]


async def test_notes_are_the_gms_and_two_writers_do_not_overwrite_each_other(sessions: Sessions) -> None:
    gm = await found(sessions)
    alice = await join(sessions, gm, "Alice")
    async with sessions.begin() as session:
        assert (await notes.read(session, gm.campaign.id, gm.member)).version == 0
        first = await notes.write(session, gm.campaign.id, gm.member, "The inn burns.", 0)
        second = await notes.write(session, gm.campaign.id, gm.member, "The inn burns down.", first.version)
        assert (second.body, second.version) == ("The inn burns down.", 2)
    async with sessions.begin() as session:
        for seen in (0, 1, 7):
            with pytest.raises(Conflict):
                await notes.write(session, gm.campaign.id, gm.member, "lost", seen)
        with pytest.raises(NotYours):
            await notes.read(session, gm.campaign.id, alice.member)
        with pytest.raises(NotYours):
            await notes.write(session, gm.campaign.id, alice.member, "x", 2)
        assert (await notes.read(session, gm.campaign.id, gm.member)).body == "The inn burns down."


async def test_the_keeper_of_the_machine_finds_every_gm(sessions: Sessions) -> None:
    first = await found(sessions)
    other = await found(sessions, title="Elsewhere", gm="Otto")
    alice = await join(sessions, first, "Alice")
    async with sessions() as session:
        listed = [(campaign.title, member.name) for campaign, member in await founding.campaigns(session)]
    assert listed == [("The Goblin Road", "Gerda"), ("Elsewhere", "Otto")]
    async with sessions.begin() as session:
        ((_, path),) = await new_gm_links(session, first.campaign.slug)
        still = [await seats.find(session, one.campaign.slug, one.member.handle, one.token) for one in
                 (first, other, alice)]  # fmt: skip
        assert await seats.by_link(session, first.campaign.slug, path.rpartition("/")[2]) is not None
    assert [one is not None for one in still] == [False, True, True], "a GM's new link signs that GM out"
