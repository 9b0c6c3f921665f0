"""Values that are made by the thousand in one closing: events, what is told of them, rolls of luck."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def frozen(*, kw_only: bool = False) -> Callable[[type[T]], type[T]]:
    """A frozen dataclass to the type checker, which sees every line of the rules; at run time nothing stands guard.

    The guard of `frozen=True` makes each new value cost three times as much, in a battle a third of the whole round.
    """

    def made(cls: type[T]) -> type[T]:
        return dataclass(slots=True, unsafe_hash=True, kw_only=kw_only)(cls)

    return made
