"""What the tools of an engine make use of, and where they came from."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from callsheet.core.run.provisions import LOADED, Provisions, Source
from callsheet.tools.load import tools_in
from callsheet.tools.plugins import GROUP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from callsheet.tools.function.declare import AnyTool
    from callsheet.tools.outside.network import Network

_OURS = "callsheet."
_FILES = "file."
_SHELL = "sh"


class Provider(msgspec.Struct, frozen=True, kw_only=True):
    """Says what runs of an engine may use."""

    found: Callable[[str], AnyTool | None]
    root: Path
    """The directory that `file.…` may use."""
    network: Network
    http: frozenset[str]
    """The tools that reach for addresses."""
    config: Path | None
    declared: frozenset[str]
    """The tools that the configuration declares."""
    has_plugins: bool

    def provisions(self, tools: Iterable[str], secrets: Iterable[str]) -> Provisions:
        """What a run of these tools may use, that names these secrets."""
        names = sorted(tools)
        uses_files = any(name.startswith(_FILES) for name in names)
        return Provisions(
            sources=tuple(self._sources(names)),
            files=str(self.root) if uses_files else "",
            secrets=tuple(sorted(secrets)),
            private=self._private() if self.http.intersection(names) else (),
            shell=_SHELL in names,
        )

    def _private(self) -> tuple[str, ...]:
        if self.network.everything:
            return ("*",)
        return (*sorted(self.network.hosts), *map(str, self.network.blocks))

    def _sources(self, names: Iterable[str]) -> Iterable[Source]:
        grouped: dict[tuple[str, str, bool], list[str]] = {}
        for name in names:
            if name in self.declared and self.config is not None:
                place = ("", str(self.config.resolve()), False)
            else:
                place = _place_of(self.found(name))
            if any(place):
                grouped.setdefault(place, []).append(name)
        for (module, file, handed_in), own in sorted(grouped.items()):
            yield Source(
                tools=tuple(own),
                module=module,
                file=file,
                app=self._app_of(module),
                digest=digest_of(file),
                handed_in=handed_in,
            )

    def _app_of(self, module: str) -> str:
        if not self.has_plugins or not module or module.startswith(LOADED):
            return ""
        from importlib.metadata import entry_points

        top = module.partition(".")[0]
        for point in entry_points(group=GROUP):
            if point.module.partition(".")[0] == top and point.dist is not None:
                return point.dist.name
        return ""


def _place_of(tool: AnyTool | None) -> tuple[str, str, bool]:
    """The module of a tool, its file, and whether the tool is found there by whoever loads it."""
    name = (getattr(tool.function, "__module__", None) or "") if tool is not None else ""
    if tool is None or name.startswith(_OURS):
        return "", "", False
    module = sys.modules.get(name)
    file = getattr(module, "__file__", None)
    # By their functions: a configuration makes another tool of one.
    there = [each.function for each in tools_in(module)] if module is not None else []
    is_there = name != "__main__" and tool.function in there
    return name, str(Path(file).resolve()) if file else "", not is_there


def digest_of(file: str) -> str:
    """What a file holds now; empty: it cannot be read."""
    try:
        with Path(file).open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return ""
