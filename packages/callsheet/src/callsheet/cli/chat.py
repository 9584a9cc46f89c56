"""The command `chat`: a conversation at the terminal, or one message of it."""

from __future__ import annotations

import asyncio
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, ClassVar, cast

import msgspec
import typer
from typing_extensions import override

from callsheet.chat import Chat, Choice, app_tools, steering_tools
from callsheet.cli.arguments import load_all
from callsheet.cli.attend import NoView
from callsheet.cli.home import Where, driving, looking
from callsheet.cli.options import (
    AsJson,
    who,
)
from callsheet.cli.output import CANCELLED, FAILED, NOBODY_TO_ASK, Output
from callsheet.cli.placed import placed
from callsheet.errors import CallsheetError, InputError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractContextManager

    from callsheet import Engine
    from callsheet.chat import Turn
    from callsheet.cli.ask import Person
    from callsheet.cli.attend import Interrupts
    from callsheet.cli.show.flow import FlowView
    from callsheet.client import Client

_LEAVE = frozenset({"/quit", "/exit", "/q", "quit", "exit"})
_MOST = 1_000_000


class _Talk(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for, in the words of the command line."""

    where: Where
    model: str | None
    offer: str | None
    conversation: str | None
    once: str | None


@placed
def chat(
    *,
    once: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Send this message, print the answer, and exit."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(help="`provider:model`, a name of [models], recorded:FILE, or offline."),
    ] = None,
    offer: Annotated[
        str | None, typer.Option(metavar="NAMES", help="What it may call, as in 'weather,mail.*'.")
    ] = None,
    conversation: Annotated[
        str | None, typer.Option(metavar="ID|last", help="Continue this conversation.")
    ] = None,
    show: Annotated[bool, typer.Option("--list", help="List the conversations.")] = False,
    where: Where,
    as_json: AsJson = False,
) -> None:
    """Chat with Callsheet, with a model or without.

    Without a key it understands simple sentences: `help` lists them. Ctrl-C stops an answer, and
    again leaves. Conversations are kept: --conversation last goes on with the newest.
    """
    talk = _Talk(where=where, model=model, offer=offer, conversation=conversation, once=once)
    with Output(as_json=as_json) as out:
        code = out.run(_list(out, where) if show else _talk(out, talk))
        raise typer.Exit(code)


async def _list(out: Output, where: Where) -> int:
    async with looking(where.home) as engine:
        found = await engine.conversations.list()
    if out.as_json:
        out.data({"conversations": [each.to_json() for each in found]})
    for each in found:
        out.show(f"{each.id}  {each.state}  {each.started_at}")
    return 0


async def _talk(out: Output, talk: _Talk) -> int:
    opened: list[Engine] = []
    choice = Choice.of(talk.model)
    is_served = talk.where.home.is_service
    tools = load_all(talk.where.tools)
    tools += [] if is_served else steering_tools(lambda: opened[0])
    tools += app_tools(lambda: opened[0]) if talk.where.plugins and not is_served else []
    async with driving(talk.where, tools, create=True) as engine:
        opened.append(engine)
        offered = [name.strip() for name in talk.offer.split(",")] if talk.offer else None
        talked = Chat(
            engine,
            choice,
            offered=offered,
            names=await _served(engine) if is_served else None,
            conversation=talk.conversation,
        )
        await talked.begin()
        session = _Session(out, talked, talk.where)
        if talk.once is not None:
            return await session.say(talk.once)
        return await session.talk()


async def _served(engine: Engine) -> list[str]:
    """The tools that a service has for whoever asks."""
    client = cast("Client", engine)
    return [spec.name for spec in await client.tools.specs()]


class _Session:
    """One stay in a conversation."""

    def __init__(self, out: Output, talked: Chat, where: Where) -> None:
        self._out = out
        self._chat = talked
        self._where = where
        self._is_leaving = False
        """Ctrl-C was pressed twice: also if the first had stopped the turn by then."""

    async def talk(self) -> int:
        """Until they leave; the exit code."""
        self._greet()
        code = 0
        async for message in self._messages():
            if message in _LEAVE:
                break
            try:
                code = await self.say(message)
            except CallsheetError as error:
                self._out.complain(error)
                code = 2
            if code == NOBODY_TO_ASK or self._is_leaving:
                return code
        return 0 if self._is_a_terminal else code

    def _greet(self) -> None:
        if not self._is_a_terminal or self._out.as_json:
            return
        choice = self._chat.choice
        self._out.show(f"Callsheet. Model: {choice.model} ({choice.why}).")
        self._out.show("Try: `which tools are there?`, `wait 1 second`, `show runs`. /help, /quit.")

    @property
    def _is_a_terminal(self) -> bool:
        try:
            return sys.stdin.isatty()
        except (AttributeError, ValueError):
            return False

    async def _messages(self) -> AsyncIterator[str]:
        """What is typed, or what comes through a pipe, a line each."""
        from callsheet.cli.ask import next_line
        from callsheet.cli.attend import Interrupts

        while True:
            if self._is_a_terminal and not self._out.as_json:
                self._out.console.print("> ", end="", style="bold cyan")
            if not self._is_a_terminal:
                line = await asyncio.to_thread(sys.stdin.readline)
                if not line:
                    return
            else:
                with Interrupts() as interrupts:
                    typed = asyncio.ensure_future(next_line())  # noqa: TID251 -- ended below
                    stopped = asyncio.ensure_future(interrupts.next())  # noqa: TID251 -- as above
                    await asyncio.wait({typed, stopped}, return_when=asyncio.FIRST_COMPLETED)
                    stopped.cancel()
                    if not typed.done():
                        typed.cancel()
                        self._out.show("")
                        return
                try:
                    line = typed.result()
                except EOFError:
                    self._out.show("")
                    return
            if line.strip():
                yield line.strip()

    async def say(self, message: str) -> int:
        """One turn; the exit code that it would be."""
        if len(message) > _MOST:
            raise InputError(
                f"A message has at most {_MOST:,} characters; this has {len(message):,}."
            )
        from callsheet.cli.attend import Interrupts

        with Interrupts() as interrupts:
            turn = await self._chat.say(message.removeprefix("/"))
            code = await self._attend(turn, interrupts)
            self._is_leaving = interrupts.is_leaving
            return code

    async def _attend(self, turn: Turn, interrupts: Interrupts) -> int:
        from callsheet.cli.attend import Attendance, Manner, children
        from callsheet.cli.show.flow import JsonFlow, TextFlow

        flow: JsonFlow | TextFlow = (
            JsonFlow(self._out) if self._out.as_json else TextFlow(self._out)
        )
        manner = Manner(by=who(), person=self._person(), leaves=self._person() is None)
        view = _View(self._out, flow)
        async with children() as group:
            followed = group.create_task(_follow(turn, flow))
            parting = await Attendance(
                self._chat.engine, turn.run, view, interrupts, manner
            ).until_over()
            if parting.reason != "ended":
                followed.cancel()
        flow.close()
        if parting.reason == "waiting":
            if self._is_a_terminal:
                self._out.show("")  # they have left in the middle of the question
            self._out.remark("It is waiting for an answer, and nobody is here to ask:")
            for question in parting.result.questions:
                words = question.choices or ("ANSWER",)
                command = self._where.command("answer", turn.id, question.step, "|".join(words))
                self._out.remark(f"  {question.text}\n    {command}")
            return NOBODY_TO_ASK
        if parting.reason in ("left", "undriven"):
            return CANCELLED
        answer = await turn.wait()
        return {"answered": 0, "cancelled": CANCELLED}.get(answer.state, FAILED)

    def _person(self) -> Person | None:
        if self._out.as_json:
            return None
        from callsheet.cli.ask import Advice, somebody

        return somebody(self._out.console, who(), Advice(brief=True))


async def _follow(turn: Turn, flow: FlowView) -> None:
    async for update in turn.flow():
        flow.tell(update)


class _View(NoView):
    """What `Attendance` shows of a turn: nothing, for its flow is shown."""

    every: ClassVar[float] = 0.2

    def __init__(self, out: Output, flow: object) -> None:
        super().__init__(out)
        self._flow = flow

    @override
    def say(self, text: str) -> None:
        """A remark, on stderr."""
        with self.held():
            super().say(text.replace("the run", "the turn"))

    @override
    def held(self) -> AbstractContextManager[None]:
        """Draw no card while somebody is asked."""
        from callsheet.cli.show.flow import TextFlow

        return self._flow.held() if isinstance(self._flow, TextFlow) else nullcontext()
