"""Where artifacts come from and where they go: a graph over the calls of all runs that are kept.

The index of the journal says which entries name an artifact; the entries say which call it was.
Nothing is read here: `insight/ancestry.py` walks through the index.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal

import msgspec

from callsheet.core import value
from callsheet.core.ids import step_of
from callsheet.core.plan.artifact import ANY_TYPE, VALUE_TYPE, Artifact, artifacts_in, facts_of
from callsheet.core.plan.subplan import is_child
from callsheet.core.run import entries as e

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet.core.index.derived import ArtifactUse
    from callsheet.core.plan.plan import Step
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.value import Json

How = Literal["call", "child", "cached", "copied", "inputs", "output"]
Role = Literal["produced", "consumed"]
Direction = Literal["up", "down", "both"]


class LineageCall(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a run that made artifacts, was given some, or has them from another."""

    run: str
    plan: str
    """The name of the run's plan."""
    step: str
    """Empty: the run as a whole."""
    how: How
    """`call`: a tool was called; `child`: a sub-plan gave them; `cached`, `copied`: taken over from
    another run; `inputs`, `output`: given to the run, or by it."""
    at: datetime
    attempt: int = 0
    tool: str = ""
    version: str = ""
    output_schema: str = ""
    """Digest of the schema that the tool's output was checked against."""
    source: str = ""
    """Where it was taken over from, as `run/step`; of a sub-plan, the run that it is."""

    @property
    def id(self) -> str:
        """What links call it."""
        name = f"{self.run}/{self.step}"
        return name if self.step else f"{name}{self.how}"

    def to_json(self) -> dict[str, Json]:
        """As plain data: every field, after its id."""
        return {"id": self.id, **msgspec.to_builtins(self)}


class LineageLink(msgspec.Struct, frozen=True, kw_only=True):
    """An artifact and a call that made it, or was given it."""

    call: str
    artifact: str
    role: Role

    def to_json(self) -> dict[str, Json]:
        """As plain data: every field."""
        return {"call": self.call, "artifact": self.artifact, "role": self.role}


class LineageGraph(msgspec.Struct, frozen=True, kw_only=True):
    """Artifacts and calls, each in the order in which the walk came to them."""

    roots: tuple[str, ...]
    """The artifacts that were asked about."""
    artifacts: tuple[Artifact, ...]
    calls: tuple[LineageCall, ...]
    links: tuple[LineageLink, ...]
    cut: bool = False
    """There is more than this."""

    def to_json(self) -> dict[str, Json]:
        """As plain data: every field."""
        return {
            "roots": list(self.roots),
            "artifacts": [facts_of(artifact) for artifact in self.artifacts],
            "calls": [call.to_json() for call in self.calls],
            "links": [link.to_json() for link in self.links],
            "cut": self.cut,
        }

    def producers(self, digest: str) -> tuple[LineageCall, ...]:
        """The calls that made an artifact."""
        return tuple(self._calls(digest, "produced"))

    def consumers(self, digest: str) -> tuple[LineageCall, ...]:
        """The calls that were given an artifact, or have it from others."""
        return tuple(self._calls(digest, "consumed"))

    def made_from(self, call: LineageCall) -> tuple[Artifact, ...]:
        """What a call was given."""
        return tuple(self._artifacts(call, "consumed"))

    def made(self, call: LineageCall) -> tuple[Artifact, ...]:
        """What a call made."""
        return tuple(self._artifacts(call, "produced"))

    def _calls(self, digest: str, role: Role) -> Iterator[LineageCall]:
        found = {link.call for link in self.links if (link.artifact, link.role) == (digest, role)}
        return (call for call in self.calls if call.id in found)

    def _artifacts(self, call: LineageCall, role: Role) -> Iterator[Artifact]:
        found = {link.artifact for link in self.links if (link.call, link.role) == (call.id, role)}
        return (artifact for artifact in self.artifacts if artifact.digest in found)


class Occurrence(msgspec.Struct, frozen=True):
    """A use of an artifact, as the entry tells it."""

    call: LineageCall
    link: LineageLink
    artifact: Artifact


class Story(msgspec.Struct, frozen=True):
    """What must be known of a run to tell who a step was."""

    started: e.RunStarted
    added: tuple[e.StepsAdded, ...] = ()

    def step(self, key: str) -> Step | None:
        """A step as the plan has it, or as it was added."""
        steps = [*self.started.plan.steps, *(step for each in self.added for step in each.steps)]
        return next((step for step in steps if step.id == step_of(key)), None)

    def version_of(self, tool: str) -> tuple[str, str]:
        """The version of a tool as the run has recorded it, and its output schema's digest."""
        for tools in (self.started.tools, *(each.tools for each in self.added)):
            if tool in tools:
                return tools[tool].version, tools[tool].output_digest
        return "", ""


def occurrence_of(use: ArtifactUse, entry: AnyEntry, story: Story) -> Occurrence:
    """Who names an artifact, and how."""
    call = _call_of(use, entry, story)
    # What was taken over was made elsewhere; what a sub-plan gives, one of its own steps has made.
    is_made = isinstance(entry, e.AttemptEnded) and call.how == "call"
    role: Role = "produced" if is_made else "consumed"
    known = {artifact.digest: artifact for artifact in _artifacts_of(entry)}
    artifact = known.get(use.digest)
    if artifact is None:
        kind = VALUE_TYPE if use.role == "stored" else ANY_TYPE
        artifact = Artifact(digest=use.digest, media_type=kind, name=_value_name(use, entry))
    return Occurrence(call, LineageLink(call=call.id, artifact=use.digest, role=role), artifact)


def _call_of(use: ArtifactUse, entry: AnyEntry, story: Story) -> LineageCall:
    started = story.started
    how: How = "call"
    source, tool = "", ""
    if not use.step:
        how = "inputs" if isinstance(entry, e.RunStarted) else "output"
    elif isinstance(entry, e.StepCached):
        how, source = "cached", f"{entry.source}/{entry.source_step}"
    elif isinstance(entry, e.StepCopied):
        origin = started.forked_from
        how, source = "copied", f"{origin.run}/{entry.step}" if origin else ""
    step = story.step(use.step) if use.step else None
    if step is not None and how == "call":
        how = "child" if is_child(step, started.children) else "call"
    tool = (step.tool if step is not None else "") or ""
    version, schema = story.version_of(tool)
    return LineageCall(
        run=use.run,
        plan=started.plan.name,
        step=use.step,
        how=how,
        at=entry.at,
        attempt=getattr(entry, "attempt", 0),
        tool=tool,
        version=version,
        output_schema=schema,
        source=source,
    )


def _artifacts_of(entry: AnyEntry) -> Sequence[Artifact]:
    if isinstance(entry, (e.AttemptEnded, e.StepCached, e.StepCopied)):
        return entry.artifacts
    if isinstance(entry, e.AttemptStarted):
        return artifacts_in(value.decode(entry.args))
    if isinstance(entry, e.RunStarted):
        return artifacts_in(value.decode(entry.inputs))
    return ()


def _value_name(use: ArtifactUse, entry: AnyEntry) -> str:
    """What a value that was too large for its entry is called."""
    fields = [name for name, digest in (entry.stored or {}).items() if digest == use.digest]
    if not fields:
        return ""
    return f"{use.step}.{fields[0]}" if use.step else fields[0]
