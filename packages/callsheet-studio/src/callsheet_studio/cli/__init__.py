"""The studio's commands, offered to `callsheet` by entry point."""
