"""What a run may use: its tools with where they came from, files, secrets, addresses.

It is recorded when the run starts, and decides nothing: whoever goes on with the run is told, and
nobody goes on by himself who has something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.core.plan.plan import Document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.core.value import Json


class Source(Document, frozen=True):
    """Where some of its tools came from; what is built in came from nowhere."""

    tools: tuple[str, ...]
    module: str = ""
    """As it was imported."""
    file: str = ""
    """What it was loaded from."""
    app: str = ""
    """The distribution that brought it as a plug-in."""
    digest: str = ""
    """Of the file, when the run was started."""
    handed_in: bool = False
    """Some are objects of a program, which nobody else can load."""

    def to_json(self) -> dict[str, Json]:
        """As plain data, without what is merely default."""
        built: dict[str, Json] = msgspec.to_builtins(self)
        return built

    @property
    def reference(self) -> str:
        """What `--tools` takes; empty: they are there anyway, or cannot be had that way."""
        if self.app or self.handed_in or self.is_configuration:
            return ""
        return self.file if self.module.startswith(LOADED) else self.module

    @property
    def is_configuration(self) -> bool:
        """Whether a configuration declares them."""
        return self.file.endswith(".toml")


LOADED = "callsheet_tools_"
"""How the name of a module begins that is just a file."""


class Offered(Document, frozen=True):
    """What the door offers that a run came in by: steps that are added later are held to it."""

    tools: tuple[str, ...]
    secrets: tuple[str, ...] | None = None
    """The names of those that may be given to its calls; None: all that are granted."""


class Provisions(Document, frozen=True):
    """What a run may use, as far as its plan makes use of it."""

    sources: tuple[Source, ...] = ()
    files: str = ""
    """The directory that its files are read from and written to."""
    secrets: tuple[str, ...] = ()
    """The names of those that it was given."""
    private: tuple[str, ...] = ()
    """Hosts and blocks that are not public and may be reached; `*`: all."""
    shell: bool = False
    offered: Offered | None = None
    """Of an open run that came in by a door: what it may use of all that is added to it. Its files,
    addresses and shell are then those of all tools that were offered."""

    def to_json(self) -> dict[str, Json]:
        """As plain data, without what is merely default."""
        built: dict[str, Json] = msgspec.to_builtins(self)
        return built

    def lacking(self, here: Provisions) -> Iterable[str]:
        """What of it is not as it is here; a secret that is not set is denied to a call."""
        if self.files != here.files:
            yield f"files in {self.files or 'no directory'} (here: {here.files or 'none'})"
        if self.private != here.private:
            yield f"private addresses: {', '.join(self.private) or 'none'}"
        if self.shell != here.shell:
            yield "the tool sh" if self.shell else "no shell"
