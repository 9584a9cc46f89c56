"""One tenant of an engine: what it sees, and what it may do."""
