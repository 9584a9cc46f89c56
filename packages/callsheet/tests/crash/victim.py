"""Lives of the program, the person who answers its questions, and what must be true at the end.

A life is a real process, forked from a server that has everything imported, or started from the
command line; `kill -9` and a crash point end it all the same.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from tests.crash import program
from tests.crash.program import TOLD, WORLD, Options, Scenario, Word
from tests.crash.world import World

from callsheet import Engine
from callsheet.core.ids import RunId, StepKey, idempotency_key
from callsheet.core.run import entries as e
from callsheet.core.run.request import Request
from callsheet.runtime.clock import SystemClock
from callsheet.stores.postgres.store import PostgresStore
from callsheet.stores.sql import transactor
from callsheet.stores.sqlite.store import DATABASE, SqlStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from multiprocessing.process import BaseProcess

    from callsheet.core.run.entry import Entry
    from callsheet.core.value import Json

ROOT = Path(__file__).parents[4]
PATIENCE = 180.0
"""Seconds after which something that should happen is taken for hung."""
LOOK = 0.005
"""How often things are looked at, in seconds."""
KILLED = -signal.SIGKILL

_server = multiprocessing.get_context("forkserver")
_server.set_forkserver_preload(["tests.crash.program"])
_clock = SystemClock()


async def until(happened: Callable[[], object], what: str, *, patience: float = PATIENCE) -> None:
    """Return as soon as it has happened."""
    for _ in range(int(patience / LOOK)):
        if happened():
            return
        await _clock.sleep(LOOK)
    raise AssertionError(f"Waited {patience:g} s for this: {what}")


def process_of(work: Callable[..., None], *args: str) -> BaseProcess:
    """A process that does this, begun."""
    process = _server.Process(target=work, args=args, daemon=True)
    process.start()
    return process


@dataclass(slots=True)
class Case:
    """One home, and everything that is known of it from outside."""

    home: Path
    scenario: Scenario = "keeps"
    database: str = ""
    """The URL of the store, if it is not in the home."""
    runs: int = 1
    sync: Literal["full", "normal"] = "full"
    lives: int = 0
    kills: int = 0
    _words: list[Word] = field(default_factory=list)
    _heard: int = 0
    """Bytes of the diary that have been read."""
    _seen: int = 0
    """Words that the person has read."""
    _left: set[str] = field(default_factory=set)
    """Requests that have been put into the inbox."""

    @property
    def world(self) -> World:
        return World(self.home / WORLD)

    @property
    def words(self) -> list[Word]:
        """What all lives have said."""
        self._listen()
        return self._words

    def _listen(self) -> None:
        path = self.home / TOLD
        if not path.exists():
            return
        with path.open("rb") as file:
            file.seek(self._heard)
            lines = file.read()
        whole = lines[: lines.rfind(b"\n") + 1]
        self._heard += len(whole)
        self._words += [msgspec.json.decode(line, type=Word) for line in whole.splitlines()]

    def _mend(self) -> None:
        """Drop what a killed life had half written: the kernel may stop a write at a page."""
        if (path := self.home / TOLD).exists():
            told = path.read_bytes()
            os.truncate(path, told.rfind(b"\n") + 1)

    def said(self, what: str) -> list[Word]:
        return [word for word in self.words if word.said == what]

    @property
    def run(self) -> RunId:
        """The run, once a life has been told that it is there."""
        (run,) = self.known
        return run

    @property
    def known(self) -> set[RunId]:
        """The runs that a life has been told of."""
        return {RunId(word.run) for word in self.said("started")}

    # Lives

    @asynccontextmanager
    async def life(
        self,
        crash_at: str = "",
        *,
        count: bool = False,
        answers: bool = True,
        patience: float = transactor.PATIENCE,
    ) -> AsyncIterator[Life]:
        """A process for the length of the block, with somebody who answers its questions."""
        self.lives += 1
        options = Options(
            home=str(self.home),
            database=self.database,
            scenario=self.scenario,
            crash_at=crash_at,
            count=count,
            runs=self.runs,
            sync=self.sync,
            patience=patience,
        )
        self._mend()
        before = len(self.words)
        process = process_of(program.main, msgspec.json.encode(options).decode())
        life = Life(self, process, before)
        async with asyncio.TaskGroup() as group:
            if answers:
                group.create_task(self._answer(lambda: life.is_over))
            try:
                yield life
            finally:
                await life.kill()
        self.kills += process.exitcode == KILLED

    async def live(self, crash_at: str = "", *, count: bool = False) -> int:
        """A whole life; returns how it ended (`KILLED`, or 0)."""
        async with self.life(crash_at, count=count) as life:
            code = await life.end()
        assert code in (0, KILLED), self.complaints()
        return code

    async def live_on(self) -> None:
        """A life that nothing disturbs."""
        assert await self.live() == 0, self.complaints()

    async def live_from_command_line(self, crash_at: str = "") -> int:
        """A whole life, begun as a user would begin it."""
        self.lives += 1
        options = msgspec.json.encode(Options(home=str(self.home), scenario=self.scenario))
        path = os.pathsep.join(entry for entry in sys.path if entry)
        self._mend()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.crash.program", options.decode()),
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path, "CALLSHEET_CRASH_AT": crash_at},
        )
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
            group.create_task(self._answer(lambda: process.returncode is not None))
            code = await process.wait()
        self.kills += code == KILLED
        assert code in (0, KILLED), self.complaints()
        return code

    def complaints(self) -> str:
        return "\n".join(str(word.data) for word in self.said("error")) or "nobody said why"

    # The person who answers

    async def _answer(self, is_over: Callable[[], bool]) -> None:
        """Answer whatever is asked, through the inbox, knowing only what can be known outside."""
        while not is_over():
            await self.answer_all()
            await _clock.sleep(LOOK)

    async def answer_all(self) -> None:
        """Answer what has been asked up to now."""
        fresh = self.words[self._seen :]
        self._seen += len(fresh)
        for word in fresh:
            if word.said == "event":
                entry = e.decode(word.entry.encode())
                if (request := self._reaction(RunId(word.run), entry)) is not None:
                    await self.leave(request)

    def _reaction(self, run: RunId, entry: e.AnyEntry) -> Request | None:
        if isinstance(entry, e.QuestionAsked):
            step = StepKey(entry.step)
            answer, output = self._answer_to(run, entry)
            return Request(
                id=answer_id(run, entry.question),
                run=run,
                kind="answer",
                step=step,
                answer=answer,
                output=output,
                by="ann",
            )
        if isinstance(entry, e.AttemptStarted) and entry.step == "hang":
            return Request(id=f"{run}-cancel", run=run, kind="cancel", reason="Enough.", by="ann")
        return None

    def _answer_to(self, run: RunId, asked: e.QuestionAsked) -> tuple[Json, Json]:
        if asked.ask == "question":
            return "keep", None
        if asked.ask == "approval":
            return "approve", None
        # In doubt: go and look.
        if self.world.has("done", idempotency_key(run, StepKey(asked.step))):
            return "happened", {"id": f"book-{asked.step}"}
        return "did_not", None

    async def leave(self, request: Request) -> None:
        """Put a request into the inbox, as any other process may. Twice is once."""
        if request.id in self._left:
            return
        self._left.add(request.id)
        store = await self._open()
        try:
            await store.inbox.put(request)
        finally:
            await store.close()

    async def _open(self) -> SqlStore | PostgresStore:
        if self.database:
            return await PostgresStore.open(self.database, drive=False)
        return await SqlStore.open(self.home, drive=False)

    # What is there

    async def journals(self) -> dict[RunId, Sequence[e.AnyEntry]]:
        """All journals there are."""
        if not self.database and not (self.home / DATABASE).exists():
            return {}  # died before there was anything
        store = await self._open()
        try:
            heads = await store.journal.heads()
            return {head.run: await store.journal.read(head.run) for head in heads}
        finally:
            await store.close()

    async def journal(self) -> Sequence[e.AnyEntry]:
        """The journal of the one run; empty if it was never started."""
        journals = await self.journals()
        own = [entries for entries in journals.values() if not program.is_child(entries[0])]
        assert len(own) <= 1
        return own[0] if own else ()


def answer_id(run: RunId, question: str) -> str:
    """The request with which the person answers."""
    return f"{run}-answer-{question}"


@dataclass(slots=True)
class Life:
    """A process that runs the program."""

    case: Case
    process: BaseProcess
    _before: int
    """Words of earlier lives."""

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    @property
    def is_over(self) -> bool:
        return self.process.exitcode is not None

    async def end(self) -> int:
        """Wait for it to end, however that comes about."""
        await until(lambda: self.is_over, f"the end of life {self.case.lives}")
        assert self.process.exitcode is not None
        return self.process.exitcode

    async def kill(self) -> None:
        """`kill -9`, if it is still alive."""
        self.process.kill()
        await self.end()

    async def until_said(self, what: str) -> None:
        """Return when it has said this."""

        def happened() -> bool:
            return any(word.said == what for word in self.case.words[self._before :])

        await until(lambda: happened() or self.is_over, f"{what!r}")

    async def until_event(self, kind: type[Entry], step: str) -> None:
        """Return when it was told of such an entry."""

        def happened() -> bool:
            entries = (e.decode(word.entry.encode()) for word in self.case.said("event"))
            return any(
                isinstance(entry, kind) and getattr(entry, "step", "") == step for entry in entries
            )

        await until(lambda: happened() or self.is_over, f"{kind.__name__} of {step!r}")


# What must be true


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """All that a user would compare two runs by."""

    state: str
    cause: str
    output: Json
    steps: dict[str, tuple[str, Json]]
    effects: Counter[tuple[str, str]]


def outcome_of(case: Case, run: RunId) -> Outcome:
    """How a run has ended."""
    result = [word for word in case.said("ended") if word.run == run][-1].data
    # What its children did, it did; their steps have names of their own.
    return outcome_from(result, case.world.effects_of(None if case.runs == 1 else run))


def outcome_from(result: dict[str, Any], effects: Counter[tuple[str, str]]) -> Outcome:
    """How a run has ended, from its result as plain data and what it did to the world."""
    steps = {key: (step["state"], step["output"]) for key, step in result["steps"].items()}
    return Outcome(
        state=result["state"],
        cause=str(result["cause"] and (result["cause"]["kind"], result["cause"].get("step"))),
        output=result["output"],
        steps=steps,
        effects=effects,
    )


async def check_end(case: Case, undisturbed: Outcome) -> None:
    """All runs have ended as if nobody had been killed, and nothing was done twice."""
    assert len(case.known) == case.runs, "the same start is one run"
    await check_journal(case)
    async with Engine.open(case.database or case.home, drive=False) as engine:
        for run in case.known:
            assert outcome_of(case, run) == undisturbed
        for head in await engine.runs():
            assert head.ended, "nobody is left behind"
            report = await engine.replay(head.run)
            assert report.same, report.difference
            started = (await (await engine.get(head.run)).journal())[0]
            assert program.is_child(started) or head.run in case.known


async def check_journal(case: Case) -> None:
    """What holds at any time, also while a run is interrupted."""
    journals = await case.journals()
    check_acknowledged(case, journals)
    for run, entries in journals.items():
        check_no_doubles(entries)
        check_calls(case, run, entries)
        check_doubts(entries)
        check_checkpoints(case, run, entries)


def check_acknowledged(case: Case, journals: dict[RunId, Sequence[e.AnyEntry]]) -> None:
    """Whatever somebody was told is in the journal, in its place."""
    assert case.known <= set(journals), "a start was acknowledged and is lost"
    for word in case.words:
        if word.said in ("heard", "event"):
            entries = journals[RunId(word.run)]
            assert word.seq <= len(entries), f"{word.entry} was acknowledged and is lost"
            assert e.encode(entries[word.seq - 1]).decode() == word.entry


def check_no_doubles(entries: Sequence[e.AnyEntry]) -> None:
    """No fact is recorded twice."""
    facts: Counter[object] = Counter()
    for entry in entries:
        if isinstance(entry, (e.AttemptStarted, e.AttemptEnded, e.UndoStarted, e.UndoEnded)):
            facts[type(entry), entry.step, entry.attempt] += 1
        elif isinstance(entry, (e.QuestionAsked, e.AnswerRecorded)):
            facts[type(entry), entry.question] += 1
        elif isinstance(entry, (e.RunStarted, e.RunEnded, e.CancelRequested, e.StepExpanded)):
            # A run that has ended may be undone, and ends again.
            facts[type(entry), getattr(entry, "step", getattr(entry, "state", ""))] += 1
    assert not [fact for fact, count in facts.items() if count > 1]


def check_calls(case: Case, run: RunId, entries: Sequence[e.AnyEntry]) -> None:
    """Nothing was called that had not been written down, and nothing that had succeeded."""
    started = {
        (entry.step, entry.attempt, isinstance(entry, e.UndoStarted))
        for entry in entries
        if isinstance(entry, (e.AttemptStarted, e.UndoStarted))
    }
    calls = Counter(
        (line.step, line.attempt, line.key.endswith(":undo"))
        for line in case.world.calls
        if line.run == run
    )
    assert set(calls) <= started, "a call that was not journalled"
    assert set(calls.values()) <= {1}, "an attempt that was called twice"
    for entry in entries:
        if getattr(entry, "step", None) in program.SUB_PLANS:
            continue  # what it calls is in its own journal
        if isinstance(entry, (e.AttemptEnded, e.UndoEnded)) and entry.outcome == "succeeded":
            undo = isinstance(entry, e.UndoEnded)
            later = [a for step, a, u in calls if (step, u) == (entry.step, undo)]
            assert max(later) == entry.attempt, f"{entry.step} ran again after it had succeeded"


def check_doubts(entries: Sequence[e.AnyEntry]) -> None:
    """A write that may have happened is made again only if a person has said that it did not."""
    cleared: Counter[str] = Counter()
    for entry in entries:
        if isinstance(entry, e.AnswerRecorded) and bytes(entry.answer) == b'"did_not"':
            cleared[entry.step] += 1
        elif isinstance(entry, e.AttemptStarted) and entry.step in program.NOT_IDEMPOTENT:
            assert entry.attempt == cleared[entry.step] + 1, f"{entry.step} blindly repeated"


def check_checkpoints(case: Case, run: RunId, entries: Sequence[e.AnyEntry]) -> None:
    """What an attempt put down, every later attempt was given."""
    saved = {x.step: x.attempt for x in entries if isinstance(x, e.CheckpointSaved)}
    for line in case.world.calls:
        if line.run == run and line.step in saved and not line.key.endswith(":undo"):
            assert line.resumed == (line.attempt > saved[line.step]), line
