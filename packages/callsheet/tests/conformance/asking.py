"""Tools that ask the client, or its user, before they answer."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

# Its name is looked up when a tool is added.
from mcp.server.mcpserver import Context  # noqa: TC002 -- see above
from mcp_types import (
    CallToolResult,
    ElicitResult,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
)
from tests.conformance.contents import form, sample, text

if TYPE_CHECKING:
    from callsheet.serve.mcp.server import CallsheetServer

NAME = {"type": "string"}


async def test_sampling(prompt: str, ctx: Context[Any, Any]) -> CallToolResult:
    """Ask the client's model."""
    ask: Any = ctx.session.create_message
    message = SamplingMessage(role="user", content=text(prompt))
    with warnings.catch_warnings(action="ignore"):  # the feature is deprecated, and still asked for
        found = await ask([message], max_tokens=100, related_request_id=_id(ctx))
    return CallToolResult(content=[text(f"LLM response: {found.content.text}")])


async def test_elicitation(message: str, ctx: Context[Any, Any]) -> CallToolResult:
    """Ask the client's user."""
    fields = {name: {"type": "string"} for name in ("username", "email")}
    schema = {"type": "object", "properties": fields, "required": list(fields)}
    found = await ctx.session.elicit_form(message, schema, _id(ctx))
    return CallToolResult(content=[text(f"User response: {found.action}, {found.content}")])


async def test_elicitation_sep1034_defaults(ctx: Context[Any, Any]) -> CallToolResult:
    """Defaults of all kinds."""
    kinds = ["active", "inactive", "pending"]
    fields = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": kinds, "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await _completed(ctx, fields)


async def test_elicitation_sep1330_enums(ctx: Context[Any, Any]) -> CallToolResult:
    """Choices of all kinds."""
    plain = ["option1", "option2", "option3"]
    titled = [
        {"const": f"value{n}", "title": f"{word} Option"}
        for n, word in enumerate(("First", "Second", "Third"), 1)
    ]
    names = ["Option One", "Option Two", "Option Three"]
    fields = {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": names},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return await _completed(ctx, fields)


async def test_streaming_elicitation(
    ctx: Context[Any, Any],
) -> CallToolResult | InputRequiredResult:
    """Ask in the course of a call."""
    if ctx.input_responses:
        return CallToolResult(content=[text("answered")])
    asks: Any = {"ok": form("Sure?", ok={"type": "boolean"})}
    return InputRequiredResult(input_requests=asks)


async def _completed(ctx: Context[Any, Any], fields: dict[str, Any]) -> CallToolResult:
    schema = {"type": "object", "properties": fields, "required": []}
    found = await ctx.session.elicit_form("Please answer", schema, _id(ctx))
    said = f"Elicitation completed: action={found.action}, content={found.content}"
    return CallToolResult(content=[text(said)])


def _id(ctx: Context[Any, Any]) -> Any:
    return ctx.request_context.request_id


async def elicitation(ctx: Context[Any, Any]) -> CallToolResult | InputRequiredResult:
    found = content(ctx, "user_name")
    if not isinstance(found.get("name"), str):
        asks: Any = {"user_name": form("What is your name?", name=NAME)}
        return InputRequiredResult(input_requests=asks)
    return CallToolResult(content=[text(f"Hello, {found['name']}!")])


async def sampling(ctx: Context[Any, Any]) -> CallToolResult | InputRequiredResult:
    found: Any = (ctx.input_responses or {}).get("capital_question")
    if found is None:
        asks: Any = {"capital_question": sample("What is the capital of France?", 100)}
        return InputRequiredResult(input_requests=asks)
    return CallToolResult(content=[text(f"The model says: {found.content.text}")])


async def list_roots(ctx: Context[Any, Any]) -> CallToolResult | InputRequiredResult:
    found: Any = (ctx.input_responses or {}).get("client_roots")
    if found is None:
        asks: Any = {"client_roots": ListRootsRequest()}
        return InputRequiredResult(input_requests=asks)
    return CallToolResult(content=[text(f"Roots: {[str(r.uri) for r in found.roots]}")])


async def request_state(ctx: Context[Any, Any]) -> CallToolResult | InputRequiredResult:
    if ctx.request_state != "first":
        asks: Any = {"confirm": form("Please confirm", ok={"type": "boolean"})}
        return InputRequiredResult(input_requests=asks, request_state="first")
    return CallToolResult(content=[text("state-ok")])


async def multiple_inputs(ctx: Context[Any, Any]) -> CallToolResult | InputRequiredResult:
    asks: Any = {
        "user_name": form("What is your name?", name=NAME),
        "greeting": sample("Generate a greeting", 50),
        "client_roots": ListRootsRequest(),
    }
    if set(asks) - set(ctx.input_responses or {}):
        return InputRequiredResult(input_requests=asks, request_state="all")
    return CallToolResult(content=[text("all of it")])


async def multi_round(ctx: Context[Any, Any]) -> CallToolResult | InputRequiredResult:
    if ctx.request_state == "two" and content(ctx, "step2"):
        return CallToolResult(content=[text("done")])
    if ctx.request_state == "one" and content(ctx, "step1"):
        asks: Any = {"step2": form("Step 2: What is your favorite color?", color=NAME)}
        return InputRequiredResult(input_requests=asks, request_state="two")
    asks = {"step1": form("Step 1: What is your name?", name=NAME)}
    return InputRequiredResult(input_requests=asks, request_state="one")


async def capabilities(ctx: Context[Any, Any]) -> CallToolResult | InputRequiredResult:
    can = ctx.client_capabilities
    asks: Any = {}
    if can and can.elicitation is not None:
        asks["user_name"] = form("What is your name?", name=NAME)
    if can and can.sampling is not None:
        asks["greeting"] = sample("Generate a greeting", 50)
    if not asks:
        return CallToolResult(content=[text("nothing can be asked")])
    return InputRequiredResult(input_requests=asks)


def content(ctx: Context[Any, Any], key: str) -> dict[str, Any]:
    found = (ctx.input_responses or {}).get(key)
    return dict(found.content or {}) if isinstance(found, ElicitResult) else {}


TOOLS = (
    test_sampling,
    test_elicitation,
    test_elicitation_sep1034_defaults,
    test_elicitation_sep1330_enums,
    test_streaming_elicitation,
)


def add_input_required(server: CallsheetServer) -> None:
    """The flow in which a call is answered with questions, and made again with the answers."""
    for name, function in {
        "elicitation": elicitation,
        "sampling": sampling,
        "list_roots": list_roots,
        "request_state": request_state,
        "tampered_state": request_state,
        "multiple_inputs": multiple_inputs,
        "multi_round": multi_round,
        "capabilities": capabilities,
    }.items():
        server.add_tool(
            function,
            name=f"test_input_required_result_{name}",
            description="Asks before it answers.",
            structured_output=False,
        )
