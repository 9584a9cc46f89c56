"""Putting an engine together: its tools, its store, its artifacts."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import msgspec

from callsheet.engine import custody
from callsheet.engine.home import open_store
from callsheet.engine.places import Home, located
from callsheet.engine.toolroom import Toolroom
from callsheet.engine.trust import Trust
from callsheet.errors import InputError
from callsheet.stores.artifacts.opening import open_artifacts
from callsheet.stores.threads import to_the_end

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping
    from pathlib import Path

    from callsheet.agents.agent import Agent
    from callsheet.agents.model import Model
    from callsheet.engine.home import Sync
    from callsheet.ports import ArtifactStore, Clock, Store
    from callsheet.tools.outside.network import Network
    from callsheet.tools.registry import AnyTool


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """Which tools are offered, beside those that are handed in."""

    allow_shell: bool
    allow_private: bool | Iterable[str] | Network
    plugins: bool | Iterable[str]
    config: str | Path | None
    files: str | Path | None = None
    agents: Iterable[Agent] = ()
    models: Mapping[str, Model] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said."""
        said = self.allow_shell, self.allow_private, self.plugins, self.config, self.files
        return not any(said) and not self.agents and not self.models


def toolroom_for(
    home: str | Path | None,
    tools: Iterable[AnyTool] | Toolroom,
    offer: Offer,
    *,
    reads_home: bool = True,
) -> Toolroom:
    """The room that was prepared; or one of these tools, and of what is offered.

    Unless it `reads_home`, the configuration that lies there is not looked at.
    """
    if isinstance(tools, Toolroom):
        if tools.home != home or not offer.is_empty:
            raise InputError(
                "The tools were prepared with Engine.toolroom: open the engine on the same home, "
                "and say allow_shell, allow_private, plugins, config, files, agents and models "
                "there, not here."
            )
        return tools
    from callsheet.tools.assembly import config_file

    file = config_file(home if reads_home else None, offer.config)
    if file is not None and offer.config is None:
        Trust().check(file)
    return Toolroom.of(
        home,
        tools,
        allow_shell=offer.allow_shell,
        allow_private=offer.allow_private,
        plugins=offer.plugins,
        file=file,
        files=offer.files,
        agents=offer.agents,
        models=offer.models,
    )


@asynccontextmanager
async def opened_stores(
    room: Toolroom,
    clock: Clock,
    *,
    sync: Sync,
    drive: bool,
    create: bool,
    artifacts: str | Path | None,
) -> AsyncIterator[tuple[Store, ArtifactStore, Path | None]]:
    """The store and the artifacts of a home, with the tools at work on them until they close."""
    home = Home.of(room.home)
    stack = AsyncExitStack()
    try:
        if home.directory is not None:
            # Beside a database nothing is made before there is something to keep.
            custody.take(home.directory, create=drive and create and home.address is None)
        store = await open_store(home, sync, drive=drive, create=create)
        if home.directory is not None:
            custody.close(home.directory)
        stack.push_async_callback(store.close)
        places = await located(home, store, artifacts)
        blobs = open_artifacts(places.artifacts, sync=sync, now=clock.now)
        stack.push_async_callback(blobs.close)
        await places.remember()
        room.join(store.context, clock, places.undo)
        stack.push_async_callback(room.tools.close)
        yield store, blobs, places.undo
    finally:
        # Whoever is cancelled here has let go of everything when he is told.
        await to_the_end(stack.aclose())
