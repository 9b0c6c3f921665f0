"""Which protocol the luck and the record of a scene follow, and what its second one counts.

Revision ID: 0026
Revises: 0025
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, first in (("protocol", "1"), ("hidden_closings", "0"), ("desk_draws", "0")):
        op.add_column("scenes", sa.Column(name, sa.Integer(), server_default=first, nullable=False))


def downgrade() -> None:
    raise NotImplementedError("A campaign is never taken back to an older table; restore the dump made before it.")
