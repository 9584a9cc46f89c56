"""Tools from a schema: their arguments are declared, and a function is handed them as they are."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack, cast

from msgspec import structs

from callsheet.core.problem import spell
from callsheet.core.schema.validate import problem_of_schema, violations_of
from callsheet.errors import InvalidError, ToolDefinitionError
from callsheet.tools.function.declare import AnyTool, Problems, Terms, Tool, spec_of
from callsheet.tools.specs.forms import Described, read_all

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.core.value import Json
    from callsheet.tools.function.schema import Parameters

_GIVEN = ("name", "args")


def schema_tool(
    function: Callable[..., Any],
    name: str,
    terms: Terms,
    *,
    args: Mapping[str, Json] | None,
    returns: Mapping[str, Json] | None,
    written: str | None = None,
) -> AnyTool:
    """A tool of which a schema says what it takes.

    The function is given `name`, `args` and `ctx`, as far as it has parameters of these names; one
    with `**` gets the arguments as keywords. `written` is the name it is given, if another.

    Raises:
        ToolDefinitionError: it cannot be a tool; says everything at once.
    """
    problems = Problems()
    schema = problems.when("args", lambda: _schema(args or {})) or {}
    output = problems.when("returns", lambda: _returned(returns))
    taken = problems.when("", lambda: _parameters(function, schema, written or name))
    if terms.get("isolated"):
        problems.add("a tool from a schema cannot be isolated; make it async, or leave that out")
    spec = spec_of(name, terms, problems, taken=taken, output=output)
    if not spec.description and function.__doc__:
        spec = structs.replace(spec, description=function.__doc__.strip().partition("\n")[0])
    if problems.found or taken is None:
        raise problems.error(name)
    way = "loop" if inspect.iscoroutinefunction(function) else "thread"
    return Tool(spec=spec, function=function, parameters=taken, way=way, place=None)


def tools_from(
    specs: object,
    dispatch: Callable[..., Any],
    *,
    each: Mapping[str, Terms] | None = None,
    **terms: Unpack[Terms],
) -> list[AnyTool]:
    """The tools of a catalogue, as OpenAI, Anthropic, Gemini or MCP describe them.

    Args:
        specs: the descriptions: a list, or what a server answers (`{"tools": [...]}`).
        dispatch: called for each call: given `name` (as the description has it), `args` and `ctx`,
            as far as it has parameters of these names; one with `**` gets the arguments as keywords.
        each: terms of single tools, by name; MCP's hints say some of them already.
        terms: terms of all of them, as in `@tool`.

    Raises:
        ToolDefinitionError: something is no description, or cannot be a tool.
    """
    return [_tool(found, dispatch, each or {}, terms) for found in read_all(specs)]


def _tool(
    found: Described, dispatch: Callable[..., Any], each: Mapping[str, Terms], terms: Terms
) -> AnyTool:
    own = each.get(found.name, each.get(found.written, {}))
    said = cast("Terms", {**_hinted(found), **terms, **own})
    said.setdefault("description", found.description or None)
    return schema_tool(
        dispatch, found.name, said, args=found.args, returns=found.returns, written=found.written
    )


def _hinted(found: Described) -> dict[str, object]:
    hints = found.hints
    if hints.get("read"):
        return {"effect": "read"}
    if "read" not in hints:
        return {}
    terms = {name: True for name in ("idempotent", "destructive") if hints.get(name)}
    return {"effect": "write", **terms}


def _schema(said: Mapping[str, Json]) -> dict[str, Json]:
    schema: dict[str, Json] = dict(said)
    problem = problem_of_schema(schema)
    if problem is not None:
        raise ValueError(problem)
    if schema.setdefault("type", "object") != "object":
        raise ValueError("must be the schema of a mapping")
    schema.setdefault("properties", {})
    # What is not declared cannot be checked, and is a slip of the pen far more often than not.
    schema.setdefault("additionalProperties", False)
    return schema


def _returned(said: Mapping[str, Json] | None) -> dict[str, Json] | None:
    if said is None:
        return None
    problem = problem_of_schema(dict(said))
    if problem is not None:
        raise ValueError(problem)
    return dict(said)


def _parameters(function: Callable[..., Any], schema: dict[str, Json], written: str) -> Parameters:
    # Imported here: it imports pydantic, which whoever declares no tool does not need.
    from callsheet.tools.function.schema import Parameters

    if not callable(function):
        raise ToolDefinitionError(f"{function!r} cannot be called.")
    signature = inspect.signature(function).parameters
    spread = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in signature.values())
    wanted = [name for name in _GIVEN if name in signature]
    strange = [
        name
        for name, each in signature.items()
        if name not in (*_GIVEN, "ctx")
        and each.default is inspect.Parameter.empty
        and each.kind not in (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    ]
    if strange or not (spread or "args" in wanted):
        raise ValueError("takes (name, args), (args) or (**args), each also with ctx")
    properties = cast("dict[str, dict[str, Json]]", schema["properties"])
    defaults = {
        name: each["default"]
        for name, each in properties.items()
        if isinstance(each, dict) and "default" in each
    }

    def validate(given: object) -> dict[str, Any]:
        found = violations_of(schema, cast("Json", given))
        if found:
            # Without the values, which may be secret.
            told = [f"{spell(('args', *each.place))} ({each.keyword})" for each in found]
            raise InvalidError(f"Wrong arguments: {'; '.join(told)}.")
        args = {**defaults, **cast("dict[str, Any]", given)}
        said: dict[str, Any] = {"name": written, "args": args}
        kept = {name: said[name] for name in wanted}
        return {**args, **kept} if spread and "args" not in wanted else kept

    return Parameters(
        schema=schema,
        names=tuple(properties),
        context="ctx" if "ctx" in signature else None,
        validate=validate,
    )
