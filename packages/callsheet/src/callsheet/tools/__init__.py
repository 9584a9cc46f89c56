"""Tools: how they are declared, found and called. `callsheet.tools.registry` is the way in."""
