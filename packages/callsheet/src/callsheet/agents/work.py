"""The answers of an agent: a turn whose last word is a result that fits, or a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from typing_extensions import override

from callsheet.agents import money
from callsheet.agents.answer import Answer
from callsheet.agents.choosing import context_of
from callsheet.agents.contract import Asked, Delivered, Unfit, read_answer
from callsheet.agents.memory import WRITE, Memory
from callsheet.agents.message import Text, UserMessage
from callsheet.agents.order import next_step
from callsheet.agents.results import cut, problem, shown
from callsheet.core import value
from callsheet.core.plan.agent import CHOICE, CHOOSE, able_agents, all_agents
from callsheet.core.plan.plan import Wanted
from callsheet.core.schema.validate import problems_of
from callsheet.errors import (
    DeniedError,
    InvalidError,
    PlanError,
    RateLimitedError,
    RefusedError,
    ToolError,
    ToolTimeoutError,
    TransientError,
)

if TYPE_CHECKING:
    from callsheet.agents.answer import Desk
    from callsheet.agents.assembler import Assembler
    from callsheet.agents.message import AnswerMessage, Message, Part
    from callsheet.agents.model import Response, Usage
    from callsheet.agents.order import Order
    from callsheet.agents.terms import AskedCall
    from callsheet.core.plan.artifact import Artifact
    from callsheet.core.value import Json
    from callsheet.ports import Context

TRIES = 3
"""How often a model is asked before the next one is; the step's own retries."""
GOES_BACK = 2
"""How often an agent is told what is wrong with its answer."""
_AGAIN = (TransientError, RateLimitedError, ToolTimeoutError)
_CHANGED = "has changed"


class AgentAnswer(Answer):
    """One attempt of an answer of an agent."""

    def __init__(self, desk: Desk, order: Order, ctx: Context) -> None:
        super().__init__(desk, order, ctx)
        assert order.terms.agent is not None
        self._agent = order.terms.agent
        self._speaker = context_of(ctx)
        self._wrote = list(order.wrote)
        self._stale = order.stale
        self._is_over = False
        """A limit was reached: that is the agent's own, and nobody else is asked."""
        if self._agent.reads or self._agent.writes:
            self._memory = Memory(self._agent)

    @override
    async def given(self) -> Json:
        try:
            return await super().given()
        except ToolError as exc:
            if self._is_over or not self._falls_through(exc):
                raise
            if self._wrote:
                done = ", ".join(self._wrote)
                words = f"{exc.message} Nobody else is asked, since this was done: {done}."
                raise type(exc)(words) from exc
            return await self._fallen(exc)

    def _falls_through(self, exc: ToolError) -> bool:
        if isinstance(exc, (InvalidError, RefusedError)):
            return False
        return not isinstance(exc, _AGAIN) or self._ctx.attempt >= TRIES

    async def _fallen(self, exc: ToolError) -> Json:
        """Have somebody else chosen; what went wrong is what this answer gives."""
        tried = (*self._agent.tried, str(self._ctx.step))
        number = len(tried) + 1
        choice: dict[str, Json] = {
            **CHOICE,
            # What a provider said is data: it is referred to.
            "tried": [f"${{steps.{step}.failed}}" for step in tried],
            "steps": [*tried],
            "number": self._order.number + 1,
        }
        await self._ctx.then([{"id": f"c{number}", "tool": CHOOSE, "args": choice}])
        return {
            "failed": {
                "agent": self._agent.name,
                "model": self._terms.model,
                "class": exc.error_class,
                "message": exc.message,
            }
        }

    # Limits

    @override
    def _patience(self) -> float:
        return min(self._terms.limits.call, self._left())

    @override
    def _over(self) -> str:
        return super()._over() or self._spent()

    def _spent(self) -> str:
        """Why there is no money for this answer, if the agent has less than its run."""
        caps = self._agent.budget
        if caps is None:
            return ""
        models = self._desk.models
        most = money.ceiling_of(
            self._request, models.price(self._terms.model), models.most(self._terms.model)
        )
        would = self._speaker.spent.minus(self._agent.spent).plus(most)
        for currency in ("usd", "tokens"):
            cap = getattr(caps, currency)
            if cap is not None and getattr(would, currency) > cap:
                return f"{self._agent.name} may spend {cap:g} {currency}, and needs more."
        return ""

    @override
    async def _stopped(
        self, why: str, assembler: Assembler | None = None, said: tuple[Part, ...] = ()
    ) -> Json:
        words = f"{why.removeprefix('I stop here: ')} ({' -> '.join(self._agent.chain)})"
        if self._left() and assembler is not None:
            # This model took too long; another one may not.
            raise ToolTimeoutError(
                f"{self._terms.model} has not answered within {self._patience():g} s."
            )
        self._is_over = True
        raise (DeniedError if self._left() else ToolTimeoutError)(words)

    # What was said

    @override
    async def _new(self) -> tuple[Message, ...]:
        order, history = self._order, self._desk.history
        if order.answer is None or order.calls is not None:
            return await super()._new()
        before = await history.message(self._ctx, order.answer)
        if order.said is not None:
            return before, UserMessage(text=(await self._ctx.load(order.said)).decode())
        outcome = cast("dict[str, Json]", (order.results or ({},))[0])
        return before, UserMessage(text=await self._reply(outcome))

    async def _reply(self, outcome: dict[str, Json]) -> str:
        """What came of a request, as its agent is told it."""
        asked, link = self._order.asked, f"{self._ctx.run}/r{self._order.number - 1}"
        if outcome.get("state") == "succeeded":
            found = cut(shown(outcome.get("output")), self._terms.result, link)
            text = f"Your request for {asked} gave: {found}"
        else:
            text = f"Your request for {asked} failed. {problem(outcome)}"
        if outcome.get("state") == "succeeded" or _may_have_happened(outcome):
            able = able_agents(self._desk.tools, Wanted(capability=asked))
            specs = (self._desk.tools.spec(card.tool) for card in able)
            if any(spec is not None and spec.effect == "write" for spec in specs):
                self._wrote.append(f"{asked} (r{self._order.number - 1})")
        await self._say(asked, self._agent.name, text)
        return text

    async def _say(self, sender: str, to: str, text: str) -> None:
        kept = await self._ctx.store(text, media_type="text/plain; charset=utf-8")
        self._kept.append(kept)
        await self._speaker.tell(sender, to, kept)

    @override
    def _count(self, calls: tuple[AskedCall, ...]) -> None:
        super()._count(calls)
        outcomes = iter(self._order.results)
        for call in calls:
            outcome = cast("dict[str, Json]", next(outcomes, None) or {}) if call.step else {}
            if not call.step:
                continue
            if self._writes(call.name) and (
                outcome.get("state") == "succeeded" or _may_have_happened(outcome)
            ):
                self._wrote.append(f"{call.name} ({call.step})")
            if call.name == WRITE and _CHANGED in problem(outcome):
                self._stale += 1
        if self._stale > 1:
            self._is_over = True
            raise InvalidError(
                f"What {self._agent.name} wanted to write had changed since it was read, twice."
            )

    def _writes(self, name: str) -> bool:
        spec = self._desk.tools.spec(name)
        return name == WRITE or (spec is not None and spec.effect == "write")

    @override
    def _carried(self) -> dict[str, Json]:
        more: dict[str, Json] = {}
        if self._order.problems:
            more["problems"] = self._order.problems
        if self._wrote:
            more["wrote"] = [*dict.fromkeys(self._wrote)]
        if self._stale:
            more["stale"] = self._stale
        return more

    # Ends

    @override
    async def _followed(
        self,
        message: AnswerMessage,
        usage: Usage,
        stop: str,
        *,
        last: Response | None = None,
        seal: bool = False,
    ) -> Json:
        if self._asking.asked:
            return await super()._followed(message, usage, stop, last=last, seal=seal)
        if stop == "content_filter":
            raise RefusedError(f"{self._terms.model} refuses to answer this.")
        response = await self._desk.history.keep(self._ctx, message)
        self._kept.append(response)
        text = "".join(part.text for part in message.parts if isinstance(part, Text))
        found = read_answer(text, self._agent.output)
        if isinstance(found, Asked):
            found = await self._routed(found, response, usage)
        if isinstance(found, Unfit):
            await self._back(found, response, usage)
        record = cast("dict[str, Json]", self._record(message, response, usage, stop, last))
        if isinstance(found, Delivered):
            await self._ctx.then(seal=True, output=f"${{steps.{self._ctx.step}.result}}")
            record["result"] = found.result
        return record

    async def _back(self, unfit: Unfit, response: Artifact, usage: Usage) -> None:
        """Tell the agent what is wrong, unless it was told often enough."""
        if self._order.problems >= GOES_BACK:
            listed = "; ".join(unfit.problems)
            raise InvalidError(
                f"The answer of {self._agent.name} does not fit, after {GOES_BACK} corrections: "
                f"{listed}"
            )
        said = await self._ctx.store(unfit.told(), media_type="text/plain; charset=utf-8")
        self._kept.append(said)
        more = {**self._carried(), "said": said.to_json(), "problems": self._order.problems + 1}
        await self._next([], response, usage, more)

    async def _routed(self, asked: Asked, response: Artifact, usage: Usage) -> Asked | Unfit:
        """Have somebody do what the agent asks for: as a step of this run, and a run of its own."""
        chain = self._agent.chain
        if len(chain) >= self._agent.depth:
            self._is_over = True
            way = " -> ".join((*chain, asked.capability))
            raise DeniedError(f"Requests may be {self._agent.depth} deep: {way}")
        if (unfit := self._unroutable(asked)) is not None:
            return unfit
        request = value.encode({"request": _plain(asked)}).decode()
        step: dict[str, Json] = {
            "id": f"r{self._order.number}",
            "agent": {"capability": asked.capability, "chain": [*chain]},
            "args": asked.args,
            "literal": True,
            "on_failure": "ignore",
        }
        more = {**self._carried(), "asked": asked.capability}
        try:
            await self._next([step], response, usage, more)
        except PlanError as exc:
            return Unfit((f"request: {exc.message}",))
        await self._say(self._agent.name, asked.capability, request)
        return asked

    def _unroutable(self, asked: Asked) -> Unfit | None:
        tools = self._desk.permitted(self._ctx.tenant)
        able = able_agents(tools, Wanted(capability=asked.capability))
        chain = self._agent.chain
        left = [card for card in able if card.name not in chain]
        if not left:
            there = sorted({name for card in all_agents(tools) for name in card.capabilities})
            why = "no agent has it"
            if able:
                why = f"it would go round in a circle: {' -> '.join((*chain, able[0].name))}"
            known = ", ".join(there)
            return Unfit((f"request.capability: {asked.capability!r}: {why}. There are: {known}.",))
        problems = problems_of(left[0].capabilities[asked.capability].input, asked.args)
        if not problems:
            return None
        return Unfit(
            tuple(f"{'.'.join(map(str, ('request.args', *at)))}: {what}" for at, what in problems)
        )

    async def _next(
        self,
        steps: list[dict[str, Json]],
        response: Artifact,
        usage: Usage,
        more: dict[str, Json],
    ) -> None:
        """Have another answer follow, after these steps."""
        following = next_step(
            self._order.number + 1,
            self._terms,
            self._next_ceiling(usage),
            link=self._link,
            answer=response,
            steps=[str(step["id"]) for step in steps],
            failures=self._failures,
            more=more,
        )
        try:
            await self._ctx.then([*steps, following])
        except PlanError as exc:
            if steps:
                raise
            self._is_over = True
            raise DeniedError(f"The budget does not cover a further answer: {exc.message}") from exc


def _plain(asked: Asked) -> Json:
    return {"capability": asked.capability, "args": asked.args, "why": asked.why}


def _may_have_happened(outcome: dict[str, Json]) -> bool:
    error = outcome.get("error")
    return isinstance(error, dict) and error.get("happened") == "unknown"
