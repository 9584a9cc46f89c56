"""The forms in which providers and protocols tell of tools, to and fro."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from callsheet.errors import ToolDefinitionError
from callsheet.tools.specs.wire import plan_name, wire_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.value import Json

Form: TypeAlias = Literal["openai", "anthropic", "gemini", "mcp"]
FORMS: tuple[Form, ...] = ("openai", "anthropic", "gemini", "mcp")

_KINDS = frozenset(("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"))


class Described(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as a description tells of it."""

    name: str
    """As plans name it."""
    written: str
    """As it stands in the description, and as whoever carries it out knows it."""
    description: str
    args: dict[str, Json]
    returns: dict[str, Json] | None = None
    hints: dict[str, bool] = {}
    """Of MCP: `effect`, `idempotent` and `destructive`, as terms."""


def told(spec: ToolSpec, form: Form) -> dict[str, Json]:
    """A tool's declaration in a form."""
    schema: dict[str, Json] = spec.input_schema or {"type": "object", "properties": {}}
    name, text = wire_name(spec.name), spec.description
    match form:
        case "openai":
            function: dict[str, Json] = {"name": name, "description": text, "parameters": schema}
            return {"type": "function", "function": function}
        case "anthropic":
            return {"name": name, "description": text, "input_schema": schema}
        case "gemini":
            return {"name": name, "description": text, "parametersJsonSchema": schema}
        case "mcp":
            return _told_by_mcp(spec, schema)
        case _:
            known = ", ".join(FORMS)
            raise ToolDefinitionError(f"There is no form {form!r}. There are {known}.")


def _told_by_mcp(spec: ToolSpec, schema: dict[str, Json]) -> dict[str, Json]:
    is_read = spec.effect == "read"
    hints: dict[str, Json] = {"readOnlyHint": is_read}
    if not is_read:
        hints |= {"idempotentHint": spec.idempotent, "destructiveHint": spec.destructive}
    made: dict[str, Json] = {
        "name": spec.name,
        "description": spec.description,
        "inputSchema": schema,
        "annotations": hints,
    }
    output = spec.output_schema
    # The protocol has no others.
    return {**made, "outputSchema": output} if output and output.get("type") == "object" else made


def read_all(specs: object) -> Iterator[Described]:
    """Every tool that descriptions tell of, whatever their form.

    Raises:
        ToolDefinitionError: something is no description of a tool.
    """
    for each in _flat(specs):
        yield _read(each)


def _flat(specs: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(specs, Mapping):
        inside = next(
            (
                specs[key]
                for key in ("tools", "functionDeclarations", "function_declarations")
                if key in specs
            ),
            None,
        )
        if inside is None:
            yield specs
        else:
            yield from _flat(inside)
    elif isinstance(specs, (list, tuple)):
        for each in specs:
            yield from _flat(each)
    elif hasattr(specs, "model_dump"):
        # As the libraries of providers hand them out.
        yield from _flat(specs.model_dump(by_alias=True, exclude_none=True))
    else:
        raise ToolDefinitionError(f"{specs!r} is no description of a tool.")


def _read(found: Mapping[str, Any]) -> Described:
    inner = found.get("function")
    said: Mapping[str, Any] = inner if isinstance(inner, Mapping) else found
    written = said.get("name")
    if not isinstance(written, str) or not written:
        raise ToolDefinitionError(f"A description of a tool has no name: {dict(found)!r}.")
    schema: object = next((said[key] for key in _SCHEMAS if said.get(key) is not None), {})
    if not isinstance(schema, Mapping):
        raise ToolDefinitionError(f"The arguments of {written!r} are not a JSON Schema.")
    is_mcp = "inputSchema" in said
    return Described(
        name=written if is_mcp else plan_name(written),
        written=written,
        description=str(said.get("description") or ""),
        args=_lowered(dict(schema)),
        returns=next((_lowered(dict(said[key])) for key in _RETURNS if said.get(key)), None),
        hints=_hints(said.get("annotations")) if is_mcp else {},
    )


_SCHEMAS = (
    "parameters",
    "input_schema",
    "inputSchema",
    "parametersJsonSchema",
    "parameters_json_schema",
    "args",
)
_RETURNS = ("outputSchema", "output_schema", "responseJsonSchema", "returns")


def _hints(found: object) -> dict[str, bool]:
    if not isinstance(found, Mapping):
        return {}
    names = {
        "readOnlyHint": "read",
        "idempotentHint": "idempotent",
        "destructiveHint": "destructive",
    }
    return {to: bool(found[name]) for name, to in names.items() if name in found}


def _lowered(schema: Any) -> Any:
    """Gemini's own schemas spell types in capitals."""
    if isinstance(schema, Mapping):
        return {
            key: each.lower() if key == "type" and str(each) in _KINDS else _lowered(each)
            for key, each in schema.items()
        }
    return [_lowered(each) for each in schema] if isinstance(schema, list) else schema


def all_told(specs: Iterable[ToolSpec], form: Form) -> list[dict[str, Json]]:
    """Declarations in a form, in their order."""
    return [told(spec, form) for spec in specs]
