"""What a kind of scene says for the GM's desk: suggestions, everybody's health, and foes in mid-scene."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

V = TypeVar("V")  # a view: what one viewer may know now

Form = Mapping[str, Any]
"""The values of a form by field, nested, as app/engine/form_text.py flattens them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestion:
    """The declaration that an ask's form is filled in with, where a GM may seal it unread."""

    form: Form
    lines: tuple[str, ...]  # for each fighter a sentence without a full stop: "Sword goblin attacks Alice"


@dataclass(frozen=True, kw_only=True, slots=True)
class Vital:
    """How one fighter is, as a viewer may know it; for lists that show everybody at a glance."""

    key: str
    name: str
    health: str  # in words or numbers: "8 of 15 HP", "unhurt", "Major wound: left arm"
    conditions: tuple[str, ...] = ()
    able: bool = True  # takes part, and can still act
    gone: bool = False  # has left for good
    hidden: bool = False  # not known to everybody
    foe: bool = False  # the GM's
    character: str = ""  # the campaign's character, by its slug; "" for a foe of this scene


@dataclass(frozen=True, kw_only=True, slots=True)
class Foes(Generic[V]):
    """What a GM does with foes in mid-scene. `join` and `copy` return forms of the GM's optional step (an ask of kind
    "desk"), which are sealed one after the other; that step also takes the forms of `out`, and those of `sight` where a
    foe can be hidden. Foes have the keys of `vitals`, V is the GM's view.
    """

    book: Callable[[V], Mapping[str, Any]]  # the kinds to bring in, by key
    join: Callable[[V, Sequence[Mapping[str, str]]], tuple[Form, ...]]
    """The groups of a picker, as app/engine/muster.py reads them; raises ValueError, in words."""
    copy: Callable[[V, str], Form | None]  # one more of that foe's kind; None: its kind is not in the book
    keep: Callable[[V, str], Any]  # a sheet of the ruleset's type
    hides: bool = False  # whether a foe can be hidden
    card: str = "foes.html"  # the template with `figures` of a kind, and the `choices` of a group
    most: int = 20  # of a group


def out(key: str, reason: str) -> Form:
    """The form by which a foe takes no more part, for a reason that everybody reads."""
    return {"what": "out", "who": key, "reason": reason}


def sight(key: str, *, seen: bool) -> Form:
    """The form that brings a foe into sight, or hides it."""
    return {"what": "show" if seen else "hide", "who": key}
