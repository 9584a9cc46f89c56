"""The plan: an immutable document of steps, with budget and policies.

Only the model. How text becomes a plan is `read`; whether a plan makes sense is `check`.
Durations are seconds. Defaults are not written into journals, so they are part of the format: one
that changes would change what old runs meant.
"""

from __future__ import annotations

import sys
from functools import cache, cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import structs

from callsheet.core import value
from callsheet.core.ids import Digest
from callsheet.core.plan.forms import (
    Named,
    amount_in,
    name_in,
    number_in,
    pause_in,
    settle,
    tried_in,
)
from callsheet.core.value import Json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from callsheet.core.plan.json_schema import Toolbox

FORMAT = 1
DEFAULT_CONCURRENCY = 8
MAX_ITEMS = 10_000

OnFailure = Literal["undo", "stop", "continue"]
OnCancel = Literal["undo", "keep"]
StepOnFailure = Literal["fail", "skip", "ignore"]
InDoubt = Literal["ask", "retry", "fail"]
Approval = Literal["required"]


Duration: TypeAlias = float | str
"""Seconds, or '500ms', '30s', '10m', '2h'."""


class Document(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A part of a plan or a journal, encoded without what is merely default.

    A field that is not known is not passed over: a newer version wrote it, and it may decide.
    """


D = TypeVar("D", bound=Document)


class Retry(Document, frozen=True):
    """How often a step is tried, and how long it waits in between."""

    attempts: int | None = None
    """Tries in all; None: 3 for reads, idempotent writes and `in_doubt: retry`, else 1."""
    backoff: float = 0.5
    """The longest wait before the second try; doubled each time, then drawn between 0 and it."""
    max_backoff: float = 30.0

    def __post_init__(self) -> None:
        settle(self, backoff=pause_in, max_backoff=pause_in)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            attempts: int | None = None,
            backoff: Duration = 0.5,
            max_backoff: Duration = 30.0,
        ) -> None: ...


class Undo(Document, frozen=True):
    """The call that takes a write back."""

    tool: str
    args: dict[str, Json] = {}
    """May refer to `args`, `output` and `key` of the call that is taken back."""

    def __post_init__(self) -> None:
        settle(self, tool=name_in)

    if TYPE_CHECKING:

        def __init__(
            self, *, tool: str | Named, args: Mapping[str, Json] | None = None
        ) -> None: ...


class Budget(Document, frozen=True):
    """Caps of a run. None: no cap."""

    usd: float | None = None
    credits: float | None = None
    tokens: int | None = None
    calls: int | None = None
    seconds: float | None = None
    """Time spent running, neither paused nor waiting for a person."""

    def __post_init__(self) -> None:
        settle(self, seconds=pause_in, usd=number_in, credits=number_in)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            usd: float | None = None,
            credits: float | None = None,
            tokens: int | None = None,
            calls: int | None = None,
            seconds: Duration | None = None,
        ) -> None: ...


# Numbers only: the collector need not look at one.
MOST_OF_ALL = sys.float_info.max
"""An infinite sum has no JSON, and what is not written as a number is not read as one."""


class Cost(Document, frozen=True, gc=False):
    """An amount: what is estimated, reserved or spent."""

    usd: float = 0.0
    credits: float = 0.0
    tokens: int = 0
    calls: int = 0

    def __post_init__(self) -> None:
        # 2 and 2.0 are one amount, but not one text: as read again from a journal, it is a float.
        if isinstance(self.usd, int):
            structs.force_setattr(self, "usd", float(self.usd))
        if isinstance(self.credits, int):
            structs.force_setattr(self, "credits", float(self.credits))

    def to_json(self) -> dict[str, Json]:
        """As plain data: every currency, also those of which there is nothing."""
        return {name: getattr(self, name) for name in self.__struct_fields__}

    def plus(self, other: Cost) -> Cost:
        """The sum, rounded so that it does not depend on binary fractions."""
        if other == NOTHING:
            return self
        if self == NOTHING:
            return other
        return Cost(
            usd=min(round(self.usd + other.usd, 9), MOST_OF_ALL),
            credits=min(round(self.credits + other.credits, 9), MOST_OF_ALL),
            tokens=self.tokens + other.tokens,
            calls=self.calls + other.calls,
        )

    def minus(self, part: Cost) -> Cost:
        """What is left when a part is taken away, rounded likewise."""
        if part == NOTHING:
            return self
        return Cost(
            usd=round(self.usd - part.usd, 9),
            credits=round(self.credits - part.credits, 9),
            tokens=self.tokens - part.tokens,
            calls=self.calls - part.calls,
        )


NOTHING = Cost()

# As a person would write it: what it is, what it takes, what it does, what it gives.
_ORDER = (
    "callsheet",
    "name",
    "description",
    "inputs",
    "budget",
    "on_failure",
    "on_cancel",
    "concurrency",
    "steps",
    "output",
)


class Wanted(Document, frozen=True):
    """What a step wants of whichever agent can do it."""

    capability: str
    role: str = ""
    chain: tuple[str, ...] = ()
    """Of a request: the agents that have asked, the first of them first. The engine says it."""


class Step(Document, frozen=True):
    """One tool call, a question (`ask`), a sub-plan (`plan`), or work of an agent (`agent`)."""

    id: str
    tool: str | None = None
    ask: str | None = None
    plan: str | Plan | None = None
    """A saved plan (`name`, `name@version`) or a plan; `args` are its inputs."""
    agent: Wanted | None = None
    """A capability that some agent has; `args` are what it takes."""
    args: dict[str, Json] = {}
    choices: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    when: str | None = None
    for_each: Json = None
    """A list, or a reference to one; None: the step is one call."""
    retry: Retry | None = None
    timeout: float | None = None
    """Of one attempt."""
    within: float | None = None
    """Of all of it, from ready to final: queueing, attempts, backoff; waiting for people apart."""
    undo: Undo | Literal["none"] | None = None
    """None: as the tool says; "none": this step is not taken back."""
    approval: Approval | None = None
    priority: int = 0
    touches: tuple[str, ...] = ()
    idempotent: bool | None = None
    destructive: bool | None = None
    cost: Cost | None = None
    ceiling: Cost | None = None
    on_failure: StepOnFailure = "fail"
    run_if_skipped: bool = False
    in_doubt: InDoubt = "ask"
    cache: float | bool = False
    """Whether a read may be answered by the same call of another run; seconds: by one as young."""
    literal: bool = False
    """Whether `args` are data as they stand: no references, and no secrets in any field."""
    label: str = ""
    """What people and models call it, as they like; it need not be unique."""

    def __post_init__(self) -> None:
        # What may be written in Python as in YAML; what means nothing is left for `read_plan`.
        settle(self, tool=name_in, timeout=pause_in, within=pause_in, cache=pause_in)
        settle(self, choices=_listed, needs=_listed, touches=_listed)
        settle(self, retry=_retry, cost=_cost, ceiling=_cost, undo=_undo, agent=_wanted)

    if TYPE_CHECKING:

        def __init__(  # noqa: PLR0913 -- the fields, as they may be written
            self,
            *,
            id: str,
            tool: str | Named | None = None,
            ask: str | None = None,
            plan: str | Plan | None = None,
            agent: str | Wanted | Mapping[str, str] | None = None,
            args: Mapping[str, Json] | None = None,
            choices: Iterable[str] = (),
            needs: str | Iterable[str] = (),
            when: str | None = None,
            for_each: Json = None,
            retry: int | Retry | Mapping[str, Json] | None = None,
            timeout: Duration | None = None,
            within: Duration | None = None,
            undo: str | Named | Undo | None = None,
            approval: Approval | None = None,
            priority: int = 0,
            touches: str | Iterable[str] = (),
            idempotent: bool | None = None,
            destructive: bool | None = None,
            cost: float | Cost | Mapping[str, float] | None = None,
            ceiling: float | Cost | Mapping[str, float] | None = None,
            on_failure: StepOnFailure = "fail",
            run_if_skipped: bool = False,
            in_doubt: InDoubt = "ask",
            cache: Duration | bool = False,
            literal: bool = False,
            label: str = "",
        ) -> None: ...


def _listed(found: object) -> object:
    if isinstance(found, str):
        return (found,)
    return tuple(found) if isinstance(found, list) else found


def _retry(found: object) -> object:
    return tried_in(found, Retry)


def _cost(found: object) -> object:
    return amount_in(found, Cost)


def _wanted(found: object) -> object:
    """A capability by its name alone; what is no such thing is left for `read_plan`."""
    if isinstance(found, str):
        return Wanted(capability=found)
    if isinstance(found, dict) and {"capability"} <= found.keys() <= {"capability", "role"}:
        return Wanted(capability=found["capability"], role=found.get("role") or "")
    return found


def _undo(found: object) -> object:
    """`none`, or the name of a tool that takes it back on its own terms."""
    name = name_in(found)
    return Undo(tool=name) if isinstance(name, str) and name != "none" else found


class Plan(Document, frozen=True, dict=True):
    """Inputs, steps, budget and policies. Identified by the digest of its content."""

    steps: tuple[Step, ...]
    name: str = "plan"
    callsheet: int = FORMAT
    description: str = ""
    inputs: dict[str, Json] = {}
    """Name to JSON Schema; a `default` makes an input optional."""
    budget: Budget | None = None
    on_failure: OnFailure = "undo"
    on_cancel: OnCancel | None = None
    """None: `undo` when `on_failure` is `undo`, else `keep`."""
    concurrency: int = DEFAULT_CONCURRENCY
    output: Json = None

    def __post_init__(self) -> None:
        settle(self, steps=_listed)

    if TYPE_CHECKING:

        def __init__(  # noqa: PLR0913 -- the fields, as they may be written
            self,
            *,
            steps: Iterable[Step],
            name: str = "plan",
            callsheet: int = FORMAT,
            description: str = "",
            inputs: Mapping[str, Json] | None = None,
            budget: Budget | None = None,
            on_failure: OnFailure = "undo",
            on_cancel: OnCancel | None = None,
            concurrency: int = DEFAULT_CONCURRENCY,
            output: Json = None,
        ) -> None: ...

    @cached_property
    def digest(self) -> Digest:
        """The plan's identity: equal content, equal digest, whether defaults are spelled out."""
        steps = tuple(_unspelled_step(step) for step in self.steps)
        return Digest(value.digest(structs.replace(_unspelled(self), steps=steps)))

    def to_json(self) -> dict[str, Json]:
        """The plan as a mapping, without what is merely default; reads back as the same plan."""
        built: dict[str, Json] = msgspec.to_builtins(self)
        built = {"callsheet": self.callsheet, "name": self.name, "steps": [], **built}
        return {name: built[name] for name in _ORDER if name in built}

    @classmethod
    def json_schema(
        cls, tools: Iterable[object] | Toolbox | None = None, *, strict: bool = False
    ) -> dict[str, Json]:
        """The JSON Schema of plans, for an editor or for a model that is to write one.

        With `tools` (a list of them, or `engine.tools`), a step is a call of one of these, with its
        arguments. `strict`: as providers want it for structured output.
        """
        from callsheet.core.plan.json_schema import json_schema_of

        return json_schema_of(tools, strict=strict)

    def to_yaml(self) -> str:
        """The plan as YAML for people; reads back as the same plan."""
        # Imported here: to write plans is rare, and PyYAML takes its time.
        from callsheet.core.yaml.write import dump

        return dump(self.to_json())


def _unspelled_step(step: Step) -> Step:
    amounts = step.retry, step.cost, step.ceiling
    if amounts == (None, None, None):
        return step
    retry, cost, ceiling = (part and _unspelled(part) for part in amounts)
    return structs.replace(step, retry=retry, cost=cost, ceiling=ceiling)


def _unspelled(document: D) -> D:
    """The same, with the default itself where something equal stands: only that is left out."""
    default = _defaults(type(document))
    same = {name: default[name] for name in default if getattr(document, name) == default[name]}
    return structs.replace(document, **same)


@cache
def _defaults(kind: type[Document]) -> dict[str, object]:
    return {field.name: field.default for field in structs.fields(kind)}


def content_digest(plan: Plan, inputs: Json) -> Digest:
    """The identity of a start: what a start key stands for."""
    return Digest(value.digest([plan.digest, inputs]))


def tool_names(plan: Plan) -> set[str]:
    """Every tool the plan names, undo tools included."""
    names = {step.tool for step in plan.steps if step.tool is not None}
    return names | {step.undo.tool for step in plan.steps if isinstance(step.undo, Undo)}
