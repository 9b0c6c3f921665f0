"""Troubles of the database that have a name: what pages, the log and the command line say of each, by SQLSTATE."""

import re
from dataclasses import dataclass

from sqlalchemy.exc import DBAPIError

from app.db.waiting import committed_nothing


@dataclass(frozen=True, slots=True)
class Trouble:
    """`said` is a sentence without its full stop; `lasts` means until the people who run the server do something."""

    said: str
    lasts: bool


BY_STATE = {
    "53100": Trouble("The server's disk is full", lasts=True),
    "53200": Trouble("The database is out of memory", lasts=True),
    "53300": Trouble("The database has no connection free", lasts=False),
    "25006": Trouble("The database takes no changes at the moment", lasts=True),
    "57P01": Trouble("The database is stopping", lasts=False),
    "57P02": Trouble("The database is restarting after a failure", lasts=False),
    "57P03": Trouble("The database is starting or stopping", lasts=False),
}

REFUSALS = {
    "too many clients": "53300",
    "too many connections": "53300",
    "connection slots": "53300",
    "the database system is": "57P03",
}
"""What Postgres says to a new connection that it refuses: libpq gives the text alone, without the SQLSTATE."""

CHANGES = re.compile(r"\b(INSERT INTO|UPDATE|DELETE FROM|FOR KEY SHARE|FOR SHARE)\b", re.IGNORECASE)
"""A statement that changes rows, or locks them for a change; a read may come after a commit, and COMMIT has none."""


def of(error: BaseException) -> Trouble | None:
    """Returns the trouble behind an error of a statement or a connection; None where it has no name here."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    state = getattr(cause, "sqlstate", None)
    if state is None:
        state = next((its for words, its in REFUSALS.items() if words in str(cause)), None)
    return BY_STATE.get(state or "")


def command_message(error: DBAPIError) -> str:
    """Returns what the command line says: the trouble's name, and the first line of the database's words."""
    trouble = of(error)
    first = str(error.orig).strip().splitlines()[0]
    return (
        f"{trouble.said if trouble else 'The database does not answer'}: {first}. Run `signet doctor` to find out why."
    )


def changed_nothing(error: BaseException) -> bool:
    """Whether a change, or a lock for one, was refused before its commit, in a request that has committed nothing
    before; False where nobody can tell."""
    words = error.statement if isinstance(error, DBAPIError) else None
    return words is not None and CHANGES.search(words) is not None and committed_nothing()
