"""Names that have changed: the old one still works, and says what it is called now."""

from __future__ import annotations

import warnings


def renamed(old: str, new: str, *, up: int = 3) -> None:
    """Tell whoever calls a method by its old name; `up`: how many calls away they are."""
    message = f"`{old}` is called `{new}` now, and goes with the next version."
    warnings.warn(message, DeprecationWarning, stacklevel=up)
