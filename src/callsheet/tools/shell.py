"""The tool `sh`: a program in a process group of its own, which ends with the call."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
from typing import IO, TYPE_CHECKING, Annotated

from typing_extensions import TypedDict

from callsheet.errors import FatalError, InvalidError
from callsheet.ports import Context
from callsheet.tools.child import Child
from callsheet.tools.registry import tool

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.tools.registry import AnyTool

LARGEST = 1_000_000
"""Bytes that are kept of each stream."""
_TAIL = 2000
_CHUNK = 65_536
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
        running = _start(_words(command), directory)
        try:
            await running.wait(ctx.grace)
        finally:
            running.let_go()
        if check and running.code != 0:
            raise FatalError(f"The program {running.ending()}.")
        return running.output()

    return [sh]


def _words(command: str | list[str]) -> list[str]:
    words = ["/bin/sh", "-c", command] if isinstance(command, str) else command
    if not words or not words[0] or any("\0" in word for word in words):
        raise InvalidError("Wrong arguments: args.command is not a program and its arguments.")
    return words


def _start(words: list[str], directory: Path) -> _Program:
    program = words[0]
    path = directory / program if "/" in program else program
    if shutil.which(path) is None:
        raise InvalidError(f"There is no program {program!r} that may be run.")
    try:
        return _Program(words, directory)
    except OSError as exc:
        raise FatalError(f"{program!r} cannot be run: {exc.strerror}.") from exc


class _Program:
    """A running program."""

    def __init__(self, words: list[str], directory: Path) -> None:
        self.code: int | None = None
        self._exited = asyncio.Event()
        self._child = Child(
            words,
            ended=self._note_end,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=directory,
        )
        self._streams = [_Stream(pipe) for pipe in self._child.outputs if pipe is not None]

    async def wait(self, grace: float) -> None:
        """Wait for its end. When this is cancelled, it is told, and after the grace killed."""
        try:
            await self._exited.wait()
        except asyncio.CancelledError:
            await self._stop(grace)
            raise
        # Only a process that has left the group can still hold a pipe open.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORDS):
                for stream in self._streams:
                    await stream.ended.wait()

    async def _stop(self, grace: float) -> None:
        self._child.signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(grace):
                await self._exited.wait()
        except TimeoutError:
            self._child.kill()
            await self._exited.wait()

    def let_go(self) -> None:
        """Kill it if it still runs, and listen no longer."""
        self._child.kill()
        for stream in self._streams:
            stream.close()

    def output(self) -> Ended:
        """What it has to show."""
        assert self.code is not None
        stdout, stderr = self._streams
        truncated = stdout.truncated or stderr.truncated
        return Ended(
            code=self.code, stdout=stdout.text(), stderr=stderr.text(), truncated=truncated
        )

    def ending(self) -> str:
        """How it ended, in words."""
        assert self.code is not None
        how = f"exited with code {self.code}"
        if self.code < 0:
            how = f"was killed by {signal.Signals(-self.code).name}"
        tail = self._streams[1].text()[-_TAIL:].strip()
        return f"{how}: {tail}" if tail else how

    def _note_end(self, code: int) -> None:
        self.code = code
        self._exited.set()


class _Stream:
    """The beginning of what comes out of a pipe. The rest is read too, lest the program hang."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self.ended = asyncio.Event()
        self.truncated = False
        self._kept = bytearray()
        self._pipe = pipe
        self._loop = asyncio.get_running_loop()
        os.set_blocking(pipe.fileno(), False)
        self._loop.add_reader(pipe.fileno(), self._read)

    def text(self) -> str:
        """What was kept, as text."""
        return self._kept.decode(errors="replace")

    def close(self) -> None:
        """Read no more."""
        if not self._pipe.closed:
            self._loop.remove_reader(self._pipe.fileno())
            self._pipe.close()
            self.ended.set()

    def _read(self) -> None:
        try:
            data = os.read(self._pipe.fileno(), _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self.close()
        room = LARGEST - len(self._kept)
        self._kept += data[:room]
        self.truncated = self.truncated or len(data) > room
