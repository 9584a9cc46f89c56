"""One script for each revision of the service's tables. Alembic runs them; nothing imports them."""
