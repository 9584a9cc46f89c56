"""What a command says: text for people, or JSON and nothing else; and how it says errors."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
import sys
import traceback
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, TextIO, TypeVar

import msgspec
import typer
from typing_extensions import override

from callsheet import CallsheetError
from callsheet.types import Problem

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator
    from types import TracebackType

    from rich.console import Console, ConsoleOptions, RenderableType

FAILED = 1
BAD_INPUT = 2
NOBODY_TO_ASK = 3
CANCELLED = 130

T = TypeVar("T")

_LAST_CALL = 0.5
"""Seconds for what is left running to end, once its engine has been closed."""
_PIPE_WIDTH = 160
"""Columns where there is no terminal that has some."""
_STDOUT, _STDERR = 1, 2
_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What a terminal obeys instead of showing it; line ends and tabs are not meant."""


class Output:
    """Used as `with Output(...) as out`: errors inside are said properly, and end the command.

    With JSON, stdout is ours alone: whatever tools and libraries print goes to stderr.
    """

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json
        self._stdout: TextIO = sys.stdout
        self._aside: int | None = None
        self._is_haunted = False
        """A tool is still running and cannot be stopped."""

    def __enter__(self) -> Self:
        if self.as_json:
            self._set_aside()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        try:
            if isinstance(error, CallsheetError):
                self.complain(error)
                raise typer.Exit(BAD_INPUT) from error
            if isinstance(error, Exception) and not _is_ours(error):
                self._apologise(error)
                raise typer.Exit(FAILED) from error
        finally:
            self._bring_back()
            if self._is_haunted and isinstance(error, typer.Exit):
                # All is said and on the disk; an orderly end would wait for a tool for ever.
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(error.exit_code)

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        """Run what drives tools. One that does not stop when it is told to is not waited for."""
        loop = asyncio.new_event_loop()
        try:
            return loop.run_until_complete(main)
        finally:
            self._is_haunted = not _wind_down(loop)

    # For programs

    def data(self, value: object) -> None:
        """Print a value as one line of JSON."""
        plain = msgspec.to_builtins(value, str_keys=True)
        is_utf8 = (self._stdout.encoding or "").lower().replace("-", "") == "utf8"
        self._stdout.write(json.dumps(plain, ensure_ascii=not is_utf8, allow_nan=False) + "\n")
        self._stdout.flush()

    # For people

    @cached_property
    def console(self) -> Console:
        """Where results go."""
        return _console(stderr=False)

    @cached_property
    def margin(self) -> Console:
        """Where remarks go: stderr."""
        return _console(stderr=True)

    def show(self, *shown: RenderableType) -> None:
        """Print for people; nothing when the output is JSON."""
        for each in () if self.as_json else shown:
            # Text flows on; tables keep to the width.
            is_text = isinstance(each, str) or hasattr(each, "plain")
            self.console.print(each, markup=False, soft_wrap=is_text)

    def remark(self, text: str, style: str = "") -> None:
        """Say something beside the result, on stderr."""
        self.margin.print(text, style=style, markup=False, soft_wrap=True)

    def complain(self, error: CallsheetError) -> None:
        """Say what is wrong, all of it."""
        problems = [each for each in getattr(error, "problems", ()) if isinstance(each, Problem)]
        if self.as_json:
            self.data({"error": error.to_json()})
            return
        heading = error.message.partition("\n")[0] if problems else error.message
        self.remark(f"Error: {heading}", "bold red")
        self.list_problems(problems)

    def list_problems(self, problems: list[Problem]) -> None:
        """One problem per line, on stderr."""
        for problem in problems:
            style = "yellow" if problem.severity == "warning" else "red"
            self.margin.print(f"  {problem}", style=style, markup=False, soft_wrap=True)

    def _apologise(self, error: Exception) -> None:
        what = f"{type(error).__name__}: {error}"
        if os.environ.get("CALLSHEET_DEBUG"):
            traceback.print_exception(error)
        hint = "This is a bug in Callsheet. CALLSHEET_DEBUG=1 shows where it happened."
        if self.as_json:
            self.data({"error": {"code": "internal", "message": what, "problems": []}})
        else:
            self.remark(f"Error: {what}", "bold red")
        self.remark(hint)

    # Keeping stdout clean

    def _set_aside(self) -> None:
        stdout, sys.stdout = sys.stdout, sys.stderr
        self._stdout = stdout
        try:
            is_real = stdout.fileno() == _STDOUT and sys.stderr.fileno() == _STDERR
        except (OSError, ValueError):
            return  # somebody has replaced it; there is nothing below it
        if is_real:
            stdout.flush()
            # Also for what does not ask Python: worker processes, libraries in C.
            self._aside = os.dup(_STDOUT)
            os.dup2(_STDERR, _STDOUT)
            self._stdout = os.fdopen(self._aside, "w", encoding=stdout.encoding, closefd=False)

    def _bring_back(self) -> None:
        if not self.as_json:
            return
        if self._aside is not None:
            self._stdout.flush()
            os.dup2(self._aside, _STDOUT)
            os.close(self._aside)
            self._aside = None
            self._stdout = sys.__stdout__ or self._stdout
        sys.stdout = self._stdout


def _wind_down(loop: asyncio.AbstractEventLoop) -> bool:
    """Close a loop; False, and it is left alone, if something in it does not end."""
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        tasks = loop.run_until_complete(asyncio.wait(tasks, timeout=_LAST_CALL))[1]
    if tasks:
        return False
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()
    return True


def _is_ours(error: Exception) -> bool:
    """Whether Typer deals with it: a code to exit with, or a reader that has gone away."""
    is_pipe = isinstance(error, OSError) and error.errno == errno.EPIPE
    return is_pipe or isinstance(error, (typer.Exit, typer.Abort, typer.TyperException))


def _console(*, stderr: bool) -> Console:
    from rich.console import Console
    from rich.segment import Segment

    class Reader(Console):
        """Somebody reads, and may go away: then nothing more is said, and the run goes on.

        Names, questions and errors come from tools and models, and are only ever shown.
        """

        @override
        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> Iterator[Segment]:
            for segment in super().render(renderable, options):
                if segment.control or not _COMMANDS.search(segment.text):
                    yield segment
                else:
                    yield Segment(_COMMANDS.sub("", segment.text), segment.style)

        @override
        def on_broken_pipe(self) -> None:
            self.quiet = True
            with open(os.devnull, "w") as nowhere:  # noqa: PTH123 -- a device, not a path of ours
                os.dup2(nowhere.fileno(), self.file.fileno())

    console = Reader(stderr=stderr, highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _PIPE_WIDTH
    return console
