"""Tools about what plans may call, and about what calls have made."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from mcp_types import CallToolResult, ImageContent

from callsheet.core.plan.artifact import Artifact
from callsheet.errors import InputError
from callsheet.serve.mcp.call import Row
from callsheet.serve.mcp.schemas import LISTED, TEXT, gives, takes
from callsheet.serve.mcp.told import MOST, Told, link_of, size_of

if TYPE_CHECKING:
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.serve.mcp.call import Call

_ROOM = MOST - 500
_ABOUT = 120
_TEXT = 8_000
"""Bytes of an artifact that are told at once."""
_IMAGE = 1_000_000
SIGNS = {
    b"\x89PNG\r\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
}
"""How pictures begin."""


async def listed(call: Call) -> Told:
    """What plans may call."""
    registry = call.door.tenant.tools
    after = call.args.get("after", "")
    items: list[dict[str, Any]] = []
    left = [name for name in registry.names() if name > after]
    for name in left:
        spec = registry.spec(name)
        item = _brief(spec) if spec else {"name": name}
        if size_of([*items, item]) > _ROOM:
            break
        items.append(item)
    more = len(items) < len(left)
    return Told(data={"items": items, "next": items[-1]["name"] if items and more else None})


def _brief(spec: ToolSpec) -> dict[str, Any]:
    said = spec.description.partition("\n")[0]
    found: dict[str, Any] = {
        "name": spec.name,
        "effect": spec.effect,
        "about": said if len(said) <= _ABOUT else f"{said[:_ABOUT]}…",
        "args": list(spec.input_schema.get("properties", {}) or ()),  # type: ignore[arg-type]
        "undo": spec.undo,
        "idempotent": spec.idempotent,
        "destructive": spec.destructive,
        "approval": spec.approval,
    }
    return {name: value for name, value in found.items() if value not in (None, False, "", [])}


async def show(call: Call) -> Told:
    """One of them, whole."""
    spec = call.door.tenant.tools.spec(call.args["name"])
    if spec is None:
        raise InputError(f"There is no tool {call.args['name']!r}. tool_list lists them.")
    return Told(data=spec.to_json())


async def read(call: Call) -> Told | CallToolResult:
    """What is in an artifact."""
    digest = await call.door.tenant.artifacts.find(call.args["digest"])
    wanted = call.args.get("as", "text")
    if wanted == "link":
        link = link_of(Artifact(digest=digest))
        return Told(data={"digest": digest, "read": link.uri}, links=(link,))
    data = await call.door.tenant.artifacts.get(digest)
    facts: dict[str, Any] = {"digest": digest, "size": len(data)}
    if wanted == "image":
        return _picture(data, facts)
    begin, end = call.args.get("range", (0, len(data)))
    end = min(end, begin + _TEXT, len(data))
    text = data[begin:end].decode("utf-8", "replace")
    more = end if end < len(data) else None
    return Told(data={**facts, "range": [begin, end], "text": text, "next": more})


def _picture(data: bytes, facts: dict[str, Any]) -> CallToolResult:
    kind = next((kind for sign, kind in SIGNS.items() if data.startswith(sign)), None)
    if kind is None:
        raise InputError("The artifact is no PNG, JPEG, GIF or WebP picture. Read it as text.")
    if len(data) > _IMAGE:
        raise InputError(
            f"The picture has {len(data)} bytes, too many to be told. Read it as link."
        )
    image = ImageContent(type="image", data=base64.b64encode(data).decode(), mime_type=kind)
    return CallToolResult(content=[image], structured_content={**facts, "media_type": kind})


ROWS = (
    Row(
        name="tool_list",
        about="List the tools that steps of a plan may call.",
        takes=takes(after={**TEXT, "description": "`next` of the page before."}),
        gives=LISTED,
        noun="plans",
        do=listed,
        reads=True,
    ),
    Row(
        name="tool_show",
        about="A tool that plans may call: its arguments and output as JSON Schema, its effect, "
        "its undo, its cost.",
        takes=takes("name", name=TEXT),
        gives=gives(name="text", effect="text", input_schema="object", output_schema="object?"),
        noun="plans",
        do=show,
        reads=True,
    ),
    Row(
        name="artifact_read",
        about="Read what a step has made, by its digest (or at least 6 characters of it).",
        takes=takes(
            "digest",
            digest=TEXT,
            range={
                "type": "array",
                "items": {"type": "integer", "minimum": 0},
                "minItems": 2,
                "maxItems": 2,
                "description": "Bytes, from and up to.",
            },
            **{"as": {"enum": ["text", "image", "link"]}},
        ),
        gives=gives(digest="text", size="whole", text="text", next="whole?"),
        noun="artifacts",
        do=read,
        reads=True,
    ),
)
