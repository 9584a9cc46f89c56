"""What a plan may know about a tool without being able to call it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from callsheet.core.plan.card import AgentCard
from callsheet.core.plan.plan import Approval, Cost, Document, Retry, Step, Undo
from callsheet.core.value import Json

if TYPE_CHECKING:
    from collections.abc import Sequence

Effect = Literal["read", "write"]

UNDO_IS_GIVEN = ("args", "output", "key", "saved")
"""What an undo may be given of the call it takes back; `saved` is its last checkpoint."""


class Limit(Document, frozen=True):
    """How much of a tool may go on at once, in all runs of an engine together."""

    at_once: int | None = None
    rate: int | None = None
    """Calls per `per` seconds."""
    per: float = 1.0


class Breaker(Document, frozen=True):
    """When a tool that keeps failing is left alone for a while, in all runs of an engine."""

    failures: int | None = 5
    """So many in a row, none of them the caller's fault, open it; None: it never opens."""
    seconds: float = 10.0
    """How long it stays open."""


class ToolSpec(Document, frozen=True):
    """A tool's declaration."""

    name: str
    version: str = "1"
    effect: Effect = "read"
    idempotent: bool = False
    """A write that may be repeated with the same key without happening twice."""
    destructive: bool = False
    approval: Approval | None = None
    """Whoever runs the engine demands that somebody is asked, whatever a plan says."""
    undo: str | None = None
    """The tool that takes this one back. Of `args`, `output`, `key` and `saved` it is given those
    that it names."""
    cost: Cost | None = None
    """What one call is expected to cost; None: nothing."""
    ceiling: Cost | None = None
    """What one call can cost at most; this is what is reserved."""
    timeout: float | None = None
    retry: Retry | None = None
    limit: Limit | None = None
    breaker: Breaker | None = None
    """None: the usual one."""
    touches: tuple[str, ...] = ()
    """What a call touches; may refer to `args`. Calls of one answer that touch the same keep their
    order. For turns: in a plan the step says it, and a journal has what the step says."""
    input_schema: dict[str, Json] = msgspec.field(default_factory=dict)
    output_schema: dict[str, Json] | None = None
    output_digest: str = ""
    """Of the output schema, where the schema itself is left out."""
    description: str = ""
    agent: AgentCard | None = None
    """Of a tool that is an agent: what it is. A journal has it among the sub-plans."""
    unsaid: bool = False
    """Its effect was not declared, so it is treated as a write. For checks and messages: a journal
    has the effect alone."""

    @property
    def repeatable(self) -> bool:
        """Whether a call whose outcome is unknown may simply be made again."""
        return self.effect == "read" or self.idempotent

    def to_json(self) -> dict[str, Json]:
        """As plain data, without what is merely default; but always with what a model needs."""
        built: dict[str, Json] = {"version": "1", "effect": "read", **msgspec.to_builtins(self)}
        built.pop("agent", None)
        built.setdefault("input_schema", {"type": "object", "properties": {}})
        built.setdefault("output_schema", None)
        built.setdefault("description", "")
        return built


def undo_tool(step: Step, spec: ToolSpec | None) -> str | None:
    """The name of the tool that takes a step back: the step's own, or the one its tool names."""
    if isinstance(step.undo, Undo):
        return step.undo.tool
    return spec.undo if spec is not None and step.undo is None else None


def is_unsaid(step: Step, spec: ToolSpec | None) -> bool:
    """Whether neither the tool nor the step says what a call changes outside.

    A step that is said to be idempotent, or that has an undo, says enough.
    """
    if spec is None or not spec.unsaid:
        return False
    return step.idempotent is None and not isinstance(step.undo, Undo)


class Tools(Protocol):
    """What a plan is checked against: the tools there are, by their declarations."""

    def spec(self, name: str) -> ToolSpec | None:
        """A tool's declaration, or None if there is no such tool."""
        ...

    def names(self) -> Sequence[str]:
        """All of them, sorted."""
        ...
