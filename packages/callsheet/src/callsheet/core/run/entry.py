"""What every entry has: when it was written, and where its large fields stand."""

from __future__ import annotations

from datetime import datetime

import msgspec


# A fact holds what was known before it, and so never itself: the collector need not look at one.
class Entry(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="kind",
    tag=True,
    gc=False,
    forbid_unknown_fields=True,
):
    """One fact, and when it was written down."""

    at: datetime
    # Not an empty mapping: each entry would have its own.
    stored: dict[str, str] | None = None
    """Fields too large to stand here, and the digests under which their values are stored."""
