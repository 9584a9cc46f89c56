"""Guidance for a model: how to design a plan, how to watch a run, how to recover one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

# Its name is looked up when a prompt is added.
from mcp.server.mcpserver import Context  # noqa: TC002 -- see above

from callsheet.core.run.step import RunState, StepState
from callsheet.errors import InputError
from callsheet.serve.mcp.told import fitted
from callsheet.serve.mcp.view import view_of

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from callsheet.core.past.result import Result
    from callsheet.core.run.step import Question
    from callsheet.serve.mcp.door import Door, Doors

_MOST_TOOLS = 60
_ABOUT = 100
_DESIGN = """\
Design a plan for Callsheet that does this:

{goal}

These tools can be called (tool_show has the arguments of each):
{tools}

A plan is YAML:

callsheet: 1
name: a_name
inputs: {{city: {{type: string}}}}
budget: {{usd: 1.00}}
on_failure: undo
steps:
  - id: first                      # a-z, 0-9 and _
    tool: NAME
    args: {{to: "${{inputs.city}}"}}
  - id: second
    tool: NAME
    args: {{from: "${{steps.first.field}}"}}
    approval: required
output: ${{steps.second}}

Mind these:
- `${{steps.first.field}}` is a field of that step's output, and makes `second` wait for `first`. \
Steps that need nothing of each other run at the same time; write no `needs` without a reason.
- `${{…}}` is JMESPath: text is in 'single quotes', a number is in `backticks`.
- Every write needs an undo: the tool names one, or you write `undo: {{tool: …, args: …}}` with \
`${{output.id}}`. What cannot be taken back gets `approval: required`.
- A person is asked with a step of its own: `ask:` and `choices:`, without `tool:`. You do not \
answer for the person.
- Name no secrets (`${{secrets.…}}`), unless you were told which you may.
- Do not invent tools, fields or arguments: what is unknown is refused.

Now write the plan and plan_check it. Mend every problem as its `fix` says, and check again until \
`ok` is true. Only then run_start it, with a `key` of yours, so that starting again is the same \
run; then run_wait."""
_WATCH = """\
Watch run {run} until it has ended: run_wait with seconds=50, again and again; leaving a call does \
not cancel the run. When its state is `waiting`, tell the person what `questions` ask, and have it \
answered with run_answer; do not answer for the person. When it has ended, say what came of it: \
state, output, cost, what failed. Do not cancel or undo it unless you are asked to.

It stands like this now:
{view}"""
_RECOVER = """\
Recover run {run} of the plan {plan!r}. It stands like this now:
{view}

{advice}

Find out first what really happened (run_status with steps="failed", run_events): do not repeat a \
write that may have happened. Say what you are going to do, and do nothing that nobody asked for."""


def add_prompts(server: MCPServer[Any], doors: Doors) -> None:
    """Offer the prompts."""

    @server.prompt()
    async def design_plan(goal: str, ctx: Context[Any, Any]) -> str:
        """Write a plan for a goal, with the tools there are, and check it before it is started."""
        return _DESIGN.format(goal=goal, tools=_tools(doors(ctx.request_context)))

    @server.prompt()
    async def watch_run(run: str, ctx: Context[Any, Any]) -> str:
        """Stay with a run until it has ended."""
        result = await _result(doors(ctx.request_context), run)
        return _WATCH.format(run=result.run, view=_view(result))

    @server.prompt()
    async def recover_run(run: str, ctx: Context[Any, Any]) -> str:
        """Put right a run that failed, is stuck, or waits: from what really became of it."""
        result = await _result(doors(ctx.request_context), run)
        advice = "\n".join(f"- {line}" for line in advice_for(result))
        view = _view(result, detail="failed")
        return _RECOVER.format(run=result.run, plan=result.plan, view=view, advice=advice)


def advice_for(result: Result) -> list[str]:
    """What can be done about a run, from its real failures, doubts and questions."""
    advice = [_asked(question) for question in result.questions]
    for key, step in result.steps.items():
        if step.error is not None and step.state in (StepState.FAILED, StepState.UNDO_FAILED):
            advice.append(f"{key} failed ({step.error.error_class}): {step.error.message}")
    if result.interrupted:
        advice.append("Nobody drives it: run_resume goes on with it here.")
    if said := _ENDED.get(result.state):
        advice.append(said)
    if result.owes and result.state in (RunState.FAILED, RunState.CANCELLED):
        advice.append("What it has done is still there: run_undo takes it back.")
    return advice or ["Nothing is wrong with it."]


_AGAIN = "run_fork does a step again, with other `args` if those were wrong."
_ENDED = {
    RunState.FAILED: f"run_retry tries a step again as it was (on_failure: continue); {_AGAIN}",
    RunState.CANCELLED: _AGAIN,
    RunState.UNDONE: "All it did was taken back: mend the plan, and start a new run.",
    RunState.STUCK: "Something could not be taken back: its doubt is answered first, then run_undo "
    "tries again.",
}


def _asked(question: Question) -> str:
    if question.ask == "doubt":
        return (
            f"Nobody knows whether {question.step} happened. Find out; then the person answers "
            f"with run_answer: {', '.join(question.choices)}."
        )
    return f"A person must answer {question.step}: {question.text}"


def _tools(door: Door) -> str:
    lines: list[str] = []
    names = door.tenant.tools.names()
    for name in names[:_MOST_TOOLS]:
        spec = door.tenant.tools.spec(name)
        if spec is None:
            continue
        about = spec.description.partition("\n")[0][:_ABOUT]
        undo = f", undone by {spec.undo}" if spec.undo else ""
        lines.append(f"- {name} ({spec.effect}{undo}): {about}")
    if len(names) > _MOST_TOOLS:
        lines.append(f"- and {len(names) - _MOST_TOOLS} more: tool_list")
    return "\n".join(lines)


async def _result(door: Door, run: str) -> Result:
    if not door.may("runs:read"):
        raise ValueError("It needs the scope runs:read, which is not yours here.")
    try:
        return await (await door.tenant.get(run)).status()
    except InputError as error:
        raise ValueError(error.message) from error


def _view(result: Result, *, detail: Any = None) -> str:
    view = view_of(result, driven_by=None, detail=detail)
    view.pop("driven_by")
    return json.dumps(fitted(view), ensure_ascii=False)
