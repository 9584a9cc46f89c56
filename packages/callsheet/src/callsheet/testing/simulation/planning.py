"""Steps from inside a step, while processes die: a tool that plans, and people who steer its steps.

Beside `simulate`, whose plans are drawn before they run. Here a step adds what is to be called, one
call after the other, and with its end what is to follow; some of these fail, hang, wait for a
person or are stopped, and whatever drives them dies again and again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeGuard

from callsheet.core.past.replay import replay
from callsheet.core.past.result import result_from
from callsheet.core.plan.plan import Plan, Step
from callsheet.core.run import entries as e
from callsheet.core.run import verbs as v
from callsheet.core.run.request import Request
from callsheet.engine.engine import Engine
from callsheet.errors import CallsheetError, FatalError, InputError, TransientError

# At run time: a tool's parameters are read from its signature.
from callsheet.ports import Context  # noqa: TC001
from callsheet.runtime.feed import Event
from callsheet.stores.artifacts.memory import MemoryArtifacts
from callsheet.testing.simulation.disk import SimulatedDisk
from callsheet.testing.simulation.faults import Faults, happens
from callsheet.testing.simulation.loop import HungError, MortalLoop, StoryClock
from callsheet.testing.simulation.telling import hushed
from callsheet.tools.function.declare import tool
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from callsheet.core.run.request import RequestKind
    from callsheet.core.value import Json

Kind: TypeAlias = Literal["count", "hangs", "waits", "flaky", "endless"]
"""A call that works; one that takes longer than it may; one that waits for a person longer than it
may take; one that fails the first time, and is retried; one that somebody stops."""
KINDS: tuple[Kind, ...] = ("count", "count", "hangs", "waits", "flaky", "endless")
ROUNDS, MOST = 3, 3
LIVES, EARLY = 5, 500
HORIZON = 5000.0
WITHIN = 30.0
"""Seconds that a step has: more than slow commits take away."""
LONG = 60.0
"""Seconds that a person takes: longer than a step may."""
WEATHER = Faults(slow_commits=0.3, failed_commits=0.03, unsure_commits=0.03, outages=0.0)


@dataclass(eq=False)
class Planned:
    """What a tool that plans has planned, and what became of it."""

    seed: int
    random: Random
    told: list[str] = field(default_factory=list)
    rounds: list[list[Kind]] = field(default_factory=list)
    """What each answer calls."""
    trouble: dict[tuple[int, int], int] = field(default_factory=dict)
    """By round and attempt: after how many calls it breaks."""
    calls: dict[str, int] = field(default_factory=dict)
    """By step, how often it was called."""
    safe: dict[int, int] = field(default_factory=dict)
    """By round, how many calls it was told are added."""
    asked: set[str] = field(default_factory=set)
    """Requests that were accepted."""
    lives: int = 0
    broken: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for number in range(1, ROUNDS + 1):
            self.rounds.append(self.random.choices(KINDS, k=self.random.randrange(1, MOST + 1)))
            for attempt in (1, 2):
                if happens(self.random, 0.4):
                    self.trouble[number, attempt] = self.random.randrange(MOST + 2)
        self._kinds = {
            self.name(number, place): kind
            for number, kinds in enumerate(self.rounds, 1)
            for place, kind in enumerate(kinds)
        }
        self.disk = SimulatedDisk(self.random, WEATHER, self._tell)
        self._loop: MortalLoop | None = None
        self._run = ""

    @property
    def _now(self) -> float:
        return self._loop.now if self._loop else 0.0

    def _tell(self, what: str | Callable[[], str]) -> None:
        self.told.append(f"{self._now:9.3f}  {what() if callable(what) else what}")

    # The tools

    def tools(self) -> list[Any]:
        """The one that plans, and those that it has called."""

        async def answer(number: int, seen: list[object], ctx: Context) -> int:
            await self._answer(number, ctx)
            return len(seen)

        async def call(kind: str, ctx: Context) -> str:
            count = self.calls[ctx.step] = self.calls.get(ctx.step, 0) + 1
            await ctx.sleep(0.2)
            if kind == "flaky" and count == 1:
                raise FatalError("Not the first time.")
            if kind in ("hangs", "endless"):
                await ctx.sleep(10_000)
            return kind

        return [tool("answer", effect="read")(answer), tool("call", effect="read")(call)]

    async def _answer(self, number: int, ctx: Context) -> None:
        saved = ctx.saved if isinstance(ctx.saved, int) else 0
        if saved < self.safe.get(number, 0):
            self.broken.append(f"answer {number} is told {saved}, and had added {self.safe}")
        kinds, breaks = self.rounds[number - 1], self.trouble.get((number, ctx.attempt))
        for place, kind in enumerate(kinds):
            if breaks == place:
                raise TransientError("The line is dead.")
            await ctx.sleep(0.3)
            saved = max(saved, place + 1)
            await ctx.add([self.step(number, place, kind)], checkpoint=saved)
            self.safe[number] = saved
        if number < ROUNDS:
            seen: Json = [f"${{outcomes.{self.name(number, n)}}}" for n in range(len(kinds))]
            following = {"tool": "answer", "args": {"number": number + 1, "seen": seen}}
            await ctx.then([{"id": f"answer_{number + 1}", **following}])
        else:
            await ctx.then(seal=True)
        await ctx.sleep(0.3)
        if breaks is not None and breaks >= len(kinds):
            raise TransientError("The line is dead, at the very end.")

    @staticmethod
    def name(number: int, place: int) -> str:
        """The step of a call."""
        return f"r{number}_c{place}"

    def step(self, number: int, place: int, kind: Kind) -> dict[str, Json]:
        """A call, as it is added."""
        step: dict[str, Json] = {
            "id": self.name(number, place),
            "tool": "call",
            "args": {"kind": kind},
            "literal": True,
            "timeout": 600,
            "on_failure": "ignore",
        }
        if kind in ("hangs", "waits"):
            step["within"] = WITHIN
        if kind == "waits":
            step["approval"] = "required"
        return step

    # What happens

    def happen(self) -> None:
        """Process after process, until the run has ended."""
        while not self.broken and self._live() is None:
            self.disk.lose_power()

    def _live(self) -> str | None:
        self.lives += 1
        dies = self.lives < LIVES and happens(self.random, 0.7)
        now = self._now
        self._loop = loop = MortalLoop(  # type: ignore[abstract] # as `Life` has it
            now, dies_at=self.random.randrange(1, EARLY) if dies else None, horizon=HORIZON
        )
        try:
            return loop.run(self._drive(loop))
        except HungError as exc:
            self.broken.append(str(exc))
            return None
        finally:
            self.broken += loop.complaints
            self._tell("the process is gone")

    async def _drive(self, loop: MortalLoop) -> str:
        clock = StoryClock(loop, self.random)
        engine = Engine(
            self.disk.open(loop),
            Registry(self.tools()),
            clock,
            artifacts=MemoryArtifacts(clock.now),
            watched=False,
        )
        async with engine.runtime:
            await engine.runtime.recover()
            while True:
                try:
                    run = await engine.start(plan(), key="once", open=True)
                    self._run = run.id
                    async for told in run.events():
                        if isinstance(told, Event):
                            self._react(engine, clock, told.entry)
                    return str((await run.wait()).state)
                except CallsheetError:
                    await clock.sleep(0.5)

    def _react(self, engine: Engine, clock: StoryClock, entry: e.AnyEntry) -> None:
        """What people do when something has happened: each thing once, in whatever life."""
        if isinstance(entry, e.QuestionAsked):
            answer = {"question": entry.question, "answer": "approve"}
            self._soon(engine, clock, "answer", entry.step, LONG, **answer)
        elif isinstance(entry, e.AttemptStarted) and self._kind(entry.step) == "endless":
            # Long after: meanwhile the run goes on, whatever else waits for somebody.
            self._soon(engine, clock, "stop", entry.step, LONG + WITHIN)
        elif _has_failed(entry) and self._kind(entry.step) == "flaky":
            self._soon(engine, clock, "retry", entry.step, 0.1)

    def _kind(self, step: str) -> Kind | None:
        return self._kinds.get(step)

    def _soon(
        self,
        engine: Engine,
        clock: StoryClock,
        kind: RequestKind,
        step: str,
        seconds: float,
        **more: Any,
    ) -> None:
        request = Request(id=f"{kind}-{step}", run=self._run, kind=kind, step=step, **more)

        async def ask() -> None:
            await clock.sleep(seconds)
            while True:
                try:
                    await engine.runtime.request(request)
                except InputError as refused:
                    self._tell(f"{request.id} is refused: {refused.message}")
                    return
                except CallsheetError:
                    await clock.sleep(0.3)
                else:
                    self.asked.add(request.id)
                    return

        assert self._loop is not None
        self._loop.create_task(ask()).get_name()

    # What must be true

    def judge(self) -> None:
        """Write down every promise that was broken."""
        entries = [e.decode(body) for body in self._bodies]
        if not entries or self.broken:
            self.broken += [] if entries else ["it has never begun"]
            return
        self.broken += [
            *self._replays(entries),
            *self._added(entries),
            *self._followed(entries),
            *self._timed(entries),
            *self._steered(entries),
        ]

    @property
    def _bodies(self) -> list[bytes]:
        journals = self.disk.kept._contents.journals  # noqa: SLF001 -- as it lies there, undecoded
        return journals.get(self._run, [])

    def _replays(self, entries: Sequence[e.AnyEntry]) -> Iterator[str]:
        report = replay(entries)
        if not report.same:
            yield f"it replays differently: {report.difference}"
        if not isinstance(entries[-1], e.RunEnded):
            yield "it has not ended"

    def _added(self, entries: Sequence[e.AnyEntry]) -> Iterator[str]:
        """Every call is there once, however often it was added; none that nobody wanted."""
        steps = result_from(entries, entries[-1].at).steps
        wanted = {*self._kinds, *(f"answer_{number}" for number in range(1, ROUNDS + 1))}
        if set(steps) != wanted:
            yield f"there are {sorted(set(steps) ^ wanted)} too many, or too few"
        well = [
            entry.step
            for entry in entries
            if isinstance(entry, e.AttemptEnded) and entry.outcome == "succeeded"
        ]
        if len(well) != len(set(well)):
            yield f"something is done twice: {sorted(well)}"

    def _followed(self, entries: Sequence[e.AnyEntry]) -> Iterator[str]:
        """What is to follow an answer is there with its end, and not if it ended otherwise."""
        done: set[str] = set()
        for seq, entry in enumerate(entries, 1):
            if isinstance(entry, e.AttemptEnded) and entry.outcome == "succeeded":
                done.add(entry.step)
            follows = isinstance(entry, e.RunSealed) or (
                isinstance(entry, e.StepsAdded) and entry.steps[0].id.startswith("answer_")
            )
            if follows and getattr(entry, "step", None) not in done:
                yield f"what is to follow {getattr(entry, 'step', None)} stands at {seq}, too early"

    def _timed(self, entries: Sequence[e.AnyEntry]) -> Iterator[str]:
        """A step has its time, and no less; waiting for a person is not counted."""
        steps = result_from(entries, entries[-1].at).steps
        expired = {entry.step for entry in entries if isinstance(entry, v.StepExpired)}
        for step, found in steps.items():
            kind = self._kind(step)
            if kind == "waits" and (step in expired or found.state != "succeeded"):
                yield f"{step} waited for a person, and is {found.state}"
            if kind == "hangs" and step not in expired:
                yield f"{step} hangs, and is {found.state}"
            if kind == "count" and found.state != "succeeded":
                yield f"{step} is {found.state}"

    def _steered(self, entries: Sequence[e.AnyEntry]) -> Iterator[str]:
        """Who stops or retries one step does so, and nothing else."""
        result = result_from(entries, entries[-1].at)
        for step, found in result.steps.items():
            kind = self._kind(step)
            if kind == "endless" and found.state != "cancelled":
                yield f"{step} was to be stopped, and is {found.state}"
            if kind == "flaky" and f"retry-{step}" in self.asked and found.state != "succeeded":
                yield f"{step} was tried again, and is {found.state}"
            seen = found.output if step.startswith("answer_") else None
            if kind is None and (found.state != "succeeded" or not isinstance(seen, int)):
                yield f"{step} is {found.state}"
        asked = [entry.request for entry in entries if isinstance(entry, _ASKED)]
        if len(asked) != len(set(asked)):
            yield f"something that was asked once is done twice: {asked}"


def _has_failed(entry: e.AnyEntry) -> TypeGuard[e.AttemptEnded]:
    return isinstance(entry, e.AttemptEnded) and entry.outcome == "failed"


_ASKED = (v.StopRequested, v.RetryRequested, e.AnswerRecorded)


def planning(seed: int) -> Planned:
    """Tell what becomes of a tool that plans, from a seed, and judge it."""
    story = Planned(seed, Random(seed))  # noqa: S311 -- everybody is meant to foresee it
    with hushed(lambda event: story.told.append(f"log: {event}")):
        story.happen()
    story.judge()
    return story


def plan() -> Plan:
    """An open run, and the step that begins to plan."""
    first = Step(id="answer_1", tool="answer", args={"number": 1, "seen": []})
    return Plan(name="planning", steps=(first,), on_failure="continue")
