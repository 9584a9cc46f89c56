"""Small data of our own: frozen, and declared in no time.

Every process declares some hundred of them when it starts. A frozen data class takes half a
millisecond each, as Python writes and compiles six functions for it; these take a hundredth.
"""

from __future__ import annotations

from typing import dataclass_transform

import msgspec


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Frozen(msgspec.Struct, frozen=True):
    """Has fields like a data class, compares and hashes by them, and never changes."""
