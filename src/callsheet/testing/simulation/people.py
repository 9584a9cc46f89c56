"""The people of a story: they answer what they are asked, and interfere.

What they say about a doubt is true: they look outside. They go on when the process dies under
their hands, as people do, with what has not been acknowledged yet.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import structs, to_builtins

from callsheet.core import entries as e
from callsheet.errors import CallsheetError, InputError
from callsheet.ports import Request
from callsheet.runtime.feed import Event
from callsheet.testing.simulation.faults import happens

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from random import Random

    from callsheet.core.plan import Step
    from callsheet.core.value import Json
    from callsheet.engine import Engine
    from callsheet.ports import RequestKind
    from callsheet.runtime.feed import Told
    from callsheet.runtime.run import Run
    from callsheet.testing.simulation.disk import SimulatedStore
    from callsheet.testing.simulation.faults import Faults
    from callsheet.testing.simulation.loop import MortalLoop, StoryClock
    from callsheet.testing.simulation.outside import Outside

AGAIN = 0.3
"""Seconds after which somebody who was not heard tries again."""
SPAN = 6.0
"""Most of what people do by themselves, they do in the first seconds."""


class Door(Protocol):
    """What people can reach of a process that lives."""

    engine: Engine
    run: Run
    store: SimulatedStore
    clock: StoryClock
    loop: MortalLoop

    def later(self, seconds: float, work: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Do something after so many seconds, unless the process is dead by then."""
        ...

    def tell(self, what: str | Callable[[], str]) -> None:
        """Write down what happens."""
        ...


@dataclass(slots=True, eq=False)
class Deed:
    """Something that a person does by themselves, at some time, until it is acknowledged."""

    at: float
    kind: RequestKind
    step: str | None = None
    steps: tuple[Step, ...] = ()
    """`add`: what is added."""
    after: Deed | None = None
    """What must have been done before."""
    done: bool = False


@dataclass(slots=True, eq=False)
class Said:
    """A request that was accepted."""

    id: str
    kind: RequestKind
    step: str | None


@dataclass(eq=False)
class People:
    """What people know, want and were promised. Outlives every process."""

    random: Random
    faults: Faults
    outside: Outside
    deeds: list[Deed] = field(default_factory=list)
    heard: list[bytes] = field(default_factory=list)
    """The run's entries, as they were told."""
    mishearings: list[str] = field(default_factory=list)
    asked: dict[str, e.QuestionAsked] = field(default_factory=dict)
    """Questions that are not answered yet, by step."""
    said: list[Said] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """The ids of requests that were refused."""
    interfered: bool = False
    busy: int = 0
    """Requests that are not answered yet."""
    _requests: int = 0

    def plan_deeds(self, steps: list[str]) -> None:
        """Draw what will be done without being asked."""
        if happens(self.random, self.faults.pauses):
            pause = Deed(self._some_time(), "pause")
            resume = Deed(pause.at + self._some_time(), "resume", after=pause)
            self.deeds += [pause, resume]
        if happens(self.random, self.faults.cancels):
            self.deeds.append(Deed(self._some_time(), "cancel"))
        if happens(self.random, self.faults.undos / 2):
            to = self.random.choice([None, None, *steps])
            self.deeds.append(Deed(self._some_time(), "undo", to))
        self.interfered = bool(self.deeds)

    def plan_additions(self, batches: list[tuple[Step, ...]]) -> None:
        """The run is open: draw when these steps are added to it, and when it is sealed."""
        last: Deed | None = None
        for steps in batches:
            at = self._some_time() + (last.at if last else 0.0)
            last = Deed(at, "add", steps=steps, after=last)
            self.deeds.append(last)
        self.deeds.append(Deed((last.at if last else 0.0) + 0.5, "seal", after=last))
        self.interfered = True

    def _some_time(self) -> float:
        return round(self.random.random() ** 2 * SPAN, 3)

    # In one life

    async def watch(self, life: Door) -> None:
        """Follow the run, and answer what it asks."""
        for question in list(self.asked.values()):
            self._answer_soon(life, question)
        while True:
            try:
                async for told in life.run.events(after=len(self.heard)):
                    self._hear(told, life)
            except CallsheetError:
                pass  # the disk has failed, or somebody closes; the journal is still there
            await life.clock.sleep(AGAIN)

    def _hear(self, told: Told, life: Door) -> None:
        if not isinstance(told, Event):
            return
        if told.seq != len(self.heard) + 1:
            self.mishearings.append(f"event {told.seq} came after event {len(self.heard)}")
        self.heard.append(e.encode(told.entry))
        entry = told.entry
        life.tell(lambda: f"{told.seq:4} {_words(entry)}")
        if isinstance(entry, e.QuestionAsked):
            self.asked[entry.step] = entry
            self._answer_soon(life, entry)
        elif isinstance(entry, e.AnswerRecorded):
            self.asked.pop(entry.step, None)

    def act(self, life: Door) -> None:
        """Do what is still to be done, each at its time."""
        self.busy = 0
        for deed in self.deeds:
            if not deed.done:
                life.later(deed.at - life.loop.now, partial(self._do, life, deed))

    async def _do(self, life: Door, deed: Deed) -> None:
        while deed.after and not deed.after.done:
            await life.clock.sleep(AGAIN)
        request = self._request(life, deed.kind, step=deed.step)
        steps = [to_builtins(step) for step in deed.steps]
        await self._insist(life, structs.replace(request, steps=steps))
        deed.done = True

    def _answer_soon(self, life: Door, question: e.QuestionAsked) -> None:
        wait = round(self.random.random() ** 2 * 4, 3)
        life.later(wait, partial(self._answer, life, question))
        if happens(self.random, self.faults.echoes):
            wait += self.random.choice((0.0, 0.001, 0.5))
            life.later(wait, partial(self._answer, life, question))

    async def _answer(self, life: Door, question: e.QuestionAsked) -> None:
        answer, output = self._opinion(question)
        request = self._request(life, "answer", step=question.step, answer=answer, output=output)
        # An answer names its question: one that comes late must not be taken for another's.
        await self._insist(life, structs.replace(request, question=question.question))

    def _opinion(self, question: e.QuestionAsked) -> tuple[Json, Json]:
        if question.ask == "doubt":
            if self.outside.standing(question.step):
                if "undo" in question.choices and happens(self.random, 0.2):
                    return "undo", None
                return "happened", self.outside.answer_of(question.step)
            return "did_not", None
        if question.ask == "approval":
            denied = happens(self.random, self.faults.denials)
            self.interfered = self.interfered or denied
            return "deny" if denied else "approve", None
        return question.choices[0] if question.choices else "whatever", None

    def _request(
        self,
        life: Door,
        kind: RequestKind,
        *,
        step: str | None = None,
        answer: Json = None,
        output: Json = None,
    ) -> Request:
        self._requests += 1
        return Request(
            id=f"q{self._requests}",
            run=life.run.id,
            kind=kind,
            by="ann",
            step=step,
            answer=answer,
            output=output,
        )

    async def ask(self, life: Door, kind: RequestKind, step: str | None = None) -> bool:
        """Ask something of the run, until it is done or refused; whether it was done."""
        return await self._insist(life, self._request(life, kind, step=step))

    async def settle_doubts(self, life: Door) -> None:
        """Answer what a stuck run still wants to know, as far as it is known."""
        for question in (await life.run.status()).questions:
            standing = bool(self.outside.standing(question.step))
            output = self.outside.answer_of(question.step) if standing else None
            answer = "happened" if standing else "did_not"
            await self._insist(
                life,
                self._request(life, "answer", step=question.step, answer=answer, output=output),
            )

    async def _insist(self, life: Door, request: Request) -> bool:
        self.busy += 1
        try:
            return await self._repeat(life, request)
        finally:
            self.busy -= 1

    async def _repeat(self, life: Door, request: Request) -> bool:
        what = f"{request.kind} {request.step or ''} {request.answer or ''}".strip()
        life.tell(f"ann: {what}")
        while True:
            try:
                refusal = await self._send(life, request)
            except InputError as exc:
                refusal = exc.message
            except CallsheetError:
                await life.clock.sleep(AGAIN)
                continue
            if refusal is None:
                self.said.append(Said(request.id, request.kind, request.step))
            else:
                self.refused.append(request.id)
                life.tell(f"ann: {what} is refused: {refusal}")
            return refusal is None

    async def _send(self, life: Door, request: Request) -> str | None:
        if not happens(self.random, self.faults.elsewhere):
            await life.engine.runtime.request(request)
            return None
        inbox = life.store.inbox
        await inbox.put(request)
        while (settled := await inbox.settled(request.id)) is None:
            await life.clock.sleep(AGAIN)
        return settled.refusal


def _words(entry: e.AnyEntry) -> str:
    if isinstance(entry, e.RunStarted):
        return "RunStarted"
    shown = (entry for entry in e.encode(entry).decode().split(",") if '"at":' not in entry)
    return f"{type(entry).__name__} " + ",".join(shown)
