"""Results of calls, as clients and models read them: small, structured, errors too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
from mcp_types import CallToolResult, ContentBlock, ResourceLink, TextContent

from callsheet.core.plan.artifact import artifacts_in
from callsheet.errors import CallsheetError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.core.plan.artifact import Artifact
    from callsheet.core.value import Json

MOST = 10_000
"""Bytes of JSON in one result. It stands there twice: as text, and as structured content."""
_TEXT = 160
_MOST_LINKS = 20
_BUDGETS = ((4_000, 200), (1_000, 50), (400, 20), (150, 8), (60, 4), (20, 2))
"""Characters of a text and items of a list, until the whole is small enough."""
_DEEPEST = 12


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool has to say."""

    data: dict[str, Any]
    links: tuple[ContentBlock, ...] = ()
    is_error: bool = False

    def result(self) -> CallToolResult:
        """As the protocol has it."""
        data = fitted(self.data)
        text = TextContent(type="text", text=json.dumps(data, ensure_ascii=False))
        return CallToolResult(
            content=[text, *self.links[:_MOST_LINKS]],
            structured_content=data,
            is_error=self.is_error,
        )


def refusal(error: CallsheetError) -> Told:
    """An error as a result: from its problems a model can mend a plan."""
    said: dict[str, Any] = {**error.to_json(), "retryable": error.retryable}
    if said["problems"]:
        # The message of a plan's error lists them once more.
        said["message"] = error.message.partition("\n")[0]
    return Told(data=said, is_error=True)


def denial(message: str) -> Told:
    """What this door does not allow."""
    said: dict[str, Any] = {"code": "denied", "message": message, "problems": []}
    return Told(data={**said, "retryable": False}, is_error=True)


def fault(error: Exception) -> Told:
    """A mistake of ours; what it was stands in the log, and no secret of it in the result."""
    what = f"This is a mistake in Callsheet ({type(error).__name__}); its log says more."
    said: dict[str, Any] = {"code": "internal", "message": what, "problems": []}
    return Told(data={**said, "retryable": True}, is_error=True)


def misused(tool: str, problems: Iterable[object]) -> Told:
    """The arguments do not fit what the tool takes."""
    return refusal(InputError(f"The arguments of {tool} do not fit.", problems))


def links_of(value: Json) -> tuple[ContentBlock, ...]:
    """A link to each artifact in a value: pictures and films are read, not told."""
    return tuple(link_of(each) for each in artifacts_in(value)[:_MOST_LINKS])


def link_of(artifact: Artifact) -> ResourceLink:
    """The link to an artifact."""
    return ResourceLink(
        type="resource_link",
        uri=f"artifact://{artifact.digest}",
        name=artifact.name or artifact.digest[:12],
        mime_type=artifact.media_type,
        size=artifact.size or None,
    )


def size_of(value: Any) -> int:
    """How long it is as JSON, in bytes."""
    return len(json.dumps(value, ensure_ascii=False).encode())


def fitted(data: dict[str, Any], most: int = MOST) -> dict[str, Any]:
    """The same, if it is small enough; else with its longest texts and lists cut, and marked so."""
    if size_of(data) <= most:
        return data
    for text, items in _BUDGETS:
        cut: dict[str, Any] = clipped(data, text, items)
        if size_of(cut) <= most:
            return cut
    return {"message": "Too large to be told; read the resource instead."}


def clipped(value: Any, text: int, items: int, depth: int = 0) -> Any:
    """A value with no text longer, and no list or mapping with more in it, than that."""
    if isinstance(value, str):
        left_out = len(value) - text
        return value if left_out <= 0 else f"{value[:text]}… ({left_out} more characters)"
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, list):
        shown = [clipped(each, text, items, depth + 1) for each in value[:items]]
        return shown if len(value) <= items else [*shown, f"… ({len(value) - items} more)"]
    if isinstance(value, dict):
        # The names of a view are few; what is long is data of a plan.
        most = max(items, 24) if depth == 0 else items
        pairs = list(value.items())
        shown_pairs = {key: clipped(each, text, items, depth + 1) for key, each in pairs[:most]}
        if len(pairs) > most:
            shown_pairs["…"] = f"({len(pairs) - most} more)"
        return shown_pairs
    return value
