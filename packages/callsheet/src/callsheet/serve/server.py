"""Listening: a socket, an engine behind it, and an orderly end."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import socket
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

import msgspec
import uvicorn
from typing_extensions import override

from callsheet.errors import CallsheetError, InputError
from callsheet.runtime.log import log
from callsheet.serve.app import application, gated
from callsheet.serve.http.protocol import Connection
from callsheet.serve.service import Service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

    from fastapi import APIRouter, FastAPI

    from callsheet.engine.engine import Engine
    from callsheet.serve.service import Settings

GRACE = 10
"""Seconds that requests have to end in when the service closes."""
HEAD = 65_536
"""Bytes that the head of a request may have."""
BACKLOG = 2048
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Address(msgspec.Struct, frozen=True):
    """Where the service listens."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """As it is written in a browser."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "") else self.host  # noqa: S104 -- to say where
        host = "::1" if host == "::" else host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"


def is_local(host: str) -> bool:
    """Whether nobody but this machine reaches a host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listening(host: str, port: int) -> tuple[socket.socket, Address]:
    """A socket that listens, and where.

    Raises:
        InputError: somebody else does already, or it cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(BACKLOG)
        found.setblocking(False)
    except (OSError, OverflowError) as exc:
        found.close()
        why = getattr(exc, "strerror", None) or str(exc)
        raise InputError(
            f"Cannot listen on {host}:{port}: {why}. Choose another with --port, or --port 0."
        ) from exc
    return found, Address(host, found.getsockname()[1])


class _Server(uvicorn.Server):
    """Uvicorn's, that lets streams go first when it ends."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    @override
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Hear of signals, and end by ourselves: the engine closes in good order after this."""
        loop = asyncio.get_running_loop()
        for each in SIGNALS:
            loop.add_signal_handler(each, self._told_to_end)
        try:
            yield
        finally:
            for each in SIGNALS:
                loop.remove_signal_handler(each)

    def _told_to_end(self) -> None:
        # The second time nobody is waited for any more.
        self.force_exit = self.should_exit
        self.should_exit = True

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._service.close()
        await super().shutdown(sockets)


async def serve(
    engine: Engine,
    settings: Settings,
    listener: socket.socket,
    *,
    routes: Sequence[APIRouter] = (),
    mounted: Callable[[FastAPI], None] | None = None,
    ready: Callable[[], None] | None = None,
) -> None:
    """Serve an engine until the process is told to end; what was interrupted goes on meanwhile.

    Args:
        engine: opened with `recover=False`: nobody waits for what is taken up.
        settings: how whoever asks is treated.
        listener: a socket that listens.
        routes: those of apps.
        mounted: may mount more on the application.
        ready: called when requests are answered.
    """
    async with Service(engine, settings) as service, recovering(engine):
        app = application(service, routes)
        if mounted is not None:
            mounted(app)
        config = uvicorn.Config(
            gated(app),
            http=Connection,
            loop="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=GRACE,
            h11_max_incomplete_event_size=HEAD,
            ws="none",
        )
        server = _Server(config, service)
        if ready is not None:
            ready()
        await server.serve(sockets=[listener])


@asynccontextmanager
async def recovering(engine: Engine) -> AsyncIterator[None]:
    """Go on with what was interrupted, while others are served."""
    async with asyncio.TaskGroup() as group:
        task = group.create_task(_recover(engine), name="callsheet-recover")
        try:
            yield
        finally:
            task.cancel()


async def _recover(engine: Engine) -> None:
    if engine.driving:
        try:
            await engine.runtime.recover()
        except CallsheetError as error:
            log.warning("runs.unrecovered", error=error.message)
