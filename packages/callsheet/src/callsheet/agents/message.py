"""Messages: what is said in a conversation, in our own words, whoever the provider is.

They are stored as artifacts, once each, so this is a format: fields are only ever added.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from callsheet.core.value import Json

MESSAGE_TYPE = "application/vnd.callsheet.message+json"


class _Said(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    pass


class Text(_Said, frozen=True, tag="text"):
    """A stretch of text."""

    text: str


class Thinking(_Said, frozen=True, tag="thinking"):
    """What a model thought, as its provider wants it back."""

    text: str = ""
    signature: str = ""
    id: str = ""
    provider: str = ""
    """Whose signature it is; nobody else is shown it."""
    details: Json = None


class Call(_Said, frozen=True, tag="call"):
    """A call that a model asks for."""

    id: str
    """As the provider names it; unique in its answer."""
    name: str
    """As the tool is called here."""
    arguments: str
    """The JSON as it was written, right or wrong."""


Part: TypeAlias = Text | Thinking | Call


class UserMessage(_Said, frozen=True, tag="user"):
    """What a person says."""

    text: str


class AnswerMessage(_Said, frozen=True, tag="answer"):
    """What a model answers."""

    parts: tuple[Part, ...]
    model: str = ""
    interrupted: bool = False
    """It was cut short: what is here is what had come by then."""

    @property
    def text(self) -> str:
        """All that it says to the user."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def calls(self) -> tuple[Call, ...]:
        """All that it asks for, in order."""
        return tuple(part for part in self.parts if isinstance(part, Call))


class CallResult(_Said, frozen=True):
    """What came of one call."""

    id: str
    name: str
    content: str
    error: bool = False


class ResultsMessage(_Said, frozen=True, tag="results"):
    """What came of the calls of an answer: one result each, in their order."""

    results: tuple[CallResult, ...]


Message: TypeAlias = UserMessage | AnswerMessage | ResultsMessage

_encoder = msgspec.json.Encoder(order="deterministic")
_decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)


def encode(message: Message) -> bytes:
    """A message as it is stored: equal messages are equal bytes."""
    return _encoder.encode(message)


def decode(data: bytes) -> Message:
    """The message that was stored.

    Raises:
        msgspec.MsgspecError: it is none.
    """
    return _decoder.decode(data)
