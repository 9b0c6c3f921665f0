"""A scene in memory: its row, its ruleset, and its decoded state.

A caller who changes a scene calls `lock` first, in a transaction of its own, and never locks a second scene.
"""

import json
import uuid
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.crypto.vault import Vault
from app.db.lock_order import locking
from app.engine import form_text
from app.engine.log import fold
from app.engine.ruleset import GM, Ask, Audience, LoggedEvent, Ruleset, SceneKind, Seat, Setup, Step, Viewer
from app.errors import NotThere, Refusal
from app.models.scenes import Envelope, EventRow, Scene, SeatRow
from app.receipts.setup import read_setup
from app.rulesets import find_kind

# Built once: for the queries of every page and every seal, building costs more than sending.
_SCENE = select(Scene, func.statement_timestamp()).where(
    Scene.campaign_id == bindparam("campaign"), Scene.id == bindparam("scene")
)
_LOCKED, _LOCKED_UNLESS_HELD = locking(_SCENE), locking(_SCENE, skip_locked=True)
_SEATS = (
    select(SeatRow)
    .where(SeatRow.campaign_id == bindparam("campaign"), SeatRow.scene_id == bindparam("scene"))
    .order_by(SeatRow.position)
)


class NoScene(NotThere):
    """There is no such scene in this campaign."""

    def __init__(self) -> None:
        super().__init__("There is no such scene in this campaign.", "Your campaign's page lists its scenes.")


class OldRules(Refusal):
    """The scene needs a version of its rules that this program can no longer continue."""


@dataclass(slots=True)
class LoadedScene:
    """One scene, locked or only read, with its state."""

    row: Scene
    campaign: uuid.UUID
    id: uuid.UUID
    seats: list[SeatRow]
    ruleset: Ruleset[Any, Any]
    kind: SceneKind[Any, Any, Any, Any, Any, Any]
    vault: Vault
    state: Any
    now: datetime  # the database's clock when the lock was asked for: the moment a seal arrives
    touched: set[str] = field(default_factory=set)  # seats with something new to look at; "" for all members
    touched_by_seal: set[str] = field(default_factory=set)  # like `touched`, where the only news is a seal
    touched_gms: bool = False  # GMs have something new to look at, with or without a seat
    numbers: dict[int, int] = field(default_factory=dict)  # public numbers of events made under this lock, by number
    deferred: list[Callable[[], None]] | None = None  # see `defer_public_write`
    ended: bool = False  # the rules ended it under this lock
    held_up: bool = False  # the calendar paused it under this lock: its next leg has to wait
    deadline: datetime | None = None  # of the last step with a fixed one that closed under this lock
    _setup: Setup[Any, Any] | None = field(default=None)

    @property
    def place(self) -> str:
        """The place that this scene's boxes are bound to when they are encrypted."""
        return f"{self.campaign}/{self.id}"

    @property
    def sealed_in(self) -> str:
        """The campaign's id in hashes: in a copy of a campaign still the id that the scene was made with."""
        return str(self.row.made_in or self.campaign)

    @property
    def order(self) -> list[Seat]:
        return [Seat(seat.seat) for seat in self.seats]

    def viewer(self, *seats: Seat) -> Viewer:
        return Viewer(seats=frozenset(seats), gm=GM in seats)

    def setup(self) -> Setup[Any, Any]:
        if self._setup is None:
            self._setup = read_setup(self.ruleset, self.vault.decrypt(self.row.setup, f"{self.place}/setup"))
        return self._setup

    def touch(self, step: Step) -> None:
        """Marks the seats that may know of this step as having something new to look at."""
        for ask in step.asks:
            self.touched |= _told(ask.known_to)

    def touch_seal(self, step: Step) -> None:
        """Marks the seats that may know of this step as having a seal to look at, and nothing else."""
        for ask in step.asks:
            self.touched_by_seal |= _told(ask.known_to)

    def touch_hidden_seal(self, step: Step, seat: str) -> None:
        """Marks those who may notice a seal where a campaign shows nothing of it to the others: the seat itself, seats
        that read it before it opens, and GMs who may know of the ask."""
        ask = ask_of(step, seat)
        if ask is None or ask.open_to is None:
            self.touch_seal(step)
            return
        self.touched |= ask.open_to
        self.touch_asked(step, (seat,))

    def touch_asked(self, step: Step, seats: Collection[str]) -> None:
        """Marks these seats of a step, and the GMs who may know of their asks, as having something new to look at."""
        self.touched |= set(seats)
        if any(ask.seat in seats and (ask.known_to is None or GM in ask.known_to) for ask in step.asks):
            self.touched.add(GM)
            self.touched_gms = True

    def defer_public_write(self, write: Callable[[], None]) -> None:
        """Writes something that was secret until now. While a step closes, the write waits until the rules can no
        longer fail: the writes of a stuck step are rolled back, but may remain in the Postgres server's log."""
        if self.deferred is None:
            write()
        else:
            self.deferred.append(write)

    def put_state(self) -> None:
        """Encrypts the state into the row."""
        self.row.state = self.vault.encrypt(self.kind.state.dump_json(self.state), f"{self.place}/state")


def _told(audience: Audience) -> set[str]:
    return {""} if audience is None else set(audience)


async def lock(
    session: AsyncSession, vault: Vault, campaign: uuid.UUID, scene: uuid.UUID, *, skip_locked: bool = False
) -> LoadedScene | None:
    """Locks the scene's row and decodes it. Raises NoScene where there is none; with `skip_locked`, returns None for a
    missing or locked row instead."""
    query = _LOCKED_UNLESS_HELD if skip_locked else _LOCKED
    found = (await session.execute(query, {"campaign": campaign, "scene": scene})).one_or_none()
    if found is None:
        if skip_locked:
            return None
        raise NoScene()
    return await _decode(session, vault, found[0], found[1])


async def read(session: AsyncSession, vault: Vault, campaign: uuid.UUID, scene: uuid.UUID) -> LoadedScene:
    """Like `lock`, but without locking the row; for pages."""
    found = (await session.execute(_SCENE, {"campaign": campaign, "scene": scene})).one_or_none()
    if found is None:
        raise NoScene()
    return await _decode(session, vault, found[0], found[1])


async def _decode(session: AsyncSession, vault: Vault, row: Scene, now: datetime) -> LoadedScene:
    seats = await session.scalars(_SEATS, {"campaign": row.campaign_id, "scene": row.id})
    ruleset, kind = find_kind(row.ruleset, row.kind)
    live = LoadedScene(
        row=row,
        campaign=row.campaign_id,
        id=row.id,
        seats=list(seats),
        ruleset=ruleset,
        kind=kind,
        vault=vault,
        state=None,
        now=now,
    )
    live.state = await _state(session, live)
    return live


async def read_again(session: AsyncSession, live: LoadedScene) -> None:
    """Reads row and state of a locked scene again, after its transaction was rolled back to a savepoint."""
    await session.refresh(live.row)
    live.numbers.clear()
    live.state = await _state(session, live)


async def _state(session: AsyncSession, live: LoadedScene) -> Any:
    row, ruleset, version = live.row, live.ruleset, live.ruleset.version_of(live.kind)
    if row.rules_version == version:
        return live.kind.state.validate_json(live.vault.decrypt(row.state, f"{live.place}/state"))
    if ruleset.continues(live.kind, row.rules_version):
        return await _refold(session, live)
    raise OldRules(
        f"This scene was opened with version {row.rules_version} of {ruleset.title}; this server has "
        f"{version} and cannot continue it.",
        "The people who run this server can restore the older version.",
    )


async def _refold(session: AsyncSession, live: LoadedScene) -> Any:
    """Returns the state that the current rules fold from the whole log of an older scene."""
    rows = await session.scalars(
        select(EventRow)
        .where(EventRow.campaign_id == live.campaign, EventRow.scene_id == live.id)
        .order_by(EventRow.number)
    )
    return fold(live.kind.start(live.setup()), live.kind.apply, [read_event(live, row) for row in rows])


def read_event(live: LoadedScene, row: EventRow) -> LoggedEvent[Any]:
    """Returns an event as the ruleset's value, from its open body or its box."""
    if row.body is not None:
        event = live.kind.event.validate_python(row.body)
    else:
        assert row.box is not None
        event = live.kind.event.validate_json(live.vault.decrypt(row.box, f"{live.place}/event/{row.number}"))
    return LoggedEvent(number=row.number, rule=row.rule, because=tuple(row.because), event=event)


def box_place(live: LoadedScene, step_key: str, seat: str, revision: int) -> str:
    return f"{live.place}/envelope/{step_key}/{seat}/{revision}"


def open_box(live: LoadedScene, envelope: Envelope) -> tuple[bytes, str]:
    """Returns salt and words of an envelope, from its box or as they were published."""
    if envelope.box is None:
        assert envelope.opened is not None
        return bytes.fromhex(envelope.opened["salt"]), envelope.opened["words"]
    place = box_place(live, envelope.step_key, envelope.seat, envelope.revision)
    raw = json.loads(live.vault.decrypt(envelope.box, place))
    return bytes.fromhex(raw["salt"]), raw["words"]


def read_words(live: LoadedScene, ask: Ask, text: str) -> Any:
    """Returns the declaration of these words; raises pydantic's ValidationError (a ValueError) where there is none."""
    form = form_text.unflatten(form_text.read(text))
    return live.kind.declaration.validate_python({**form, "ask": ask.kind})


def knows(audience: Audience, viewer: Viewer) -> bool:
    """Whether a viewer belongs to an audience; the audience None includes every viewer."""
    return audience is None or bool(audience & viewer.seats)


def public(step: Step) -> bool:
    """Whether every viewer may know that this step exists; the closing of any other step opens no link of luck."""
    return all(ask.known_to is None for ask in step.asks)


def ask_of(step: Step, seat: str) -> Ask | None:
    return next((ask for ask in step.asks if ask.seat == seat), None)
