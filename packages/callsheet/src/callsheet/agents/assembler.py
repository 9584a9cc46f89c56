"""Calls, put together from the pieces in which they come.

An index of the stream does not name a call, and the end of a part is not the end of its arguments:
calls interleave, two may share an index, an id may be missing, late or there twice.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec

from callsheet.agents.message import Call, Part, Text, Thinking
from callsheet.agents.model import CallDelta, Response, TextDelta, ThinkingDelta
from callsheet.agents.scanner import Scanner

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.agents.model import Streamed
    from callsheet.core.value import Json

_DECODER = json.JSONDecoder()
MADE_UP = "pyd_ai_"
"""How ids begin that the library makes up where the provider gives none."""


class Piecewise:
    """A call that is being written."""

    __slots__ = ("_given", "number", "scanner", "written")

    def __init__(self, number: int, given: str, written: str) -> None:
        self.number = number
        """Its place among the calls of the answer, from 1."""
        self._given = given
        self.written = written
        """The tool's name, as the provider spells it."""
        self.scanner = Scanner()

    @property
    def id(self) -> str:
        """The provider's, or one that follows from its place."""
        return self._given or f"call_{self.number}"

    @property
    def is_named(self) -> bool:
        """Whether the provider has given it an id."""
        return bool(self._given)

    def name_it(self, given: str) -> None:
        """The id comes later than the call."""
        self._given = given

    @property
    def first(self) -> str | None:
        """The first object of its arguments, if it is complete."""
        end = self.scanner.end
        return None if end is None else self.scanner.text[:end].strip()

    @property
    def arguments(self) -> str:
        """What its arguments are in the end.

        Some servers send `{}` before the real ones, or all of them once more: of several objects
        the last one counts. Whatever else follows the first makes it wrong, and stays.
        """
        text = self.scanner.text
        return _last_object(text) or text


class Assembler:
    """Takes the pieces of one answer and keeps them in the order in which they first appeared."""

    def __init__(self, name_of: Callable[[str], str]) -> None:
        self._name_of = name_of
        self._order: list[tuple[str, int]] = []
        """Texts and thoughts by index, calls by number."""
        self._texts: dict[tuple[str, int], list[str]] = {}
        self._signed: dict[int, tuple[str, str]] = {}
        """Thoughts: their signatures, as soon as they have one, and whose these are."""
        self.said = 0
        """Characters of text so far."""
        self.calls: list[Piecewise] = []
        self._at: dict[int, Piecewise] = {}
        """The call that an index stood for last."""
        self._by_id: dict[tuple[int, str], Piecewise] = {}

    def feed(self, piece: Streamed) -> Piecewise | None:
        """Take a piece; the call whose first object has just ended, if one has."""
        match piece:
            case TextDelta(index=index, text=text):
                self.said += len(text)
                self._say("text", index, text)
            case ThinkingDelta(index=index, text=text):
                self._say("thinking", index, text)
                signature, provider = self._signed.get(index, ("", ""))
                self._signed[index] = piece.signature or signature, piece.provider or provider
            case CallDelta():
                call = self._call_of(piece)
                return call if call.scanner.feed(piece.arguments) else None
            case _:
                pass
        return None

    def parts(
        self,
        last: Response | None = None,
        calls: Callable[[Piecewise], Call | None] | None = None,
    ) -> tuple[Part, ...]:
        """What the answer consists of so far; thoughts as the provider wants them back.

        `calls` says what each call is in the end, and leaves some out.
        """
        told = calls or self.call
        thoughts = [part for part in last.parts if isinstance(part, Thinking)] if last else []
        found: list[Part] = []
        for kind, index in self._order:
            if kind == "call":
                call = told(self.calls[index - 1])
                found += [call] if call else []
            elif kind == "text":
                found.append(Text(text="".join(self._texts[kind, index])))
            elif thoughts:
                found.append(thoughts.pop(0))
            elif last is None and self._signed[index][0]:
                found.append(self._thought(index))
        return (*thoughts, *found)

    def thoughts(self) -> list[Thinking]:
        """The thoughts that are complete."""
        return [self._thought(index) for index, (signed, _) in self._signed.items() if signed]

    def _thought(self, index: int) -> Thinking:
        signature, provider = self._signed[index]
        text = "".join(self._texts["thinking", index])
        return Thinking(text=text, signature=signature, provider=provider)

    def call(self, piecewise: Piecewise) -> Call:
        """A call as it stands."""
        return Call(
            id=piecewise.id,
            name=self._name_of(piecewise.written),
            arguments=piecewise.arguments,
        )

    def _say(self, kind: str, index: int, text: str) -> None:
        if (kind, index) not in self._texts:
            self._texts[kind, index] = []
            self._order.append((kind, index))
        self._texts[kind, index].append(text)

    def _call_of(self, piece: CallDelta) -> Piecewise:
        given = "" if piece.id.startswith(MADE_UP) else piece.id
        there = self._at.get(piece.index)
        found = self._by_id.get((piece.index, given)) if given else there
        if found is None and there is not None and not there.is_named:
            there.name_it(given)  # the id came later than the call
            found = self._by_id[piece.index, given] = there
        if found is None or _begins_anew(found, piece, given):
            found = self._begin(piece, given)
        elif piece.name and piece.name != found.written:
            found.written += piece.name
        self._at[piece.index] = found
        return found

    def _begin(self, piece: CallDelta, given: str) -> Piecewise:
        call = Piecewise(len(self.calls) + 1, given, piece.name)
        self.calls.append(call)
        self._order.append(("call", call.number))
        if given:
            self._by_id[piece.index, given] = call
        return call


def _begins_anew(found: Piecewise, piece: CallDelta, given: str) -> bool:
    """Whether a piece without an id begins another call where a whole one stands."""
    return not given and bool(piece.name) and found.scanner.end is not None


def _last_object(text: str) -> str | None:
    """The last of several objects that stand one after another; None: there is something else."""
    at, last, end = 0, None, len(text.rstrip())
    while at < end:
        if text[at].isspace():
            at += 1
            continue
        if text[at] != "{":
            return None
        try:
            _, upto = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return None
        last, at = text[at:upto], upto
    return last


def read_arguments(text: str) -> dict[str, Json] | None:
    """The arguments of a call as a mapping; None: they are none. Nothing at all is no arguments."""
    try:
        found = msgspec.json.decode(text or "{}")
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
