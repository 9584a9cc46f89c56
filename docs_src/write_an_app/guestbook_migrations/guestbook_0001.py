import sqlalchemy as sa
from alembic import op

revision = "guestbook_0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "guestbook_visit",
        sa.Column("run", sa.String, nullable=False),
        sa.Column("tenant", sa.String, nullable=False),
        sa.Column("guest", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("run", name="pk_guestbook_visit"),
    )


def downgrade() -> None:
    op.drop_table("guestbook_visit")
