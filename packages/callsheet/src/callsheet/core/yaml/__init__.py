"""YAML, as plans are written in it: text to plain values with their places, and back."""
