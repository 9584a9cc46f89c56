"""The SQL store on SQLite: one file in a home."""
