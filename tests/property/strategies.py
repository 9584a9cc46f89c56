"""Plans at random, and histories that the engine itself could have written.

Everything is drawn from Hypothesis, and the first choice is always the plain one: a failure shrinks
to few steps, few traits and a world in which nearly everything goes well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from hypothesis import strategies as st
from tests.property.world import History, World

from callsheet.core.plan import Budget, Cost, Plan, Retry, Step, Undo
from callsheet.core.toolspec import ToolSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from callsheet.core.value import Json

T = TypeVar("T")

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


def one_of(options: Sequence[T]) -> st.SearchStrategy[T]:
    return st.sampled_from(options)


TRAITS: dict[str, st.SearchStrategy[dict[str, object]]] = {
    "for_each": st.integers(0, 3).map(lambda n: {"for_each": list(range(n))}),
    "touches": st.lists(one_of(KEYS), min_size=1, max_size=2, unique=True).map(
        lambda keys: {"touches": tuple(keys)}
    ),
    "touches_late": st.just({"touches": ("${inputs.key}",)}),
    "priority": st.integers(-1, 2).map(lambda n: {"priority": n}),
    "when": st.just({"when": "${inputs.go}"}),
    "approval": st.just({"approval": "required"}),
    "skip": st.just({"on_failure": "skip"}),
    "ignore": st.just({"on_failure": "ignore"}),
    "run_if_skipped": st.just({"run_if_skipped": True}),
    "retry": st.tuples(st.integers(1, 3), one_of((0.0, 0.5))).map(
        lambda pair: {"retry": Retry(attempts=pair[0], backoff=pair[1])}
    ),
    "doubt_retry": st.just({"in_doubt": "retry"}),
    "doubt_fail": st.just({"in_doubt": "fail"}),
    "ceiling": one_of((0.3, 1.1, 0.3333333333)).map(lambda usd: {"ceiling": Cost(usd=usd)}),
    "undo_with_output": st.just({"undo": Undo(tool="unmake", args={"id": "${output.id}"})}),
    "undo_own": st.just({"undo": Undo(tool="refund", args={"key": "${key}"})}),
    "undo_none": st.just({"undo": "none"}),
}
ASK_TRAITS = ("for_each", "when", "run_if_skipped", "skip", "ignore")
_ask_traits = st.lists(one_of(ASK_TRAITS), max_size=2, unique=True)
_traits = st.lists(one_of(tuple(TRAITS)), max_size=4, unique=True)
_timeout = one_of((None, 60.0))
_tool = one_of(CALLED)
_kind = st.integers(0, 9)


@st.composite
def steps(draw: st.DrawFn, name: str, earlier: Sequence[str]) -> Step:
    fields: dict[str, object] = {"id": name}
    if draw(_kind) == 9:
        fields |= {"ask": "Well?", "choices": ("yes", "no"), "timeout": draw(_timeout)}
        chosen = draw(_ask_traits)
    else:
        fields["tool"] = draw(_tool)
        chosen = draw(_traits)
    for trait in chosen:
        fields |= draw(TRAITS[trait])
    if earlier:
        fields["needs"] = tuple(draw(st.lists(one_of(earlier), max_size=2, unique=True)))
    if fields.get("tool") not in WRITES:
        fields.pop("undo", None)
    # The fields are put together one by one, which no type can follow.
    return Step(**fields)  # type: ignore[arg-type]


ORDERS: tuple[Callable[[list[Step]], list[Step]], ...] = (
    lambda steps: steps,
    lambda steps: steps[::-1],
    lambda steps: [*steps[::2], *steps[1::2]],
)

budgets = st.builds(
    Budget,
    usd=one_of((None, 0.4, 1.0, 2.5)),
    credits=one_of((None, 3.0)),
    tokens=one_of((None, 10)),
    calls=one_of((None, 1, 3, 8)),
    seconds=one_of((None, 100.0)),
)


@st.composite
def plans(draw: st.DrawFn, max_steps: int = len(NAMES)) -> Plan:
    count = draw(st.integers(1, max_steps))
    made = [draw(steps(NAMES[n], NAMES[max(n - 4, 0) : n])) for n in range(count)]
    inputs: dict[str, Json] = {"go": {"type": "boolean"}, "key": {"type": "string"}}
    return Plan(
        steps=tuple(draw(one_of(ORDERS))(made)),
        inputs=inputs,
        budget=draw(one_of((None, None, draw(budgets)))),
        on_failure=draw(one_of(("undo", "undo", "continue", "stop"))),
        on_cancel=draw(one_of((None, "undo", "keep"))),
        concurrency=draw(st.integers(1, 4)),
    )


@st.composite
def histories(draw: st.DrawFn, plan: st.SearchStrategy[Plan] | None = None) -> History:
    """A run from its start to its end, perhaps with a second life: an undo after the end."""
    world = World(draw, draw(plans() if plan is None else plan), TOOLS)
    world.live(draw(st.integers(0, 40)))
    world.settle()
    if world.snapshot.ended and draw(st.integers(0, 2)) == 2:
        world.live_on(draw(st.integers(1, 15)))
        world.settle()
    return world.history()
