"""One question to a model, as a step of any plan: the tool `model.ask`.

It asks once, and nothing that it answers is called. With a schema the answer is data: whether it
fits stands beside it, and what becomes of one that does not is the plan's to say.
"""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import aclosing
from typing import TYPE_CHECKING

import msgspec

from callsheet.agents import money
from callsheet.agents.assembler import Assembler, read_arguments
from callsheet.agents.bounded import streamed
from callsheet.agents.message import MESSAGE_TYPE, AnswerMessage, UserMessage, encode
from callsheet.agents.model import CallDelta, Offered, Request, Response, TextDelta, Usage
from callsheet.agents.models import ASK
from callsheet.agents.naming import Names
from callsheet.core import value
from callsheet.core.problem import spell
from callsheet.core.schema.validate import problem_of_schema, problems_of
from callsheet.core.value import Json
from callsheet.errors import DeniedError, InputError, InvalidError, ToolError
from callsheet.tools.function.declare import schema_tool

if TYPE_CHECKING:
    from callsheet.agents.model import Streamed
    from callsheet.agents.models import Models
    from callsheet.core.plan.artifact import Artifact
    from callsheet.ports import Context
    from callsheet.tools.function.declare import AnyTool, Terms

JSON_TYPE = "application/json"
GIVE = "answer"
"""What a model calls to give an answer that is data."""
_GIVES = "Give your answer: call this once, and nothing else."
MOST_PROBLEMS = 40
MOST_TOKENS = 128_000

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "model": {"type": "string"},
        "message": {"type": "string"},
        "instructions": {"type": "string"},
        "schema": {"type": "object"},
        "max_tokens": {"type": "integer", "minimum": 1, "maximum": MOST_TOKENS},
    },
    "required": ["model", "message"],
    "additionalProperties": False,
}
RETURNS: dict[str, Json] = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "data": {"type": ["object", "null"]},
        "problems": {"type": "array", "items": {"type": "string"}},
        "model": {"type": "object"},
        "settings": {"type": "object"},
        "prompt": {"type": "string"},
        "schema": {"type": "string"},
        "request": {"type": "string"},
        "response": {"type": "string"},
        "response_id": {"type": "string"},
        "usage": {"type": "object"},
        "stop": {"type": "string"},
        "kept": {"type": "array"},
    },
    "required": ["text", "data", "problems", "model", "usage", "stop"],
}

_FENCED = re.compile(r"\A\s*```[a-zA-Z]*\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked."""

    model: str
    message: str
    instructions: str = ""
    schema: dict[str, Json] | None = None
    """Of the answer; None: it is text."""
    max_tokens: int | None = None
    """Of the answer, unless the configuration of the model says another number."""


def ask_tool(models: Models) -> AnyTool:
    """`model.ask`: asks a model once."""

    async def ask(args: dict[str, Json], ctx: Context) -> Json:
        """Ask a model once; with a schema, for data."""
        return await _Asked(models, msgspec.convert(args, Question), ctx).answer()

    # One model that fails must not keep others from being asked.
    terms: Terms = {"effect": "read", "breaker": False}
    return schema_tool(ask, ASK, terms, args=SCHEMA, returns=RETURNS)


class _Asked:
    """One attempt."""

    def __init__(self, models: Models, question: Question, ctx: Context) -> None:
        self._models = models
        self._question = question
        self._ctx = ctx
        self._request = self._asked()
        self._received: list[str] = []
        self._last: Response | None = None

    def _asked(self) -> Request:
        asked, models = self._question, self._models
        if asked.schema is not None and (why := problem_of_schema(asked.schema)):
            raise InvalidError(f"schema: {why}.")
        settings = models.settings(
            asked.model, self._ctx.run, self._ctx.step, max_tokens=asked.max_tokens
        )
        gives = Offered(name=GIVE, description=_GIVES, schema=asked.schema or {})
        return Request(
            model=asked.model,
            messages=(UserMessage(text=asked.message),),
            instructions=asked.instructions,
            tools=(gives,) if asked.schema is not None else (),
            settings=settings,
        )

    async def answer(self) -> Json:
        """The record of the answer, and what it says."""
        sent = await self._keep(
            {
                "model": self._request.model,
                "message": self._question.message,
                "instructions": self._request.instructions,
                "schema": self._question.schema,
                "settings": self._request.settings,
            }
        )
        assembler = await self._read()
        last = self._last
        assert last is not None
        message = AnswerMessage(
            parts=assembler.parts(last), model=last.model or self._request.model
        )
        response = await self._ctx.store(encode(message), media_type=MESSAGE_TYPE)
        data, problems = self._understood(message, last.stop)
        record: dict[str, Json] = {
            "text": message.text,
            "data": data,
            "problems": list(problems),
            "model": {"asked": self._request.model, "answered": last.model},
            "settings": {"asked": self._request.settings, "taken": last.taken},
            "prompt": value.digest(self._request.instructions),
            "request": sent.digest,
            "response": response.digest,
            "response_id": last.id,
            "usage": last.usage.to_json(),
            "stop": last.stop,
            "kept": [sent.to_json(), response.to_json()],
        }
        if self._question.schema is not None:
            record["schema"] = value.digest(self._question.schema)
        return record

    async def _keep(self, said: Json) -> Artifact:
        return await self._ctx.store(value.canonical(said), media_type=JSON_TYPE)

    # Reading

    async def _read(self) -> Assembler:
        assembler = Assembler(Names(tool.name for tool in self._request.tools).meant)
        try:
            model = self._models.open(self._request.model, self._ctx.tenant)
        except InputError as exc:
            raise InvalidError(exc.message) from exc
        try:
            async with aclosing(streamed(model, self._request)) as stream:
                async for piece in stream:
                    self._take(assembler, piece)
        except (ToolError, asyncio.CancelledError):
            if self._received:  # what was refused before a word of it came costs nothing
                self._charge(money.estimated(self._request, self._received))
            raise
        assert self._last is not None
        self._charge(self._last.usage)
        if self._last.stop == "content_filter":
            raise DeniedError(f"{self._request.model} refuses to answer this.")
        return assembler

    def _take(self, assembler: Assembler, piece: Streamed) -> None:
        assembler.feed(piece)
        match piece:
            case TextDelta(text=text):
                self._received.append(text)
                if text and self._question.schema is None:
                    self._ctx.emit(text)
            case CallDelta(arguments=arguments):
                self._received.append(arguments)
            case Response():
                self._last = piece
            case _:
                pass

    def _charge(self, usage: Usage) -> None:
        cost = money.cost_of(usage, self._models.price(self._request.model))
        self._ctx.charge(usd=cost.usd, tokens=cost.tokens)

    # Understanding

    def _understood(self, message: AnswerMessage, stop: str) -> tuple[Json, list[str]]:
        """The data of an answer, and how it does not fit; without a schema there is none."""
        schema = self._question.schema
        if schema is None:
            return None, []
        given = [call.arguments for call in message.calls if call.name == GIVE]
        problems = [
            f"There is no {call.name!r} here, and it was not called. Call {GIVE!r} alone."
            for call in message.calls
            if call.name != GIVE
        ]
        text = given[-1] if given else _FENCED.sub(r"\1", message.text)
        data = read_arguments(text) if text.strip() else None
        if data is None:
            cut = f" It was cut off after {self._last.usage.output} tokens." if self._last else ""
            problems.append(f"{_wrong(text)}{cut if stop == 'length' else ''}")
            return None, problems
        found = problems_of(schema, data)
        problems += [f"{spell(place) if place else 'the answer'}: {what}" for place, what in found]
        return data, problems[:MOST_PROBLEMS]


def _wrong(text: str) -> str:
    """Why a text is no object."""
    if not text.strip():
        return f"The answer is empty. Call {GIVE!r} with one object."
    try:
        json.loads(text)
    except (ValueError, RecursionError) as exc:
        return f"The answer is no JSON: {exc}. Call {GIVE!r} with one object."
    return f"The answer is JSON, but no object. Call {GIVE!r} with one object."
