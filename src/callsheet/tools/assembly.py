"""All tools of an engine: built in, handed in, of plug-ins and of the configuration."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from callsheet.errors import InputError
from callsheet.frozen import Frozen
from callsheet.tools.configuration import FILE, configuration_of, read_configuration
from callsheet.tools.network import network_of
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from callsheet.ports import Clock, ContextShelf
    from callsheet.tools.declare import AnyTool

BUILTIN = (
    *("wait", "value", "file.read", "file.write", "file.restore", "http.get", "http.request"),
)
"""The names of the built-in tools; `sh` comes on top."""
CONTEXT = ("context.get", "context.set", "context.restore")
"""The names of those that are about data that runs share."""


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
    is_configured: bool
    """What the configuration says is checked with all tools: all are made at once."""
    builtin: Callable[[], list[AnyTool]]
    names: tuple[str, ...]
    """Of the built-in tools."""

    def registry(self) -> Registry:
        """A registry with the tools.

        Raises:
            ToolDefinitionError: there are two of one name.
        """
        registry = Registry(self.tools)
        if not self.is_configured:
            registry.add_later(self.names, self.builtin)
        return registry

    def add_context(self, registry: Registry, shelf: ContextShelf, clock: Clock) -> None:
        """Add the tools that are about data that runs share.

        Raises:
            ConfigurationError: one cannot be as the configuration wants it.
            ToolDefinitionError: there is another tool of such a name.
        """

        def make() -> list[AnyTool]:
            from callsheet.tools.context import context_tools

            return context_tools(shelf, clock)

        if not self.is_configured:
            registry.add_later(CONTEXT, make)
            return
        for each in make():
            registry.add(self.later(each))


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
    here = Path.cwd()

    def builtin() -> list[AnyTool]:
        # Imported here: few plans call one, and each takes a while to declare.
        from callsheet.tools.builtin import builtin_tools

        return builtin_tools(
            allow_shell=wishes.allow_shell, backups=wishes.backups, network=network, here=here
        )

    given = [*_plugins(wishes.plugins), *tools]
    found = said.applied([*builtin(), *given] if file is not None else given, network)
    names = (*BUILTIN, "sh") if wishes.allow_shell else BUILTIN
    return Assembly(found, said.changed, file is not None, builtin, names)


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
