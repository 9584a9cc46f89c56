"""All tools of an engine: built in, handed in, of plug-ins and of the configuration."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from callsheet.core.grants import Grants
from callsheet.errors import InputError
from callsheet.tools.builtin.access import ContextAccess
from callsheet.tools.builtin.backup import Backups
from callsheet.tools.builtin.catalog import CONTEXT, FILES, HTTP, NAMES, builtin_tools
from callsheet.tools.configuration import FILE, Configuration, configuration_of, read_configuration
from callsheet.tools.outside.network import Network, network_of
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from callsheet.ports import Clock, ContextShelf
    from callsheet.tools.function.declare import AnyTool
    from callsheet.tools.provisions import Provider


class Wishes(msgspec.Struct, frozen=True, kw_only=True):
    """What whoever opens an engine wants of its tools."""

    file: Path | None = None
    """The configuration."""
    plugins: bool | Iterable[str] = False
    allow_shell: bool = False
    allow_private: bool | Iterable[str] | Network = False
    home: Path | None = None
    """Where what belongs to the engine lies: no plan may look into it."""
    files: Path | None = None
    """The directory that `file.…` may use; None: what the configuration says, or the current."""


class Assembly(msgspec.Struct, frozen=True, kw_only=True):
    """What came of the wishes."""

    tools: list[AnyTool]
    later: Callable[[AnyTool], AnyTool]
    """Makes of a tool that comes later what the configuration wants."""
    is_configured: bool
    """What the configuration says is checked with all tools: all are made at once."""
    builtin: Callable[[], list[AnyTool]]
    names: tuple[str, ...]
    """Of the built-in tools."""
    access: ContextAccess
    """What the tools about shared data work on."""
    backups: Backups
    """What `file.write` keeps for its undo."""
    grants: Grants
    """To whom secrets are given."""
    said: Configuration
    """The configuration: what it says of models and turns is not about tools."""
    plugins: Callable[[], list[AnyTool]] | None = None
    """The tools of plug-ins, unless they have been loaded."""
    provider: Callable[[Registry], Provider]
    """Says what runs of an engine with these tools may use."""
    of_apps: frozenset[str] = frozenset()
    """The tools of plug-ins that have been loaded."""
    programs: frozenset[str] = frozenset()
    """The tools that are programs which the configuration names."""
    mcp_secrets: frozenset[str] = frozenset()
    """The secrets that plans of MCP clients may name."""

    def registry(self) -> Registry:
        """A registry with the tools.

        Raises:
            ConfigurationError: one cannot be as the configuration wants it.
            ToolDefinitionError: there are two of one name.
        """
        registry = Registry(self.tools)
        registry.are_of_apps(self.of_apps)
        if self.is_configured:
            for each in self._context():
                registry.add(self.later(each))
        else:
            registry.add_later(self.names, self.builtin)
            registry.add_later(CONTEXT, self._context)
        if self.plugins is not None:
            registry.look_in(self.plugins)
        return registry

    def _context(self) -> list[AnyTool]:
        from callsheet.tools.builtin.context import context_tools

        return context_tools(self.access)

    def join(self, shelf: ContextShelf, clock: Clock, undo: Path | None) -> None:
        """An engine is open: its tools have something to work on, and a place for backups."""
        self.access.shelf, self.access.clock = shelf, clock
        if undo is not None:
            self.backups.lie_in(undo)


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
    root = _root_of(wishes.files or said.files)
    backups = Backups(root / ".callsheet" / "undo")

    def builtin() -> list[AnyTool]:
        return builtin_tools(
            allow_shell=wishes.allow_shell,
            root=root,
            backups=backups,
            network=network,
            home=wishes.home,
        )

    def plugins() -> list[AnyTool]:
        from callsheet.tools.plugins import plugin_tools

        return plugin_tools(wishes.plugins)

    names = (*NAMES, "sh") if wishes.allow_shell else NAMES
    is_configured = file is not None
    # Else loaded once a plan needs one of them: an app that is installed slows nobody else down.
    loaded = plugins() if wishes.plugins and is_configured else []
    now = [*builtin(), *loaded] if is_configured else []
    http = frozenset({*HTTP, *said.services})

    def provider(registry: Registry) -> Provider:
        from callsheet.tools.provisions import Provider

        return Provider(
            found=registry.tool,
            root=root,
            network=network,
            http=http,
            config=file,
            declared=frozenset({*said.programs, *said.services}),
            has_plugins=bool(wishes.plugins),
        )

    return Assembly(
        tools=said.applied([*now, *tools], network),
        later=said.changed,
        is_configured=is_configured,
        builtin=builtin,
        names=names,
        access=ContextAccess(),
        backups=backups,
        said=said,
        grants=Grants(
            secrets=said.secrets,
            tools=said.tenants,
            http=http,
            machine=_reaching(said, network),
        ),
        plugins=plugins if wishes.plugins and not is_configured else None,
        provider=provider,
        of_apps=frozenset(each.spec.name for each in loaded),
        programs=frozenset(said.programs),
        mcp_secrets=frozenset(said.mcp_secrets),
    )


def _reaching(said: Configuration, network: Network) -> frozenset[str]:
    """The tools through which a plan gets at this machine, or at what only it can reach."""
    found = {"sh", *FILES, *said.programs}
    if network.everything or network.hosts or network.blocks:
        found |= {*HTTP, *said.services}
    return frozenset(found)


def _root_of(files: Path | None) -> Path:
    """The directory that plans may use, as it is now: it stays that, whatever becomes of links."""
    if files is None:
        return Path.cwd()
    root = files.expanduser().resolve()
    if not root.is_dir():
        raise InputError(f"--files {str(files)!r} is not a directory. Make it, or name another.")
    return root


def config_file(home: str | Path | None, config: str | Path | None) -> Path | None:
    """The configuration file: the one that is named, or the one in the home, if there is one."""
    if config is not None:
        return Path(config)
    if home is None or "://" in str(home):
        return None
    file = Path(home) / FILE
    return file if file.is_file() else None
