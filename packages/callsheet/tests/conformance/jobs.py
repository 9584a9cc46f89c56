"""Tools whose runs are tasks: plans on a real engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, ElicitResult, InputRequiredResult
from tests.conformance.asking import NAME
from tests.conformance.contents import form

from callsheet import tool
from callsheet.errors import FatalError
from callsheet.serve.mcp.call import Row
from callsheet.serve.mcp.schemas import RUN_VIEW, takes
from callsheet.serve.mcp.view import told_of
from callsheet.serve.mcp.waiting import waited

if TYPE_CHECKING:
    from callsheet import Result, Run
    from callsheet.serve.mcp.call import Begins, Call
    from callsheet.serve.mcp.door import Door
    from callsheet.serve.mcp.told import Told


@tool("job.fail", effect="read")
async def job_fail() -> None:
    """Fail."""
    raise FatalError("job failed")


TOOLS = [job_fail]


def _row(name: str, made: Any, **more: Any) -> Row:
    async def begins(call: Call) -> Run:
        return await call.door.tenant.start({"name": name, **made(call.args)})

    async def do(call: Call) -> Told:
        run = await begins(call)
        return await told_of(call.door, run, await waited(call, run, 50))

    fields: dict[str, Any] = {name: {} for name in ("seconds", "label", "filename")}
    settings: dict[str, Any] = {"do": do, "begins": begins, **more}
    return Row(name=name, about="A job.", takes=takes(**fields), gives=RUN_VIEW, **settings)


async def _crash(_door: Door, _run: Run, _result: Result) -> Told:
    raise MCPError(code=INTERNAL_ERROR, message="worker crashed")


def _asking(*steps: str) -> Any:
    return lambda _args: {"steps": [{"id": name, "ask": f"{name}?"} for name in steps]}


def _sleeping(args: dict[str, Any]) -> dict[str, Any]:
    wait = {"id": "a", "tool": "wait", "args": {"seconds": args.get("seconds", 0)}}
    return {"steps": [wait], "output": "${steps.a}"}


def _failing(_args: object) -> dict[str, Any]:
    wait = {"id": "a", "tool": "wait", "args": {"seconds": 0.5}}
    return {"steps": [wait, {"id": "b", "tool": "job.fail", "needs": ["a"]}]}


async def _with_input(call: Call) -> Run | InputRequiredResult:
    found = (call.responses or {}).get("user_name")
    if not isinstance(found, ElicitResult):
        return InputRequiredResult(
            input_requests={"user_name": form("name?", name=NAME)}, request_state="r1"
        )
    said = {"id": "a", "tool": "value", "args": {"value": f"hello {found.content}"}}
    plan = {"name": "test_tool_with_task", "steps": [said], "output": "${steps.a}"}
    return await call.door.tenant.start(plan)


def rows() -> list[Row]:
    """Tools whose runs are tasks."""
    begins: Begins = _with_input
    return [
        _row("slow_compute", _sleeping),
        _row("failing_job", _failing, only_task=True),
        _row("protocol_error_job", _sleeping, plan="protocol_error_job", ends=_crash),
        _row("confirm_delete", _asking("confirm")),
        _row("multi_input", _asking("one", "two")),
        _row("test_tool_with_task", _sleeping, begins=begins, only_task=True),
    ]
