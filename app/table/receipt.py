"""The receipt file: one member checks a scene with it, without this server. It holds only what that member may know.

It consists of JSON lines, which `app/receipts/file.py` describes.
"""

import json
import uuid
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import sealing_shows
from app.crypto.vault import Vault
from app.errors import Conflict
from app.models.people import Member
from app.models.scenes import Envelope, EventRow, RecordRow, SeatHolder, StepRow
from app.receipts import chain
from app.receipts.setup import STEP
from app.table.loaded_scene import LoadedScene, ask_of, open_box, public, read, read_event
from app.table.recording import boxed_text

Line = dict[str, Any]


class NotRecorded(Conflict):
    """The scene is older than Signet's record, so nothing about it can be proven."""


async def lines(session: AsyncSession, vault: Vault, campaign: uuid.UUID, scene: uuid.UUID, member: Member) -> str:
    """Returns the whole file as text. Raises NoScene, and NotRecorded for a scene without a record."""
    live = await read(session, vault, campaign, scene)
    if live.row.head is None or live.row.setup_salt is None:
        raise NotRecorded(
            "This scene was opened before Signet kept records, so there is nothing to check.",
            "New scenes are recorded.",
        )
    records = list(
        await session.scalars(
            select(RecordRow)
            .where(RecordRow.campaign_id == live.campaign, RecordRow.scene_id == live.id)
            .order_by(RecordRow.number)
        )
    )
    mine = await _mine(session, live, member)
    found: list[Line] = [_header(live, _shown(live, records, mine))]
    found += [{"record": row.text, "head": row.head.hex()} for row in records if row.text is not None and row.head]
    found += mine
    if live.row.status != "open":
        found.append({"opened": await _opened(session, live, records)})
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in found)


def _shown(live: LoadedScene, records: list[RecordRow], mine: list[Line]) -> set[str]:
    """Returns the seats for the header: while the scene is open, those of public records and of the member's own
    envelopes, so that a hidden seat does not show."""
    if live.row.status != "open":
        return {seat.seat for seat in live.seats}
    entries = [json.loads(row.text) for row in records if row.text is not None]
    found = {row["seat"] for entry in entries for row in entry.get("rows", ())}
    return found | {line["mine"]["seat"] for line in mine}


def _header(live: LoadedScene, shown: set[str]) -> Line:
    row = live.row
    assert row.setup_salt is not None
    salt = live.vault.decrypt(row.setup_salt, f"{live.place}/setup-salt")
    setup = live.vault.decrypt(row.setup, f"{live.place}/setup").decode()
    digest = chain.setup_digest(salt, setup)
    return {
        "signet-receipts": row.protocol,
        "campaign": live.sealed_in,
        "scene": str(live.id),
        "title": row.title,
        "ruleset": row.ruleset,
        "kind": row.kind,
        "version": row.rules_version,
        "status": row.status,
        "seats": [{"seat": seat.seat, "name": seat.name} for seat in live.seats if seat.seat in shown],
        "anchor": row.anchor.hex(),
        "setup": digest.hex(),
        "carried": row.carried or {},
    }


async def _mine(session: AsyncSession, live: LoadedScene, member: Member) -> list[Line]:
    """Returns salt and words of the member's envelopes that are still closed."""
    since = {
        seat: at
        for seat, at in await session.execute(
            select(SeatHolder.seat, SeatHolder.since).where(
                SeatHolder.campaign_id == live.campaign,
                SeatHolder.scene_id == live.id,
                SeatHolder.member_id == member.id,
            )
        )
    }
    found: list[Line] = []
    newest, ranked = await _newest(session, live), await _ranked(session, live)
    if await sealing_shows.read(session, live.campaign) != "names":
        ranked = set()  # an order would tell how many others have sealed
    for envelope in newest:
        if envelope.seat not in since or envelope.written_at < since[envelope.seat] or envelope.box is None:
            continue
        salt, words = open_box(live, envelope)
        mine = {
            "step": envelope.step_key,
            "seat": envelope.seat,
            "ready": envelope.ready,
            "revision": envelope.revision,
            "salted_by": envelope.salted_by,
            "wax": envelope.commitment.hex(),
            "salt": salt.hex(),
            "words": words,
        }
        if envelope.step_key in ranked and envelope.ready:
            mine["order"] = sum(
                other.ready and other.order_no <= envelope.order_no
                for other in newest
                if other.step_key == envelope.step_key
            )
        found.append({"mine": mine})
    return found


async def _ranked(session: AsyncSession, live: LoadedScene) -> set[str]:
    """Returns the keys of ranked steps. In other steps no order is included: the scene's numbers count hidden seals and
    other seats' drafts."""
    steps = await session.scalars(
        select(StepRow).where(StepRow.campaign_id == live.campaign, StepRow.scene_id == live.id)
    )
    return {row.key for row in steps if STEP.validate_python(row.spec).ranked}


async def _newest(session: AsyncSession, live: LoadedScene) -> list[Envelope]:
    rows = await session.scalars(
        select(Envelope)
        .where(Envelope.campaign_id == live.campaign, Envelope.scene_id == live.id)
        .ext(distinct_on(Envelope.step_key, Envelope.seat))
        .order_by(Envelope.step_key, Envelope.seat, Envelope.revision.desc())
    )
    return list(rows)


async def _opened(session: AsyncSession, live: LoadedScene, records: list[RecordRow]) -> Line:
    """Returns the data that opens for all members at the end: root, setup, hidden steps, the log, late words."""
    assert live.row.setup_salt is not None
    events = await session.scalars(
        select(EventRow)
        .where(EventRow.campaign_id == live.campaign, EventRow.scene_id == live.id)
        .order_by(EventRow.number)
    )
    return {
        "root": live.vault.decrypt(live.row.root, f"{live.place}/root").hex(),
        "setup_salt": live.vault.decrypt(live.row.setup_salt, f"{live.place}/setup-salt").hex(),
        "setup": live.vault.decrypt(live.row.setup, f"{live.place}/setup").decode(),
        "records": [_place(live, row) for row in records],
        "rows": await _late_rows(session, live),
        "log": [_event(live, row) for row in events],
    }


def _place(live: LoadedScene, row: RecordRow) -> Line:
    """Returns a record's place in the log, with the entry of a hidden closing, a newcomer's sheet or those that
    an inner scene gave back, a secret roll, or what a GM did to the seats of steps."""
    boxed = None if row.box is None else boxed_text(live, row)
    place = {"last_event": row.last_event, "hidden": boxed if row.text is None else None}
    if row.text is None or boxed is None:
        return place
    what = json.loads(row.text)["what"]
    if what == "rolled":
        return {**place, "roll": json.loads(boxed)["roll"]}
    return {**place, ("sheet" if what in ("entered", "inner") else "acts"): boxed}


async def _late_rows(session: AsyncSession, live: LoadedScene) -> list[Line]:
    """Returns salt and words of the answers in public steps that open only at the end of the scene."""
    specs = {
        row.key: STEP.validate_python(row.spec)
        for row in await session.scalars(
            select(StepRow).where(
                StepRow.campaign_id == live.campaign, StepRow.scene_id == live.id, StepRow.status == "closed"
            )
        )
    }
    found: list[Line] = []
    for envelope in await _newest(session, live):
        step = specs.get(envelope.step_key)
        ask = ask_of(step, envelope.seat) if step else None
        if step is None or ask is None or not public(step) or ask.opens != "end" or envelope.box is None:
            continue
        if envelope.ready or envelope.use_draft:
            salt, words = open_box(live, envelope)
            found.append({"step": step.key, "seat": ask.seat, "salt": salt.hex(), "words": words})
    return found


def _event(live: LoadedScene, row: EventRow) -> Line:
    told = read_event(live, row)
    return {
        "number": told.number,
        "n": row.public_no,
        "rule": told.rule,
        "because": list(told.because),
        "event": live.kind.event.dump_python(told.event, mode="json"),
    }
