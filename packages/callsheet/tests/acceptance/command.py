"""The `callsheet` command, as the tests call it: in this process, or as a process of its own."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from callsheet.cli.app import run_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

TOOLS = str(Path(__file__).with_name("cli_tools.py"))
EXAMPLES = Path(__file__).parents[4] / "examples"
SECONDS = 180.0
"""How long anything may take, on a very busy machine too: what takes longer is hung."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a command has said, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Stdout, which must be one JSON value and nothing else."""
        return json.loads(self.out)


def call(*words: object) -> Done:
    """Call a command in this process. There is nobody at its terminal."""
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        _nobody_at_stdin(),
    ):
        code = run_command([str(word) for word in words])
    return Done(code=code, out=out.getvalue(), err=err.getvalue())


@contextlib.contextmanager
def _nobody_at_stdin() -> Iterator[None]:
    before, sys.stdin = sys.stdin, io.StringIO()
    try:
        yield
    finally:
        sys.stdin = before


def command(*words: object) -> list[str]:
    """The command line of a process."""
    return [sys.executable, "-m", "callsheet.cli", *map(str, words)]


def environment(directory: Path) -> dict[str, str]:
    """What a process of a test knows: where it meets the test."""
    return {
        **os.environ,
        "CLI_TEST_DIR": str(directory),
        "COLUMNS": os.environ.get("CLI_TEST_COLUMNS", "100"),
        "TERM": "xterm-256color",
    }


def run(*words: object, directory: Path) -> Done:
    """Run a command as a process, to its end."""
    done = subprocess.run(
        command(*words),
        cwd=directory,
        env=environment(directory),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    return Done(code=done.returncode, out=done.stdout.decode(), err=done.stderr.decode())


class Process:
    """A command that goes on while the test does something. Killed at the end, whatever happens."""

    def __init__(self, *words: object, directory: Path) -> None:
        self.heard = ""
        self.popen = subprocess.Popen(
            command(*words),
            cwd=directory,
            env=environment(directory),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # A group of its own, as a shell would give it: Ctrl-C is a signal to the group.
            process_group=0,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.popen.kill()
        self.popen.communicate()

    def signal(self, number: int) -> None:
        """Send a signal to the whole group, as the terminal does."""
        os.killpg(self.popen.pid, number)

    def hear(self, pattern: str) -> None:
        """Wait until it has printed this; it must not end before."""
        assert self.popen.stdout
        while not re.search(pattern, self.heard):
            data = os.read(self.popen.stdout.fileno(), 65536)
            assert data, f"it ended without {pattern!r}: {self.heard}"
            self.heard += data.decode("utf-8", "replace")

    def complain(self, text: str) -> str:
        """Wait until it has printed this to stderr, and return what it has printed there."""
        assert self.popen.stderr
        said = ""
        while text not in said:
            data = os.read(self.popen.stderr.fileno(), 65536)
            assert data, f"it ended without {text!r}: {said}"
            said += data.decode("utf-8", "replace")
        return said

    def end(self) -> Done:
        """Wait for its end."""
        out, err = self.popen.communicate(timeout=SECONDS)
        return Done(code=self.popen.returncode, out=out.decode(), err=err.decode())


class Terminal:
    """A command in a terminal, with somebody typing."""

    def __init__(self, *words: object, directory: Path, shell: Sequence[str] = ()) -> None:
        """`shell`: a program that is given the command, and runs it."""
        self._main, side = pty.openpty()
        self.process = subprocess.Popen(
            [*shell, *command(*words)],
            cwd=directory,
            env=environment(directory),
            stdin=side,
            stdout=side,
            stderr=side,
            start_new_session=True,
        )
        os.close(side)
        self.screen = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._main)

    def see(self, text: str) -> None:
        """Wait until this is on the screen."""
        deadline = time.monotonic() + SECONDS
        while text not in self.screen:
            assert time.monotonic() < deadline, self.screen
            assert self._read(), self.screen

    def type(self, text: str) -> None:
        """Type it."""
        os.write(self._main, text.encode())

    def end(self) -> int:
        """The exit code, when all is said."""
        while self._read():
            pass
        return self.process.wait(SECONDS)

    def _read(self) -> bool:
        if not select.select([self._main], [], [], SECONDS)[0]:
            return False
        try:
            data = os.read(self._main, 65536)
        except OSError:  # nobody has the other side any more
            return False
        self.screen += data.decode("utf-8", "replace")
        return bool(data)


def until(condition: Callable[[], object], what: str) -> None:
    """Return when a condition holds; it must before long."""
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"waited too long for: {what}"
        time.sleep(0.01)


def write_plan(path: Path, plan: Mapping[str, object]) -> Path:
    """A plan as a file."""
    path.write_text(json.dumps({"callsheet": 1, **plan}), "utf-8")
    return path


def effects(directory: Path) -> list[str]:
    """What has happened outside, by name, in order."""
    ledger = directory / "ledger"
    lines = ledger.read_text("utf-8").splitlines() if ledger.exists() else []
    return [line.partition(" ")[0] for line in lines]
