"""One life of a process: an engine is opened on the disk, drives the run, and dies or ends.

The engine is the real one, on a store, a clock and tools that are not.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from callsheet.engine import Engine
from callsheet.errors import CallsheetError, InputError
from callsheet.runtime.feed import Event
from callsheet.testing.simulation.faults import happens
from callsheet.testing.simulation.loop import MortalLoop, StoryClock

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from callsheet.runtime.feed import Told
    from callsheet.runtime.result import Result
    from callsheet.runtime.run import Run
    from callsheet.testing.simulation.story import Story

KEY = "story"
"""The start key: whoever starts again after a crash means the same run."""
PAUSE = 0.5
"""Seconds after which somebody looks after a run that the disk has interrupted."""
IDLE = 1.5
"""Seconds in which the last words of others are dealt with."""


class Life:
    """A process, from the opening of its engine to its death."""

    run: Run

    def __init__(self, story: Story, dies_at: int | None) -> None:
        self.story = story
        # It only turns: what it does not have (sockets, signals) nobody asks for.
        self.loop = MortalLoop(  # type: ignore[abstract]
            story.now, dies_at=dies_at, horizon=story.setting.horizon
        )
        story.loop = self.loop
        self.clock = StoryClock(self.loop, story.random)
        self.store = story.disk.open(self.loop)
        toolbox = story.outside.toolbox(story.setting.tools)
        self.engine = Engine(
            self.store, toolbox, self.clock, artifacts=story.artifacts, secrets=_Placeholders()
        )
        # A thread that watches for blocked loops has nothing to see here, and costs most of a life.
        self.engine.runtime._watchdog = _Blind()  # type: ignore[assignment]  # noqa: SLF001
        self._listened: int | None = None
        """The last entry that was told."""
        self._ended_at = 0
        """How many entries there were when the run had ended."""

    def live(self) -> Result | None:
        """Live until the run has ended for good; None: it died before that.

        Raises:
            HungError: it does neither.
        """
        return self.loop.run(self._live())

    async def _live(self) -> Result:
        self.engine.listen(self._listen)
        async with self.engine.runtime:
            await self._persist(self.engine.recover())
            await self._start()
            people = self.story.people
            self.later(0.0, partial(people.watch, self))
            people.act(self)
            return await self._last_word()

    async def _last_word(self) -> Result:
        """The run's result, once nobody has anything to say any more."""
        while True:
            result = await self._drive()
            await self.clock.sleep(IDLE)
            going_on = self.engine.runtime.loop_of(self.run.id) is not None
            if self._written == self._ended_at and not (going_on or self.story.people.busy):
                return result

    @property
    def _written(self) -> int:
        return len(self.story.journals.get(self.run.id, ()))

    async def _start(self) -> None:
        while True:
            try:
                if self.story.run:
                    self.run = await self.engine.get(self.story.run)
                    return
                story = self.story
                self.run = await self.engine.start(
                    story.beginning, story.setting.inputs, key=KEY, open=bool(story.batches)
                )
            except InputError:
                raise
            except CallsheetError:
                await self.clock.sleep(PAUSE)
            else:
                self.story.run = self.run.id
                return

    async def _drive(self) -> Result:
        """Look after the run until it has ended and nobody wants anything more of it."""
        while True:
            try:
                result = await self.run.wait()
                self._ended_at = self._written
                self.tell(f"the run has ended {result.state}")
                if not await self._go_on_with(result):
                    return result
            except CallsheetError:
                await self.clock.sleep(PAUSE)
                await self._persist(self.engine.resume(self.run.id))

    async def _go_on_with(self, result: Result) -> bool:
        """Whether somebody wants an ended run taken back, and it is."""
        story = self.story
        if story.afterwards <= 0:
            return False
        story.afterwards -= 1
        if result.state == "stuck":
            await story.people.settle_doubts(self)
        elif not happens(story.random, story.faults.undos):
            return False
        to = story.random.choice([None, None, *(step.id for step in story.plan.steps)])
        return await story.people.ask(self, "undo", to)

    async def _persist(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except CallsheetError as exc:
            self.tell(f"the operator: {exc.message}")

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
            last = self._listened
            # Entries of a commit that failed and was written all the same are read by whoever
            # looks into the journal; listeners, who do not, are not told of them.
            gap = last is not None and told.seq > last + 1 and not self.story.disk.troubles
            if last is not None and (told.seq <= last or gap):
                self.story.people.mishearings.append(
                    f"a listener was told of entry {told.seq} after entry {last}"
                )
            self._listened = told.seq


class _Placeholders:
    """Secrets that are what the journal shows instead of them."""

    def get(self, name: str) -> str:
        return f"${{secrets.{name}}}"


class _Blind:
    """A watchdog that sees nothing."""

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...
