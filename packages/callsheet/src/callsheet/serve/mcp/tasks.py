"""Runs as tasks: the extension `io.modelcontextprotocol/tasks` (SEP-2663).

A task is a run, and its id is the run's: durable before it is told, known to every process on the
home, and after every crash. Nothing is kept here.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from mcp.server.extension import Extension, MethodBinding
from mcp.server.mcpserver.server import require_client_extension
from mcp.shared.exceptions import MCPError
from mcp_types import (
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    InputRequiredResult,
    RequestParams,
)
from pydantic import ConfigDict
from pydantic.alias_generators import to_camel
from typing_extensions import override

from callsheet.core.run.entries import RunEnded
from callsheet.core.run.step import RunState
from callsheet.errors import (
    CallsheetError,
    InputError,
    RequestPendingError,
    RequestRefusedError,
    UnknownRunError,
)
from callsheet.serve.mcp.call import client_of
from callsheet.serve.mcp.door import APPROVE
from callsheet.serve.mcp.forms import answered, can_show, request_of
from callsheet.serve.mcp.told import Told, refusal
from callsheet.serve.mcp.view import progress_of, told_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp_types import CallToolRequestParams

    from callsheet.core.past.result import Result
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.run.step import Question
    from callsheet.runtime.run import Run
    from callsheet.serve.mcp.call import Row
    from callsheet.serve.mcp.door import Door, Doors

TASKS = "io.modelcontextprotocol/tasks"
VERSIONS = frozenset({"2026-07-28"})
_POLL = 500
"""Milliseconds after which a client looks again."""
_GIVEN_UP = frozenset({RunState.CANCELLED, RunState.UNDONE})


class TaskParams(RequestParams):
    """What the methods about tasks are told."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    task_id: str
    input_responses: dict[str, Any] | None = None


class Tasks(Extension):
    """Answers `tasks/get`, `tasks/update` and `tasks/cancel`, and makes tasks of some calls."""

    identifier = TASKS

    def __init__(self, rows: Iterable[Row], doors: Doors) -> None:
        rows = tuple(rows)
        self._doors = doors
        self._begun = {row.name: row for row in rows if row.begins is not None}
        self._ended = {row.plan: row for row in rows if row.plan and row.ends is not None}

    @override
    def methods(self) -> Sequence[MethodBinding]:
        """The methods, where the protocol has them."""
        return [
            MethodBinding("tasks/get", TaskParams, self._get, VERSIONS),
            MethodBinding("tasks/update", TaskParams, self._update, VERSIONS),
            MethodBinding("tasks/cancel", TaskParams, self._cancel, VERSIONS),
        ]

    @override
    async def intercept_tool_call(
        self,
        params: CallToolRequestParams,
        ctx: ServerRequestContext[Any, Any],
        call_next: CallNext,
    ) -> HandlerResult:
        """Answer with a task, if the client knows what that is."""
        row = self._begun.get(params.name)
        if row is None or row.begins is None:
            return await call_next(ctx)
        if not _has_tasks(ctx):
            if row.only_task:
                require_client_extension(ctx, TASKS)
            return await call_next(ctx)
        try:
            door = self._doors(ctx)
            call = row.call(door, dict(params.arguments or {}), ctx, params.input_responses)
            if isinstance(call, Told):
                return call.result()
            run = await row.begins(call)
        except CallsheetError as error:
            return refusal(error).result()
        if isinstance(run, InputRequiredResult):
            return run  # a question that is asked before it can begin
        return {"resultType": "task", **await self._view(ctx, door, run)}

    # The methods

    async def _get(self, ctx: ServerRequestContext[Any, Any], params: TaskParams) -> HandlerResult:
        door, run = await self._found(ctx, params)
        return {"resultType": "complete", **await self._view(ctx, door, run)}

    async def _update(
        self, ctx: ServerRequestContext[Any, Any], params: TaskParams
    ) -> HandlerResult:
        """Take answers: those that fit what is asked now; others are for what is over."""
        door, run = await self._found(ctx, params)
        asked = {question.id: question for question in (await run.status()).questions}
        meant = {key: said for key, said in (params.input_responses or {}).items() if key in asked}
        if meant and not _may_answer(ctx, door):
            raise MCPError(
                code=INVALID_REQUEST,
                message="Whoever comes this way may not answer for a person. "
                f"callsheet answer {run.id} {asked[next(iter(meant))].step} VALUE",
            )
        try:
            found = {key: answered(asked[key], said) for key, said in meant.items()}
        except InputError as error:
            raise MCPError(code=INVALID_PARAMS, message=error.message) from error
        for key, answer in found.items():
            if answer is not None:
                # Somebody may have answered meanwhile: once is enough.
                with suppress(RequestRefusedError, RequestPendingError):
                    await run.answer(asked[key].step, answer, by=client_of(door, ctx), question=key)
        return {"resultType": "complete"}

    async def _cancel(
        self, ctx: ServerRequestContext[Any, Any], params: TaskParams
    ) -> HandlerResult:
        """Ask for the end; whether it has come, `tasks/get` says."""
        door, run = await self._found(ctx, params)
        if not door.may("runs:write"):
            raise MCPError(code=INVALID_REQUEST, message="It needs the scope runs:write.")
        # It has ended, or is about to; or it will when somebody drives it.
        with suppress(RequestRefusedError, RequestPendingError):
            await run.cancel(by=client_of(door, ctx))
        return {"resultType": "complete"}

    async def _found(
        self, ctx: ServerRequestContext[Any, Any], params: TaskParams
    ) -> tuple[Door, Run]:
        require_client_extension(ctx, TASKS)
        headers = getattr(ctx.request, "headers", None)  # none on stdio
        if headers is not None and headers.get("mcp-name") != params.task_id:
            raise MCPError(
                code=HEADER_MISMATCH, message="The header Mcp-Name is not the task's id."
            )
        door = self._doors(ctx)
        if not door.may("runs:read"):
            raise MCPError(code=INVALID_REQUEST, message="It needs the scope runs:read.")
        unknown = MCPError(code=INVALID_PARAMS, message=f"There is no task {params.task_id!r}.")
        try:
            run = await door.tenant.get(params.task_id)
            head = await door.tenant.head(params.task_id)
        except (UnknownRunError, InputError) as error:
            raise unknown from error
        if door.keeps is not None and door.tenant.is_older(head, door.keeps):
            raise unknown
        return door, run

    # How a run looks as a task

    async def _view(
        self, ctx: ServerRequestContext[Any, Any], door: Door, run: Run
    ) -> dict[str, Any]:
        result, entries = await run.status(), await run.journal()
        view: dict[str, Any] = {
            "taskId": run.id,
            "createdAt": msgspec.to_builtins(entries[0].at),
            "lastUpdatedAt": msgspec.to_builtins(entries[-1].at),
            "ttlMs": None if door.keeps is None else round(door.keeps.total_seconds() * 1000),
            "pollIntervalMs": _POLL,
        }
        if result.damaged:
            error = {"code": INTERNAL_ERROR, "message": result.damaged}
            return {**view, "status": "failed", "statusMessage": result.damaged, "error": error}
        end = _first_end(entries)
        if end is not None:
            return {**view, **await self._over(door, run, result, end)}
        if result.questions:
            return {**view, **_asking(ctx, door, run, result.questions)}
        words = "paused" if result.paused else progress_of(result)[2]
        return {**view, "status": "working", "statusMessage": words}

    async def _over(self, door: Door, run: Run, result: Result, end: RunEnded) -> dict[str, Any]:
        """A task that is over stays as it ended, whatever is done with its run later."""
        cause = end.cause.kind if end.cause else ""
        if RunState(end.state) in _GIVEN_UP and cause == "cancel":
            return {"status": "cancelled", "statusMessage": f"The run is {result.shown_state}."}
        try:
            row = self._ended.get(result.plan)
            tell = row.ends if row is not None and row.ends is not None else told_of
            told = await tell(door, run, result)
        except MCPError as error:
            data = error.error.model_dump(by_alias=True, mode="json", exclude_none=True)
            return {"status": "failed", "statusMessage": error.error.message, "error": data}
        except CallsheetError as error:
            told = refusal(error)
        if RunState(end.state) is not RunState.SUCCEEDED:
            told = msgspec.structs.replace(told, is_error=True)
        dumped = told.result().model_dump(by_alias=True, mode="json", exclude_none=True)
        return {"status": "completed", "result": dumped}


def _asking(
    ctx: ServerRequestContext[Any, Any], door: Door, run: Run, questions: Sequence[Question]
) -> dict[str, Any]:
    """What is asked: of the client's user, if it can ask him; else it is said who else can."""
    first = questions[0]
    if not _may_answer(ctx, door):
        words = f"{first.text} A person answers: callsheet answer {run.id} {first.step} VALUE"
        return {"status": "working", "statusMessage": words}
    requests = {
        question.id: request_of(question, run.id).model_dump(
            by_alias=True, mode="json", exclude_none=True
        )
        for question in questions
    }
    return {"status": "input_required", "statusMessage": first.text, "inputRequests": requests}


def _may_answer(ctx: ServerRequestContext[Any, Any], door: Door) -> bool:
    shows = can_show(ctx.session.client_capabilities)
    return shows and (door.may(APPROVE) or door.forms_count)


def _has_tasks(ctx: ServerRequestContext[Any, Any]) -> bool:
    capabilities = ctx.session.client_capabilities
    declared = capabilities.extensions if capabilities else None
    return ctx.protocol_version in VERSIONS and bool(declared) and TASKS in (declared or {})


def _first_end(entries: Sequence[AnyEntry]) -> RunEnded | None:
    return next((entry for entry in entries if isinstance(entry, RunEnded)), None)
