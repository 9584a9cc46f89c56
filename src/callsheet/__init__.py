"""Callsheet runs AI tool calls as plans."""
