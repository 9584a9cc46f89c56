"""A model that needs no key and no network: it understands the sentences that it knows.

An adapter like any other: it streams text and calls, and what it calls is a step of the turn. It
makes nothing up. What it does not understand it says, with what it can do instead.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from callsheet.agents.language.phrases import all_phrases
from callsheet.agents.message import Call, ResultsMessage, Text, UserMessage
from callsheet.agents.model import OFFLINE, CallDelta, Response, Stop, TextDelta, Usage
from callsheet.agents.naming import Names
from callsheet.agents.offline.named import Meant
from callsheet.agents.offline.understanding import (
    Asked,
    Said,
    Series,
    Unclear,
    understand,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from callsheet.agents.language.phrases import Known
    from callsheet.agents.message import CallResult, Part
    from callsheet.agents.model import Offered, Request, Streamed
    from callsheet.agents.offline.understanding import Meaning
    from callsheet.core.value import Json


_ANSWERS: Final = {
    "greeting": "Hello. Say `help` to see what I understand.",
    "parting": "Gladly. Until next time.",
    "smalltalk": "I only do what I understand: say `help` for that.",
}


class OfflineModel:
    """Answers without a model. Implements `Model`."""

    def __init__(self, known: Sequence[Known] | None = None) -> None:
        self._known = known

    async def close(self) -> None:
        """Nothing is held."""

    async def stream(self, request: Request) -> AsyncGenerator[Streamed, None]:
        """What is said to the last message, or to what came of the last calls."""
        parts = self._answer(request)
        names = Names(tool.name for tool in request.tools)
        reason = "stop"
        for index, part in enumerate(parts):
            if isinstance(part, Text):
                yield TextDelta(index, part.text)
            elif isinstance(part, Call):
                reason = "tool_call"
                yield CallDelta(index, part.id, names.written(part.name), part.arguments)
        yield Usage()
        yield Stop(reason)
        yield Response(parts=parts, model=OFFLINE, id=OFFLINE, usage=Usage(), stop=reason)

    def _answer(self, request: Request) -> tuple[Part, ...]:
        messages = request.messages
        asked = max(
            (n for n, each in enumerate(messages) if isinstance(each, UserMessage)), default=0
        )
        said = messages[asked]
        results = [each for each in messages[asked:] if isinstance(each, ResultsMessage)]
        known = self._known if self._known is not None else all_phrases()
        meaning = understand(
            said.text if isinstance(said, UserMessage) else "", request.tools, known
        )
        calls = meaning.calls if isinstance(meaning, Series) else (meaning,)
        told = "\n\n".join(_told(each) for every in results for each in every.results)
        failed = any(each.error for every in results for each in every.results)
        if len(results) >= len(calls) or failed:
            left = len(calls) - len(results)
            more = f"\n\nThe rest ({left} of {len(calls)}) was not begun." if left else ""
            return (Text(text=told + more),)
        following = calls[len(results)]
        if isinstance(following, Meant):
            number = sum(isinstance(each, UserMessage | ResultsMessage) for each in messages)
            arguments = json.dumps(following.args, ensure_ascii=False)
            return (Call(id=f"call_{number}", name=following.tool, arguments=arguments),)
        return (Text(text=_spoken(meaning, request.tools, known)),)


def _spoken(meaning: Meaning, tools: Sequence[Offered], known: Sequence[Known]) -> str:
    if isinstance(meaning, Asked):
        return meaning.question
    if not isinstance(meaning, Said):
        assert isinstance(meaning, Unclear)
        why = f": {meaning.why}" if meaning.why else ""
        near = "".join(f"\n  {each}" for each in meaning.nearest)
        return f"I do not understand that{why}." + (f" Nearest to it:{near}" if near else "")
    match meaning.about:
        case "help":
            return _help(tools, known)
        case "tools":
            return _tools(tools)
        case "greeting" | "parting" | "smalltalk":
            return _ANSWERS[meaning.about]


def _help(tools: Sequence[Offered], known: Sequence[Known]) -> str:
    offered = {tool.name for tool in tools}
    examples: dict[str, str] = {}
    for each in known:
        if each.tool in offered:
            examples.setdefault(each.tool, each.example)
    lines = [f"  {example}" for example in examples.values()]
    more = "  TOOL NAME=VALUE …        any tool, by its name; `which tools are there?` lists them"
    return "\n".join(("I have no model, and understand sentences like these:", *lines, more))


def _tools(tools: Sequence[Offered]) -> str:
    if not tools:
        return "No tool is offered here."
    width = max(len(tool.name) for tool in tools)
    lines = [f"  {tool.name:<{width}}  {_first(tool.description)}".rstrip() for tool in tools]
    return "\n".join(("These tools can be called:", *lines))


def _first(text: str) -> str:
    """The first sentence."""
    return text.strip().partition("\n")[0].partition(". ")[0].rstrip(".")


def _told(result: CallResult) -> str:
    """What came of a call, for people."""
    if result.error:
        return f"{result.name} did not work: {result.content}"
    try:
        read: Json = json.loads(result.content)
    except ValueError:
        return result.content or "Done."
    if isinstance(read, dict):
        text = read.get("text")
        return text if isinstance(text, str) else _listed(read)
    return "Done." if read is None else _plain(read)


def _listed(read: dict[str, Json]) -> str:
    """The fields of a result, a line each; what is not there is left out."""
    lines = [f"{name}: {_plain(each)}" for name, each in read.items() if each not in (None, "")]
    return "\n".join(lines) or "Done."


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
