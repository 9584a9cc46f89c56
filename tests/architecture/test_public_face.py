"""The public face: what may not change from one version to the next without a word."""

from __future__ import annotations

from pydoc import render_doc

import callsheet

FACE = {
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
}


def test_the_public_face_is_what_we_say_it_is() -> None:
    assert callsheet.__all__ == sorted(callsheet.__all__)
    assert set(callsheet.__all__) == FACE


def test_every_public_name_is_there_and_stays_the_same_thing() -> None:
    for name in callsheet.__all__:
        assert getattr(callsheet, name) is getattr(callsheet, name)
    assert not hasattr(callsheet, "Workflow")


def test_help_tells_about_every_public_name() -> None:
    for name in callsheet.__all__:
        assert name in render_doc(getattr(callsheet, name))
