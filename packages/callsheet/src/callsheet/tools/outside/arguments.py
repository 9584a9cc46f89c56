"""The arguments of a tool that is declared, not written: what its blanks name, as a schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from callsheet.core.plan.artifact import MARK
from callsheet.core.problem import spell
from callsheet.core.schema.shape import KINDS
from callsheet.core.schema.validate import problem_of_schema, violations_of
from callsheet.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.core.value import Json
    from callsheet.tools.function.schema import Parameters
    from callsheet.tools.outside.blanks import Blank

CONTEXT = "ctx"
SCALAR: dict[str, Json] = {"type": ["string", "number", "boolean"]}
"""What an argument is of which nothing is said."""
ARTIFACT: dict[str, Json] = {
    "type": "object",
    "required": [MARK],
    "description": "An artifact: bytes by their digest.",
}


def declared_arguments(declared: object, blanks: Iterable[Blank]) -> dict[str, dict[str, Json]]:
    """The schema of every argument: those that are declared, then those that blanks name.

    Raises:
        ValueError: the declaration is not a mapping of names to schemas.
    """
    if declared is None:
        declared = {}
    if not isinstance(declared, Mapping):
        msg = f"must be a mapping of names to JSON Schemas (or types), not {declared!r}"
        raise ValueError(msg)  # noqa: TRY004 -- as everywhere in declarations
    schemas = {str(name): _schema(str(name), schema) for name, schema in declared.items()}
    for blank in blanks:
        if blank.root == "args":
            inner: dict[str, Json] = {"type": "object"} if len(blank.path) > 1 else SCALAR
            schemas.setdefault(blank.path[0], inner)
    if CONTEXT in schemas:
        raise ValueError(f"cannot be called {CONTEXT!r}")
    return schemas


def _schema(name: str, schema: object) -> dict[str, Json]:
    if isinstance(schema, str) and schema in KINDS:
        return {"type": schema}
    if schema == "artifact":
        return dict(ARTIFACT)
    if isinstance(schema, str):
        msg = f"{name}: there is no type {schema!r}; there are {', '.join(KINDS)} and artifact"
        raise ValueError(msg)  # noqa: TRY004 -- as everywhere in declarations
    problem = problem_of_schema(cast("Json", schema))
    if problem is not None or not isinstance(schema, dict):
        raise ValueError(f"{name}: {problem or 'it must be a mapping'}")
    return schema


def parameters_for(schemas: Mapping[str, dict[str, Json]]) -> Parameters:
    """What a tool with these arguments takes. One with a default may be left out."""
    # Imported here: it imports pydantic, which whoever declares no tool does not need.
    from callsheet.tools.function.schema import Parameters

    defaults = {name: each["default"] for name, each in schemas.items() if "default" in each}
    schema: dict[str, Json] = {
        "type": "object",
        "properties": dict(schemas),
        "required": [name for name in schemas if name not in defaults],
        "additionalProperties": False,
    }

    def validate(args: object) -> dict[str, Any]:
        found = violations_of(schema, cast("Json", args))
        if found:
            # Without the values, which may be secret.
            told = [f"{spell(('args', *each.place))}: {_why(each.keyword)}" for each in found]
            raise InvalidError(f"Wrong arguments: {'; '.join(told)}.")
        return {**defaults, **cast("dict[str, Any]", args)}

    return Parameters(schema=schema, names=tuple(schemas), context=CONTEXT, validate=validate)


def _why(keyword: str) -> str:
    words = {
        "required": "it is missing",
        "additionalProperties": "there is no such argument",
        "type": "it has the wrong type",
    }
    return words.get(keyword, f"it does not fit ({keyword})")
