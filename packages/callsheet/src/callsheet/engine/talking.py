"""Verbs of an engine about models: turns of conversations."""

from __future__ import annotations

from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Unpack

from callsheet.core.index.heads import Filter
from callsheet.core.run.start import TENANT
from callsheet.engine.listing import the_run
from callsheet.runtime.permitted import permitted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence

    from callsheet.agents.agents import Agents
    from callsheet.agents.choosing import Standing
    from callsheet.agents.drafting.draft import Draftsman
    from callsheet.agents.model import Model
    from callsheet.agents.models import Models
    from callsheet.agents.roster import Hired
    from callsheet.agents.terms import Limits
    from callsheet.agents.turn import Turn
    from callsheet.core.plan.plan import Budget, Plan
    from callsheet.core.plan.toolspec import Tools
    from callsheet.core.run.entries import AnyEntry
    from callsheet.engine.context import SharedContext
    from callsheet.engine.conversations import Conversations
    from callsheet.engine.drafts import Drafts, PlanFor
    from callsheet.engine.plans import SavedPlans
    from callsheet.engine.runs import Runs
    from callsheet.engine.turns import Turns
    from callsheet.insight.statistics import ToolStatistics
    from callsheet.runtime.environment import Ports
    from callsheet.runtime.listening import Handler, Listening
    from callsheet.runtime.run import Run
    from callsheet.runtime.runtime import Runtime
    from callsheet.tools.configuration import Configuration
    from callsheet.tools.registry import AnyTool, Registry

ANSWER, ASK, CHOOSE = "model.answer", "model.ask", "model.choose"
DRAFT = "model.draft"
RUNS_MEASURED = 200
"""Runs from which it is told how agents have done."""


class Talking:
    """What `Engine` does with models. Nothing of it is loaded before it is needed."""

    tools: Registry
    runtime: Runtime
    context: SharedContext
    _runs: Runs
    delete: Callable[[str], Awaitable[bool]]
    statistics: Callable[..., Awaitable[Sequence[ToolStatistics]]]

    def _talk(
        self,
        ports: Ports,
        said: Configuration | None,
        agents: Sequence[Hired],
        models: Mapping[str, Model],
    ) -> None:
        self._ports = ports
        self._said = said
        self._hired = agents
        self._own_models = models
        self._opened: tuple[Models, Turns] | None = None
        self._drafting: Drafts | None = None
        if not self.tools.has(ANSWER):
            self.tools.add_unlisted(ANSWER, self._answer_tool)
        if agents:
            self.tools.add_unlisted(CHOOSE, self._choose_tool)
        for agent in agents:
            name = f"{ANSWER}.{agent.card.name}"
            self.tools.add_unlisted(name, partial(self._answer_tool, name, agent.concurrency))
        if not self.tools.has(ASK):
            self.tools.add_unlisted(ASK, self._ask_tool)
        if not self.tools.has(DRAFT):
            self.tools.add_unlisted(DRAFT, self._draft_tool)

    @property
    def models(self) -> Models:
        """The models there are; `add` offers one of your own."""
        return self._open()[0]

    @property
    def agents(self) -> Agents:
        """The agents there are: `engine.agents.able("script.write")` says who can do what."""
        from callsheet.agents.agents import Agents

        return Agents(self.tools, lambda: self.models)

    async def on(
        self,
        topic: str,
        handler: Handler,
        *,
        after: int | None = None,
        tenant: str | None = None,
    ) -> Listening:
        """Have an async function told of a topic, as in `on("RunEnded", told)`.

        A topic is a kind of entry, `to:NAME` (messages to an agent or for a capability) or `*`.
        Events come in commit order, one after the other, whoever drives the runs; a handler that
        raises or sleeps harms nobody else. It is told from now on, or from the position `after`
        on, which is how one that was away catches up: `listening.position`.

        Raises:
            InputError: the topic is none.
        """
        return await self.runtime.stream.on(topic, handler, after, Filter(tenant=tenant))

    async def turn(  # noqa: PLR0913 -- every one but the message and the model is optional
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
        tenant: str = TENANT,
    ) -> Turn:
        """Say something to a model; returns when that is durable. The turn goes on by itself.

        Args:
            message: what is said.
            model: a name of the configuration, `provider:model`, or `recorded:FILE`.
            tools: what it may call, by name or by a pattern like `mail.*`; None: what the
                configuration says, or all reads that do not reach this machine.
            instructions: what it is told before everything else.
            conversation: the one that this goes on with; None: a new one.
            budget: what the turn may spend; None: what the configuration says.
            key: the same key in the same conversation is the same turn, however often it is sent.
            limits: how long it may take, and how much it may do.
            tenant: whose it is.

        Raises:
            InputError: the model, a tool or a limit is none; nothing was spent or written.
            TurnRunningError: the conversation has a turn that goes on; it is named.
            KeyReusedError: with this key, something else was said in the conversation.
            LedgerShortError: the tenant's account does not cover the budget.
        """
        return await self._turns().start(
            message,
            model=model,
            tools=tools,
            instructions=instructions,
            conversation=conversation,
            budget=budget,
            key=key,
            limits=limits,
            tenant=tenant,
        )

    async def get_turn(self, run: str) -> Turn:
        """The handle of a turn, from any process.

        Raises:
            UnknownRunError: there is no such run.
            InputError: the run is no turn.
        """
        return await self._turns().get(the_run(run))

    async def plan_for(self, goal: str, *, tenant: str = TENANT, **options: Unpack[PlanFor]) -> Run:
        """Have a model write a plan for a goal, and run it while it is written.

        Returns when the run is durable; it does not depend on the caller. Each step starts as soon
        as its object is complete and checks; a write that cannot be undone waits for the end of the
        draft. What does not check goes back twice; then the run fails, and what ran is undone. A
        draft without an output is joined: the model sees what became of the steps, and answers, or
        adds steps, five times at most.

        Without a model, the saved plan (or one that an app ships) is run whose words fit the goal.

        Args:
            goal: what is wanted, in your words.
            tools: what steps may call, by name or by a pattern like `mail.*`, and saved plans as
                `plan:NAME`; None: as in `turn`.
            model: a name of the configuration, `provider:model`, or `recorded:FILE`.
            budget: what the run may spend, the model's answers included.
            inputs: what the steps may refer to as `${inputs.NAME}`.
            name: what the plan is called.
            on_failure: `undo` or `stop`.
            on_cancel: as in a plan.
            concurrency: calls at once, the draft's own among them.
            only_draft: run nothing that is drafted; the plan is what the run gives.
            key: the same key with the same content is the same run.
            subject: what the run is about.
            tenant: whose it is.

        Raises:
            InputError: the goal, the model, a tool or a policy is none; or there is no model, and
                no plan fits: there are those it lists. Nothing was spent or written.
            InputsError: a plan that was chosen needs inputs.
            LedgerShortError: the tenant's account does not cover the budget.
        """
        from callsheet.engine.drafts import Wish

        wish = Wish(goal=goal, **options)
        box = permitted(self.tools, self._ports.grants, tenant)
        return await self._drafts().start(wish, self._plans_of(tenant), tenant, box=box)

    @property
    def conversations(self) -> Conversations:
        """The conversations of the tenant `default`: which there are, and what was said."""
        return self._turns().conversations(TENANT, self.delete)

    async def drafted(self, run: str) -> Plan:
        """The plan that a model has written in a run, as far as it has; see `plan_for`.

        Raises:
            UnknownRunError: there is no such run.
            InputError: the run has no draft in it.
        """
        return await self._drafts().plan_of(the_run(run))

    async def _keep_said(self, entries: Sequence[AnyEntry]) -> None:
        """Of a run that is about to be deleted, keep what its conversation still needs."""
        await self._turns().keep(entries)

    def _turns(self) -> Turns:
        return self._open()[1]

    def _plans_of(self, tenant: str) -> SavedPlans:
        from callsheet.engine.plans import SavedPlans

        return SavedPlans(self._ports.store.plans, self._ports.clock, tenant)

    def _drafts(self) -> Drafts:
        if self._drafting is None:
            from callsheet.engine.drafts import Drafts

            self._drafting = Drafts(self._runs, self._turns(), self._draftsman())
        return self._drafting

    def _draftsman(self) -> Draftsman:
        from callsheet.agents.drafting.draft import Draftsman

        self._open()
        return Draftsman(self._desk, self._ports.store.plans)

    def _draft_tool(self) -> AnyTool:
        from callsheet.agents.drafting.tool import draft_tool

        return draft_tool(self._draftsman())

    def _open(self) -> tuple[Models, Turns]:
        if self._opened is None:
            from callsheet.agents.answer import Desk
            from callsheet.agents.history import History
            from callsheet.agents.models import Models
            from callsheet.engine.turns import Turns

            said, ports = self._said, self._ports
            models = Models(
                said.models if said else {},
                said.tenant_models if said else {},
                ports.secrets,
                ports.grants,
            )
            for name, model in self._own_models.items():
                models.add(name, model)
            self._desk = Desk(models, self.tools, History(), self._permitted)
            turns = Turns(
                self._runs,
                self.runtime,
                self._desk,
                context=self.context,
                artifacts=ports.artifacts,
                said=said,
                tools=self.tools,
                grants=ports.grants,
            )
            self._opened = models, turns
        return self._opened

    def _permitted(self, tenant: str) -> Tools:
        return permitted(self.tools, self._ports.grants, tenant)

    def _answer_tool(self, name: str = ANSWER, at_once: int | None = None) -> AnyTool:
        from callsheet.agents.tool import answer_tool

        self._open()
        return answer_tool(self._desk, name, at_once)

    def _choose_tool(self) -> AnyTool:
        from callsheet.agents.choosing import Chooser
        from callsheet.agents.tool import choose_tool

        self._open()
        return choose_tool(Chooser(self._desk, self._permitted, self._standing))

    async def _standing(self) -> dict[str, Standing]:
        """How agents have done in the newest runs."""
        from callsheet.agents.choosing import Standing

        return {
            each.tool.removeprefix(f"{ANSWER}."): Standing(
                failing=round(each.error_rate, 2), usd=round(each.cost_per_call.usd, 4)
            )
            for each in await self.statistics(limit=RUNS_MEASURED)
        }

    def _ask_tool(self) -> AnyTool:
        from callsheet.agents.ask import ask_tool

        return ask_tool(self._open()[0])

    @asynccontextmanager
    async def _talking(self) -> AsyncIterator[None]:
        """Let go of the connections to models at the end."""
        try:
            yield
        finally:
            if self._opened is not None:
                await self._opened[0].close()
