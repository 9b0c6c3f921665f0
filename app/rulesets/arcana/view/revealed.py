"""The revealed declarations of a cycle and the results of their if-thens, from one viewer's log (ARC-07).

The state forgets both when a cycle ends, the log does not; so the cards stay on the page until the next reveal.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from app.engine.ifthen import Verdict
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import Turn, kept
from app.rulesets.arcana.rules.grid import Cell


class Seen(Protocol):
    """An event of a viewer's log, with its number there."""

    @property
    def number(self) -> int: ...

    @property
    def event(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class Opened:
    """One combatant's revealed declaration; `number` is its event, `judged` that of its if-then, or 0."""

    who: str
    number: int
    turn: Turn
    how: str
    card: Verdict | None = None
    time: str = ""
    judged: int = 0
    over: bool = False  # the cycle is over: no more results will follow
    start: Cell | None = None  # the place at which the cycle began, if a movement told of it

    @property
    def plain(self) -> Turn:
        """The declaration without its conditional actions."""
        acts = tuple(act for act in self.turn.plain() if act is not self.turn.extra)
        major = self.turn.major if self.turn.major in acts else None
        return self.turn.model_copy(
            update={"when": None, "major": major, "minors": acts if major is None else ()},
        )

    @property
    def says(self) -> bool:
        """Whether anything is declared besides the if-then."""
        free = self.turn.free
        return bool(self.turn.plain() or free.step or free.face or free.emerge or free.back) or self.turn.when is None


def opened(chapters: Sequence[Iterable[Seen]]) -> tuple[Opened, ...]:
    """Returns the declarations of the newest revealed cycle, in the order of the reveal; () before the first.

    `chapters` are the events of each closed step, oldest first. A cycle's reveal is in one of them, its results in that
    one and the following.
    """
    newest = next((n for n in range(len(chapters) - 1, -1, -1) if _reveals(chapters[n])), None)
    if newest is None:
        return ()
    found: dict[str, Opened] = {}
    for chapter in chapters[newest:]:
        for seen in chapter:
            _note(found, seen)
    return tuple(found.values())


def _reveals(chapter: Iterable[Seen]) -> bool:
    return any(isinstance(seen.event, ev.Revealed) for seen in chapter)


def _note(found: dict[str, Opened], seen: Seen) -> None:
    match seen.event:
        case ev.Revealed(who=who, turn=turn, how=how):
            found[who] = Opened(who, seen.number, turn, how)
        case ev.Kept(who=who) if who in found:
            found[who] = replace(found[who], turn=kept(found[who].turn, seen.event.react, seen.event.words))
        case ev.Moved(who=who, start=start) if who in found and found[who].start is None:
            found[who] = replace(found[who], start=start)
        case ev.Judged(who=who, card=card, time=time) if who in found:
            found[who] = replace(found[who], card=card, time=time, judged=seen.number)
        case ev.Ticked():
            for who, one in found.items():
                found[who] = replace(one, over=True)
        case _:
            pass
