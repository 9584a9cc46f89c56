"""All tools of an engine: built in, handed in, of plug-ins and of the configuration."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from callsheet.errors import InputError
from callsheet.frozen import Frozen
from callsheet.tools.builtin import builtin_tools
from callsheet.tools.configuration import FILE, configuration_of, read_configuration
from callsheet.tools.network import network_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from callsheet.tools.declare import AnyTool


class Wishes(Frozen, kw_only=True):
    """What whoever opens an engine wants of its tools."""

    file: Path | None = None
    """The configuration."""
    plugins: bool | Iterable[str] = False
    allow_shell: bool = False
    allow_private: bool | Iterable[str] = False
    backups: Path | None = None
    """Where `file.write` keeps what its undo needs."""


class Assembly(Frozen):
    """What came of the wishes."""

    tools: list[AnyTool]
    later: Callable[[AnyTool], AnyTool]
    """Makes of a tool that comes later what the configuration wants."""


def assembled(tools: Iterable[AnyTool], wishes: Wishes) -> Assembly:
    """All tools.

    Raises:
        ConfigurationError: the configuration does not check.
        ToolDefinitionError: a plug-in is broken.
        InputError: what is said of the network is not understood.
    """
    file = wishes.file
    said = read_configuration(file) if file is not None else configuration_of({})
    try:
        network = network_of(wishes.allow_private).plus(said.network)
    except ValueError as exc:
        raise InputError(f"allow_private {exc}.") from exc
    builtin = builtin_tools(allow_shell=wishes.allow_shell, backups=wishes.backups, network=network)
    found = said.applied([*builtin, *_plugins(wishes.plugins), *tools], network)
    return Assembly(found, said.changed)


def _plugins(wanted: bool | Iterable[str]) -> list[AnyTool]:
    if wanted is False:
        return []
    from callsheet.tools.plugins import plugin_tools

    return plugin_tools(wanted)


def config_file(home: str | Path | None, config: str | Path | None) -> Path | None:
    """The configuration file: the one that is named, or the one in the home, if there is one."""
    if config is not None:
        return Path(config)
    if home is None or "://" in str(home):
        return None
    file = Path(home) / FILE
    return file if file.is_file() else None
