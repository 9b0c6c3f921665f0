"""Listens to every statement while tests run: does its transaction lock rows in the order of app/db/lock_order.py?

Postgres locks rows for `SELECT ... FOR UPDATE`, `UPDATE` and `DELETE`, and waits at `INSERT ... ON CONFLICT` for others
who insert the same key. A plain insert makes rows that nobody else can see, so nobody waits for them; what belongs to a
campaign made in the same transaction is not checked for the same reason. Locks that a savepoint released still count.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Delete, Engine, Insert, Select, Update, event
from sqlalchemy.sql.selectable import FromClause, Join

from app.db.lock_order import GUARDED_BY, ORDER

RANKS = {lock.table: rank for rank, lock in enumerate(ORDER)}
HELD = "signet.locks"  # in a connection's `info`: the tables whose rows its transaction has locked or made
LOCKED: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()  # of each statement, as it was compiled


class WrongOrder(AssertionError):
    """A transaction locked rows that it has to lock earlier, or without the lock that guards them."""


def locked_tables(statement: Any) -> set[str]:
    """The tables of which this statement locks rows that others may hold."""
    if isinstance(statement, Select):
        froms = statement.get_final_froms() if statement._for_update_arg is not None else []
        return {str(table.name) for given in froms for table in _flat(given)}
    if isinstance(statement, Update | Delete):
        return {str(statement.table.name)} & (RANKS.keys() | GUARDED_BY.keys())
    if isinstance(statement, Insert) and statement._post_values_clause is not None:
        return {str(statement.table.name)} & RANKS.keys()
    return set()


def _flat(given: FromClause) -> Iterator[Any]:
    if isinstance(given, Join):
        yield from _flat(given.left)
        yield from _flat(given.right)
    else:
        yield given


def check(table: str, held: set[str]) -> None:
    """Raise where a transaction that has locked rows of `held` may not lock rows of this table."""
    if table in held:
        return
    if table not in RANKS:
        guard = GUARDED_BY.get(table)
        if guard is None:
            raise WrongOrder(f"rows of {table} are locked, which has no place in app/db/lock_order.py")
        if guard not in held:
            raise WrongOrder(f"rows of {table} are locked without {guard}, which guards them")
        return
    later = [other for other in held if RANKS.get(other, -1) > RANKS[table]]
    if later:
        raise WrongOrder(f"rows of {table} are locked after {max(later, key=RANKS.__getitem__)}, and come before them")


def _begun(connection: Any) -> None:
    connection.info[HELD] = set()


def _sent(connection: Any, cursor: Any, sql: str, parameters: Any, context: Any, many: bool) -> None:
    compiled = getattr(context, "compiled", None)
    held: set[str] | None = connection.info.get(HELD)
    if compiled is None or held is None:
        return
    statement, made = compiled.statement, "made here"
    if made not in held:
        if compiled not in LOCKED:
            LOCKED[compiled] = locked_tables(statement)
        for table in LOCKED[compiled]:
            check(table, held)
            held.add(table)
    if isinstance(statement, Insert):
        table = str(statement.table.name)
        held |= {made} if table == "campaigns" else {table} & RANKS.keys()


EVENTS = (("begin", _begun), ("before_cursor_execute", _sent))


def watch() -> None:
    """Refuse locks in the wrong order, on every connection of this process."""
    for name, heard in EVENTS:
        event.listen(Engine, name, heard)


@contextmanager
def watched() -> Iterator[None]:
    """`watch`, for as long as it lasts."""
    watch()
    try:
        yield
    finally:
        for name, heard in EVENTS:
            event.remove(Engine, name, heard)


if __name__ == "__main__":
    from tests import lock_watch

    print("watched" if all(event.contains(Engine, *one) for one in lock_watch.EVENTS) else "not watched")  # noqa: T201
