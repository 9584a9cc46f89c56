"""Asking the person at the terminal, while the run goes on."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import TYPE_CHECKING, Any

from rich.text import Text

from callsheet import RequestRefusedError

if TYPE_CHECKING:
    from rich.console import Console

    from callsheet import Question, Run

_MOST = 65536


class Person:
    """Somebody with a keyboard. Never blocks the event loop: the run goes on while they think."""

    def __init__(self, console: Console, name: str) -> None:
        self._console = console
        self.name = name

    async def answer(self, run: Run, question: Question) -> None:
        """Ask until there is an answer that the run takes.

        Raises:
            EOFError: they have gone away.
        """
        self._console.print(Text.assemble(("? ", "bold magenta"), (question.step, "bold")))
        self._console.print(Text(f"  {question.text}"), soft_wrap=True)
        while True:
            answer = await self._read(_prompt(question))
            try:
                output = await self._output(question, answer)
                await run.answer(
                    question.step, answer, output=output, by=self.name, question=question.id
                )
            except (RequestRefusedError, ValueError) as error:
                self._console.print(Text(f"  {error}", "yellow"), soft_wrap=True)
            else:
                return

    async def _output(self, question: Question, answer: str) -> Any:
        if question.ask != "doubt" or answer != "happened":
            return None
        text = await self._read("what it returned, as JSON (empty: not known)")
        return json.loads(text) if text else None

    async def _read(self, prompt: str) -> str:
        self._console.print(Text(f"  {prompt}: ", "magenta"), end="")
        return await _line()


def _prompt(question: Question) -> str:
    if question.choices:
        return " / ".join(question.choices)
    return "your answer"


def somebody(console: Console, name: str) -> Person | None:
    """The person at this terminal, if there is one."""
    try:
        is_there = sys.stdin.isatty()
    except (AttributeError, ValueError):  # closed, or none at all
        return None
    return Person(console, name) if is_there else None


async def _line() -> str:
    """The next line of the terminal, which collects it: it can be read when it is whole.

    Raises:
        EOFError: there will be none.
    """
    loop = asyncio.get_running_loop()
    typed: asyncio.Future[bytes] = loop.create_future()

    def take() -> None:
        loop.remove_reader(number)
        if not typed.done():
            try:
                typed.set_result(os.read(number, _MOST))
            except OSError:
                typed.set_result(b"")

    number = sys.stdin.fileno()
    loop.add_reader(number, take)
    try:
        line = await typed
    finally:
        loop.remove_reader(number)
    if not line:
        raise EOFError
    return line.decode("utf-8", "replace").strip()
