"""The shapes of conversations and turns, as the OpenAPI document tells them; as `models.py`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from callsheet.serve.routes.models import Body, Name, QuestionTold, Told


class ConversationBody(Body):
    """A conversation to be begun."""

    id: Name | None = Field(
        None,
        max_length=100,
        pattern="^[A-Za-z0-9_-]+$",
        description="Its name; a new one if not said.",
    )


class ConversationTold(Told):
    """A conversation."""

    id: str
    turn: str | None
    turns: int
    started_at: str
    state: str
    links: dict[str, str]


class MessageTold(Told):
    """One message of a conversation."""

    number: int
    kind: Literal["user", "answer", "results"]


class BudgetBody(Body):
    """What a turn may spend."""

    usd: float | None = Field(None, ge=0, lt=1e9)
    credits: float | None = Field(None, ge=0, lt=1e9)
    tokens: int | None = Field(None, ge=0, lt=10**12)
    seconds: float | None = Field(None, gt=0, lt=1e9)
    calls: int | None = Field(None, ge=0, lt=10**9)


class LimitsBody(Body):
    """How long a turn may take, and how much it may do."""

    turn: float | None = Field(None, gt=0, lt=10**6, description="Seconds in all.")
    call: float | None = Field(None, gt=0, lt=10**6, description="Seconds of one call.")
    rounds: int | None = Field(None, ge=1, lt=10**6, description="Answers at most.")
    calls: int | None = Field(None, ge=1, lt=10**6, description="Calls at once.")


class TurnBody(Body):
    """Something that is said."""

    message: str = Field(min_length=1, max_length=1_000_000)
    id: Name | None = Field(None, description="The same id is the same message: it is said once.")
    model: Name | None = Field(
        None, description="Who answers; the first that the tenant has, or `offline`, if not said."
    )
    tools: list[Name] | None = Field(
        None, max_length=1000, description="What may be called, by name or by a pattern."
    )
    instructions: str = Field("", max_length=1_000_000, description="What is said before it.")
    budget: BudgetBody | None = None
    limits: LimitsBody | None = None
    begin: bool = Field(False, description="Begin the conversation, if there is none.")


class AgentTold(Told):
    """An agent, and what of it can be used."""

    name: str
    role: str
    tool: str
    capabilities: dict[str, Any]
    models: list[dict[str, Any]]
    usable: bool
    prompt: str
    tools: list[str]
    reads: list[str]
    writes: list[str]
    budget: dict[str, Any] | None
    preference: int


class TurnStartedTold(Told):
    """A turn that was started."""

    turn: str
    run: str
    conversation: str
    state: str
    links: dict[str, str]


class TurnTold(TurnStartedTold):
    """A turn, as it stands."""

    text: str
    calls: list[dict[str, Any]]
    usage: dict[str, Any]
    cost: dict[str, float]
    questions: list[QuestionTold]
