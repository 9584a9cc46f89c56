"""The migrations of `notes`, a client that the contract tests play."""
