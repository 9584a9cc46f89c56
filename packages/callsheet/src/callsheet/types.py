"""What comes back from an engine: results, heads, items, reports. Nobody has to make one.

Except `Problems`, for whoever reads what others have written: it collects all that is wrong.
"""

from callsheet.lazy import door

__getattr__, __all__ = door(__name__, __file__)
