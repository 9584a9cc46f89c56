"""The memory of an agent: context items that it may read and write, and no others.

It belongs to whoever runs the agent. What an agent is offered are two tools with names of items
alone; what is called are those that every plan has, in the scope of the run.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import msgspec

from callsheet.agents.checks import Wanted, checked, starts
from callsheet.agents.model import Offered
from callsheet.core.plan.toolspec import ToolSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.agents.message import Call
    from callsheet.agents.terms import AgentTerms
    from callsheet.core.plan.toolspec import Tools
    from callsheet.core.value import Json

READ, WRITE = "memory.read", "memory.write"
_NAME: dict[str, Json] = {"type": "string", "description": "what the item is called"}
_SCHEMAS: dict[str, dict[str, Json]] = {
    READ: {
        "type": "object",
        "properties": {"name": _NAME},
        "required": ["name"],
        "additionalProperties": False,
    },
    WRITE: {
        "type": "object",
        "properties": {
            "name": _NAME,
            "value": {"description": "any JSON value"},
            "after": {
                "type": "integer",
                "minimum": 0,
                "description": "the version that was read; 0: there is none",
            },
        },
        "required": ["name", "value", "after"],
        "additionalProperties": False,
    },
}
_CALLED = {READ: "context.get", WRITE: "context.set"}


class Memory:
    """What one agent may read and write."""

    def __init__(self, terms: AgentTerms) -> None:
        self._scope = terms.scope
        self._patterns = {READ: (*terms.reads, *terms.writes), WRITE: terms.writes}
        self.names = tuple(name for name, patterns in self._patterns.items() if patterns)
        """The tools that it is offered."""

    def offered(self) -> list[Offered]:
        """These, as a model is told of them."""
        return [
            Offered(name=name, description=self._description(name), schema=_SCHEMAS[name])
            for name in self.names
        ]

    def _description(self, name: str) -> str:
        items = ", ".join(self._patterns[name])
        if name == READ:
            return f"Read an item that you share with others: {items}. Version 0: it is not there."
        return f"Write a new version of an item that you share with others: {items}."

    def checked(self, call: Call, tools: Tools) -> Wanted | str:
        """The call that is wanted, or what is told instead."""
        wanted = checked(call, _Own(), self.names)
        if isinstance(wanted, str):
            return wanted
        name = str(wanted.args["name"])
        patterns = self._patterns[call.name]
        if not any(fnmatchcase(name, pattern) for pattern in patterns):
            return f"denied: {name!r} is not yours. {call.name} takes {', '.join(patterns)}."
        spec = tools.spec(_CALLED[call.name])
        if spec is None:
            return "denied: there is no shared context here."
        args: dict[str, Json] = {"scope": self._scope, **wanted.args}
        return msgspec.structs.replace(wanted, spec=spec, args=args, start=starts(spec))


class _Own:
    """The two tools, as calls of them are checked."""

    def spec(self, name: str) -> ToolSpec | None:
        schema = _SCHEMAS.get(name)
        return ToolSpec(name=name, input_schema=schema) if schema else None

    def names(self) -> Sequence[str]:
        return [*_SCHEMAS]
