"""The tools that come with Callsheet."""
