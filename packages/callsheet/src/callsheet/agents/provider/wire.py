"""Our messages in the library's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from callsheet.agents.assembler import read_arguments
from callsheet.agents.message import AnswerMessage, Call, ResultsMessage, Text, Thinking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic_ai.messages import ModelMessage, ModelResponsePart
    from pydantic_ai.models import ModelRequestParameters

    from callsheet.agents.message import Part
    from callsheet.agents.model import Request
    from callsheet.agents.naming import Names

UNREADABLE = 2000
"""Characters of wrong arguments that a model is shown again."""
SILENT = "…"
"""What stands where an answer said nothing: providers refuse an empty one."""


def messages_of(request: Request, names: Names, service: str) -> list[ModelMessage]:
    """The conversation as the library takes it; thoughts go to the provider they came from."""
    from pydantic_ai import messages as theirs

    told: list[ModelMessage] = []
    for message in request.messages:
        if isinstance(message, AnswerMessage):
            parts = list(_answered(message.parts, names, service))
            told.append(
                theirs.ModelResponse(
                    parts=parts or [theirs.TextPart(SILENT)], provider_name=service
                )
            )
        elif isinstance(message, ResultsMessage):
            results = [
                theirs.ToolReturnPart(
                    tool_name=names.written(each.name),
                    content=each.content,
                    tool_call_id=each.id,
                    outcome="failed" if each.error else "success",
                )
                for each in message.results
            ]
            told.append(theirs.ModelRequest(parts=results))
        else:
            told.append(theirs.ModelRequest(parts=[theirs.UserPromptPart(message.text)]))
    if request.instructions and told and isinstance(told[-1], theirs.ModelRequest):
        told[-1].instructions = request.instructions
    return told


def _answered(parts: tuple[Part, ...], names: Names, service: str) -> Iterator[ModelResponsePart]:
    from pydantic_ai import messages as theirs

    for part in parts:
        match part:
            case Text(text=text):
                if text.strip():
                    yield theirs.TextPart(text)
            case Call():
                yield theirs.ToolCallPart(
                    tool_name=names.written(part.name),
                    args=_object(part.arguments),
                    tool_call_id=part.id,
                )
            case Thinking():
                if part.provider == service:
                    details = cast("dict[str, Any] | None", part.details)
                    yield theirs.ThinkingPart(
                        part.text,
                        id=part.id or None,
                        signature=part.signature or None,
                        provider_name=part.provider,
                        provider_details=details,
                    )


def _object(arguments: str) -> str:
    """Arguments that every provider takes back: those that are no object stand inside of one."""
    if read_arguments(arguments) is not None:
        return arguments or "{}"
    from callsheet.core import value

    return value.encode({"INVALID_JSON": arguments[:UNREADABLE]}).decode()


def parameters_of(request: Request, names: Names) -> ModelRequestParameters:
    """The tools as the library takes them."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

    return ModelRequestParameters(
        function_tools=[
            ToolDefinition(
                name=names.written(tool.name),
                description=tool.description or None,
                parameters_json_schema=tool.schema or {"type": "object", "properties": {}},
                strict=False,
            )
            for tool in request.tools
        ]
    )


def thought(part: Any) -> Thinking:
    """A thought as it is kept."""
    return Thinking(
        text=part.content or "",
        signature=part.signature or "",
        id=part.id or "",
        provider=part.provider_name or "",
        details=part.provider_details,
    )
