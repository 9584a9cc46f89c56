"""What a scripted answer consists of: text, pieces of calls, pauses, and all that goes wrong."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, TypeAlias

import msgspec

if TYPE_CHECKING:
    from callsheet.core.value import Json


class Say(msgspec.Struct, frozen=True):
    """Text, in one piece or in pieces of so many characters."""

    text: str
    split: int = 0


class Think(msgspec.Struct, frozen=True):
    """A thought, with its signature."""

    text: str
    signature: str = "signed"


class Piece(msgspec.Struct, frozen=True):
    """A piece of a call: whatever is empty is left out, as providers do."""

    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""


class Pause(msgspec.Struct, frozen=True):
    """Silence, in seconds of the real clock."""

    seconds: float


class Gate(msgspec.Struct, frozen=True):
    """Silence until a test has set the event."""

    event: asyncio.Event


class Raw(msgspec.Struct, frozen=True):
    """Bytes as they are: within the stream, whatever they are."""

    data: bytes


class Drop(msgspec.Struct, frozen=True):
    """The connection is cut."""


class Fail(msgspec.Struct, frozen=True):
    """An HTTP error (or a page) instead of an answer; within one, an error in the stream."""

    status: int = 500
    message: str = "it is broken"
    headers: dict[str, str] = {}
    body: bytes | None = None
    type: str = "server_error"
    """As the provider calls it."""


class End(msgspec.Struct, frozen=True):
    """The end, with what was used. One is added where none is written."""

    reason: str = ""
    """As the provider calls it; "": as it follows from the rest."""
    input: int = 10
    output: int = 5


Line: TypeAlias = Say | Think | Piece | Pause | Gate | Raw | Drop | Fail | End


def calls(
    id: str, name: str, args: Json | str, *, index: int = 0, split: int = 0
) -> tuple[Piece, ...]:
    """A whole call: its head, then its arguments, in pieces of so many characters."""
    text = args if isinstance(args, str) else json.dumps(args)
    size = split or max(len(text), 1)
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    return (Piece(index, id, name), *(Piece(index, arguments=each) for each in pieces))
