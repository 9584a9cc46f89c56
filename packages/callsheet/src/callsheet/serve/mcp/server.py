"""The server: one object for stdio and HTTP, and for both eras of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp.server import MCPServer
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.subscriptions import InMemorySubscriptionBus
from mcp_types import (
    CompleteRequestParams,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    UnsubscribeRequestParams,
)
from typing_extensions import override

from callsheet import __version__
from callsheet.serve.mcp.apps import must_have_names_of_their_own
from callsheet.serve.mcp.call import Row, offered
from callsheet.serve.mcp.completion import Completing
from callsheet.serve.mcp.prompts import add_prompts
from callsheet.serve.mcp.resources import Reading, told_as_it_is
from callsheet.serve.mcp.subscriptions import Listening, Subscribing, watching
from callsheet.serve.mcp.tasks import Tasks
from callsheet.serve.mcp.tools import catalog, control, plans, questions, runs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server
    from mcp.server.lowlevel.helper_types import ReadResourceContents
    from mcp.server.mcpserver import Context

    from callsheet.serve.mcp.apps import Brought
    from callsheet.serve.mcp.door import Doors

ROWS: tuple[Row, ...] = (
    *plans.ROWS,
    *runs.ROWS,
    *control.ROWS,
    *questions.ROWS,
    *catalog.ROWS,
)
_INSTRUCTIONS = (
    "Callsheet runs tool calls as plans: in parallel, durably, inside a budget, and it can take "
    "them back. Write a plan (schema://plan, tool_list), plan_check it, mend what it says, then "
    "run_start it with a key of yours, and run_wait. A run goes on when you leave; only run_cancel "
    "cancels. What waits for a person (questions) is answered by that person, not by you. When "
    "something failed: run_status, then run_fork with other arguments, or run_undo."
)


_LASTS = CacheHint(ttl_ms=300_000, scope="private")
_NOW = CacheHint(ttl_ms=0, scope="private")
_CACHING: dict[CacheableMethod, CacheHint] = {
    "tools/list": _LASTS,
    "prompts/list": _LASTS,
    "resources/list": _LASTS,
    "resources/templates/list": _LASTS,
    "resources/read": _NOW,
}


class CallsheetServer(MCPServer[Any]):
    """The SDK's server with our tools, resources, prompts, tasks and subscriptions."""

    def __init__(self, doors: Doors, rows: Iterable[Row], apps: Iterable[Brought] = ()) -> None:
        rows = tuple(rows)
        must_have_names_of_their_own(rows)
        bus = InMemorySubscriptionBus()
        super().__init__(
            "callsheet",
            title="Callsheet",
            version=__version__,
            instructions=_INSTRUCTIONS,
            log_level="WARNING",
            tools=[offered(row, doors) for row in rows],
            extensions=[Tasks(rows, doors)],
            cache_hints=_CACHING,
            subscriptions=bus,
            lifespan=watching,
        )
        self._doors = doors
        self._needed = {row.name: row.needs for row in rows}
        Reading(doors).add_to(self)
        add_prompts(self, doors)
        for app in apps:
            app.add_to(self, doors)
        self.low.add_request_handler(
            "completion/complete", CompleteRequestParams, Completing(doors)
        )
        self.low.add_request_handler(
            "subscriptions/listen", SubscriptionsListenRequestParams, Listening(doors, bus)
        )
        older = Subscribing(doors)
        self.low.add_request_handler("resources/subscribe", SubscribeRequestParams, older.subscribe)
        self.low.add_request_handler(
            "resources/unsubscribe", UnsubscribeRequestParams, older.unsubscribe
        )

    @property
    def low(self) -> Server[Any]:
        """The server below, for what the SDK's upper one has no words for."""
        return self._lowlevel_server

    @override
    async def _handle_list_tools(
        self, ctx: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        """The tools that whoever asks may call: every conversation pays for each."""
        listed = await super()._handle_list_tools(ctx, params)
        may = self._doors(ctx).may
        # What tests add beside the table has no scope.
        shown = [
            each
            for each in listed.tools
            if each.name not in self._needed or may(self._needed[each.name])
        ]
        return listed.model_copy(update={"tools": shown})

    @override
    async def read_resource(
        self, uri: Any, context: Context[Any, Any] | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """As the SDK reads it; an artifact is what its bytes say, text or not."""
        found = await super().read_resource(uri, context)
        if isinstance(found, InputRequiredResult) or not str(uri).startswith("artifact://"):
            return found
        return [told_as_it_is(each) for each in found]


def build(
    doors: Doors,
    *,
    read_only: bool = False,
    more: Iterable[Row] = (),
    apps: Iterable[Brought] = (),
) -> CallsheetServer:
    """The server whose clients come in by these doors, with what apps bring."""
    apps = tuple(apps)
    brought = (row for app in apps for row in app.tools)
    rows = [row for row in (*ROWS, *brought, *more) if row.reads or not read_only]
    return CallsheetServer(doors, rows, apps)
