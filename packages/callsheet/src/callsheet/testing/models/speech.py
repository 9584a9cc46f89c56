"""Scripted answers as the bytes of a provider's stream: OpenAI chat, Anthropic messages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

from callsheet.testing.models.lines import End, Fail, Piece, Say, Think

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet.core.value import Json
    from callsheet.testing.models.lines import Line


class Speech(Protocol):
    """How one provider speaks; one is made for each answer."""

    def begin(self) -> Iterator[bytes]:
        """What comes before everything."""
        ...

    def say(self, line: Line) -> Iterator[bytes]:
        """The bytes of a line."""
        ...

    def end(self, end: End) -> Iterator[bytes]:
        """What comes after everything."""
        ...


def texts(line: Say) -> Iterator[str]:
    """A text, in the pieces in which it is sent."""
    size = line.split or max(len(line.text), 1)
    for at in range(0, len(line.text), size):
        yield line.text[at : at + size]


class OpenAI:
    """`POST /v1/chat/completions` with `stream`."""

    def __init__(self, model: str, number: int) -> None:
        self._head: dict[str, Json] = {
            "id": f"chatcmpl-{number}",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": model,
        }
        self._has_calls = False

    def begin(self) -> Iterator[bytes]:
        """The role."""
        yield self._chunk({"role": "assistant", "content": ""})

    def say(self, line: Line) -> Iterator[bytes]:
        """Chunks."""
        match line:
            case Say():
                for text in texts(line):
                    yield self._chunk({"content": text})
            case Think(text=text):
                yield self._chunk({"reasoning_content": text})
            case Piece():
                self._has_calls = True
                yield self._chunk({"tool_calls": [_openai_call(line)]})
            case Fail():
                yield data({"error": {"message": line.message, "type": line.type}})
            case _:
                return

    def end(self, end: End) -> Iterator[bytes]:
        """The reason, what was used, and the mark."""
        usual = "tool_calls" if self._has_calls else "stop"
        yield self._chunk({}, end.reason or usual)
        usage: Json = {
            "prompt_tokens": end.input,
            "completion_tokens": end.output,
            "total_tokens": end.input + end.output,
        }
        yield data({**self._head, "choices": [], "usage": usage})
        yield b"data: [DONE]\n\n"

    def _chunk(self, delta: Json, reason: str | None = None) -> bytes:
        choice: Json = {"index": 0, "delta": delta, "finish_reason": reason}
        return data({**self._head, "choices": [choice]})


def _openai_call(line: Piece) -> dict[str, Json]:
    function: dict[str, Json] = {"arguments": line.arguments}
    if line.name:
        function["name"] = line.name
    made: dict[str, Json] = {"index": line.index, "function": function}
    return {**made, "id": line.id, "type": "function"} if line.id else made


class Anthropic:
    """`POST /v1/messages` with `stream`. Indexes of calls are those of blocks: text is one, too."""

    def __init__(self, model: str, number: int) -> None:
        self._id = f"msg_{number}"
        self._model = model
        self._next = 0
        self._open: int | None = None
        """The block of text that is being written."""
        self._blocks: dict[int, int] = {}
        """Calls of the script, and the blocks they are."""

    def begin(self) -> Iterator[bytes]:
        """The message, empty."""
        message: dict[str, Json] = {
            "id": self._id,
            "type": "message",
            "role": "assistant",
            "model": self._model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 0},
        }
        yield _event("message_start", message=message)

    def say(self, line: Line) -> Iterator[bytes]:
        """Events."""
        match line:
            case Say():
                yield from self._text(line)
            case Think():
                yield from self._shut()
                yield from self._thought(line)
            case Piece():
                yield from self._shut()
                yield from self._call(line)
            case Fail():
                yield _event("error", error={"type": line.type, "message": line.message})
            case _:
                return

    def end(self, end: End) -> Iterator[bytes]:
        """What was used, and why it ends."""
        yield from self._shut()
        for block in self._blocks.values():
            yield _event("content_block_stop", index=block)
        reason = end.reason or ("tool_use" if self._blocks else "end_turn")
        yield _event(
            "message_delta",
            delta={"stop_reason": reason, "stop_sequence": None},
            usage={"input_tokens": end.input, "output_tokens": end.output},
        )
        yield _event("message_stop")

    def _text(self, line: Say) -> Iterator[bytes]:
        if self._open is None:
            self._open = self._begun()
            block: Json = {"type": "text", "text": ""}
            yield _event("content_block_start", index=self._open, content_block=block)
        for text in texts(line):
            delta: Json = {"type": "text_delta", "text": text}
            yield _event("content_block_delta", index=self._open, delta=delta)

    def _thought(self, line: Think) -> Iterator[bytes]:
        at = self._begun()
        block: Json = {"type": "thinking", "thinking": "", "signature": ""}
        yield _event("content_block_start", index=at, content_block=block)
        told: Json = {"type": "thinking_delta", "thinking": line.text}
        yield _event("content_block_delta", index=at, delta=told)
        signed: Json = {"type": "signature_delta", "signature": line.signature}
        yield _event("content_block_delta", index=at, delta=signed)
        yield _event("content_block_stop", index=at)

    def _call(self, line: Piece) -> Iterator[bytes]:
        if line.index not in self._blocks:
            self._blocks[line.index] = self._begun()
            block: Json = {"type": "tool_use", "id": line.id, "name": line.name, "input": {}}
            at = self._blocks[line.index]
            yield _event("content_block_start", index=at, content_block=block)
        if line.arguments:
            delta: Json = {"type": "input_json_delta", "partial_json": line.arguments}
            yield _event("content_block_delta", index=self._blocks[line.index], delta=delta)

    def _shut(self) -> Iterator[bytes]:
        if self._open is not None:
            yield _event("content_block_stop", index=self._open)
            self._open = None

    def _begun(self) -> int:
        self._next += 1
        return self._next - 1


def data(said: Json) -> bytes:
    """An event of a stream."""
    return b"data: " + json.dumps(said).encode() + b"\n\n"


def _event(kind: str, **said: Json) -> bytes:
    return f"event: {kind}\n".encode() + data({"type": kind, **said})
