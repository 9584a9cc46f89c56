"""The studio's part of the service and of the MCP server, by entry points. They never decide."""
