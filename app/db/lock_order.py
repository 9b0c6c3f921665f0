"""The order in which transactions lock rows, and the only functions that lock them.

Transactions that lock in the same order only wait for one another; in different orders they can deadlock, until
Postgres fails one of them. While tests run, `tests/lock_watch.py` raises on a wrong order. The migration's advisory
lock (`app/db/engine.py`) is not listed: its transaction locks no rows. A quiet draft is saved in one statement that
locks a step's row for sharing, before its own, and no scene: it waits only for the step's end, which has both.
"""

from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Select
from sqlalchemy.ext.asyncio import AsyncSession

Query = TypeVar("Query", bound=Select[*tuple[Any, ...]])
Model = TypeVar("Model")


class Lock(NamedTuple):
    """Rows of one table, and why they are locked before the next ones."""

    table: str
    why: str


ORDER = (
    Lock("campaigns", "A change among people goes on to scenes and characters; a scene never waits for it."),
    Lock("challenges", "Accepting a challenge opens a scene, which locks its characters."),
    Lock("prepared_scenes", "Opening one opens a scene; a second press waits for the first."),
    Lock("scenes", "A scene ends in the calendar and on sheets. A change among people locks all open ones, by id."),
    Lock("almanacs", "Passing time and a scene's end first read the date, then write sheets."),
    Lock("characters", "Everything above writes sheets. Several characters are locked by id."),
    Lock("goals", "Only a change of the key locks them, and nothing else with them."),
    Lock("handouts", "The same; a GM who changes one holds the campaign."),
    Lock("hints", "Hints are counted when all else is done; several of one campaign by whom they are for."),
)
"""From first to last. A transaction may skip tables, and lock more rows of a table that it has already locked."""

GUARDED_BY = {"promotions": "campaigns", "entries": "almanacs"}
"""Tables whose rows may only be locked after the guard's row, so that no transaction waits for them."""


def locking(query: Query, *, key_share: bool = False, skip_locked: bool = False) -> Query:
    """Returns the query with a lock on its rows until the transaction ends; it reads their current values.

    With `key_share` other transactions can still insert rows that refer to the locked ones.
    """
    locked = query.with_for_update(key_share=key_share, skip_locked=skip_locked)
    return locked.execution_options(populate_existing=True)


async def lock_row(session: AsyncSession, model: type[Model], key: tuple[object, ...]) -> Model | None:
    """Returns the row with this primary key, read again and locked until the transaction ends, or None."""
    return await session.get(model, key, with_for_update=True, populate_existing=True)
