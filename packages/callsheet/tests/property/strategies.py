"""Plans at random, and histories that the engine itself could have written.

Everything is drawn from Hypothesis, and the first choice is always the plain one: a failure shrinks
to few steps, few traits and a world in which nearly everything goes well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st
from msgspec import structs
from tests.property.choice import Choice
from tests.property.world import History, World

from callsheet.core.plan.plan import (
    Budget,
    Cost,
    Plan,
    Retry,
    Step,
    Undo,
)
from callsheet.core.plan.toolspec import ToolSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from callsheet.core.value import Json

NAMES = tuple("abcdefghijkl")
KEYS = ("x", "y", "z")

TOOLS: dict[str, ToolSpec] = {
    spec.name: spec
    for spec in (
        ToolSpec(name="look"),
        ToolSpec(name="put", effect="write", idempotent=True, undo="unput"),
        ToolSpec(name="make", effect="write", undo="unmake"),
        ToolSpec(name="shout", effect="write"),
        ToolSpec(name="ask_oracle", ceiling=Cost(usd=0.3, tokens=7)),
        ToolSpec(name="buy", effect="write", undo="refund", ceiling=Cost(usd=0.7, credits=2)),
        ToolSpec(
            name="rent", effect="write", idempotent=True, undo="refund", ceiling=Cost(usd=0.3)
        ),
        ToolSpec(name="unput", effect="write", idempotent=True),
        ToolSpec(name="unmake", effect="write", idempotent=True),
        ToolSpec(name="refund", effect="write", idempotent=True, ceiling=Cost(usd=0.1)),
    )
}
CALLED = ("look", "put", "make", "buy", "rent", "shout", "ask_oracle")
WRITES = frozenset(name for name in CALLED if TOOLS[name].effect == "write")

TRAITS: dict[str, Callable[[Choice], dict[str, object]]] = {
    "for_each": lambda choose: {"for_each": list(range(choose.of((2, 0, 1, 3))))},
    "touches": lambda choose: {"touches": (choose.of(KEYS), *choose.some_of(("w",), 1))},
    "touches_late": lambda _: {"touches": ("${inputs.key}",)},
    "priority": lambda choose: {"priority": choose.of((1, 2, -1))},
    "when": lambda _: {"when": "${inputs.go}"},
    "approval": lambda _: {"approval": "required"},
    "on_failure": lambda choose: {"on_failure": choose.of(("ignore", "skip"))},
    "run_if_skipped": lambda _: {"run_if_skipped": True},
    "retry": lambda choose: {
        "retry": Retry(attempts=choose.of((3, 2, 1)), backoff=choose.of((0.0, 0.5)))
    },
    "cache": lambda _: {"cache": True},
    "in_doubt": lambda choose: {"in_doubt": choose.of(("retry", "fail"))},
    "ceiling": lambda choose: {"ceiling": Cost(usd=choose.of((0.3, 1.1, 0.3333333333)))},
    "undo": lambda choose: {
        "undo": choose.of(
            (
                Undo(tool="unmake", args={"id": "${output.id}"}),
                Undo(tool="refund", args={"key": "${key}"}),
                "none",
            )
        )
    },
}
ASK_TRAITS = ("for_each", "when", "run_if_skipped", "on_failure")


CHILD = Plan(
    steps=(Step(id="x", tool="put"), Step(id="y", tool="look")),
    budget=Budget(usd=0.6, credits=1.0, calls=2),
)
CHILD_TRAITS = (
    "for_each",
    "touches",
    "touches_late",
    "priority",
    "when",
    "approval",
    "on_failure",
    "run_if_skipped",
    "ceiling",
)


def a_step(choose: Choice, name: str, earlier: Sequence[str]) -> Step:
    fields: dict[str, object] = {"id": name}
    if choose.rarely(8):
        fields |= {"plan": CHILD, "undo": choose.of((None, "none"))}
        traits = choose.some_of(CHILD_TRAITS, 3)
    elif choose.rarely(10):
        fields |= {"ask": "Well?", "choices": ("yes", "no"), "timeout": choose.of((None, 60.0))}
        traits = choose.some_of(ASK_TRAITS, 2)
    else:
        fields["tool"] = choose.of(CALLED)
        traits = choose.some_of(tuple(TRAITS), 4)
    for trait in traits:
        fields |= TRAITS[trait](choose)
    fields["needs"] = tuple(choose.some_of(earlier, 2))
    if fields.get("tool") not in WRITES and "plan" not in fields:
        fields.pop("undo", None)
    if fields.get("tool") in WRITES:
        fields.pop("cache", None)
    # The fields are put together one by one, which no type can follow.
    return Step(**fields)  # type: ignore[arg-type]


ORDERS: tuple[Callable[[list[Step]], list[Step]], ...] = (
    lambda steps: steps,
    lambda steps: steps[::-1],
    lambda steps: [*steps[::2], *steps[1::2]],
)


def a_budget(choose: Choice) -> Budget:
    return Budget(
        usd=choose.of((None, 0.4, 1.0, 2.5)),
        credits=choose.of((None, 3.0)),
        tokens=choose.of((None, 10)),
        calls=choose.of((None, 1, 3, 8)),
        seconds=choose.of((None, 100.0)),
    )


def a_plan(choose: Choice, *, capped: bool) -> Plan:
    count = choose.below(len(NAMES)) + 1
    steps = [a_step(choose, NAMES[n], NAMES[max(n - 4, 0) : n]) for n in range(count)]
    inputs: dict[str, Json] = {"go": {"type": "boolean"}, "key": {"type": "string"}}
    return Plan(
        steps=tuple(choose.of(ORDERS)(steps)),
        inputs=inputs,
        budget=a_budget(choose) if capped or choose.rarely(3) else None,
        on_failure=choose.of(("undo", "continue", "stop", "undo")),
        on_cancel=choose.of((None, "undo", "keep")),
        concurrency=choose.below(4) + 1,
    )


def with_verbs(choose: Choice, plan: Plan) -> Plan:
    """The plan with steps that look at outcomes, and some that have their time as a whole."""
    earlier: list[str] = []
    made: dict[str, Step] = {}
    for step in sorted(plan.steps, key=lambda step: step.id):
        seen = choose.some_of(earlier[-4:], 2)
        more: dict[str, object] = {}
        if step.ask is None and choose.rarely(2):
            more["within"] = choose.of((100.0, 5.0, 1.0))
        if step.ask is None and seen:
            more["args"] = {name: f"${{outcomes.{name}}}" for name in seen}
        made[step.id] = structs.replace(step, **more)
        earlier.append(step.id)
    steps = tuple(made[step.id] for step in plan.steps)
    return structs.replace(plan, steps=steps, on_failure=choose.of(("continue", plan.on_failure)))


def an_open_world(choose: Choice, plan: Plan, *, verbs: bool) -> World:
    """An open run that has some steps from the beginning, and is given the others later."""
    steps = sorted(plan.steps, key=lambda step: step.id)
    count = choose.below(len(steps) + 1)
    begun = structs.replace(plan, steps=tuple(steps[:count]))
    return World(choose, begun, TOOLS, later=steps[count:], verbs=verbs)


@st.composite
def histories(draw: st.DrawFn, *, capped: bool = False, verbs: bool = False) -> History:
    """A run from its start to its end, perhaps with a second life: an undo after the end."""
    choose = Choice(draw)
    plan = a_plan(choose, capped=capped)
    if verbs:
        plan = with_verbs(choose, plan)
    if choose.rarely(3):
        world = an_open_world(choose, plan, verbs=verbs)
    else:
        world = World(choose, plan, TOOLS, verbs=verbs)
    if choose.rarely(4):
        world.copy_some()
    world.live(choose.below(41))
    world.settle()
    if world.snapshot.ended and choose.rarely(3):
        world.live_on(choose.below(15) + 1)
        world.settle()
    return world.history()
