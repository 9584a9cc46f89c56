"""Checking: whether a plan makes sense with the tools there are; every problem at once."""
