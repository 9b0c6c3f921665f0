"""The names that a case file may use: kinds, fields and seats that the rules have. Any other name is a slip."""

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
"""The keys of an expectation besides the event's fields."""


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
"""The parts of an event that a case expects."""

Kinds = Mapping[str, type]
"""The kinds of a union, and the class of each."""


class Unusable(Exception):
    """The file is not a case that can be played; the text says why."""


def names(thing: object) -> list[str]:
    """Returns the field names of a dataclass or model, or of an instance; none for other types."""
    if is_dataclass(thing):
        return [one.name for one in fields(thing)]
    cls = thing if isinstance(thing, type) else type(thing)
    return list(cls.model_fields) if issubclass(cls, BaseModel) else []


@dataclass(slots=True)
class Wrong:
    """All faults of a file, collected before they are reported: unknown names, and values that the rules refuse."""

    unknown: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def read(self, adapter: TypeAdapter[Any], raw: Any, where: str = "") -> Any:
        """Returns the value that the adapter reads, or None if there is a fault; a key that it would ignore is one."""
        try:
            return adapter.validate_python(raw, extra="forbid")
        except ValidationError as error:
            for fault in error.errors(include_url=False):
                told = self.unknown if fault["type"] == "extra_forbidden" else self.refused
                told.append(f"{where}{fault_text(fault, raw)}")
            return None

    def tell(self) -> None:
        """Raises Unusable if there are faults."""
        if self.unknown or self.refused:
            raise Unusable("\n".join([*self.unknown, *self.refused]))


def fault_text(fault: ErrorDetails, raw: Any) -> str:
    """Returns a fault with its place, as the file names it: "foes.goblin.combat: At most 999."."""
    path: list[str] = []
    at = raw
    for part in fault["loc"]:
        inside = at[part] if isinstance(at, Mapping) and part in at else _nth(at, part)
        if inside is not None:
            path.append(_name(inside) if isinstance(part, int) and _name(inside) else str(part))
            at = inside
        elif part == fault["loc"][-1] and part != "[key]":  # in between, it is a name that pydantic makes up
            path.append(str(part))
    return f"{'.'.join(path)}: {in_words(fault)}".removeprefix(": ")


def in_words(fault: ErrorDetails) -> str:
    """Returns a fault as pages word it, but with choices and patterns."""
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
    """Yields the faults in expectations: names that no event of these kinds has. They would never, or always, match."""
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
    """Yields a fault for each named field that none of the classes has."""
    has = {*besides, *(name for one in classes for name in names(one))}
    return (f"there is no {key!r}{_meant(key, has)}" for key in named if key not in has)


def unknown_kinds(where: str, named: Iterable[str], known: Kinds) -> Iterator[str]:
    return (f"{where}: there is no event {kind!r}{_meant(kind, known)}" for kind in named if kind not in known)


def strangers(where: str, named: Iterable[str], seats: Collection[str]) -> Iterator[str]:
    return (f"{where}: nobody sits at {seat!r}{_meant(seat, seats)}" for seat in named if seat not in seats)


def unlisted(labels: Iterable[str], listed: Iterable[str]) -> list[str]:
    """Returns the labels of draws that match none of a ruleset's patterns."""
    known = _patterns(tuple(listed))
    return [label for label in labels if not known.fullmatch(label)]


@cache
def _patterns(listed: tuple[str, ...]) -> re.Pattern[str]:
    each = (".+".join(map(re.escape, re.split(r"<[^<>]+>", label))) for label in listed)
    return re.compile("|".join(each))


def _meant(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, known, 1)
    return f"; do you mean {near[0]!r}?" if near else "; signet cases --vocabulary lists what there is."
