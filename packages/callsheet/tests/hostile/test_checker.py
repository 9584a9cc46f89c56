"""Whatever a plan says, whoever hands it in gets an answer, and soon."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.command import call, write_plan

from callsheet import Engine
from callsheet.core import value
from callsheet.core.answer import answerable
from callsheet.core.check.check import _Tools as Tools
from callsheet.core.check.check import check_document
from callsheet.core.check.fix import fix_document
from callsheet.core.schema.count import problem_of_size
from callsheet.errors import PlanError
from callsheet.runtime.checker import at_the_door
from callsheet.tools.builtin.catalog import builtin_tools

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("S10")

OVER_TEXT: dict[str, Any] = {
    "callsheet": 1,
    "inputs": {"shots": {"type": "string"}},
    "steps": [
        {
            "id": "a",
            "tool": "value",
            "for_each": "${inputs.shots}",
            "args": {"value": "${item}"},
        }
    ],
}


def test_a_for_each_over_text_is_a_problem_with_its_place(tmp_path: Path) -> None:
    plan = write_plan(tmp_path / "plan.json", OVER_TEXT)
    for verb in ("check", "run"):
        done = call(verb, plan, "--home", tmp_path / "home", "--json")
        assert done.code == 2
        assert "steps[0].for_each" in done.out


async def test_nor_does_the_engine_hang() -> None:
    async with Engine.in_memory() as engine, asyncio.timeout(60):
        with pytest.raises(PlanError, match="for_each"):
            await engine.start(OVER_TEXT, {"shots": "x"})


class OddError(Exception):
    """Something that nobody has foreseen."""


RAISED = [
    StopIteration("x"),
    StopAsyncIteration(),
    RecursionError(),
    MemoryError(),
    KeyError("x"),
    AssertionError(),
    OverflowError(),
    UnicodeDecodeError("utf-8", b"", 0, 1, ""),
    OddError("x"),
]


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
async def test_whatever_is_raised_at_the_door_is_an_answer(error: Exception) -> None:
    def check() -> None:
        with at_the_door("checked"):
            raise error

    async with asyncio.timeout(60):
        with pytest.raises(PlanError, match="The plan cannot be checked"):
            await asyncio.to_thread(check)


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
async def test_a_future_is_answered_with_any_of_them(error: Exception) -> None:
    waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    waiter.set_exception(answerable(error))
    with pytest.raises((type(error), RuntimeError)):
        await waiter


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
async def test_a_tool_that_raises_any_of_them_has_failed(error: Exception) -> None:
    from callsheet import Plan, Step, tool

    @tool
    async def odd() -> None:
        raise error

    @tool
    def odd_too() -> None:
        raise error

    async with Engine.in_memory(tools=[odd, odd_too]) as engine, asyncio.timeout(60):
        for name in ("odd", "odd_too"):
            run = await engine.start(Plan(steps=(Step(id="a", tool=name),)))
            assert (await run.wait()).state in ("failed", "undone")


def levels(count: int, step: Any) -> dict[str, Any]:
    """A schema of so many levels, each made of the one below it."""
    defs = {f"d{n}": step({"$ref": f"#/$defs/d{n + 1}"}) for n in range(count)}
    return {"$defs": {**defs, f"d{count}": {"type": "string"}}, "$ref": "#/$defs/d0"}


def itself(schema: dict[str, Any]) -> dict[str, Any]:
    return {"$defs": {"n": schema}, "$ref": "#/$defs/n"}


N = {"$ref": "#/$defs/n"}
HOSTILE = {
    "thirty levels of two": levels(30, lambda below: {"anyOf": [below, below]}),
    "twenty levels, one of a property": levels(
        20, lambda below: {"properties": {"a": {"anyOf": [below, below]}}}
    ),
    "twenty levels of allOf and items": levels(
        20, lambda below: {"allOf": [{"items": below}, {"items": below}]}
    ),
    "itself, without end": itself({"anyOf": [N, N]}),
    "itself, at once": itself(N),
    "the root, at once": {"allOf": [{"$ref": "#"}]},
    "itself twice in a property": itself({"properties": {"a": {"anyOf": [N, N]}}}),
    "itself in two properties of one name": itself(
        {"allOf": [{"properties": {"a": N}}, {"properties": {"a": N}}]}
    ),
    "itself by name and by pattern": itself({"properties": {"a": N}, "patternProperties": {"": N}}),
    "itself in two ways around": {
        "$defs": {
            "n": {"properties": {"a": {"anyOf": [{"$ref": "#/$defs/m"}, {"$ref": "#/$defs/k"}]}}},
            "m": {"properties": {"a": N}},
            "k": {"properties": {"a": N}},
        },
        "$ref": "#/$defs/n",
    },
    "by an anchor": {
        "$defs": {"n": {"$anchor": "x", "anyOf": [{"$ref": "#x"}, {"$ref": "#x"}]}},
        "$ref": "#x",
    },
    "forty levels deep": levels(40, lambda below: {"properties": {"a": below}}),
    "many": {"anyOf": [{"const": n} for n in range(20_000)]},
}
HONEST = {
    "a tree": itself({"properties": {"left": N, "right": N}}),
    "a list of lists": itself({"type": ["array", "string"], "items": N}),
    "JSON": itself(
        {
            "anyOf": [
                {"type": "string"},
                {"type": "array", "items": N},
                {"type": "object", "additionalProperties": N},
            ]
        }
    ),
    "a record": {
        "type": "object",
        "properties": {f"p{n}": {"type": "string", "enum": ["a", "b"]} for n in range(500)},
    },
    "ten levels": levels(10, lambda below: {"properties": {"a": below}, "required": ["a"]}),
    "data that looks like a schema": {"const": {"anyOf": [{}] * 20_000}},
}


@pytest.mark.parametrize("schema", HOSTILE.values(), ids=HOSTILE.keys())
async def test_a_schema_that_would_never_be_tried_to_the_end_is_a_problem(
    schema: dict[str, Any],
) -> None:
    assert problem_of_size(schema)
    plan = {
        "callsheet": 1,
        "inputs": {"a": schema},
        "steps": [{"id": "s", "tool": "value", "args": {"value": "${inputs.a}"}}],
    }
    async with Engine.in_memory() as engine:
        with pytest.raises(PlanError, match=r"inputs\.a: .*Write a simpler one"):
            await engine.start(plan, {"a": "x"})


@pytest.mark.parametrize("schema", HONEST.values(), ids=HONEST.keys())
def test_a_schema_that_people_write_is_none(schema: dict[str, Any]) -> None:
    assert problem_of_size(schema) is None


SECONDS = 5.0
"""Of CPU, for a quarter of a megabyte; what was quadratic took minutes."""
MANY = 5_000
STEP = "  - {{id: a{0}, tool: wait, args: {{seconds: 1}}{1}}}\n"


def plan_of(more: str, steps: int = MANY) -> str:
    lines = "".join(STEP.format(n, more.replace("@", str(n))) for n in range(steps))
    return f"callsheet: 1\nsteps:\n{lines}"


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    [
        plan_of(", bogus@: 1"),
        plan_of(", tool: nope@").replace("tool: wait, ", ""),
        plan_of(", needs: [q@x]"),
        plan_of(", on_failure: ignor@"),
        plan_of(", next: [a4999]"),
        plan_of(", next: [a@]"),
        plan_of(", plan: {steps: [{id: x, tool: nope@}]}", 2_000).replace("tool: wait, ", ""),
        "nodes:\n"
        + "".join(f"  - {{id: n{n}, type: wait}}\n" for n in range(3_000))
        + "edges:\n"
        + "".join(f"  - {{from: n{n}, to: n2999}}\n" for n in range(2_999)),
    ],
    ids=["fields", "tools", "needs", "words", "star", "next", "inside", "edges"],
)
def test_a_plan_in_which_every_line_is_wrong_is_answered_soon(text: str) -> None:
    """Mended and told, not only refused: that took half a minute before."""
    specs = {tool.spec.name: tool.spec for tool in builtin_tools()}
    tools = Tools(specs.get, lambda: list(specs))
    for way in (check_document, fix_document):
        begun = time.process_time()
        way(text, tools)
        assert time.process_time() - begun < SECONDS


def test_what_is_told_of_many_edges_grows_with_the_plan_and_not_with_its_square() -> None:
    edges = "".join(f"  - {{from: n{n}, to: n399}}\n" for n in range(399))
    nodes = "".join(f"  - {{id: n{n}, type: wait}}\n" for n in range(400))
    specs = {tool.spec.name: tool.spec for tool in builtin_tools()}
    text = f"nodes:\n{nodes}edges:\n{edges}"
    fixed = fix_document(text, Tools(specs.get, lambda: list(specs)))
    told = value.encode([problem.to_json() for problem in fixed.done])
    assert len(told) < 20 * len(text)
    document: Any = fixed.document
    assert document["steps"][399]["needs"][398:] == ["n398"]


def test_hundreds_of_wrong_names_are_helped_with() -> None:
    from callsheet.core.problem import MAX_COMPARED, Report

    report = Report()
    inside = report.within()
    assert all(report.may_guess(25) for _ in range(500))
    assert MAX_COMPARED >= 25 * 500
    while inside.may_guess(2_000):
        pass
    assert not report.may_guess(1)
