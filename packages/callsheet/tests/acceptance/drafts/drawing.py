"""What the tests of drafts share: documents, an engine with a scripted model, and its tools."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from tests.acceptance.turns.theatre import PATIENCE, Tools

from callsheet import Engine
from callsheet.agents.message import UserMessage
from callsheet.testing.models import Say, ScriptedModel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from callsheet.testing.models import Line

ALL = ["weather.at", "notes.put", "mail.send"]


def at(name: str, city: str, **more: Any) -> dict[str, Any]:
    """A step that reads."""
    return {"id": name, "tool": "weather.at", "args": {"city": city}, **more}


def put(name: str, text: str, **more: Any) -> dict[str, Any]:
    """A step that writes, and can be taken back."""
    return {"id": name, "tool": "notes.put", "args": {"text": text}, **more}


def mail(name: str, to: str, **more: Any) -> dict[str, Any]:
    """A step that writes, and cannot be taken back."""
    return {"id": name, "tool": "mail.send", "args": {"to": to}, **more}


def says(*steps: dict[str, Any], output: Any = None, **more: Any) -> tuple[Say]:
    """A whole document, in small pieces."""
    document: dict[str, Any] = {"steps": list(steps), **more}
    if output is not None:
        document["output"] = output
    return (Say(json.dumps(document), split=7),)


def answers(answer: Any) -> tuple[Say]:
    """The answer of a joiner."""
    return (Say(json.dumps({"answer": answer}), split=5),)


@asynccontextmanager
async def drawn(
    tools: Tools, *scripted: Iterable[Line]
) -> AsyncIterator[tuple[Engine, ScriptedModel]]:
    """An engine in memory, with a model `m` that follows a script."""
    model = ScriptedModel(*scripted)
    async with asyncio.timeout(PATIENCE), Engine.in_memory(tools.all) as engine:
        engine.models.add("m", model)
        yield engine, model


def told(model: ScriptedModel, request: int) -> str:
    """What a model was told last, when it was asked for the nth time."""
    last = model.requests[request].messages[-1]
    assert isinstance(last, UserMessage)
    return last.text
