"""Opening homes: to look, to drive, or to drive unless another process does."""

from __future__ import annotations

import os
import shlex
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Literal, TypeAlias

import callsheet
from callsheet import StoreBusyError
from callsheet.cli.early import collects_again
from callsheet.cli.options import DEFAULT_HOME
from callsheet.cli.place import Place
from callsheet.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Sequence
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from callsheet import Engine, Tool

Sync: TypeAlias = Literal["full", "normal"]
CONFIGURATION = "callsheet.toml"


class Where(Frozen, kw_only=True):
    """A home, and the tools to drive it with, in the words of the command line."""

    home: Place
    tools: Sequence[str] = ()
    allow_shell: bool = False
    allow_private: bool = False
    plugins: bool | None = None
    """None: nothing is called, so none is needed."""
    config: Path | None = None

    @property
    def configuration(self) -> Path | None:
        """The configuration file: the one that is named, or that of the home, if it has one."""
        own = self.home.directory / CONFIGURATION
        return self.config or (own if own.is_file() else None)

    def command(self, verb: str, *words: str, tools: bool = False) -> str:
        """A command line that means the same place, to be copied."""
        line = ["callsheet", verb, *words]
        if tools:
            line += [word for tool in self.tools for word in ("--tools", tool)]
            line += ["--allow-shell"] if self.allow_shell else []
            line += ["--allow-private"] if self.allow_private else []
            line += ["--no-plugins"] if self.plugins is False else []
            line += ["--config", str(self.config)] if self._names_config() else []
        is_default = self.home == Place.of(os.environ.get("CALLSHEET_HOME") or DEFAULT_HOME)
        return shlex.join(line if is_default else [*line, "--home", str(self.home)])

    def _names_config(self) -> bool:
        return self.config is not None and str(self.config) != os.environ.get("CALLSHEET_CONFIG")


def looking(home: Place) -> AbstractAsyncContextManager[Engine]:
    """An engine that reads and leaves requests; the home must be there."""
    return _begun(callsheet.Engine.open(home.opened, drive=False, artifacts=_artifacts()))


def trying(
    where: Where, tools: Iterable[Tool[..., object]] = ()
) -> AbstractAsyncContextManager[Engine]:
    """An engine in memory, with the tools that one in the home would have."""
    return _begun(
        callsheet.Engine.open(
            tools=tools,
            allow_shell=where.allow_shell,
            allow_private=where.allow_private,
            plugins=bool(where.plugins),
            config=where.configuration,
        )
    )


def driving(
    where: Where,
    tools: Iterable[Tool[..., object]] = (),
    *,
    create: bool = False,
    sync: Sync = "full",
) -> AbstractAsyncContextManager[Engine]:
    """An engine that drives what it is told to, and nothing that it finds."""
    return _begun(
        callsheet.Engine.open(
            where.home.opened,
            tools,
            sync=sync,
            recover=False,
            create=create,
            artifacts=_artifacts(),
            allow_shell=where.allow_shell,
            allow_private=where.allow_private,
            plugins=bool(where.plugins),
            config=where.configuration,
            # Does nothing unless somebody has set OpenTelemetry up, as
            # `opentelemetry-instrument` does.
            telemetry=bool(os.environ.get("CALLSHEET_TELEMETRY")),
        )
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


@asynccontextmanager
async def _begun(opened: AbstractAsyncContextManager[Engine]) -> AsyncIterator[Engine]:
    """An engine; by the time it is open, the command has been put together."""
    async with opened as engine:
        collects_again()
        yield engine


def _artifacts() -> str | None:
    """Where artifacts lie, if not in the home."""
    return os.environ.get("CALLSHEET_ARTIFACTS") or None
