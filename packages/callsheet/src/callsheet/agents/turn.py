"""The handle of a turn: follow it, wait for it, stop it. Dropping it changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from typing_extensions import override

from callsheet.agents.flow import Flow, TurnState
from callsheet.core import given
from callsheet.core.plan.plan import Cost
from callsheet.core.value import Json
from callsheet.runtime.feed import Event, Progress, Text

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from callsheet.agents.flow import Update
    from callsheet.runtime.run import Run


class AnsweredCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a turn, and what came of it."""

    id: str
    step: str | None
    name: str
    args: Json
    status: str
    result: Json = None
    error: Json = None

    def to_json(self) -> dict[str, Json]:
        """As plain data: every field."""
        built: dict[str, Json] = msgspec.to_builtins(self)
        return built


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a turn."""

    state: TurnState
    """`answered`, `stopped` (by a limit), `cancelled` or `failed`; `running`: it goes on."""
    text: str
    """What the last answer says."""
    calls: tuple[AnsweredCall, ...]
    usage: dict[str, Json]
    cost: Cost
    conversation: str
    reason: str = ""
    error: Json = None
    """Of a turn that failed: `{class, message}`."""

    def to_json(self) -> dict[str, Json]:
        """As plain data."""
        built: dict[str, Json] = msgspec.to_builtins(self)
        return {**built, "cost": self.cost.to_json()}


class Turn:
    """A turn, as a handle; its run goes on without it."""

    def __init__(self, run: Run, conversation: str) -> None:
        self.run = run
        self.conversation = conversation
        """What the next turn is given to go on with it."""

    @property
    def id(self) -> str:
        """That of its run."""
        return self.run.id

    @override
    def __repr__(self) -> str:
        return f"Turn({self.run.id!r})"

    async def flow(self, after: int = 0) -> AsyncIterator[Update]:
        """Text and tools as they come, from entry `after` on, until the turn has ended.

        What has a `seq` is written down, and comes to everybody, in the same order. What has none
        is for whoever is there. Coming back with the last `seq` misses nothing.
        """
        given.whole("after", after)
        flow = Flow()
        async for told in self.run.events():
            if isinstance(told, Event):
                updates = flow.feed(told.seq, told.entry)
                if told.seq <= after:
                    continue
            elif isinstance(told, Progress):
                updates = flow.hear_progress(told.step, told.fraction, told.message)
            elif isinstance(told, Text):
                updates = flow.hear_text(told.step, told.offset, told.text)
            for update in updates:
                yield update

    async def wait(self) -> Answer:
        """Return when the turn has ended, with what came of it.

        Raises:
            EngineClosedError: the engine was closed first; the turn goes on when it is reopened.
        """
        await self.run.wait()
        return await self.status()

    async def status(self) -> Answer:
        """The turn as it stands: what was said and done so far, with every value in its place."""
        flow = Flow()
        for seq, entry in enumerate(await self.run.journal(whole=True), 1):
            flow.feed(seq, entry)
        return answer_of(flow, self.conversation)

    async def cancel(self, *, reason: str = "", by: str | None = None) -> None:
        """Stop the turn: the model first, then the calls. What was done is kept."""
        await self.run.cancel(reason=reason, by=by)


def answer_of(flow: Flow, conversation: str) -> Answer:
    """What came of a turn."""
    end = flow.end or {}
    return Answer(
        state=flow.state,
        text=flow.text,
        calls=tuple(
            AnsweredCall(
                id=call.id,
                step=call.step,
                name=call.name,
                args=call.args,
                status=call.status,
                result=call.result,
                error=call.error,
            )
            for call in flow.all_calls()
        ),
        usage=flow.usage,
        cost=flow.snapshot.pot.spent,
        conversation=conversation,
        reason=str(end.get("reason") or ""),
        error=end.get("error"),
    )
