"""Callsheet as an MCP server: agents check plans, start runs, watch and undo them; a run is a task.

Needs the extra `mcp`; nothing else imports it.
"""
