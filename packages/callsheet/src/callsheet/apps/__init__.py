"""For apps on the engine: tables of their own, and worker processes that are started ahead.

`callsheet.apps.command` is for their commands.
"""

from callsheet.lazy import door

__getattr__, __all__ = door(__name__, __file__)
