"""Doors over a network: they translate, and never decide."""
