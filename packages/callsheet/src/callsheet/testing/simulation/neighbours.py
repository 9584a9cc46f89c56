"""Several processes on one disk: each drives its own runs, is stopped, wakes, loses its lock, dies.

Beside `simulate`, which tells of one process after the other. Here they are at work at the same
time, on one loop that can stop any of them between two callbacks, as SIGSTOP does: nothing of it
runs until it wakes, while what it had sent to the disk arrives all the same.
"""

from __future__ import annotations

from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from callsheet.core.past.replay import replay
from callsheet.core.plan.plan import Plan, Retry, Step
from callsheet.core.run import entries as e
from callsheet.engine.engine import Engine
from callsheet.errors import CallsheetError

# At run time: a tool's parameters are read from its signature.
from callsheet.ports import Context  # noqa: TC001
from callsheet.runtime import alive
from callsheet.stores.artifacts.memory import MemoryArtifacts
from callsheet.testing.simulation.disk import SimulatedDisk, SimulatedStore
from callsheet.testing.simulation.faults import Faults, happens
from callsheet.testing.simulation.loop import HungError, MortalLoop, StoryClock
from callsheet.testing.simulation.telling import hushed
from callsheet.tools.function.declare import tool
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine, Iterator, Sequence

    from callsheet.runtime.run import Run

HOUSES = 3
"""Processes that drive."""
RUNS = 4
"""Runs that are wanted."""
HORIZON = 400.0
QUIET = 5.0
"""Seconds after which nothing is on its way any more."""
WEATHER = Faults(slow_commits=0.4, failed_commits=0.02, unsure_commits=0.02, outages=0.0)
_WHO: ContextVar[int] = ContextVar("who", default=0)
"""The process that a callback belongs to; 0: the world around them."""


class StoppingLoop(MortalLoop):
    """A loop on which the callbacks of one process can be held back."""

    def __init__(self, horizon: float) -> None:
        super().__init__(0.0, horizon=horizon)
        self._held: dict[int, list[asyncio.Handle]] = {}

    def stop_one(self, who: int) -> None:
        """Let nothing of a process run until it wakes."""
        self._held.setdefault(who, [])

    def wake_one(self, who: int) -> None:
        """Let it go on where it was."""
        self._ready.extend(self._held.pop(who, ()))

    def is_stopped(self, who: int) -> bool:
        """Whether a process is held back."""
        return who in self._held

    @override
    def _turn(self) -> None:
        if self._held and self._ready:
            handle = self._ready[0]
            who = handle._context.get(_WHO, 0)  # type: ignore[attr-defined]  # noqa: SLF001 -- as asyncio keeps it
            if who in self._held:
                self._held[who].append(self._ready.popleft())
                return
        super()._turn()

    def begin(self, who: int, work: Coroutine[Any, Any, object]) -> None:
        """Have something done by a process."""
        context = copy_context()
        context.run(_WHO.set, who)
        self.create_task(work, context=context).get_name()


class _CallsOfEach(dict[Any, Any]):
    """Which calls are at work in a process (`alive`), for several that are one process here."""

    @override
    def __setitem__(self, name: Any, loop: Any) -> None:
        super().__setitem__((_WHO.get(), name), loop)

    @override
    def get(self, name: Any, default: Any = None) -> Any:
        return super().get((_WHO.get(), name), default)

    @override
    def pop(self, name: Any, *default: Any) -> Any:
        return super().pop((_WHO.get(), name), *default)

    @override
    def __iter__(self) -> Iterator[Any]:
        return iter([name for who, name in self.keys() if who == _WHO.get()])


class SharedDisk(SimulatedDisk):
    """A disk that several processes have open at once."""

    @override
    def open(self, loop: MortalLoop) -> SimulatedStore:
        self.life += 1
        return SimulatedStore(self, loop)

    def look(self, loop: MortalLoop) -> SimulatedStore:
        """The handle of a process that does not drive."""
        return _LookingStore(self, loop)


class _LookingStore(SimulatedStore):
    @property
    @override
    def driving(self) -> bool:
        return False


@dataclass(eq=False)
class Neighbourhood:
    """What has happened between several processes."""

    seed: int
    random: Random
    told: list[str] = field(default_factory=list)
    heard: list[tuple[int, str, int]] = field(default_factory=list)
    """What the feed told: position, run, number."""
    wanted: dict[str, int] = field(default_factory=dict)
    """Runs, and what each is to give."""
    ended: dict[str, tuple[str, object]] = field(default_factory=dict)
    """How each has ended, as somebody was told who waited for it."""
    starts: dict[str, set[str]] = field(default_factory=dict)
    """By key, the runs that whoever started with it was told of."""
    drivers: dict[int, int] = field(default_factory=dict)
    """By process, its number as a driver."""
    broken: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.loop = StoppingLoop(HORIZON)  # type: ignore[abstract] # as `Life` has it
        self.disk = SharedDisk(self.random, WEATHER, self._tell)
        self.clock = StoryClock(self.loop, self.random)
        self.artifacts = MemoryArtifacts(self.clock.now)
        self._done = self.loop.create_future()

    def _tell(self, what: str | Callable[[], str]) -> None:
        self.told.append(f"{self.loop.now:9.3f}  {what() if callable(what) else what}")

    # What happens

    async def happen(self) -> None:
        """Let all of it happen, and see what is left."""
        houses = range(1, HOUSES + 1)
        for who in houses:
            self.loop.begin(who, self._drive(who))
        self.loop.begin(HOUSES + 1, self._look())
        for who in houses:
            self.loop.begin(0, self._disturb(who))
        await self._done
        await self.clock.sleep(QUIET)

    async def _drive(self, who: int) -> None:
        """One process: starts some of what is wanted, and goes on with what others leave."""
        await self.clock.sleep(round(self.random.random(), 3))
        store = self.disk.open(self.loop)
        self.drivers[who] = store.owners.driver
        engine = Engine(
            store, Registry(tools()), self.clock, artifacts=self.artifacts, watched=False
        )
        async with engine.runtime:
            await engine.runtime.recover()
            for number in range(RUNS):
                # Several want the same: with one key it is one run.
                if happens(self.random, 0.5):
                    await self._start(engine, number)
            await self._for_ever()

    async def _look(self) -> None:
        """One that does not drive: leaves what is missing, reads the feed, waits for all ends."""
        store = self.disk.look(self.loop)
        engine = Engine(store, Registry(()), self.clock, artifacts=self.artifacts, watched=False)
        async with engine.runtime:
            self.loop.begin(HOUSES + 1, self._hear(engine))
            runs = [await self._start(engine, number) for number in range(RUNS)]
            for number, run in enumerate(runs):
                result = await run.wait()
                self.wanted[run.id] = number
                self.ended[run.id] = str(result.state), result.output
            self._done.set_result(None)
            await self._for_ever()

    async def _start(self, engine: Engine, number: int) -> Run:
        key = f"k{number}"
        while True:
            try:
                run = await engine.start(plan(), {"x": number}, key=key)
                while await run.is_pending():
                    await self.clock.sleep(0.3)
            except CallsheetError as exc:
                if engine.runtime.replaced is not None:
                    await self._for_ever()
                self._tell(f"start {key}: {exc.message}")
                await self.clock.sleep(0.5)
            else:
                self.starts.setdefault(key, set()).add(run.id)
                return run

    async def _hear(self, engine: Engine) -> None:
        after = 0
        while True:
            try:
                async for event in engine.feed(after):
                    after = event.position or 0
                    self.heard.append((after, event.run, event.seq))
                    # Sometimes it reads slower than others write.
                    await self.clock.sleep(0.2 if happens(self.random, 0.1) else 0.0)
            except CallsheetError:
                await self.clock.sleep(0.3)

    async def _for_ever(self) -> None:
        await self.loop.create_future()

    async def _disturb(self, who: int) -> None:
        """Stop a process, with or without its lock; wake it, or not. One is always left."""
        await self.clock.sleep(1.0)
        while who < HOUSES and happens(self.random, 0.7):
            await self.clock.sleep(round(self.random.random() * 6, 3))
            driver = self.disk.drivers.known.get(self.drivers.get(who, 0))
            self._tell(f"process {who} is stopped")
            self.loop.stop_one(who)
            if driver is not None and happens(self.random, 0.5):
                await self.clock.sleep(round(self.random.random() * 2, 3))
                self._tell(f"process {who} has lost its lock")
                driver.locked = False
            await self.clock.sleep(round(self.random.random() * 8, 3))
            if driver is not None and not driver.locked and happens(self.random, 0.3):
                self._tell(f"process {who} is dead")
                driver.lives = False
                return
            self._tell(f"process {who} wakes")
            self.loop.wake_one(who)

    # What must be true

    def judge(self) -> None:
        """Write down every promise that was broken."""
        self.broken += [*self._between_drivers(), *self._ends(), *self._feed(), *self._kept()]

    def _between_drivers(self) -> Iterator[str]:
        yield from self.disk.drivers.mistakes
        for key, runs in self.starts.items():
            if len(runs) > 1:
                yield f"key {key} is {len(runs)} runs"

    def _ends(self) -> Iterator[str]:
        for run, number in self.wanted.items():
            state, output = self.ended[run]
            if (state, output) != ("succeeded", number + len(plan().steps)):
                yield f"{run} has ended {state} with {output!r}"
            entries = self._entries(run)
            report = replay(entries)
            if not report.same:
                yield f"{run} replays differently: {report.difference}"
            well = [
                entry.step
                for entry in entries
                if isinstance(entry, e.AttemptEnded) and entry.outcome == "succeeded"
            ]
            if len(well) != len(set(well)):
                yield f"{run} has done a step twice: {well}"

    def _entries(self, run: str) -> Sequence[e.AnyEntry]:
        return [e.decode(body) for body in self._journals[run]]

    @property
    def _journals(self) -> dict[str, list[bytes]]:
        return self.disk.kept._contents.journals  # noqa: SLF001 -- as it lies there, undecoded

    def _feed(self) -> Iterator[str]:
        positions = [position for position, _, _ in self.heard]
        if positions != sorted(set(positions)):
            yield "the feed goes back, or repeats"
        for run, bodies in self._journals.items():
            told = [seq for _, name, seq in self.heard if name == run]
            if told != list(range(1, len(bodies) + 1)):
                yield f"the feed tells {told} of the {len(bodies)} entries of {run}"

    def _kept(self) -> Iterator[str]:
        for run, promised in self.disk.acknowledged.items():
            bodies = self._journals.get(run, [])
            for seq, body in enumerate(promised, 1):
                if body and (seq > len(bodies) or bodies[seq - 1] != body):
                    yield f"entry {seq} of {run} was acknowledged, and is not on the disk"
                    break


def neighbours(seed: int) -> Neighbourhood:
    """Tell what several processes do on one disk, from a seed, and judge it."""
    story = Neighbourhood(seed, Random(seed))  # noqa: S311 -- everybody is meant to foresee it
    calls, alive._calls = alive._calls, _CallsOfEach()  # noqa: SLF001 -- what a process has
    with hushed(lambda event: story.told.append(f"{story.loop.now:9.3f}  log: {event}")):
        try:
            story.loop.run(story.happen())
        except HungError as exc:
            story.broken.append(str(exc))
        finally:
            alive._calls = calls  # noqa: SLF001 -- as it was
    story.broken += story.loop.complaints
    story.judge()
    return story


def plan() -> Plan:
    """A chain, each step one more than the last."""
    names = ("a", "b", "c", "d")
    steps = [
        Step(
            id=name,
            tool="count" if place % 2 else "look",
            args={"x": "${inputs.x}" if not place else f"${{steps.{names[place - 1]}}}"},
            retry=Retry(attempts=9, backoff=0.1),
        )
        for place, name in enumerate(names)
    ]
    return Plan(
        name="chain", inputs={"x": {"type": "integer"}}, steps=tuple(steps), output="${steps.d}"
    )


def tools() -> list[Any]:
    """A read and a write that may be repeated, which take their time."""

    async def more(x: int, ctx: Context) -> int:
        await ctx.sleep(0.4)
        return x + 1

    look = tool("look", effect="read")(more)
    return [look, tool("count", effect="write", idempotent=True)(more)]
