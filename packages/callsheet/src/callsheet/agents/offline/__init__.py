"""The model that needs no key: it understands sentences that it knows, and says so of others."""
