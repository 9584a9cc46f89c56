"""What a turn is told when it starts, and what each of its answers is told: the words of its run.

They stand in journals, so this is a format: fields are only ever added, with defaults.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from callsheet.core.plan.plan import NOTHING, Budget, Cost
from callsheet.core.value import Json

ANSWER_STEP = re.compile(r"a(\d+)\Z")
CALL_STEP = re.compile(r"a(\d+)_c(\d+)\Z")
CONVERSATION = "conversation:"
"""How the subject of a turn's run begins."""
PLAN = "turn"
"""What the plan of a turn is called."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How long a turn may take, and how much it may do."""

    turn: float = 180.0
    """Seconds in all; waiting for a person does not count."""
    call: float = 120.0
    """Seconds of one call; a tool that declares a longer timeout has that."""
    rounds: int = 30
    """Answers at most."""
    calls: int = 8
    """Calls at once."""


class AgentTerms(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What holds for the answers of an agent, beyond what holds for every turn."""

    name: str
    capability: str
    output: dict[str, Json]
    """The JSON Schema of what it gives."""
    step: str
    """The one that has chosen it."""
    chain: tuple[str, ...] = ()
    """Who has asked for this, one after the other, itself last."""
    depth: int = 3
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    scope: str = ""
    """Where the context lies that it may read and write."""
    tried: tuple[str, ...] = ()
    """The answers that have failed before: the next choice passes them over."""
    budget: Budget | None = None
    """What it may spend itself, where its run may spend more."""
    spent: Cost = NOTHING
    """What its run had spent when it was chosen."""


class TurnTerms(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What holds for all answers of a turn."""

    model: str
    conversation: str
    number: int
    """Its place in the conversation, from 1."""
    tools: tuple[str, ...] = ()
    instructions: str = ""
    limits: Limits = Limits()
    result: int = 20_000
    """Characters of a result that the model is given."""
    budget: Budget | None = None
    agent: AgentTerms | None = None
    """None: it is a turn of a conversation."""
    key: str = ""
    """What whoever started it calls it: asked for twice, it is one turn. Or a name of its own."""


class AskedCall(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A call of an answer, as the next answer needs it to give its result."""

    id: str
    name: str
    digest: str = ""
    """Of the tool and the arguments: the same call again has the same."""
    step: str = ""
    """The step that it is; "": there is none, and `error` says why."""
    error: str = ""


Stopped = Literal["", "limit"]
