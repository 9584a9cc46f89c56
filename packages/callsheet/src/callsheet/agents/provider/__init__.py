"""Models of providers, reached with pydantic-ai: the only place that knows that library."""
