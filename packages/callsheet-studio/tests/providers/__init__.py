"""Servers that speak the APIs of providers, on loopback, and fail as they do."""
