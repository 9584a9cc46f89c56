"""Conversations with an engine: which model answers, and the tools that steer runs.

    from callsheet.chat import Chat

The command `callsheet chat` shows what this does; a page or a bot can do the same.
"""

from callsheet.lazy import door

__getattr__, __all__ = door(__name__, __file__)
