"""The film: shots in motion, joined with their sound."""
