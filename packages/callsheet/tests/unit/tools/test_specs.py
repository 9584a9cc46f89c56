"""Tools from a schema, and tools told in the forms of providers."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.tools.ctx import FakeContext

from callsheet import Tool, tool, tools_from
from callsheet.errors import InvalidError, ToolDefinitionError
from callsheet.tools.builtin.catalog import builtin_tools
from callsheet.tools.registry import Registry
from callsheet.tools.specs.forms import FORMS, Form
from callsheet.tools.specs.wire import LONGEST, plan_name, wire_name

pytestmark = pytest.mark.requirement("E28")

ORDER: Any = {
    "type": "object",
    "properties": {"order_id": {"type": "string"}, "lines": {"type": "integer", "default": 3}},
    "required": ["order_id"],
}


async def dispatch(name: str, args: dict[str, Any]) -> object:
    return {"name": name, "args": args}


async def call(made: Tool[..., Any], args: dict[str, Any]) -> object:
    return await Registry([made]).call(made.spec.name, args, FakeContext())


async def test_a_tool_from_a_schema_is_given_its_name_and_its_arguments_with_defaults() -> None:
    made = tool(name="orders.find", description="Find it.", args=ORDER, returns={"type": "object"})
    found = made(dispatch)
    assert found.spec.description == "Find it."
    assert found.spec.output_schema == {"type": "object"}
    assert await call(found, {"order_id": "A"}) == {
        "name": "orders.find",
        "args": {"order_id": "A", "lines": 3},
    }


async def test_a_function_with_keywords_gets_the_arguments_as_such() -> None:
    async def anything(**given: object) -> object:
        return given

    made = tool(name="orders.find", args=ORDER)(anything)
    assert await call(made, {"order_id": "A"}) == {"order_id": "A", "lines": 3}


@pytest.mark.parametrize("args", [{}, {"order_id": 1}, {"order_id": "A", "x": 1}])
async def test_arguments_that_do_not_fit_the_schema_call_nothing(args: dict[str, Any]) -> None:
    with pytest.raises(InvalidError, match="Wrong arguments"):
        await call(tool(name="orders.find", args=ORDER)(dispatch), args)


def test_what_cannot_be_a_tool_is_said_all_at_once() -> None:
    def odd(order_id: str) -> None: ...

    with pytest.raises(ToolDefinitionError, match=r"args there is no type.*takes \(name, args\)"):
        tool(name="x", args={"type": "strng"})(odd)


@pytest.mark.parametrize("form", FORMS)
def test_every_built_in_tool_comes_back_from_every_form_as_it_was(form: Form) -> None:
    registry = Registry(builtin_tools(allow_shell=True))
    for made in tools_from(registry.specs(form=form), dispatch):
        spec = registry.spec(made.spec.name)
        assert spec is not None
        assert made.spec.input_schema == spec.input_schema
        assert made.spec.description == spec.description
        if form == "mcp":
            assert made.spec.effect == spec.effect
            assert made.spec.idempotent == spec.idempotent
    assert len(registry.specs(form=form)) == len(registry.names())


def test_names_on_the_wire_are_reversible_and_what_providers_take() -> None:
    names = ["a.b", "a_b", "a__b", "a_.b", "a._b", "x_x2e_y", "é.b", "A-B.c", "a" * 90]
    for name in names:
        written = wire_name(name)
        assert len(written) <= LONGEST
        assert written.isascii()
        assert written.replace("_", "").replace("-", "").isalnum()
        assert plan_name(written, names) == name
    assert len({wire_name(name) for name in names}) == len(names)


async def test_a_catalogue_is_read_in_any_form_and_dispatched_by_its_own_names() -> None:
    catalogue = {
        "tools": [
            {"name": "crm-lookup", "inputSchema": ORDER, "annotations": {"readOnlyHint": True}},
            {"type": "function", "function": {"name": "crm__add", "parameters": ORDER}},
            {"name": "crm.drop", "parameters": {"type": "OBJECT", "properties": {}}},
        ]
    }
    made = tools_from(catalogue, dispatch, each={"crm.add": {"effect": "write"}}, version="7")
    assert [each.spec.name for each in made] == ["crm-lookup", "crm.add", "crm.drop"]
    assert [each.spec.version for each in made] == ["7"] * 3
    assert made[1].spec.effect == "write"
    assert await call(made[1], {"order_id": "A", "lines": 1}) == {
        "name": "crm__add",
        "args": {"order_id": "A", "lines": 1},
    }


@pytest.mark.parametrize("specs", [[{"parameters": {}}], ["x"], [{"name": "a", "parameters": 5}]])
def test_what_describes_no_tool_is_refused(specs: object) -> None:
    with pytest.raises(ToolDefinitionError):
        tools_from(specs, dispatch)
