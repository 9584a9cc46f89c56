"""One script for each revision of the studio's tables. Alembic runs them; nothing imports them."""
