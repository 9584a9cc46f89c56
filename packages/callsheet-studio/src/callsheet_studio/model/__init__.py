"""The studio's objects: frozen pydantic models, each with a JSON Schema."""
