"""Puts characters and members into the seats of scenes: when a scene opens, while it is played, and when it ends.

Owners hold the seats of their characters; GMs hold those of characters without an owner. Holders change only while the
scene is locked, so a new holder cannot read a seal that is laid at that moment: seals from before the change belong to
the old holder, those after it to the new.

An empty seat holds nobody up: the table goes on without its open asks, a seal that is in stands, and no step opens by
itself because of it, since the GM may put somebody in the seat. Whoever gets it before the step opens is asked again.
"""

import uuid
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Integer, Uuid, cast, delete, select, update
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters
from app.db.lock_order import locking
from app.engine.ruleset import GM, Seat
from app.models.base import new_id
from app.models.people import Character, Member, Role
from app.models.scenes import AskRow, Claim, Line, Scene, SeatHolder, SeatRow, StepRow

NOBODY: Mapping[Seat, Member] = {}
CHARACTER = "character/"
"""The beginning of a claim on a character; its slug follows."""


async def lock_open_scenes(session: AsyncSession, campaign_id: uuid.UUID) -> list[uuid.UUID]:
    """Locks every open scene of the campaign, in order of their ids; returns the ids."""
    query = select(Scene.id).where(Scene.campaign_id == campaign_id, Scene.status == "open").order_by(Scene.id)
    return list(await session.scalars(locking(query)))


async def lock_characters(session: AsyncSession, campaign_id: uuid.UUID, slugs: Iterable[str]) -> dict[str, Character]:
    """Locks these characters until the transaction ends and returns those that exist, by slug. So a sheet changes
    before a scene reads it or after the scene is over, and two scenes claim it one after the other."""
    rows = await characters.lock(session, campaign_id, Character.slug.in_(list(slugs)), key_share=True)
    return {row.slug: row for row in rows}


async def claim(session: AsyncSession, scene: Scene, things: Collection[str]) -> set[str]:
    """Claims characters and memories for a scene; returns those that another scene has claimed.

    The primary key makes a claim exclusive: of two scenes opened at once, only one gets it.
    """
    if not things:
        return set()
    values = [{"campaign_id": scene.campaign_id, "thing": thing, "scene_id": scene.id} for thing in things]
    done = await session.scalars(insert(Claim).values(values).on_conflict_do_nothing().returning(Claim.thing))
    return set(things) - set(done)


async def lend(session: AsyncSession, scene: Scene, lenders: Sequence[uuid.UUID], things: Collection[str]) -> None:
    """Lends characters to a scene that is opened out of `lenders`, the innermost of them first. They come back the same
    way: from a lender further out, they pass through those that wait between."""
    for at, lender in enumerate(lenders):
        way = [str(one) for one in reversed(lenders[: at + 1])]
        await session.execute(
            update(Claim)
            .where(Claim.campaign_id == scene.campaign_id, Claim.scene_id == lender, Claim.thing.in_(things))
            .values(scene_id=scene.id, lent_by=Claim.lent_by.op("||")(cast(way, JSONB)))
            .execution_options(synchronize_session=False)
        )


async def lent(session: AsyncSession, campaign_id: uuid.UUID, scene_id: uuid.UUID) -> list[str]:
    """Returns the characters that were lent to a scene."""
    mine = (Claim.campaign_id == campaign_id, Claim.scene_id == scene_id)
    things = await session.scalars(select(Claim.thing).where(*mine, Claim.lent_by != cast([], JSONB)))
    return [thing.removeprefix(CHARACTER) for thing in things]


async def give_back(session: AsyncSession, campaign_id: uuid.UUID, scene_id: uuid.UUID) -> list[str]:
    """Gives what was lent to a scene back to the scenes that lent it; returns the characters."""
    lender = cast(Claim.lent_by[-1].astext, Uuid)
    waits = select(Scene.id).where(Scene.campaign_id == campaign_id, Scene.status == "open")
    things = await session.scalars(
        update(Claim)
        .where(Claim.campaign_id == campaign_id, Claim.scene_id == scene_id, Claim.lent_by != cast([], JSONB))
        .where(lender.in_(waits))
        .values(scene_id=lender, lent_by=Claim.lent_by.op("-")(cast(-1, Integer)))
        .returning(Claim.thing)
        .execution_options(synchronize_session=False)
    )
    return sorted(thing.removeprefix(CHARACTER) for thing in things)


def new_seat(scene: Scene, seat: str, position: int, name: str, slugs: Sequence[str]) -> SeatRow:
    """Returns a seat for `add`; its `name` stays the same when holders change."""
    return SeatRow(
        campaign_id=scene.campaign_id,
        scene_id=scene.id,
        seat=seat,
        position=position,
        name=name,
        role="gm" if seat == GM else "player",
        characters=list(slugs),
    )


async def add(session: AsyncSession, seats: Sequence[SeatRow], named: Mapping[Seat, Member] = NOBODY) -> None:
    """Adds new seats to a scene. A member in `named` holds the seat, whoever owns its characters.

    A seat without a named member or an owner goes to the GMs, since somebody has to answer for it. (If a member leaves
    a seat without characters later, it stays empty: it was that member's own voice.)
    """
    people = await _people(session, seats[0].campaign_id)
    session.add_all(seats)
    await session.flush()
    for seat in seats:
        member = named.get(Seat(seat.seat))
        wanted = {member.id} if member else people.gms if seat.seat == GM else people.owners_of(seat)
        _let_in(session, seat, wanted or people.gms)
    await session.flush()


def add_character(seat: SeatRow, character: Character) -> None:
    """Puts a character that the scene has made into a seat. The scene is over, so its holders do not change."""
    seat.characters = [*seat.characters, character.slug]


async def follow_owners(session: AsyncSession, campaign_id: uuid.UUID, slugs: Collection[str], who: str) -> None:
    """Gives the seats of these characters in open scenes to their current owners, or to the GMs if they have none."""
    seats = await _seats(session, campaign_id, SeatRow.seat != GM)
    people = await _people(session, campaign_id)
    for seat in seats:
        if set(seat.characters) & set(slugs):
            await _settle(session, seat, people, people.owners_of(seat), who)


async def take_away(session: AsyncSession, campaign_id: uuid.UUID, member: Member, who: str) -> None:
    """Removes a member from every seat in open scenes; an empty one goes to its characters' owners, else to the GMs. A
    seat without characters stays empty, since it was the member's own voice; the rules' defaults answer for it."""
    seats = await _seats(session, campaign_id, SeatRow.seat != GM)
    people = await _people(session, campaign_id)
    for seat in seats:
        held = await _holders(session, seat)
        if member.id in held:
            left = held - {member.id}
            await _settle(session, seat, people, left or people.owners_of(seat) - {member.id}, who)
    await seat_gms(session, campaign_id)


async def give(session: AsyncSession, seat: SeatRow, to: Member | None, who: str) -> None:
    """Makes one member the only holder of this seat, or the GMs (`to` None); the caller must have locked the scene."""
    await _settle(session, seat, await _people(session, seat.campaign_id), set() if to is None else {to.id}, who)


async def seat_gms(session: AsyncSession, campaign_id: uuid.UUID) -> None:
    """Makes the present GMs the holders of the GM's seat in every open scene."""
    seats = await _seats(session, campaign_id, SeatRow.seat == GM)
    people = await _people(session, campaign_id)
    for seat in seats:
        await _hold(session, seat, people.gms)


async def empty(session: AsyncSession, campaign_id: uuid.UUID, scene_id: uuid.UUID) -> set[str]:
    """Returns the seats of a scene that nobody holds."""
    seats = select(SeatRow.seat).where(SeatRow.campaign_id == campaign_id, SeatRow.scene_id == scene_id)
    held = select(SeatHolder.seat).where(SeatHolder.campaign_id == campaign_id, SeatHolder.scene_id == scene_id)
    return set(await session.scalars(seats.where(SeatRow.seat.not_in(held))))


async def sole_holders(session: AsyncSession, scene: Scene) -> dict[str, uuid.UUID]:
    """Returns the holder of each seat that exactly one present member holds, by seat."""
    rows = await session.execute(
        select(SeatHolder.seat, SeatHolder.member_id)
        .join(Member, (Member.campaign_id == SeatHolder.campaign_id) & (Member.id == SeatHolder.member_id))
        .where(
            SeatHolder.campaign_id == scene.campaign_id, SeatHolder.scene_id == scene.id, Member.removed_at.is_(None)
        )
    )
    held = [(row[0], row[1]) for row in rows]
    count = Counter(seat for seat, _ in held)
    return {seat: member for seat, member in held if count[seat] == 1}


@dataclass(frozen=True, slots=True)
class _People:
    """The members who can hold seats in a campaign, and the owners of its characters."""

    players: Mapping[uuid.UUID, str]  # names of present players and GMs
    gms: set[uuid.UUID]
    owners: Mapping[str, uuid.UUID | None]  # by the character's slug

    def owners_of(self, seat: SeatRow) -> set[uuid.UUID]:
        return {owner for slug in seat.characters if (owner := self.owners.get(slug)) and owner in self.players}


async def _people(session: AsyncSession, campaign_id: uuid.UUID) -> _People:
    here = await session.execute(
        select(Member.id, Member.name, Member.role).where(
            Member.campaign_id == campaign_id, Member.removed_at.is_(None), Member.role != Role.SPECTATOR
        )
    )
    rows = here.all()
    owned = await session.execute(
        select(Character.slug, Character.owner_id).where(Character.campaign_id == campaign_id)
    )
    return _People(
        players={row[0]: row[1] for row in rows},
        gms={row[0] for row in rows if row[2] == Role.GM},
        owners={row[0]: row[1] for row in owned},
    )


async def _settle(session: AsyncSession, seat: SeatRow, people: _People, wanted: set[uuid.UUID], who: str) -> None:
    """Gives the seat to these members or, if none of them can hold it and it has characters, to the GMs; a notice tells
    all members."""
    names = sorted(name for member, name in people.players.items() if member in wanted)
    gms = people.gms if seat.characters else set[uuid.UUID]()
    if not await _hold(session, seat, wanted & people.players.keys() or gms):
        return
    now = " and ".join(names) or ("the GM" if seat.characters else "")
    session.add(
        Line(
            campaign_id=seat.campaign_id,
            scene_id=seat.scene_id,
            id=new_id(),
            kind="notice",
            who=who,
            text=f"{seat.name} is now played by {now}." if now else f"{seat.name} has left the scene.",
        )
    )


async def _hold(session: AsyncSession, seat: SeatRow, wanted: set[uuid.UUID]) -> bool:
    """Makes exactly these members the seat's holders; old holders keep their `since`. Returns whether it changed."""
    held = await _holders(session, seat)
    if held - wanted:
        await session.execute(
            delete(SeatHolder)
            .where(*_at(seat), SeatHolder.member_id.in_(held - wanted))
            .execution_options(synchronize_session=False)
        )
    _let_in(session, seat, wanted - held)
    if bool(held) != bool(wanted):
        await _await_seat(session, seat, bool(wanted))
    await session.flush()
    return held != wanted


async def _await_seat(session: AsyncSession, seat: SeatRow, held: bool) -> None:
    """Makes the open steps wait for a seat's missing answer, or go on without it."""
    open_steps = select(StepRow.key).where(
        StepRow.campaign_id == seat.campaign_id,
        StepRow.scene_id == seat.scene_id,
        StepRow.status.in_(("open", "stuck")),
        StepRow.spec["pace"].as_string() != "whenever",
    )
    await session.execute(
        update(AskRow)
        .where(AskRow.campaign_id == seat.campaign_id, AskRow.scene_id == seat.scene_id, AskRow.seat == seat.seat)
        .where(AskRow.status != "ready", AskRow.step_key.in_(open_steps))
        .values(awaited=held, excused=not held)
        .execution_options(synchronize_session="fetch")
    )


def _let_in(session: AsyncSession, seat: SeatRow, members: Iterable[uuid.UUID]) -> None:
    for member in members:
        session.add(SeatHolder(campaign_id=seat.campaign_id, scene_id=seat.scene_id, seat=seat.seat, member_id=member))


async def _holders(session: AsyncSession, seat: SeatRow) -> set[uuid.UUID]:
    return set(await session.scalars(select(SeatHolder.member_id).where(*_at(seat))))


def _at(seat: SeatRow) -> tuple[ColumnElement[bool], ...]:
    return (
        SeatHolder.campaign_id == seat.campaign_id,
        SeatHolder.scene_id == seat.scene_id,
        SeatHolder.seat == seat.seat,
    )


async def _seats(session: AsyncSession, campaign_id: uuid.UUID, which: ColumnElement[bool]) -> Sequence[SeatRow]:
    """Locks all open scenes and returns these of their seats."""
    scenes = await lock_open_scenes(session, campaign_id)
    rows = await session.scalars(
        select(SeatRow)
        .where(SeatRow.campaign_id == campaign_id, SeatRow.scene_id.in_(scenes), which)
        .order_by(SeatRow.scene_id, SeatRow.position)
    )
    return rows.all()
