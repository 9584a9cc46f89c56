"""Scripted tools: they do what a test tells them to, and write down every call.

    world = World()
    book, cancel = world.pair("book", "cancel")
    flaky = world.tool("flaky", [raises(TransientError("again")), returns(7)])

    async with Engine.in_memory(world.tools) as engine: ...
    assert world.count("book") == 1 and not world.standing

A script has one act per attempt of a step; the last act serves all further attempts. An act is an
async function of the call and its context, so a test can write its own.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from msgspec import structs

from callsheet.core.value import Json
from callsheet.ports import Context
from callsheet.tools.function.schema import Parameters
from callsheet.tools.registry import tool

if TYPE_CHECKING:
    from typing import Unpack

    from callsheet.tools.registry import AnyTool, Terms

Act: TypeAlias = Callable[["Call", Context], Awaitable[Json]]
Script: TypeAlias = "Act | Sequence[Act]"

_ANY_ARGUMENTS = Parameters(
    schema={"type": "object"}, names=(), context="ctx", validate=lambda args: {"args": args}
)


@dataclass(slots=True, kw_only=True, eq=False)
class Call:
    """One call of a scripted tool: an effect that was counted outside the engine."""

    tool: str
    args: dict[str, Json]
    run: str
    step: str
    attempt: int
    key: str
    saved: Json
    began: int
    """Its place among all beginnings and ends of a world."""
    began_at: float
    """Seconds on the event loop."""
    ended: int | None = None
    """Like `began`; None while it goes on (or was left behind)."""
    ended_at: float | None = None
    told: bool = False
    """It was told to stop."""

    def overlaps(self, other: Call) -> bool:
        """Whether the two were going on at the same time."""
        return not (self.before(other) or other.before(self))

    def before(self, other: Call) -> bool:
        """Whether it had ended when the other began."""
        return self.ended is not None and self.ended < other.began


@dataclass(slots=True, eq=False)
class World:
    """What lies outside the engine: every call that was made, and what is there because of it."""

    calls: list[Call] = field(default_factory=list)
    standing: dict[str, Call] = field(default_factory=dict)
    """By idempotency key, what tools of `pair` have done and nobody has taken back."""
    tools: list[AnyTool] = field(default_factory=list)
    """All tools made here."""
    _clock: int = 0

    def tool(self, name: str, script: Script = (), **terms: Unpack[Terms]) -> AnyTool:
        """A tool that takes any arguments and follows a script; without one it returns them.

        It is a read unless its terms say otherwise.
        """
        terms.setdefault("effect", "read")
        acts = _acts(script) or (echo,)

        async def play(args: dict[str, Json], ctx: Context) -> Json:
            return await self._play(name, args, ctx, acts)

        declared = tool(name, **terms)(play)
        scripted = replace(
            declared,
            spec=structs.replace(declared.spec, input_schema={"type": "object"}),
            parameters=_ANY_ARGUMENTS,
        )
        self.tools.append(scripted)
        return scripted

    def pair(
        self, name: str, undone_by: str, script: Script = (), **terms: Unpack[Terms]
    ) -> tuple[AnyTool, AnyTool]:
        """A write that makes something stand, and the tool that takes it back by its key."""
        terms["effect"] = "write"
        terms["undo"] = undone_by
        taking_back = self.tool(undone_by, self.takes_back, effect="write", idempotent=True)
        return self.tool(name, _acts(script) or self.stands, **terms), taking_back

    async def stands(self, call: Call, _ctx: Context) -> Json:
        """An act: make something stand, and return its id and the arguments."""
        self.standing[call.key] = call
        return {"id": f"{call.tool}-{call.step}", **call.args}

    async def takes_back(self, call: Call, _ctx: Context) -> Json:
        """An act: what was done under the key that is given stands no more."""
        self.standing.pop(str(call.args["key"]), None)
        return None

    def count(self, tool: str) -> int:
        """How often a tool was called."""
        return len(self.of(tool))

    def of(self, tool: str) -> list[Call]:
        """The calls of a tool, in the order they began."""
        return [call for call in self.calls if call.tool == tool]

    def step(self, step: str) -> list[Call]:
        """The calls for a step, its undo included, in the order they began."""
        return [call for call in self.calls if call.step == step]

    @property
    def steps(self) -> list[str]:
        """The steps of all calls, in the order they began."""
        return [call.step for call in self.calls]

    @property
    def most_at_once(self) -> int:
        """How many calls were going on at the same time, at most."""
        moments = [(call.began, 1) for call in self.calls]
        moments += [(call.ended, -1) for call in self.calls if call.ended is not None]
        now = most = 0
        for _, change in sorted(moments):
            now += change
            most = max(most, now)
        return most

    async def _play(
        self, name: str, args: dict[str, Json], ctx: Context, acts: Sequence[Act]
    ) -> Json:
        call = Call(
            tool=name,
            args=args,
            run=ctx.run,
            step=ctx.step,
            attempt=ctx.attempt,
            key=ctx.key,
            saved=ctx.saved,
            began=self._tick(),
            began_at=asyncio.get_running_loop().time(),
        )
        self.calls.append(call)
        try:
            return await acts[min(ctx.attempt, len(acts)) - 1](call, ctx)
        except asyncio.CancelledError:
            call.told = True
            raise
        finally:
            call.ended = self._tick()
            call.ended_at = asyncio.get_running_loop().time()

    def _tick(self) -> int:
        self._clock += 1
        return self._clock


# Acts


async def echo(call: Call, _ctx: Context) -> Json:
    """Return the arguments."""
    return dict(call.args)


def returns(value: Json = None) -> Act:
    """Return this."""

    async def act(_call: Call, _ctx: Context) -> Json:
        return value

    return act


def raises(error: BaseException) -> Act:
    """Raise this."""

    async def act(_call: Call, _ctx: Context) -> Json:
        raise error

    return act


def waits(seconds: float, then: Act = echo) -> Act:
    """Take so many seconds on the engine's clock, then go on."""

    async def act(call: Call, ctx: Context) -> Json:
        await ctx.sleep(seconds)
        return await then(call, ctx)

    return act


def hangs(until: asyncio.Event | None = None, then: Act = echo) -> Act:
    """Go on when the event is set; without one, never. It stops when it is told to."""

    async def act(call: Call, ctx: Context) -> Json:
        await (until or asyncio.Event()).wait()
        return await then(call, ctx)

    return act


def ignores_stop(until: asyncio.Event, then: Act = echo) -> Act:
    """Like `hangs`, but deaf: however often it is told to stop, it waits for the event.

    Set it before the test ends: an event loop is closed only when its tasks are done.
    """

    async def act(call: Call, ctx: Context) -> Json:
        while not until.is_set():
            try:
                await until.wait()
            except asyncio.CancelledError:
                call.told = True
        return await then(call, ctx)

    return act


def blocks(seconds: float, then: Act = echo) -> Act:
    """Block the whole event loop for so many real seconds, as a careless tool would."""

    async def act(call: Call, ctx: Context) -> Json:
        time.sleep(seconds)  # noqa: ASYNC251 -- this is the mistake that is being played
        return await then(call, ctx)

    return act


def _acts(script: Script) -> tuple[Act, ...]:
    return tuple(script) if isinstance(script, Sequence) else (script,)
