"""Speaks with a peer's program: a process of its own, in a group that is ended whole."""

from __future__ import annotations

import asyncio
import json
import os
import selectors
import signal
import subprocess
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.peers.environments import NotMeasuredError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[2]
STOP_SECONDS = 15.0


class Talk:
    """A program that answers a line of JSON with a line of JSON."""

    def __init__(self, process: subprocess.Popen[bytes], errors: Path) -> None:
        self._process = process
        self._errors = errors
        self._read = b""

    @property
    def pid(self) -> int:
        return self._process.pid

    async def ready(self, *, patience: float) -> dict[str, Any]:
        """What the program says of itself when it is ready."""
        said = await asyncio.to_thread(self.hear, "ready", patience)
        ready: dict[str, Any] = said["ready"]
        return ready

    async def ask(self, case: str, *args: float, patience: float) -> tuple[float, float]:
        """Have a case done; how many seconds it took, and of how many cores' time.

        Raises:
            NotMeasuredError: The program ended, or took longer than anybody would wait.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"case": case, "args": args}).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise NotMeasuredError(f"its program ended: {self._last_words()}") from None
        # In a thread: ours is open meanwhile, and its loop is not to be stopped.
        said = await asyncio.to_thread(self.hear, "seconds", patience)
        return said["seconds"], said["cpu"]

    def hear(self, key: str, patience: float) -> dict[str, Any]:
        """The next line that has this key.

        Raises:
            NotMeasuredError: There is none, or not in time.
        """
        end = time.monotonic() + patience
        while True:
            said = parse(self._next(end))
            if key in said:
                return said

    def _next(self, end: float) -> bytes:
        """The next line, whole; it may take until then."""
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._read:
                # What it started may hold the pipe open when it is gone: hence the look at it.
                over = _is_over(self._process, 0.0)
                if selector.select(0.0 if over else min(max(end - time.monotonic(), 0.0), 0.1)):
                    some = os.read(self._process.stdout.fileno(), 65536)
                    over, self._read = not some, self._read + some
                if over:
                    raise NotMeasuredError(f"its program ended: {self._last_words()}")
                if time.monotonic() > end:
                    raise NotMeasuredError("it took longer than the benchmark waits")
        line, _, self._read = self._read.partition(b"\n")
        return line

    def _last_words(self) -> str:
        lines = self._errors.read_text("utf-8", "replace").strip().splitlines()
        return lines[-1].strip()[:200] if lines else "it said nothing"


def parse(line: bytes) -> dict[str, Any]:
    """A line of a program. What is no object in JSON was said by a library, and means nothing."""
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


@contextmanager
def running(command: Sequence[str], scratch: Path) -> Iterator[Talk]:
    """A program, until the block ends, whatever ends it: then nothing it started is left."""
    errors = scratch / "errors.txt"
    with errors.open("wb") as out:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=out,
            cwd=ROOT,
            start_new_session=True,  # Ctrl-C is for us; it is told by the end of its input
        )
        try:
            yield Talk(process, errors)
        except BaseException:
            os.kill(process.pid, signal.SIGTERM)  # it may be in the middle of something long
            raise
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    # Popen's own methods would reap it, and a number that is free may be somebody else's.
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(BrokenPipeError):
        process.stdin.close()
    if not _is_over(process, STOP_SECONDS):
        os.kill(process.pid, signal.SIGTERM)
        _is_over(process, STOP_SECONDS)
    # It is not reaped yet, so the number of its group is its own: what is left of it ends here.
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()


def _is_over(process: subprocess.Popen[bytes], patience: float) -> bool:
    end = time.monotonic() + patience
    how = os.WEXITED | os.WNOWAIT | os.WNOHANG
    while os.waitid(os.P_PID, process.pid, how) is None:
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
