"""The door: open an engine, start runs, look at them, replay them.

Nothing is done here. Which store, tools and clock are used is put together in `opening`; runs are
started in `runs`; the other modules of this package are named after what they are about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from callsheet.core.grants import Grants
from callsheet.core.index.heads import Filter
from callsheet.core.run.start import TENANT
from callsheet.engine.artifacts import Artifacts
from callsheet.engine.context import SharedContext
from callsheet.engine.door import close, opening
from callsheet.engine.home import forget
from callsheet.engine.judging import Judging
from callsheet.engine.keeping import Keeping, must_be_seconds
from callsheet.engine.ledger import TenantLedger
from callsheet.engine.listing import filtered, run_named, the_run
from callsheet.engine.opening import Offer, opened_stores, toolroom_for
from callsheet.engine.plans import SavedPlans
from callsheet.engine.retention import Retention
from callsheet.engine.runs import Runs
from callsheet.engine.talking import Talking
from callsheet.engine.tenant.tenant import Parts, Tenants
from callsheet.observe.observers import Observers
from callsheet.runtime.checker import Acceptance, Checker
from callsheet.runtime.clock import SystemClock
from callsheet.runtime.environment import Ports
from callsheet.runtime.permitted import permitted
from callsheet.runtime.runtime import DRAIN, Runtime
from callsheet.runtime.secrets import EnvironmentSecrets, secrets_of
from callsheet.stores.artifacts.opening import open_artifacts
from callsheet.stores.threads import to_its_end

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from callsheet.agents.agent import Agent
    from callsheet.agents.model import Model
    from callsheet.agents.roster import Hired
    from callsheet.core.index.heads import RunHead
    from callsheet.core.past.fork import RepeatedWrite
    from callsheet.core.past.replay import ReplayReport
    from callsheet.core.past.result import Result
    from callsheet.core.run.step import RunState
    from callsheet.core.value import Json
    from callsheet.engine.door import InMemory, Keeper, Opening
    from callsheet.engine.home import Sync
    from callsheet.engine.questions import OpenQuestion
    from callsheet.engine.tenant.tenant import Tenant
    from callsheet.engine.toolroom import Toolroom
    from callsheet.observe.alerts import Alert
    from callsheet.observe.telemetry import Telemetry
    from callsheet.ports import (
        ArtifactStore,
        Branch,
        Clock,
        Database,
        Provisioner,
        Secrets,
        Store,
    )
    from callsheet.runtime.checker import CheckedPlan, PlanLike
    from callsheet.runtime.feed import Event, Told
    from callsheet.runtime.run import Run
    from callsheet.tools.configuration import Configuration
    from callsheet.tools.outside.network import Network
    from callsheet.tools.registry import AnyTool, Registry


class Engine(Judging, Keeping, Talking):
    """Runs plans. Opened with `async with Engine.open(...)`; engines share no state."""

    tools: Registry

    def __init__(  # noqa: PLR0913 -- what it consists of; `open` puts it together
        self,
        store: Store,
        tools: Registry,
        clock: Clock,
        *,
        artifacts: ArtifactStore | None = None,
        secrets: Secrets | None = None,
        grants: Grants | None = None,
        provisioner: Provisioner | None = None,
        undo: Path | None = None,
        observers: Observers | None = None,
        watched: bool = True,
        drain: float = DRAIN,
        said: Configuration | None = None,
        agents: Sequence[Hired] = (),
        models: Mapping[str, Model] | None = None,
    ) -> None:
        """An engine of these parts; unless it is `watched`, no thread looks for blocked loops."""
        self._keeper: Keeper | None = None
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
            grants=grants or Grants(),
            provisioner=provisioner,
        )
        self._grants = ports.grants
        self.runtime = Runtime(ports, watched=watched, drain=drain)
        self._retention = Retention(
            ports, self.runtime.pins, lambda keys: forget(undo, keys), self._keep_said
        )
        self.plans = SavedPlans(ports.store.plans, ports.clock)
        self.ledger = TenantLedger(store.ledger, clock)
        self.context = SharedContext(store.context, clock)
        self._checker = Checker(permitted(tools, ports.grants, TENANT))
        self._acceptance = Acceptance(self._checker, store.plans, ports.secrets, ports.provisioner)
        self._tenants = Tenants(
            Parts(
                ports=ports,
                runtime=self.runtime,
                tools=tools,
                checker=self._checker,
                acceptance=self._acceptance,
                ledger=self.ledger,
                context=self.context,
                delete=self.delete,
                database=self.database,
                turns=self._turns,
                drafts=self._drafts,
            )
        )
        self._runs = Runs(self.runtime, store, clock, self._tenants.desk, self.ledger)
        self.runtime.starter = self._runs.take
        self._talk(ports, said, agents, models or {})

    @classmethod
    @opening
    async def open(  # noqa: PLR0913 -- every one but the home is optional
        cls,
        home: str | Path | None,
        tools: Iterable[AnyTool] | Toolroom = (),
        *,
        sync: Sync = "full",
        drive: bool = True,
        recover: bool = True,
        create: bool = True,
        allow_shell: bool = False,
        allow_private: bool | Iterable[str] | Network = False,
        plugins: bool | Iterable[str] = False,
        config: str | Path | None = None,
        files: str | Path | None = None,
        artifacts: str | Path | None = None,
        secrets: Mapping[str, str] | Secrets | None = None,
        telemetry: Telemetry | bool = False,
        on_alert: Callable[[Alert], object] | None = None,
        drain: float = DRAIN,
        clock: Clock | None = None,
        agents: Iterable[Agent] = (),
        models: Mapping[str, Model] | None = None,
    ) -> AsyncIterator[Engine]:
        """Open an engine on a home directory, on a database, or in memory.

        Either `async with Engine.open(...) as engine:`, which closes it at the end of the block; or
        `engine = await Engine.open(...)`, and later `await engine.close()`.

        Args:
            home: a directory, made if it is not there, or the URL of a PostgreSQL database
                (`postgresql://user@host/name`); None, as in `in_memory`: nothing outlives it.
            tools: what plans may call, beside the built-in tools; or a `toolroom` that was prepared
                for this home.
            sync: `full`: an acknowledged entry survives power loss; `normal`: the process's death.
            drive: run things; else only look, and leave requests and starts.
            recover: go on with runs whose process is gone, now and for as long as the engine is
                open, if it has the same tools.
            create: whether a home that is not there is made; only one that drives makes it.
            allow_shell: offer the built-in tool `sh`.
            allow_private: let tools reach addresses that are not public: all, or these hosts and
                blocks (`10.0.0.0/8`).
            plugins: offer the tools of other packages that are plug-ins: all, or these.
            config: a configuration file; None: if it drives, `callsheet.toml` in the home.
            files: the directory that `file.read` and `file.write` may use; None: what the
                configuration says, or the current one.
            artifacts: a directory, or the address of a bucket; None: in the home.
            secrets: what `${secrets.NAME}` stands for, before the environment's
                `CALLSHEET_SECRET_NAME`.
            telemetry: tell OpenTelemetry of runs and calls: its global providers, or these.
            on_alert: called when a run fails, is stuck, is over its budget or in doubt.
            drain: seconds that the calls which go on have to end in when the engine closes; then
                they are told, with at most 5 s more. 0: it closes on the spot, like a crash.
            clock: time and chance; None: the machine's.
            agents: those that steps may ask, beside those of the configuration.
            models: models of your own, by the names that they are asked for with.

        Raises:
            StoreError: the home cannot be used; the message says why and what to do.
            ConfigurationError: the configuration does not check; every problem, with its place.
            ToolDefinitionError: two tools of one name, or a plug-in that does not load.
            InputError: `drain` is not a number of seconds.
        """
        must_be_seconds("drain", drain)
        offer = Offer(
            allow_shell=allow_shell,
            allow_private=allow_private,
            plugins=plugins,
            config=config,
            files=files,
            agents=tuple(agents),
            models=models,
        )
        room = toolroom_for(home, tools, offer, reads_home=drive)
        clock = clock or SystemClock()
        observers = Observers(telemetry, on_alert)
        async with opened_stores(
            room, clock, sync=sync, drive=drive, create=create, artifacts=artifacts
        ) as (store, blobs, undo):
            engine = cls(
                store,
                room.tools,
                clock,
                artifacts=blobs,
                secrets=secrets_of(secrets),
                grants=room.grants,
                provisioner=room.provider,
                undo=undo,
                observers=observers,
                drain=drain,
                said=room.said,
                agents=room.hired,
                models=room.models,
            )
            with observers.watching(engine.runtime, clock):
                async with engine._talking(), to_its_end(engine.runtime):
                    if recover and store.driving:
                        await engine.runtime.recover()
                    yield engine

    @classmethod
    def in_memory(
        cls, tools: Iterable[AnyTool] | Toolroom = (), **options: Unpack[InMemory]
    ) -> Opening[Engine]:
        """Open an engine that keeps nothing: for tests and trials. Options are those of `open`."""
        return cls.open(None, tools, **options)

    async def close(self) -> None:
        """Close an engine that was opened with `await`; runs that go on are kept, to be resumed.

        Raises:
            EngineClosedError: it was opened with `async with`, whose end closes it.
        """
        await close(self._keeper)

    @classmethod
    def toolroom(  # noqa: PLR0913 -- as `open`
        cls,
        home: str | Path | None = None,
        tools: Iterable[AnyTool] = (),
        *,
        allow_shell: bool = False,
        allow_private: bool | Iterable[str] | Network = False,
        plugins: bool | Iterable[str] = False,
        config: str | Path | None = None,
        files: str | Path | None = None,
        agents: Iterable[Agent] = (),
        models: Mapping[str, Model] | None = None,
    ) -> Toolroom:
        """The tools of an engine that is to be opened, to read and check plans with before it is.

        `Engine.open(home, room)` opens it, and does not check again what the room has checked.
        Nothing is written: a plan that does not check leaves not even a home behind.

        Raises:
            ConfigurationError: the configuration does not check; every problem, with its place.
            ToolDefinitionError: two tools of one name, or a plug-in that does not load.
        """
        offer = Offer(
            allow_shell=allow_shell,
            allow_private=allow_private,
            plugins=plugins,
            config=config,
            files=files,
            agents=tuple(agents),
            models=models,
        )
        return toolroom_for(home, tools, offer)

    def tenant(
        self, name: str, *, tools: Iterable[str] | None = None, secrets: Iterable[str] | None = None
    ) -> Tenant:
        """What this engine is for one tenant: an engine that sees its own, and nothing else.

        It need not be made: it is there once something is its. With `tools`, as names or patterns,
        or `secrets`, it is for somebody who may use no others, nor may what is added to their runs.

        Raises:
            InputError: it cannot be the name of one.
        """
        return self._tenants.of(name, tools, secrets)

    # Runs

    async def start(
        self,
        plan: CheckedPlan | PlanLike,
        inputs: Mapping[str, Json] | None = None,
        *,
        key: str | None = None,
        open: bool = False,  # noqa: A002 -- an open run is called so everywhere
        tenant: str = TENANT,
        subject: str | None = None,
    ) -> Run:
        """Start a run; returns when it is durable. The run does not depend on the caller.

        The same key with the same plan and inputs is the same run, however often a tenant starts
        it. A plan that the engine's `toolroom` has checked is not checked again. An `open` run
        takes more steps (`Run.add`) until it is sealed. A tenant with an account pays for it: its
        budget is reserved there. The `subject` is what the run is about, in your words
        (`project:p_7k2m`): runs are listed and followed by it, its children's included. Opened with
        `drive=False`, it is left for a process that has the tools, and `pending` until then.

        Raises:
            PlanError: the plan or the inputs do not check; nothing was spent or written.
            KeyReusedError: the key was used with another plan or other inputs.
            LedgerShortError: the tenant's account does not cover the run's budget.
        """
        inputs = {} if inputs is None else inputs
        return await self._runs.start(
            plan, inputs, key=key, is_open=open, tenant=tenant, subject=subject
        )

    async def run(
        self,
        plan: CheckedPlan | PlanLike,
        inputs: Mapping[str, Json] | None = None,
        *,
        key: str | None = None,
        tenant: str = TENANT,
    ) -> Result:
        """Start a run and wait for its end; raises as `start` and `Run.wait` do.

        A run that does not succeed is a result, too: `result.raise_for_state()` raises.
        """
        return await (await self.start(plan, inputs, key=key, tenant=tenant)).wait()

    async def fork(
        self,
        run: str,
        step: str,
        args: Mapping[str, Json] | None = None,
        *,
        key: str | None = None,
        repeat_writes: bool = False,
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
            RequestRefusedError: it would do again what has been done and is not idempotent, and
                nobody has said `repeat_writes`; `repeats` lists what it would do again.
        """
        return await self._runs.fork(the_run(run), step, args, key=key, repeat_writes=repeat_writes)

    async def repeats(self, run: str, step: str) -> tuple[RepeatedWrite, ...]:
        """The writes that a run has done and a fork at this step would do again."""
        return await self._runs.repeats(the_run(run), step)

    async def get(self, run: str) -> Run:
        """The handle of a run.

        Raises:
            UnknownRunError: there is no such run.
        """
        return await self._runs.get(the_run(run))

    async def runs(  # noqa: PLR0913 -- every one is optional and narrows the list
        self,
        *,
        state: RunState | str | None = None,
        plan: str | None = None,
        tenant: str | None = None,
        subject: str | None = None,
        key: str | None = None,
        since: datetime | None = None,
        top_level: bool = False,
        open_only: bool = False,
        limit: int = 50,
        before: str | None = None,
    ) -> Sequence[RunHead]:
        """Runs, newest first; each argument leaves out those that differ in it.

        Args:
            state: how they ended, or where they are while they have not.
            plan: the name of their plan.
            tenant: whose they are.
            subject: what they are about.
            key: the key they were started with.
            since: none that started before.
            top_level: none that is a step of another.
            open_only: none that has ended.
            limit: at most so many.
            before: those that follow this one in the list.
        """
        which = Filter(
            plan=plan,
            tenant=tenant,
            subject=subject,
            key=key,
            since=since,
            top_level=top_level,
            open_only=open_only,
        )
        return await self._runs.heads(filtered(which), state, limit=limit, before=before)

    async def questions(
        self, *, tenant: str | None = None, subject: str | None = None
    ) -> Sequence[OpenQuestion]:
        """Everything that waits for a person, over all runs, oldest run first."""
        return await self._runs.questions(Filter(tenant=tenant, subject=subject))

    def feed(
        self,
        after: int = 0,
        *,
        tenant: str | None = None,
        plan: str | None = None,
        subject: str | None = None,
    ) -> AsyncIterator[Event]:
        """What happens in all runs, whoever drives them: each entry once, in commit order.

        From a position on, without an end. Coming back with the last `position` loses nothing,
        also after a restart and in another process.

        Raises:
            EngineClosedError: the engine was closed meanwhile.
        """
        which = Filter(tenant=tenant, plan=plan, subject=subject)
        return self.runtime.stream.events(after, which)

    async def find(self, name: str) -> Run:
        """The run that somebody means: by its id, by the beginning of it, or by `last`.

        Raises:
            UnknownRunError: there is none, or more than one.
        """
        return await self._runs.get(await run_named(self._runs.index, name))

    async def resume(self, run: str, *, by: str | None = None) -> Run:
        """Go on with a run, as `Run.resume` does: an interrupted one is driven here.

        Raises:
            MissingToolsError: a tool it needs is not here.
        """
        return await self._runs.resume(the_run(run), by=by)

    async def recover(self) -> list[Run]:
        """Drive the open runs that nobody drives, and return them; paused ones stay paused."""
        return await self._runs.recover()

    async def replay(self, run: str) -> ReplayReport:
        """Fold and decide again over a run's journal; says whether anything comes out different."""
        return await self._runs.replay(the_run(run))

    def database(self, branch: Branch) -> Database:
        """The engine's database, for tables of a client's own; they are made when first used."""
        return self._store.lend(branch)

    def listen(self, listener: Callable[[Told], object]) -> Callable[[], None]:
        """Call a function with every event of every run driven here; returns how to stop that."""
        return self.runtime.feed.listen(listener)

    @property
    def grants(self) -> Grants:
        """What tenants may use, and which tools reach the machine."""
        return self._grants

    @property
    def driving(self) -> bool:
        """Whether this process runs things in this home."""
        return self._store.driving
