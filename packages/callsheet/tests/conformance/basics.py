"""Tools, resources and prompts that the scenarios call by name."""

from __future__ import annotations

import base64
import warnings
from typing import TYPE_CHECKING, Any

import anyio

# Its name is looked up when a tool is added.
from mcp.server.mcpserver import Context  # noqa: TC002 -- see above
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.shared.exceptions import MCPError
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    AudioContent,
    CallToolResult,
    EmptyResult,
    InputRequiredResult,
    SetLevelRequestParams,
)
from tests.conformance.asking import NAME, content
from tests.conformance.contents import PIXEL, SOUND, form, image, resource, text

if TYPE_CHECKING:
    from callsheet.serve.mcp.server import CallsheetServer


async def test_simple_text() -> CallToolResult:
    """Simple text."""
    return CallToolResult(content=[text("This is a simple text response for testing.")])


async def test_image_content() -> CallToolResult:
    """A picture."""
    return CallToolResult(content=[image()])


async def test_audio_content() -> CallToolResult:
    """A sound."""
    sound = AudioContent(type="audio", data=SOUND, mime_type="audio/wav")
    return CallToolResult(content=[sound])


async def test_embedded_resource() -> CallToolResult:
    """A resource in the result."""
    said = "This is an embedded resource content."
    return CallToolResult(content=[resource("test://embedded-resource", said)])


async def test_multiple_content_types() -> CallToolResult:
    """Several kinds of content."""
    mixed = resource(
        "test://mixed-content-resource", '{"test":"data","value":123}', "application/json"
    )
    return CallToolResult(content=[text("Multiple content types test:"), image(), mixed])


async def test_error_handling() -> CallToolResult:
    """An error."""
    raise ToolError("This tool intentionally returns an error for testing")


async def test_tool_with_progress(ctx: Context[Any, Any]) -> CallToolResult:
    """Progress."""
    for done in (0, 50, 100):
        await ctx.report_progress(done, 100)
        await anyio.sleep(0.05)
    return CallToolResult(content=[text("done")])


async def test_tool_with_logging(ctx: Context[Any, Any]) -> CallToolResult:
    """Log messages."""
    for said in ("started", "processing data", "completed"):
        prefix = "Tool " if said.startswith("processing") else "Tool execution "
        await _log(ctx, f"{prefix}{said}")
        await anyio.sleep(0.05)
    return CallToolResult(content=[text("logged")])


async def test_logging_tool(ctx: Context[Any, Any]) -> CallToolResult:
    """A log message, for whoever wants it."""
    await _log(ctx, "logged")
    return CallToolResult(content=[text("logged")])


async def greet(name: str = "you") -> CallToolResult:
    """Greet somebody."""
    return CallToolResult(content=[text(f"Hello, {name}!")])


async def test_trigger_tool_change(ctx: Context[Any, Any]) -> CallToolResult:
    """Say that the list of tools has changed."""
    await ctx.notify_tools_changed()
    return CallToolResult(content=[text("changed")])


async def test_trigger_prompt_change(ctx: Context[Any, Any]) -> CallToolResult:
    """Say that the list of prompts has changed."""
    await ctx.notify_prompts_changed()
    return CallToolResult(content=[text("changed")])


async def test_missing_capability(ctx: Context[Any, Any]) -> CallToolResult:
    """Needs sampling."""
    capabilities = ctx.client_capabilities
    if capabilities is None or capabilities.sampling is None:
        raise MCPError(
            code=MISSING_REQUIRED_CLIENT_CAPABILITY,
            message="The client has not declared sampling.",
            data={"requiredCapabilities": {"sampling": {}}},
        )
    return CallToolResult(content=[text("there")])


async def _log(ctx: Context[Any, Any], said: str) -> None:
    # The SDK calls the whole feature deprecated; the scenarios of 2025-11-25 still ask for it.
    send: Any = ctx.session.send_log_message
    with warnings.catch_warnings(action="ignore"):
        await send("info", said, related_request_id=ctx.request_context.request_id)


TOOLS = (
    test_simple_text,
    test_image_content,
    test_audio_content,
    test_embedded_resource,
    test_multiple_content_types,
    test_error_handling,
    test_tool_with_progress,
    test_tool_with_logging,
    test_logging_tool,
    greet,
    test_trigger_tool_change,
    test_trigger_prompt_change,
    test_missing_capability,
)


def add_resources(server: CallsheetServer) -> None:
    @server.resource("test://static-text", mime_type="text/plain")
    async def static_text() -> str:
        """Text."""
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    async def static_binary() -> bytes:
        """A picture."""
        return base64.b64decode(PIXEL)

    @server.resource("test://template/{id}/data", mime_type="application/json")
    async def template(id: str) -> str:
        """A template."""
        return f'{{"id":"{id}","templateTest":true,"data":"Data for ID: {id}"}}'

    @server.resource("test://watched-resource", mime_type="text/plain")
    async def watched() -> str:
        """Something to subscribe to."""
        return "watched"


def add_prompts(server: CallsheetServer) -> None:
    @server.prompt()
    async def test_simple_prompt() -> str:
        """Simple."""
        return "This is a simple prompt for testing."

    @server.prompt()
    async def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        """With arguments."""
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt()
    async def test_prompt_with_embedded_resource(
        resourceUri: str,  # noqa: N803 -- the suite calls it so
    ) -> list[UserMessage]:
        """With a resource in it."""
        embedded = resource(resourceUri, "Embedded resource content for testing.")
        said = "Please process the embedded resource above."
        return [UserMessage(embedded), UserMessage(said)]

    @server.prompt()
    async def test_prompt_with_image() -> list[UserMessage]:
        """With a picture in it."""
        return [UserMessage(image()), UserMessage("Please analyze the image above.")]

    @server.prompt()
    async def test_input_required_result_prompt(
        ctx: Context[Any, Any],
    ) -> str | InputRequiredResult:
        """Asks before it answers."""
        found = content(ctx, "user_context")
        if not found:
            asks: Any = {"user_context": form("What context should the prompt use?", context=NAME)}
            return InputRequiredResult(input_requests=asks)
        return f"Use this context: {found.get('context')}"


def add_logging(server: CallsheetServer) -> None:
    async def set_level(_ctx: object, _params: SetLevelRequestParams) -> EmptyResult:
        return EmptyResult()

    server.low.add_request_handler("logging/setLevel", SetLevelRequestParams, set_level)
