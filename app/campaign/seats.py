"""Members, the browsers they are signed in on, and the personal links and short codes that sign them in.

Every function works in the caller's transaction. A caller who changes a campaign's members calls `hold` first, so that
such changes run one after the other; this does not hold up scenes.
"""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import names, tokens
from app.db.lock_order import locking
from app.errors import NotThere
from app.models.base import new_id
from app.models.people import Campaign, Device, DeviceCode, Member, Role

IDLE = timedelta(days=180)
"""A browser that was not used for this long has to sign in by the personal link again."""

CODE_LIFE = timedelta(minutes=10)
SEEN_EVERY = timedelta(minutes=5)

_OPEN = (Member.removed_at.is_(None), Device.revoked_at.is_(None), Device.seen_at > func.now() - IDLE)
"""What makes a browser's cookie open its member's seat."""

MOST_KNOWN = 10_000
_known: dict[str, uuid.UUID] = {}
"""Ids of campaigns by slug, which never changes. So the query of each request names its campaign, and on a cluster only
one server answers it."""


@dataclass(frozen=True, slots=True)
class NewSeat:
    """A browser that was just signed in: `token` goes into its cookie; `link` is the personal link's token."""

    campaign: Campaign
    member: Member
    device_id: uuid.UUID
    token: str
    link: str | None = None


async def hold(session: AsyncSession, campaign_id: uuid.UUID) -> Campaign:
    """Locks a campaign's members until the transaction ends. Raises NotThere if there is no such campaign."""
    campaign = await session.scalar(locking(select(Campaign).where(Campaign.id == campaign_id), key_share=True))
    if campaign is None:
        raise NotThere("There is no such campaign.")
    return campaign


async def by_slug(session: AsyncSession, slug: str) -> Campaign | None:
    return await session.scalar(select(Campaign).where(Campaign.slug == slug)) if names.is_slug(slug) else None


async def members(session: AsyncSession, campaign_id: uuid.UUID) -> Sequence[Member]:
    """Returns the present members: GMs, players, spectators, each in the order in which they joined."""
    here = await session.scalars(
        select(Member)
        .where(Member.campaign_id == campaign_id, Member.removed_at.is_(None))
        .order_by(Member.joined_at, Member.id)
    )
    order = {Role.GM: 0, Role.PLAYER: 1, Role.SPECTATOR: 2}
    return sorted(here, key=lambda member: order[member.role])


async def member_by_handle(session: AsyncSession, campaign_id: uuid.UUID, handle: str) -> Member:
    """Returns a present member; raises NotThere for unknown and for removed ones."""
    member = None
    if names.is_slug(handle):
        here = (Member.campaign_id == campaign_id, Member.handle == handle, Member.removed_at.is_(None))
        member = await session.scalar(select(Member).where(*here))
    if member is None:
        raise NotThere("Nobody by that name is in this campaign.", "The people page lists everyone.")
    return member


async def now(session: AsyncSession, member: Member) -> Member:
    """Returns the member as it is in the database now, in this session; raises NotThere if it was removed meanwhile.

    Callers who change a member change this one, since their own may belong to a closed session.
    """
    found = await session.get(Member, (member.campaign_id, member.id), populate_existing=True)
    if found is None or found.removed_at is not None:
        raise NotThere(f"{member.name} is no longer in this campaign.")
    return found


async def add_member(session: AsyncSession, campaign: Campaign, name: str, role: Role) -> Member:
    """Adds a member with a unique handle; the caller must `hold` the campaign, which keeps the handle unique."""
    taken = await session.scalars(select(Member.handle).where(Member.campaign_id == campaign.id))
    handle = names.free(names.slug(name, "member"), set(taken))
    member = Member(campaign_id=campaign.id, id=new_id(), handle=handle, name=name, role=role)
    session.add(member)
    await session.flush()
    return member


async def sit_down(session: AsyncSession, member: Member, label: str, token: str) -> uuid.UUID:
    """Signs a member in on a browser whose cookie holds `token`; returns the device's id."""
    device = Device(
        campaign_id=member.campaign_id,
        id=new_id(),
        member_id=member.id,
        token_hash=tokens.digest(token),
        label=label,
    )
    session.add(device)
    await session.flush()
    return device.id


async def find(session: AsyncSession, slug: str, handle: str, token: str) -> tuple[Campaign, Member, Device] | None:
    """Returns the member signed in by this cookie at this address; None for any other or expired cookie, and for a
    removed member."""
    found = await find_seat(session, slug, handle, token)
    return None if found is None else found[:3]


async def find_seat(
    session: AsyncSession, slug: str, handle: str, token: str
) -> tuple[Campaign, Member, Device, bool] | None:
    """Like `find`, with whether it is time to record that the browser is in use (`note_last_seen`)."""
    if not (names.is_slug(slug) and names.is_slug(handle) and tokens.well_formed(token)):
        return None
    known = _known.get(slug)
    if known is not None and (found := await _at(session, known, slug, handle, token)) is not None:
        return found
    campaign = await session.scalar(select(Campaign.id).where(Campaign.slug == slug))
    if campaign is None or campaign == known:
        return None
    if len(_known) >= MOST_KNOWN:
        _known.clear()
    _known[slug] = campaign
    return await _at(session, campaign, slug, handle, token)


async def _at(
    session: AsyncSession, campaign: uuid.UUID, slug: str, handle: str, token: str
) -> tuple[Campaign, Member, Device, bool] | None:
    found = await session.execute(
        select(Campaign, Member, Device, Device.seen_at < func.now() - SEEN_EVERY)
        .join(Member, Member.campaign_id == Campaign.id)
        .join(Device, (Device.campaign_id == Member.campaign_id) & (Device.member_id == Member.id))
        .where(
            Campaign.id == campaign,
            Campaign.slug == slug,
            Member.handle == handle,
            Device.token_hash == tokens.digest(token),
            *_OPEN,
        )
    )
    row = found.one_or_none()
    return None if row is None else (row[0], row[1], row[2], row[3])


async def signed_in(session: AsyncSession, campaign_id: uuid.UUID, devices: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Returns those of these browsers whose cookie still opens a seat of the campaign."""
    found = await session.scalars(
        select(Device.id)
        .join(Member, (Member.campaign_id == Device.campaign_id) & (Member.id == Device.member_id))
        .where(Device.campaign_id == campaign_id, Device.id.in_(devices), *_OPEN)
    )
    return set(found)


async def note_last_seen(session: AsyncSession, device: Device) -> bool:
    """Records that a browser is in use, at most once in five minutes. Returns whether it did."""
    noted = await session.scalar(
        update(Device)
        .where(
            Device.campaign_id == device.campaign_id,
            Device.id == device.id,
            Device.seen_at < func.now() - SEEN_EVERY,
        )
        .values(seen_at=func.now())
        .returning(Device.id)
        .execution_options(synchronize_session=False)
    )
    if noted is None:
        return False
    await session.execute(
        update(Member)
        .where(Member.campaign_id == device.campaign_id, Member.id == device.member_id)
        .values(seen_at=func.now())
        .execution_options(synchronize_session=False)
    )
    return True


async def make_link(session: AsyncSession, member: Member, once: str | None = None) -> str:
    """Returns the token of a new personal link; the previous link stops working."""
    token = tokens.derive(once, f"link/{member.campaign_id}/{member.id}")
    (await now(session, member)).way_back = tokens.digest(token)
    await session.flush()
    return token


async def renew_link(
    session: AsyncSession, member: Member, once: str | None = None, but: uuid.UUID | None = None
) -> str:
    """Like `make_link`, for a member whose link others may have: also signs the member out on all browsers, except
    `but`."""
    await sign_out(session, member, but=but)
    return await make_link(session, member, once)


async def by_link(session: AsyncSession, slug: str, token: str) -> tuple[Campaign, Member] | None:
    """Returns the member with this personal link; None for an invalid or replaced link, and for a removed member."""
    campaign = await by_slug(session, slug) if tokens.well_formed(token) else None
    if campaign is None:
        return None
    member = await session.scalar(
        select(Member).where(
            Member.campaign_id == campaign.id, Member.way_back == tokens.digest(token), Member.removed_at.is_(None)
        )
    )
    return None if member is None else (campaign, member)


async def devices(session: AsyncSession, member: Member) -> Sequence[Device]:
    """Returns the browsers that a member is signed in on, the last used one first."""
    rows = await session.scalars(
        select(Device)
        .where(
            Device.campaign_id == member.campaign_id,
            Device.member_id == member.id,
            Device.revoked_at.is_(None),
            Device.seen_at > func.now() - IDLE,
        )
        .order_by(Device.seen_at.desc(), Device.id.desc())
    )
    return rows.all()


async def sign_out(
    session: AsyncSession, member: Member, only: uuid.UUID | None = None, but: uuid.UUID | None = None
) -> int:
    """Signs a member out on one browser (`only`), on all but one (`but`), or on all. Returns the number of browsers.

    The member's codes stop working: a browser that is signed out here may have shown one. The campaign is locked, so
    that none comes in meanwhile, by a code or by the link.
    """
    await hold(session, member.campaign_id)
    await session.execute(
        delete(DeviceCode).where(DeviceCode.campaign_id == member.campaign_id, DeviceCode.member_id == member.id)
    )
    wanted = [Device.campaign_id == member.campaign_id, Device.member_id == member.id, Device.revoked_at.is_(None)]
    if only is not None:
        wanted.append(Device.id == only)
    if but is not None:
        wanted.append(Device.id != but)
    closed = await session.scalars(
        update(Device)
        .where(*wanted)
        .values(revoked_at=func.now())
        .returning(Device.id)
        .execution_options(synchronize_session=False)
    )
    return len(closed.all())


async def show_code(session: AsyncSession, member: Member) -> str:
    """Returns a code that signs in one more browser within ten minutes; the member's earlier codes stop working."""
    await hold(session, member.campaign_id)
    await session.execute(
        delete(DeviceCode).where(DeviceCode.campaign_id == member.campaign_id, DeviceCode.member_id == member.id)
    )
    living = set(
        await session.scalars(select(DeviceCode.code_hash).where(DeviceCode.campaign_id == member.campaign_id))
    )
    code = tokens.fresh_code()
    while tokens.digest_code(member.campaign_id, code) in living:
        code = tokens.fresh_code()
    session.add(
        DeviceCode(
            campaign_id=member.campaign_id,
            id=new_id(),
            member_id=member.id,
            code_hash=tokens.digest_code(member.campaign_id, code),
            expires_at=func.now() + CODE_LIFE,
        )
    )
    await session.flush()
    return code


async def code_lives(session: AsyncSession, member: Member, code: str) -> bool:
    """Whether a code can still sign this member in on one more browser."""
    living = select(DeviceCode.id).where(
        DeviceCode.campaign_id == member.campaign_id,
        DeviceCode.member_id == member.id,
        DeviceCode.code_hash == tokens.digest_code(member.campaign_id, code),
        DeviceCode.used_at.is_(None),
        DeviceCode.expires_at > func.now(),
    )
    return await session.scalar(living) is not None


async def use_code(session: AsyncSession, slug: str, typed: str, label: str) -> NewSeat | None:
    """Signs a browser in by a code from another browser; returns None for a wrong, used, or expired code.

    A wrong code changes nothing, so that a stranger cannot make a valid one expire; `app.web.http.limits.CODE` limits
    the attempts from an address. One guess in 30^8, or 656,100,000,000, is right.
    """
    code = tokens.tidy_code(typed)
    campaign = await by_slug(session, slug)
    if campaign is None or code is None:
        return None
    await hold(session, campaign.id)
    member_id = await session.scalar(
        update(DeviceCode)
        .where(
            DeviceCode.campaign_id == campaign.id,
            DeviceCode.used_at.is_(None),
            DeviceCode.expires_at > func.now(),
            DeviceCode.code_hash == tokens.digest_code(campaign.id, code),
        )
        .values(used_at=func.now())
        .returning(DeviceCode.member_id)
        .execution_options(synchronize_session=False)
    )
    member = None if member_id is None else await session.get(Member, (campaign.id, member_id))
    if member is None or member.removed_at is not None:
        return None
    token = tokens.fresh()
    return NewSeat(campaign, member, await sit_down(session, member, label, token), token)
