"""Entries about agents: who was chosen for what, and what they said to each other.

The rules of `entries` hold here, too.
"""

from __future__ import annotations

from msgspec import field

from callsheet.core.plan.plan import Document
from callsheet.core.run.entry import Entry


class PassedOver(Document, frozen=True):
    """An agent that was able, or one of its models, and was not taken."""

    agent: str
    why: str
    model: str = ""


class AgentChosen(Entry, frozen=True):
    """Who answers in a step that follows, and why. Durable before the model is asked."""

    step: str
    agent: str
    model: str
    reason: str
    passed_over: tuple[PassedOver, ...] = ()


class AgentSaid(Entry, frozen=True):
    """A message between agents, which the run around them carries. Nothing is decided by it."""

    sender: str = field(name="from")
    to: str
    """An agent, or the capability that a request asks for: the orchestrator finds who has it."""
    seq: int
    """Its number in the run, from 1."""
    content: str
    """The digest of what was said."""
    step: str
    """In whose name it was written."""
