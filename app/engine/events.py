"""Events as values: each class states its kind, and who sees it, where it is declared.

    @event("tested", seen=everyone)
    class Tested:
        who: str
        passed: bool

    @event("left", seen=unless_hidden)
    class Left:
        who: str
        hidden: bool = False

A class without `seen` fails when its module is imported, so that no event is shown because somebody forgot it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, dataclass_transform

from app.engine.ruleset import Viewer

T = TypeVar("T")

SeenBy = Callable[[Any, Viewer], bool]
"""An event and a viewer -> whether the event is for that viewer."""


def everyone(event: Any, viewer: Viewer) -> bool:
    """For all at the table, spectators included."""
    return True


def gms(event: Any, viewer: Viewer) -> bool:
    """For GMs only."""
    return viewer.gm


def unless_hidden(event: Any, viewer: Viewer) -> bool:
    """For all, unless the event's field `hidden` is true; then for GMs only."""
    return viewer.gm or not event.hidden


def where(**fields: object) -> SeenBy:
    """For all if these fields of the event have these values; else for GMs only."""
    wanted = tuple(fields.items())
    return lambda event, viewer: viewer.gm or all(getattr(event, name) == value for name, value in wanted)


@dataclass_transform(frozen_default=True)
def event(kind: str, *, seen: SeenBy) -> Callable[[type[T]], type[T]]:
    """Makes a class an event of that kind: a dataclass like `frozen`, with the tag `kind` as its last field.

    `seen` says who sees it; without it, the import of the module raises TypeError.
    """

    def made(cls: type[T]) -> type[T]:
        literal: Any = Literal
        cls.__annotations__ = {**cls.__annotations__, "kind": literal[kind]}
        setattr(cls, "kind", kind)  # noqa: B010  # the field's default; a type checker does not know of the field
        whole = dataclass(slots=True, unsafe_hash=True)(cls)
        setattr(whole, "seen", staticmethod(seen))  # noqa: B010
        return whole

    return made


def sees(event: Any, viewer: Viewer) -> bool:
    """Whether an event is for that viewer: `SceneKind.sees` of a kind all of whose events are made by `event`."""
    found: bool = event.seen(event, viewer)
    return found
