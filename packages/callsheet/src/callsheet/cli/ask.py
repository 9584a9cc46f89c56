"""Asking the person at the terminal, while the run goes on."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import field

from callsheet.errors import InputError, RequestRefusedError

if TYPE_CHECKING:
    from rich.console import Console

    from callsheet import Run
    from callsheet.types import Question

_MOST = 65536
_MEANING = (
    "y (or approve) has it done, n (or deny) does not. Until then nothing of it has happened."
)
_AGAIN = 0.25
"""Seconds between two looks whether a job in the background has come to the front."""


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of answers where a plan is put together, beyond what it says of them."""

    usual: Mapping[str, str] = field(default_factory=dict)
    """By the steps that ask, what Enter alone stands for."""
    check: Callable[[str, str], None] = lambda _step, _answer: None
    """Raises `InputError` where an answer to a step would make the run fail."""
    brief: bool = False
    """Whether an approval is asked for in a word: in a conversation, it is one among many."""


class Person:
    """Somebody with a keyboard. Never blocks the event loop: the run goes on while they think."""

    def __init__(self, console: Console, name: str, advice: Advice) -> None:
        self._console = console
        self._advice = advice
        self.name = name

    async def answer(self, run: Run, question: Question) -> None:
        """Ask until there is an answer that the run takes.

        Raises:
            EOFError: they have gone away.
        """
        from rich.text import Text

        self._console.print(Text.assemble(("? ", "bold magenta"), (question.step, "bold")))
        self._console.print(Text(f"  {question.text}"), soft_wrap=True)
        while True:
            typed = await self._read(self._prompt(question))
            if typed == "?" and question.ask == "approval":
                self._console.print(Text(f"  {question.text}\n  {_MEANING}"), soft_wrap=True)
                continue
            answer = typed or self._advice.usual.get(question.step, "")
            try:
                self._advice.check(question.step, answer)
                output = await self._output(question, answer)
                await run.answer(
                    question.step, answer, output=output, by=self.name, question=question.id
                )
            except (InputError, RequestRefusedError, ValueError) as error:
                self._console.print(Text(f"  {error}", "yellow"), soft_wrap=True)
            else:
                return

    async def _output(self, question: Question, answer: str) -> Any:
        if question.ask != "doubt" or answer != "happened":
            return None
        text = await self._read("what it returned, as JSON (empty: not known)")
        return json.loads(text) if text else None

    async def _read(self, prompt: str) -> str:
        from rich.text import Text

        self._console.print(Text(f"  {prompt}: ", "magenta"), end="")
        try:
            return await next_line()
        except asyncio.CancelledError:
            # Somebody else has answered, or the run is over: what was half typed is not a command.
            self._console.print(Text("\n  An answer is no longer needed.", "dim"))
            _forget_typed()
            raise

    def _prompt(self, question: Question) -> str:
        if question.ask == "approval" and self._advice.brief:
            return "approve? [y/n/?]"
        wanted = " / ".join(question.choices) if question.choices else "your answer"
        usual = self._advice.usual.get(question.step)
        return wanted if usual is None else f"{wanted} (Enter: {usual or 'nothing'})"


def somebody(console: Console, name: str, advice: Advice | None = None) -> Person | None:
    """The person at this terminal, if there is one."""
    try:
        is_there = sys.stdin.isatty()
    except (AttributeError, ValueError):  # closed, or none at all
        return None
    return Person(console, name, advice or Advice()) if is_there else None


def _forget_typed() -> None:
    import termios

    with suppress(OSError, ValueError, termios.error):
        if _is_typed_for_us(sys.stdin.fileno()):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def _is_typed_for_us(terminal: int) -> bool:
    """Whether this is not a job in the background: the terminal would stop it.

    Wherever it is just then: in the middle of a commit it would keep everybody from the home.
    """
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:  # nobody's controlling terminal
        return True


async def next_line() -> str:
    """The next line of the terminal, which collects it: it can be read when it is whole.

    Raises:
        EOFError: there will be none.
    """
    loop = asyncio.get_running_loop()
    typed: asyncio.Future[bytes] = loop.create_future()

    def take() -> None:
        loop.remove_reader(number)
        if not _is_typed_for_us(number):
            loop.call_later(_AGAIN, listen)
        elif not typed.done():
            try:
                typed.set_result(os.read(number, _MOST))
            except OSError:
                typed.set_result(b"")

    def listen() -> None:
        if not typed.done():
            loop.add_reader(number, take)

    number = sys.stdin.fileno()
    listen()
    try:
        line = await typed
    finally:
        loop.remove_reader(number)
    if not line:
        raise EOFError
    return line.decode("utf-8", "replace").strip()
