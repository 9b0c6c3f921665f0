"""What others' seals change on a scene's page, as one member may know it: the open steps and who has sealed.

Read with the page's version in one statement, without the scene's state and log: after a seal the page of everybody at
the table asks for it.
"""

import functools
from datetime import datetime
from typing import Any

from app.campaign import sealing_shows
from app.engine.ruleset import Ask, SceneKind, Seat, Step, Viewer
from app.engine.wording import call_of, title_of
from app.models.people import Role
from app.receipts.setup import STEP
from app.rulesets import find
from app.table.loaded_scene import knows
from app.table.page_version import Reader, SceneVersion
from app.table.reading import without_names
from app.table.scene_sight import AskSight, SceneSight, SeatSight, StepSight, answered_by

AnyKind = SceneKind[Any, Any, Any, Any, Any, Any]


def open_steps(reader: Reader, found: SceneVersion) -> SceneSight:
    """Returns the scene with its open and stuck steps, from what `version_and_seals` has found: without its view and
    log, words, ranks and what is read early, and with nothing of its seats but names and roles."""
    row = found.row
    mine = frozenset(Seat(seat) for seat in row.mine or ())
    is_gm = row.role == Role.GM
    viewer = Viewer(seats=mine, gm=is_gm)
    shows = "names" if is_gm else sealing_shows.chosen({sealing_shows.SETTING: row.shows})
    seats = {
        one["seat"]: SeatSight(
            one["seat"], one["name"], one["role"], (), (), one["seat"] in mine, answered_by(one["only_gms"])
        )
        for one in row.seats
    }
    kind = find(row.ruleset).kind(row.kind)
    steps = [_step(found, seats, viewer, kind) for found in row.steps or ()]
    return SceneSight(
        id=reader.scene,
        sealed_in="",
        title="",
        ruleset=find(row.ruleset),
        kind=row.kind,
        settings={},
        status=row.status,
        paused=row.paused,
        stopped=row.stopped,
        paused_until=row.paused_until,
        is_gm=is_gm,
        viewer=viewer,
        now=row.now,
        made_at=row.now,
        ended_at=None,
        head=None,
        seats=tuple(seats.values()),
        view=None,
        steps=tuple(without_names(step, shows) for step in steps if step is not None),
        chapters=(),
        lines=(),
        seals_apart=True,
    )


@functools.lru_cache(maxsize=1000)
def _read(spec: str) -> Step:
    """A step's spec is frozen, and everybody at the table asks for the same ones."""
    return STEP.validate_json(spec)


def _step(found: dict[str, Any], seats: dict[str, SeatSight], viewer: Viewer, kind: AnyKind) -> StepSight | None:
    step = _read(found["spec"])
    known = [ask for ask in step.asks if knows(ask.known_to, viewer)]
    if step.asks and not known:
        return None
    return StepSight(
        key=step.key,
        title=title_of(kind, step.key, step.title),
        pace=step.pace,
        status=found["status"],
        due_at=datetime.fromisoformat(found["due_at"]) if found["due_at"] else None,
        left_seconds=found["left_seconds"],
        seconds=found["seconds"],
        held=found["held"],
        quiet=found["quiet"],
        closed_at=None,
        closed_by=None,
        ranked=step.ranked,
        asks=tuple(_ask(ask, found, seats[ask.seat], viewer, kind) for ask in known),
    )


def _ask(ask: Ask, found: dict[str, Any], seat: SeatSight, viewer: Viewer, kind: AnyKind) -> AskSight:
    status, awaited, nudged = found["asks"][ask.seat]
    return AskSight(
        seat=ask.seat,
        name=seat.name,
        role=seat.role,
        kind=ask.kind,
        call=call_of(kind, ask.kind, ask.call, seat.name),
        about=ask.about,
        awaited=awaited,
        answered_by=seat.answered_by,
        nudged_at=datetime.fromisoformat(nudged) if nudged else None,
        status=status,
        commitment=(found["seals"] or {}).get(ask.seat),
        rank=None,
        how=None,
        is_mine=seat.is_mine,
        first_stands=ask.first_stands,
        reads_early=knows(ask.open_to, viewer),
    )
