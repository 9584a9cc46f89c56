"""Plans that a model writes, run while it writes them."""
