"""The port to models: a request goes in, parts of an answer come out as they are written.

Adapters: `provider` (the services), `recorded` (a tape), and those of `callsheet.testing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

import msgspec

from callsheet.agents.message import Message, Part
from callsheet.core import value
from callsheet.core.value import Json

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


OFFLINE = "offline"
"""The name of the model that needs no key: it understands the sentences that it knows."""


class Offered(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that a model may call."""

    name: str
    version: str = "1"
    description: str = ""
    schema: dict[str, Json] = {}

    @property
    def digest(self) -> str:
        """Of the schema of its arguments."""
        return value.digest(self.schema)


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What a model is asked."""

    model: str
    """As it was asked for: `provider:model`, or a name of the configuration."""
    messages: tuple[Message, ...]
    instructions: str = ""
    tools: tuple[Offered, ...] = ()
    settings: dict[str, Json] = {}


class TextDelta(msgspec.Struct, frozen=True):
    """More text of the part at an index."""

    index: int
    text: str


class ThinkingDelta(msgspec.Struct, frozen=True):
    """More of what the model thinks."""

    index: int
    text: str
    signature: str = ""
    """With which the provider, and nobody else, takes it back."""
    provider: str = ""


class CallDelta(msgspec.Struct, frozen=True):
    """More of a call; the index alone does not say of which one."""

    index: int
    id: str
    """"": that of the call which the index stood for last."""
    name: str
    """As providers spell it; "": as before."""
    arguments: str


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer has used, in tokens."""

    input: int = 0
    output: int = 0
    """Thinking included."""
    cached: int = 0
    """Of the input, what the provider had read before."""
    estimated: bool = False
    """Nobody has counted it: the answer was cut."""

    def plus(self, other: Usage) -> Usage:
        """The sum."""
        return Usage(
            input=self.input + other.input,
            output=self.output + other.output,
            cached=self.cached + other.cached,
            estimated=self.estimated or other.estimated,
        )

    def to_json(self) -> dict[str, Json]:
        """As plain data."""
        said: dict[str, Json] = {"input": self.input, "output": self.output}
        if self.cached:
            said["cached"] = self.cached
        return {**said, "estimated": True} if self.estimated else said


class Stop(msgspec.Struct, frozen=True):
    """The model has stopped: `stop`, `length`, `content_filter`, `tool_call`, `error`, or ""."""

    reason: str


class Response(msgspec.Struct, frozen=True, kw_only=True):
    """The answer as a whole; the last thing that a stream says."""

    parts: tuple[Part, ...]
    model: str = ""
    """As the provider names the one that answered."""
    id: str = ""
    usage: Usage = Usage()
    stop: str = ""
    taken: dict[str, Json] = {}
    """The settings that stood in what was sent."""


Streamed: TypeAlias = TextDelta | ThinkingDelta | CallDelta | Usage | Stop | Response


class Model(Protocol):
    """Answers requests.

    Every stream ends in one `Response`, or raises a `ToolError` whose class says what to do about
    it. Nothing is tried twice: whoever asks decides that. Closing the stream closes the connection.
    """

    def stream(self, request: Request) -> AsyncGenerator[Streamed, None]:
        """The answer, as it is written."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...
