"""Callsheet runs AI tool calls as plans.

In parallel, durably, inside a budget, cancellable, undoable and exactly replayable:

    async with Engine.open("home", tools=[book, cancel]) as engine:
        run = await engine.start("trip.yaml", inputs={"city": "Oslo"})
        result = await run.wait()

Three doors: `callsheet` (this one), and `callsheet.testing` for whoever tests tools and stores.
Everything else may change from one version to the next.
"""

from callsheet.core.entries import Cause, Failure
from callsheet.core.plan import Budget, Cost, Plan, Retry, Step, Undo
from callsheet.core.problem import Problem
from callsheet.core.steprun import Question, RunState, StepState
from callsheet.core.toolspec import Limit
from callsheet.core.write import to_yaml, write_plan
from callsheet.engine import Engine
from callsheet.errors import (
    CallsheetError,
    DeniedError,
    FatalError,
    InputError,
    InvalidError,
    NotDoneError,
    PlanError,
    RateLimitedError,
    RequestPendingError,
    RequestRefusedError,
    StoreBusyError,
    StoreError,
    ToolError,
    TransientError,
)
from callsheet.ports import Context, RunHead, SavedPlan
from callsheet.runtime.feed import Event, Progress
from callsheet.runtime.history import AttemptRecord
from callsheet.runtime.replay import ReplayReport
from callsheet.runtime.result import Result, StepResult
from callsheet.runtime.run import Run
from callsheet.tools.registry import Tool, load_tools, tool

__all__ = [
    "AttemptRecord",
    "Budget",
    "CallsheetError",
    "Cause",
    "Context",
    "Cost",
    "DeniedError",
    "Engine",
    "Event",
    "Failure",
    "FatalError",
    "InputError",
    "InvalidError",
    "Limit",
    "NotDoneError",
    "Plan",
    "PlanError",
    "Problem",
    "Progress",
    "Question",
    "RateLimitedError",
    "ReplayReport",
    "RequestPendingError",
    "RequestRefusedError",
    "Result",
    "Retry",
    "Run",
    "RunHead",
    "RunState",
    "SavedPlan",
    "Step",
    "StepResult",
    "StepState",
    "StoreBusyError",
    "StoreError",
    "Tool",
    "ToolError",
    "TransientError",
    "Undo",
    "load_tools",
    "to_yaml",
    "tool",
    "write_plan",
]

__version__ = "0.1.0"
