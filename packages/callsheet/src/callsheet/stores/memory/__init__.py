"""A store in memory: the reference that the others are compared with."""
