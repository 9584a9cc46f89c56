"""What guarding against hostile plans takes, beside a step of the fan-out."""

from __future__ import annotations

import asyncio
import gc
import time
from typing import TYPE_CHECKING

import jmespath
from jmespath.visitor import TreeInterpreter

from bench import ours as o
from bench.cases import both
from bench.table import Row
from bench.work import PAYLOAD
from callsheet import Engine, Step, tool
from callsheet.core.grants import Grants
from callsheet.core.ids import RunId
from callsheet.core.plan.plan import Plan
from callsheet.core.refs.evaluation import Interpreter
from callsheet.runtime.clock import SystemClock
from callsheet.runtime.families import Families
from callsheet.runtime.secrets import Revealed, hide_in
from callsheet.tools.builtin.walk import reach

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.cases import Bench
    from callsheet.core.value import Json

MOST = 0.05
LONGEST = 0.05
CHILDREN = 500
TIMES = 2_000
TEXT = "steps.a.items[0].name || 'x'"


async def guards(bench: Bench) -> list[Row]:
    """CPU of each guard where a step meets it, and of what every step pays."""
    sizes = bench.sizes
    plan = o.fan(sizes.fan)
    async with both(bench) as (ours, _thread, _turn):
        await ours.run(plan)
        begun = time.process_time()
        for _ in range(sizes.samples):
            await ours.run(plan)
        step = (time.process_time() - begun) / sizes.samples / (sizes.fan + 2)
    (bench.scratch / "a").mkdir(exist_ok=True)
    (bench.scratch / "a" / "b").touch()
    families = Families(SystemClock())
    member = families.join(RunId("r"), None, Plan(steps=()), "t", lambda: None)
    tree = jmespath.compile(TEXT).parsed
    scope: dict[str, Json] = {"steps": {"a": {"items": [{"name": "n"}]}}}
    output: dict[str, Json] = {"i": 1, "payload": PAYLOAD}

    def admitted() -> None:
        families.admit_call(member)
        families.call_ended(member)

    every = _cpu(admitted)
    budget = _cpu(lambda: Interpreter().result(tree, scope))
    budget -= _cpu(lambda: TreeInterpreter().visit(tree, scope))
    given = Revealed({"K": "hunter2hunter2"}, Grants())
    hiding = _cpu(lambda: hide_in(output, given))
    walk = _cpu(lambda: reach(bench.scratch, "a/b").__exit__())
    return [
        await _children(bench),
        _row("guards: what every step of the fan-out pays", every, step, bar=MOST),
        _row("guards: budget of an expression, beyond JMESPath's own", budget, step),
        _row("guards: hiding a secret in an output", hiding, step),
        _row("guards: the way to a file", walk, step),
    ]


async def _children(bench: Bench) -> Row:
    """The longest turn of the loop while a plan of a few lines makes hundreds of runs."""
    going: list[None] = []

    @tool(effect="read")
    async def stay() -> None:
        going.append(None)
        await asyncio.Event().wait()

    leaf = Plan(steps=(Step(id="s", tool="stay"),))
    plan = Plan(name="many", steps=(Step(id="s", plan=leaf, for_each=list(range(CHILDREN))),))
    turns: list[float] = []
    async with Engine.open(bench.scratch / "home-children", tools=[stay], drain=0) as engine:
        gc.disable()
        run = await engine.start(plan)
        while len(going) < CHILDREN:
            begun = time.thread_time()
            await asyncio.sleep(0)
            turns.append(time.thread_time() - begun)
        gc.enable()
        await run.cancel()
        await run.wait()
    longest = max(turns)
    return Row(
        case=f"guards: a plan makes {CHILDREN:,} runs: the longest turn, CPU without Python's GC",
        ours=f"{longest * 1e3:.1f} ms",
        bar=f"≤ {LONGEST * 1e3:.0f} ms",
        met=longest <= LONGEST,
    )


def _cpu(work: Callable[[], object]) -> float:
    """Seconds of CPU of one time, the best of several tries."""
    best = float("inf")
    for _ in range(5):
        begun = time.process_time()
        for _ in range(TIMES):
            work()
        best = min(best, (time.process_time() - begun) / TIMES)
    return best


def _row(case: str, seconds: float, step: float, *, bar: float | None = None) -> Row:
    share = seconds / step
    return Row(
        case=case,
        ours=f"{seconds * 1e6:.1f} µs, {share:.1%} of a step's CPU",
        bar=f"at most {bar:.0%}" if bar is not None else "-",
        met=share <= bar if bar is not None else None,
    )
