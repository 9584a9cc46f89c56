"""Catalogues: the tools that a provider or a server describes, and one function for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack, cast

from callsheet.tools.function.declare import AnyTool, Terms, schema_tool
from callsheet.tools.specs.forms import Described, read_all

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def tools_from(
    specs: object,
    dispatch: Callable[..., Any],
    *,
    each: Mapping[str, Terms] | None = None,
    **terms: Unpack[Terms],
) -> list[AnyTool]:
    """The tools of a catalogue, as OpenAI, Anthropic, Gemini or MCP describe them.

    Args:
        specs: the descriptions: a list, or what a server answers (`{"tools": [...]}`).
        dispatch: called for each call: given `name` (as the description has it), `args` and `ctx`,
            as far as it has parameters of these names; one with `**` gets the arguments as
            keywords.
        each: terms of single tools, by name; MCP's hints say some of them already.
        terms: terms of all of them, as in `@tool`.

    Raises:
        ToolDefinitionError: something is no description, or cannot be a tool.
    """
    return [_tool(found, dispatch, each or {}, terms) for found in read_all(specs)]


def _tool(
    found: Described, dispatch: Callable[..., Any], each: Mapping[str, Terms], terms: Terms
) -> AnyTool:
    own = each.get(found.name, each.get(found.written, {}))
    said = cast("Terms", {**_hinted(found), **terms, **own})
    said.setdefault("description", found.description or None)
    return schema_tool(
        dispatch, found.name, said, args=found.args, returns=found.returns, written=found.written
    )


def _hinted(found: Described) -> dict[str, object]:
    hints = found.hints
    if hints.get("read"):
        return {"effect": "read"}
    if "read" not in hints:
        return {}
    terms = {name: True for name in ("idempotent", "destructive") if hints.get(name)}
    return {"effect": "write", **terms}
