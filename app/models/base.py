"""The declarative base, and the few column types that every room shares.

Rules so that campaigns can live on different database servers: `campaign_id` leads every primary key, foreign key and
unique index of a campaign's tables; ids are UUIDv7 made here; no triggers, sequences or advisory locks in play.
"""

import uuid
from datetime import datetime
from typing import Annotated, Any

import uuid_utils.compat
from sqlalchemy import DateTime, MetaData, Uuid, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, mapped_column

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}

Json = Any
"""A JSON value as it comes from a `jsonb` column."""

Moment = Annotated[datetime, mapped_column(DateTime(timezone=True))]
Now = Annotated[datetime, mapped_column(DateTime(timezone=True), server_default=func.now())]


class Base(DeclarativeBase):
    """All tables; `dict` and `list` columns are jsonb, ids are uuid, times carry a zone."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {uuid.UUID: Uuid(as_uuid=True), dict[str, Any]: JSONB, list[Any]: JSONB}


def new_id() -> uuid.UUID:
    """Returns a UUIDv7: unique without asking the database; later ids sort after earlier ones."""
    return uuid_utils.compat.uuid7()
