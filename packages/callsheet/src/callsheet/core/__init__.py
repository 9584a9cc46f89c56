"""The pure core: plans, entries, and what should happen next.

No clock, no I/O, no randomness, no concurrency. Everything here depends on its arguments alone,
which is what makes a run replayable.
"""
