"""Listening: a socket, an engine behind it, and an orderly end."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import uvicorn
from fastapi import APIRouter, FastAPI
from typing_extensions import override

from callsheet.errors import CallsheetError, InputError
from callsheet.runtime.log import log
from callsheet.serve.alongside import alongside
from callsheet.serve.app import application, gated
from callsheet.serve.http.protocol import Connection
from callsheet.serve.service import Service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from callsheet.engine.engine import Engine
    from callsheet.serve.service import Settings

GRACE = 10
"""Seconds that requests have to end in when the service closes."""
BACKLOG = 2048
SIGNALS = (signal.SIGINT, signal.SIGTERM)
COLLECTS = (10_000, 20, 20)
"""How many new objects the collector waits for: every request makes hundreds, few in a cycle."""


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
    # Named as TCP: only of such a socket asyncio sends what is written at once. Else an answer's
    # body waits 40 ms for the other side to acknowledge its head.
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
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
    """Uvicorn's, that lets streams go first when it ends, and hears no signals."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    @override
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # Uvicorn would raise them again, and the engine would have no time to close.
        yield

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._service.close()
        await super().shutdown(sockets)


class Extras(msgspec.Struct, frozen=True, kw_only=True):
    """What is served beside the routes of the service itself."""

    routes: Sequence[APIRouter] = ()
    """Those of apps."""
    mount: Callable[[FastAPI], None] | None = None
    """May mount what speaks another protocol."""


@asynccontextmanager
async def running(
    engine: Engine, settings: Settings, listener: socket.socket, extras: Extras | None = None
) -> AsyncIterator[Service]:
    """Serve an engine for as long as the block goes on; at its end, requests have a grace.

    What was interrupted goes on meanwhile, if the engine was opened with `recover=False`: nobody
    waits for it.
    """
    extras = extras or Extras()
    async with Service(engine, settings) as service, alongside(recover=_recover(engine)):
        app = application(service, extras.routes)
        if extras.mount is not None:
            extras.mount(app)
        config = uvicorn.Config(
            gated(app),
            http=Connection,
            loop="none",
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=GRACE,
            ws="none",
        )
        server = _Server(config, service)
        service.force = partial(setattr, server, "force_exit", True)
        over = asyncio.Event()
        async with alongside(serve=_until_over(server, listener, over)):
            try:
                yield service
            finally:
                server.should_exit = True
                await over.wait()


def settle() -> None:
    """Let the collector of this process leave alone what is there by now.

    Else it goes through every module and every schema again and again, up to 0.1 s each time, in
    the middle of somebody's request.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTS)


async def _until_over(server: _Server, listener: socket.socket, over: asyncio.Event) -> None:
    try:
        await server.serve(sockets=[listener])
    finally:
        over.set()


async def serve(
    engine: Engine,
    settings: Settings,
    listener: socket.socket,
    *,
    extras: Extras | None = None,
    ready: Callable[[], None] | None = None,
) -> None:
    """Serve an engine until the process is told to end, by Ctrl-C or SIGTERM.

    The second time nobody is waited for any more. `ready` is called when requests are answered.
    """
    loop, told = asyncio.get_running_loop(), asyncio.Event()
    for each in SIGNALS:
        loop.add_signal_handler(each, told.set)
    try:
        async with running(engine, settings, listener, extras) as service:
            settle()
            if ready is not None:
                ready()
            await told.wait()
            for each in SIGNALS:
                loop.add_signal_handler(each, service.force)
    finally:
        for each in SIGNALS:
            loop.remove_signal_handler(each)


async def _recover(engine: Engine) -> None:
    if engine.driving:
        try:
            await engine.runtime.recover()
        except CallsheetError as error:
            log.warning("runs.unrecovered", error=error.message)
