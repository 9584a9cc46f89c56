"""Which call an undo takes back: that of its own step, and of no other.

The key of that call is known from the context. What stands in the arguments is not looked at: it
could be the key of another tenant's run.
"""

from __future__ import annotations

from callsheet.core.ids import UNDO
from callsheet.errors import DeniedError

UNDO_ONLY = "not looked at: an undo takes back the call of its own step"


def written_by(key: str, tool: str) -> str:
    """The key of the call that the undo with this key takes back.

    Raises:
        DeniedError: it is not an undo.
    """
    if not key.endswith(UNDO):
        raise DeniedError(f"This is the undo of {tool} and cannot be called as a step.")
    return key.removesuffix(UNDO)
