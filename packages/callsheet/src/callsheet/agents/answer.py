"""An answer: the step that reads a model's stream and has its calls made while it goes on."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, cast

from callsheet.agents import money
from callsheet.agents.asking import Asking
from callsheet.agents.assembler import Assembler
from callsheet.agents.bounded import streamed
from callsheet.agents.message import AnswerMessage, Text, UserMessage
from callsheet.agents.model import (
    OFFLINE,
    CallDelta,
    Offered,
    Request,
    Response,
    TextDelta,
    Usage,
)
from callsheet.agents.naming import Names
from callsheet.agents.order import decode_calls, encode_calls, next_step
from callsheet.agents.pending import pending
from callsheet.agents.results import results_of
from callsheet.core import value
from callsheet.core.plan.artifact import Artifact
from callsheet.errors import InputError, InvalidError, PlanError, ToolError, TransientError

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.agents.history import History
    from callsheet.agents.memory import Memory
    from callsheet.agents.message import Message, Part
    from callsheet.agents.model import Streamed
    from callsheet.agents.models import Models
    from callsheet.agents.order import Order
    from callsheet.agents.terms import AskedCall
    from callsheet.core.plan.plan import Cost
    from callsheet.core.plan.toolspec import Tools
    from callsheet.core.value import Json
    from callsheet.ports import Context

JSON_TYPE = "application/json"
MOST_CALLS = 500
"""Calls that one answer asks for: each is a step of the turn."""
TOO_OFTEN = 3
"""How often the same call may fail before the turn is ended."""
RESULT_WORDS = 200
"""Characters of a result that are not the tool's."""


class Desk:
    """What answers work with, all of an engine's together."""

    def __init__(
        self,
        models: Models,
        tools: Tools,
        history: History,
        permitted: Callable[[str], Tools] | None = None,
    ) -> None:
        """`permitted` are the tools of a tenant; None: all are."""
        self.models = models
        self.tools = tools
        self.history = history
        self.permitted = permitted or (lambda _: tools)


class Answer:
    """One attempt of an answer."""

    def __init__(self, desk: Desk, order: Order, ctx: Context) -> None:
        self._desk = desk
        self._order = order
        self._ctx = ctx
        self._terms = order.terms
        self._failures = dict(order.failures)
        self._kept: list[Artifact] = []
        """All that was stored, so that the record names it."""
        self._request: Request
        self._link: Artifact
        self._sent = Artifact(digest="")
        self._asking: Asking
        self._received: list[str] = []
        self._memory: Memory | None = None
        self._last: Response | None = None

    async def given(self) -> Json:
        """The record of the answer."""
        messages = await self._heard()
        self._request = await self._asked(messages)
        self._asking = Asking(
            self._ctx,
            self._desk.tools,
            [tool.name for tool in self._request.tools],
            self._terms.limits,
            self._order.number,
            own_words=self._terms.model == OFFLINE and self._terms.agent is None,
            memory=self._memory,
        )
        if (more := self._terms.withheld) and self._order.number == 1:
            were = "tool was" if more == 1 else "tools were"
            self._asking.note(
                f"{more} more {were} not offered: nobody named them, and all together are too long "
                "to be read each time. Name those that are needed: tools=[…], or [turns] tools."
            )
        if self._ctx.saved is not None:
            return await self._resumed()
        over = self._over()
        if over:
            return await self._stopped(over)
        return await self._read()

    # What was said, and what is asked

    async def _heard(self) -> tuple[Message, ...]:
        """All that was said, with what is new in this round."""
        order, history = self._order, self._desk.history
        new = await self._new()
        before = await history.messages(self._ctx, order.link)
        link, stored = await history.extend(self._ctx, order.link, *new)
        assert link is not None
        self._link = link
        self._kept += stored
        return (*before, *new)

    async def _new(self) -> tuple[Message, ...]:
        """What is new in this round."""
        order, history = self._order, self._desk.history
        if order.answer is None or order.calls is None:
            return (UserMessage(text=order.message or ""),)
        calls = decode_calls(await self._ctx.load(order.calls))
        results = results_of(calls, order.results, most=self._terms.result, run=self._ctx.run)
        self._count(calls)
        return (await history.message(self._ctx, order.answer), results)

    def _count(self, calls: tuple[AskedCall, ...]) -> None:
        """How often which call has failed by now."""
        outcomes = iter(self._order.results)
        for call in calls:
            outcome = cast("dict[str, Json]", next(outcomes, None) or {}) if call.step else {}
            if call.digest and outcome.get("state") != "succeeded":
                self._failures[call.digest] = self._failures.get(call.digest, 0) + 1

    async def _asked(self, messages: tuple[Message, ...]) -> Request:
        terms, models = self._terms, self._desk.models
        offered = [spec for name in terms.tools if (spec := self._desk.tools.spec(name))]
        request = Request(
            model=terms.model,
            messages=messages,
            instructions=terms.instructions,
            tools=(
                *(
                    Offered(
                        name=spec.name,
                        version=spec.version,
                        description=spec.description,
                        schema=spec.input_schema,
                    )
                    for spec in offered
                ),
                *(self._memory.offered() if self._memory else ()),
            ),
            settings=models.settings(terms.model, self._ctx.run, self._ctx.step),
        )
        tools = await self._keep([value.decode(value.encode(tool)) for tool in request.tools])
        self._sent = await self._keep(
            {
                "model": request.model,
                "link": self._link.digest,
                "instructions": request.instructions,
                "tools": tools.digest,
                "names": cast("Json", Names(tool.name for tool in request.tools).to_json()),
                "settings": request.settings,
            }
        )
        return request

    async def _keep(self, said: Json) -> Artifact:
        artifact = await self._ctx.store(value.canonical(said), media_type=JSON_TYPE)
        self._kept.append(artifact)
        return artifact

    # Reading

    async def _read(self) -> Json:
        names = Names(tool.name for tool in self._request.tools)
        assembler = Assembler(names.meant)
        try:
            async with asyncio.timeout(self._patience()):
                await self._stream(assembler)
        except TimeoutError:
            self._charge_cut()
            return await self._stopped(self._time_is_over(), assembler)
        except asyncio.CancelledError:
            self._charge_cut()
            raise
        except ToolError as exc:
            if self._received:  # what was refused before a word of it came costs nothing
                self._charge_cut()
            if not self._asking.started:
                raise
            return await self._interrupted(assembler, exc.message)
        assert self._last is not None
        self._charge(self._last.usage)
        return await self._whole(assembler, self._last)

    async def _stream(self, assembler: Assembler) -> None:
        try:
            model = self._desk.models.open(self._terms.model, self._ctx.tenant)
        except InputError as exc:
            # It was there when the turn began: whoever opens the engine again is about to add it.
            raise TransientError(exc.message) from exc
        async with aclosing(streamed(model, self._request)) as stream:
            async for piece in stream:
                await self._take(assembler, piece)

    async def _take(self, assembler: Assembler, piece: Streamed) -> None:
        known = len(assembler.calls)
        ended = assembler.feed(piece)
        if len(assembler.calls) > MOST_CALLS:
            raise InvalidError(f"An answer has at most {MOST_CALLS} calls, and this has more.")
        match piece:
            case TextDelta(text=text):
                self._received.append(text)
                if text:
                    self._ctx.emit(text)
            case CallDelta(arguments=arguments):
                self._received.append(arguments)
                if len(assembler.calls) > known:
                    begun = assembler.call(assembler.calls[-1])
                    self._ctx.progress(None, pending(begun.id, begun.name))
            case Response():
                self._last = piece
            case _:
                pass
        if ended is not None:
            await self._asking.complete(ended, assembler, self._left())

    def _left(self) -> float:
        return max(0.0, self._terms.limits.turn - self._ctx.seconds)

    def _patience(self) -> float:
        """Seconds that the model has for this answer."""
        return self._left()

    def _over(self) -> str:
        """Why there is no further answer; "": there is one."""
        limits = self._terms.limits
        if any(times >= TOO_OFTEN for times in self._failures.values()):
            return f"I stop here: the same call has failed {TOO_OFTEN} times."
        if self._order.number > limits.rounds:
            return f"I stop here: the turn has had its {limits.rounds} rounds."
        return "" if self._left() else self._time_is_over()

    def _time_is_over(self) -> str:
        return f"I stop here: the {self._terms.limits.turn:g} s for this turn are over."

    # Money

    def _charge(self, usage: Usage) -> None:
        cost = money.cost_of(usage, self._desk.models.price(self._terms.model))
        self._ctx.charge(usd=cost.usd, tokens=cost.tokens)

    def _charge_cut(self) -> None:
        """Nobody has counted an answer that was cut; nobody pays the whole ceiling for it."""
        self._charge(money.estimated(self._request, self._received))

    # Ends

    async def _whole(self, assembler: Assembler, last: Response) -> Json:
        """The answer has ended: what is not yet going on starts, and the next one follows."""
        final = await self._asking.settle(assembler, self._left())
        message = AnswerMessage(
            parts=assembler.parts(last, final.of), model=last.model or self._terms.model
        )
        return await self._followed(message, last.usage, last.stop, last=last)

    async def _interrupted(self, assembler: Assembler, why: str) -> Json:
        """The stream has broken, and calls go on: what is complete is the answer."""
        self._asking.note(f"The answer broke off: {why}")
        message = AnswerMessage(
            parts=assembler.parts(None, self._asking.of_started),
            model=self._terms.model,
            interrupted=True,
        )
        usage = money.estimated(self._request, self._received)
        return await self._followed(message, usage, "interrupted")

    async def _resumed(self) -> Json:
        """An earlier attempt has died, and its calls have begun: what it wrote is the answer."""
        parts = await self._asking.restore(self._ctx.saved, self._ctx.emitted)
        over = self._over()
        if over:
            return await self._stopped(over, said=parts)
        self._asking.note("The answer broke off.")
        message = AnswerMessage(parts=parts, model=self._terms.model, interrupted=True)
        return await self._followed(message, Usage(estimated=True), "interrupted")

    async def _stopped(
        self, why: str, assembler: Assembler | None = None, said: tuple[Part, ...] = ()
    ) -> Json:
        """A limit: the last word, without a model."""
        if assembler is not None:
            said = assembler.parts(None, self._asking.of_started)
        begun = any(isinstance(part, Text) and part.text for part in said)
        sentence = f"\n\n{why}" if begun else why
        self._ctx.emit(sentence)
        message = AnswerMessage(
            parts=(*said, Text(text=sentence)), model=self._terms.model, interrupted=True
        )
        usage = money.estimated(self._request, self._received) if self._received else Usage()
        return await self._followed(message, usage, "limit", seal=True)

    async def _followed(
        self,
        message: AnswerMessage,
        usage: Usage,
        stop: str,
        *,
        last: Response | None = None,
        seal: bool = False,
    ) -> Json:
        response = await self._desk.history.keep(self._ctx, message)
        if self._asking.asked and not seal:
            try:
                await self._go_on(response, usage)
            except PlanError:
                why = "I stop here: the budget does not cover a further answer."
                return await self._stopped(why, said=message.parts)
        else:
            await self._ctx.then(seal=True)
        self._kept.append(response)
        return self._record(message, response, usage, stop, last)

    async def _go_on(self, response: Artifact, usage: Usage) -> None:
        """Have what was asked for made, and the next answer after it."""
        asking = self._asking
        calls = await self._ctx.store(encode_calls(asking.asked), media_type=JSON_TYPE)
        step = next_step(
            self._order.number + 1,
            self._terms,
            self._next_ceiling(usage),
            link=self._link,
            answer=response,
            calls=calls,
            steps=[call.step for call in asking.asked if call.step],
            failures=self._failures,
            more=self._carried(),
        )
        await self._ctx.then([*asking.late, step])
        self._kept.append(calls)

    def _carried(self) -> dict[str, Json]:
        """What the next answer must know besides."""
        return {}

    def _next_ceiling(self, usage: Usage) -> Cost:
        terms, models = self._terms, self._desk.models
        counted = usage.input + usage.output
        before = counted if counted and not usage.estimated else money.most_input(self._request)
        added = len(self._asking.asked) * (terms.result + RESULT_WORDS)
        return money.ceiling_after(
            before, added, models.price(terms.model), models.most(terms.model)
        )

    def _record(
        self,
        message: AnswerMessage,
        response: Artifact,
        usage: Usage,
        stop: str,
        last: Response | None,
    ) -> Json:
        request = self._request
        return {
            "model": {"asked": request.model, "answered": last.model if last else ""},
            "settings": {"asked": request.settings, "taken": last.taken if last else {}},
            "prompt": value.digest(request.instructions),
            "tools": {
                tool.name: {"version": tool.version, "schema": tool.digest}
                for tool in request.tools
            },
            "request": self._sent.digest,
            "response": response.digest,
            "response_id": last.id if last else "",
            "usage": usage.to_json(),
            "stop": stop,
            "interrupted": message.interrupted,
            "calls": [value.decode(value.encode(call)) for call in self._asking.asked],
            "notes": list(self._asking.notes),
            "link": self._link.to_json(),
            "kept": [artifact.to_json() for artifact in _once(self._kept)],
        }


def _once(artifacts: list[Artifact]) -> list[Artifact]:
    return list({artifact.digest: artifact for artifact in artifacts}.values())
