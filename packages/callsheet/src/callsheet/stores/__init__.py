"""Where journals, requests and saved plans live: in memory, or in a database.

Implementations of `callsheet.ports.Store`. Only the engine, the fleet and `callsheet.testing` know
them. Each is imported by whoever opens it. SQLAlchemy, which is slow to import, is only where it
is needed: on PostgreSQL, to migrate, and for tables of a client's own.
"""
