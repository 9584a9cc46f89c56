"""The tools that come with Callsheet: their names, and how they are made.

Light to import: the tools themselves are made when one is asked for.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from callsheet.tools.builtin.backup import Backups

if TYPE_CHECKING:
    from callsheet.tools.outside.network import Network
    from callsheet.tools.registry import AnyTool

NAMES = (
    "wait",
    "value",
    "file.read",
    "file.write",
    "file.restore",
    "http.get",
    "http.request",
)
"""In the order in which `builtin_tools` makes them; `sh` comes on top where it is allowed."""
FILES = ("file.read", "file.write", "file.restore")
"""Those that reach the files of this machine."""
HTTP = ("http.get", "http.request")
"""Those that reach other machines."""
CONTEXT = ("context.get", "context.set", "context.restore")
"""Those that are about data that runs share: `builtin/context.py` makes them."""


def builtin_tools(
    *,
    allow_shell: bool = False,
    root: Path | None = None,
    backups: Backups | None = None,
    network: Network | None = None,
    home: Path | None = None,
) -> list[AnyTool]:
    """The tools `wait`, `value`, `file.…`, `http.…`; `sh` when allowed.

    Args:
        allow_shell: whether plans may run programs.
        root: paths are relative to it and may not lead out of it; None: the current directory.
        backups: what `file.write` keeps of what was there before, for its undo; None: in
            `.callsheet/undo` under the root. A run that goes on needs the same.
        network: what may be reached; None: public addresses.
        home: the engine's, which no plan may look into.
    """
    from callsheet.tools.builtin.file import HOME, Area, file_tools
    from callsheet.tools.builtin.plain import plain_tools
    from callsheet.tools.outside.http import http_tools

    base = (root or Path.cwd()).resolve()
    area = Area(
        root=base,
        never=(home.resolve(),) if home is not None else (),
        backups=backups or Backups(base / HOME / "undo"),
    )
    tools = [*plain_tools(), *file_tools(area), *http_tools(network)]
    if allow_shell:
        from callsheet.tools.outside.shell import shell_tools

        tools += shell_tools(base)
    return tools
