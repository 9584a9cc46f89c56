"""Callsheet runs AI tool calls as plans.

In parallel, durably, inside a budget, cancellable, undoable and exactly replayable:

    async with Engine.open("home", tools=[book, cancel]) as engine:
        run = await engine.start("trip.yaml", inputs={"city": "Oslo"})
        result = await run.wait()

Three doors: `callsheet` (this one), and `callsheet.testing` for whoever tests tools and stores.
Everything else may change from one version to the next.

Names are looked up when they are first used: a worker process that needs one tool does not pay
for the engine.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from callsheet.core.artifact import (
        Artifact,
    )
    from callsheet.core.entries import (
        Cause,
        Failure,
    )
    from callsheet.core.plan import (
        Budget,
        Cost,
        Plan,
        Retry,
        Step,
        Undo,
    )
    from callsheet.core.problem import (
        Problem,
    )
    from callsheet.core.steprun import (
        Question,
        RunState,
        StepState,
    )
    from callsheet.core.toolspec import (
        Breaker,
        Limit,
    )
    from callsheet.core.write import (
        to_yaml,
        write_plan,
    )
    from callsheet.engine import (
        Engine,
    )
    from callsheet.errors import (
        CallsheetError,
        DeniedError,
        FatalError,
        InputError,
        InvalidError,
        LedgerShortError,
        NotDoneError,
        PlanError,
        RateLimitedError,
        RequestPendingError,
        RequestRefusedError,
        StaleContextError,
        StoreBusyError,
        StoreError,
        StoreMissingError,
        ToolError,
        TransientError,
    )
    from callsheet.insight.lineage import (
        LineageCall,
        LineageGraph,
    )
    from callsheet.insight.preflight import (
        Preflight,
    )
    from callsheet.insight.statistics import (
        ToolStatistics,
    )
    from callsheet.observe.alerts import (
        Alert,
    )
    from callsheet.observe.telemetry import (
        Telemetry,
    )
    from callsheet.ports import (
        Account,
        Branch,
        Context,
        ContextItem,
        Database,
        Posting,
        RunHead,
        SavedPlan,
    )
    from callsheet.runtime.accounts import (
        Statement,
    )
    from callsheet.runtime.collect import (
        Collected,
    )
    from callsheet.runtime.feed import (
        Event,
        Progress,
    )
    from callsheet.runtime.history import (
        AttemptRecord,
    )
    from callsheet.runtime.replay import (
        ReplayReport,
    )
    from callsheet.runtime.result import (
        Result,
        StepResult,
    )
    from callsheet.runtime.run import (
        Run,
    )
    from callsheet.tools.blocking import (
        SyncContext,
    )
    from callsheet.tools.declare import (
        Tool,
        tool,
    )
    from callsheet.tools.endpoint import (
        http_tool,
    )
    from callsheet.tools.load import (
        load_tools,
    )
    from callsheet.tools.process import (
        workers_ahead,
    )
    from callsheet.tools.program import (
        program_tool,
    )

_WHERE = {
    "callsheet.core.entries": (
        "Cause",
        "Failure",
    ),
    "callsheet.core.plan": (
        "Budget",
        "Cost",
        "Plan",
        "Retry",
        "Step",
        "Undo",
    ),
    "callsheet.core.problem": ("Problem",),
    "callsheet.core.steprun": (
        "Question",
        "RunState",
        "StepState",
    ),
    "callsheet.core.toolspec": (
        "Breaker",
        "Limit",
    ),
    "callsheet.core.write": (
        "to_yaml",
        "write_plan",
    ),
    "callsheet.engine": ("Engine",),
    "callsheet.errors": (
        "CallsheetError",
        "DeniedError",
        "FatalError",
        "InputError",
        "InvalidError",
        "LedgerShortError",
        "NotDoneError",
        "PlanError",
        "RateLimitedError",
        "RequestPendingError",
        "RequestRefusedError",
        "StaleContextError",
        "StoreBusyError",
        "StoreError",
        "StoreMissingError",
        "ToolError",
        "TransientError",
    ),
    "callsheet.ports": (
        "Account",
        "Branch",
        "Context",
        "ContextItem",
        "Database",
        "Posting",
        "RunHead",
        "SavedPlan",
    ),
    "callsheet.runtime.accounts": ("Statement",),
    "callsheet.observe.alerts": ("Alert",),
    "callsheet.runtime.collect": ("Collected",),
    "callsheet.runtime.feed": (
        "Event",
        "Progress",
    ),
    "callsheet.runtime.history": ("AttemptRecord",),
    "callsheet.insight.lineage": (
        "LineageCall",
        "LineageGraph",
    ),
    "callsheet.insight.preflight": ("Preflight",),
    "callsheet.runtime.replay": ("ReplayReport",),
    "callsheet.runtime.result": (
        "Result",
        "StepResult",
    ),
    "callsheet.runtime.run": ("Run",),
    "callsheet.insight.statistics": ("ToolStatistics",),
    "callsheet.observe.telemetry": ("Telemetry",),
    "callsheet.tools.blocking": ("SyncContext",),
    "callsheet.tools.described": ("Artifact",),
    "callsheet.tools.endpoint": ("http_tool",),
    "callsheet.tools.process": ("workers_ahead",),
    "callsheet.tools.program": ("program_tool",),
    "callsheet.tools.declare": (
        "Tool",
        "tool",
    ),
    "callsheet.tools.load": ("load_tools",),
}
_HOME = {name: module for module, names in _WHERE.items() for name in names}

__all__ = [
    "Account",
    "Alert",
    "Artifact",
    "AttemptRecord",
    "Branch",
    "Breaker",
    "Budget",
    "CallsheetError",
    "Cause",
    "Collected",
    "Context",
    "ContextItem",
    "Cost",
    "Database",
    "DeniedError",
    "Engine",
    "Event",
    "Failure",
    "FatalError",
    "InputError",
    "InvalidError",
    "LedgerShortError",
    "Limit",
    "LineageCall",
    "LineageGraph",
    "NotDoneError",
    "Plan",
    "PlanError",
    "Posting",
    "Preflight",
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
    "StaleContextError",
    "Statement",
    "Step",
    "StepResult",
    "StepState",
    "StoreBusyError",
    "StoreError",
    "StoreMissingError",
    "SyncContext",
    "Telemetry",
    "Tool",
    "ToolError",
    "ToolStatistics",
    "TransientError",
    "Undo",
    "http_tool",
    "load_tools",
    "program_tool",
    "to_yaml",
    "tool",
    "workers_ahead",
    "write_plan",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    module = _HOME.get(name)
    if module is None:
        raise AttributeError(f"module 'callsheet' has no attribute {name!r}")
    found: object = getattr(import_module(module), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
