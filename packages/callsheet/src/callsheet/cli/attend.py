"""Staying with a run until it has ended: showing it, asking for it, stopping it on Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import asynccontextmanager, nullcontext, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, Self, TypeAlias

import msgspec

from callsheet import Event, Result, RunState
from callsheet.cli.options import who
from callsheet.cli.output import CANCELLED, FAILED, NOBODY_TO_ASK, Output
from callsheet.errors import CallsheetError, RequestRefusedError, StoreError
from callsheet.types import Transcript

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractContextManager
    from datetime import datetime

    from callsheet import Engine, Run
    from callsheet.cli.ask import Advice, Person
    from callsheet.cli.home import Where
    from callsheet.types import Question

Reason: TypeAlias = Literal["ended", "waiting", "left", "undriven"]
"""Why it is over: the run has ended, waits for somebody, was left as it is, or nobody drives it."""

_LOOK_ROUND = 0.5
_PATIENCE = timedelta(seconds=1.5)
_SHOW_CURSOR = b"\x1b[?25h"


class Parting(msgspec.Struct, frozen=True, kw_only=True):
    """How it ended, seen from here."""

    reason: Reason
    result: Result

    @property
    def code(self) -> int:
        """The exit code."""
        if self.reason == "left":
            return CANCELLED
        return NOBODY_TO_ASK if self.reason != "ended" else code_of(self.result)


def code_of(result: Result) -> int:
    """The exit code of an ended run."""
    if result.state is RunState.SUCCEEDED:
        return 0
    by_cancel = result.cause is not None and result.cause.kind == "cancel"
    if result.state is RunState.CANCELLED or (by_cancel and result.state is RunState.UNDONE):
        return CANCELLED
    return FAILED


class View(Protocol):
    """Somebody who is shown how a run stands, again and again."""

    every: ClassVar[float]
    """Seconds, about, between two times."""

    def show(self, result: Result) -> None:
        """The run stands so."""
        ...

    def hear(self, told: object) -> None:
        """A step has said how far it is."""
        ...

    def speak(self, step: str, text: str) -> None:
        """A step says something, and may go on."""
        ...

    def finish(self, step: str) -> None:
        """A step says no more for now."""
        ...

    def say(self, text: str) -> None:
        """A remark that stays."""
        ...

    def held(self) -> AbstractContextManager[None]:
        """Draw nothing meanwhile: somebody else has the terminal."""
        ...

    def close(self) -> None:
        """Nothing more will be shown."""
        ...


class NoView:
    """Shows nothing, since the output is JSON; and imports nothing that draws."""

    every: ClassVar[float] = 0.5
    """Often enough to notice that a run waits for somebody who is not there."""

    def __init__(self, out: Output) -> None:
        self._out = out

    def show(self, result: Result) -> None:
        """Nothing."""

    def hear(self, told: object) -> None:
        """Nothing."""

    def speak(self, step: str, text: str) -> None:
        """Nothing: the entries are told."""

    def finish(self, step: str) -> None:
        """Nothing."""

    def say(self, text: str) -> None:
        """On stderr."""
        self._out.remark(text)

    def held(self) -> AbstractContextManager[None]:
        """There is nothing to hold."""
        return nullcontext()

    def close(self) -> None:
        """Nothing."""


@asynccontextmanager
async def children() -> AsyncIterator[asyncio.TaskGroup]:
    """A task group whose first failure is raised as what it is."""
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except ExceptionGroup as several:
        raise several.exceptions[0] from several


class Interrupts:
    """Ctrl-C, SIGTERM and SIGHUP, one after the other.

    Ctrl-C cancels the run, and the second leaves it; SIGTERM and SIGHUP leave it. Whatever comes
    after a run was left ends the process on the spot. That loses nothing: what is acknowledged is
    on the disk.
    """

    def __init__(self) -> None:
        self._heard: asyncio.Queue[int] = asyncio.Queue()
        self._cancelled = self._left = False
        self._numbers = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as `nohup` has it
            self._numbers.append(signal.SIGHUP)

    def __enter__(self) -> Self:
        loop = asyncio.get_running_loop()
        for number in self._numbers:
            loop.add_signal_handler(number, self._hear, number)
        return self

    def __exit__(self, *_: object) -> None:
        loop = asyncio.get_running_loop()
        for number in self._numbers:
            loop.remove_signal_handler(number)

    @property
    def is_leaving(self) -> bool:
        """Whether somebody wants to go, and not only to stop what goes on."""
        return self._left

    async def next(self) -> int:
        """The next one."""
        return await self._heard.get()

    def _hear(self, number: int) -> None:
        if self._left:
            if os.isatty(1):
                os.write(1, _SHOW_CURSOR)
            os._exit(CANCELLED)
        self._left = self._cancelled or number != signal.SIGINT
        self._cancelled = True
        self._heard.put_nowait(number)


class Manner(msgspec.Struct, frozen=True, kw_only=True):
    """How to behave towards a run."""

    by: str
    owns: bool = True
    """It is driven here: Ctrl-C cancels it. Else somebody only watches."""
    yes: bool = False
    """Approve what waits for an approval."""
    person: Person | None = None
    leaves: bool = False
    """Nobody is here to ask: go when nothing goes on before somebody answers."""


class Attendance:
    """One stay with one run."""

    def __init__(
        self, engine: Engine, run: Run, view: View, interrupts: Interrupts, manner: Manner
    ) -> None:
        self._engine = engine
        self._run = run
        self._view = view
        self._interrupts = interrupts
        self._manner = manner
        self._person = manner.person
        self._latest: Result | None = None
        self._dealt_with: set[str] = set()
        """Questions that were asked here, or answered."""
        self._open_since: dict[str, datetime] = {}
        self._asking: asyncio.Task[None] | None = None
        self._asked = ""

    async def until_over(self) -> Parting:
        """Stay until it is over.

        Raises:
            CallsheetError: the run cannot be followed any more.
        """
        stop_hearing = self._engine.listen(self._view.hear)
        try:
            async with children() as group:
                reason = await self._stay(group)
            if self._latest is not None and self._latest.state.ended:
                self._view.show(self._latest)  # nothing was drawn while somebody was asked
        finally:
            stop_hearing()
            self._view.close()
        result = self._latest
        if result is None or not result.state.ended:
            result = await self._run.status()
        if reason == "undriven" and result.state.ended:
            reason = "ended"  # whoever drove it has left because it was done
        return Parting(reason=reason, result=result)

    async def _stay(self, group: asyncio.TaskGroup) -> Reason:
        tasks = {group.create_task(self._watch(group)), group.create_task(self._heed())}
        hearing = group.create_task(self._hear_text())
        if self._manner.owns:
            # Raises what stops a run that is driven here: a disk that is full, say.
            tasks.add(group.create_task(self._wait_ended()))
        reason: Reason | None = None
        while reason is None:
            done, _ = await asyncio.wait(
                tasks, timeout=_LOOK_ROUND, return_when=asyncio.FIRST_COMPLETED
            )
            if done:
                reason = done.pop().result()
            elif not await self._run.is_driven() and not await self._run.is_pending():
                reason = "undriven"
            elif self._is_left_waiting():
                reason = "waiting"  # whoever was asked has gone away
        if reason == "ended":
            # What was said last is told before the end of the run.
            await asyncio.wait([hearing], timeout=_LOOK_ROUND)
        for task in (hearing, *tasks, *([self._asking] if self._asking else ())):
            task.cancel()
        return reason

    async def _hear_text(self) -> None:
        """Pass on what steps say, whoever drives the run."""
        transcript = Transcript()
        with suppress(CallsheetError):  # whoever stays with the run is told of it
            async for told in self._run.events():
                new = transcript.new(told)
                if new is not None:
                    self._view.speak(new.step, new.text)
                elif isinstance(told, Event) and told.kind == "AttemptEnded":
                    self._view.finish(str(getattr(told.entry, "step", "")))

    async def _wait_ended(self) -> Reason:
        self._latest = await self._run.wait()
        self._view.show(self._latest)
        return "ended"

    async def _watch(self, group: asyncio.TaskGroup) -> Reason:
        async for result in self._run.watch(self._view.every):
            self._latest = result
            self._view.show(result)
            if self._manner.yes:
                await self._approve(result)
            if self._person is not None:
                self._ask(result, self._person, group)
            elif self._is_left_waiting():
                return "waiting"
        return "ended"

    # Questions

    async def _approve(self, result: Result) -> None:
        for question in self._open(result):
            if question.ask == "approval":
                self._dealt_with.add(question.id)
                with suppress(RequestRefusedError):  # somebody else was quicker
                    await self._run.answer(question.step, "approve", by=self._manner.by)

    def _is_left_waiting(self) -> bool:
        """Whether nothing goes on before somebody answers, and there is nobody to ask."""
        result = self._latest
        is_waiting = result is not None and result.state is RunState.WAITING
        mine_to_ask = self._manner.leaves or (self._manner.owns and self._person is None)
        return is_waiting and mine_to_ask and bool(result and self._open(result))

    def _open(self, result: Result) -> list[Question]:
        return [each for each in result.questions if each.id not in self._dealt_with]

    def _ask(self, result: Result, person: Person, group: asyncio.TaskGroup) -> None:
        """Have one question asked at a time; stop asking what is no longer open."""
        if self._asking is not None and not self._asking.done():
            if self._asked not in {question.id for question in result.questions}:
                self._asking.cancel()
            return
        ripe = [question for question in self._open(result) if self._is_ripe(question, result)]
        for question in ripe[:1]:
            self._dealt_with.add(question.id)
            self._asked = question.id
            self._asking = group.create_task(self._have_answered(person, question))

    def _is_ripe(self, question: Question, result: Result) -> bool:
        """Whether to ask now: others may be about to finish, and asking stops the table."""
        since = self._open_since.setdefault(question.id, result.at)
        return result.state is RunState.WAITING or result.at - since >= _PATIENCE

    async def _have_answered(self, person: Person, question: Question) -> None:
        with self._view.held():
            try:
                await person.answer(self._run, question)
            except EOFError:
                # Nobody is there any more: the question is open, and the run is left waiting.
                self._person = None
                self._dealt_with.discard(question.id)

    # Interrupts

    async def _heed(self) -> Reason:
        """Return when the run is to be left as it is."""
        if await self._interrupts.next() != signal.SIGINT or not self._manner.owns:
            return "left"
        self._view.say(
            "Cancelling. Press Ctrl-C again to leave the run as it is; it can be resumed."
        )
        try:
            await self._run.cancel(by=self._manner.by, reason="Ctrl-C")
        except RequestRefusedError as refusal:
            self._view.say(f"{refusal.message} Press Ctrl-C again to leave it as it is.")
        await self._interrupts.next()
        return "left"


async def stay(
    out: Output,
    engine: Engine,
    run: Run,
    interrupts: Interrupts,
    where: Where,
    *,
    yes: bool = False,
    resumed: bool = False,
    skipped: bool = True,
    advice: Advice | None = None,
) -> Parting:
    """Stay with a run until it is over, in the manner that fits this terminal.

    Driven here: questions are asked, Ctrl-C cancels. Driven elsewhere: it is only watched.
    `resumed`: somebody wants it to go on, and is told when only an answer can make it. `skipped`:
    whether steps are shown that are left out. `advice`: for who answers.
    """
    by = who()
    owns = run.is_driven_here
    view: View
    if out.as_json:
        here, view = None, NoView(out)
    else:
        from callsheet.cli.ask import somebody
        from callsheet.cli.show.view import view_for

        here = somebody(out.console, by, advice)
        view = view_for(out, skipped=skipped)
    person = here if owns else None
    manner = Manner(by=by, owns=owns, yes=yes, person=person, leaves=resumed and here is None)
    resume = where.command("resume", run.id, tools=True)
    try:
        parting = await Attendance(engine, run, view, interrupts, manner).until_over()
    except StoreError as error:
        if not owns:
            raise
        raise type(error)(f"{error.message} The run continues with: {resume}") from error
    if parting.reason == "left":
        # Said before the engine closes, which lets what runs finish.
        kept = (
            "Waiting up to 15 s for running calls to finish; a second signal stops at once.\n"
            f"The run is kept as it is. To resume it: {resume}"
        )
        out.remark(kept if owns else "Stopped watching; the run continues.")
    return parting
