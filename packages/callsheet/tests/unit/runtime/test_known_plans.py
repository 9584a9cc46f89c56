"""A plan that was seen before is neither read nor checked again; one that differs is."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from callsheet.core.plan.toolspec import ToolSpec
from callsheet.errors import PlanError
from callsheet.runtime import checker
from callsheet.runtime.checker import MAX_CHECKED, Acceptance, Checker, name_of
from callsheet.runtime.secrets import EnvironmentSecrets
from callsheet.stores.memory.store import MemoryStore
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("E1", "E2")


class Changing(Registry):
    """Tools that may be declared anew."""

    def __init__(self) -> None:
        super().__init__()
        self.declared = {"t": ToolSpec(name="t")}

    @override
    def spec(self, name: str) -> ToolSpec | None:
        return self.declared.get(name)


def an_acceptance(tools: Registry | None = None) -> Acceptance:
    return Acceptance(Checker(tools or Changing()), MemoryStore().plans, EnvironmentSecrets())


def a_mapping(**args: Any) -> dict[str, Any]:
    return {"callsheet": 1, "steps": [{"id": "a", "tool": "t", "args": args}]}


async def test_a_mapping_that_was_seen_is_the_same_plan_and_a_changed_one_is_not() -> None:
    acceptance, mapping = an_acceptance(), a_mapping(x=1)
    first = await acceptance.accept(mapping)
    assert await acceptance.accept(a_mapping(x=1)) is first
    mapping["steps"][0]["args"]["x"] = 2
    assert (await acceptance.accept(mapping)).plan.steps[0].args == {"x": 2}
    mapping["steps"][0]["tol"] = "t"
    with pytest.raises(PlanError, match="tol"):
        await acceptance.accept(mapping)


async def test_a_file_that_was_seen_is_the_same_plan_until_it_says_something_else(
    tmp_path: Path,
) -> None:
    acceptance, file = an_acceptance(), tmp_path / "trip.json"
    file.write_text(json.dumps(a_mapping(x=1)), "utf-8")
    first = await acceptance.accept(file)
    assert await acceptance.accept(str(file)) is first
    file.write_text(json.dumps(a_mapping(x=2)), "utf-8")
    assert (await acceptance.accept(file)).plan.steps[0].args == {"x": 2}
    other = file.rename(tmp_path / "tour.json")
    assert (await acceptance.accept(other)).plan.name == "tour"


async def test_a_plan_is_checked_again_when_its_tools_are_declared_anew() -> None:
    tools = Changing()
    acceptance = an_acceptance(tools)
    first = await acceptance.accept(a_mapping(x=1))
    tools.declared["t"] = ToolSpec(name="t", version="2")
    second = await acceptance.accept(a_mapping(x=1))
    assert (first.tools["t"].version, second.tools["t"].version) == ("1", "2")
    del tools.declared["t"]
    with pytest.raises(PlanError, match="'t'"):
        await acceptance.accept(a_mapping(x=1))


@pytest.mark.parametrize(
    "odd",
    [math.nan, {1, 2}, b"x", "\ud800", {1: 2}, object()],
    ids=["nan", "set", "bytes", "half a pair", "number as key", "object"],
)
def test_what_only_looks_like_another_plan_as_json_is_not_taken_for_it(odd: object) -> None:
    assert name_of(a_mapping(x=odd)) is None


async def test_a_tuple_is_a_list_as_in_what_a_plan_says_of_itself() -> None:
    acceptance = an_acceptance()
    first = await acceptance.accept(a_mapping(x=[1, 2]))
    assert await acceptance.accept(a_mapping(x=(1, 2))) is first
    said = dict(first.plan.to_json())
    assert await acceptance.accept(said) is await acceptance.accept(said)
    assert (await acceptance.accept(said)).plan == first.plan


def test_one_and_true_and_a_float_are_different_plans() -> None:
    names = {name_of(a_mapping(x=each)) for each in (1, True, 1.0, "1")}
    assert len(names) == 4


def test_a_mapping_that_repeats_itself_without_end_is_not_looked_at_for_ever() -> None:
    bomb: list[Any] = ["x"]
    for _ in range(60):
        bomb = [bomb, bomb]
    assert name_of(a_mapping(x=bomb)) is None
    endless = a_mapping()
    endless["self"] = endless
    assert name_of(endless) is None


async def test_only_so_many_plans_are_remembered() -> None:
    acceptance = an_acceptance()
    for number in range(3 * MAX_CHECKED):
        await acceptance.accept(a_mapping(x=number))
    assert len(acceptance._accepted) <= checker.MAX_CHECKED  # noqa: SLF001 -- what it is about
