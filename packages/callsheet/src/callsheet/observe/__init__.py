"""Telling the world outside what runs do: spans, metrics, alerts. All of it listens."""
