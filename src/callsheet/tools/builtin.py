"""The tools that come with Callsheet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typing_extensions import TypedDict

from callsheet.ports import Context
from callsheet.tools.backup import Backups
from callsheet.tools.file import Area, file_tools
from callsheet.tools.http import http_tools
from callsheet.tools.registry import tool

if TYPE_CHECKING:
    from callsheet.tools.network import Network
    from callsheet.tools.registry import AnyTool

WAIT_AT_MOST = 366 * 86_400


class Waited(TypedDict):
    """What `wait` returns."""

    waited: float


def builtin_tools(
    *,
    allow_shell: bool = False,
    root: Path | None = None,
    backups: Path | None = None,
    network: Network | None = None,
    here: Path | None = None,
) -> list[AnyTool]:
    """The tools `wait`, `value`, `file.…`, `http.…`; `sh` when allowed.

    Args:
        allow_shell: whether plans may run programs.
        root: paths are relative to it and may not lead out of it; None: relative to `here`, and
            any path will do.
        backups: where `file.write` keeps what was there before, for its undo; None:
            `.callsheet/undo` under the root. A run that goes on needs the same place.
        network: what may be reached; None: public addresses.
        here: None: the current directory.
    """
    base = (root or here or Path.cwd()).resolve()
    area = Area(
        root=base,
        confined=root is not None,
        backups=Backups((backups or base / ".callsheet" / "undo").resolve()),
    )
    tools = [*_plain_tools(), *file_tools(area), *http_tools(network)]
    if allow_shell:
        from callsheet.tools.shell import shell_tools

        tools += shell_tools(base)
    return tools


def _plain_tools() -> list[AnyTool]:
    from pydantic import Field

    @tool("wait")
    async def wait(seconds: Annotated[float, Field(ge=0, le=WAIT_AT_MOST)], ctx: Context) -> Waited:
        """Wait so many seconds."""
        await ctx.sleep(seconds)
        return Waited(waited=seconds)

    @tool("value")
    async def value(value: Any) -> Any:
        """Return the value it is given: to name something, or to try a plan out."""
        return value

    return [wait, value]
