"""What lies outside the engine: tools that are played, and what stands because of them.

It outlives the process, and knows what the engine can only guess: whether a call that was never
heard of again has done its work. Nobody's function is called here. A tool is its declaration: one
that writes makes something stand under its key, the call of an undo takes it back.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from msgspec import structs
from typing_extensions import override

from callsheet.core import value
from callsheet.errors import (
    DeniedError,
    FatalError,
    InvalidError,
    NotDoneError,
    RateLimitedError,
    ToolTimeoutError,
    TransientError,
)
from callsheet.testing.simulation.manner import manner_of
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from random import Random

    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.value import Json
    from callsheet.ports import Context
    from callsheet.testing.simulation.disk import SimulatedDisk
    from callsheet.testing.simulation.faults import Faults
    from callsheet.testing.simulation.manner import Manner
    from callsheet.tools.registry import AnyTool

UNDO = ":undo"
"""How the key of an undo ends."""
FIRST, NEWER = "1", "2"
"""Versions of the tools."""
MUCH, SELDOM = 33_000, 40
"""How long a large output is, and how few are."""
DEAF = 16.0
"""Longer than a tool that was told to stop is waited for."""


@dataclass(slots=True, eq=False)
class Visit:
    """One call, as the outside saw it."""

    tool: str
    args: dict[str, Json]
    run: str
    step: str
    attempt: int
    key: str
    saved: Json
    life: int
    written: bool
    """Its start stood on the disk when it was made."""
    place: int
    """Among all that happened outside."""
    busy: int
    """How many calls of this tool were going on, this one included."""
    effect: Effect | None = None
    told: bool = False
    over: bool = False
    returned: bool = False
    """It has given its answer, without being told to stop."""
    beside: bool = False
    """Another call with its key was going on when it began."""
    charged: float | None = None
    version: str = ""
    """Of the tool."""
    checkpoint: Json = None
    """The last that it was told is safe."""

    @property
    def undo(self) -> bool:
        """Whether it was to take something back."""
        return self.key.endswith(UNDO)


@dataclass(slots=True, eq=False)
class Effect:
    """Something that stands because of a call."""

    run: str
    step: str
    key: str
    place: int
    """Among all that happened outside."""
    taken_back: list[int] = field(default_factory=list)


class Outside:
    """Every call and every effect of a story."""

    def __init__(
        self,
        random: Random,
        faults: Faults,
        disk: SimulatedDisk,
        answers: Callable[[ToolSpec, dict[str, Json]], Json],
    ) -> None:
        self.visits: list[Visit] = []
        self.effects: list[Effect] = []
        self._random = random
        self._faults = faults
        self._disk = disk
        self._answers = answers
        self.upgraded_in = 0
        """The process that is the first to have newer versions of the tools; 0: none is."""
        self._place = 0
        self._busy: dict[str, int] = {}
        self._pending: dict[Visit, Manner] = {}

    # What people can find out

    def standing(self, run: str, step: str) -> list[Effect]:
        """What a step of a run has done and nobody has taken back."""
        return [
            each
            for each in self.effects
            if each.step == step and each.run == run and not each.taken_back
        ]

    def any_standing(self, runs: Sequence[str]) -> bool:
        """Whether anything stands that these runs have done."""
        return any(each.run in runs and not each.taken_back for each in self.effects)

    def answer_of(self, run: str, step: str) -> Json:
        """What the call that is standing would have returned, had it been heard."""
        calls = (v for v in reversed(self.visits) if v.step == step and v.run == run)
        visit = next(v for v in calls if v.effect)
        return self._answers(self._spec_of[visit.tool], visit.args)

    _spec_of: dict[str, ToolSpec]

    def toolbox(self, tools: Iterable[AnyTool]) -> Cast:
        """The tools, as a new process has them."""
        if self.is_upgraded(self._disk.life):
            tools = [
                replace(tool, spec=structs.replace(tool.spec, version=NEWER)) for tool in tools
            ]
        cast = Cast(tools, self)
        self._spec_of = {name: spec for name in cast.names() if (spec := cast.spec(name))}
        return cast

    def is_upgraded(self, life: int) -> bool:
        """Whether a process has newer versions of the tools."""
        return 0 < self.upgraded_in <= life

    def version_in(self, upgraded: bool) -> str:
        """The version of the tools."""
        return NEWER if upgraded else FIRST

    # What happens

    def crash(self) -> None:
        """The process dies: what it had asked for happens, or does not, and nobody hears of it."""
        for visit, manner in self._pending.items():
            if manner.happens_unheard and visit.effect is None:
                self._happen(visit)
            visit.over = True
        self._pending.clear()
        self._busy.clear()

    async def play(self, spec: ToolSpec, args: dict[str, Json], ctx: Context) -> Json:
        """A call."""
        visit = self._visit(spec, args, ctx)
        visit.beside = any(other.key == visit.key for other in self._pending)
        manner = manner_of(self._random, self._faults, spec, undo=visit.undo)
        self._pending[visit] = manner
        self._disk.tell(
            lambda: f"call: {visit.tool} for {visit.step}#{visit.attempt} ({manner.words})"
        )
        try:
            answer = await self._carry_out(visit, spec, manner, ctx)
        except asyncio.CancelledError:
            visit.told = True
            return await self._stop(visit, spec, manner, ctx)
        else:
            visit.returned = True
            return answer
        finally:
            if self._pending.pop(visit, None) is not None:
                visit.over = True
                self._busy[visit.tool] -= 1

    def _visit(self, spec: ToolSpec, args: dict[str, Json], ctx: Context) -> Visit:
        self._place += 1
        self._busy[spec.name] = self._busy.get(spec.name, 0) + 1
        undo = ctx.key.endswith(UNDO)
        visit = Visit(
            spec.name,
            args,
            ctx.run,
            ctx.step,
            ctx.attempt,
            ctx.key,
            ctx.saved,
            self._disk.life,
            (ctx.run, ctx.step, ctx.attempt, undo) in self._disk.begun,
            self._place,
            self._busy[spec.name],
            version=spec.version,
        )
        self.visits.append(visit)
        return visit

    async def _carry_out(self, visit: Visit, spec: ToolSpec, manner: Manner, ctx: Context) -> Json:
        if manner.before:
            await ctx.sleep(manner.before)
        if manner.checkpoint:
            noted: Json = {"visit": visit.place}
            await ctx.checkpoint(noted)
            visit.checkpoint = noted
        if manner.error and not manner.done_first:
            raise _error(manner)
        self._happen(visit)
        self._charge(visit, spec, ctx)
        if manner.after:
            await ctx.sleep(manner.after)
        if manner.error:
            raise _error(manner)
        return None if visit.undo else self._answers(spec, visit.args)

    async def _stop(self, visit: Visit, spec: ToolSpec, manner: Manner, ctx: Context) -> Json:
        """It is told to stop. What it will ever do outside, it has done by then."""
        if manner.happens_unheard and visit.effect is None:
            self._happen(visit)
        if manner.deaf:
            await self._ignore(manner.deaf, ctx)
            if visit.effect is not None and not visit.undo:
                return self._answers(spec, visit.args)
        if visit.effect is None and manner.honest:
            raise NotDoneError("Stopped in time: nothing was done.")
        raise asyncio.CancelledError

    async def _ignore(self, seconds: float, ctx: Context) -> None:
        loop = asyncio.get_running_loop()
        until = round(loop.time() + seconds, 6)
        while loop.time() < until:
            try:
                await ctx.sleep(until - loop.time())
            except asyncio.CancelledError:
                continue

    def _happen(self, visit: Visit) -> None:
        self._place += 1
        if visit.undo:
            visit.effect = Effect(visit.run, visit.step, visit.key, self._place)
            for each in self.standing(visit.run, visit.step):
                each.taken_back.append(self._place)
            return
        spec = self._spec_of[visit.tool]
        if spec.effect == "read":
            return
        if spec.idempotent and (known := self._known(visit.key)):
            visit.effect = known
            return
        visit.effect = Effect(visit.run, visit.step, visit.key, self._place)
        self.effects.append(visit.effect)

    def _known(self, key: str) -> Effect | None:
        return next((each for each in self.effects if each.key == key), None)

    def _charge(self, visit: Visit, spec: ToolSpec, ctx: Context) -> None:
        if spec.ceiling is not None and spec.ceiling.usd:
            visit.charged = round(self._random.random() * spec.ceiling.usd, 4)
            ctx.charge(usd=visit.charged)


class Cast(Registry):
    """The tools of a story, played. As the registry, but for what a call does."""

    def __init__(self, tools: Iterable[AnyTool], outside: Outside) -> None:
        super().__init__(tools)
        self._outside = outside

    @override
    async def call(self, name: str, args: dict[str, Json], ctx: Context) -> Json:
        """Play a call, if the arguments fit."""
        tool = self._tools[name]
        # What is bound may be anything; what was written down is what is compared.
        tool.parameters.bind(dict(args))
        return await self._outside.play(tool.spec, args, ctx)


def made_up(spec: ToolSpec, args: dict[str, Json]) -> Json:
    """What a tool without a script returns: it depends on the call alone, so that runs compare."""
    about = [spec.name, args] if spec.version == FIRST else [spec.name, args, spec.version]
    number = int(value.digest(about)[:6], 16)
    made: dict[str, Json] = {
        "id": f"{spec.name}-{number}",
        "n": number % 7,
        "list": list(range(number % 4)),
    }
    # Some are too large to stand in the journal.
    return made | {"text": "x" * MUCH} if number % SELDOM == 0 else made


def _error(manner: Manner) -> Exception:
    return _ERRORS[manner.error](manner.retry_after)


_ERRORS: dict[str, Callable[[float | None], Exception]] = {
    "transient": lambda _: TransientError("It broke."),
    "not_done": lambda _: NotDoneError("It did not even begin."),
    "rate_limited": lambda after: RateLimitedError("Not so fast.", retry_after=after),
    "timeout": lambda _: ToolTimeoutError("It took too long."),
    "invalid": lambda _: InvalidError("That makes no sense."),
    "denied": lambda _: DeniedError("Not you."),
    "fatal": lambda _: FatalError("It will never work."),
    "reset": lambda _: ConnectionResetError("The line is dead."),
    "bug": lambda _: RuntimeError("The tool has a mistake."),
}
