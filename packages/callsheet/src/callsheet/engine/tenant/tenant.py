"""`engine.tenant(name)`: an engine that sees what is one tenant's, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import msgspec
from msgspec.structs import replace
from typing_extensions import override

from callsheet.core import given
from callsheet.core.grants import Grants
from callsheet.core.index.heads import Filter
from callsheet.core.run.provisions import Offered
from callsheet.core.run.start import TENANT, must_name_tenant
from callsheet.engine.artifacts import Artifacts
from callsheet.engine.judging import Judging
from callsheet.engine.listing import filtered, run_named, the_run
from callsheet.engine.plans import SavedPlans
from callsheet.engine.runs import Runs, unknown_run
from callsheet.engine.tenant.sight import OwnArtifacts, OwnShelf, OwnStore
from callsheet.engine.tenant.tools import TenantTools
from callsheet.runtime.checker import Acceptance, Checker
from callsheet.runtime.permitted import PermittedTools, permitted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
    from datetime import datetime, timedelta

    from callsheet.agents.agents import Agents
    from callsheet.agents.models import OwnModels
    from callsheet.agents.terms import Limits
    from callsheet.agents.turn import Turn
    from callsheet.core.index.heads import RunHead
    from callsheet.core.past.fork import RepeatedWrite
    from callsheet.core.past.replay import ReplayReport
    from callsheet.core.past.result import Result
    from callsheet.core.plan.plan import Budget
    from callsheet.core.run.step import RunState
    from callsheet.core.value import Json
    from callsheet.engine.context import SharedContext
    from callsheet.engine.conversations import Conversations
    from callsheet.engine.drafts import Drafts, PlanFor
    from callsheet.engine.ledger import TenantLedger
    from callsheet.engine.questions import OpenQuestion
    from callsheet.engine.turns import Turns
    from callsheet.insight.lineage import Direction, LineageGraph
    from callsheet.ports import Branch, Database, Toolbox
    from callsheet.runtime.checker import CheckedPlan, PlanLike
    from callsheet.runtime.environment import Ports
    from callsheet.runtime.feed import Event
    from callsheet.runtime.run import Run
    from callsheet.runtime.runtime import Runtime


MOST = 1_000
"""Tenants of which it is remembered which plans of theirs were checked."""


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What an engine gives to each of its tenants."""

    ports: Ports
    runtime: Runtime
    tools: Toolbox
    checker: Checker
    """Of what the tenant may use."""
    acceptance: Acceptance
    ledger: TenantLedger
    context: SharedContext
    delete: Callable[[str], Awaitable[bool]]
    database: Callable[[Branch], Database]
    turns: Callable[[], Turns]
    """Loaded when they are first asked for."""
    drafts: Callable[[], Drafts]
    only: tuple[str, ...] | None = None
    """The tools that somebody may use, if it is not all that the tenant may."""


class Tenant(Judging):
    """What an engine is for one of its tenants: the same nouns and verbs, of its own alone.

    The runs, plans, context, artifacts, questions, events and account of others are not there: one
    of theirs by its id is exactly what an id is that never was. Grants, retention and everything
    else that is about all tenants is the engine's.
    """

    tools: TenantTools

    def __init__(self, name: str, parts: Parts, *, reaches: bool = True) -> None:
        """Made by `Engine.tenant`; unless it `reaches` this machine, for somebody who may not."""
        self.name = name
        self._reaches = reaches
        self.tools = TenantTools(parts.tools, parts.ports.grants, name)
        self._clock = parts.ports.clock
        self._store = OwnStore(parts.ports.store, name)
        self._checker, self._acceptance = parts.checker, parts.acceptance
        self._runtime = parts.runtime
        self._delete = parts.delete
        self._database = parts.database
        self._turns = parts.turns
        self._drafts = parts.drafts
        kept = OwnArtifacts(parts.ports.artifacts, self._store.lineage, self._clock, name)
        self._vet = kept.vet
        self._runs = Runs(
            parts.runtime,
            self._store,
            self._clock,
            lambda _tenant, _only: parts.acceptance,
            parts.ledger,
            vet=kept.vet,
            only=parts.only,
        )
        self.artifacts = Artifacts(kept, self._store)
        self.plans = SavedPlans(self._store.plans, self._clock, name)
        self.context = parts.context.of(name, kept.vet)
        self.ledger = parts.ledger.of(name)

    @property
    def acceptance(self) -> Acceptance:
        """Where plans are accepted that the tenant starts."""
        return self._acceptance

    @override
    def __repr__(self) -> str:
        return f"Tenant({self.name!r})"

    # Runs

    async def start(
        self,
        plan: CheckedPlan | PlanLike,
        inputs: Mapping[str, Json] | None = None,
        *,
        key: str | None = None,
        open: bool = False,  # noqa: A002 -- an open run is called so everywhere
        subject: str | None = None,
    ) -> Run:
        """Start a run; returns when it is durable. As `Engine.start`, and raises as that does."""
        inputs = {} if inputs is None else inputs
        return await self._runs.start(
            plan, inputs, key=key, is_open=open, tenant=self.name, subject=subject
        )

    async def run(
        self,
        plan: CheckedPlan | PlanLike,
        inputs: Mapping[str, Json] | None = None,
        *,
        key: str | None = None,
    ) -> Result:
        """Start a run and wait for its end; raises as `start` and `Run.wait` do."""
        return await (await self.start(plan, inputs, key=key)).wait()

    async def fork(
        self,
        run: str,
        step: str,
        args: Mapping[str, Json] | None = None,
        *,
        key: str | None = None,
        repeat_writes: bool = False,
    ) -> Run:
        """Start a new run that takes over what another has done; as `Engine.fork`."""
        await self._vet(args)
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

    async def head(self, run: str) -> RunHead:
        """What the index says of a run, without reading its journal.

        Raises:
            UnknownRunError: there is no such run.
        """
        found = await self._runs.index.head(the_run(run))
        if found is None:
            raise unknown_run(run)
        return found

    async def find(self, name: str) -> Run:
        """The run that somebody means: by its id, by the beginning of it, or by `last`.

        Raises:
            UnknownRunError: there is none, or more than one.
        """
        return await self._runs.get(await run_named(self._runs.index, name))

    async def runs(  # noqa: PLR0913 -- every one is optional and narrows the list
        self,
        *,
        state: RunState | str | None = None,
        plan: str | None = None,
        subject: str | None = None,
        key: str | None = None,
        since: datetime | None = None,
        top_level: bool = False,
        open_only: bool = False,
        limit: int = 50,
        before: str | None = None,
    ) -> Sequence[RunHead]:
        """Runs, newest first, narrowed as by `Engine.runs`."""
        which = Filter(
            plan=plan,
            tenant=self.name,
            subject=subject,
            key=key,
            since=since,
            top_level=top_level,
            open_only=open_only,
        )
        return await self._runs.heads(filtered(which), state, limit=limit, before=before)

    async def questions(self, *, subject: str | None = None) -> Sequence[OpenQuestion]:
        """Everything that waits for a person, oldest run first."""
        return await self._runs.questions(Filter(tenant=self.name, subject=subject))

    def feed(
        self, after: int = 0, *, plan: str | None = None, subject: str | None = None
    ) -> AsyncIterator[Event]:
        """What happens in the tenant's runs, whoever drives them, as `Engine.feed` tells it.

        Positions are those of the engine's one order: between two there may be others'.

        Raises:
            EngineClosedError: the engine was closed meanwhile.
        """
        which = Filter(tenant=self.name, plan=plan, subject=subject)
        return self._runtime.stream.events(after, which)

    async def resume(self, run: str, *, by: str | None = None) -> Run:
        """Go on with a run, as `Engine.resume` does.

        Raises:
            UnknownRunError: there is no such run.
            MissingToolsError: a tool it needs is not here.
        """
        await self.get(run)
        return await self._runs.resume(the_run(run), by=by)

    async def turn(  # noqa: PLR0913 -- as `Engine.turn`
        self,
        message: str,
        *,
        model: str,
        tools: Iterable[str] | None = None,
        instructions: str = "",
        conversation: str | None = None,
        budget: Budget | None = None,
        key: str | None = None,
        limits: Limits | None = None,
    ) -> Turn:
        """Say something to a model; as `Engine.turn`, with the models and tools of the tenant."""
        return await self._turns().start(
            message,
            model=model,
            tools=tools,
            instructions=instructions,
            conversation=conversation,
            budget=budget,
            key=key,
            limits=limits,
            tenant=self.name,
            box=self.tools,
            reach=self._reaches,
        )

    async def plan_for(self, goal: str, **options: Unpack[PlanFor]) -> Run:
        """Have a model write a plan, and run it while it is written; as `Engine.plan_for`."""
        from callsheet.engine.drafts import Wish

        wish = Wish(goal=goal, **options)
        return await self._drafts().start(
            wish, self.plans, self.name, box=self.tools, reach=self._reaches
        )

    def usual_model(self) -> str:
        """The model of who names none: the first of the configuration that is the tenant's."""
        return self._turns().usual_model(self.name)

    @property
    def models(self) -> OwnModels:
        """The models that the tenant has."""
        return self._turns().models_of(self.name, reach=self._reaches)

    @property
    def agents(self) -> Agents:
        """The agents that the tenant may ask, and whether they can be used."""
        from callsheet.agents.agents import Agents

        return Agents(self.tools, lambda: self._turns().models, self.name)

    @property
    def conversations(self) -> Conversations:
        """The tenant's conversations: which there are, and what was said."""
        return self._turns().conversations(self.name, self.delete)

    async def get_turn(self, run: str) -> Turn:
        """The handle of a turn.

        Raises:
            UnknownRunError: there is no such run.
            InputError: the run is no turn.
        """
        await self.get(run)
        return await self._turns().get(the_run(run))

    async def replay(self, run: str) -> ReplayReport:
        """Fold and decide again over a run's journal; says whether anything comes out different."""
        return await self._runs.replay(the_run(run))

    async def delete(self, run: str) -> bool:
        """Remove an ended run whole, with all that it alone held; False when there is none.

        Raises:
            RequestRefusedError: the run has not ended.
        """
        if await self._runs.index.head(the_run(run)) is None:
            return False
        return await self._delete(run)

    def is_older(self, head: RunHead, than: timedelta) -> bool:
        """Whether a run ended longer ago than that."""
        return head.ended_at is not None and self._clock.now() - head.ended_at > than

    def database(self, branch: Branch) -> Database:
        """The tables of an app, as `Engine.database`: the app's, and not this tenant's alone.

        Whoever keeps there what is a tenant's has a column that says whose.
        """
        return self._database(branch)

    async def lineage(self, name: str, *, direction: Direction = "both") -> LineageGraph:
        """What an artifact, or all of a run, was made from (up), and what was made of it (down).

        Raises:
            UnknownRunError, UnknownArtifactError: there is no run or artifact of that name.
        """
        return await self.artifacts.lineage(name, direction=direction)


class Tenants:
    """The tenants of an engine, as far as somebody has asked for them."""

    def __init__(self, parts: Parts) -> None:
        """`parts` are those of the tenant `default`."""
        self._parts = parts
        self._found: dict[str, Tenant] = {}

    def of(
        self,
        name: str,
        tools: Iterable[str] | None = None,
        secrets: Iterable[str] | None = None,
    ) -> Tenant:
        """The tenant of a name; with `tools` or `secrets`, for somebody who may use no others.

        Raises:
            InputError: it cannot be a name.
        """
        must_name_tenant(given.text("tenant", name))
        if tools is not None or secrets is not None:
            own = ("*",) if tools is None else tuple(tools)
            named = None if secrets is None else tuple(sorted(secrets))
            return Tenant(name, self._narrowed(name, own, named), reaches=tools is None)
        found = self._found.get(name)
        if found is None:
            if len(self._found) >= MOST:
                self._found.pop(next(iter(self._found)))
            found = self._found[name] = Tenant(name, self._parts_of(name))
        return found

    def desk(self, name: str, tools: Iterable[str] | None = None) -> Acceptance:
        """Where plans are accepted that a tenant starts; with `tools`, with no others."""
        return self.of(name, tools).acceptance

    def _narrowed(
        self, name: str, tools: tuple[str, ...], secrets: tuple[str, ...] | None
    ) -> Parts:
        parts = self._parts
        own = PermittedTools(parts.tools, Grants(tools={name: tools}), name)
        offered = Offered(tools=tools, secrets=secrets)
        return self._parted(replace(parts, tools=own, only=tools), name, offered)

    def _parts_of(self, name: str) -> Parts:
        return self._parts if name == TENANT else self._parted(self._parts, name)

    def _parted(self, parts: Parts, name: str, offered: Offered | None = None) -> Parts:
        ports = parts.ports
        checker = Checker(permitted(parts.tools, ports.grants, name))
        shelf = OwnShelf(ports.store.plans, name)
        return replace(
            parts,
            checker=checker,
            acceptance=Acceptance(checker, shelf, ports.secrets, ports.provisioner, offered),
        )
