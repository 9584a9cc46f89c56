"""What an agent is, as data."""

from __future__ import annotations

import msgspec

from callsheet.core.plan.plan import Budget, Document
from callsheet.core.value import Json

AGENT = "agent."
"""How the tool that an agent is begins."""
TASK: dict[str, Json] = {
    "type": "object",
    "properties": {"task": {"type": "string"}},
    "required": ["task"],
    "additionalProperties": False,
}
TEXT: dict[str, Json] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


class CapabilityCard(Document, frozen=True):
    """What a capability takes and gives, as JSON Schemas."""

    input: dict[str, Json]
    output: dict[str, Json]


class AgentCard(Document, frozen=True):
    """Everything about an agent that a run of it depends on."""

    name: str
    role: str = ""
    capabilities: dict[str, CapabilityCard] = msgspec.field(default_factory=dict)
    models: tuple[str, ...] = ()
    """In the order in which they are tried."""
    instructions: str = ""
    prompt: str = ""
    """The digest of the instructions: their version."""
    tools: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    """Names of context items, or patterns like `notes:*`."""
    budget: Budget | None = None
    preference: int = 0
    """Of two that are able, the one with the higher number is asked first."""
    depth: int = 3
    """How long a chain of requests may be, with the first."""
    rounds: int = 20
    """How many answers one run of it may have."""
    seconds: float = 180.0
    """How long one run of it may take; waiting for a person does not count."""

    @property
    def tool(self) -> str:
        """The tool that it is."""
        return AGENT + self.name
