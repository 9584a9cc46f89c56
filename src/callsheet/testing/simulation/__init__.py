"""Whole lives of an engine in milliseconds, each from one seed."""
