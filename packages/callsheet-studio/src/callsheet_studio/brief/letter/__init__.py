"""Letters: whom each of their sentences is for."""
