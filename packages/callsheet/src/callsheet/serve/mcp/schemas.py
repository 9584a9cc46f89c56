"""The schemas of the tools, written flat by hand: every conversation pays for the list of tools.

What a result has in it stands whole in `schema://run`; the list has names and types alone.
"""

from __future__ import annotations

from typing import Any, TypeAlias

Schema: TypeAlias = dict[str, Any]

LONGEST_WAIT = 50
"""Seconds: clients commonly give up after sixty."""

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}
RUN: Schema = {"type": "string", "minLength": 1}
KEY: Schema = {"type": "string", "minLength": 1, "description": "The same key is the same run."}
WAIT: Schema = {"type": "number", "minimum": 0, "maximum": LONGEST_WAIT}
PLAN: Schema = {
    "type": ["object", "string"],
    "description": "A plan (schema://plan): an object, or YAML text; one line is the name of a "
    "saved plan.",
}
INPUTS: Schema = {"type": "object"}


def takes(*required: str, **fields: Schema) -> Schema:
    """The arguments of a tool."""
    made: Schema = {"type": "object", "properties": fields, "additionalProperties": False}
    return {**made, "required": list(required)} if required else made


def gives(**types: str) -> Schema:
    """What a tool's result has in it: names and types. An error has other names."""
    return {"type": "object", "properties": {name: _typed(kind) for name, kind in types.items()}}


def _typed(kind: str) -> Schema:
    """`text?` is a text or null; `any` says nothing."""
    if kind == "any":
        return {}
    name = {"text": "string", "list": "array", "whole": "integer", "flag": "boolean"}
    plain = name.get(kind.rstrip("?"), kind.rstrip("?"))
    return {"type": [plain, "null"] if kind.endswith("?") else plain}


RUN_VIEW = gives(
    run="text",
    plan="text",
    state="text",
    paused="flag",
    cause="object?",
    output="any",
    steps="object",
    questions="list",
    cost="object",
    problems="list",
    driven_by="text?",
    next="list",
)
LISTED = gives(items="list", next="any")

WHOLE_RUN_VIEW: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "description": "A run, as tools tell of it.",
    "properties": {
        "run": {"type": "string", "description": "Its id; also the id of its task."},
        "plan": {"type": "string", "description": "The name of its plan."},
        "state": {
            "enum": [
                *("pending", "running", "waiting", "undoing"),
                *("succeeded", "failed", "cancelled", "undone", "stuck"),
            ],
            "description": "waiting: nothing goes on until a person answers. stuck: something "
            "could not be taken back.",
        },
        "paused": {"type": "boolean"},
        "cause": {
            "type": ["object", "null"],
            "description": "Why it stopped, or was taken back.",
            "properties": {
                "kind": {"type": "string"},
                "step": {"type": "string"},
                "message": {"type": "string"},
                "by": {"type": "string"},
            },
        },
        "output": {
            "description": "Of the plan, once it has succeeded; a long one is {bytes, read}, and "
            "`read` is the resource that has it."
        },
        "steps": {
            "type": "object",
            "properties": {
                "total": {"type": "integer"},
                "succeeded": {"type": "integer"},
                "running": {"type": "integer"},
                "failed": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "id": {"type": "string"},
                            "class": {"type": "string"},
                            "message": {"type": "string"},
                        },
                    },
                },
                "shown": {
                    "type": "object",
                    "description": "By id, those that were asked for: state, output, error, "
                    "attempts, cost, reason, started_at, ended_at.",
                },
            },
        },
        "questions": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "step": {"type": "string"},
                    "ask": {"enum": ["question", "approval", "doubt"]},
                    "text": {"type": "string"},
                    "choices": {"type": "array", "items": {"type": "string"}},
                    "args": {"description": "Of the call that is to be approved."},
                },
            },
        },
        "cost": {"type": "object", "description": "What it has cost: usd, credits, tokens, calls."},
        "problems": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"step": {"type": ["string", "null"]}, "message": {"type": "string"}},
            },
        },
        "driven_by": {
            "type": ["string", "null"],
            "description": "Which process goes on with it; null: it has ended.",
        },
        "next": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Tools that make sense now.",
        },
        "note": {"type": "string", "description": "What became of a request."},
    },
}
