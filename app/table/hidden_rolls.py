"""Dice that a GM rolls in secret: only GMs read a roll until one of them shows it or the scene is over.

A roll is an entry of the scene's record (app/table/recording.py): its hash at once, for everybody, with the roll itself
encrypted beside it. So it is made once, has a number, and cannot be changed or taken back. Its luck comes from the
scene's secret, the players' salts so far and its number (app/receipts/luck.py).
"""

import json
import secrets
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import names
from app.crypto.vault import Vault
from app.engine import dice
from app.errors import Conflict, NotThere, Unfit
from app.models.people import Member
from app.models.scenes import SECRET_ROLLS, RecordRow
from app.receipts import luck
from app.receipts.secret_rolls import Rolled, make, read
from app.table import recording
from app.table.gm_actions import must_run, notice
from app.table.loaded_scene import LoadedScene

MOST_PURPOSE, MOST_FORMULA = 200, 100  # characters
LAST = 5  # the rolls on a scene's page and on the desk

_ROLLS = (
    select(RecordRow.number, RecordRow.text, RecordRow.box)
    .where(
        RecordRow.campaign_id == bindparam("campaign"),
        RecordRow.scene_id == bindparam("scene"),
        sql(SECRET_ROLLS),
    )
    .order_by(RecordRow.number)
)


@dataclass(frozen=True, slots=True)
class HiddenRoll:
    """A GM's roll as one reader may know it: `roll` is None for whoever may not read it yet."""

    number: int  # in its scene, from 1
    by: str  # the GM's name at the time
    at: datetime
    shown: bool  # to everybody, before the end
    roll: Rolled | None


@dataclass(frozen=True, slots=True)
class _StoredRoll:
    """A roll in the record: the number of its entry, and its box."""

    record: int
    box: bytes


async def roll(session: AsyncSession, live: LoadedScene, who: Member, purpose: str, formula: str, seen: int) -> int:
    """Rolls in secret in a locked scene and returns the roll's number. `seen`: how many rolls the GM's page had.

    Raises Unfit for a purpose or a formula that cannot be taken, and Conflict for a scene that is over or without a
    record, and where another roll came first: a press that arrives twice must not roll twice.
    """
    must_run(live)
    if live.row.head is None:
        raise Conflict("This scene was opened before Signet kept records, so a secret roll could never be checked.")
    purpose, throw = _purpose(purpose), _throw(formula)
    number = 1 + len((await _record(session, live.campaign, live.id))[0])
    if seen != number - 1:
        raise Conflict(
            f"Secret roll {number - 1} was made in the meantime, so nothing was rolled now.",
            "Look at the list first, then roll again if you still need to.",
        )
    root = live.vault.decrypt(live.row.root, f"{live.place}/root")
    seed = luck.rolled_seed(root, number, live.row.thread)
    text = make(seed, number, purpose, throw, secrets.token_bytes(32))
    recording.roll_made(session, live, number, text, {"by": who.name, "at": live.now.isoformat()})
    notice(session, live, who, f"{who.name} rolled in secret (roll {number}).")
    return number


async def show(session: AsyncSession, live: LoadedScene, who: Member, number: int) -> None:
    """Shows a roll to everybody. Raises NotThere where there is none, Conflict if everybody may read it already. The
    scene must be locked."""
    must_run(live)
    made, shown = await _record(session, live.campaign, live.id)
    if number not in made:
        raise NotThere("There is no secret roll with this number in this scene.")
    if number in shown:
        raise Conflict(f"Roll {number} is already shown to everyone.")
    text: str = _opened(live.vault, live.campaign, live.id, made[number])["roll"]
    recording.roll_shown(session, live, number, text)
    notice(session, live, who, f"{who.name} showed secret roll {number}, {read(text).said}.")


async def visible_rolls(
    session: AsyncSession,
    vault: Vault,
    campaign: uuid.UUID,
    scene: uuid.UUID,
    *,
    everything: bool,
    most: int | None = None,
) -> tuple[HiddenRoll, ...]:
    """Returns the last rolls of a scene, the newest first. `everything`: the reader is a GM, or the scene is over;
    without it only shown rolls are read."""
    made, shown = await _record(session, campaign, scene)
    found = []
    for number in sorted(made, reverse=True)[:most]:
        of = _opened(vault, campaign, scene, made[number])
        may = everything or number in shown
        at = datetime.fromisoformat(of["at"])
        found.append(HiddenRoll(number, of["by"], at, number in shown, read(of["roll"]) if may else None))
    return tuple(found)


async def last(session: AsyncSession, vault: Vault, campaign: uuid.UUID, scene: uuid.UUID) -> tuple[HiddenRoll, ...]:
    """Returns the last rolls of a scene for a GM, or of one that is over for everybody."""
    return await visible_rolls(session, vault, campaign, scene, everything=True, most=LAST)


async def _record(
    session: AsyncSession, campaign: uuid.UUID, scene: uuid.UUID
) -> tuple[dict[int, _StoredRoll], set[int]]:
    """Returns the rolls of a scene by number, and the numbers of those that were shown."""
    made: dict[int, _StoredRoll] = {}
    shown: set[int] = set()
    for record, text, box in await session.execute(_ROLLS, {"campaign": campaign, "scene": scene}):
        number: int = json.loads(text or "")["n"]
        if box is None:
            shown.add(number)
        else:
            made[number] = _StoredRoll(record, box)
    return made, shown


def _opened(vault: Vault, campaign: uuid.UUID, scene: uuid.UUID, made: _StoredRoll) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(vault.decrypt(made.box, f"{campaign}/{scene}/record/{made.record}"))
    return found


def _purpose(typed: str) -> str:
    words = " ".join(typed.split())
    if not words:
        raise Unfit("Say what the roll is for.", field="purpose")
    if len(words) > MOST_PURPOSE:
        raise Unfit(f"That is {len(words)} characters; the limit is {MOST_PURPOSE}.", field="purpose")
    try:
        return names.prose(words)
    except ValueError as wrong:
        raise Unfit(str(wrong), field="purpose") from None


def _throw(typed: str) -> dice.Throw:
    if not typed.strip():
        raise Unfit("Write which dice to roll, like d20 or 2d10+3.", field="formula")
    if len(typed) > MOST_FORMULA:
        raise Unfit(f"That is {len(typed)} characters; the limit is {MOST_FORMULA}.", field="formula")
    try:
        return dice.read(typed)
    except ValueError as wrong:
        raise Unfit(str(wrong), field="formula") from None
