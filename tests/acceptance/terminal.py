"""A terminal that commands are typed into, and what a person would see on it."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import selectors
import shlex
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SERVER = Path(__file__).with_name("terminal_server.py")
ROWS, COLUMNS = 50, 100
PATIENCE = 30.0
_CONTROL = re.compile(r"\x1b\[(?P<number>[?\d;]*)(?P<verb>[A-Za-z])|\r|\n|[^\x1b\r\n]+")
_SHELL = re.compile(r"[&|;<>$*]|^(?!(?:callsheet|python [\w.]+) )")


class Screen:
    """Enough of a terminal for tables that are drawn over themselves, and for a prompt."""

    def __init__(self) -> None:
        self._lines = [""]
        self._row = self._column = 0
        self._rest = ""

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self._lines]

    def feed(self, text: str) -> None:
        text = self._rest + text
        done = 0
        for match in _CONTROL.finditer(text):
            if match.start() != done:
                break  # a sequence that is not whole yet
            done = match.end()
            self._do(match)
        self._rest = text[done:]

    def _do(self, match: re.Match[str]) -> None:
        if match["verb"]:
            self._control(match["verb"], match["number"])
        elif match[0] == "\n":
            self._row += 1
            self._lines += [""] * (self._row + 1 - len(self._lines))
        elif match[0] == "\r":
            self._column = 0
        else:
            self._write(match[0])

    def _write(self, text: str) -> None:
        line = self._lines[self._row].ljust(self._column)
        self._column += len(text)
        self._lines[self._row] = line[: self._column - len(text)] + text + line[self._column :]

    def _control(self, verb: str, number: str) -> None:
        if verb == "A":
            self._row = max(self._row - int(number or 1), 0)
        elif verb == "K":
            self._lines[self._row] = "" if number == "2" else self._lines[self._row][: self._column]


class Typed:
    """A command that was typed, and goes on."""

    def __init__(self, line: str, number: int, terminal: int, answers: Sequence[tuple[str, str]]):
        self.line = line
        self.number = number
        self.code: int | None = None
        self.screen = Screen()
        self._terminal = terminal
        self._answers = list(answers)

    def read(self) -> None:
        """Take what it has printed; type the next answer when it is asked for."""
        try:
            text = os.read(self._terminal, 65536).decode("utf-8", "replace")
        except OSError:  # nobody has the other end open
            return
        self.screen.feed(text)
        if self._answers and self.screen.lines[-1].endswith(self._answers[0][0]):
            os.write(self._terminal, f"{self._answers.pop(0)[1]}\n".encode())

    def close(self) -> None:
        os.close(self._terminal)


class Shell:
    """A directory in which commands are typed. Used as a context manager."""

    def __init__(self, directory: Path, **environment: str) -> None:
        self._directory = directory
        self._environment = {
            "COLUMNS": str(COLUMNS),
            "LINES": str(ROWS),
            "LOGNAME": "ada",
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "TERM": "xterm-256color",
            **environment,
        }
        self._selector = selectors.DefaultSelector()
        self._running: dict[int, Typed] = {}
        self._count = 0

    def __enter__(self) -> Shell:
        self._server = subprocess.Popen(
            [sys.executable, str(SERVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._server.stdout is not None
        self._selector.register(self._server.stdout, selectors.EVENT_READ)
        return self

    def __exit__(self, *_: object) -> None:
        for typed in self._running.values():
            typed.close()
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.close()
        self._server.stdout.close()
        self._server.wait(PATIENCE)

    def type(self, line: str, answers: Sequence[tuple[str, str]] = ()) -> Typed:
        """Begin a command. An answer is typed when its prompt stands at the end of the screen."""
        terminal, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._count += 1
        order = {
            "id": self._count,
            "words": [line] if _SHELL.search(line) else shlex.split(line),
            "directory": str(self._directory),
            "tty": os.ttyname(other),
            "environment": self._environment,
        }
        typed = Typed(line, self._count, terminal, answers)
        self._running[self._count] = typed
        self._selector.register(terminal, selectors.EVENT_READ, typed)
        # Held open until the end: between two writers a terminal would look closed.
        typed_other = os.dup(other)
        os.close(other)
        typed.other = typed_other  # type: ignore[attr-defined]
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps(order).encode() + b"\n")
        self._server.stdin.flush()
        return typed

    def wait(self, typed: Typed) -> int:
        """Wait until a command has ended; returns its exit code."""
        while typed.code is None:
            self._listen(typed)
        return typed.code

    def wait_for(self, word: str, typed: Typed) -> None:
        """Wait until a word is seen on a command's terminal."""
        while typed.code is None and not any(word in line for line in typed.screen.lines):
            self._listen(typed)

    def _listen(self, typed: Typed) -> None:
        """Take what comes next, from whomever."""
        heard = self._selector.select(PATIENCE)
        assert heard, f"{typed.line!r} has not ended:\n" + "\n".join(typed.screen.lines)
        for key, _ in heard:
            if key.data is not None:
                key.data.read()
            else:
                self._note_end()

    def _note_end(self) -> None:
        assert self._server.stdout is not None
        line = self._server.stdout.readline()
        assert line, "The server has died."
        ended = json.loads(line)
        typed = self._running.pop(ended["id"])
        self._selector.unregister(typed._terminal)
        os.set_blocking(typed._terminal, False)
        typed.read()
        typed.code = ended["code"]
        typed.close()
