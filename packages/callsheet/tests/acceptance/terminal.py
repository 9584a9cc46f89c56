"""A terminal that commands are typed into, and what a person would see on it."""

from __future__ import annotations

import codecs
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
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Sequence

SERVER = Path(__file__).with_name("terminal_server.py")
ROWS, COLUMNS = 50, 100
PATIENCE = 180.0
_CONTROL = re.compile(r"\x1b\[(?P<number>[?\d;]*)(?P<verb>[A-Za-z])|\r|\n|[^\x1b\r\n]+")
IS_FOR_BASH = re.compile(r"[&|;<>$*]|^(?!(?:callsheet|pytest|python [\w.]+) )")
NO_INPUT = " < /dev/null"


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
    """A command that was typed, on a terminal of its own."""

    def __init__(self, line: str, answers: Sequence[tuple[str, str]]) -> None:
        self.line = line
        self.code: int | None = None
        """None while it goes on."""
        self.screen = Screen()
        self._answers = list(answers)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.terminal, self._other_end = pty.openpty()
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.set_blocking(self.terminal, False)
        self.name = os.ttyname(self._other_end)

    def read(self) -> None:
        """Take what it has printed; type the next answer when it is asked for."""
        with suppress(BlockingIOError):
            while True:
                self.screen.feed(self._decoder.decode(os.read(self.terminal, 65536)))
        if self._answers and self.screen.lines[-1].endswith(self._answers[0][0]):
            os.write(self.terminal, f"{self._answers.pop(0)[1]}\n".encode())

    def close(self) -> None:
        self.read()
        os.close(self.terminal)
        os.close(self._other_end)


class Shell:
    """Somebody who types commands. Used as a context manager."""

    def __init__(self) -> None:
        self._environment = {
            "COLUMNS": str(COLUMNS),
            "LINES": str(ROWS),
            "LOGNAME": "ada",
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "TERM": "xterm-256color",
        }
        self._selector = selectors.DefaultSelector()
        self._running: dict[int, Typed] = {}
        self._count = 0

    def __enter__(self) -> Self:
        self._server = subprocess.Popen(
            [sys.executable, str(SERVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,  # the selector knows nothing of a line that waits in a buffer
            start_new_session=True,
        )
        assert self._server.stdin
        assert self._server.stdout
        self._orders, self._ends = self._server.stdin, self._server.stdout
        self._selector.register(self._ends, selectors.EVENT_READ)
        return self

    def __exit__(self, *_: object) -> None:
        self._orders.close()
        self._ends.close()
        self._server.wait(PATIENCE)
        for typed in self._running.values():
            typed.close()
        self._selector.close()

    def type(self, line: str, directory: Path, answers: Sequence[tuple[str, str]] = ()) -> Typed:
        """Begin a command. An answer is typed when its prompt stands at the end of the screen."""
        words = line.removesuffix(NO_INPUT)
        self._count += 1
        typed = self._running[self._count] = Typed(line, answers)
        self._selector.register(typed.terminal, selectors.EVENT_READ, typed)
        order = {
            "id": self._count,
            "words": [line] if IS_FOR_BASH.search(words) else shlex.split(words),
            "has_input": words == line,
            "directory": str(directory),
            "tty": typed.name,
            "environment": self._environment,
        }
        self._orders.write(json.dumps(order).encode() + b"\n")
        self._orders.flush()
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
        for speaker in (key.data for key, _ in heard if key.data is not None):
            speaker.read()
        # Last: a command that has ended is read to its end, and its terminal closed.
        if any(key.data is None for key, _ in heard):
            self._note_end()

    def _note_end(self) -> None:
        line = self._ends.readline()
        assert line, "The server has died."
        ended = json.loads(line)
        typed = self._running.pop(ended["id"])
        self._selector.unregister(typed.terminal)
        typed.close()
        typed.code = ended["code"]
