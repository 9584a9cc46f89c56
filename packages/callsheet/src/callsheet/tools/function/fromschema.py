"""What a function takes of which a JSON Schema says so, and not its signature."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, cast

from callsheet.core.problem import spell
from callsheet.core.schema.validate import problem_of_schema, violations_of
from callsheet.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from callsheet.core.value import Json
    from callsheet.tools.function.schema import Parameters

_GIVEN = ("name", "args")


def arguments(said: Mapping[str, Json]) -> dict[str, Json]:
    """The schema of a tool's arguments, complete.

    Raises:
        ValueError: it is not one.
    """
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


def returned(said: Mapping[str, Json] | None) -> dict[str, Json] | None:
    """The schema of what a tool returns.

    Raises:
        ValueError: it is not one.
    """
    if said is None:
        return None
    problem = problem_of_schema(dict(said))
    if problem is not None:
        raise ValueError(problem)
    return dict(said)


def parameters_by(
    function: Callable[..., Any], schema: dict[str, Json], written: str
) -> Parameters:
    """What a tool with such arguments takes, and how its function is called with them.

    Raises:
        ValueError: the function takes something else.
    """
    # Imported here: it imports pydantic, which whoever declares no tool does not need.
    from callsheet.tools.function.schema import Parameters

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
    defaults = {name: each["default"] for name, each in properties.items() if "default" in each}

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
