"""What the tools about shared data work on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from callsheet.ports import Clock, ContextShelf


class ContextAccess:
    """A shelf and a clock, which are there once an engine is open; its tools are there before."""

    shelf: ContextShelf
    clock: Clock
