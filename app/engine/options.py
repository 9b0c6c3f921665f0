"""Options: what may be chosen in each field of a form, as one list for the form, its check and its default.

    Options = {"to": (Choice("3,1", "3 m north"), Choice("9,9", "the wall", why_not="It is too far: you can go 4 m."))}

A field of a form within a form has a dotted name, "of.ann.weapon". A field whose value is a tuple takes any number of
its choices, all others take one.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

F = TypeVar("F", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that a field can have. `key` is what the form sends, "" for a choice like "nobody"."""

    key: str
    words: str
    piece: str = ""  # the `data-piece` on the board that chooses it
    why_not: str = ""  # why it cannot be chosen now; "": it can


Options = Mapping[str, tuple[Choice, ...]]
"""Field -> its choices, those that cannot be chosen included."""


def faults(options: Options, says: BaseModel) -> dict[str, str]:
    """What is wrong with a form by its options: a value that is not offered, or not possible now."""
    found: dict[str, str] = {}
    for name, choices in options.items():
        why_not = {one.key: one.why_not for one in choices}
        for value in _values(says, name):
            if value not in why_not:
                found[name] = "Choose one of the options."
            elif why_not[value]:
                found[name] = why_not[value]
    for name, keys in _maps(options):
        for key in _value(says, name) or ():
            if key not in keys:
                found[f"{name}.{key[:60]}"] = "There is nothing to choose for that one."
    return found


def first(form: type[F], options: Options) -> F:
    """The form with the first possible choice in each field, and its own defaults in all others.

    A field that takes several choices keeps its default. Raises ValueError if a field has no possible choice.
    """
    return _filled(form, options, lambda _, possible: possible[0])


def drawn(form: type[F], options: Options, pick: Callable[[tuple[str, ...]], str]) -> F:
    """The form with a possible choice in each field, by `pick`: what laws draw, or an opponent that does not think.

    Of a field that takes several choices, each is picked or left out.
    """
    return _filled(form, options, lambda _, possible: pick(possible), several=pick)


def words(options: Options, says: BaseModel) -> tuple[str, ...]:
    """The words of what a form chooses, field by field."""
    of = {(name, one.key): one.words for name, choices in options.items() for one in choices}
    return tuple(of[name, value] for name in options for value in _values(says, name) if (name, value) in of)


def _filled(
    form: type[F],
    options: Options,
    choose: Callable[[str, tuple[str, ...]], str],
    several: Callable[[tuple[str, ...]], str] | None = None,
) -> F:
    typed: dict[str, Any] = {}
    usual = form()
    for name, choices in options.items():
        possible = tuple(one.key for one in choices if not one.why_not)
        if isinstance(_value(usual, name), tuple):
            if several is not None:
                _put(typed, name, [key for key in possible if several(("", key))])
        elif possible:
            _put(typed, name, choose(name, possible))
        else:
            raise ValueError(f"{form.__name__} has nothing to choose for {name!r}")
    return form.model_validate(typed)


def _put(typed: dict[str, Any], name: str, value: Any) -> None:
    *path, last = name.split(".")
    for part in path:
        typed = typed.setdefault(part, {})
    typed[last] = value


def _values(says: BaseModel, name: str) -> Iterator[str]:
    value = _value(says, name)
    if isinstance(value, tuple):
        yield from map(str, value)
    elif value is not None:
        yield str(value)


def _value(says: Any, name: str) -> Any:
    """The value of a dotted field; None if the form has no such part."""
    for part in name.split("."):
        says = says.get(part) if isinstance(says, Mapping) else getattr(says, part, None)
    return says


def _maps(options: Options) -> Iterator[tuple[str, frozenset[str]]]:
    """The fields that hold forms by key, "of" for "of.ann.weapon", with the keys that have options."""
    heads = {name.split(".")[0] for name in options if "." in name}
    for head in sorted(heads):
        yield head, frozenset(name.split(".")[1] for name in options if name.startswith(f"{head}."))
