"""The values of a file's rows, checked before anything is done with them: types, sizes, and what the database takes.

A fault is `Unfit`: the field, what is wrong, in Signet's own words. The caller knows the table and the row.
"""

import base64
import binascii
import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Table,
    UniqueConstraint,
    Uuid,
)
from sqlalchemy import Enum as EnumType
from sqlalchemy.sql.schema import CallableColumnDefault, ScalarElementColumnDefault

from app.almanac.calendar_state import MOST_DAY

Row = dict[str, Any]

LONG = frozenset({"text", "body", "about"})
MOST_LONG = 8_000_000
"""The most characters of a column for texts; a record's text is the longest. Forms take far less."""
MOST_SHORT = 2_000
MOST_NAME = 300
NAMES = frozenset({"name", "title", "handle", "slug", "who", "label", "for_name", "said_by"})
MOST_DEPTH = 100
MOST_PARTS = 2_000_000
"""The most values within one JSON column."""
MOST_COUNT = 2_000_000_000
"""The largest number of a counter, so that it can still be raised."""
DAYS = frozenset({"day", "last_day", "today", "from_day", "to_day", "wanted_day"})


class Unfit(Exception):
    """A row that no Signet has written. `field` may be "": the row as a whole."""

    def __init__(self, field: str, what: str) -> None:
        super().__init__(what)
        self.field = field
        self.what = what


def read(table: Table, said: object) -> Row:
    """Returns the row in some JSON, with the values that the database takes. Raises Unfit."""
    if not isinstance(said, dict):
        raise Unfit("", f"is {_kind(said)}, not a table of fields")
    unknown = sorted(set(said) - set(table.c.keys()))
    if unknown:
        raise Unfit(unknown[0], "there is no such field")
    return _usual(table, said) | {name: _value(table.c[name], value) for name, value in said.items()}


def _usual(table: Table, said: Mapping[str, Any]) -> Row:
    """Returns what the fields hold that an older Signet did not have. What the server fills in is left out."""
    found: Row = {}
    for column in table.c:
        if column.name in said:
            continue
        if isinstance(column.default, ScalarElementColumnDefault):
            found[column.name] = column.default.arg
        elif isinstance(column.default, CallableColumnDefault):
            found[column.name] = column.default.arg(None)  # type: ignore[arg-type]  # it has no context here
        elif column.nullable:
            found[column.name] = None
        elif column.server_default is None:
            raise Unfit(column.name, "it is missing")
    return found


def _value(column: Column[Any], said: object) -> Any:
    if said is None:
        if not column.nullable:
            raise Unfit(column.name, "it is empty")
        return None
    match column.type:
        case LargeBinary():
            return _bytes(column.name, said)
        case Uuid():
            return _uuid(column.name, said)
        case DateTime():
            return _moment(column.name, said)
        case EnumType() as kind:
            return _choice(column.name, kind, said)
        case Boolean():
            if not isinstance(said, bool):
                raise Unfit(column.name, f"is {_kind(said)}; true or false is expected")
            return said
        case Integer():
            return _number(column, said)
        case String():
            return _text(column.name, said)
        case _:
            check_json(column.name, said)
            return said


def _bytes(name: str, said: object) -> bytes:
    try:
        return base64.b64decode(_text(name, said, most=100_000_000), validate=True)
    except (binascii.Error, ValueError):
        raise Unfit(name, "is not written as base64") from None


def _uuid(name: str, said: object) -> uuid.UUID:
    try:
        found = uuid.UUID(_text(name, said))
    except ValueError:
        raise Unfit(name, "is not the id of anything (a UUID)") from None
    if str(found) != said:
        raise Unfit(name, "is not written as Signet writes an id")
    return found


def _moment(name: str, said: object) -> datetime:
    try:
        found = datetime.fromisoformat(_text(name, said))
        if found.tzinfo is not None and 1900 < found.year < 9000:
            return found
    except (ValueError, OverflowError):
        pass
    raise Unfit(name, "is not a date and time with a zone, as in 2026-01-31T20:00:00+00:00")


def _choice(name: str, kind: EnumType, said: object) -> Any:
    if not isinstance(said, str) or said not in kind.enums:
        raise Unfit(name, f"is none of {', '.join(map(str, kind.enums))}")
    return kind.enum_class(said) if kind.enum_class is not None else said


def _number(column: Column[Any], said: object) -> int:
    if not isinstance(said, int) or isinstance(said, bool):
        raise Unfit(column.name, f"is {_kind(said)}; a whole number is expected")
    least, most = 0, MOST_COUNT
    if column.name in DAYS:
        least, most = -MOST_DAY, MOST_DAY
    elif isinstance(column.type, SmallInteger):
        least, most = -(2**15), 2**15 - 1
    elif isinstance(column.type, BigInteger):
        most = 2**53
    if not least <= said <= most:
        raise Unfit(column.name, f"is too {'small' if said < least else 'large'}; {least} to {most} are possible")
    return said


def _text(name: str, said: object, most: int | None = None) -> str:
    if not isinstance(said, str):
        raise Unfit(name, f"is {_kind(said)}; text is expected")
    limit = most or (MOST_LONG if name in LONG else MOST_NAME if name in NAMES else MOST_SHORT)
    if len(said) > limit:
        raise Unfit(name, f"has {len(said)} characters; {limit} are the most")
    _writable(name, said)
    return said


def _writable(name: str, said: str) -> None:
    if "\x00" in said or (not said.isascii() and any("\ud800" <= sign <= "\udfff" for sign in said)):
        raise Unfit(name, "has a character that no text can have (U+0000, or half of one)")


def check_json(name: str, said: object) -> None:
    """Checks a JSON value: its depth, its size, its numbers and its texts. Raises Unfit."""
    todo: list[tuple[object, int]] = [(said, 0)]
    parts = 0
    while todo:
        value, depth = todo.pop()
        parts += 1
        if depth > MOST_DEPTH:
            raise Unfit(name, f"has more than {MOST_DEPTH} lists and tables inside each other")
        if parts > MOST_PARTS:
            raise Unfit(name, f"has more than {MOST_PARTS} values")
        match value:
            case str():
                _writable(name, value)
            case bool() | None:
                pass
            case int() if abs(value) > 2**63:
                raise Unfit(name, "has a number that is too large")
            case float() if not -1e300 < value < 1e300:
                raise Unfit(name, "has a number that is too large")
            case dict():
                for key in value:
                    _writable(name, key)
                todo += [(one, depth + 1) for one in value.values()]
            case list():
                todo += [(one, depth + 1) for one in value]
            case _:
                pass


def _kind(said: object) -> str:
    match said:
        case None:
            return "empty"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "a table of fields"


class Keys:
    """The keys of all rows so far: what may not be there twice, and what other rows name."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, tuple[str, ...]], set[tuple[Any, ...]]] = {}

    def add(self, table: Table, row: Mapping[str, Any]) -> None:
        """Raises Unfit for a row that is there already, or that names a row which is not."""
        for constraint in table.foreign_key_constraints:
            of, names = constraint.referred_table, [element.column.name for element in constraint.elements]
            there = dict(zip(names, (row.get(name) for name in constraint.column_keys), strict=True))
            key = tuple(there[column.name] for column in of.primary_key)
            if None not in key and key not in self._seen.get(_primary(of), ()):
                raise Unfit(list(constraint.column_keys)[-1], f"names a row that is not among the {of.name}")
        for name in _unique(table):
            key = tuple(row.get(one) for one in name[1])
            seen = self._seen.setdefault(name, set())
            if None not in key:
                if key in seen:
                    raise Unfit(name[1][-1], f"is there twice among the {table.name}")
                seen.add(key)

    def of(self, table: Table) -> set[tuple[Any, ...]]:
        return self._seen.get(_primary(table), set())


def _primary(table: Table) -> tuple[str, tuple[str, ...]]:
    return table.name, tuple(column.name for column in table.primary_key)


def _unique(table: Table) -> list[tuple[str, tuple[str, ...]]]:
    found = [_primary(table)]
    found += [(table.name, tuple(c.name for c in one.columns)) for one in table.constraints
              if isinstance(one, UniqueConstraint)]  # fmt: skip
    return found + [(table.name, tuple(c.name for c in one.columns)) for one in table.indexes if one.unique]
