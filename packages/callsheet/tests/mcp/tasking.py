"""The client's half of the extension for tasks, which the official client leaves to others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import anyio
from mcp.client import ClientExtension
from mcp.client.extension import ResultClaim
from mcp_types import CallToolResult, Request, RequestParams, Result
from pydantic import ConfigDict
from pydantic.alias_generators import to_camel
from tests.acceptance.command import SECONDS
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mcp import Client
    from mcp.client.extension import ClaimContext

TASKS = "io.modelcontextprotocol/tasks"


class _Handle(Result):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="allow")

    result_type: Literal["task"] = "task"
    task_id: str
    status: str


class _Params(RequestParams):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    task_id: str
    input_responses: dict[str, Any] | None = None


class _Get(Request[_Params, Literal["tasks/get"]]):
    method: Literal["tasks/get"] = "tasks/get"
    name_param = "taskId"
    params: _Params


class _Update(Request[_Params, Literal["tasks/update"]]):
    method: Literal["tasks/update"] = "tasks/update"
    name_param = "taskId"
    params: _Params


class _Cancel(Request[_Params, Literal["tasks/cancel"]]):
    method: Literal["tasks/cancel"] = "tasks/cancel"
    name_param = "taskId"
    params: _Params


class _Anything(Result):
    model_config = ConfigDict(extra="allow")


class TasksClient(ClientExtension):
    """Knows tasks; a call that is one returns its handle at once, and does not wait for it."""

    identifier = TASKS

    @override
    def claims(self) -> Sequence[ResultClaim[Any]]:
        return [ResultClaim(result_type="task", model=_Handle, resolve=self._handle)]

    async def _handle(self, handle: _Handle, _context: ClaimContext) -> CallToolResult:
        told = handle.model_dump(by_alias=True, mode="json")
        return CallToolResult(content=[], structured_content=told)


async def begin(client: Client, tool: str, **args: Any) -> str:
    """Call a tool whose answer is a task; the task's id."""
    result = await client.call_tool(tool, args)
    assert result.structured_content, result
    assert result.structured_content.get("resultType") == "task", result.structured_content
    return str(result.structured_content["taskId"])


async def get(client: Client, task: str) -> dict[str, Any]:
    found = await client.session.send_request(_Get(params=_Params(task_id=task)), _Anything)
    return dict(found.model_extra or {})


async def update(client: Client, task: str, **answers: Any) -> None:
    params = _Params(task_id=task, input_responses=answers)
    await client.session.send_request(_Update(params=params), _Anything)


async def cancel(client: Client, task: str) -> None:
    await client.session.send_request(_Cancel(params=_Params(task_id=task)), _Anything)


async def until(client: Client, task: str, status: str) -> dict[str, Any]:
    """The task, once it has this status."""
    return await once(client, task, lambda found: found["status"] == status)


async def once(client: Client, task: str, met: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The task, once this is true of it; it must be before the task is over."""
    with anyio.fail_after(SECONDS):
        while not met(found := await get(client, task)):
            assert found["status"] in ("working", "input_required"), found
            await anyio.sleep(0.02)
    return found
