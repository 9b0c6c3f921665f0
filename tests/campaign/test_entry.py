"""Coming in: founding, invitations, personal links, short codes; and every way in which they must not work."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import founding, inviting, seats, tokens
from app.errors import Conflict, NotThere, Over, Refusal
from app.models.people import Campaign, Device, DeviceCode, Invitation, Member, Role
from tests.campaign.people import Sessions, found, invite, join

pytestmark = pytest.mark.anyio


async def test_a_founder_sits_as_gm_and_the_cookie_opens_that_seat_alone(sessions: Sessions) -> None:
    gm = await found(sessions)
    assert (gm.campaign.slug, gm.member.handle, gm.member.role) == ("the-goblin-road", "gerda", Role.GM)
    other = await found(sessions, gm="Otto")
    assert other.campaign.slug == "the-goblin-road-2"
    async with sessions() as session:
        opened = await seats.find(session, "the-goblin-road", "gerda", gm.token)
        assert opened is not None and opened[1].name == "Gerda"
        assert await seats.find(session, "the-goblin-road-2", "otto", gm.token) is None
        assert await seats.find(session, "the-goblin-road", "otto", gm.token) is None
        assert await seats.find(session, "the-goblin-road", "gerda", tokens.fresh()) is None


async def test_no_secret_is_stored(sessions: Sessions) -> None:
    gm = await found(sessions)
    invited = await invite(sessions, gm)
    async with sessions.begin() as session:
        code = await seats.show_code(session, gm.member)
    secrets = [gm.token, gm.link or "", invited, code, code.replace("-", "")]
    async with sessions() as session:
        dump = ""
        for model in (Campaign, Member, Device, Invitation, DeviceCode):
            for row in await session.execute(select(*model.__table__.columns)):
                dump += repr(tuple(row))
    assert "gerda" in dump
    assert [secret for secret in secrets if secret in dump or secret.encode().hex() in dump] == []


async def test_the_same_founding_form_twice_makes_one_campaign(sessions: Sessions) -> None:
    once = tokens.fresh()
    async with sessions.begin() as session:
        first = await founding.found_campaign(session, "Twice", "toy", "Gerda", "a", once)
    async with sessions.begin() as session:
        second = await founding.found_campaign(session, "Twice", "toy", "Gerda", "a", once)
    assert (first.token, first.link, first.campaign.id) == (second.token, second.link, second.campaign.id)
    async with sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Campaign)) == 1


async def test_an_invitation_seats_a_new_member_once(sessions: Sessions) -> None:
    gm = await found(sessions)
    token = await invite(sessions, gm, for_name="Alice")
    async with sessions() as session:
        sight = await inviting.preview(session, gm.campaign.slug, token)
        assert (sight.state, sight.inviter, sight.invitation.for_name) == ("open", "Gerda", "Alice")
    async with sessions.begin() as session:
        alice = await inviting.claim(session, gm.campaign.slug, token, "Alice", "phone")
    assert (alice.member.handle, alice.member.role) == ("alice", Role.PLAYER)
    async with sessions() as session:
        opened = await seats.find(session, gm.campaign.slug, "alice", alice.token)
        assert opened is not None
        with pytest.raises(Conflict, match="Alice has joined"):
            await inviting.claim(session, gm.campaign.slug, token, "Mallory", "phone")


async def test_looking_at_an_invitation_does_not_use_it(sessions: Sessions) -> None:
    gm = await found(sessions)
    token = await invite(sessions, gm)
    for _ in range(5):
        async with sessions.begin() as session:
            assert (await inviting.preview(session, gm.campaign.slug, token)).state == "open"


async def test_of_twenty_claims_at_once_one_sits_down(sessions: Sessions) -> None:
    gm = await found(sessions)
    token = await invite(sessions, gm)

    async def one(number: int) -> str:
        try:
            async with sessions.begin() as session:
                return (await inviting.claim(session, gm.campaign.slug, token, f"Racer {number}", "x")).member.name
        except Refusal as refused:
            return type(refused).__name__

    results = await asyncio.gather(*(one(number) for number in range(20)))
    assert sorted(results).count("Conflict") == 19
    async with sessions() as session:
        names = await session.scalars(select(Member.name).where(Member.role == Role.PLAYER))
        assert list(names) == [result for result in results if result != "Conflict"]


async def test_the_form_that_claimed_gets_the_same_answer_again_but_no_other_does(sessions: Sessions) -> None:
    gm = await found(sessions)
    token, once = await invite(sessions, gm), tokens.fresh()

    async def send(key: str | None) -> str:
        async with sessions.begin() as session:
            return (await inviting.claim(session, gm.campaign.slug, token, "Alice", "x", key)).token

    first = await asyncio.gather(*(send(once) for _ in range(5)))
    assert len(set(first)) == 1
    with pytest.raises(Conflict):
        await send(tokens.fresh())
    with pytest.raises(Conflict):
        await send(None)
    async with sessions.begin() as session:
        await session.execute(update(Device).values(made_at=func.now() - timedelta(minutes=11)))
    with pytest.raises(Conflict):
        await send(once)


async def test_late_withdrawn_renewed_and_foreign_invitations_open_nothing(sessions: Sessions) -> None:
    gm, other = await found(sessions), await found(sessions, title="Elsewhere")
    late, gone, renewed = await invite(sessions, gm), await invite(sessions, gm), await invite(sessions, gm)

    async def of(token: str) -> Invitation:
        async with sessions() as session:
            return (await inviting.preview(session, gm.campaign.slug, token)).invitation

    ids = {token: (await of(token)).id for token in (late, gone, renewed)}
    async with sessions.begin() as session:
        await session.execute(
            update(Invitation).where(Invitation.id == ids[late]).values(expires_at=func.now() - timedelta(seconds=1))
        )
        await inviting.revoke(session, gm.campaign, ids[gone])
        _, fresh = await inviting.renew(session, gm.campaign, ids[renewed])

    async def refuse(slug: str, token: str, why: type[Refusal]) -> None:
        async with sessions.begin() as session:
            with pytest.raises(why):
                await inviting.claim(session, slug, token, "Alice", "x")

    await refuse(gm.campaign.slug, late, Over)
    await refuse(gm.campaign.slug, gone, Over)
    await refuse(gm.campaign.slug, renewed, NotThere)
    await refuse(other.campaign.slug, fresh, NotThere)
    await refuse(gm.campaign.slug, "short", NotThere)
    await refuse("no such slug", fresh, NotThere)
    async with sessions.begin() as session:
        assert (await inviting.claim(session, gm.campaign.slug, fresh, "Alice", "x")).member.name == "Alice"


async def test_a_personal_link_opens_its_own_seat_until_a_new_one_is_made(sessions: Sessions) -> None:
    gm = await found(sessions)
    alice = await join(sessions, gm, "Alice")
    assert alice.link is not None
    async with sessions.begin() as session:
        found_by = await seats.by_link(session, gm.campaign.slug, alice.link)
        assert found_by is not None and found_by[1].id == alice.member.id
        new = await seats.make_link(session, found_by[1])
    async with sessions() as session:
        assert await seats.by_link(session, gm.campaign.slug, alice.link) is None
        assert await seats.by_link(session, gm.campaign.slug, new) is not None


async def test_a_code_seats_one_more_device_once(sessions: Sessions) -> None:
    gm = await found(sessions)
    alice = await join(sessions, gm, "Alice")
    async with sessions.begin() as session:
        code = await seats.show_code(session, alice.member)
    async with sessions.begin() as session:
        seated = await seats.use_code(session, gm.campaign.slug, code.lower().replace("-", " "), "tablet")
        assert seated is not None and seated.member.id == alice.member.id
    async with sessions.begin() as session:
        assert await seats.use_code(session, gm.campaign.slug, code, "tablet") is None
        assert [device.label for device in await seats.devices(session, alice.member)] == [
            "tablet",
            "Chromium on Android",
        ]


async def test_a_code_is_used_once_even_by_many_at_once(sessions: Sessions) -> None:
    gm = await found(sessions)
    async with sessions.begin() as session:
        code = await seats.show_code(session, gm.member)

    async def use() -> bool:
        async with sessions.begin() as session:
            return await seats.use_code(session, gm.campaign.slug, code, "x") is not None

    assert sum(await asyncio.gather(*(use() for _ in range(8)))) == 1


async def test_a_code_dies_of_age_and_of_a_newer_one(sessions: Sessions) -> None:
    gm, other = await found(sessions), await found(sessions, title="Elsewhere")

    async def use(code: str, slug: str = gm.campaign.slug) -> bool:
        async with sessions.begin() as session:
            return await seats.use_code(session, slug, code, "x") is not None

    async def show() -> str:
        async with sessions.begin() as session:
            return await seats.show_code(session, gm.member)

    first, second = await show(), await show()
    assert not await use(first)
    assert not await use(second, other.campaign.slug)
    async with sessions.begin() as session:
        await session.execute(update(DeviceCode).values(expires_at=func.now() - timedelta(seconds=1)))
    assert not await use(second)
    third = await show()
    for _ in range(12):
        assert not await use("AAAA-AAAA")
    assert await use(third), "a stranger's wrong guesses do not end it"


async def test_a_seat_closes_in_one_browser_in_all_others_and_with_idleness(sessions: Sessions) -> None:
    gm = await found(sessions)
    async with sessions.begin() as session:
        links = [tokens.fresh() for _ in range(3)]
        ids = [await seats.sit_down(session, gm.member, f"d{n}", link) for n, link in enumerate(links)]

    async def opens(session: AsyncSession, token: str) -> bool:
        return await seats.find(session, gm.campaign.slug, "gerda", token) is not None

    async with sessions.begin() as session:
        assert await seats.sign_out(session, gm.member, only=ids[0]) == 1
        assert [await opens(session, link) for link in links] == [False, True, True]
        assert await seats.sign_out(session, gm.member, but=ids[1]) == 2
        assert [await opens(session, link) for link in links] == [False, True, False]
        await session.execute(update(Device).values(seen_at=func.now() - seats.IDLE))
        assert not await opens(session, links[1])


async def test_being_seen_is_noted_once_in_a_while(sessions: Sessions) -> None:
    gm = await found(sessions)
    async with sessions.begin() as session:
        _, _, device = (await seats.find(session, gm.campaign.slug, "gerda", gm.token)) or pytest.fail("no seat")
        assert not await seats.note_last_seen(session, device)
        await session.execute(update(Device).values(seen_at=func.now() - timedelta(minutes=6)))
        assert await seats.note_last_seen(session, device)
        assert not await seats.note_last_seen(session, device)
