"""No provider's test leaves this machine."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from tests.unit.providers.loopback import LeftLoopbackError

LOOPBACK = {"127.0.0.1", "::1"}


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is connected to, and no name is asked for, beyond this machine."""
    connect, resolve = socket.socket.connect, socket.getaddrinfo

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and address[0] not in LOOPBACK:
            raise LeftLoopbackError(address)
        connect(self, address)

    def known(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host not in LOOPBACK:
            raise LeftLoopbackError(host)
        return resolve(host, *args, **kwargs)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    monkeypatch.setattr(socket, "getaddrinfo", known)
