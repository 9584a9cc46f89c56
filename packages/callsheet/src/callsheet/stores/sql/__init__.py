"""The SQL store, as far as it is the same on SQLite and on PostgreSQL."""
