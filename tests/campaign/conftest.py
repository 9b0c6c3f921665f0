"""A database without tables, for the migration's own test."""

import uuid
from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import make_url


@pytest.fixture
def empty_db_url(postgres_url: str) -> Iterator[str]:
    name = f"signet_people_{uuid.uuid4().hex[:10]}"
    admin = make_url(postgres_url).set(drivername="postgresql", database="postgres")
    with psycopg.connect(admin.render_as_string(hide_password=False), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield make_url(postgres_url).set(database=name).render_as_string(hide_password=False)
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
