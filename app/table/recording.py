"""The record of a scene: an entry for each closing, hashed together with the entry before (docs/fairness.md).

The scene's row must be locked, in the transaction of the recorded changes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.engine.ruleset import SPECTATOR, Answer, Ask, LoggedEvent, Outcome, Step
from app.models.scenes import Envelope, EventRow, RecordRow
from app.receipts import chain, luck, step_acts
from app.receipts.setup import STEP, characters_made, planned
from app.receipts.step_acts import Acts
from app.table.loaded_scene import LoadedScene, public


@dataclass(frozen=True, slots=True)
class Opened:
    """One seat's answer at the reveal, with its envelope and the luck part of its salt, if it has them."""

    ask: Ask
    answer: Answer[Any]
    luck: bytes | None
    envelope: Envelope | None
    salt: bytes | None = None
    words: str | None = None
    quiet: bool = False  # a draft that was saved while its author chose


@dataclass(frozen=True, slots=True)
class Closing:
    """A closed step with its answers and events; `link` and its number only if the closing opened one."""

    step: Step
    by: str
    number: int | None
    link: bytes | None
    opened: Sequence[Opened]
    told: Sequence[LoggedEvent[Any]]
    acts: Sequence[Acts] = ()  # of a GM, on this step and on withdrawn ones


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A character who joined in mid-scene, with the sheet as `chain.canonical` writes it."""

    seat: str
    name: str
    sheet: str


@dataclass(frozen=True, slots=True)
class CameBack:
    """A scene that was opened out of this one and has come back."""

    scene: str  # its id
    how: str
    """over, abandoned, stuck, left (a GM went on without it), missing (it is gone), failed (the rules could not tell
    what came of it)."""
    kind: str = ""
    title: str = ""
    head: str | None = None  # its last one, hex
    result: JsonValue = None
    sheets: str = "{}"  # of the characters that were lent, by slug, as `chain.canonical` writes them

    @property
    def entry(self) -> dict[str, Any]:
        """What the record says of it, besides the sheets and the events."""
        said = {"what": "inner", "scene": self.scene, "kind": self.kind, "title": self.title, "how": self.how}
        more = {"head": self.head, "result": self.result}
        return said | {name: value for name, value in more.items() if value is not None}


async def closed(session: AsyncSession, live: LoadedScene, closing: Closing) -> None:
    """Records a closing: a public step openly, a hidden one in a box until the scene is over."""
    entry = {
        "what": "closing",
        "step": STEP.dump_python(closing.step, mode="json"),
        "by": closing.by,
    }
    events = await _public(session, live, closing.told)
    if public(closing.step):
        rows = [_row(live, closing.step, o, whole=o.ask.opens == "close") for o in closing.opened]
        acts, who = _acts(live, closing.acts)
        link = {"k": closing.number, "link": closing.link.hex()} if closing.link is not None else {}
        _put(session, live, entry | link | {"rows": rows, "events": events} | acts, beside=who)
        return
    rows = [_row(live, closing.step, o, whole=o.ask.opens != "never") for o in closing.opened]
    acts = {"acts": [one.model_dump() for one in closing.acts]} if closing.acts and live.row.protocol > 1 else {}
    _put_hidden(session, live, entry | {"rows": rows} | acts)
    if events:
        _put(session, live, {"what": "told", "events": events})


async def entered(session: AsyncSession, live: LoadedScene, came: Newcomer, told: Sequence[LoggedEvent[Any]]) -> None:
    """Records that a seat was added in mid-scene, with the public events of it; its sheet opens at the end."""
    if live.row.setup_salt is None:
        return
    salt = live.vault.decrypt(live.row.setup_salt, f"{live.place}/setup-salt")
    entry = {"what": "entered", "seat": came.seat, "name": came.name}
    sheet = chain.came_digest(salt, came.seat, came.sheet).hex()
    _put(session, live, {**entry, "sheet": sheet, "events": await _public(session, live, told)}, beside=came.sheet)


async def came_back(session: AsyncSession, live: LoadedScene, came: CameBack, told: Sequence[LoggedEvent[Any]]) -> None:
    """Records that an inner scene came back: its last head and its result, with the public events of it; the sheets
    open at the end."""
    if live.row.setup_salt is None:
        return
    salt = live.vault.decrypt(live.row.setup_salt, f"{live.place}/setup-salt")
    sheets = chain.back_digest(salt, came.scene, came.sheets).hex()
    events = await _public(session, live, told)
    _put(session, live, {**came.entry, "sheet": sheets, "events": events}, beside=came.sheets)


def roll_made(session: AsyncSession, live: LoadedScene, number: int, text: str, about: Mapping[str, str]) -> None:
    """Records that a GM rolled in secret: the roll's hash for everybody, its text in a box. `about`: what is kept with
    it and not hashed."""
    wax = chain.rolled_digest(number, text).hex()
    _put(session, live, {"what": "rolled", "n": number, "wax": wax}, beside=chain.canonical({**about, "roll": text}))


def roll_shown(session: AsyncSession, live: LoadedScene, number: int, text: str) -> None:
    """Records that a GM showed a secret roll to everybody."""
    _put(session, live, {"what": "shown", "n": number, "roll": text})


def _acts(live: LoadedScene, acts: Sequence[Acts], hidden: Sequence[Acts] = ()) -> tuple[dict[str, Any], str | None]:
    """Returns what an entry tells of a GM's acts, in numbers and as a digest, and the text of that digest, which has
    the seats, and acts on hidden steps."""
    if live.row.protocol == 1 or live.row.setup_salt is None or not (acts or hidden):
        return {}, None
    told: dict[str, Any] = {"acts": [one.told.model_dump() for one in acts]} if acts else {}
    if not hidden and not any(one.back or one.without for one in acts):
        return told, None
    text = step_acts.write([*acts, *hidden])
    salt = live.vault.decrypt(live.row.setup_salt, f"{live.place}/setup-salt")
    return told | {"who": chain.acts_digest(salt, text).hex()}, text


async def ended(
    session: AsyncSession,
    live: LoadedScene,
    how: str,
    outcome: Outcome | None = None,
    acts: tuple[Sequence[Acts], Sequence[Acts]] = ((), ()),
) -> None:
    """Records the last entry: how the scene ended, digests of its outcome (sheets, new characters, calendar, memory),
    and the GM's acts on steps that have not closed, public and hidden ones."""
    if live.row.head is None or live.row.setup_salt is None:
        return
    salt = live.vault.decrypt(live.row.setup_salt, f"{live.place}/setup-salt")
    outcome = outcome or Outcome()
    hidden = [boxed_text(live, row) for row in await _hidden(session, live)]
    told, who = _acts(live, *acts)
    _put(
        session,
        live,
        {
            "what": "end",
            "how": how,
            "hidden": chain.hidden_digest(salt, hidden).hex(),
            "kept": {name: chain.left_digest(salt, name, body).hex() for name, body in outcome.kept.items()},
            "sheets": {name: chain.left_digest(salt, name, body).hex() for name, body in outcome.sheets.items()},
            **({"entries": chain.left_digest(salt, "calendar", planned(outcome)).hex()} if outcome.entries else {}),
            **({"made": chain.left_digest(salt, "made", characters_made(outcome)).hex()} if outcome.made else {}),
            **told,
        },
        beside=who,
    )


def _row(live: LoadedScene, step: Step, o: Opened, *, whole: bool) -> dict[str, Any]:
    """Returns one answer for the record: both parts of its commitment and, if `whole`, salt and words."""
    row: dict[str, Any] = {"seat": o.ask.seat, "ask": o.ask.kind, "how": o.answer.how, "rank": o.answer.rank}
    if o.envelope is None or o.salt is None or o.words is None:
        return row
    hashes = luck.seal(live.sealed_in, str(live.id), step.key, o.ask.seat, o.ask.kind, o.salt, o.words)
    row |= {
        "revision": o.envelope.revision,
        "salted_by": o.envelope.salted_by,
        "wax": o.envelope.commitment.hex(),
        "luck": hashes.luck.hex(),
        "inner": hashes.inner.hex(),
    }
    return row | {"salt": o.salt.hex(), "words": o.words} if whole else row


async def _public(session: AsyncSession, live: LoadedScene, told: Sequence[LoggedEvent[Any]]) -> list[dict[str, Any]]:
    """Returns the events that a spectator may see, with the numbers that a spectator sees."""
    seen = [one for one in told if live.kind.sees(one.event, SPECTATOR)]
    first = live.row.public_events - len(seen) + 1
    numbers = {one.number: first + place for place, one in enumerate(seen)}
    numbers |= live.numbers
    earlier = {cause for one in seen for cause in one.because} - {one.number for one in told} - set(numbers)
    numbers |= await _numbers(session, live, earlier)
    return [
        {
            "n": numbers[one.number],
            "rule": one.rule,
            "because": [numbers[cause] for cause in one.because if cause in numbers],
            "event": live.kind.event.dump_python(one.event, mode="json"),
        }
        for one in seen
    ]


async def _numbers(session: AsyncSession, live: LoadedScene, events: set[int]) -> dict[int, int]:
    if not events:
        return {}
    rows = await session.execute(
        select(EventRow.number, EventRow.public_no).where(
            EventRow.campaign_id == live.campaign,
            EventRow.scene_id == live.id,
            EventRow.number.in_(events),
            EventRow.public_no.is_not(None),
        )
    )
    return {number: public_no for number, public_no in rows if public_no is not None}


def _put(session: AsyncSession, live: LoadedScene, entry: dict[str, Any], beside: str | None = None) -> None:
    """`beside`: a text whose digest the entry has; it stays in a box until the scene is over."""
    if live.row.head is None:  # the scene is older than the record
        return
    text = chain.canonical(entry)
    live.row.head = chain.next_head(live.row.head, text)
    _add(session, live, text=text, head=live.row.head, box=None if beside is None else _box(live, beside))


def _put_hidden(session: AsyncSession, live: LoadedScene, entry: dict[str, Any]) -> None:
    if live.row.head is None:
        return
    _add(session, live, box=_box(live, chain.canonical(entry)))


def _box(live: LoadedScene, text: str) -> bytes:
    return live.vault.encrypt(text.encode(), f"{live.place}/record/{live.row.records + 1}")


async def _hidden(session: AsyncSession, live: LoadedScene) -> list[RecordRow]:
    rows = await session.scalars(
        select(RecordRow)
        .where(RecordRow.campaign_id == live.campaign, RecordRow.scene_id == live.id, RecordRow.text.is_(None))
        .order_by(RecordRow.number)
    )
    return list(rows)


def boxed_text(live: LoadedScene, row: RecordRow) -> str:
    """Returns a hidden closing's entry, a newcomer's sheet, or a secret roll, which players may not see while the scene
    is open."""
    assert row.box is not None
    return live.vault.decrypt(row.box, f"{live.place}/record/{row.number}").decode()


def _add(
    session: AsyncSession,
    live: LoadedScene,
    *,
    text: str | None = None,
    head: bytes | None = None,
    box: bytes | None = None,
) -> None:
    live.row.records += 1
    row = RecordRow(
        campaign_id=live.campaign,
        scene_id=live.id,
        number=live.row.records,
        last_event=live.row.last_event,
        text=text,
        head=head,
        box=box,
    )
    if text is None:
        session.add(row)
    else:
        live.defer_public_write(partial(session.add, row))
