"""Tools that are not Python: programs and HTTP services."""
