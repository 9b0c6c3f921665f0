"""The floor of a ruleset: only making and folding the events that its rules made."""

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
    """Switches the garbage collector off within the block: its work depends on everything else that a process holds."""
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
    """Returns events taken apart, so that they can be made again; `makers` make those with rolls to make anew."""
    return [_apart(one, makers or {}) for one in told]


def _apart(told: LoggedEvent[Any], makers: Mapping[type, Callable[..., Any]]) -> Made:
    make: type = type(told.event)
    values = [getattr(told.event, field.name) for field in fields(make)]
    if make in makers:
        values = [(value.label, value.size, value.face) if isinstance(value, Roll) else value for value in values]
    return makers.get(make, make), tuple(values), told.rule, told.because


def replay(made: Iterable[Made], log: Recorder[Any, Any]) -> None:
    """Makes and folds each event, and nothing else."""
    for make, values, rule, because in made:
        log.emit(make(*values), rule=rule, because=because)
