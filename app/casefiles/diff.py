"""Compares a case's expectations with the facts: partial values and event lists, with differences in words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from app.casefiles.words import Expected, Unusable, names
from app.engine.chance import Roll
from app.engine.ruleset import LoggedEvent

NOTHING = "(none)"
"""How a case file writes that something is None, or absent; TOML has no word for it."""

Sees = Callable[[Any, str], bool]
Events = Sequence[LoggedEvent[Any]]
_ABSENT = object()


def differs(path: str, expected: Any, found: Any) -> Iterator[str]:
    """Yields a line for each difference. Tables are partial, everything else must be equal; floats to nine places."""
    if expected == NOTHING:
        if found is not None and found is not _ABSENT:
            yield f"{path}: expected nothing, is {_short(found)}"
    elif found is _ABSENT:
        yield f"{path}: expected {_short(expected)}, is not there"
    elif isinstance(expected, dict) and isinstance(found, (list, tuple, set, frozenset)):
        yield from _of_list(path, expected, list(found))
    elif isinstance(expected, dict):
        for key, value in expected.items():
            yield from differs(f"{path}.{key}" if path else key, value, _get(found, key, path))
    elif isinstance(expected, list) and isinstance(found, (list, tuple)):
        if len(expected) != len(found):
            yield f"{path}: expected {_short(expected)}, is {_short(found)}"
            return
        for number, (one, other) in enumerate(zip(expected, found, strict=True)):
            yield from differs(f"{path}[{number}]", one, other)
    elif isinstance(expected, float) and isinstance(found, (int, float)):
        if abs(expected - found) > 1e-9:
            yield f"{path}: expected {expected}, is {found}"
    elif type(expected) is bool or type(found) is bool:
        if expected is not found:
            yield f"{path}: expected {_short(expected)}, is {_short(found)}"
    elif expected != found:
        yield f"{path}: expected {_short(expected)}, is {_short(found)}"


def _of_list(path: str, expected: dict[str, Any], found: list[Any]) -> Iterator[str]:
    """Compares a list without writing it out: its count, which items it has, which it lacks."""
    for key, value in expected.items():
        if key == "count":
            yield from differs(f"{path}.count", value, len(found))
        elif key in ("has", "lacks"):
            for one in value:
                there = any(not list(differs("", one, item)) for item in found)
                if there != (key == "has"):
                    yield f"{path}: {'lacks' if key == 'has' else 'has'} {_short(one)}: {_short(found)}"
        else:
            yield f"{path}.{key}: a list has count, has and lacks"


def _get(thing: Any, key: str, path: str) -> Any:
    """Returns the value under that key. Raises Unusable where there never is one: "(none)" would always match."""
    if isinstance(thing, Mapping):
        return thing.get(key, _ABSENT)
    has = names(thing)
    if has and not hasattr(thing, key):
        raise Unusable(f"{path + ': ' if path else ''}there is no {key!r}; there are {', '.join(has)}.")
    return getattr(thing, key, _ABSENT)


def missing(expected: Sequence[Expected], events: Events, only: bool | list[str], sees: Sees, log: Events) -> str:
    """Returns what is wrong with the events, empty if nothing: all expected in order, none else of the `only` kinds."""
    for_all = only is True
    kinds = set() if isinstance(only, bool) else set(only)
    at = 0
    for told in events:
        if at < len(expected) and not list(_event_differs(expected[at], told, sees, log)):
            at += 1
        elif for_all or told.event.kind in kinds:
            return f"unexpected event:\n{event_line(told)}\n{_instead(expected[at:], told, sees, log)}"
    if at == len(expected):
        return ""
    lines = [f"no such event (expectation {at + 1} of {len(expected)}): {_wanted(expected[at])}"]
    alike = [told for told in events if told.event.kind == expected[at].get("kind")]
    for told in alike:
        problems = list(_event_differs(expected[at], told, sees, log))
        lines.append(f"event {told.number}: " + ("; ".join(problems) or "fits, but came too early"))
    return "\n".join(lines)


def _instead(ahead: Sequence[Expected], told: LoggedEvent[Any], sees: Sees, log: Events) -> str:
    if not ahead:
        return "expected here: nothing more of its kind"
    lines = [f"expected here: {_wanted(ahead[0])}"]
    if told.event.kind == ahead[0].get("kind"):
        lines += _event_differs(ahead[0], told, sees, log)
    return "\n".join(lines)


def unexpected(never: Sequence[Expected], events: Events, sees: Sees, log: Events) -> str:
    """Returns the first event that must not happen, in words; empty if there is none."""
    for wanted in never:
        for told in events:
            if not list(_event_differs(wanted, told, sees, log)):
                return f"this must not happen: {_wanted(wanted)}\n{event_line(told)}"
    return ""


def _event_differs(expected: Expected, told: LoggedEvent[Any], sees: Sees, log: Events) -> Iterator[str]:
    if expected.get("kind", told.event.kind) != told.event.kind:
        yield from differs("kind", expected["kind"], told.event.kind)
        return
    for key, value in expected.items():
        if key == "rule":
            yield from differs("rule", value, told.rule)
        elif key in ("seen_by", "unseen_by"):
            for seat in value:
                if sees(told.event, seat) != (key == "seen_by"):
                    yield f"{seat} {'does not see' if key == 'seen_by' else 'sees'} it"
        elif key == "follows":
            yield from _follows(value, told, sees, log)
        else:
            yield from _field_differs(key, value, told.event)


def _field_differs(key: str, expected: Any, event: Any) -> list[str]:
    """Compares a field of an event as the rules have it, or else as logs spell it, where the hex (11, 5) is "L6"."""
    problems = list(differs(key, expected, getattr(event, key, _ABSENT)))
    if not problems or not is_dataclass(event):
        return problems
    logged = list(differs(key, expected, _adapter(type(event)).dump_python(event, mode="json").get(key, _ABSENT)))
    return logged if len(logged) <= len(problems) else problems


@cache
def _adapter(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _follows(expected: Sequence[Expected], told: LoggedEvent[Any], sees: Sees, log: Events) -> Iterator[str]:
    """Compares the causes of an event: as many as expected, each expected one among them."""
    causes = [one for one in log if one.number in told.because]
    if len(causes) != len(expected):
        there = ", ".join(f"{cause.number} ({cause.event.kind})" for cause in causes)
        yield f"follows: expected {len(expected)} events, is {there or 'none'}"
    for wanted in expected:
        if not any(not list(_event_differs(wanted, cause, sees, log)) for cause in causes):
            yield f"does not follow from {_wanted(wanted)}"


def event_line(told: LoggedEvent[Any]) -> str:
    """Returns an event on one line: number, rule, kind, and the fields that are not empty."""
    event = told.event
    values = [(f.name, getattr(event, f.name)) for f in fields(event)] if is_dataclass(event) else []
    said = " ".join(f"{name}={_short(value)}" for name, value in values if name != "kind" and value not in ("", ()))
    return f"{told.number:>5}  {told.rule:<8} {getattr(event, 'kind', type(event).__name__):<10} {said}"


def _wanted(expected: Expected) -> str:
    return " ".join(f"{name}={_short(value)}" for name, value in expected.items())


def _short(value: Any) -> str:
    if isinstance(value, Roll):
        return f"[{value.label}: {value.face} of {value.size}]"
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:299]}…"
