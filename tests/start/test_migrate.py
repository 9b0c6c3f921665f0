"""The migrations make exactly what the models say, once, whoever comes first."""

import threading

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from app.db.engine import alembic_config, database_revisions, migrate, sync_engine
from app.errors import UserError
from app.models import metadata


def test_migrations_and_models_say_the_same(empty_db_url: str) -> None:
    migrate(empty_db_url)
    engine = sync_engine(empty_db_url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []
        here, newest = database_revisions(connection)
    engine.dispose()
    assert here == newest is not None


def test_a_second_run_changes_nothing_and_four_at_once_do_not_collide(empty_db_url: str) -> None:
    failures: list[BaseException] = []

    def run() -> None:
        try:
            migrate(empty_db_url)
        except BaseException as failure:
            failures.append(failure)

    runners = [threading.Thread(target=run) for _ in range(4)]
    for runner in runners:
        runner.start()
    for runner in runners:
        runner.join()
    assert failures == []
    migrate(empty_db_url)


def test_a_newer_database_is_refused_and_untouched(empty_db_url: str) -> None:
    migrate(empty_db_url)
    engine = sync_engine(empty_db_url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999_future'"))
    with pytest.raises(UserError, match=r"newer Signet .*9999_future.*Nothing was changed"):
        migrate(empty_db_url)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "9999_future"
    engine.dispose()


def test_the_revisions_are_one_numbered_line() -> None:
    script = ScriptDirectory.from_config(alembic_config())
    revisions = list(script.walk_revisions())
    assert len(script.get_heads()) == 1
    assert all(
        revision.path.rsplit("/", 1)[-1].startswith(f"{len(revisions) - n:04d}_")
        for n, revision in enumerate(revisions)
    )
