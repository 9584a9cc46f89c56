"""Carries recordings out, in memory and in simulated time, whole or from any part of a journal."""

from __future__ import annotations

import asyncio
import zlib
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec

from callsheet import Engine
from callsheet.core.ids import RunId, StepKey, child_run
from callsheet.core.plan.plan import Cost, content_digest
from callsheet.core.plan.read import read_plan
from callsheet.core.run import entries as e
from callsheet.core.run.request import LeftStart, Request
from callsheet.errors import RequestRefusedError
from callsheet.runtime.feed import Event
from callsheet.runtime.secrets import GivenSecrets
from callsheet.stores.artifacts.opening import open_artifacts
from callsheet.stores.memory.store import MemoryStore
from callsheet.testing import SimulatedClock, World, run_simulated
from callsheet.testing.contracts.samples import NOON
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.replay.recordings import Cut, Recording

    from callsheet.core.run.provisions import Provisions
    from callsheet.core.value import Json
    from callsheet.ports import ArtifactStore
    from callsheet.runtime.feed import Told

AT_MOST = 3600.0
_artifacts: dict[str, ArtifactStore] = {}
"""By recording: what lies beside its journal, which is the same every time."""
SECRETS = {"TOKEN": "sk-not-to-be-seen"}
DOWN = timedelta(seconds=50)
"""How long nobody drives a run whose process has died: no question times out meanwhile."""


def record(recording: Recording) -> list[e.AnyEntry]:
    """The journal of a recording, with the deaths that belong to it."""
    entries, _ = carry_out(recording, [], closes=recording.closes)
    if recording.closes:
        entries, _ = carry_out(recording, entries, truth=truth_of(entries))
    for cut in recording.cuts:
        end = next(n for n, entry in enumerate(entries, 1) if cut(entry))
        entries, _ = carry_out(recording, entries[:end], truth=truth_of(entries))
    return entries


def carry_out(
    recording: Recording,
    entries: Sequence[e.AnyEntry],
    *,
    truth: dict[str, Json] | None = None,
    down: timedelta = DOWN,
    closes: Cut | None = None,
) -> tuple[list[e.AnyEntry], World]:
    """Go on where the entries end (from nothing: begin), to the end of the run.

    `truth` is what really came of calls that are in doubt, by step. `down` is how long nobody
    drove the run; less than nothing: the machine's clock was set back meanwhile. `closes` says
    after which entry the engine is closed.
    """
    if recording.large and entries and recording.name not in _artifacts:
        carry_out(recording, [])
    world = World()
    recording.tools(world)
    life = _Life(recording, world, truth or {}, closes)
    seed = zlib.crc32(recording.name.encode())
    return run_simulated(life.live(list(entries), down), seed=seed, at_most=AT_MOST), world


def truth_of(entries: Sequence[e.AnyEntry]) -> dict[str, Json]:
    """What came of each step that succeeded."""
    return {
        entry.step: msgspec.json.decode(entry.output)
        for entry in entries
        if isinstance(entry, e.AttemptEnded) and entry.outcome == "succeeded"
    }


def left_for(started: e.RunStarted) -> Request:
    """What had been left for a run: without it, its journal does not begin."""
    left = LeftStart(at=NOON, plan=started.plan, content="")
    return Request(id=started.request or "", run=started.run, kind="start", start=left)


class _Given:
    """Says what runs may use, as somebody has recorded it."""

    def __init__(self, provisions: Provisions) -> None:
        self._provisions = provisions

    def provisions(self, tools: Iterable[str], secrets: Iterable[str]) -> Provisions:
        del tools, secrets
        return self._provisions


class _Life:
    def __init__(
        self,
        recording: Recording,
        world: World,
        truth: dict[str, Json],
        closes: Cut | None,
    ) -> None:
        self._closes = closes
        self._recording = recording
        self._world = world
        self._truth = truth
        self._store = MemoryStore()
        self._news: asyncio.Queue[tuple[str, e.AnyEntry]] = asyncio.Queue()
        """What has been journalled, and in which run."""
        self._run = RunId("")
        self._engine: Engine

    async def live(self, entries: list[e.AnyEntry], down: timedelta) -> list[e.AnyEntry]:
        clock = SimulatedClock()
        if entries:
            await clock.sleep((entries[-1].at + down - clock.now()).total_seconds())
        registry = Registry(self._world.tools)
        artifacts = _artifacts.setdefault(
            self._recording.name, open_artifacts(None, now=SimulatedClock().now)
        )
        self._engine = Engine(
            self._store,
            registry,
            clock,
            artifacts=artifacts,
            secrets=GivenSecrets(SECRETS),
            provisioner=_Given(self._recording.provisions) if self._recording.provisions else None,
        )
        self._engine.listen(self._hear)
        if self._recording.granted:
            usd = Cost(usd=self._recording.granted)
            await self._store.ledger.grant("default", usd, at=clock.now())
        async with self._engine.runtime:
            if entries:
                await self._take_up(entries)
            else:
                self._run = await self._begin()
            await self._attend()
        await registry.close()
        return list(await self._store.journal.read(self._run))

    async def _begin(self) -> RunId:
        """Start the run that is recorded, and whatever has to be there before it."""
        recording, engine = self._recording, self._engine
        for _ in range(recording.earlier):
            await (await engine.start(recording.document, recording.inputs)).wait()
        if recording.left:
            return await self._begin_left()
        run = await engine.start(recording.document, recording.inputs, open=recording.open)
        if recording.fork is not None:
            await run.wait()
            run = await engine.fork(run.id, *recording.fork, repeat_writes=True)
        return child_run(run.id, StepKey(recording.child)) if recording.child else run.id

    async def _begin_left(self) -> RunId:
        """Begin what another process has left to be started."""
        assert self._engine.runtime.starter is not None
        run, plan = self._engine.runtime.mint(), read_plan(self._recording.document)
        inputs = dict(self._recording.inputs)
        left = LeftStart(at=NOON, plan=plan, content=content_digest(plan, inputs), inputs=inputs)
        request = Request(id="left", run=run, kind="start", start=left)
        await self._store.inbox.put(request)
        await self._engine.runtime.starter(request)
        return run

    async def _take_up(self, entries: list[e.AnyEntry]) -> None:
        started = entries[0]
        assert isinstance(started, e.RunStarted)
        self._run = RunId(started.run)
        if started.request is not None:
            await self._store.inbox.put(left_for(started))
        await self._store.journal.append(self._run, entries, after=0)
        for entry in entries:
            self._news.put_nowait((self._run, entry))
        await self._engine.recover()

    def _hear(self, told: Told) -> None:
        if isinstance(told, Event):
            self._news.put_nowait((told.run, told.entry))

    async def _attend(self) -> None:
        """Be the person, until the run has ended and there is nothing left to ask of it."""
        while True:
            while not self._news.empty():
                run, entry = self._news.get_nowait()
                if self._closes and self._closes(entry):
                    return
                for request in self._reactions(entry) if run == self._run else ():
                    await self._ask(request)
            head = await self._store.journal.head(self._run)
            if self._news.empty():
                if head is not None and head.ended:
                    return
                self._news.put_nowait(await self._news.get())

    def _reactions(self, entry: e.AnyEntry) -> list[Request]:
        found = [each for reaction in self._recording.reactions for each in reaction(entry)]
        if not found and isinstance(entry, e.QuestionAsked) and entry.ask == "doubt":
            found = [self._from_truth(entry)]
        return found

    def _from_truth(self, asked: e.QuestionAsked) -> Request:
        from tests.replay.recordings import a_request

        happened = asked.step in self._truth
        return a_request(
            "answer",
            f"answer-{asked.question}",
            step=asked.step,
            answer="happened" if happened else "did_not",
            output=self._truth.get(asked.step),
        )

    async def _ask(self, request: Request) -> None:
        try:
            await self._engine.runtime.request(msgspec.structs.replace(request, run=self._run))
        except RequestRefusedError:
            # The run has moved on since the entry that this is the reaction to.
            return
