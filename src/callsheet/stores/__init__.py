"""Where journals, requests and saved plans live: in memory, or in a database.

Implementations of `callsheet.ports.Store`. Only the engine, the fleet and `callsheet.testing` know
them; `sql` is imported by whoever needs it, since SQLAlchemy is slow to import.
"""
