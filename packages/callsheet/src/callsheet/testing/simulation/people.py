"""The people of a story: they answer what they are asked, and interfere.

What they say about a doubt is true: they look outside. They go on when the process dies under
their hands, as people do, with what has not been acknowledged yet.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import structs, to_builtins

from callsheet.core.ids import RunId, StepKey, child_run
from callsheet.core.run import entries as e
from callsheet.core.run.request import Request
from callsheet.errors import CallsheetError, InputError
from callsheet.runtime.feed import Event
from callsheet.testing.simulation.faults import happens

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from random import Random

    from callsheet.core.plan.plan import Step
    from callsheet.core.run.request import RequestKind
    from callsheet.core.value import Json
    from callsheet.engine.engine import Engine
    from callsheet.runtime.feed import Told
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
    store: SimulatedStore
    clock: StoryClock
    loop: MortalLoop

    def later(self, seconds: float, work: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Do something after so many seconds, unless the process is dead by then."""
        ...

    def tell(self, what: str | Callable[[], str]) -> None:
        """Write down what happens."""
        ...

    def family(self, run: str) -> list[str]:
        """A run, and those that are steps of it, and of those."""
        ...

    @property
    def main(self) -> str:
        """The run that the story is about."""
        ...


@dataclass(slots=True, eq=False)
class Deed:
    """Something that a person does by themselves, at some time, until it is acknowledged."""

    at: float
    kind: RequestKind
    step: str | None = None
    run: str = ""
    """Of whom it is asked; empty: of the run that the story is about."""
    steps: tuple[Step, ...] = ()
    """`add`: what is added."""
    after: Deed | None = None
    """What must have been done before."""
    request: Request | None = None
    """What was asked, once somebody has begun to."""
    done: bool = False


@dataclass(slots=True, eq=False)
class Said:
    """A request that was accepted."""

    id: str
    run: str
    kind: RequestKind
    step: str | None


@dataclass(slots=True, eq=False)
class Followed:
    """What people know of one run."""

    heard: list[bytes] = field(default_factory=list)
    """Its entries, as they were told."""
    asked: dict[str, e.QuestionAsked] = field(default_factory=dict)
    """Questions that are not answered yet, by step."""


@dataclass(eq=False)
class People:
    """What people know, want and were promised. Outlives every process."""

    random: Random
    faults: Faults
    outside: Outside
    deeds: list[Deed] = field(default_factory=list)
    followed: dict[str, Followed] = field(default_factory=dict)
    mishearings: list[str] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    """Requests that were refused: their ids, and why."""
    denied: bool = False
    busy: int = 0
    """Requests that are not answered yet."""
    _requests: int = 0
    _opinions: dict[tuple[str, str], tuple[Json, Json]] = field(default_factory=dict)
    """What was said in this life: whoever says it twice says the same."""

    def plan_deeds(self, steps: list[str], run: str = "", begin: float = 0.0) -> list[Deed]:
        """Draw what will be done to a run without being asked."""
        deeds: list[Deed] = []
        if happens(self.random, self.faults.pauses):
            pause = Deed(begin + self._some_time(), "pause", run=run)
            rest = self._some_time() * self.random.choice((1, 1, 5))
            resume = Deed(pause.at + rest, "resume", run=run, after=pause)
            deeds += [pause, resume]
        if happens(self.random, self.faults.cancels):
            deeds.append(Deed(begin + self._some_time(), "cancel", run=run))
        if happens(self.random, self.faults.undos / 2):
            to = self.random.choice([None, None, *steps])
            deeds.append(Deed(begin + self._some_time(), "undo", to, run=run))
        self.deeds += deeds
        return deeds

    def plan_additions(self, batches: list[tuple[Step, ...]]) -> None:
        """The run is open: draw when these steps are added to it, and when it is sealed."""
        last: Deed | None = None
        for steps in batches:
            at = self._some_time() + (last.at if last else 0.0)
            last = Deed(at, "add", steps=steps, after=last)
            self.deeds.append(last)
        self.deeds.append(Deed((last.at if last else 0.0) + 0.5, "seal", after=last))

    def plan_seal(self, run: str, begin: float) -> list[Deed]:
        """A fork of an open run is open, too: somebody seals it as it is."""
        deed = Deed(begin + self._some_time(), "seal", run=run)
        self.deeds.append(deed)
        return [deed]

    def _some_time(self) -> float:
        return round(self.random.random() ** 2 * SPAN, 3)

    # In one life

    async def watch(self, life: Door, run: str) -> None:
        """Follow a run, and answer what it asks."""
        followed = self.followed.setdefault(run, Followed())
        for question in list(followed.asked.values()):
            self._answer_soon(life, run, question)
        while True:
            try:
                handle = await life.engine.get(run)
                async for told in handle.events(after=len(followed.heard)):
                    self._hear(told, life, run, followed)
            except CallsheetError:
                pass  # the disk has failed, or somebody closes; the journal is still there
            await life.clock.sleep(AGAIN)

    def _hear(self, told: Told, life: Door, run: str, followed: Followed) -> None:
        if not isinstance(told, Event):
            return
        if told.seq != len(followed.heard) + 1:
            heard = len(followed.heard)
            self.mishearings.append(f"event {told.seq} of {run} came after event {heard}")
        followed.heard.append(e.encode(told.entry))
        entry = told.entry
        whose = "" if run == life.main else f"{run}: "
        life.tell(lambda: f"{told.seq:4} {whose}{_words(entry)}")
        if isinstance(entry, e.QuestionAsked):
            followed.asked[entry.step] = entry
            self._answer_soon(life, run, entry)
        elif isinstance(entry, e.AnswerRecorded):
            followed.asked.pop(entry.step, None)

    def begin(self) -> None:
        """Whoever was asking a process that has died asks no more."""
        self.busy = 0

    def act(self, life: Door) -> None:
        """Do what is still to be done, each at its time."""
        self._opinions.clear()
        for deed in self.deeds:
            if not deed.done:
                self.do(life, deed)

    def do(self, life: Door, deed: Deed) -> None:
        """Do something when its time comes."""
        life.later(deed.at - life.loop.now, partial(self._do, life, deed))

    async def _do(self, life: Door, deed: Deed) -> None:
        while deed.after and not deed.after.done:
            await life.clock.sleep(AGAIN)
        if deed.request is None:
            # Once, however many processes die under it: two pauses would need two to resume.
            asked = self._request(deed.run or life.main, deed.kind, step=deed.step)
            steps = [to_builtins(step) for step in deed.steps]
            deed.request = structs.replace(asked, steps=steps)
        await self._insist(life, deed.request)
        deed.done = True

    def _answer_soon(self, life: Door, run: str, question: e.QuestionAsked) -> None:
        wait = round(self.random.random() ** 2 * 4, 3)
        life.later(wait, partial(self._answer, life, run, question))
        if happens(self.random, self.faults.echoes):
            wait += self.random.choice((0.0, 0.001, 0.5, 2.0))
            life.later(wait, partial(self._answer, life, run, question))

    async def _answer(self, life: Door, run: str, question: e.QuestionAsked) -> None:
        if (run, question.question) not in self._opinions:
            self._opinions[run, question.question] = self._opinion(run, question)
        answer, output = self._opinions[run, question.question]
        request = self._request(run, "answer", step=question.step, answer=answer, output=output)
        # An answer names its question: one that comes late must not be taken for another's.
        await self._insist(life, structs.replace(request, question=question.question))

    def _opinion(self, run: str, question: e.QuestionAsked) -> tuple[Json, Json]:
        if question.ask == "doubt":
            if self.outside.standing(run, question.step):
                if "undo" in question.choices and happens(self.random, 0.2):
                    return "undo", None
                return "happened", self.outside.answer_of(run, question.step)
            return "did_not", None
        if question.ask == "approval":
            denied = happens(self.random, self.faults.denials)
            self.denied = self.denied or denied
            return "deny" if denied else "approve", None
        return question.choices[0] if question.choices else "whatever", None

    def _request(
        self,
        run: str,
        kind: RequestKind,
        *,
        step: str | None = None,
        answer: Json = None,
        output: Json = None,
    ) -> Request:
        self._requests += 1
        return Request(
            id=f"q{self._requests}",
            run=run,
            kind=kind,
            by="ann",
            step=step,
            answer=answer,
            output=output,
        )

    async def ask(self, life: Door, run: str, kind: RequestKind, step: str | None = None) -> bool:
        """Ask something of a run, until it is done or refused; whether it was done."""
        return await self._insist(life, self._request(run, kind, step=step))

    async def settle_doubts(self, life: Door, run: str) -> None:
        """Answer what a stuck run still wants to know, as far as it is known."""
        handle = await life.engine.get(run)
        for question in (await handle.status()).questions:
            step = question.step
            own = bool(self.outside.standing(run, step))
            output = self.outside.answer_of(run, step) if own else None
            inside = life.family(child_run(RunId(run), StepKey(step)))
            answer = "happened" if own or self.outside.any_standing(inside) else "did_not"
            request = self._request(run, "answer", step=step, answer=answer, output=output)
            await self._insist(life, request)

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
                self.said.append(Said(request.id, request.run, request.kind, request.step))
            else:
                self.refused[request.id] = refusal
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
