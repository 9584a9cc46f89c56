"""One call of one of our tools: who calls, by which door, and what the tools do with it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from mcp.server.context import ServerRequestContext
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import func_metadata
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, InputRequiredResult, InputResponses, ToolAnnotations
from pydantic import Field
from typing_extensions import override

from callsheet.core.past.result import Result
from callsheet.core.problem import Problem, spell
from callsheet.core.schema.validate import violations_of
from callsheet.errors import CallsheetError
from callsheet.runtime.run import Run
from callsheet.serve.mcp.door import Door, Doors
from callsheet.serve.mcp.told import Told, denial, fault, misused, refusal

if TYPE_CHECKING:
    from mcp_types import ClientCapabilities

KEY = "dev.callsheet/idempotencyKey"
"""The key of a start in `_meta`, for clients that set it for their models."""
_log = logging.getLogger("callsheet.mcp")


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A call, with its arguments as the schema wants them."""

    tool: str
    door: Door
    args: dict[str, Any]
    request: ServerRequestContext[Any, Any]
    responses: InputResponses | None = None
    """What the client's user has put into the forms that an earlier answer asked for."""

    @property
    def key(self) -> str | None:
        """What makes the same start the same run."""
        found = self.args.get("key") or (self.request.meta or {}).get(KEY)
        return str(found) if found else None

    @property
    def client(self) -> str:
        """Who calls, as journals name it."""
        return client_of(self.door, self.request)

    @property
    def capabilities(self) -> ClientCapabilities | None:
        """What the client can do."""
        return self.request.session.client_capabilities

    async def run(self) -> Run:
        """The run that is meant."""
        return await self.door.tenant.get(self.args["run"])

    async def begin(self, start: Callable[[str | None], Awaitable[Run]]) -> Run:
        """Start a run in the name of whoever calls; `start` is given its key.

        Raises:
            RateLimitedError: too many go on.
        """
        self.door.may_start()
        run = await start(self.key)
        self.door.started(run.id)
        return run

    async def progress(self, done: float, total: float, message: str) -> None:
        """Tell the client how far it is, if it wants to know."""
        await self.request.session.report_progress(done, total, message)


def client_of(door: Door, request: ServerRequestContext[Any, Any]) -> str:
    """Who asks, as journals name it."""
    if door.by is not None:
        return door.by
    params = request.session.client_params
    return f"mcp:{params.client_info.name if params else 'client'}"


Does: TypeAlias = Callable[[Call], Awaitable[Told | CallToolResult | InputRequiredResult]]
Begins: TypeAlias = Callable[[Call], Awaitable[Run | InputRequiredResult]]
Ends: TypeAlias = Callable[[Door, Run, Result], Awaitable[Told]]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One of our tools, as it stands in the table."""

    name: str
    about: str
    takes: dict[str, Any]
    gives: dict[str, Any]
    do: Does
    reads: bool = False
    """It changes nothing."""
    noun: str = "runs"
    """What its scope is about."""
    destructive: bool = False
    """It may do what cannot be taken back."""
    idempotent: bool = False
    """A second call changes nothing more."""
    begins: Begins | None = None
    """Starts the run that is a task, for clients that have the extension."""
    plan: str = ""
    """The name of the plan whose runs `ends` tells of; empty: it tells of none."""
    ends: Ends | None = None
    """What a task that is such a run answers in the end; None: the view of the run."""
    only_task: bool = False
    """It takes so long that nobody can wait for it: a client without tasks cannot call it."""

    @property
    def needs(self) -> str:
        """The scope that whoever calls it must have."""
        return f"{self.noun}:{'read' if self.reads else 'write'}"

    async def answer(
        self,
        doors: Doors,
        arguments: dict[str, Any],
        request: ServerRequestContext[Any, Any],
        responses: InputResponses | None = None,
    ) -> CallToolResult | InputRequiredResult:
        """Do what is asked for; what goes wrong is a result, too."""
        done: Told | CallToolResult | InputRequiredResult
        try:
            call = self.call(doors(request), arguments, request, responses)
            done = call if isinstance(call, Told) else await self.do(call)
        except MCPError:
            raise
        except CallsheetError as error:
            done = refusal(error)
        # Whatever we have done wrong, the client gets an answer, and the next one too.
        except Exception as error:  # noqa: BLE001 -- see above
            _log.exception("%s failed", self.name)
            done = fault(error)
        return done.result() if isinstance(done, Told) else done

    def call(
        self,
        door: Door,
        arguments: dict[str, Any],
        request: ServerRequestContext[Any, Any],
        responses: InputResponses | None = None,
    ) -> Call | Told:
        """The call; or what is wrong with it."""
        if not door.may(self.needs):
            return denial(f"{self.name} needs the scope {self.needs}, which is not yours here.")
        problems = [
            Problem(place=spell(each.place) or "arguments", what=each.what, fix=each.fix)
            for each in violations_of(self.takes, arguments)
        ]
        if problems:
            return misused(self.name, problems)
        return Call(tool=self.name, door=door, args=arguments, request=request, responses=responses)


class Offered(Tool):
    """A row of the table as the SDK's server holds tools.

    Its schemas are ours, and its errors are results of ours: the SDK puts words before what is
    raised, and has no place for problems.
    """

    row: Any = Field(exclude=True)
    doors: Any = Field(exclude=True)

    @override
    @cached_property
    def output_schema(self) -> dict[str, Any] | None:
        """What its results have in them."""
        gives: dict[str, Any] = self.row.gives
        return gives

    @override
    async def run(
        self, arguments: dict[str, Any], context: Any, convert_result: bool = False
    ) -> Any:
        """Answer a call."""
        request = context.request_context
        return await self.row.answer(self.doors, arguments, request, context.input_responses)


def offered(row: Row, doors: Doors) -> Offered:
    """A row as a tool."""
    return Offered(
        fn=_nothing,
        name=row.name,
        title=None,
        context_kwarg=None,
        description=row.about,
        parameters=row.takes,
        fn_metadata=func_metadata(_nothing, structured_output=False),
        is_async=True,
        annotations=ToolAnnotations(
            read_only_hint=True if row.reads else None,
            destructive_hint=None if row.reads else row.destructive,
            idempotent_hint=True if row.idempotent else None,
        ),
        row=row,
        doors=doors,
    )


async def _nothing() -> None:
    """What is called is the row's."""
