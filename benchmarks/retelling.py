"""The floor of a ruleset: merely making and folding the very events that its rules have told."""

import contextlib
import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from app.engine.chance import Roll
from app.engine.ruleset import Told
from app.engine.tale import Telling

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


def taken_apart(told: Iterable[Told[Any]], makers: Mapping[type, Callable[..., Any]] | None = None) -> list[Made]:
    """Events as what it takes to tell them again; `makers` make those whose rolls are to be made anew too."""
    return [_apart(one, makers or {}) for one in told]


def _apart(told: Told[Any], makers: Mapping[type, Callable[..., Any]]) -> Made:
    make: type = type(told.event)
    values = [getattr(told.event, field.name) for field in fields(make)]
    if make in makers:
        values = [(value.label, value.size, value.face) if isinstance(value, Roll) else value for value in values]
    return makers.get(make, make), tuple(values), told.rule, told.because


def replay(log: Iterable[Made], tale: Telling[Any, Any]) -> None:
    """Make each event and fold it, and nothing else."""
    for make, values, rule, because in log:
        tale.tell(make(*values), rule=rule, because=because)
