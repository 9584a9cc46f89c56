"""Tools as a provider may call them: a map of one request, there and back."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from callsheet.tools.specs.wire import LONGEST, wire_name

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHORT = 10


class Names:
    """The names of the tools of one request; no two are spelled the same."""

    def __init__(self, tools: Iterable[str]) -> None:
        self._written: dict[str, str] = {}
        self._meant: dict[str, str] = {}
        for name in tools:
            written = wire_name(name)
            if written in self._meant:
                digest = hashlib.sha256(name.encode()).hexdigest()[:_SHORT]
                written = f"{written[: LONGEST - _SHORT - 1]}-{digest}"
            self._written[name] = written
            self._meant[written] = name

    def written(self, name: str) -> str:
        """A tool's name as the provider takes it; also of one that is no longer offered."""
        return self._written.get(name) or wire_name(name)

    def meant(self, written: str) -> str:
        """The tool that a name stands for; one that was never offered stays as it was written."""
        return self._meant.get(written, written)

    def to_json(self) -> dict[str, str]:
        """Those that are spelled differently: as written, to the tool."""
        return {written: name for written, name in self._meant.items() if written != name}
