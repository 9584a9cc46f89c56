"""A tape: answers that were recorded, told again to whoever asks the same.

One line of JSON each. What is the same is decided by what was asked (messages, tools, settings),
not by whom, and not by the seed, which is another in every run.
"""

from __future__ import annotations

import difflib
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from callsheet.agents.model import (
    CallDelta,
    Model,
    Request,
    Response,
    Stop,
    Streamed,
    TextDelta,
    ThinkingDelta,
)
from callsheet.core import value
from callsheet.core.value import Json
from callsheet.errors import InputError, InvalidError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

SHOWN = 12
"""Lines of a difference that are shown."""

_KINDS: dict[str, type[TextDelta | ThinkingDelta | CallDelta]] = {
    "text": TextDelta,
    "thinking": ThinkingDelta,
    "call": CallDelta,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


class Take(msgspec.Struct, frozen=True, kw_only=True):
    """One answer on a tape."""

    asked: dict[str, Json]
    pieces: list[list[Json]]
    """Kind, index and what was said."""
    response: Response

    @property
    def digest(self) -> str:
        """Of what was asked."""
        return value.digest(self.asked)


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Take)


def asked_of(request: Request) -> dict[str, Json]:
    """What counts when two requests are compared."""
    settings = {name: said for name, said in request.settings.items() if name != "seed"}
    asked: dict[str, Json] = {
        "instructions": request.instructions,
        "messages": msgspec.to_builtins(request.messages),
        "tools": msgspec.to_builtins(request.tools),
        "settings": settings,
    }
    return asked


class RecordedModel:
    """Answers from a tape; implements `Model`."""

    def __init__(self, path: str | Path) -> None:
        """Read the tape.

        Raises:
            InputError: it is not there, or is none.
        """
        self._path = Path(path)
        self._takes = {take.digest: take for take in read_tape(self._path)}

    async def close(self) -> None:
        """Nothing is held."""

    async def stream(self, request: Request) -> AsyncGenerator[Streamed, None]:
        """The answer that was recorded for this request."""
        asked = asked_of(request)
        take = self._takes.get(value.digest(asked))
        if take is None:
            raise InvalidError(self._missing(asked))
        for kind, *said in take.pieces:
            yield msgspec.convert(
                # Tapes of older versions say less of each.
                dict(zip(_KINDS[str(kind)].__struct_fields__, said, strict=False)),
                _KINDS[str(kind)],
            )
        yield take.response.usage
        yield Stop(take.response.stop)
        yield take.response

    def _missing(self, asked: dict[str, Json]) -> str:
        if not self._takes:
            return f"{self._path} has no answers on it."
        wanted = _lines(asked)
        told = {digest: _lines(take.asked) for digest, take in self._takes.items()}
        near = max(told, key=lambda digest: _alike(told[digest], wanted))
        changes = [
            line
            for line in difflib.unified_diff(
                told[near], wanted, "recorded", "asked", lineterm="", n=0
            )
            if not line.startswith("@@")
        ]
        shown = "\n".join([*changes[:SHOWN], *(["…"] if len(changes) > SHOWN else [])])
        return (
            f"This was never recorded on {self._path}. The nearest of its "
            f"{len(self._takes)} requests differs in:\n{shown}"
        )


def _alike(one: list[str], other: list[str]) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).quick_ratio()


def _lines(asked: dict[str, Json]) -> list[str]:
    return msgspec.json.format(value.canonical(asked)).decode().splitlines()


def read_tape(path: Path) -> list[Take]:
    """The answers on a tape.

    Raises:
        InputError: it is not there, or is none.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as exc:
        raise InputError(f"Cannot read the recording {path}: {exc.strerror}.") from exc
    try:
        return [_decoder.decode(line) for line in lines if line.strip()]
    except (msgspec.MsgspecError, UnicodeError) as exc:
        raise InputError(f"{path} is no recording: {exc}.") from exc


class RecordingModel:
    """Asks another model, and writes what it answers onto a tape."""

    def __init__(self, model: Model, path: str | Path) -> None:
        self._model = model
        self._path = Path(path)

    async def close(self) -> None:
        """Let go of the other model's connections."""
        await self._model.close()

    async def stream(self, request: Request) -> AsyncGenerator[Streamed, None]:
        """The other model's answer; on the tape once it is whole."""
        pieces: list[list[Json]] = []
        async with aclosing(self._model.stream(request)) as stream:
            async for piece in stream:
                if isinstance(piece, (TextDelta, ThinkingDelta, CallDelta)):
                    said = [getattr(piece, name) for name in piece.__struct_fields__]
                    pieces.append([_NAMES[type(piece)], *said])
                if isinstance(piece, Response):
                    take = Take(asked=asked_of(request), pieces=pieces, response=piece)
                    with self._path.open("ab") as tape:
                        tape.write(_encoder.encode(take) + b"\n")
                yield piece
