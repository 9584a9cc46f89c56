"""The tool `sh`: a program in a process group of its own, which ends with the call."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
from typing import TYPE_CHECKING, Annotated, cast

from typing_extensions import TypedDict, override

from callsheet.errors import DeniedError, FatalError, InvalidError
from callsheet.ports import Context
from callsheet.tools.lifeline import Lifeline, kill_group
from callsheet.tools.registry import tool

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.tools.registry import AnyTool

LARGEST = 1_000_000
"""Bytes that are kept of each stream."""
_TAIL = 2000
_LAST_WORDS = 1.0
"""Seconds for what is still in the pipes when the program has ended."""


class Ended(TypedDict):
    """What `sh` returns."""

    code: int
    """Negative: the signal that killed it."""
    stdout: str
    stderr: str
    truncated: bool


def shell_tools(root: Path) -> list[AnyTool]:
    """The tools. Programs run in the root, unless told otherwise."""
    from pydantic import Field

    @tool("sh", effect="write")
    async def sh(
        ctx: Context,
        command: Annotated[
            str | list[str], Field(description="text for /bin/sh, or a program and its arguments")
        ],
        cwd: str | None = None,
        check: Annotated[bool, Field(description="fail when the exit code is not 0")] = True,
    ) -> Ended:
        """Run a program: `code`, `stdout`, `stderr`, and whether they were `truncated`."""
        directory = root / (cwd or "")
        if not directory.is_dir():
            raise InvalidError(f"Wrong arguments: args.cwd {cwd!r} is not a directory.")
        running = await _start(_words(command), directory)
        try:
            await running.wait(ctx.grace)
        finally:
            running.cut()
        if check and running.code != 0:
            raise FatalError(f"The program {running.ending()}.")
        return running.output()

    return [sh]


def _words(command: str | list[str]) -> list[str]:
    words = ["/bin/sh", "-c", command] if isinstance(command, str) else command
    if not words or not words[0] or any("\0" in word for word in words):
        raise InvalidError("Wrong arguments: args.command is not a program and its arguments.")
    return words


async def _start(words: list[str], directory: Path) -> _Program:
    running = _Program()
    try:
        await asyncio.get_running_loop().subprocess_exec(
            lambda: running,
            *words,
            stdin=subprocess.DEVNULL,
            cwd=directory,
            start_new_session=True,
            pass_fds=running.life.pass_fds,
        )
    except BaseException as exc:
        running.cut()
        if isinstance(exc, PermissionError):
            raise DeniedError(f"{words[0]!r} may not be run: {exc.strerror}.") from exc
        if isinstance(exc, OSError):
            raise InvalidError(f"{words[0]!r} cannot be run: {exc.strerror}.") from exc
        raise
    return running


class _Program(asyncio.SubprocessProtocol):
    """A running program."""

    def __init__(self) -> None:
        self.life = Lifeline()
        self.code: int | None = None
        self._kept = {1: bytearray(), 2: bytearray()}
        self._truncated = False
        self._exited = asyncio.Event()
        self._silent = asyncio.Event()
        self._process: asyncio.SubprocessTransport | None = None

    async def wait(self, grace: float) -> None:
        """Wait for its end. When this is cancelled, it is told, and after the grace killed."""
        try:
            await self._exited.wait()
        except asyncio.CancelledError:
            await self._stop(grace)
            raise
        # What it has left running would hold the pipes open.
        self._kill()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORDS):
                await self._silent.wait()

    async def _stop(self, grace: float) -> None:
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.get_pid(), signal.SIGTERM)
        try:
            async with asyncio.timeout(grace):
                await self._exited.wait()
        except TimeoutError:
            self._kill()
            await self._exited.wait()

    def cut(self) -> None:
        """Kill what is left of it, and let go."""
        self._kill()
        self.life.cut()
        if self._process is not None:
            self._process.close()

    def output(self) -> Ended:
        """What it has to show."""
        assert self.code is not None
        stdout, stderr = (bytes(kept).decode(errors="replace") for kept in self._kept.values())
        return Ended(code=self.code, stdout=stdout, stderr=stderr, truncated=self._truncated)

    def ending(self) -> str:
        """How it ended, in words."""
        assert self.code is not None
        how = f"exited with code {self.code}"
        if self.code < 0:
            how = f"was killed by {signal.Signals(-self.code).name}"
        tail = bytes(self._kept[2][-_TAIL:]).decode(errors="replace").strip()
        return f"{how}: {tail}" if tail else how

    def _kill(self) -> None:
        if self._process is not None:
            kill_group(self._process.get_pid())

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._process = cast("asyncio.SubprocessTransport", transport)
        self.life.tie(self._process.get_pid())

    @override
    def pipe_data_received(self, fd: int, data: bytes) -> None:
        kept = self._kept[fd]
        room = LARGEST - len(kept)
        kept += data[:room]
        self._truncated = self._truncated or len(data) > room

    @override
    def process_exited(self) -> None:
        assert self._process is not None
        self.code = self._process.get_returncode()
        self._exited.set()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._silent.set()
