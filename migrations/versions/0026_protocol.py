"""Which protocol the luck and the record of a scene follow; what its second one counts, and tells of a GM's acts.

Revision ID: 0026
Revises: 0025
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, first in (("protocol", "1"), ("hidden_closings", "0"), ("desk_draws", "0")):
        op.add_column("scenes", sa.Column(name, sa.Integer(), server_default=first, nullable=False))
    op.add_column("scenes", sa.Column("untold", JSONB(), server_default=sa.text("'[]'"), nullable=False))
    op.add_column("steps", sa.Column("acts", JSONB(), server_default=sa.text("'{}'"), nullable=False))


def downgrade() -> None:
    raise NotImplementedError("A campaign is never taken back to an older table; restore the dump made before it.")
