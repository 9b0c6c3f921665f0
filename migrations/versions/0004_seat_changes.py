"""Counters of changes that only one seat may see, so that a lost hint about one can be found.

Revision ID: 0004
Revises: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seat_holders", sa.Column("changes", sa.BigInteger(), server_default="0", nullable=False))


def downgrade() -> None:
    raise NotImplementedError("A campaign is never taken back to an older table; restore the dump made before it.")
