"""The public face: what may not change from one version to the next without a word."""

from __future__ import annotations

from inspect import isclass, isroutine
from pydoc import render_doc
from typing import TYPE_CHECKING

import pytest

import callsheet
from callsheet import apps, types
from callsheet.apps import command, mcp, routes

if TYPE_CHECKING:
    from types import ModuleType

FACE = [
    "Agent",
    "Artifact",
    "Budget",
    "CallsheetError",
    "Capability",
    "Context",
    "Cost",
    "Engine",
    "Event",
    "Limit",
    "Limits",
    "Plan",
    "Progress",
    "Result",
    "Retry",
    "Run",
    "RunState",
    "Step",
    "StepState",
    "SyncContext",
    "Text",
    "Tool",
    "Turn",
    "Undo",
    "http_tool",
    "load_tools",
    "program_tool",
    "sync",
    "tool",
    "tools_from",
]
TYPES = [
    "Answer",
    "AnsweredCall",
    "Account",
    "AgentState",
    "Alert",
    "AttemptRecord",
    "Breaker",
    "Calibration",
    "Cause",
    "CheckedPlan",
    "Collected",
    "ContextItem",
    "Failure",
    "Fixed",
    "LineageCall",
    "LineageGraph",
    "LineageLink",
    "ListedArtifact",
    "ModelState",
    "OpenQuestion",
    "Posting",
    "Preflight",
    "Problem",
    "Problems",
    "Provisions",
    "Question",
    "RepeatedWrite",
    "ReplayReport",
    "RunHead",
    "RunProblem",
    "SavedPlan",
    "Source",
    "Statement",
    "StepResult",
    "Telemetry",
    "Tenant",
    "ToolSpec",
    "ToolStatistics",
    "Toolroom",
    "Transcript",
    "Trust",
    "TrustedFile",
]
APPS = [
    "Branch",
    "Database",
    "Network",
    "workers_ahead",
]
COMMAND = [
    "Advice",
    "AsJson",
    "BAD_INPUT",
    "CANCELLED",
    "DEFAULT_HOME",
    "FAILED",
    "Home",
    "Interrupts",
    "NOBODY_TO_ASK",
    "Output",
    "Parting",
    "Place",
    "Where",
    "driving",
    "duration",
    "ends_at_once",
    "load_all",
    "looking",
    "part",
    "stay",
]
ROUTES = [
    "APIRouter",
    "Body",
    "Query",
    "Request",
    "Response",
    "answered",
    "answers",
    "begin",
    "late_answers",
    "needs",
    "routes_of",
    "start_answers",
    "started",
    "stream_answers",
    "streamed",
    "tenant_of",
    "told",
    "with_example",
]
MCP = [
    "Brought",
    "Call",
    "Door",
    "LONGEST_WAIT",
    "Prompt",
    "Resource",
    "Row",
    "Told",
    "gives",
    "link_of",
    "takes",
    "told_of",
    "waited",
]
NOT_TOLD = {"Breaker", "Problems", "Telemetry", "Tenant", "Toolroom", "Transcript", "Trust"}
"""What nobody gets back, or works with further."""
DOORS: dict[ModuleType, list[str]] = {
    callsheet: FACE,
    types: TYPES,
    apps: APPS,
    command: COMMAND,
    routes: ROUTES,
    mcp: MCP,
}


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_each_door_has_the_names_we_say(door: ModuleType) -> None:
    assert door.__all__ == sorted(DOORS[door])


def test_no_name_has_two_doors() -> None:
    names = [name for door in DOORS for name in door.__all__]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_every_public_name_is_there_and_stays_the_same_thing(door: ModuleType) -> None:
    for name in door.__all__:
        assert getattr(door, name) is getattr(door, name)
    assert not hasattr(door, "Workflow")


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_help_tells_about_every_public_name(door: ModuleType) -> None:
    for name in door.__all__:
        public = getattr(door, name)
        if isclass(public) or isroutine(public):  # options and exit codes are neither
            assert name in render_doc(public)


def test_whatever_comes_back_can_be_told_as_json() -> None:
    results = {name: getattr(types, name) for name in TYPES if name not in NOT_TOLD}
    told = {name for name, each in results.items() if hasattr(each, "to_json")}
    assert told == set(results)
    for each in (callsheet.CallsheetError, callsheet.Result, callsheet.Event, callsheet.Progress):
        assert hasattr(each, "to_json")
