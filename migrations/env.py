"""Alembic's entry to Signet's tables. `app.db.engine` passes it an open connection and holds the lock."""

from alembic import context
from sqlalchemy import Connection

from app.models import metadata


def run(connection: Connection) -> None:
    """Migrates over this connection, in the caller's transaction: all of it or nothing."""
    context.configure(connection=connection, target_metadata=metadata, compare_type=True, compare_server_default=True)
    context.run_migrations()


run(context.config.attributes["connection"])
