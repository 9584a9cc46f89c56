"""The migrations of the guest book: one script for each revision."""
