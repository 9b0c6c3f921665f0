"""Each shape of a statement is compiled once per process, however many engines the tests make.

SQLAlchemy keeps compiled statements with the engine, and its mappers keep theirs by the dialect. The engines of a
process differ in their pools and databases, but all talk to one server by one driver: what was compiled for one fits
all.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.util import LRUCache

MOST = 2000  # statements: more than the app has


def _same(dialect: PGDialect_psycopg, other: object) -> bool:
    return type(dialect) is type(other)


def _hash(dialect: PGDialect_psycopg) -> int:
    return hash(type(dialect))


@contextmanager
def shared() -> Iterator[None]:
    """Within the block all engines have the same cache, and dialects of one kind are equal keys of it."""
    cache = LRUCache[Any, Any](MOST)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PGDialect_psycopg, "__eq__", _same)
        patch.setattr(PGDialect_psycopg, "__hash__", _hash)
        patch.setattr(
            Engine, "_compiled_cache", property(lambda engine: cache, lambda engine, own: None), raising=False
        )
        yield
