"""Plans drawn from a seed, and the cast of tools they call.

Small ones, of two to twelve steps: what goes wrong in a plan of a thousand steps goes wrong in a
plan of three as well, only with less noise. New fields of a plan are drawn here.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from callsheet.core.plan.plan import (
    Budget,
    Cost,
    Plan,
    Retry,
    Step,
    Undo,
)
from callsheet.testing.scripted import World
from callsheet.testing.simulation.faults import happens

if TYPE_CHECKING:
    from random import Random

    from callsheet.core.value import Json
    from callsheet.tools.registry import AnyTool

DEPTH = 2
"""How deep plans are nested."""
NESTED = 0.06
"""How often a step is a plan."""
CHOICES = ("yes", "no")
KEYS = ("desk", "door")
TOOLS = ("look", "fetch", "put", "book", "send", "print")
"""What steps call; the others take back."""
READS = ("look", "fetch")


@cache
def cast() -> tuple[AnyTool, ...]:
    """A read, a paid read with a limit, and writes of every kind."""
    world = World()
    world.tool("look")
    world.tool("fetch", ceiling=0.2, limit=2)
    world.tool("put", effect="write", idempotent=True, undo="unput")
    world.tool("unput", effect="write", idempotent=True)
    world.tool("book", effect="write", undo="unbook")
    world.tool("unbook", effect="write", idempotent=True)
    world.tool("send", effect="write")
    world.tool("print", effect="write", undo="shred", ceiling=1.0, timeout=6.0)
    world.tool("shred", effect="write", idempotent=True, ceiling=0.1)
    return tuple(world.tools)


def draw_plan(random: Random, depth: int = 0) -> Plan:
    """A plan that checks, with any mixture of what plans can say; some of its steps are plans."""
    count = 2 + min(random.randrange(11), random.randrange(11))
    count = 1 + count // 3 if depth else count
    steps: list[Step] = []
    for number in range(count):
        name = f"{'sti'[depth]}{number}"
        nested = depth < DEPTH and happens(random, NESTED)
        steps.append(
            _sub_plan(random, name, steps, depth) if nested else _step(random, name, steps)
        )
    return Plan(
        name="story" if not depth else f"inner{depth}",
        inputs={"x": {"type": "integer"}} if depth else {},
        steps=tuple(steps),
        on_failure=random.choice(("undo", "undo", "stop", "continue")),
        on_cancel=random.choice((None, None, "undo", "keep")),
        concurrency=random.choice((1, 2, 3, 8)),
        budget=_budget(random, steps, depth),
        output={step.id: f"${{steps.{step.id}}}" for step in steps},
    )


def _budget(random: Random, steps: list[Step], depth: int) -> Budget | None:
    # In a run with a cap, what a sub-plan may spend must be known, and fit.
    if not depth and happens(random, 0.5):
        return None
    inner = [step.plan.budget for step in steps if isinstance(step.plan, Plan)]
    most = max((budget.usd or 0.0 for budget in inner if budget), default=0.0)
    most = max((most, *(step.ceiling.usd for step in steps if step.ceiling)))
    usd = round(max(1.1, most) + random.random() * len(steps), 2)
    capped = depth or happens(random, 0.2)
    called = max((budget.calls or 0 for budget in inner if budget), default=0)
    calls = called + len(steps) * 3 if capped else None
    seconds = 60.0 if happens(random, 0.3) else None
    return Budget(usd=usd, calls=calls, seconds=seconds)


def _needs(random: Random, before: list[Step]) -> list[str]:
    return [step.id for step in before if happens(random, 1.5 / len(before))]


def _sub_plan(random: Random, name: str, before: list[Step], depth: int) -> Step:
    needs = _needs(random, before)
    source = next((s for s in before if s.id in needs and s.tool and not s.for_each), None)
    x: Json = random.randrange(9)
    if source is not None and happens(random, 0.5):
        x = f"${{steps.{source.id}.n || `0`}}"
    return Step(
        id=name,
        plan=draw_plan(random, depth + 1),
        args={"x": x},
        for_each=[1, 2] if happens(random, 0.1) else None,
        needs=tuple(needs),
        undo="none" if happens(random, 0.1) else None,
        approval="required" if happens(random, 0.1) else None,
        touches=tuple(key for key in KEYS if happens(random, 0.15)),
        timeout=random.choice((None, None, 8.0)),
        ceiling=Cost(usd=1.5) if happens(random, 0.15) else None,
        on_failure=random.choice(("fail", "fail", "skip", "ignore")),
    )


def _step(random: Random, name: str, before: list[Step]) -> Step:
    needs = _needs(random, before)
    if happens(random, 0.08):
        return Step(id=name, ask=f"Shall {name} be?", choices=CHOICES, needs=tuple(needs))
    tool = random.choice(TOOLS)
    source = next(
        (s for s in reversed(before) if s.id in needs and s.tool and not s.for_each), None
    )
    each, args = _items(random, source), _args(random, source)
    cache = random.choice((True, 4.0)) if tool in READS and happens(random, 0.6) else False
    if cache:
        args = {"x": 0}  # seldom the first of its kind
    # Not drawn: it follows from what is, so that every seed tells the story it told before.
    literal = each is None and args == {"x": 7}
    if literal:
        args["note"] = f"${{steps.{name}}} of ${{secrets.NOBODY}}"
    return Step(
        id=name,
        tool=tool,
        literal=literal,
        args=args | ({"item": "${item}"} if each is not None else {}),
        for_each=each,
        needs=tuple(needs),
        when=f"${{steps.{source.id}.n > `1`}}" if source and happens(random, 0.15) else None,
        undo=_undo(random, tool),
        approval="required" if happens(random, 0.12) else None,
        touches=tuple(key for key in KEYS if happens(random, 0.15)),
        priority=random.choice((0, 0, 0, 1)),
        retry=Retry(attempts=random.choice((None, 1, 2, 4)), backoff=0.4),
        timeout=random.choice((None, 2.5, 8.0)) or 20.0,
        on_failure=random.choice(("fail", "fail", "fail", "skip", "ignore")),
        in_doubt=random.choice(("ask", "ask", "ask", "fail", "retry")),
        run_if_skipped=happens(random, 0.2),
        cache=cache,
    )


def _args(random: Random, source: Step | None) -> dict[str, Json]:
    args: dict[str, Json] = {"x": random.randrange(9)}
    if source is not None and happens(random, 0.7):
        args["n"] = f"${{steps.{source.id}.n || `0`}}"
    return args


def _items(random: Random, source: Step | None) -> Json:
    if happens(random, 0.85):
        return None
    if source is not None and happens(random, 0.5):
        return f"${{steps.{source.id}.list || `[]`}}"
    items: list[Json] = [1, 2, 3]
    return items[: random.randrange(1, 4)]


def _undo(random: Random, tool: str) -> Undo | None:
    if tool not in {"put", "book"} or happens(random, 0.75):
        return None
    return Undo(tool=f"un{tool}", args={"id": "${output.id}"})
