"""JSON Schema: what it allows, and in which words a value that does not fit is refused."""
