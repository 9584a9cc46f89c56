"""What a new run begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import field, structs

from callsheet.core import value
from callsheet.core.ids import step_of
from callsheet.core.plan.artifact import MARK_BYTES, artifacts_in
from callsheet.core.plan.plan import FORMAT, NOTHING, Cost, content_digest, tool_names
from callsheet.core.run.entries import CORE_VERSION, FLAGS, RunStarted
from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from msgspec import Raw

    from callsheet.core.ids import RunId
    from callsheet.core.plan.plan import Plan
    from callsheet.core.plan.toolspec import Tools, ToolSpec
    from callsheet.core.run.entries import AnyEntry, ForkedFrom, ParentStep
    from callsheet.core.run.provisions import Provisions
    from callsheet.core.value import Json

TENANT = "default"
LONGEST = 200
"""Characters of the name of a tenant or a subject."""


class Start(msgspec.Struct, frozen=True, kw_only=True):
    """A run that is to be started."""

    run: RunId
    plan: Plan
    inputs: Raw
    tools: Mapping[str, ToolSpec]
    children: Mapping[str, Plan] = field(default_factory=dict)
    key: str | None = None
    tenant: str = TENANT
    open: bool = False
    parent: ParentStep | None = None
    forked_from: ForkedFrom | None = None
    reserves: Cost = NOTHING
    subject: str | None = None
    root: str | None = None
    provisions: Provisions | None = None
    request: str | None = None
    """What was left for it: dealt with in the append that begins it."""
    copies: tuple[AnyEntry, ...] = ()
    """What a fork takes over; written together with its start."""

    def entry(self, at: datetime) -> RunStarted:
        """The first entry of its journal."""
        return RunStarted(
            at=at,
            run=self.run,
            plan=self.plan,
            inputs=self.inputs,
            tools=dict(self.tools),
            seed=self.run,
            format=FORMAT,
            core=CORE_VERSION,
            flags=FLAGS,
            key=self.key,
            tenant=self.tenant,
            open=self.open,
            children=dict(self.children),
            parent=self.parent,
            forked_from=self.forked_from,
            reserves=self.reserves,
            consumed=digests_in(self.inputs),
            subject=self.subject,
            root=self.root,
            provisions=self.provisions,
            request=self.request,
        )


def must_name_tenant(tenant: str) -> None:
    """Refuse what cannot be read in a list, or told from another name there.

    Raises:
        InputError: it is empty, too long, or not one printable line.
    """
    _must_be_a_line(tenant, "a tenant's name")


def must_name_subject(subject: str | None) -> None:
    """Refuse what cannot be read in a list; a run need not be about anything.

    Raises:
        InputError: it is empty, too long, or not one printable line.
    """
    if subject is not None:
        _must_be_a_line(subject, "what a run is about")


def _must_be_a_line(text: str, what: str) -> None:
    if not text.strip() or len(text) > LONGEST or not text.isprintable():
        raise InputError(
            f"{text[:LONGEST]!r} cannot be {what}. Write one line of at most {LONGEST} characters."
        )


def is_same(start: Start, first: AnyEntry, content: str) -> bool:
    """Whether a run that began so, of this content, is the one that is to be started."""
    if not isinstance(first, RunStarted) or first.forked_from != start.forked_from:
        return False
    if start.forked_from is None:
        return content == content_digest(start.plan, value.decode(start.inputs))
    # Not the whole plan: the source may be open, and have more steps by now.
    return _redone(first) == _redone(start)


def _redone(fork: RunStarted | Start) -> list[dict[str, Json]]:
    """The arguments of the step that a fork does again."""
    name = step_of(fork.forked_from.step) if fork.forked_from else ""
    return [step.args for step in fork.plan.steps if step.id == name]


def specs_of(plan: Plan, toolbox: Tools) -> dict[str, ToolSpec]:
    """What a run records of its tools: all that decisions depend on, no schemas."""
    specs: dict[str, ToolSpec] = {}
    names = list(tool_names(plan))
    while names:
        spec = toolbox.spec(name := names.pop())
        if spec is not None and name not in specs:
            digest = value.digest(spec.output_schema) if spec.output_schema else ""
            specs[name] = structs.replace(
                spec,
                input_schema={},
                output_schema=None,
                output_digest=digest,
                description="",
                agent=None,
                touches=(),
                unsaid=False,
            )
            names += [spec.undo] if spec.undo else []
    return dict(sorted(specs.items()))


def digests_in(raw: Raw) -> tuple[str, ...]:
    """The artifacts that a value refers to."""
    # Nearly no value does, and this is asked for each call: look before decoding.
    if MARK_BYTES not in bytes(raw):
        return ()
    return tuple(artifact.digest for artifact in artifacts_in(value.decode(raw)))
