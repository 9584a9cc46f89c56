"""Runs `callsheet` commands on terminals, without starting Python anew for each.

A process of its own with everything imported and no threads: it forks for each command. Orders come
in as lines of JSON on stdin (`{id, words, directory, tty, has_input, environment}`); when a command
has ended, its `{id, code}` goes out on stdout. What is not in `PROGRAMS` is run by bash.
"""

from __future__ import annotations

import json
import os
import runpy
import selectors
import sys
from typing import TYPE_CHECKING

import pytest

# What the commands import late, so that a fork has it.
import callsheet.cli.app
import callsheet.cli.arguments
import callsheet.cli.attend
import callsheet.cli.closing
import callsheet.cli.run
import callsheet.cli.runs
import callsheet.cli.show.lists
import callsheet.engine.engine
import callsheet.stores.memory.store
import callsheet.stores.sqlite.store
import callsheet.tools.builtin.catalog
import callsheet.tools.function.schema

if TYPE_CHECKING:
    from collections.abc import Callable

_BEAT = 0.005


def serve() -> None:
    """Run commands until stdin is closed."""
    selector = selectors.DefaultSelector()
    selector.register(sys.stdin, selectors.EVENT_READ)
    running: dict[int, int] = {}
    while True:
        if selector.select(_BEAT):
            line = sys.stdin.readline()
            if not line:
                return
            order = json.loads(line)
            running[begin(order)] = order["id"]
        while running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                break
            code = os.waitstatus_to_exitcode(status)
            ended = {"id": running.pop(pid), "code": code if code >= 0 else 128 - code}
            sys.stdout.write(json.dumps(ended) + "\n")
            sys.stdout.flush()


def begin(order: dict[str, object]) -> int:
    """Run a command in a child, on its terminal."""
    pid = os.fork()
    if pid:
        return pid
    code = 70
    try:
        code = carry_out(order)
    except BaseException as error:  # noqa: BLE001 -- it must never come back to the server's loop
        os.write(2, f"{error!r}\n".encode())
    finally:
        os._exit(code)


def carry_out(order: dict[str, object]) -> int:
    """What the child does."""
    os.setsid()
    terminal = os.open(str(order["tty"]), os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(terminal, number)
    if not order["has_input"]:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.chdir(str(order["directory"]))
    environment = order["environment"]
    assert isinstance(environment, dict)
    os.environ.update(environment)
    words = order["words"]
    assert isinstance(words, list)
    program = PROGRAMS.get(words[0])
    if program is None:
        os.execvp("bash", ["bash", "-c", words[0]])
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, mode, encoding="utf-8", buffering=1, closefd=False)
        for number, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    try:
        return program(words[1:])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def run_callsheet(words: list[str]) -> int:
    """`callsheet …`."""
    callsheet.cli.main(words)
    return 0


def run_python(words: list[str]) -> int:
    """`python FILE …`."""
    sys.argv = words
    runpy.run_path(words[0], run_name="__main__")
    return 0


def run_pytest(words: list[str]) -> int:
    """`pytest …`."""
    return int(pytest.main(words))


PROGRAMS: dict[str, Callable[[list[str]], int]] = {
    "callsheet": run_callsheet,
    "python": run_python,
    "pytest": run_pytest,
}


if __name__ == "__main__":
    serve()
