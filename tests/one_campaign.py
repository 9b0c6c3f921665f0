"""Listens to every statement that the app sends while tests run: does it stay within one campaign?

On a cluster whose tables are spread by `campaign_id`, a statement that names the campaign goes to one server; any other
goes to all of them. So each table in a statement must be tied to a given campaign, directly or by way of another table.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any
from weakref import WeakKeyDictionary

import greenlet
from sqlalchemy import BindParameter, Column, Delete, Engine, Insert, Select, TextClause, Update, event
from sqlalchemy.sql import visitors
from sqlalchemy.sql.elements import BinaryExpression, BooleanClauseList, ClauseElement, ColumnElement
from sqlalchemy.sql.operators import and_, eq
from sqlalchemy.sql.selectable import Alias, FromClause, Join, TableClause

from app.models import metadata

APP = str(Path(__file__).resolve().parent.parent / "app")

ACROSS = frozenset(
    {
        "table/runtime.py:Runtime.sweep",  # whose time is up, anywhere: read without a lock, then closed one by one
        "table/runtime.py:retry_stuck",  # `signet close`
        "ops/rekey.py:_next_scene",  # `signet rekey`
        "ops/rekey.py:_campaigns",
        "campaign/founding.py:campaigns",  # `signet links`
        "web/http/health.py:_missing_there",  # until the key has fitted once
        "ops/doctor.py:key_fits",  # `signet doctor`
        "ops/doctor.py:nothing_stuck",
    }
)
"""The few that ask all campaigns at once; none of them is part of a page."""

Place = tuple[str, str]  # a table, or an alias of one, and its column
GIVEN: Place = ("", "")


class Crossing(AssertionError):
    """The app asked about more than one campaign."""


class Ties:
    """Which columns are made equal to one another, and to a given value."""

    def __init__(self) -> None:
        self._above: dict[Place, Place] = {}

    def root(self, place: Place) -> Place:
        while (above := self._above.get(place, place)) != place:
            place = above
        return place

    def tie(self, one: Place, other: Place) -> None:
        self._above[self.root(one)] = self.root(other)


def loose_tables(statement: ClauseElement) -> set[str]:
    """The tables of campaigns in this statement that are tied to no given campaign."""
    ties, named = Ties(), set[str]()
    for part in visitors.iterate(statement):
        if isinstance(part, Select):
            froms = [table for given in part.get_final_froms() for table in _flat(given, ties)]
        elif isinstance(part, Update | Delete):
            froms = [part.table]
        else:
            continue
        named |= {str(table.name) for table in froms if _of_campaigns(table)}
        for condition in part._where_criteria:
            _tie(condition, ties)
    return {name for name in named if ties.root((name, "campaign_id")) != ties.root(GIVEN)}


def loose_words(sql: str) -> set[str]:
    """The same for SQL that was written as text, as far as words tell: without `campaign_id` nothing can be tied."""
    return set() if "campaign_id" in sql else spread() & set(re.findall(r"[a-z_]+", sql))


def spread() -> set[str]:
    """The tables that a cluster spreads: all that belong to a campaign."""
    return {table.name for table in metadata.tables.values() if "campaign_id" in table.c}


def _loose(statement: ClauseElement, sql: str) -> set[str]:
    if isinstance(statement, Insert):
        return set()
    return loose_words(sql) if isinstance(statement, TextClause) else loose_tables(statement)


def _flat(given: FromClause, ties: Ties) -> Iterator[Any]:
    if isinstance(given, Join):
        if given.onclause is not None:
            _tie(given.onclause, ties)
        yield from _flat(given.left, ties)
        yield from _flat(given.right, ties)
    else:
        yield given


def _of_campaigns(table: Any) -> bool:
    return isinstance(table, TableClause | Alias) and "campaign_id" in table.c


def _tie(condition: ColumnElement[Any], ties: Ties) -> None:
    """Take note of what is equal; of conditions joined by "or" nothing follows."""
    if isinstance(condition, BooleanClauseList) and condition.operator is and_:
        for clause in condition.clauses:
            _tie(clause, ties)
    elif isinstance(condition, BinaryExpression) and condition.operator is eq:
        sides = [_place(condition.left), _place(condition.right)]
        if sides[0] is not None and sides[1] is not None:
            ties.tie(sides[0], sides[1])


def _place(side: Any) -> Place | None:
    if isinstance(side, BindParameter):
        return GIVEN
    if isinstance(side, Column) and side.table is not None and side.name in ("campaign_id", "id"):
        table = str(side.table.name)
        if side.name == "campaign_id" or table == "campaigns":
            return table, side.name
    return None


def _asker() -> str:
    """The function of the app that sent the statement which is under way; "" if a test did."""
    for frame in _frames():
        file = frame.f_code.co_filename
        if file.startswith(APP):
            return f"{Path(file).relative_to(APP).as_posix()}:{frame.f_code.co_qualname.split('.<')[0]}"
        if "/tests/" in file and file != __file__:
            return ""
    return ""


def _frames() -> Iterator[FrameType]:
    """From here outwards, also out of the greenlet in which SQLAlchemy's async part runs."""
    here: greenlet.greenlet | None = greenlet.getcurrent()
    frame: FrameType | None = sys._getframe(1)
    while here is not None:
        while frame is not None:
            yield frame
            frame = frame.f_back
        here = here.parent
        frame = here.gr_frame if here is not None else None


@contextmanager
def watched(allowed: frozenset[str]) -> Iterator[None]:
    """Refuse whatever the app asks across campaigns, but for these functions."""
    known: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()  # a statement is compiled once for each of its shapes

    def look(connection: Any, cursor: Any, sql: str, parameters: Any, context: Any, many: bool) -> None:
        compiled = getattr(context, "compiled", None)
        loose = known.get(compiled) if compiled is not None else loose_words(sql)
        if loose is None:
            loose = known[compiled] = _loose(compiled.statement, sql)
        if loose and (asker := _asker()) and asker not in allowed:
            raise Crossing(f"{asker} asks {sorted(loose)} without naming the campaign:\n{sql}")

    event.listen(Engine, "before_cursor_execute", look)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", look)
