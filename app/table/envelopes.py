"""Lays, changes and takes back envelopes: the only way for a declaration to enter.

The scene's row must be locked (`Runtime.locked_scene`). The caller sends the receipt after the commit: it acknowledges
the envelope.
"""

import json
import os
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from app import failpoints
from app.campaign import names
from app.engine import form_text
from app.engine.faults import faults_of
from app.engine.ruleset import Ask, Faults, Step
from app.engine.unions import field_name
from app.errors import Conflict, NotThere, Refusal
from app.models.scenes import Envelope, StepRow
from app.receipts import luck
from app.receipts.setup import STEP
from app.table import closing, envelope_store
from app.table.envelope_store import StoredEnvelope
from app.table.loaded_scene import LoadedScene, ask_of, box_place, open_box, read_words

MOST_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Submission:
    """An envelope as a member submits it: the pairs of the form, and the revision that the page showed."""

    step_key: str
    seat: str
    pairs: Sequence[tuple[str, str]]
    revision_seen: int  # 0: the page showed no envelope yet
    request_id: uuid.UUID  # new for each press of the button; a repeat is answered with the first receipt
    ready: bool  # a seal, or a draft
    use_draft: bool = False  # the author wants this draft used when the time is up
    stamp: "Stamp | None" = None  # made by the browser; without it the server makes the salt


@dataclass(frozen=True, slots=True)
class Stamp:
    """A seal as the browser made it: the words exactly as it hashed them, its salt, and its commitment."""

    words: str
    salt: bytes = field(repr=False)
    commitment: bytes


@dataclass(frozen=True, slots=True)
class Receipt:
    """The server's acknowledgement of an envelope."""

    step_key: str
    seat: str
    revision: int
    commitment: bytes
    ready: bool
    closed: bool  # it was the last one, and the step was revealed
    stuck: bool = False  # it is stored, but the rules failed at the reveal
    order_no: int = 0
    head: bytes | None = None  # of the scene's record when this was laid


class Mismatched(Refusal):
    """The browser's commitment does not fit words, seat or step, as with a copied seal."""


class Illegal(Refusal):
    """The declaration is illegal: a fault for each form field, by its name."""

    status = 422

    def __init__(self, faults: Faults) -> None:
        super().__init__(faults.get("", "Not sealed yet: see the marked choices."))
        self.faults = faults


async def lay(session: AsyncSession, live: LoadedScene, member: uuid.UUID, laid: Submission) -> Receipt:
    """Lays or replaces an envelope; the last awaited one closes the step in the same transaction.

    Raises NotThere where the member may not answer this ask, Conflict where the answer is late or stale, and Illegal or
    Mismatched where the envelope cannot be accepted."""
    found = await envelope_store.load(session, live, member, laid.step_key, laid.seat, laid.request_id)
    if found.press is not None:  # a repeated press is answered with the first receipt
        return _receipt(found.press, closed=found.press_status == "closed")
    step, ask = _asked(found, laid.seat)
    _in_time(live, found)
    before = found.before
    _not_stale(before, laid.revision_seen, ask)
    text = _words(laid)
    if laid.ready:
        _check(live, ask, text)
    envelope = _envelope(live, ask, laid, text, member, (before.revision if before else 0) + 1)
    if laid.stamp is not None and (envelope.commitment != laid.stamp.commitment or len(laid.stamp.salt) != 32):
        raise Mismatched("Nothing was sealed: the seal does not match what you chose. Reload the page and seal again.")
    return await _put(session, live, step, found, envelope)


async def take_back(
    session: AsyncSession,
    live: LoadedScene,
    member: uuid.UUID,
    step_key: str,
    seat: str,
    revision_seen: int,
    request_id: uuid.UUID,
) -> Receipt:
    """Turns a seal back into a draft with the same words; raises Conflict once the step has closed."""
    found = await envelope_store.load(session, live, member, step_key, seat, request_id)
    if found.press is not None:
        return _receipt(found.press, closed=found.press_status == "closed")
    step, ask = _asked(found, seat)
    _in_time(live, found)
    if found.before is None:
        raise Conflict("You have no seal to take back.")
    _not_stale(found.before, revision_seen, ask)
    return await _put(session, live, step, found, _taken_back(live, ask, found.before, member, request_id))


async def give_back(session: AsyncSession, live: LoadedScene, step_key: str, seat: str) -> Receipt:
    """Turns a seat's seal back into a draft at a GM's word, as if its author had taken it back; raises Conflict once
    the step has closed. The caller has checked that there is a seal, and that the GM may know of it."""
    request = uuid.uuid4()
    found = await envelope_store.load(session, live, request, step_key, seat, request)  # nobody's
    step, before = STEP.validate_python(found.spec), found.before
    ask = ask_of(step, seat)
    assert ask is not None and before is not None
    _in_time(live, found)
    _not_stale(before, before.revision, ask)
    return await _put(session, live, step, found, _taken_back(live, ask, before, before.author_id, request))


def _taken_back(live: LoadedScene, ask: Ask, before: Envelope, author: uuid.UUID, request_id: uuid.UUID) -> Envelope:
    """Returns a seal as a draft with the same words and salt."""
    salt, text = open_box(live, before)
    stamp = Stamp(text, salt, before.commitment)
    laid = Submission(before.step_key, before.seat, (), before.revision, request_id, ready=False, stamp=stamp)
    envelope = _envelope(live, ask, laid, text, author, before.revision + 1)
    envelope.salted_by = before.salted_by
    # A member who took the seat over may take the seal back, but must not read the words.
    envelope.written_at = before.written_at
    return envelope


def _asked(found: StoredEnvelope, seat: str) -> tuple[Step, Ask]:
    step = STEP.validate_python(found.spec) if found.spec is not None else None
    ask = ask_of(step, seat) if step else None
    if not found.holds or step is None or ask is None:
        raise NotThere(
            "There is nothing for you to answer here. It may be another player's seat.",
            "Your campaign's page lists its scenes.",
        )
    return step, ask


def _in_time(live: LoadedScene, row: StoredEnvelope) -> None:
    if row.status == "open" and row.due_at is not None and row.due_at < live.now and live.row.paused_at is None:
        raise Conflict("This arrived after the time was up, so it did not count.")
    if row.status == "stuck":
        raise Conflict("An error has stopped this step. What you sealed before is safe. Try again later.")
    if row.status == "retired":
        raise Conflict("The GM changed the situation, so there is a new question. Answer this one instead.")
    if row.status != "open":
        raise Conflict("All seals are already open, so this came too late. Nothing was changed.")
    if live.row.waits_for is not None:
        raise Conflict("This scene waits for another one. Seal when it goes on; what you chose stands here.")


def _not_stale(before: Envelope | None, seen: int, ask: Ask) -> None:
    current = before.revision if before else 0
    if seen != current:
        raise Conflict("This seat's envelope was changed on another page after you opened this one. Look again.")
    if before is not None and before.ready and ask.first_stands:
        raise Conflict("You can't change your first answer here.")


def _words(laid: Submission) -> str:
    """Returns the words to be hashed: the browser's own text if it sent one, unchanged."""
    return checked_words(form_text.spell(laid.pairs) if laid.stamp is None else laid.stamp.words)


def checked_words(text: str) -> str:
    """Returns these words; raises Illegal where no box, or no log, can hold them."""
    try:
        size = len(text.encode("utf-8"))
        pairs = form_text.read(text)
    except (UnicodeEncodeError, ValueError, RecursionError) as wrong:
        raise Illegal({"": "Part of this is not readable text. Type it again."}) from wrong
    faults = unwritable(pairs)  # the log could not hold them, and the reveal would fail
    if faults:
        raise Illegal(faults)
    if size > MOST_BYTES:
        raise Illegal(
            {"": f"This is {size // 1024} kB long; an envelope holds at most {MOST_BYTES // 1024} kB. Shorten it."}
        )
    return text


def unwritable(pairs: Iterable[tuple[str, str]]) -> Faults:
    """Returns a fault for each field with characters that cannot be stored: control characters, lone surrogates."""
    faults: Faults = {}
    for name, value in pairs:
        try:
            names.prose(name + value)
        except ValueError as wrong:
            faults.setdefault(name, str(wrong))
    return faults


def _check(live: LoadedScene, ask: Ask, text: str) -> Any:
    try:
        says = read_words(live, ask, text)
    except ValidationError as wrong:
        raise Illegal(faults_of(wrong, lambda place: field_name(live.kind.declaration, place))) from wrong
    except ValueError as wrong:
        raise Illegal({"": str(wrong)}) from wrong
    faults = live.kind.check(live.kind.view(live.state, live.viewer(ask.seat)), ask, says)
    if faults:
        raise Illegal(faults)
    return says


def _envelope(live: LoadedScene, ask: Ask, laid: Submission, text: str, author: uuid.UUID, revision: int) -> Envelope:
    salt = laid.stamp.salt if laid.stamp is not None else os.urandom(32)
    scene = live.row
    hashes = luck.seal(live.sealed_in, str(scene.id), laid.step_key, laid.seat, ask.kind, salt, text)
    place = box_place(live, laid.step_key, laid.seat, revision)
    return Envelope(
        campaign_id=scene.campaign_id,
        scene_id=scene.id,
        step_key=laid.step_key,
        seat=laid.seat,
        revision=revision,
        author_id=author,
        request_id=laid.request_id,
        ready=laid.ready,
        use_draft=laid.use_draft and not laid.ready,
        order_no=0,
        salted_by="server" if laid.stamp is None else "browser",
        commitment=hashes.commitment,
        box=live.vault.encrypt(plain_box(salt, text), place),
    )


def plain_box(salt: bytes, text: str) -> bytes:
    """Returns the content of a box, as `open_box` reads it."""
    return json.dumps({"salt": salt.hex(), "words": text}).encode()


async def _put(
    session: AsyncSession, live: LoadedScene, step: Step, found: StoredEnvelope, envelope: Envelope
) -> Receipt:
    envelope.order_no = live.row.orders + 1
    before, seat = found.before, envelope.seat
    was_sealed = before is not None and (before.ready or found.asks[seat] == "taken")
    status = "ready" if envelope.ready else "taken" if was_sealed else "waiting"
    await envelope_store.save(session, envelope, status)
    live.row.orders = envelope.order_no
    if envelope.ready or was_sealed:
        # Of a draft, others do not even learn that it exists.
        live.touch_hidden_seal(step, seat) if found.shows == "nothing" else live.touch_seal(step)
    failpoints.hit("envelope-written")
    receipt = _receipt(envelope, head=live.row.head)
    asks = {**found.asks, seat: status}.items()
    complete = all(known == "ready" or one in found.excused for one, known in asks)
    if complete and not found.held and live.row.paused_at is None:
        row = await session.get_one(StepRow, (live.campaign, live.id, step.key))
        done = await closing.close(session, live, row, "all")
        return replace(receipt, closed=done, stuck=not done)
    return receipt


def _receipt(envelope: Envelope, *, closed: bool = False, head: bytes | None = None) -> Receipt:
    return Receipt(
        step_key=envelope.step_key,
        seat=envelope.seat,
        revision=envelope.revision,
        commitment=envelope.commitment,
        ready=envelope.ready,
        closed=closed,
        order_no=envelope.order_no,
        head=head,
    )
