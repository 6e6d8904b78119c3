"""One review of a game for each guest."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Two servers could make two reviews at the same moment: the finished one stays, or the older one."""
    op.execute(
        "DELETE FROM review WHERE id IN (SELECT id FROM (SELECT id, row_number() OVER "
        "(PARTITION BY guest, subject ORDER BY body = '', created_at, id) AS place FROM review) AS ranked "
        "WHERE place > 1)"
    )
    op.create_index("uq_review_guest_subject", "review", ["guest", "subject"], unique=True)
