"""A provider's model as ours: its events in our words, its connection ours to close."""

from __future__ import annotations

import asyncio
import json
import warnings
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, cast

from callsheet.agents.assembler import Assembler
from callsheet.agents.failures import tool_error
from callsheet.agents.model import (
    CallDelta,
    Request,
    Response,
    Stop,
    Streamed,
    TextDelta,
    ThinkingDelta,
    Usage,
)
from callsheet.agents.naming import Names
from callsheet.agents.provider import sent, services, wire

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    import httpx2
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model as TheirModel

    from callsheet.agents.message import Part

CONNECT = 10.0
SILENCE = 120.0
"""Seconds without a byte after which nobody is expected to say more."""


class ProviderModel:
    """Implements `Model` with pydantic-ai; connects when it is first asked."""

    def __init__(self, service: str, model: str, *, key: str, base_url: str | None = None) -> None:
        services.must_be_installed()
        self._service = service
        self._model = model
        self._key = key
        self._base_url = base_url
        self._client: httpx2.AsyncClient | None = None
        self._theirs: TheirModel[Any] | None = None

    async def close(self) -> None:
        """Let go of connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = self._theirs = None

    async def stream(self, request: Request) -> AsyncGenerator[Streamed, None]:
        """The answer, as it is written."""
        going = sent.Sent()
        token = sent.sending.set(going)
        try:
            async with aclosing(self._streamed(request, going)) as stream:
                async for piece in stream:
                    yield piece
        except Exception as exc:
            raise tool_error(exc, request.model) from exc
        finally:
            if going.response is not None:
                # Google's library leaves it open until it is collected.
                await going.response.aclose()
            # A stream that is thrown away may be closed from elsewhere.
            if sent.sending.get() is going:
                sent.sending.reset(token)

    async def _streamed(self, request: Request, going: sent.Sent) -> AsyncGenerator[Streamed, None]:
        # The libraries take their time to load, and the event loop has other things to do.
        theirs = await asyncio.to_thread(self._reached)
        from pydantic_ai.direct import model_request_stream

        names = Names(tool.name for tool in request.tools)
        told = model_request_stream(
            theirs,
            wire.messages_of(request, names, self._service),
            model_settings=cast("Any", {**request.settings, "max_retries": 0}),
            model_request_parameters=wire.parameters_of(request, names),
        )
        gathered = Assembler(names.meant)
        _hush()
        async with told as events:
            async for event in events:
                for piece in _pieces(event):
                    gathered.feed(piece)
                    yield piece
            said = events.get()
        usage = _usage(said)
        yield usage
        yield Stop(said.finish_reason or "")
        yield Response(
            parts=gathered.parts(Response(parts=_thoughts(said))),
            model=said.model_name or self._model,
            id=said.provider_response_id or "",
            usage=usage,
            stop=said.finish_reason or "",
            taken=going.settings,
        )

    def _reached(self) -> TheirModel[Any]:
        if self._theirs is None:
            import httpx2
            import pydantic_ai.direct  # noqa: F401 -- loaded here, where nobody waits for it

            self._client = httpx2.AsyncClient(
                timeout=httpx2.Timeout(SILENCE, connect=CONNECT),
                event_hooks={"request": [sent.note], "response": [sent.hold]},
            )
            self._theirs = services.model_of(
                self._service,
                self._model,
                key=self._key,
                base_url=self._base_url,
                client=self._client,
            )
        return self._theirs


def _hush() -> None:
    """What the library leaves out is read from what was sent: nobody need be warned of it."""
    warnings.filterwarnings("ignore", "Sampling parameters", module=r"pydantic_ai\.")
    warnings.filterwarnings("ignore", ".*not support", module=r"pydantic_ai\.")


def _pieces(event: object) -> Iterator[TextDelta | ThinkingDelta | CallDelta]:
    """An event of the library, in our words; most of its kinds say nothing new."""
    from pydantic_ai import messages as theirs

    match event:
        case theirs.PartStartEvent(index=index, part=theirs.TextPart(content=text)):
            yield TextDelta(index, text)
        case theirs.PartStartEvent(index=index, part=theirs.ThinkingPart() as part):
            signature, provider = part.signature or "", part.provider_name or ""
            yield ThinkingDelta(index, part.content, signature, provider)
        case theirs.PartStartEvent(index=index, part=theirs.ToolCallPart() as part):
            yield CallDelta(index, part.tool_call_id, part.tool_name, _written(part.args))
        case theirs.PartDeltaEvent(index=index, delta=theirs.TextPartDelta(content_delta=text)):
            yield TextDelta(index, text)
        case theirs.PartDeltaEvent(index=index, delta=theirs.ThinkingPartDelta() as delta):
            signature, provider = delta.signature_delta or "", delta.provider_name or ""
            yield ThinkingDelta(index, delta.content_delta or "", signature, provider)
        case theirs.PartDeltaEvent(index=index, delta=theirs.ToolCallPartDelta() as delta):
            name, id = delta.tool_name_delta or "", delta.tool_call_id or ""
            yield CallDelta(index, id, name, _written(delta.args_delta))
        case _:
            return


def _written(arguments: str | dict[str, Any] | None) -> str:
    """Arguments as text; of providers that send them whole they come as a mapping."""
    if isinstance(arguments, dict):
        return json.dumps(arguments)
    return arguments or ""


def _thoughts(said: ModelResponse) -> tuple[Part, ...]:
    from pydantic_ai import messages as theirs

    return tuple(wire.thought(part) for part in said.parts if isinstance(part, theirs.ThinkingPart))


def _usage(said: ModelResponse) -> Usage:
    return Usage(
        input=said.usage.input_tokens,
        output=said.usage.output_tokens,
        cached=said.usage.cache_read_tokens,
    )
