"""Servers of the peers: on the loopback, as children of the program, stopped by their pid."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

LOOPBACK = "127.0.0.1"
START_SECONDS = 30.0
STOP_SECONDS = 10.0
SCRATCH_DEPTH = 3
"""The directory of the program, of the contests, of the benchmark."""


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def server(
    command: Sequence[str],
    *,
    log: Path,
    up: Callable[[], bool],
    env: Mapping[str, str] | None = None,
    **options: Any,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server until the block ends, whatever ends it."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=out, stdin=subprocess.DEVNULL, env=env, **options
        )
        try:
            _wait_until(up, process, log)
            yield process
        finally:
            stop(process)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ask it to end; after a while, end it."""
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def listens(port: int) -> bool:
    """Whether somebody answers there."""
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex((LOOPBACK, port)) == 0


def beside(name: str) -> str:
    """A program of this environment."""
    return str(Path(sys.executable).with_name(name))


def unprivileged(*owned: Path) -> dict[str, Any]:
    """How to start what refuses to be root: as nobody, who is given these directories.

    The scratch directories above them, which are ours, are opened for passing through.
    """
    if os.geteuid() != 0:
        return {}
    import pwd

    nobody = pwd.getpwnam("nobody")
    for place in owned:
        os.chown(place, nobody.pw_uid, nobody.pw_gid)
        for parent in place.parents[:SCRATCH_DEPTH]:
            parent.chmod(parent.stat().st_mode | 0o011)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


@contextmanager
def postgres(bin_: Path, scratch: Path) -> Iterator[str]:
    """A PostgreSQL server with its stock settings; gives the address of its database."""
    data, log, port = scratch / "data", scratch / "postgres.log", free_port()
    data.mkdir(mode=0o700)
    as_user = {"cwd": data, **unprivileged(data)}
    subprocess.run(
        [bin_ / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8"],
        check=True,
        stdout=subprocess.DEVNULL,
        **as_user,
    )
    command = [str(bin_ / "postgres"), "-D", str(data), "-p", str(port), "-h", LOOPBACK, "-k", ""]
    with server(command, log=log, up=lambda: listens(port), **as_user):
        yield f"postgresql://postgres@{LOOPBACK}:{port}/postgres"


def _wait_until(up: Callable[[], bool], process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while not up():
        if process.poll() is not None or time.monotonic() > end:
            tail = log.read_text("utf-8", "replace").strip()[-300:]
            raise RuntimeError(f"{Path(str(process.args[0])).name} did not come up: {tail}")  # type: ignore[index]
        time.sleep(0.05)
