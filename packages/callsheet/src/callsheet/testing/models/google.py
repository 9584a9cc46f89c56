"""Scripted answers as Gemini streams them: calls come whole, never in pieces."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

from callsheet.testing.models.lines import End, Fail, Piece, Say, Think
from callsheet.testing.models.speech import data, texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet.core.value import Json
    from callsheet.testing.models.lines import Line


class Google:
    """`POST /v1/models/MODEL:streamGenerateContent`."""

    def __init__(self, model: str, number: int) -> None:
        self._head: dict[str, Json] = {"modelVersion": model, "responseId": f"gemini-{number}"}
        self._calls: dict[int, Piece] = {}
        """Those whose arguments are not complete."""

    def begin(self) -> Iterator[bytes]:
        """Nothing comes before the first part."""
        yield from ()

    def say(self, line: Line) -> Iterator[bytes]:
        """Parts."""
        match line:
            case Say():
                for text in texts(line):
                    yield self._part({"text": text})
            case Think(text=text, signature=signature):
                signed = base64.b64encode(signature.encode()).decode()
                yield self._part({"text": text, "thought": True, "thoughtSignature": signed})
            case Piece():
                yield from self._call(line)
            case Fail():
                error: Json = {"code": line.status, "message": line.message, "status": line.type}
                yield data({"error": error})
            case _:
                return

    def end(self, end: End) -> Iterator[bytes]:
        """Why it ends, and what was used. A call that is not complete was malformed."""
        usual = "MALFORMED_FUNCTION_CALL" if self._calls else "STOP"
        usage: Json = {
            "promptTokenCount": end.input,
            "candidatesTokenCount": end.output,
            "totalTokenCount": end.input + end.output,
        }
        yield self._part({"text": ""}, end.reason or usual, usageMetadata=usage)

    def _call(self, line: Piece) -> Iterator[bytes]:
        begun = self._calls.get(line.index, Piece(line.index))
        whole = Piece(
            line.index,
            line.id or begun.id,
            line.name or begun.name,
            begun.arguments + line.arguments,
        )
        self._calls[line.index] = whole
        try:
            args = json.loads(whole.arguments)
        except ValueError:
            return
        del self._calls[line.index]
        call: dict[str, Json] = {"name": whole.name, "args": args}
        yield self._part({"functionCall": {**call, "id": whole.id} if whole.id else call})

    def _part(self, part: Json, reason: str = "", **more: Json) -> bytes:
        candidate: dict[str, Json] = {"content": {"role": "model", "parts": [part]}, "index": 0}
        if reason:
            candidate["finishReason"] = reason
        return data({**self._head, "candidates": [candidate], **more})
