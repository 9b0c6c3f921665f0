"""The floor of a ruleset: merely making and folding the very events that its rules have told."""

import contextlib
import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from app.engine.chance import Roll
from app.engine.log import Recorder
from app.engine.ruleset import LoggedEvent

Made = tuple[Callable[..., Any], tuple[Any, ...], str, tuple[int, ...]]


@contextlib.contextmanager
def no_collector() -> Iterator[None]:
    """Without the garbage collector, for all sides alike: its work depends on everything else a process holds."""
    was = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def taken_apart(
    told: Iterable[LoggedEvent[Any]], makers: Mapping[type, Callable[..., Any]] | None = None
) -> list[Made]:
    """Events as what it takes to tell them again; `makers` make those whose rolls are to be made anew too."""
    return [_apart(one, makers or {}) for one in told]


def _apart(told: LoggedEvent[Any], makers: Mapping[type, Callable[..., Any]]) -> Made:
    make: type = type(told.event)
    values = [getattr(told.event, field.name) for field in fields(make)]
    if make in makers:
        values = [(value.label, value.size, value.face) if isinstance(value, Roll) else value for value in values]
    return makers.get(make, make), tuple(values), told.rule, told.because


def replay(made: Iterable[Made], log: Recorder[Any, Any]) -> None:
    """Make each event and fold it, and nothing else."""
    for make, values, rule, because in made:
        log.emit(make(*values), rule=rule, because=because)
