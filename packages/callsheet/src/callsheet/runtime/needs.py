"""What a run needs to be driven: the tools that it knows, and what it may use besides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.plan.plan import tool_names
from callsheet.core.run.entries import RunStarted
from callsheet.errors import MissingToolsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from callsheet.core.plan.plan import Plan
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.run.entries import AnyEntry
    from callsheet.ports import Toolbox
    from callsheet.runtime.environment import Ports


def every_tool(tools: Iterable[str], children: Mapping[str, Plan]) -> set[str]:
    """The tools of a run and of the saved plans that it names."""
    return {*tools}.union(*(tool_names(plan) for plan in children.values()))


PROMISES = ("version", "effect", "idempotent", "undo", "ceiling")
"""What a tool promises a run that knows it."""


def missing(started: RunStarted, ports: Ports) -> list[str]:
    """What a run was started with and is not here, or not as it was: tools, files, permissions."""
    return [*_differing(started.tools.values(), ports.toolbox), *_lacking(started, ports)]


def _differing(recorded: Iterable[ToolSpec], toolbox: Toolbox) -> Iterator[str]:
    for spec in recorded:
        here = toolbox.spec(spec.name)
        if here is None:
            yield f"{spec.name} (missing)"
        elif other := [field for field in PROMISES if getattr(here, field) != getattr(spec, field)]:
            yield f"{spec.name} ({', '.join(other)})"


def _lacking(started: RunStarted, ports: Ports) -> Iterable[str]:
    recorded = started.provisions
    if recorded is None or ports.provisioner is None:
        return ()
    tools = every_tool(started.tools, started.children)
    if recorded.offered is not None:
        tools.update(recorded.offered.tools)
    here = ports.provisioner.provisions(tools, recorded.secrets)
    return recorded.lacking(here)


def must_have_tools(started: AnyEntry, toolbox: Toolbox) -> None:
    """See that a run can be driven with these tools.

    Raises:
        MissingToolsError: one that it knows is not there; says where it came from.
    """
    assert isinstance(started, RunStarted), "the journal's own promise"
    missing = [name for name in started.tools if toolbox.spec(name) is None]
    if missing:
        raise MissingToolsError(
            f"Run {started.run!r} needs tools that are not here: {', '.join(missing)}. "
            f"Give them with --tools, or to Engine.open.{_where_from(started, missing)}"
        )


def _where_from(started: RunStarted, missing: Sequence[str]) -> str:
    """Where tools came from that are missing, as it was recorded."""
    sources = started.provisions.sources if started.provisions else ()
    found = [
        f"--tools {each.reference}" if each.reference else each.file or each.module
        for each in sources
        if not set(each.tools).isdisjoint(missing)
    ]
    return f" It was started with {', '.join(found)}." if found else ""
