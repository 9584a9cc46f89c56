"""The tools `wait` and `value`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from typing_extensions import TypedDict

from callsheet.ports import Context
from callsheet.tools.registry import tool

if TYPE_CHECKING:
    from callsheet.tools.registry import AnyTool

WAIT_AT_MOST = 366 * 86_400


class Waited(TypedDict):
    """What `wait` returns."""

    waited: float


def plain_tools() -> list[AnyTool]:
    """Both of them."""
    from pydantic import Field

    @tool("wait", effect="read")
    async def wait(seconds: Annotated[float, Field(ge=0, le=WAIT_AT_MOST)], ctx: Context) -> Waited:
        """Wait so many seconds."""
        await ctx.sleep(seconds)
        return Waited(waited=seconds)

    @tool("value", effect="read")
    async def value(value: Any) -> Any:
        """Return the value it is given: to name something, or to try a plan out."""
        return value

    return [wait, value]
