"""The hand-written migration and the models say the same."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, text
from sqlalchemy.schema import SchemaItem

from app.db.engine import migrate, normal_url
from app.models import metadata

PEOPLE = {
    "campaigns",
    "members",
    "characters",
    "sheet_changes",
    "promotions",
    "sessions",
    "invitations",
    "group_links",
    "join_requests",
    "presences",
    "hints",
    "device_codes",
    "notes",
    "own_things",
    "almanacs",
    "entries",
    "replies",
    "crossings",
    "happenings",
    "feeds",
}


def test_the_migration_makes_the_tables_of_the_models(empty_db_url: str) -> None:
    def ours(item: SchemaItem, name: str | None, kind: str, reflected: bool, other: SchemaItem | None) -> bool:
        table = getattr(item, "table", item)
        return getattr(table, "name", None) in PEOPLE

    migrate(empty_db_url)
    engine = create_engine(normal_url(empty_db_url))
    with engine.connect() as connection:
        options = {"compare_type": True, "compare_server_default": True, "include_object": ours}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []
        leading = connection.execute(
            text(
                "SELECT i.relname, a.attname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid "
                "JOIN pg_class t ON t.oid = x.indrelid "
                "JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0] "
                "WHERE t.relname = ANY(:tables)"
            ),
            {"tables": sorted(PEOPLE - {"campaigns"})},
        )
        assert {row.relname: row.attname for row in leading if row.attname != "campaign_id"} == {}
    engine.dispose()
