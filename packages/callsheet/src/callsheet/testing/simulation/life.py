"""One life of a process: an engine is opened on the disk, drives the run, and dies or ends.

The engine is the real one, on a store, a clock and tools that are not.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from callsheet.core.ids import RunId
from callsheet.core.run import entries as e
from callsheet.engine.engine import Engine
from callsheet.errors import CallsheetError, InputError
from callsheet.runtime.feed import Event
from callsheet.testing.simulation.faults import happens
from callsheet.testing.simulation.loop import MortalLoop, StoryClock

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from typing import Any

    from callsheet.core.past.result import Result
    from callsheet.core.plan.plan import Plan
    from callsheet.core.value import Json
    from callsheet.runtime.feed import Told
    from callsheet.testing.simulation.story import Story

KEY = "story"
"""The start key: whoever starts again after a crash means the same run."""
PAUSE = 0.5
"""Seconds after which somebody looks again whether a run goes on that the disk has interrupted."""
AFTERWARDS = 2
"""How often somebody may want an ended run taken back."""
IDLE = 1.5
"""Seconds in which the last words of others are dealt with."""


class Life:
    """A process, from the opening of its engine to its death."""

    def __init__(
        self, story: Story, dies_at: int | None, closes_after: float | None = None
    ) -> None:
        self.story = story
        self._closes_after = closes_after
        # It only turns: what it does not have (sockets, signals) nobody asks for.
        self.loop = MortalLoop(  # type: ignore[abstract]
            story.now, dies_at=dies_at, horizon=story.setting.horizon
        )
        story.loop = self.loop
        self.clock = StoryClock(self.loop, story.random)
        self.store = story.disk.open(self.loop)
        toolbox = story.outside.toolbox(story.setting.tools)
        self.engine = Engine(
            self.store,
            toolbox,
            self.clock,
            artifacts=story.artifacts,
            secrets=_Placeholders(),
            # That thread has nothing to see here, and costs most of a life.
            watched=False,
        )
        self._listened: dict[str, int] = {}
        """Per run, the last entry that was told."""
        self._ended_at: dict[str, int] = {}
        """Per run, how many entries there were when it had ended."""
        self._attended: set[str] = set()
        """Runs that people follow."""

    def live(self) -> Result | None:
        """Live until the run has ended for good; None: it died, or was closed, before that.

        Raises:
            HungError: it does neither.
        """
        return self.loop.run(self._live())

    async def _live(self) -> Result | None:
        result = await self._work()
        if result is None:
            self.story.closed.add(self.story.lives)
        return result

    async def _work(self) -> Result | None:
        self.story.people.begin()
        self.engine.listen(self._listen)
        async with self.engine.runtime:
            await self.engine.runtime.recover()
            if self.story.outside.is_upgraded(self.story.lives):
                # No process takes up by itself what was begun with other tools: somebody says so.
                self.later(0.0, self._resume_all)
            await self._start()
            self._attend_all()
            self.story.people.act(self)
            self.story.forks.act(self)
            if self._closes_after is None:
                return await self._last_word()
            return await self._until_closed(self._closes_after)

    async def _until_closed(self, seconds: float) -> Result | None:
        """As `_last_word`, unless it is told to end before that."""
        word = self.loop.create_task(self._last_word())
        await asyncio.wait([word], timeout=seconds)
        if word.done():
            return word.result()
        self.tell("the operator: the engine is to close")
        word.cancel()
        return None

    async def _last_word(self) -> Result:
        """The result of what it is about, once nobody has anything to say of any run any more."""
        story = self.story
        while True:
            for run in story.roots:
                story.results[run] = await self._drive(run)
            self._attend_all()
            await self.clock.sleep(IDLE)
            if story.disk.is_away(self.loop.now):
                continue  # whoever follows a run has not read the end of it yet
            if not (self._is_going_on or story.people.busy or story.forks.busy):
                return story.results[story.run]

    @property
    def _is_going_on(self) -> bool:
        driven = any(self.engine.runtime.loop_of(RunId(run)) for run in self.story.journals)
        return driven or any(self._ended_at.get(r) != self._written(r) for r in self.story.roots)

    def _written(self, run: str) -> int:
        return len(self.story.journals.get(run, ()))

    @property
    def main(self) -> str:
        """The run that the story is about."""
        return self.story.run

    @property
    def journals(self) -> dict[str, list[bytes]]:
        """Everything that is on the disk."""
        return self.story.journals

    @property
    def request(self) -> tuple[Plan, Mapping[str, Json]]:
        """What the story is about: the plan, and its inputs."""
        return self.story.plan, self.story.setting.inputs

    def family(self, run: str) -> list[str]:
        """A run, and those that are steps of it, and of those."""
        return self.story.family(run)

    async def _start(self) -> None:
        story = self.story
        while not story.roots:
            try:
                run = await self.engine.start(
                    story.beginning, story.setting.inputs, key=KEY, open=bool(story.batches)
                )
            except InputError:
                raise
            except CallsheetError:
                await self.clock.sleep(PAUSE)
            else:
                story.roots.append(run.id)

    def take_on(self, run: str) -> None:
        """A fork is there: look after it, and draw what people do to it."""
        story = self.story
        story.roots.append(run)
        self.attend(run)
        started = e.decode(story.journals[run][0])
        assert isinstance(started, e.RunStarted), "what every journal begins with"
        steps = [step.id for step in started.plan.steps]
        deeds = story.people.plan_deeds(steps, run, self.loop.now)
        if started.open:
            deeds += story.people.plan_seal(run, self.loop.now)
        for deed in deeds:
            story.people.do(self, deed)

    def _interfere(self, parent: str) -> None:
        """A sub-plan has begun: now is a good time to do something to the whole."""
        story = self.story
        root = next((run for run in story.roots if parent in story.family(run)), None)
        if root is not None:
            story.interfered = True
            for deed in story.people.plan_deeds([], root, self.loop.now):
                story.people.do(self, deed)

    def attend(self, run: str) -> None:
        """Have people follow a run, if they do not yet."""
        if run not in self._attended:
            self._attended.add(run)
            self.later(0.0, partial(self.story.people.watch, self, run))

    def _attend_all(self) -> None:
        """Also runs whose start nobody was told of, because the disk had failed."""
        for run in list(self.story.journals):
            self.attend(run)

    async def _drive(self, run: str) -> Result:
        """Look after a run until it has ended and nobody wants anything more of it."""
        while True:
            try:
                result = await (await self.engine.get(run)).wait()
                self._ended_at[run] = self._written(run)
                self.tell(f"{'the run' if run == self.main else run} has ended {result.state}")
                if not await self._go_on_with(result):
                    return result
            except CallsheetError:
                # Nobody does anything: it goes on by itself when the disk takes something again.
                await self.clock.sleep(PAUSE)
                self._attend_all()

    async def _go_on_with(self, result: Result) -> bool:
        """Whether somebody wants an ended run taken back, and it is."""
        story = self.story
        wanted = story.afterwards.get(result.run, 0)
        if wanted >= AFTERWARDS:
            return False
        story.afterwards[result.run] = wanted + 1
        if result.state == "stuck":
            for run in reversed(self.family(result.run)):
                await story.people.settle_doubts(self, run)
        elif not happens(story.random, story.faults.undos):
            return False
        steps = dict.fromkeys(step.partition("[")[0] for step in result.steps)
        to = story.random.choice([None, None, *steps])
        return await story.people.ask(self, result.run, "undo", to)

    async def _resume_all(self) -> None:
        while True:
            try:
                await self.engine.recover()
            except CallsheetError as exc:
                self.tell(f"the operator: {exc.message}")
                await self.clock.sleep(PAUSE)
            else:
                return

    def tell(self, what: str | Callable[[], str]) -> None:
        """Write down what happens."""
        self.story.tell(what)

    def later(self, seconds: float, work: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Do something after so many seconds, unless the process is dead by then."""

        async def wait() -> None:
            if seconds > 0:
                await self.clock.sleep(seconds)
            await work()

        self.loop.create_task(wait()).get_name()

    def _listen(self, told: Told) -> None:
        if isinstance(told, Event):
            self.attend(told.run)
            if isinstance(told.entry, e.RunStarted) and told.entry.parent:
                self._interfere(told.entry.parent.run)
            last = self._listened.get(told.run)
            # Entries of a commit that failed and was written all the same are read by whoever
            # looks into the journal; listeners, who do not, are not told of them.
            gap = last is not None and told.seq > last + 1 and not self.story.disk.troubles
            if last is not None and (told.seq <= last or gap):
                self.story.people.mishearings.append(
                    f"a listener was told of entry {told.seq} of {told.run} after entry {last}"
                )
            self._listened[told.run] = told.seq


class _Placeholders:
    """Secrets that are what the journal shows instead of them."""

    def get(self, name: str) -> str:
        return f"${{secrets.{name}}}"
