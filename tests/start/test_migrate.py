"""The migrations make exactly what the models say, once, whoever comes first."""

import threading
import uuid
from datetime import UTC, datetime

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import insert, select, text

from app.db.engine import alembic_config, database_revisions, migrate, sync_engine
from app.errors import UserError
from app.models import metadata
from app.models.almanac import Entry
from app.models.people import Campaign, Member, Role
from app.models.scenes import Line, Scene

pytestmark = pytest.mark.postgres


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


def test_a_gms_pause_from_before_pauses_had_an_end_gets_one(empty_db_url: str) -> None:
    """Finds a scene that stays paused for ever, or a stop or the calendar's pause that ends by itself."""
    upgrade_to(empty_db_url, "0020")
    campaign, gm = uuid.uuid4(), uuid.uuid4()
    scenes = {name: uuid.uuid4() for name in ("by the gm", "stopped", "by the calendar", "by an import")}
    usual = {"campaign_id": campaign, "ruleset": "x", "kind": "x", "rules_version": "1", "settings": {}}
    usual |= dict.fromkeys(("setup", "state", "root", "anchor", "thread"), b"")
    now = datetime.now(UTC)
    engine = sync_engine(empty_db_url)
    with engine.begin() as connection:
        connection.execute(insert(Campaign).values(id=campaign, slug="c", title="C"))
        connection.execute(insert(Member).values(campaign_id=campaign, id=gm, handle="gm", name="Gm", role=Role.GM))
        for name, scene in scenes.items():
            row = {"id": scene, "title": name, "paused_at": now, "stopped": name == "stopped"}
            connection.execute(insert(Scene).values(**usual, **row))
            if name != "by an import":
                said = {"kind": "notice", "who": "Gm", "text": "Gm paused the scene.", "at": now}
                connection.execute(insert(Line).values(campaign_id=campaign, scene_id=scene, id=scene, **said))
        entry = {"id": gm, "made_no": 1, "kind": "scene", "state": "paused", "title": "A fight", "day": 1}
        waits = {"author_id": gm, "scene_id": scenes["by the calendar"], "viewers": []}
        connection.execute(insert(Entry).values(campaign_id=campaign, **entry, **waits))
    migrate(empty_db_url)
    with engine.connect() as connection:
        found = connection.execute(select(Scene.title, Scene.paused_until, Scene.next_due_at, Scene.paused_by)).all()
    engine.dispose()
    assert {title for title, until, due, _ in found if until is not None and until == due} == {"by the gm"}
    assert {title for title, *_, by in found if by == "Gm"} == {"by the gm", "by the calendar"}


def upgrade_to(url: str, revision: str) -> None:
    config, engine = alembic_config(), sync_engine(url)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def test_the_revisions_are_one_numbered_line() -> None:
    script = ScriptDirectory.from_config(alembic_config())
    revisions = list(script.walk_revisions())
    assert len(script.get_heads()) == 1
    assert all(
        revision.path.rsplit("/", 1)[-1].startswith(f"{len(revisions) - n:04d}_")
        for n, revision in enumerate(revisions)
    )
