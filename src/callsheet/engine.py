"""The door: open an engine, start runs, look at them, replay them.

Also the composition root: the only module that knows which store, toolbox and clock are used.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Raw, structs

from callsheet.core import value
from callsheet.core.check import check_plan
from callsheet.core.document import MAX_BYTES, locate
from callsheet.core.entries import AttemptStarted
from callsheet.core.ids import PLAN_NAME, RunId, StepKey, idempotency_key
from callsheet.core.inputs import bind_inputs, read_inputs
from callsheet.core.plan import Plan, content_digest, tool_names
from callsheet.core.problem import refusal_of
from callsheet.core.read import read_plan
from callsheet.errors import (
    CallsheetError,
    InputError,
    KeyReusedError,
    StoreBusyError,
    UnknownPlanError,
    UnknownRunError,
)
from callsheet.runtime.clock import SystemClock
from callsheet.runtime.log import log
from callsheet.runtime.run import Run
from callsheet.runtime.runtime import Runtime
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
    from datetime import timedelta

    from callsheet.core.problem import Problem
    from callsheet.core.toolspec import ToolSpec
    from callsheet.core.value import Json
    from callsheet.ports import Clock, PlanShelf, RunHead, SavedPlan, Store
    from callsheet.runtime.feed import Told
    from callsheet.runtime.replay import ReplayReport
    from callsheet.tools.registry import AnyTool

Sync = Literal["full", "normal"]
TENANT = "default"
MAX_CHECKED = 64
UNDO = "undo"
MAX_OPEN = 1_000_000


@dataclass(frozen=True, slots=True)
class _Checked:
    """A plan that has been checked against this engine's tools."""

    plan: Plan
    tools: dict[str, ToolSpec]


class Engine:
    """Runs plans. Opened with `async with Engine.open(...)`; engines share no state."""

    def __init__(
        self, store: Store, tools: Registry, clock: Clock, *, undo: Path | None = None
    ) -> None:
        self._store = store
        self._undo = undo
        """Where `file.write` keeps what its undo needs."""
        self._clock = clock
        self.tools = tools
        self.runtime = Runtime(store, tools, clock)
        self.plans = SavedPlans(store.plans, clock)
        self._checked: dict[str, _Checked] = {}

    @classmethod
    @asynccontextmanager
    async def open(  # noqa: PLR0913 -- every one is optional and means something to a user
        cls,
        home: str | Path | None = None,
        tools: Iterable[AnyTool] = (),
        *,
        sync: Sync = "full",
        drive: bool = True,
        recover: bool = True,
        create: bool = True,
        allow_shell: bool = False,
        clock: Clock | None = None,
    ) -> AsyncIterator[Engine]:
        """Open an engine on a home directory, or in memory.

        Args:
            home: a directory, made if it is not there; None: nothing outlives the engine.
            tools: what plans may call, beside the built-in tools.
            sync: `full`: an acknowledged entry survives power loss; `normal`: the process's death.
            drive: hold the driver lock and run things; else only look, and leave requests.
            recover: go on with runs that were interrupted, if all their tools are here.
            create: whether a home that is not there is made; only one that drives makes it.
            allow_shell: offer the built-in tool `sh`.
            clock: time and chance; None: the machine's.

        Raises:
            StoreError: the home cannot be used; the message says why and what to do.
        """
        # Imported here, like the stores: whoever only declares tools needs none of it.
        from callsheet.tools.builtin import builtin_tools

        # What `file.write` keeps for its undo lies in the home: a resumed run finds it there.
        undo = Path(home) / UNDO if home is not None else None
        builtin = builtin_tools(allow_shell=allow_shell, backups=undo)
        registry = Registry([*builtin, *tools])
        store = await _open_store(home, sync, drive=drive, create=create)
        try:
            engine = cls(store, registry, clock or SystemClock(), undo=undo)
            async with engine.runtime:
                if recover and store.driving:
                    await engine.recover()
                yield engine
        finally:
            await registry.close()
            await store.close()

    # Plans

    def read(self, plan: Plan | Mapping[str, object] | str | Path) -> Plan:
        """A plan from a Plan, a mapping, or the path of a YAML or JSON file.

        Raises:
            PlanError: it is not a plan; every problem, with its place.
        """
        if isinstance(plan, (str, Path)):
            path = Path(plan)
            return read_plan(_bytes_of(path), name=_name_of(path))
        return read_plan(plan)

    def check(self, plan: Plan, *, source: str | Path | None = None) -> tuple[Problem, ...]:
        """Every problem of a plan against the tools of this engine, errors first.

        With the file it was read from as `source`, each problem has its line.
        """
        problems = check_plan(plan, self.tools.spec, self.tools.names())
        if source is None or not problems:
            return problems
        return locate(problems, _bytes_of(Path(source)).decode())

    def read_inputs(self, path: str | Path) -> dict[str, Json]:
        """Inputs from a YAML or JSON file, as they stand there.

        Raises:
            InputsError: it cannot be read, or is not a mapping.
        """
        return read_inputs(_bytes_of(Path(path), "inputs"))

    def bind(self, plan: Plan, inputs: Mapping[str, Json]) -> dict[str, Json]:
        """The inputs of a run of this plan, defaults included.

        Raises:
            InputsError: every input that is missing, unknown or does not fit.
        """
        return bind_inputs(plan, inputs)

    # Runs

    async def start(
        self,
        plan: Plan | Mapping[str, object] | str | Path,
        inputs: Mapping[str, Json] | None = None,
        *,
        key: str | None = None,
    ) -> Run:
        """Start a run; returns when it is durable. The run does not depend on the caller.

        The same key with the same plan and inputs is the same run, however often it is started.

        Raises:
            PlanError: the plan or the inputs do not check; nothing was spent or written.
            KeyReusedError: the key was used with another plan or other inputs.
            StoreBusyError: another process drives this home.
        """
        self._must_drive()
        checked = self._check(plan)
        bound = Raw(value.canonical(bind_inputs(checked.plan, inputs or {})))
        if key is not None and (found := await self._started_before(key, checked.plan, bound)):
            return found
        run = self.runtime.mint()
        try:
            await self.runtime.start(run, checked.plan, bound, tools=checked.tools, key=key)
        except KeyReusedError:
            # Two starts with one key at the same time: the other was first.
            found = await self._started_before(key or "", checked.plan, bound)
            if found is None:
                raise
            return found
        return self._handle(run)

    async def get(self, run: str) -> Run:
        """The handle of a run.

        Raises:
            UnknownRunError: there is no such run.
        """
        if await self._store.journal.head(RunId(run)) is None:
            raise UnknownRunError(f"There is no run {run!r}. `callsheet runs` lists them.")
        return self._handle(RunId(run))

    async def runs(
        self, *, limit: int = 50, before: str | None = None, open_only: bool = False
    ) -> Sequence[RunHead]:
        """Runs, newest first."""
        cursor = RunId(before) if before else None
        return await self._store.journal.heads(limit=limit, before=cursor, open_only=open_only)

    async def resume(self, run: str) -> Run:
        """Drive an interrupted run here; also a paused one, which stays paused.

        Raises:
            MissingToolsError: a tool it needs is not here.
        """
        self._must_drive()
        await self.runtime.take_up(RunId(run))
        return self._handle(RunId(run))

    async def recover(self) -> list[Run]:
        """Go on with every open run, and return those; one that cannot be driven here is left."""
        resumed = []
        for head in await self._store.journal.heads(limit=MAX_OPEN, open_only=True):
            try:
                resumed.append(await self.resume(head.run))
            except CallsheetError as exc:
                # Whatever is wrong with this one, the others have nothing to do with it.
                log.warning("run.left", run=head.run, reason=exc.message)
        return resumed

    async def replay(self, run: str) -> ReplayReport:
        """Fold and decide again over a run's journal; says whether anything comes out different."""
        entries = await self._store.journal.read(RunId(run))
        if not entries:
            raise UnknownRunError(f"There is no run {run!r}. `callsheet runs` lists them.")
        from callsheet.runtime.replay import replay

        return replay(entries)

    async def delete(self, run: str) -> bool:
        """Remove an ended run whole, with what was kept for its undo; False when there is none.

        Raises:
            RequestRefusedError: the run has not ended.
        """
        entries = await self._store.journal.read(RunId(run))
        deleted = await self._store.journal.delete(RunId(run))
        if deleted and self._undo is not None:
            steps = {entry.step for entry in entries if isinstance(entry, AttemptStarted)}
            keys = [idempotency_key(RunId(run), StepKey(step)) for step in steps]
            await asyncio.to_thread(_forget, self._undo, keys)
        return deleted

    async def prune(self, older_than: timedelta, *, dry_run: bool = False) -> list[RunHead]:
        """Remove ended runs that ended longer ago than that; returns them, oldest last.

        Raises:
            StoreBusyError: this engine does not drive.
        """
        self._must_drive()
        latest = self._clock.now() - older_than
        heads = await self._store.journal.heads(limit=MAX_OPEN)
        old = [head for head in heads if head.ended_at is not None and head.ended_at < latest]
        for head in old if not dry_run else ():
            await self.delete(head.run)
        return old

    async def backup(self, target: str | Path) -> None:
        """Write a consistent copy of everything into a new home, while runs go on."""
        await self._store.backup(Path(target))
        if self._undo is not None:
            await asyncio.to_thread(_copy_undo, self._undo, Path(target))

    def listen(self, listener: Callable[[Told], object]) -> Callable[[], None]:
        """Call a function with every event of every run driven here; returns how to stop that."""
        return self.runtime.feed.listen(listener)

    @property
    def driving(self) -> bool:
        """Whether this process runs things in this home."""
        return self._store.driving

    @property
    def driven(self) -> bool:
        """Whether any process, this one or another, runs things in this home right now."""
        return self._store.driven

    # Inside

    def _handle(self, run: RunId) -> Run:
        return Run(run, self.runtime, self._store, self._clock)

    def _must_drive(self) -> None:
        if not self._store.driving:
            raise StoreBusyError("This engine was opened with drive=False: it only looks.")

    def _check(self, plan: Plan | Mapping[str, object] | str | Path) -> _Checked:
        if isinstance(plan, Plan) and (known := self._checked.get(plan.digest)):
            return known
        fresh = self.read(plan)
        source = plan if isinstance(plan, (str, Path)) else None
        problems = self.check(fresh, source=source)
        errors = [problem for problem in problems if problem.severity == "error"]
        if errors:
            raise refusal_of(errors)
        checked = _Checked(fresh, self._specs(fresh))
        if len(self._checked) >= MAX_CHECKED:
            self._checked.pop(next(iter(self._checked)))
        self._checked[fresh.digest] = checked
        if isinstance(plan, Plan):
            self._checked[plan.digest] = checked
        return checked

    def _specs(self, plan: Plan) -> dict[str, ToolSpec]:
        """What the run records of its tools: all that decisions depend on, no schemas."""
        specs: dict[str, ToolSpec] = {}
        names = list(tool_names(plan))
        while names:
            spec = self.tools.spec(name := names.pop())
            if spec is not None and name not in specs:
                specs[name] = structs.replace(
                    spec, input_schema={}, output_schema=None, description=""
                )
                names += [spec.undo] if spec.undo else []
        return dict(sorted(specs.items()))

    async def _started_before(self, key: str, plan: Plan, inputs: Raw) -> Run | None:
        head = await self._store.journal.find(TENANT, key)
        if head is None:
            return None
        if head.content != content_digest(plan, value.decode(inputs)):
            raise KeyReusedError(
                f"Key {key!r} belongs to run {head.run!r}, started with another plan or other "
                "inputs. Use a new key, or start it with the same content."
            )
        if head.ended is None:
            await self.resume(head.run)
        return self._handle(head.run)


class SavedPlans:
    """Plans kept by name; every version is kept until the plan is deleted."""

    def __init__(self, shelf: PlanShelf, clock: Clock) -> None:
        self._shelf = shelf
        self._clock = clock

    async def save(self, plan: Plan) -> SavedPlan:
        """Save a plan under its name, as a new version if its content is new."""
        return await self._shelf.save(read_plan(plan), self._clock.now())

    async def get(self, name: str, version: int | None = None) -> SavedPlan:
        """A version, or the newest.

        Raises:
            UnknownPlanError: there is no such plan or version.
        """
        found = await self._shelf.get(name, version)
        if found is None:
            which = f"version {version} of plan {name!r}" if version else f"saved plan {name!r}"
            raise UnknownPlanError(f"There is no {which}. `callsheet plan list` lists them.")
        return found

    async def list(self) -> Sequence[SavedPlan]:
        """The newest version of each."""
        return await self._shelf.list()

    async def versions(self, name: str) -> Sequence[SavedPlan]:
        """All versions of one, oldest first."""
        return await self._shelf.versions(name)

    async def delete(self, name: str) -> None:
        """Remove a plan with all its versions.

        Raises:
            UnknownPlanError: there is no such plan.
            RequestRefusedError: an open run is of one of its versions.
        """
        if not await self._shelf.delete(name):
            raise UnknownPlanError(f"There is no saved plan {name!r}.")


async def _open_store(home: str | Path | None, sync: Sync, *, drive: bool, create: bool) -> Store:
    if home is None:
        from callsheet.stores.memory import MemoryStore

        return MemoryStore()
    # Imported here: an engine in memory needs no database, and the import is not cheap.
    from callsheet.stores.sql import SqlStore

    return await SqlStore.open(Path(home), sync=sync, drive=drive, create=drive and create)


def _forget(undo: Path, keys: Iterable[str]) -> None:
    from callsheet.tools.backup import Backups

    backups = Backups(undo)
    for key in keys:
        backups.forget(key)


def _copy_undo(undo: Path, target: Path) -> None:
    from callsheet.tools.backup import Backups

    Backups(undo).copy_to(target / UNDO)


def _bytes_of(path: Path, what: str = "plan") -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as exc:
        raise InputError(f"Cannot read the {what} {str(path)!r}: {exc.strerror}.") from exc


def _name_of(path: Path) -> str:
    stem = path.name.split(".")[0]
    return stem if PLAN_NAME.match(stem) else "plan"
