"""One script for each revision of the engine's branch, named after it."""
