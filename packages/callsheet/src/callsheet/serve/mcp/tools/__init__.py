"""The tools that clients call, a module for each noun."""
