"""Whether a scene in the database is whole: its log, its state, and each step wholly open or wholly closed."""

import uuid

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.crypto.vault import Vault
from app.engine.log import fold
from app.models.scenes import AskRow, Envelope, EventRow, StepRow
from app.receipts.setup import STEP
from app.table import loaded_scene


async def check_scene(session: AsyncSession, vault: Vault, campaign: uuid.UUID, scene: uuid.UUID) -> list[StepRow]:
    """Fails where the scene is neither wholly before a reveal nor wholly after it; returns its steps."""
    # One look at one moment: else a reveal that is committed between two of these questions looks half done.
    await session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
    held = await loaded_scene.read(session, vault, campaign, scene)
    here = {"campaign_id": campaign, "scene_id": scene}
    steps = list(await session.scalars(select(StepRow).filter_by(**here).order_by(StepRow.position)))
    asks = list(await session.scalars(select(AskRow).filter_by(**here)))
    laid = list(await session.scalars(select(Envelope).filter_by(**here).order_by(Envelope.revision)))
    log = list(await session.scalars(select(EventRow).filter_by(**here).order_by(EventRow.number)))
    _log_is_whole(held, steps, log)
    _state_is_the_fold(held, log)
    for step in steps:
        _all_or_nothing(step, [ask for ask in asks if ask.step_key == step.key], laid)
    return steps


def _log_is_whole(held: loaded_scene.LoadedScene, steps: list[StepRow], log: list[EventRow]) -> None:
    numbers = [event.number for event in log]
    assert numbers == list(range(1, len(log) + 1)), "the log has a gap"
    assert held.row.last_event == len(log), "the scene counts other events than the log has"
    closed = {step.key: step for step in steps if step.status == "closed"}
    assert {event.step_key for event in log} <= {*closed, ""}, "events of a step that is not closed"
    for key, step in closed.items():
        of = [event.number for event in log if event.step_key == key]
        if step.first_event is not None and step.last_event is not None:
            assert of == list(range(step.first_event, step.last_event + 1)), f"{key} lost or doubled an event"
        else:
            assert of == [], f"{key} has events that it does not know of"


def _state_is_the_fold(held: loaded_scene.LoadedScene, log: list[EventRow]) -> None:
    again = fold(held.kind.start(held.setup()), held.kind.apply, [loaded_scene.read_event(held, row) for row in log])
    assert held.kind.state.dump_json(again) == held.kind.state.dump_json(held.state), "the state is not the log's fold"


def _all_or_nothing(step: StepRow, asks: list[AskRow], laid: list[Envelope]) -> None:
    spec = STEP.validate_python(step.spec)
    for ask in asks:
        newest = max(
            (e for e in laid if (e.step_key, e.seat) == (step.key, ask.seat)), key=lambda e: e.revision, default=None
        )
        if step.status != "closed":
            assert ask.how is None, f"{step.key} is {step.status}, yet {ask.seat}'s answer was used"
            assert newest is None or newest.opened is None, f"{step.key} is {step.status} with an opened envelope"
            assert newest is None or newest.box is not None, "the newest envelope of an open step has no words"
            assert (newest is not None and newest.ready) == (ask.status == "ready")
            continue
        assert ask.how is not None, f"{step.key} is closed without {ask.seat}'s answer"
        asked = next(one for one in spec.asks if one.seat == ask.seat)
        if ask.how == "sealed" and asked.opens == "close" and asked.known_to is None:
            assert newest is not None and newest.opened is not None and newest.box is None, "closed, and not opened"
