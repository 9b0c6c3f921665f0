"""What the rules suggest for a member's open asks, and the seal of all of it at once.

A suggestion is what the ask's form is filled in with. It is worked out anew whenever it is shown or sealed, and stored
nowhere before it is sealed.
"""

import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from app.engine import form_text
from app.engine.ruleset import Ask
from app.errors import Conflict
from app.models.people import Member
from app.table import envelopes
from app.table.envelopes import MOST_BYTES, Receipt, Submission
from app.table.history import Histories
from app.table.loaded_scene import LoadedScene
from app.table.reading import sight_of
from app.table.scene_sight import AskSight, SceneSight


@dataclass(frozen=True, slots=True)
class Suggested:
    """A suggestion for one ask: its words, and a line for each fighter."""

    step_key: str
    seat: str
    lines: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]


def suggested(live: LoadedScene, seen: SceneSight) -> tuple[Suggested, ...]:
    """Returns a suggestion for each of the viewer's asks that has one and is untouched: no seal and no draft."""
    asks = {(step.key, str(ask.seat)): ask for step in live.kind.steps(live.state) for ask in step.asks}
    found = (
        _of_ask(live, step.key, asks[step.key, one.seat])
        for step in seen.steps
        if step.status == "open" and step.pace != "whenever"
        for one in step.asks
        if _untouched(one) and (step.key, one.seat) in asks
    )
    return tuple(one for one in found if one is not None)


def mark(some: Sequence[Suggested]) -> str:
    """Returns a digest of what would be sealed, by which a press tells what its page showed."""
    text = json.dumps([[one.step_key, one.seat, one.pairs] for one in some], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


async def seal(
    session: AsyncSession, live: LoadedScene, member: Member, shown: str, histories: Histories
) -> list[Receipt]:
    """Seals all that is suggested for this member's asks, as the page with the mark `shown` listed it.

    The scene must be locked. Raises Conflict where nothing is suggested, and where the suggestions are other ones now;
    nothing is sealed then.
    """
    seen = await sight_of(session, live, member, histories=histories, choose=lambda rounds: (), talk=False)
    wanted = suggested(live, seen)
    if not wanted:
        mine = [ask for step in seen.steps for ask in step.asks if ask.is_mine and ask.awaited]
        if any(_untouched(ask) for ask in mine):
            raise Conflict("Nothing was sealed: this decision needs your own choice.")
        raise Conflict("Nothing was sealed: nothing here waits for a suggestion any more.")
    if mark(wanted) != shown:
        raise Conflict("Nothing was sealed: the situation has changed, and so have the suggestions. Look again.")
    receipts = []
    for one in wanted:
        again = next((ask for step in live.kind.steps(live.state) if step.key == one.step_key for ask in step.asks
                      if ask.seat == one.seat), None)  # fmt: skip
        if again is None or _of_ask(live, one.step_key, again) != one:
            raise Conflict("Nothing was sealed: one of these decisions changes another. Seal them one by one.")
        laid = Submission(one.step_key, one.seat, one.pairs, 0, uuid.uuid4(), ready=True)
        receipts.append(await envelopes.lay(session, live, member.id, laid))
    return receipts


def _untouched(ask: AskSight) -> bool:
    return ask.is_mine and ask.status == "waiting" and ask.mine is None


def _of_ask(live: LoadedScene, step_key: str, ask: Ask) -> Suggested | None:
    found = live.kind.suggest(live.kind.view(live.state, live.viewer(ask.seat)), ask)
    if found is None:
        return None
    pairs = form_text.flatten(found.form)
    if len(pairs) > form_text.MOST_FIELDS or len(form_text.spell(pairs).encode()) > MOST_BYTES:
        return None  # more than one envelope holds
    return Suggested(step_key, str(ask.seat), found.lines, tuple(pairs))
