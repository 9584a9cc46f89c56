"""A program that is running: fed, listened to, kept within bounds, and stopped when need be."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import signal
import subprocess
from typing import IO, TYPE_CHECKING

import msgspec

from callsheet.errors import DeniedError, FatalError, InvalidError
from callsheet.tools.calling.child import Child

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from callsheet.ports import Context

TAIL = 2000
"""Characters of stderr that are shown when a program fails."""
UNKNOWN = 256
"""The exit code of a program whose code nobody knows; no program has this one."""
_CHUNK = 65_536
_LONGEST_LINE = 8_192
_LINE_END = re.compile(rb"[\r\n]")
_LAST_WORDS = 1.0
"""Seconds for what is still in the pipes when the program has ended."""


ALWAYS = ("PATH", "HOME", "LANG", "TMPDIR")
"""What every program sees of our environment."""


def clean(names: Iterable[str] = ()) -> dict[str, str]:
    """An environment with nothing of ours in it but this, and what is named."""
    return {name: os.environ[name] for name in (*ALWAYS, *names) if name in os.environ}


def without_secrets(words: Sequence[str], ctx: Context, place: str) -> Sequence[str]:
    """A command line: everybody on the machine can read it.

    Raises:
        DeniedError: a secret stands in it.
    """
    for word in words:
        if (name := ctx.secrets.in_text(word)) is not None:
            raise DeniedError(
                f"The secret {name} cannot stand in {place}: everybody on this machine can read "
                "the command lines of programs. Give it in env or stdin."
            )
    return words


class Start(msgspec.Struct, frozen=True, kw_only=True):
    """What is started, and how much of it is heard."""

    words: Sequence[str]
    """The program and its arguments; no shell looks at them."""
    directory: Path
    largest: int
    """Bytes that are kept of each stream."""
    env: Mapping[str, str]
    """The whole environment."""
    stdin: bytes | None = None
    strict: bool = False
    """More output than that ends the program; else the rest is read and thrown away."""
    heard: Callable[[str], None] | None = None
    """Called with every line of both streams, as they come; a carriage return ends one too."""

    def run(self) -> Running:
        """Start it.

        Raises:
            InvalidError: there is no such program.
            FatalError: it cannot be started.
        """
        program = self.words[0]
        path = self.directory / program if "/" in program else program
        if shutil.which(path, path=self.env.get("PATH")) is None:
            raise InvalidError(f"There is no program {program!r} that may be run.")
        try:
            return Running(self)
        except OSError as exc:
            raise FatalError(f"{program!r} cannot be run: {exc.strerror}.") from exc


class Running:
    """A program in a process group of its own. Whoever starts it lets go of it."""

    def __init__(self, start: Start) -> None:
        self.code: int | None = None
        """Its exit code once it has ended; negative: the signal that killed it."""
        self._exited = asyncio.Event()
        self._child = Child(
            start.words,
            ended=self._note_end,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=start.directory,
            env=start.env,
            listens=start.stdin is not None,
        )
        over = self._child.kill if start.strict else None
        streams = [
            Stream(pipe, start.largest, heard=start.heard, over=over)
            for pipe in self._child.outputs
            if pipe is not None
        ]
        self.stdout, self.stderr = streams
        self._feed = _Feed(self._child.input, start.stdin) if start.stdin is not None else None

    async def wait(self, grace: float) -> int:
        """Wait for its end. When this is cancelled, it is told, and after the grace killed."""
        try:
            await self._exited.wait()
        except asyncio.CancelledError:
            await self._stop(grace)
            raise
        # Only a process that has left the group can still hold a pipe open.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORDS):
                await self.stdout.ended.wait()
                await self.stderr.ended.wait()
        assert self.code is not None
        return self.code

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
        for end in (self.stdout, self.stderr, self._feed):
            if end is not None:
                end.close()

    def ending(self) -> str:
        """How it ended, in words, with the end of its stderr."""
        assert self.code is not None
        how = f"exited with code {self.code}"
        if self.code == UNKNOWN:
            how = "ended; its exit code is unknown, because this process ignores SIGCHLD"
        elif self.code < 0:
            how = f"was killed by {_signal_name(-self.code)}"
        tail = self.stderr.text()[-TAIL:].strip()
        return f"{how}: {tail}" if tail else how

    def _note_end(self, code: int | None) -> None:
        self.code = UNKNOWN if code is None else code
        self._exited.set()


class Stream:
    """The beginning of what comes out of a pipe. The rest is read too, lest the program hang."""

    def __init__(
        self,
        pipe: IO[bytes],
        largest: int,
        *,
        heard: Callable[[str], None] | None,
        over: Callable[[], None] | None,
    ) -> None:
        self.ended = asyncio.Event()
        self.truncated = False
        self._largest = largest
        self._kept = bytearray()
        self._heard = heard
        self._line = b""
        self._over = over
        self._pipe = pipe
        self._loop = asyncio.get_running_loop()
        os.set_blocking(pipe.fileno(), False)
        self._loop.add_reader(pipe.fileno(), self._read)

    def text(self) -> str:
        """What was kept, as text; what is no UTF-8 is shown as far as it goes."""
        return self._kept.decode(errors="replace")

    def content(self) -> bytes:
        """What was kept."""
        return bytes(self._kept)

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
        room = self._largest - len(self._kept)
        self._kept += data[:room]
        if len(data) > room:
            self.truncated = True
            if self._over is not None:
                self._over()
        if self._heard is not None:
            self._hear(data or b"\n", self._heard)

    def _hear(self, data: bytes, heard: Callable[[str], None]) -> None:
        *lines, rest = _LINE_END.split(self._line + data)
        self._line = rest[-_LONGEST_LINE:]
        for line in lines:
            if line.strip():
                heard(line[-_LONGEST_LINE:].decode(errors="replace"))


class _Feed:
    """Writes to a pipe as fast as the program reads, and closes it then."""

    def __init__(self, pipe: IO[bytes], data: bytes) -> None:
        self._pipe = pipe
        self._left = memoryview(data)
        self._loop = asyncio.get_running_loop()
        os.set_blocking(pipe.fileno(), False)
        self._loop.add_writer(pipe.fileno(), self._write)

    def close(self) -> None:
        """Write no more."""
        if not self._pipe.closed:
            self._loop.remove_writer(self._pipe.fileno())
            self._pipe.close()

    def _write(self) -> None:
        try:
            done = os.write(self._pipe.fileno(), self._left[:_CHUNK])
        except BlockingIOError:
            return
        except OSError:  # it does not want to read all of it, which is its own affair
            self.close()
            return
        self._left = self._left[done:]
        if not self._left:
            self.close()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
