"""Opening homes: to look, to drive, or to drive unless another process does."""

from __future__ import annotations

import os
import shlex
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from callsheet import Engine, StoreBusyError
from callsheet.cli.options import DEFAULT_HOME

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Sequence
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from callsheet import Tool

Sync: TypeAlias = Literal["full", "normal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """A home, and the tools to drive it with, in the words of the command line."""

    home: Path
    tools: Sequence[str] = ()
    allow_shell: bool = False

    def command(self, verb: str, *words: str, tools: bool = False) -> str:
        """A command line that means the same place, to be copied."""
        line = ["callsheet", verb, *words]
        if tools:
            line += [word for tool in self.tools for word in ("--tools", tool)]
            line += ["--allow-shell"] if self.allow_shell else []
        is_default = str(self.home) == os.environ.get("CALLSHEET_HOME", str(DEFAULT_HOME))
        return shlex.join(line if is_default else [*line, "--home", str(self.home)])


def looking(home: Path) -> AbstractAsyncContextManager[Engine]:
    """An engine that reads and leaves requests; the home must be there."""
    return Engine.open(home, drive=False)


def driving(
    where: Where,
    tools: Iterable[Tool[..., object]] = (),
    *,
    create: bool = False,
    sync: Sync = "full",
) -> AbstractAsyncContextManager[Engine]:
    """An engine that drives what it is told to, and nothing that it finds."""
    return Engine.open(
        where.home,
        tools,
        sync=sync,
        recover=False,
        create=create,
        allow_shell=where.allow_shell,
    )


@asynccontextmanager
async def driving_if_free(
    where: Where, tools: Iterable[Tool[..., object]] = (), *, create: bool = False
) -> AsyncIterator[Engine]:
    """An engine that drives; if another process does, one that looks."""
    async with AsyncExitStack() as stack:
        try:
            engine = await stack.enter_async_context(driving(where, tools, create=create))
        except StoreBusyError:
            engine = await stack.enter_async_context(looking(where.home))
        yield engine
