"""Contents that the scenarios ask for."""

from __future__ import annotations

import base64
from typing import Any

from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    EmbeddedResource,
    ImageContent,
    SamplingMessage,
    TextContent,
    TextResourceContents,
)

PIXEL = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
        "53de0000000c49444154789c63f8cfc000000301010018dd8db0000000004945"
        "4e44ae426082"
    )
).decode()
SOUND = base64.b64encode(
    b"RIFF$\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00@\x1f\x00\x00\x80>\x00\x00"
    b"\x02\x00\x10\x00data\x00\x00\x00\x00"
).decode()


def text(said: str) -> TextContent:
    return TextContent(type="text", text=said)


def image() -> ImageContent:
    return ImageContent(type="image", data=PIXEL, mime_type="image/png")


def resource(uri: str, said: str, kind: str = "text/plain") -> EmbeddedResource:
    contents = TextResourceContents(uri=uri, text=said, mime_type=kind)
    return EmbeddedResource(type="resource", resource=contents)


def form(message: str, **fields: Any) -> ElicitRequest:
    schema = {"type": "object", "properties": fields, "required": list(fields)}
    params = ElicitRequestFormParams(message=message, requested_schema=schema)
    return ElicitRequest(params=params)


def sample(said: str, tokens: int) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=text(said))
    params = CreateMessageRequestParams(messages=[message], max_tokens=tokens)
    return CreateMessageRequest(params=params)
