"""How long a server waits for the database, what becomes of a wait that is given up, and what a request has committed.

Postgres' own timeouts end a wait: its transaction is undone as a whole. So nothing was changed, unless the same request
has committed something before.
"""

from contextvars import ContextVar
from dataclasses import dataclass
from math import ceil
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

STATES = frozenset({"55P03", "57014", "25P03", "25P04", "40P01"})
"""Postgres' codes: a lock was not available, a statement or an idle transaction took too long, a whole transaction did,
two transactions waited for each other."""

SET = "SELECT set_config('lock_timeout', %s, false), set_config('statement_timeout', %s, false), "
SET += "set_config('idle_in_transaction_session_timeout', %s, false)"


class GaveUp(OperationalError):
    """A wait for the database was given up, and its transaction is undone."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds after which Postgres ends a wait for a lock, a statement, an idle transaction; 0: never."""

    lock: float
    statement: float
    idle: float


def limit_waits(engine: Engine, patience: Patience) -> None:
    """Gives each new connection the timeouts. They are no startup parameters, since poolers refuse those."""
    given = [f"{ceil(seconds * 1000)}ms" for seconds in (patience.lock, patience.statement, patience.idle)]

    def opened(connection: Any, record: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute(SET, given)
        connection.commit()

    event.listen(engine, "connect", opened)


def name_waits(engine: Engine) -> None:
    """Raises `GaveUp` where a wait was given up, in place of SQLAlchemy's several exceptions."""
    event.listen(engine, "handle_error", _named)


def _named(context: ExceptionContext) -> BaseException | None:
    cause = context.original_exception
    if getattr(cause, "sqlstate", None) not in STATES:
        return None
    return GaveUp(context.statement, None, cause, hide_parameters=True)


_committed: ContextVar[list[None] | None] = ContextVar("signet.committed", default=None)


def begin_request() -> None:
    """From here on `has_committed` tells of this request; called again, it forgets what came before."""
    _committed.set([])


def has_committed() -> bool:
    """Whether the request may have changed something for good."""
    return bool(_committed.get())


def committed_nothing() -> bool:
    """Whether this is a request, and it has surely changed nothing for good."""
    return _committed.get() == []


@event.listens_for(Session, "after_commit")
def _noted(session: Session) -> None:
    committed = _committed.get()
    if committed is not None and not session.in_nested_transaction():  # the release of a savepoint also calls this
        committed.append(None)
