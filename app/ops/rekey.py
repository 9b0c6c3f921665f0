"""Changes the key: decrypts every box of another key, and encrypts it again with the first one.

Play may continue meanwhile, as long as every worker has both keys: each batch locks one scene, and a box is only
replaced by its own content. It can be stopped and started again at any point, since any mixture of keys works.
"""

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from app.crypto.columns import BOXES, Boxes
from app.crypto.vault import Locked, Vault, key_name
from app.db.engine import make_engine
from app.db.lock_order import locking
from app.models.people import Campaign
from app.models.scenes import Scene
from app.settings import Settings
from app.terminal import say

BATCH = 200
"""Boxes encrypted again while a scene is locked: some milliseconds."""

SAY_SECONDS = 5.0

Place = tuple[uuid.UUID, uuid.UUID | None]
"""A campaign and one of its scenes; None for boxes outside scenes."""


@dataclass(slots=True)
class Progress:
    """The progress. `locked` counts boxes that no key at hand decrypts, by the name of the key they need."""

    scenes: int = 0
    boxes: int = 0
    locked: Counter[str] = field(default_factory=Counter)


def rekey_all(settings: Settings) -> int:
    """Changes the key and prints the progress. Returns 0 if the other keys can go, 1 if some boxes stay locked."""
    done = asyncio.run(_to_the_end(settings))
    say(f"Encrypted {done.boxes} boxes again, in {done.scenes} scenes.")
    for name, count in sorted(done.locked.items()):
        say(f"{count} boxes need the key named {name}, which is missing or does not open them. They are unchanged.")
    if done.locked:
        return 1
    say("Everything is encrypted with the first key. You can delete the others from the key file of every worker.")
    return 0


async def _to_the_end(settings: Settings) -> Progress:
    engine, done = make_engine(settings.database), Progress()
    quiet_until = time.monotonic() + SAY_SECONDS
    try:
        sessions, vault = async_sessionmaker(engine, expire_on_commit=False), Vault(settings.keys)
        # A worker without the new key may have encrypted something meanwhile, so look until nothing is found.
        while True:
            before, done.locked = done.boxes, Counter()
            async for so_far in rekey(sessions, vault, done):
                if time.monotonic() > quiet_until:
                    quiet_until = time.monotonic() + SAY_SECONDS
                    say(f"{so_far.boxes} boxes so far …")
            if done.boxes == before:
                return done
    finally:
        await engine.dispose()


async def rekey(
    sessions: async_sessionmaker[AsyncSession], vault: Vault, done: Progress | None = None, batch: int = BATCH
) -> AsyncIterator[Progress]:
    """Encrypts other keys' boxes again with the first key, scene by scene; yields after each committed batch."""
    done = done or Progress()
    last: tuple[uuid.UUID, uuid.UUID] | None = None
    while (scene := await _next_scene(sessions, last)) is not None:
        last, before = scene, done.boxes
        async for closed in _place(sessions, vault, scene, batch, done.locked):
            done.boxes += closed
            yield done
        done.scenes += done.boxes > before
    async for campaign in _campaigns(sessions):
        async for closed in _place(sessions, vault, (campaign, None), batch, done.locked):
            done.boxes += closed
            yield done


async def _place(
    sessions: async_sessionmaker[AsyncSession], vault: Vault, place: Place, batch: int, locked: Counter[str]
) -> AsyncIterator[int]:
    """Yields per batch how many boxes of a scene, or of a campaign outside its scenes, were encrypted again."""
    for boxes in (one for one in BOXES if one.in_scene == (place[1] is not None)):
        skip = 0  # boxes that cannot be decrypted stay, and are skipped from then on
        while True:
            async with sessions.begin() as session:
                found, closed = await _batch(session, vault, boxes, place, batch, skip, locked)
            skip += found - closed
            if closed:
                yield closed
            if found < batch:
                break


async def _campaigns(sessions: async_sessionmaker[AsyncSession]) -> AsyncIterator[uuid.UUID]:
    async with sessions() as session:
        found = (await session.scalars(select(Campaign.id).order_by(Campaign.id))).all()
    for campaign in found:
        yield campaign


async def _next_scene(
    sessions: async_sessionmaker[AsyncSession], last: tuple[uuid.UUID, uuid.UUID] | None
) -> tuple[uuid.UUID, uuid.UUID] | None:
    query = select(Scene.campaign_id, Scene.id).order_by(Scene.campaign_id, Scene.id).limit(1)
    if last is not None:
        campaign, scene = last
        query = query.where((Scene.campaign_id > campaign) | ((Scene.campaign_id == campaign) & (Scene.id > scene)))
    async with sessions() as session:
        row = (await session.execute(query)).one_or_none()
    return None if row is None else (row[0], row[1])


async def _batch(
    session: AsyncSession,
    vault: Vault,
    boxes: Boxes,
    scene: Place,
    most: int,
    skip: int,
    locked: Counter[str],
) -> tuple[int, int]:
    """Encrypts some boxes of one scene, or of a campaign outside its scenes, again; returns how many were found with
    another key, and how many of them were encrypted."""
    campaign_id, scene_id = scene
    there = [boxes.keys[0] == campaign_id]
    if scene_id is not None:
        await session.execute(locking(select(Scene.id).where(Scene.campaign_id == campaign_id, Scene.id == scene_id)))
        there.append(boxes.keys[1] == scene_id)
    else:
        await session.execute(locking(select(boxes.keys[0]).where(*there)))
    rows = await session.execute(
        select(*boxes.keys, boxes.column)
        .where(*there, boxes.key_name != key_name(vault.keys[0]))
        .order_by(*boxes.keys)
        .offset(skip)
        .limit(most)
    )
    found = closed = 0
    for *keys, box in rows.all():
        found += 1
        place = boxes.place_of(keys)
        try:
            plain = vault.decrypt(box, place)
        except Locked:
            locked[bytes(box[:4]).hex()] += 1
            continue
        # Only the box that was read is replaced: if it was emptied or changed meanwhile, it stays as it is.
        same_row = [column == value for column, value in zip(boxes.keys, keys, strict=True)]
        anew = (
            update(boxes.table).where(*same_row, boxes.column == box).values({boxes.name: vault.encrypt(plain, place)})
        )
        await session.execute(anew)
        closed += 1
    return found, closed
