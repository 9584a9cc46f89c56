"""The driver: does what the core decides, through ports, and journals what came of it."""
