"""Choosing: which agent does something, and with which model. The tool `model.choose`.

First whom somebody prefers; of those alike, whoever has done better. A model that cannot be asked
here is passed over, and so is all that has failed before. There is no default agent.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol, cast

import msgspec

from callsheet.agents import money
from callsheet.agents.contract import instructions_of, message_of
from callsheet.agents.memory import Memory
from callsheet.agents.message import UserMessage
from callsheet.agents.model import Offered, Request
from callsheet.agents.order import first_of_agent
from callsheet.agents.terms import AgentTerms, Limits, TurnTerms
from callsheet.core.plan.agent import all_agents
from callsheet.core.plan.card import AgentCard
from callsheet.core.run.agents import AgentChosen, PassedOver
from callsheet.core.schema.validate import problems_of
from callsheet.core.value import Json
from callsheet.errors import (
    CallsheetError,
    DeniedError,
    FatalError,
    InvalidError,
    RateLimitedError,
    ToolError,
    ToolTimeoutError,
    TransientError,
)
from callsheet.ports import Context

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from callsheet.agents.answer import Desk
    from callsheet.core.plan.artifact import Artifact
    from callsheet.core.plan.plan import Cost
    from callsheet.core.plan.toolspec import Tools

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "agents": {"type": "array"},
        "capability": {"type": "string"},
        "args": {"type": "object"},
        "chain": {"type": "array"},
        "tried": {"type": "array"},
        "number": {"type": "integer"},
        "steps": {"type": "array"},
    },
    "required": ["agents", "capability", "args", "chain"],
    "additionalProperties": False,
}
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""Until it is written down, which says when."""
_CLASSES: dict[str, type[ToolError]] = {
    "transient": TransientError,
    "rate_limited": RateLimitedError,
    "timeout": ToolTimeoutError,
    "denied": DeniedError,
}


class Orchestrating(Context, Protocol):
    """What the engine's own tools may do beyond what every tool may."""

    @property
    def scope(self) -> str:
        """Where the context of the run lies."""
        ...

    @property
    def spent(self) -> Cost:
        """What the run has spent so far."""
        ...

    async def choose(self, steps: Sequence[Mapping[str, object]], chosen: AgentChosen) -> None:
        """Have steps follow in which a certain agent answers."""
        ...

    async def tell(self, sender: str, to: str, content: Artifact) -> None:
        """Write down that an agent has said something to another."""
        ...


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """How an agent has done so far."""

    failing: float = 0.0
    """The share of its answers that could not be had."""
    usd: float = 0.0
    """What one has cost."""


class Failed(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that could not be had."""

    agent: str
    model: str
    error_class: str = msgspec.field(name="class")
    message: str


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be chosen for."""

    agents: tuple[AgentCard, ...]
    capability: str
    args: dict[str, Json]
    chain: tuple[str, ...] = ()
    tried: tuple[Failed, ...] = ()
    number: int = 1
    """Of the answer that follows."""
    steps: tuple[str, ...] = ()
    """The answers that were tried."""


class Chooser:
    """Chooses, for all runs of an engine."""

    def __init__(
        self,
        desk: Desk,
        permitted: Callable[[str], Tools],
        standing: Callable[[], Awaitable[Mapping[str, Standing]]],
    ) -> None:
        """`permitted` are the tools of a tenant; `standing` is how agents have done so far."""
        self._desk = desk
        self._permitted = permitted
        self._standing = standing

    async def choose(self, args: dict[str, Json], ctx: Orchestrating) -> Json:
        """One choice: who answers next is written down, and asked."""
        choice = msgspec.convert(args, Choice)
        passed: list[PassedOver] = []
        ordered = await self._in_order(choice.agents)
        card, model = self._chosen(choice, ordered, ctx.tenant, passed)
        tools = self._permitted(ctx.tenant)
        terms = TurnTerms(
            model=model,
            conversation="",
            number=1,
            tools=tuple(name for name in card.tools if tools.spec(name) is not None),
            instructions=instructions_of(
                card, choice.capability, self._others(choice, card, tools)
            ),
            limits=Limits(turn=card.seconds, rounds=card.rounds),
            agent=AgentTerms(
                name=card.name,
                capability=choice.capability,
                output=card.capabilities[choice.capability].output,
                step=ctx.step,
                chain=(*choice.chain, card.name),
                depth=card.depth,
                reads=card.reads,
                writes=card.writes,
                scope=ctx.scope if card.reads or card.writes else "",
                tried=choice.steps,
                # The run has the largest cap of those that are able: this one has its own.
                budget=card.budget if len(choice.agents) > 1 else None,
                spent=ctx.spent,
            ),
        )
        message = message_of(card, choice.capability, choice.args)
        step = first_of_agent(choice.number, terms, self._ceiling(terms, message, tools))
        chosen = AgentChosen(
            at=_NEVER,
            step=str(step["id"]),
            agent=card.name,
            model=model,
            reason=_reason(choice, card),
            passed_over=tuple(passed),
        )
        await ctx.choose([step], chosen)
        said: Json = msgspec.to_builtins(terms)
        return {"turn": said, "message": message, "agent": card.name, "model": model}

    def _chosen(
        self,
        choice: Choice,
        ordered: Sequence[AgentCard],
        tenant: str,
        passed: list[PassedOver],
    ) -> tuple[AgentCard, str]:
        """Who is taken, and with which model; who is not is noted.

        Raises:
            ToolError: nobody is left.
        """
        failed = {(each.agent, each.model): each for each in choice.tried}
        tools, unfit = self._permitted(tenant), []
        for card in ordered:
            why = _unable(card, choice, tools)
            if why is not None:
                passed.append(PassedOver(agent=card.name, why=why))
                unfit.append(why)
                continue
            for model in card.models:
                before = failed.get((card.name, model))
                why = before.message if before else self._unusable(model, tenant)
                if why is None:
                    return card, model
                passed.append(PassedOver(agent=card.name, model=model, why=why))
        raise _nobody(choice, passed, all_unfit=len(unfit) == len(choice.agents))

    async def _in_order(self, agents: Sequence[AgentCard]) -> Sequence[AgentCard]:
        """Whom somebody prefers; of those alike, who fails less, then who costs less."""
        if len({card.preference for card in agents}) == len(agents):
            return sorted(agents, key=lambda card: -card.preference)
        known = await self._standing()

        def place(card: AgentCard) -> tuple[float, float, float]:
            found = known.get(card.name, Standing())
            return -card.preference, found.failing, found.usd

        return sorted(agents, key=place)

    def _unusable(self, model: str, tenant: str) -> str | None:
        try:
            self._desk.models.open(model, tenant)
        except CallsheetError as exc:
            return exc.message
        return None

    def _others(self, choice: Choice, card: AgentCard, tools: Tools) -> dict[str, list[str]]:
        """What other agents can do that may still be asked."""
        able: dict[str, list[str]] = {}
        if len(choice.chain) + 1 < card.depth:
            for other in all_agents(tools):
                if other.name not in (*choice.chain, card.name):
                    for capability in other.capabilities:
                        able.setdefault(capability, []).append(other.name)
        return able

    def _ceiling(self, terms: TurnTerms, message: str, tools: Tools) -> Cost:
        models = self._desk.models
        assert terms.agent is not None
        specs = [spec for name in terms.tools if (spec := tools.spec(name))]
        offered = [
            Offered(name=spec.name, description=spec.description, schema=spec.input_schema)
            for spec in specs
        ]
        request = Request(
            model=terms.model,
            messages=(UserMessage(text=message),),
            instructions=terms.instructions,
            tools=(*offered, *Memory(terms.agent).offered()),
        )
        return money.ceiling_of(request, models.price(terms.model), models.most(terms.model))


def _unable(card: AgentCard, choice: Choice, tools: Tools) -> str | None:
    """Why an agent cannot be asked, whatever its model."""
    if card.name in choice.chain:
        return f"it has asked for this itself: {' -> '.join((*choice.chain, card.name))}"
    if tools.spec(card.tool) is None:
        return "it is not here any more, or not for this tenant"
    wanted = card.capabilities.get(choice.capability)
    if wanted is None:
        return f"it has no capability {choice.capability!r}"
    problems = problems_of(wanted.input, choice.args)
    if problems:
        place, what = problems[0]
        return f"the arguments do not fit: {'.'.join(map(str, ('args', *place)))}: {what}"
    return None


def _reason(choice: Choice, card: AgentCard) -> str:
    if choice.tried:
        last = choice.tried[-1]
        return f"{last.agent} with {last.model} failed ({last.error_class})"
    if len(choice.agents) == 1:
        return "it is the one that is able"
    return "it is preferred" if card.preference else "it comes first of those that are able"


def _nobody(choice: Choice, passed: Sequence[PassedOver], *, all_unfit: bool) -> ToolError:
    listed = "; ".join(
        f"{each.agent}{f' with {each.model}' if each.model else ''}: {each.why}" for each in passed
    )
    words = f"Nobody can do {choice.capability}. {listed}"
    if choice.tried:
        kind = choice.tried[-1].error_class
        return _CLASSES.get(kind, FatalError)(words)
    return InvalidError(words) if all_unfit else DeniedError(words)


def context_of(ctx: Context) -> Orchestrating:
    """The context of a call that the engine makes of its own tools."""
    return cast("Orchestrating", ctx)
