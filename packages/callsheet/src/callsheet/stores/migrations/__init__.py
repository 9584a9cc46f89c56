"""Migration scripts. Alembic runs them; nothing imports them."""
