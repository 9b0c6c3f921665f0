"""What a GM did to a step: held it, gave seals back, went on without seats. The record of its closing tells it
(docs/fairness.md), never an entry of its own: a head that moved would tell that somebody had sealed."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.models.scenes import AskRow, StepRow
from app.receipts.setup import STEP
from app.receipts.step_acts import Acts
from app.table.loaded_scene import LoadedScene, public


def hold(row: StepRow) -> None:
    row.held, row.acts = True, {**row.acts, "held": True}


def give_back(row: StepRow, seats: Sequence[str]) -> None:
    row.acts = {**row.acts, "back": [*row.acts.get("back", ()), *seats]}


def of_step(row: StepRow, asks: Sequence[AskRow], answered: Sequence[str]) -> Acts | None:
    """Returns what was done to a step that ends now; None: nothing. `answered`: the seats whose seals count."""
    without = sorted(ask.seat for ask in asks if ask.excused and ask.seat not in answered)
    acts = Acts(step=row.key, held=bool(row.acts.get("held")), back=sorted(row.acts.get("back", ())), without=without)
    return acts if acts.held or acts.back or acts.without else None


async def withdrawn(session: AsyncSession, live: LoadedScene, row: StepRow) -> None:
    """Keeps what was done to a step that the rules withdraw, until a closing tells it."""
    if acts := of_step(row, await _asks(session, live, row.key), ()):
        hidden = not public(STEP.validate_python(row.spec))
        live.row.untold = [*live.row.untold, {"hidden": hidden, **acts.model_dump()}]


async def at_the_end(session: AsyncSession, live: LoadedScene) -> tuple[list[Acts], list[Acts]]:
    """Returns what was done to public steps and to hidden ones that have not closed when the scene ends."""
    rows = await session.scalars(
        select(StepRow)
        .where(StepRow.campaign_id == live.campaign, StepRow.scene_id == live.id, StepRow.status.in_(("open", "stuck")))
        .order_by(StepRow.position)
    )
    for row in rows:
        await withdrawn(session, live, row)
    return take_untold(live, hidden=False), take_untold(live, hidden=True)


def take_untold(live: LoadedScene, *, hidden: bool) -> list[Acts]:
    """Returns what was done to withdrawn steps and nothing has told yet, and forgets it."""
    kept: list[dict[str, Any]] = live.row.untold
    live.row.untold = [one for one in kept if one["hidden"] != hidden]
    return [Acts.model_validate(one) for one in kept if one["hidden"] == hidden]


async def _asks(session: AsyncSession, live: LoadedScene, key: str) -> list[AskRow]:
    here = (AskRow.campaign_id == live.campaign, AskRow.scene_id == live.id, AskRow.step_key == key)
    return list(await session.scalars(select(AskRow).where(*here)))
