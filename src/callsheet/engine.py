"""The door: open an engine, start runs, look at them, replay them.

Also the composition root: the only module that knows which store, toolbox and clock are used.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Raw
from msgspec.structs import replace

from callsheet.core import value
from callsheet.core.entries import ForkedFrom
from callsheet.core.ids import RunId
from callsheet.core.inputs import bind_inputs, read_inputs
from callsheet.errors import (
    CallsheetError,
    KeyReusedError,
    StoreBusyError,
    UnknownRunError,
)
from callsheet.home import (
    ARTIFACTS,
    artifact_files,
    copy_undo,
    drafted,
    forget,
    open_store,
    undo_files,
)
from callsheet.insight.artifacts import Artifacts
from callsheet.observe.observers import Observers
from callsheet.runtime.accounts import TenantLedger
from callsheet.runtime.clock import SystemClock
from callsheet.runtime.collect import GRACE, Retention
from callsheet.runtime.desk import Desk, bytes_of
from callsheet.runtime.log import log
from callsheet.runtime.run import Run
from callsheet.runtime.runtime import Runtime
from callsheet.runtime.saved import SavedPlans
from callsheet.runtime.secrets import EnvironmentSecrets, secrets_of
from callsheet.runtime.shared import SharedContext
from callsheet.runtime.start import TENANT, Start, is_same, must_name_tenant
from callsheet.runtime.surroundings import Ports
from callsheet.stores.blobs import open_artifacts

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
    from datetime import timedelta

    from callsheet.core.plan import Plan
    from callsheet.core.problem import Problem
    from callsheet.core.value import Json
    from callsheet.home import Sync
    from callsheet.insight.calibration import Calibration
    from callsheet.insight.foresight import Foresight
    from callsheet.insight.lineage import Direction, LineageGraph
    from callsheet.insight.preflight import Preflight
    from callsheet.insight.statistics import ToolStatistics
    from callsheet.observe.alerts import Alert
    from callsheet.observe.telemetry import Telemetry
    from callsheet.ports import ArtifactStore, Branch, Clock, Database, RunHead, Secrets, Store
    from callsheet.runtime.collect import Collected
    from callsheet.runtime.feed import Told
    from callsheet.runtime.replay import ReplayReport
    from callsheet.tools.registry import AnyTool, Registry

MAX_OPEN = 1_000_000


class Engine:
    """Runs plans. Opened with `async with Engine.open(...)`; engines share no state."""

    def __init__(  # noqa: PLR0913 -- what it consists of; `open` puts it together
        self,
        store: Store,
        tools: Registry,
        clock: Clock,
        *,
        artifacts: ArtifactStore | None = None,
        secrets: Secrets | None = None,
        undo: Path | None = None,
        observers: Observers | None = None,
        watched: bool = True,
    ) -> None:
        """An engine of these parts; unless it is `watched`, no thread looks for blocked loops."""
        self._store = store
        self._undo = undo
        """Where `file.write` keeps what its undo needs."""
        self._clock = clock
        self.tools = tools
        self._bytes = artifacts or open_artifacts(None, now=clock.now)
        self.artifacts = Artifacts(self._bytes, store)
        ports = Ports(
            store=store,
            toolbox=observers.around(tools) if observers else tools,
            clock=clock,
            artifacts=self._bytes,
            secrets=secrets or EnvironmentSecrets(),
        )
        self.runtime = Runtime(ports, watched=watched)
        self._retention = Retention(ports, self.runtime.pins, lambda keys: forget(undo, keys))
        self.plans = SavedPlans(ports.store.plans, ports.clock)
        self.ledger = TenantLedger(store.ledger, clock)
        self.context = SharedContext(store.context, clock)
        self._desk = Desk(tools, ports.store.plans, ports.secrets)

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
        allow_private: bool | Iterable[str] = False,
        plugins: bool | Iterable[str] = False,
        config: str | Path | None = None,
        artifacts: str | Path | None = None,
        secrets: Mapping[str, str] | Secrets | None = None,
        telemetry: Telemetry | bool = False,
        on_alert: Callable[[Alert], object] | None = None,
        clock: Clock | None = None,
    ) -> AsyncIterator[Engine]:
        """Open an engine on a home directory, on a database, or in memory.

        Args:
            home: a directory, made if it is not there, or the URL of a PostgreSQL database
                (`postgresql://user@host/name`); None: nothing outlives the engine.
            tools: what plans may call, beside the built-in tools.
            sync: `full`: an acknowledged entry survives power loss; `normal`: the process's death.
            drive: hold the driver lock and run things; else only look, and leave requests.
            recover: go on with runs that were interrupted, if all their tools are here.
            create: whether a home that is not there is made; only one that drives makes it.
            allow_shell: offer the built-in tool `sh`.
            allow_private: let tools reach addresses that are not public: all, or these hosts and
                blocks (`10.0.0.0/8`).
            plugins: offer the tools of other packages that are plug-ins: all, or these.
            config: a configuration file; None: if it drives, `callsheet.toml` in the home.
            artifacts: a directory, or the address of a bucket; None: in the home.
            secrets: what `${secrets.NAME}` stands for, before the environment's
                `CALLSHEET_SECRET_NAME`.
            telemetry: tell OpenTelemetry of runs and calls: its global providers, or these.
            on_alert: called when a run fails, is stuck, is over its budget or in doubt.
            clock: time and chance; None: the machine's.

        Raises:
            StoreError: the home cannot be used; the message says why and what to do.
            ConfigurationError: the configuration does not check; every problem, with its place.
            ToolDefinitionError: two tools of one name, or a plug-in that does not load.
        """
        # Imported here, like the stores: whoever only declares tools needs none of it.
        from callsheet.tools.assembly import Wishes, assembled, config_file

        # What `file.write` keeps for its undo lies in the home: a resumed run finds it there.
        undo = undo_files(home)
        wishes = Wishes(
            file=config_file(home if drive else None, config),
            plugins=plugins,
            allow_shell=allow_shell,
            allow_private=allow_private,
            backups=undo,
        )
        assembly = assembled(tools, wishes)
        registry = assembly.registry()
        clock = clock or SystemClock()
        store = await open_store(home, sync, drive=drive, create=create)
        blobs = open_artifacts(artifacts or artifact_files(home), sync=sync, now=clock.now)
        observers = Observers(telemetry, on_alert)
        try:
            assembly.add_context(registry, store.context, clock)
            engine = cls(
                store,
                registry,
                clock,
                artifacts=blobs,
                secrets=secrets_of(secrets),
                undo=undo,
                observers=observers,
            )
            with observers.watching(engine.runtime, clock):
                async with engine.runtime:
                    if recover and store.driving:
                        await engine.recover()
                    yield engine
        finally:
            await registry.close()
            await blobs.close()
            await store.close()

    # Plans

    def read(self, plan: Plan | Mapping[str, object] | str | Path) -> Plan:
        """A plan from a Plan, a mapping, or the path of a YAML or JSON file.

        Raises:
            PlanError: it is not a plan; every problem, with its place.
        """
        return self._desk.read(plan)

    def check(self, plan: Plan, *, source: str | Path | None = None) -> tuple[Problem, ...]:
        """Every problem of a plan against the tools of this engine, errors first.

        With the file it was read from as `source`, each problem has its line.
        """
        return self._desk.problems(plan, source)

    async def examine(self, plan: Plan, *, source: str | Path | None = None) -> tuple[Problem, ...]:
        """As `check`, and with the saved plans that the plan names."""
        return await self._desk.examine(plan, source)

    def read_inputs(self, path: str | Path) -> dict[str, Json]:
        """Inputs from a YAML or JSON file, as they stand there.

        Raises:
            InputsError: it cannot be read, or is not a mapping.
        """
        return read_inputs(bytes_of(Path(path), "inputs"))

    def bind(self, plan: Plan, inputs: Mapping[str, Json]) -> dict[str, Json]:
        """The inputs of a run of this plan, defaults included.

        Raises:
            InputsError: every input that is missing, unknown or does not fit.
        """
        return bind_inputs(plan, inputs)

    # Before and after

    async def preflight(
        self,
        plan: Plan | Mapping[str, object] | str | Path,
        inputs: Mapping[str, Json] | None = None,
    ) -> Preflight:
        """What a run will probably take, from what is declared and from earlier runs.

        Without inputs, what depends on them is unknown. Starts nothing, writes nothing.

        Raises:
            PlanError: the plan or the inputs do not check.
        """
        return await self._foresight.preflight(plan, inputs)

    async def statistics(
        self, since: timedelta | None = None, tool: str | None = None, *, limit: int = 1000
    ) -> list[ToolStatistics]:
        """What was made of each tool, in the newest runs, none that started before `since`."""
        return await self._foresight.statistics(since, tool, limit)

    async def calibration(self, *, limit: int = 200) -> Calibration:
        """How good forecasts have been, over the newest runs."""
        return await self._foresight.calibration(limit)

    @cached_property
    def _foresight(self) -> Foresight:
        from callsheet.insight.foresight import Foresight

        return Foresight(self._store.journal, self._desk, self.tools, self._clock)

    # Runs

    async def start(
        self,
        plan: Plan | Mapping[str, object] | str | Path,
        inputs: Mapping[str, Json] | None = None,
        *,
        key: str | None = None,
        open: bool = False,  # noqa: A002 -- an open run is called so everywhere
        tenant: str = TENANT,
    ) -> Run:
        """Start a run; returns when it is durable. The run does not depend on the caller.

        The same key with the same plan and inputs is the same run, however often a tenant starts
        it. An `open` run takes more steps (`Run.add`) until it is sealed. A tenant with an account
        pays for it: its budget is reserved there.

        Raises:
            PlanError: the plan or the inputs do not check; nothing was spent or written.
            KeyReusedError: the key was used with another plan or other inputs.
            LedgerShortError: the tenant's account does not cover the run's budget.
            StoreBusyError: another process drives this home.
        """
        self._must_drive()
        must_name_tenant(tenant)
        checked = await self._desk.check(plan)
        bound = Raw(value.canonical(bind_inputs(checked.plan, inputs or {})))
        start = Start(
            run=self.runtime.mint(),
            plan=checked.plan,
            inputs=bound,
            tools=checked.tools,
            children=checked.children,
            key=key,
            tenant=tenant,
            open=open,
        )
        return await self._launch(start)

    async def fork(
        self, run: str, step: str, args: Mapping[str, Json] | None = None, *, key: str | None = None
    ) -> Run:
        """Start a new run that takes over what another has done, up to a step that is done again.

        Everything that does not depend on the step is copied as it ended. The step, with `args`
        over those it had, and all that is built on it are done anew, with keys of their own. The
        new run owes only its own effects; the old one stays as it is. The same key with the same
        run, step and arguments is the same fork, as it was made first.

        Raises:
            UnknownRunError: there is no such run.
            InputError: there is no such step.
            KeyReusedError: the key belongs to another run.
            PlanError: the step does not check with these arguments.
        """
        self._must_drive()
        entries = await self.runtime.vault.read(RunId(run))
        if not entries:
            raise UnknownRunError(f"There is no run {run!r}. `callsheet runs` lists them.")
        from callsheet.runtime.fork import fork_of

        fork = fork_of(entries, step, args, self._clock.now())
        started = fork.started
        checked = await self._desk.check(fork.plan, started.children)
        start = Start(
            run=self.runtime.mint(),
            plan=checked.plan,
            inputs=started.inputs,
            tools=checked.tools,
            children=checked.children,
            key=key,
            tenant=started.tenant,
            open=fork.open,
            forked_from=ForkedFrom(run=run, step=step),
            copies=fork.copies,
        )
        return await self._launch(start)

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
        """Remove an ended run whole, with all that it alone held; False when there is none.

        Raises:
            RequestRefusedError: the run has not ended.
        """
        return await self._retention.delete(RunId(run))

    async def prune(self, older_than: timedelta, *, dry_run: bool = False) -> list[RunHead]:
        """Remove ended runs that ended longer ago than that; returns them, oldest last.

        Raises:
            StoreBusyError: this engine does not drive.
        """
        self._must_drive()
        return await self._retention.prune(older_than, dry_run=dry_run)

    async def collect(self, *, grace: timedelta = GRACE, dry_run: bool = False) -> Collected:
        """Remove the artifacts that no run, context item or running call refers to.

        Only those that nobody has put within the grace: a run may be about to name them.

        Raises:
            StoreBusyError: this engine does not drive.
        """
        self._must_drive()
        return await self._retention.collect(grace, dry_run=dry_run)

    async def lineage(self, name: str, *, direction: Direction = "both") -> LineageGraph:
        """What an artifact, or all of a run, was made from (up), and what was made of it (down).

        Raises:
            UnknownRunError, UnknownArtifactError: there is no run or artifact of that name.
        """
        return await self.artifacts.lineage(name, direction=direction)

    async def backup(self, target: str | Path) -> None:
        """Write a consistent copy of everything into a new home, while runs go on."""
        async with drafted(Path(target)) as draft:
            await self._bytes.backup(draft / ARTIFACTS, lambda: self._store.backup(draft))
            if self._undo is not None:
                await asyncio.to_thread(copy_undo, self._undo, draft)

    def database(self, branch: Branch) -> Database:
        """The engine's database, for tables of a client's own; they are made when first used."""
        return self._store.lend(branch)

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

    async def _launch(self, start: Start) -> Run:
        """Start a run, unless one was started with this key."""
        if start.key is not None and (found := await self._started_before(start)):
            return found
        reserves = await self.ledger.reservation(start.plan, start.tenant)
        try:
            await self.runtime.start(replace(start, reserves=reserves))
        except KeyReusedError:
            # Two starts with one key at the same time: the other was first.
            found = await self._started_before(start)
            if found is None:
                raise
            return found
        return self._handle(start.run)

    async def _started_before(self, start: Start) -> Run | None:
        head = await self._store.journal.find(start.tenant, start.key or "")
        if head is None:
            return None
        (first,) = await self._store.journal.read(head.run, limit=1)
        if not is_same(start, first, head.content):
            raise KeyReusedError(
                f"Key {start.key!r} belongs to run {head.run!r}, started with another plan or "
                "other inputs. Use a new key, or start it with the same content."
            )
        if head.ended is None:
            await self.resume(head.run)
        return self._handle(head.run)
