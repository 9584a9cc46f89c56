"""For apps on the engine: tables of their own, workers started ahead, and the network's rule.

`callsheet.apps.command` is for their commands.
"""

from callsheet.lazy import door

__getattr__, __all__ = door(__name__, __file__)
