"""Opening homes: to look, or to drive."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, cast
from urllib.parse import urlsplit

import msgspec

import callsheet
from callsheet.cli.options import DEFAULT_HOME, TENANT
from callsheet.cli.place import Place
from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractAsyncContextManager

    from callsheet import Engine, Tool
    from callsheet.serve.door import Network
    from callsheet.types import Tenant, Toolroom

Sync: TypeAlias = Literal["full", "normal"]
CONFIGURATION = "callsheet.toml"


class Where(msgspec.Struct, frozen=True, kw_only=True):
    """A home, and the tools to drive it with, in the words of the command line."""

    home: Place
    tools: Sequence[str] = ()
    allow_shell: bool = False
    allow_private: bool = False
    plugins: bool | None = None
    """None: nothing is called, so none is needed."""
    config: Path | None = None
    files: Path | None = None

    @property
    def configuration(self) -> Path | None:
        """The configuration file: the one that is named, or that of the home, if it has one.

        Raises:
            ConfigurationError: it only lies in the home, and nobody has said that it is trusted.
        """
        own = self.home.directory / CONFIGURATION
        if self.config is not None or not own.is_file():
            return self.config
        from callsheet.types import Trust  # most homes have no configuration

        Trust().check(own)
        return own

    def command(self, verb: str, *words: str, tools: bool = False) -> str:
        """A command line that means the same place, to be copied."""
        line = ["callsheet", verb, *words]
        if tools:
            line += [word for tool in self.tools for word in ("--tools", tool)]
            line += ["--allow-shell"] if self.allow_shell else []
            line += ["--allow-private"] if self.allow_private else []
            line += ["--files", str(self.files)] if self.files is not None else []
            line += ["--no-plugins"] if self.plugins is False else []
            line += ["--config", str(self.config)] if self._names_config() else []
        if self.home == default_place():
            return shlex.join(line)
        option = "--server" if self.home.is_service else "--home"
        return shlex.join([*line, option, str(self.home)])

    def _names_config(self) -> bool:
        return self.config is not None and str(self.config) != os.environ.get("CALLSHEET_CONFIG")


def default_place() -> Place:
    """Where runs are kept if nobody says."""
    said = os.environ.get("CALLSHEET_SERVER") or os.environ.get("CALLSHEET_HOME")
    return Place.of(said) if said else DEFAULT_HOME


def looking(home: Place, *, served: bool = True) -> AbstractAsyncContextManager[Engine]:
    """An engine that reads and leaves requests; the home must be there.

    Raises:
        InputError: it is a service's, and what is to be done is not `served`.
    """
    if home.is_service:
        return _asking(home, served=served)
    return callsheet.Engine.open(home.opened, drive=False, artifacts=artifacts_of())


def owner_of(engine: Engine, home: Place, tenant: str) -> Engine | Tenant:
    """The engine for one tenant, whose saved plans are meant.

    Raises:
        InputError: it is a service, whose key says whose they are.
    """
    if tenant == TENANT:
        return engine
    if home.is_service:
        raise InputError("The service's key decides the tenant: leave out --tenant.")
    return engine.tenant(tenant)


def preparing(
    where: Where,
    tools: Iterable[Tool[..., object]] = (),
    *,
    in_memory: bool = False,
    reach: Network | None = None,
) -> Toolroom:
    """The tools that an engine in the home will have; nothing is opened, or written, yet.

    `reach` says which machines may be reached, if it is more than whether private ones may.
    """
    return callsheet.Engine.toolroom(
        None if in_memory else where.home.opened,
        tools,
        allow_shell=where.allow_shell,
        allow_private=where.allow_private if reach is None else reach,
        plugins=bool(where.plugins),
        config=where.configuration,
        files=where.files,
    )


def driving(
    where: Where,
    tools: Iterable[Tool[..., object]] | Toolroom = (),
    *,
    create: bool = False,
    sync: Sync = "full",
) -> AbstractAsyncContextManager[Engine]:
    """An engine that drives what it is told to, and nothing that it finds."""
    if where.home.is_service:
        return _asking(where.home)
    from callsheet.types import Toolroom  # with it comes the engine, which few commands need

    return callsheet.Engine.open(
        where.home.opened,
        tools if isinstance(tools, Toolroom) else preparing(where, tools),
        sync=sync,
        recover=False,
        create=create,
        artifacts=artifacts_of(),
        # Does nothing unless somebody has set OpenTelemetry up, as
        # `opentelemetry-instrument` does.
        telemetry=bool(os.environ.get("CALLSHEET_TELEMETRY")),
    )


def _asking(home: Place, *, served: bool = True) -> AbstractAsyncContextManager[Engine]:
    """A service, which is asked as an engine is."""
    if not served:
        raise InputError("This works on a home, not through a service: use --home.")
    from callsheet.client import Client

    # It has those verbs of an engine that commands use: their tests ask both.
    return cast("AbstractAsyncContextManager[Engine]", Client(str(home.opened), key_for(home)))


def key_for(home: Place) -> str | None:
    """The key that somebody has set; or that of the home here, for a service of this machine."""
    said = os.environ.get("CALLSHEET_KEY")
    if said:
        return said
    host = urlsplit(str(home.opened)).hostname or ""
    if host not in ("localhost", "127.0.0.1", "::1"):
        return None
    from callsheet.serve.access.local import found_key

    here = Place.of(os.environ.get("CALLSHEET_HOME") or DEFAULT_HOME)
    return found_key(here.directory)


def artifacts_of() -> str | None:
    """Where artifacts lie, if not in the home."""
    return os.environ.get("CALLSHEET_ARTIFACTS") or None
