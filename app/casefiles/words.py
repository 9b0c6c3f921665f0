"""What a case file may name: kinds, fields and seats that the rules know. Whatever else stands there is a slip."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from app.engine.faults import explain

OF_TOLD = ("rule", "seen_by", "unseen_by", "follows")
"""What an expectation may say of an event besides its fields."""


def _spelt(event: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(event.get("kind", ""), str):
        raise ValueError("kind is the name of a kind of event")
    for key in ("seen_by", "unseen_by"):
        if not isinstance(event.get(key, []), list):
            raise ValueError(f"{key} is a list of seats")
    follows = event.get("follows", [])
    if not isinstance(follows, list) or not all(isinstance(one, dict) for one in follows):
        raise ValueError("follows is a list of events")
    for one in follows:
        _spelt(one)
    return event


Expected = Annotated[dict[str, Any], AfterValidator(_spelt)]
"""An event, as far as a case says anything of it."""

Kinds = Mapping[str, type]
"""The kinds of a union, and what each is made of."""


class Unusable(Exception):
    """The file is no case: its text says why."""


def names(thing: object) -> list[str]:
    """The fields of a value or a class of ours; of what is neither a dataclass nor a model, none."""
    if is_dataclass(thing):
        return [one.name for one in fields(thing)]
    cls = thing if isinstance(thing, type) else type(thing)
    return list(cls.model_fields) if issubclass(cls, BaseModel) else []


@dataclass(slots=True)
class Wrong:
    """All that is wrong with a file, gathered before anybody is told: what the rules do not know, what they refuse."""

    unknown: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def read(self, adapter: TypeAdapter[Any], raw: Any, where: str = "") -> Any:
        """As the adapter reads it, but a key that it would leave out of account is a fault; None if there is one."""
        try:
            return adapter.validate_python(raw, extra="forbid")
        except ValidationError as error:
            for fault in error.errors(include_url=False):
                told = self.unknown if fault["type"] == "extra_forbidden" else self.refused
                told.append(f"{where}{fault_text(fault, raw)}")
            return None

    def tell(self) -> None:
        """Raises Unusable if anything is wrong."""
        if self.unknown or self.refused:
            raise Unusable("\n".join([*self.unknown, *self.refused]))


def fault_text(fault: ErrorDetails, raw: Any) -> str:
    """A fault with its place, as the file names it: "foes.goblin.combat: At most 999."."""
    path: list[str] = []
    at = raw
    for part in fault["loc"]:
        inside = at[part] if isinstance(at, Mapping) and part in at else _nth(at, part)
        if inside is not None:
            path.append(_name(inside) if isinstance(part, int) and _name(inside) else str(part))
            at = inside
        elif part == fault["loc"][-1] and part != "[key]":  # between, it is a name of pydantic's own
            path.append(str(part))
    return f"{'.'.join(path)}: {in_words(fault)}".removeprefix(": ")


def in_words(fault: ErrorDetails) -> str:
    """As pages say it, with the choices and patterns that a form would show or keep to itself."""
    given, more = fault["input"], fault.get("ctx", {})
    match fault["type"]:
        case "literal_error" | "enum":
            return f"{given!r} is not one of {more['expected']}."
        case "string_pattern_mismatch":
            return f"{given!r} does not fit {more['pattern']}."
        case _:
            return explain(fault)


def _nth(at: Any, place: Any) -> Any:
    return at[place] if isinstance(at, Sequence) and isinstance(place, int) and place < len(at) else None


def _name(one: Any) -> str:
    found = [one[key] for key in ("key", "id", "name") if key in one] if isinstance(one, Mapping) else []
    return str(found[0]) if found else ""


def slips(where: str, events: Iterable[Expected], known: Kinds, seats: Collection[str]) -> Iterator[str]:
    """What no event of these kinds ever is, or has: an expectation of it would never, or always, be met."""
    for number, event in enumerate(events, 1):
        at, kind = f"{where} {number}", event.get("kind")
        if kind is not None and kind not in known:
            yield f"{at}: there is no event {kind!r}{_meant(str(kind), known)}"
            continue
        among = [known[kind]] if kind is not None else known.values()
        yield from (f"{at}: {slip}" for slip in lacks(*among, named=event, besides=OF_TOLD))
        for key in ("seen_by", "unseen_by"):
            yield from strangers(f"{at}: {key}", event.get(key, ()), seats)
        yield from slips(f"{at}: follows", event.get("follows", ()), known, seats)


def lacks(*classes: type, named: Iterable[str], besides: Iterable[str] = ()) -> Iterator[str]:
    """Which of these fields none of the classes has."""
    has = {*besides, *(name for one in classes for name in names(one))}
    return (f"there is no {key!r}{_meant(key, has)}" for key in named if key not in has)


def unknown_kinds(where: str, named: Iterable[str], known: Kinds) -> Iterator[str]:
    return (f"{where}: there is no event {kind!r}{_meant(kind, known)}" for kind in named if kind not in known)


def strangers(where: str, named: Iterable[str], seats: Collection[str]) -> Iterator[str]:
    return (f"{where}: nobody sits at {seat!r}{_meant(seat, seats)}" for seat in named if seat not in seats)


def unlisted(labels: Iterable[str], listed: Iterable[str]) -> list[str]:
    """Labels of draws that fit none of a ruleset's patterns."""
    known = _patterns(tuple(listed))
    return [label for label in labels if not known.fullmatch(label)]


@cache
def _patterns(listed: tuple[str, ...]) -> re.Pattern[str]:
    each = (".+".join(map(re.escape, re.split(r"<[^<>]+>", label))) for label in listed)
    return re.compile("|".join(each))


def _meant(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, known, 1)
    return f"; do you mean {near[0]!r}?" if near else "; signet cases --vocabulary lists what there is."
