"""Plans: what they are, how they are read and written, and what a run of one is given."""
