"""A draft: the step that reads a plan from a model, and has its steps run while it is written."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

import msgspec

from callsheet.agents import money
from callsheet.agents.bounded import streamed
from callsheet.agents.drafting import prompt
from callsheet.agents.drafting.board import Board
from callsheet.agents.drafting.reader import Document
from callsheet.agents.drafting.rules import Offered
from callsheet.agents.drafting.terms import (
    MOST_STEPS,
    MOST_TEXT,
    REPAIRS,
    RESULT,
    ROUNDS,
    DraftOrder,
    DraftTerms,
    answer_of,
    draft_step,
    drafted,
    order_of,
)
from callsheet.agents.message import AnswerMessage, Text, UserMessage
from callsheet.agents.model import Request, Response, TextDelta, Usage
from callsheet.core import value
from callsheet.core.plan.artifact import Artifact, artifact_of
from callsheet.core.problem import Problem, listed
from callsheet.errors import InputError, InvalidError, PlanError, ToolError, TransientError
from callsheet.runtime.subplans import gather_children

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.agents.answer import Desk
    from callsheet.agents.drafting.board import Settled
    from callsheet.agents.message import Message
    from callsheet.agents.model import Streamed
    from callsheet.core.plan.plan import Cost, Step
    from callsheet.core.value import Json
    from callsheet.ports import Context, PlanShelf

JSON_TYPE = "application/json"
PROBLEM_WORDS = 400
"""Characters of a problem, about."""


class Draftsman:
    """What drafts work with, all of an engine's together."""

    def __init__(self, desk: Desk, shelf: PlanShelf) -> None:
        self.desk = desk
        self._shelf = shelf

    async def draft(self, args: dict[str, Json], ctx: Context) -> Json:
        """One attempt of a document; the tool `model.draft`."""
        said = args["terms"]
        stored = artifact_of(said)
        if stored is not None:
            said = value.decode(await ctx.load(stored))
        terms = msgspec.convert(said, DraftTerms)
        return await Draft(self, terms, order_of(args), ctx).given()

    async def offered(self, terms: DraftTerms, tenant: str) -> Offered:
        """What the steps of a draft may call."""
        plans = await gather_children(terms.plans, self._shelf, self.desk.tools, tenant=tenant)
        return Offered(self.desk.tools, terms.tools, plans, terms.plans)


def request_of(
    terms: DraftTerms, offered: Offered, messages: Sequence[Message], settings: dict[str, Json]
) -> Request:
    """What a model is asked."""
    return Request(
        model=terms.model,
        messages=tuple(messages),
        instructions=prompt.instructions_of(terms, offered),
        settings=settings,
    )


class Draft:
    """One attempt of one document.

    An attempt that is made again asks the same: what the one before it has started is in the run,
    and the same step again is the same.
    """

    def __init__(
        self, draftsman: Draftsman, terms: DraftTerms, order: DraftOrder, ctx: Context
    ) -> None:
        self._draftsman = draftsman
        self._desk = draftsman.desk
        self._terms = terms
        self._order = order
        self._ctx = ctx
        self._kept: list[Artifact] = []
        """All that was stored, so that the record names it."""
        self._document = Document()
        self._last: Response | None = None
        self._refused: list[Problem] = []
        self._too_much: Problem | None = None
        self._link: Artifact | None = order.link
        self._request: Request
        self._board: Board

    async def given(self) -> Json:
        """The record of the document."""
        offered = await self._draftsman.offered(self._terms, self._ctx.tenant)
        self._board = Board(self._terms, offered, drafted(self._ctx.grown))
        messages = await self._heard()
        settings = self._desk.models.settings(self._terms.model, self._ctx.run, self._ctx.step)
        self._request = request_of(self._terms, offered, messages, settings)
        await self._read()
        return await self._followed(self._settled())

    @property
    def _is_last(self) -> bool:
        return self._order.round >= ROUNDS

    async def _heard(self) -> tuple[Message, ...]:
        """All that was said, with what is new in this round; a repair has been told already."""
        order, history = self._order, self._desk.history
        if not order.repair:
            said = (
                prompt.outcomes_of(order.outcomes or {}, order.round)
                if order.round
                else prompt.goal_of(self._terms)
            )
            await self._say(UserMessage(text=said))
        return await history.messages(self._ctx, self._link)

    async def _say(self, *messages: Message) -> None:
        self._link, stored = await self._desk.history.extend(self._ctx, self._link, *messages)
        self._kept += stored

    # Reading

    async def _read(self) -> None:
        try:
            model = self._desk.models.open(self._terms.model, self._ctx.tenant)
        except InputError as exc:
            # It was there when the run began: whoever opens the engine again is about to add it.
            raise TransientError(exc.message) from exc
        try:
            async with aclosing(streamed(model, self._request)) as stream:
                async for piece in stream:
                    await self._take(piece)
                    if self._too_much is not None:
                        break
        except ToolError:
            if self._document.length:  # what was refused before a word of it came costs nothing
                self._charge_cut()
            raise
        except BaseException:  # told to stop: the model is paid all the same
            self._charge_cut()
            raise
        if self._last is None:
            self._charge_cut()
        else:
            self._charge(self._last.usage)

    async def _take(self, piece: Streamed) -> None:
        if isinstance(piece, Response):
            self._last = piece
        if not isinstance(piece, TextDelta):
            return
        for closed in self._document.feed(piece.text):
            if self._is_last:
                continue  # there is no round in which anybody would look at what it gives
            for step in self._board.take(closed):
                await self._start(step, closed.index)
        if self._document.count > MOST_STEPS:
            what = f"a draft has at most {MOST_STEPS:,} steps"
            self._too_much = Problem(place="steps", what=what, fix="Use for_each.")
        elif self._document.length > MOST_TEXT:
            what = f"a draft has at most {MOST_TEXT:,} characters"
            self._too_much = Problem(place="plan", what=what, fix="Write less.")

    async def _start(self, step: Step, index: int) -> None:
        try:
            await self._ctx.add([step])
        except PlanError as exc:
            for each in exc.problems:
                assert isinstance(each, Problem)
                place = each.place.replace("steps[0]", f"steps[{index}]", 1)
                self._refused.append(msgspec.structs.replace(each, place=place))
        else:
            self._ctx.progress(None, f"{step.id} has started")

    # Money

    def _charge(self, usage: Usage) -> None:
        cost = money.cost_of(usage, self._desk.models.price(self._terms.model))
        self._ctx.charge(usd=cost.usd, tokens=cost.tokens)

    def _charge_cut(self) -> None:
        self._charge(money.estimated(self._request, [self._document.text]))

    # Ends

    def _settled(self) -> Settled:
        order = self._order
        text = None if self._too_much is not None else self._document.whole
        settled = self._board.settle(text, joins=order.round > 0, last=self._is_last)
        more = [self._too_much] if self._too_much is not None else [*self._refused]
        if not more:
            return settled
        told = () if self._too_much is not None else settled.problems
        return msgspec.structs.replace(settled, problems=(*more, *told))

    async def _followed(self, settled: Settled) -> Json:
        text = self._document.text[:MOST_TEXT]
        answered = self._last.model if self._last else ""
        said = AnswerMessage(parts=(Text(text=text),), model=answered or self._terms.model)
        await self._say(said)
        try:
            if settled.problems:
                await self._go_back(settled.problems)
            elif settled.is_answer:
                await self._ctx.then(seal=True, output=answer_of(self._ctx.step))
            elif self._terms.only_draft:
                await self._ctx.then(seal=True, output=f"${{steps.{self._ctx.step}.plan}}")
            else:
                await self._go_on(settled)
        except PlanError as exc:
            raise InvalidError(f"The draft cannot go on. {exc.message}") from exc
        return self._record(settled)

    async def _go_back(self, problems: Sequence[Problem]) -> None:
        """What is wrong is told to the model, together with what has started."""
        order = self._order
        if order.repair >= REPAIRS:
            times = {1: "once", 2: "twice"}.get(REPAIRS, f"{REPAIRS} times")
            heading = f"The draft does not check, and went back {times}:"
            raise InvalidError(listed(heading, problems[: prompt.MOST_PROBLEMS]))
        words = prompt.problems_of(problems, self._board.started)
        await self._say(UserMessage(text=words))
        following = msgspec.structs.replace(
            order, repair=order.repair + 1, link=self._link, outcomes=None
        )
        terms: dict[str, Json] = msgspec.to_builtins(self._terms)
        await self._ctx.then([draft_step(following, terms, self._ceiling(len(words)))])

    async def _go_on(self, settled: Settled) -> None:
        """The draft checks: what has waited for its end starts, and perhaps a joiner follows."""
        assert settled.plan is not None
        if settled.plan.output is not None:
            await self._ctx.then([*settled.steps], seal=True, output=settled.plan.output)
            return
        names = [step.id for step in settled.plan.steps]
        following = DraftOrder(round=self._order.round + 1, link=self._link)
        said = await self._ctx.store(value.canonical(self._terms), media_type=JSON_TYPE)
        self._kept.append(said)
        more = min(prompt.MOST_OUTCOMES, len(names) * RESULT)
        step = draft_step(following, said.to_json(), self._ceiling(more), names)
        await self._ctx.then([*settled.steps, step])

    def _ceiling(self, more: int) -> Cost:
        models, model = self._desk.models, self._terms.model
        before = money.most_input(self._request) + self._document.length
        return money.ceiling_after(before, more, models.price(model), models.most(model))

    def _record(self, settled: Settled) -> Json:
        request, last = self._request, self._last
        usage = last.usage if last else money.estimated(request, [self._document.text])
        names: list[Json] = [step.id for step in (*self._board.started, *settled.steps)]
        record: dict[str, Json] = {
            "model": {"asked": request.model, "answered": last.model if last else ""},
            "settings": {"asked": request.settings, "taken": last.taken if last else {}},
            "prompt": value.digest(request.instructions),
            "response_id": last.id if last else "",
            "usage": usage.to_json(),
            "stop": last.stop if last else "limit",
            "problems": [each.to_json() for each in settled.problems],
            "steps": names,
            "link": self._link.to_json() if self._link else None,
            "kept": [artifact.to_json() for artifact in _once(self._kept)],
        }
        if settled.is_answer:
            record["answer"] = settled.answer
        elif self._terms.only_draft and settled.plan is not None:
            record["plan"] = settled.plan.to_json()
        return record


def _once(artifacts: list[Artifact]) -> list[Artifact]:
    return list({artifact.digest: artifact for artifact in artifacts}.values())
