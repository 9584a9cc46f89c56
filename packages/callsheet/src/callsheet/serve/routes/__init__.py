"""The routes, one module a noun. They translate requests into calls of the engine, and no more."""
