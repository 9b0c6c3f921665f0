"""Steps that a GM holds, their time limit, who paused a scene, seats without which a GM goes on, and nudges.

Scenes that a GM paused before pauses had an end get one; a stop by the X-card and a pause by the calendar have none.

Revision ID: 0021
Revises: 0020
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

_LIMITS = """
UPDATE steps SET seconds = (spec ->> 'seconds')::int FROM scenes
 WHERE (scenes.campaign_id, scenes.id) = (steps.campaign_id, steps.scene_id) AND scenes.status = 'open'
   AND steps.status = 'open' AND spec ->> 'pace' <> 'whenever'
"""

_EXCUSED = """
UPDATE asks SET excused = true FROM steps
 WHERE (steps.campaign_id, steps.scene_id, steps.key) = (asks.campaign_id, asks.scene_id, asks.step_key)
   AND NOT asks.awaited AND steps.spec ->> 'pace' <> 'whenever'
"""

_PAUSED_BY = """
UPDATE scenes SET paused_by = (
    SELECT who FROM lines
     WHERE (lines.campaign_id, lines.scene_id) = (scenes.campaign_id, scenes.id)
       AND kind = 'notice' AND starts_with(lines.text, concat(who, ' paused'))
       AND at >= scenes.paused_at - interval '1 minute'
     ORDER BY at DESC, id DESC LIMIT 1)
 WHERE status = 'open' AND paused_at IS NOT NULL AND NOT stopped
"""

_ENDS = """
UPDATE scenes SET paused_until = now() + interval '72 hours', next_due_at = now() + interval '72 hours'
 WHERE status = 'open' AND paused_at IS NOT NULL AND paused_until IS NULL AND NOT stopped AND paused_by IS NOT NULL
   AND NOT EXISTS (
       SELECT 1 FROM entries WHERE entries.campaign_id = scenes.campaign_id AND entries.scene_id = scenes.id
          AND entries.state = 'paused')
"""


def upgrade() -> None:
    no = sa.text("false")
    op.add_column("steps", sa.Column("held", sa.Boolean(), server_default=no, nullable=False))
    op.add_column("steps", sa.Column("seconds", sa.Integer(), nullable=True))
    op.add_column("asks", sa.Column("excused", sa.Boolean(), server_default=no, nullable=False))
    op.add_column("asks", sa.Column("nudged_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("scenes", sa.Column("paused_by", sa.String(), nullable=True))
    for change in (_LIMITS, _EXCUSED, _PAUSED_BY, _ENDS):
        op.execute(change)


def downgrade() -> None:
    raise NotImplementedError("A campaign is never taken back to an older table; restore the dump made before it.")
