"""What a step costs more when it uses something: a chain of such steps beside a plain one.

All are chains of the same steps, and each run is given a number that no other has, so that nothing
is found which is not meant to be found.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from itertools import count
from typing import TYPE_CHECKING

from bench.sampling import Series, in_turns, number, spread
from bench.table import Row
from bench.work import PAYLOAD, result
from callsheet import Budget, Context, Engine, Plan, Step, tool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from bench.cases import Bench
    from callsheet.core.value import Json

MOST = 1.4
INPUTS: dict[str, Json] = {"run": {"type": "integer"}, "given": {"default": None}}


@asynccontextmanager
async def _engine(bench: Bench) -> AsyncIterator[Engine]:
    @tool(effect="read")
    async def plain(i: int, run: int) -> dict[str, object]:
        del run
        return result(i)

    @tool(cost=0.01, ceiling=0.02, effect="read")
    async def paid(i: int, run: int) -> dict[str, object]:
        del run
        return result(i)

    @tool(effect="read")
    async def named(i: int, run: int, given: object) -> dict[str, object]:
        del run
        return {**result(i), "given": given}

    @tool(effect="read")
    async def keeps(i: int, run: int, ctx: Context) -> dict[str, object]:
        artifact = await ctx.store(f"{run} {i} {PAYLOAD}")
        return {**result(i), "kept": artifact.to_json()}

    home = bench.scratch / "home"
    async with Engine.open(home, tools=[plain, paid, named, keeps], sync="full") as engine:
        yield engine


def _chain(
    name: str, length: int, *, cache: bool = False, given: bool = False, budget: float = 0.0
) -> Plan:
    args: dict[str, Json] = {"run": "${inputs.run}"}
    if given:
        args["given"] = "${inputs.given}"
    return Plan(
        name=f"{name}-cached" if cache else name,
        inputs=INPUTS,
        budget=Budget(usd=budget) if budget else None,
        steps=tuple(
            Step(
                id=f"s{i}",
                tool=name,
                args={"i": i, **args},
                needs=(f"s{i - 1}",) if i else (),
                cache=cache,
            )
            for i in range(length)
        ),
    )


async def used(bench: Bench) -> list[Row]:
    """Chains whose steps have a budget, name or keep an artifact, are cached."""
    sizes = bench.sizes
    length = sizes.chain
    numbers = count(1)
    async with _engine(bench) as engine:
        artifact = (await engine.artifacts.put("hello")).to_json()

        def each(plan: Plan, *, new: bool = True) -> Callable[[], Awaitable[None]]:
            async def once() -> None:
                inputs: dict[str, Json] = {"run": next(numbers) if new else 0, "given": artifact}
                run = await engine.start(plan, inputs)
                assert (await run.wait()).state == "succeeded"

            return once

        cached = _chain("plain", length, cache=True)
        series = await in_turns(
            {
                "plain": each(_chain("plain", length)),
                "budget": each(_chain("paid", length, budget=1e6)),
                "named": each(_chain("named", length, given=True)),
                "kept": each(_chain("keeps", length)),
                "missed": each(cached),
                "hit": each(cached, new=False),
            },
            sizes,
        )
    said = {
        "budget": ("with a budget", MOST),
        "named": ("an artifact in arguments and output", MOST),
        "kept": ("a new artifact of 200 bytes kept", None),
        "missed": ("cached, nothing found", None),
        "hit": ("cached, found", None),
    }
    plain = series["plain"]
    return [_row(case, series[side], plain, length, most) for side, (case, most) in said.items()]


def _row(case: str, ours: Series, plain: Series, steps: int, most: float | None) -> Row:
    times = ours.times(plain)
    each = [f"{number(side.median / steps * 1e6)} µs" for side in (ours, plain)]
    return Row(
        case=f"a step against a plain one: {case}",
        ours=f"{times.median:.2f} x ({spread(times.seconds)}): {' : '.join(each)}",
        bar="-" if most is None else f"≤ {most} x",
        met=None if most is None else times.median <= most,
    )
