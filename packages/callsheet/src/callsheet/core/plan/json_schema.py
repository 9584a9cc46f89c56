"""The JSON Schema of plans: for editors, and for models that are to write one.

With tools, a step is one of theirs, with their arguments. Wherever something but text is wanted, a
reference may stand instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.value import Json


class Called(Protocol):
    """What is said of a tool."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def description(self) -> str:
        """What it does."""
        ...

    @property
    def effect(self) -> str:
        """`read` or `write`."""
        ...

    @property
    def input_schema(self) -> dict[str, Json]:
        """What it takes."""
        ...


class Toolbox(Protocol):
    """Tools by name."""

    def spec(self, name: str) -> Called | None:
        """What is said of one."""
        ...

    def names(self) -> Sequence[str]:
        """All of them."""
        ...


_REFERENCE: Json = {"$ref": "#/$defs/reference"}
_AMOUNT: Json = {"type": "number", "minimum": 0}
_COUNT: Json = {"type": "integer", "minimum": 0}
_DURATION: Json = {"$ref": "#/$defs/duration"}
_TEXT: Json = {"type": "string", "minLength": 1}
_FLAG: Json = {"type": "boolean"}
_IDS: Json = {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/id"}}, {"$ref": "#/$defs/id"}]}
_TEXTS: Json = {"anyOf": [{"type": "array", "items": _TEXT}, _TEXT]}
_ANY: Json = {}


def json_schema_of(tools: Iterable[object] | Toolbox | None, *, strict: bool) -> dict[str, Json]:
    """The schema of plans that call these tools; None: of any plan.

    `strict`: as providers want it for structured output: every field is required, and those that
    may be left out may be null; mappings of any keys are references.
    """
    specs = _specs(tools)
    defs: dict[str, Json] = dict(_DEFS)
    steps: list[Json] = [_tool_step(spec, defs) for spec in specs] if specs else [_any_step()]
    steps += [_record({"id": _ID, "ask": _TEXT, **_ASKING}, ["id", "ask"])]
    if not strict:
        sub: Json = {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/plan"}]}
        fields: dict[str, Json] = {"id": _ID, "plan": sub, "args": _MAPPING, **_OF_PLANS}
        steps.append(_record(fields, ["id", "plan"]))
        defs["plan"] = _record(_PLAN, ["steps"])
        fields = {"id": _ID, "agent": _WANTED, "args": _MAPPING, **_OF_PLANS}
        steps.append(_record(fields, ["id", "agent"]))
    defs["step"] = {"anyOf": steps}
    defs = {name: defs[name] for name in sorted(defs)}
    schema: dict[str, Json] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Callsheet plan",
        "description": _DESCRIPTION,
        **_record(_PLAN, ["callsheet", "steps"]),
        "$defs": defs,
    }
    return _strict(schema) if strict else schema


_WANTED: Json = {
    "anyOf": [
        _TEXT,
        {
            "type": "object",
            "properties": {"capability": _TEXT, "role": _TEXT},
            "required": ["capability"],
            "additionalProperties": False,
        },
    ]
}
_DESCRIPTION = (
    "A plan: steps that call tools. A reference ${…} is a JMESPath over inputs.<name>, steps.<id> "
    "(that step's output, its fields directly behind it) and, in a for_each, item. A reference is "
    "a dependency; steps that do not depend on each other run at the same time."
)
_ID: Json = {"$ref": "#/$defs/id"}
_MAPPING: Json = {"type": "object"}
_RETRY: Json = {
    "anyOf": [
        {"type": "integer", "minimum": 1},
        {
            "type": "object",
            "properties": {
                "attempts": {"type": "integer"},
                "backoff": _DURATION,
                "max_backoff": _DURATION,
            },
            "additionalProperties": False,
        },
    ]
}
_COST: Json = {"anyOf": [_AMOUNT, {"$ref": "#/$defs/amount"}]}
_ASKING: dict[str, Json] = {
    "choices": _TEXTS,
    "needs": _IDS,
    "when": _REFERENCE,
    "for_each": {"anyOf": [{"type": "array"}, _REFERENCE]},
    "timeout": _DURATION,
    "priority": {"type": "integer"},
    "on_failure": {"enum": ["fail", "skip", "ignore"]},
    "run_if_skipped": _FLAG,
    "label": {"type": "string", "maxLength": 200},
}
_COMMON: dict[str, Json] = {
    **{name: each for name, each in _ASKING.items() if name != "choices"},
    "within": _DURATION,
    "approval": {"enum": ["required"]},
    "touches": _TEXTS,
    "ceiling": _COST,
}
_OF_PLANS: dict[str, Json] = {**_COMMON, "undo": {"enum": ["none"]}}
_OF_TOOLS: dict[str, Json] = {
    **_COMMON,
    "retry": _RETRY,
    "undo": {"anyOf": [{"enum": ["none"]}, {"$ref": "#/$defs/undo"}]},
    "idempotent": _FLAG,
    "destructive": _FLAG,
    "cost": _COST,
    "in_doubt": {"enum": ["ask", "retry", "fail"]},
    "cache": {"anyOf": [_FLAG, _DURATION]},
    "literal": _FLAG,
}


def _record(fields: dict[str, Json], required: list[str]) -> dict[str, Json]:
    names: list[Json] = [*required]
    return {
        "type": "object",
        "properties": fields,
        "required": names,
        "additionalProperties": False,
    }


_PLAN: dict[str, Json] = {
    "callsheet": {"const": 1},
    "name": {"type": "string", "pattern": r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$"},
    "description": {"type": "string"},
    "inputs": {
        "type": "object",
        "description": "Name to JSON Schema; a default makes it optional.",
    },
    "budget": _record(
        {
            "usd": _AMOUNT,
            "credits": _AMOUNT,
            "tokens": _COUNT,
            "calls": _COUNT,
            "seconds": _DURATION,
        },
        [],
    ),
    "on_failure": {"enum": ["undo", "stop", "continue"]},
    "on_cancel": {"enum": ["undo", "keep"]},
    "concurrency": {"type": "integer", "minimum": 1},
    "steps": {"type": "array", "items": {"$ref": "#/$defs/step"}},
    "output": _ANY,
}
_DEFS: dict[str, Json] = {
    "id": {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"},
    "reference": {"type": "string", "pattern": r"^\s*\$\{[\s\S]*\}\s*$"},
    "duration": {
        "anyOf": [
            {"type": "number"},
            {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?\s*(ms|s|m|h|d)$"},
        ]
    },
    "amount": _record({"usd": _AMOUNT, "credits": _AMOUNT, "tokens": _COUNT, "calls": _COUNT}, []),
    "undo": _record({"tool": {"type": "string"}, "args": {"type": "object"}}, ["tool"]),
}


def _specs(tools: Iterable[object] | Toolbox | None) -> list[Called]:
    if tools is None:
        return []
    if not isinstance(tools, Iterable):
        found = [tools.spec(name) for name in tools.names()]
        return [spec for spec in found if spec is not None]
    # A tool has its declaration; a declaration is its own.
    return [cast("Called", getattr(each, "spec", each)) for each in tools]


def _any_step() -> dict[str, Json]:
    fields: dict[str, Json] = {"id": _ID, "tool": {"type": "string"}, "args": _MAPPING, **_OF_TOOLS}
    return _record(fields, ["id", "tool"])


def _tool_step(spec: Called, defs: dict[str, Json]) -> dict[str, Json]:
    args = _with_references(_hoisted(spec, defs))
    required = ["id", "tool"]
    if isinstance(args, dict) and args.get("required"):
        required.append("args")
    fields: dict[str, Json] = {"id": _ID, "tool": {"const": spec.name}, "args": args, **_OF_TOOLS}
    if spec.effect == "read":
        fields = {name: each for name, each in fields.items() if name not in _OF_WRITES}
    about: dict[str, Json] = {"description": spec.description} if spec.description else {}
    return {**_record(fields, required), **about}


_OF_WRITES = frozenset(("undo", "in_doubt", "idempotent", "destructive"))


def _hoisted(spec: Called, defs: dict[str, Json]) -> Json:
    """The schema of the arguments; its definitions stand among the plan's, under other names."""
    schema = dict(spec.input_schema) or {"type": "object"}
    own = schema.pop("$defs", {})
    for name, each in own.items() if isinstance(own, dict) else ():
        defs[f"{spec.name}.{name}"] = _with_references(_renamed(each, spec.name))
    return _renamed(schema, spec.name)


def _renamed(schema: Json, tool: str) -> Json:
    if isinstance(schema, dict):
        return {
            key: f"#/$defs/{tool}.{each[8:]}"
            if key == "$ref" and isinstance(each, str) and each.startswith("#/$defs/")
            else _renamed(each, tool)
            for key, each in schema.items()
        }
    return [_renamed(each, tool) for each in schema] if isinstance(schema, list) else schema


def _with_references(schema: Json) -> Json:
    """A schema of arguments; what stands in its fields and items may be a reference."""
    if not isinstance(schema, dict):
        return schema
    made = {key: each for key, each in schema.items() if key != "oneOf"}
    properties = schema.get("properties")
    if isinstance(properties, dict):
        made["properties"] = {name: _or_reference(each) for name, each in properties.items()}
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            made[key] = _or_reference(schema[key])
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        branches = schema.get(key)
        if isinstance(branches, list):
            made[_ALIKE.get(key, key)] = [_with_references(each) for each in branches]
    return made


_ALIKE = {"oneOf": "anyOf"}
"""A reference fits every branch: not just one."""


def _or_reference(schema: Json) -> Json:
    if not isinstance(schema, dict) or _is_any_text(schema):
        return schema
    return {"anyOf": [_with_references(schema), _REFERENCE]}


def _is_any_text(schema: dict[str, Json]) -> bool:
    narrow = ("enum", "const", "pattern", "format", "maxLength")
    return not schema or (
        schema.get("type") == "string" and not any(key in schema for key in narrow)
    )


def _strict(schema: Json) -> dict[str, Json]:
    found = _strictly(schema)
    assert isinstance(found, dict)
    found.pop("$schema", None)
    return found


def _strictly(schema: Json) -> Json:
    if isinstance(schema, list):
        return [_strictly(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "object" and not schema.get("properties"):
        # Keys that nobody names cannot be asked for; what is meant can be referred to.
        return _REFERENCE
    kept = {key: each for key, each in schema.items() if key not in _LOOSE}
    made = {key: _strictly(each) if key in _INSIDE else each for key, each in kept.items()}
    properties = schema.get("properties")
    if isinstance(properties, dict):
        needed = schema.get("required")
        required = needed if isinstance(needed, list) else []
        made["properties"] = {
            name: _strictly(each) if name in required else _or_null(_strictly(each))
            for name, each in properties.items()
        }
        made |= {"required": list(properties), "additionalProperties": False}
    if isinstance(schema.get("$defs"), dict):
        defs = schema["$defs"]
        assert isinstance(defs, dict)
        made["$defs"] = {name: _strictly(each) for name, each in defs.items()}
    return made or {"type": "string"}


_LOOSE = frozenset(
    ("minLength", "maxLength", "default", "minimum", "maximum", "title", "examples", "format")
)
_INSIDE = frozenset(("anyOf", "items", "allOf", "prefixItems"))


def _or_null(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}
