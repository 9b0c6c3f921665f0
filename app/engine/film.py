"""A film: what one viewer sees of some events, told beat by beat on the board.

Beats are worked out from the events that a viewer sees and from that viewer's views. They are never stored.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal, Protocol

from app.engine.frozen import frozen

LOOK_ON = "You can still talk, and you will see how it ends."


@frozen(kw_only=True)
class Mark:
    """A word or number that rises over a piece of the board: "−4"."""

    piece: str  # its `data-piece` on the board
    text: str
    tone: Literal["hurt", "good", "plain"] = "plain"


def gain(piece: str, amount: int) -> Mark:
    """Returns the mark for a gain, or for a loss below 0."""
    return Mark(piece=piece, text=f"{amount:+d}".replace("-", "−"), tone="good" if amount > 0 else "hurt")


Moment = Literal["falls", "dies", "routs", "wins", "over"]


@frozen(kw_only=True)
class Card:
    """A great moment on a card of its own: a fall, a death, a rout, a win."""

    what: Moment
    title: str  # "Alice goes down"
    event: int  # the number of the event that "Why?" explains
    piece: str = ""  # the `data-piece` of the one it is about
    mine: bool = False  # whether the viewer plays that one
    then: str = ""  # what that one's player can still do, in a sentence


Fate = tuple[Moment, str, str]
"""What befalls somebody: the kind of card, a verb for its title, and what their player can still do."""


def fate_card(fate: Fate, name: str, piece: str, event: int, *, mine: bool) -> Card:
    """Returns the card of a fate; what can still be done is on it only for the player whom it befalls."""
    what, verb, then = fate
    return Card(what=what, title=f"{name} {verb}", event=event, piece=piece, mine=mine, then=then if mine else "")


@frozen(kw_only=True)
class Beat:
    """Some consecutive events that are shown at once, in the book's words for that part of a step."""

    title: str  # "Clash"
    events: tuple[int, ...]  # their numbers, among those that the viewer sees
    marks: tuple[Mark, ...] = ()
    cards: tuple[Card, ...] = ()
    draw: tuple[Mapping[str, Any], ...] = ()  # what a script of the game draws over its board, as JSON


class NumberedEvent(Protocol):
    """An event with its number."""

    @property
    def number(self) -> int: ...

    @property
    def event(self) -> Any: ...


def grouped(events: Iterable[NumberedEvent], title_of: Callable[[Any], str | tuple[str, str]]) -> list[Beat]:
    """Returns a beat for each run of events with the same title; "" belongs to the beat before it.

    `title_of` returns the title for an event, or a title and what tells two beats of the same title apart.
    """
    beats: list[tuple[Any, list[int]]] = []
    for told in events:
        title = title_of(told.event)
        if beats and (not title or title == beats[-1][0]):
            beats[-1][1].append(told.number)
        else:
            beats.append((title, [told.number]))
    return [Beat(title=t if isinstance(t, str) else t[0], events=tuple(numbers)) for t, numbers in beats]


def with_cues(
    beats: Sequence[Beat],
    marks: Iterable[tuple[int, Mark]] = (),
    cards: Iterable[Card] = (),
) -> tuple[Beat, ...]:
    """Returns the beats, each with the marks and the cards of its events."""
    at: dict[int, list[Mark]] = {}
    for number, mark in marks:
        at.setdefault(number, []).append(mark)
    of: dict[int, list[Card]] = {}
    for card in cards:
        of.setdefault(card.event, []).append(card)
    return tuple(
        replace(
            beat,
            marks=(*beat.marks, *(mark for number in beat.events for mark in at.get(number, ()))),
            cards=(*beat.cards, *(card for number in beat.events for card in of.get(number, ()))),
        )
        for beat in beats
    )


def at_most(beats: Sequence[Beat], most: int) -> tuple[Beat, ...]:
    """Returns no more than so many beats: the neighbours with the fewest events become one."""
    found = list(beats)
    while len(found) > max(1, most):
        sizes = [len(one.events) + len(two.events) for one, two in pairwise(found)]
        place = sizes.index(min(sizes))
        one, two = found[place : place + 2]
        title = one.title if one.title == two.title else f"{one.title}, {two.title[:1].lower()}{two.title[1:]}"
        found[place : place + 2] = [
            Beat(
                title=title if len(title) < 60 else one.title,
                events=one.events + two.events,
                marks=one.marks + two.marks,
                cards=one.cards + two.cards,
                draw=one.draw + two.draw,
            )
        ]
    return tuple(found)
