"""Entries: the durable facts about a run, and their one codec.

A journal is a list of these, numbered from 1; the number is the place in the list, never a field.
Records of a step are keyed `(step, attempt)`. Arguments, outputs and answers are kept as the JSON
they are (`Raw`): the core decides about them without looking inside.

Those about one step alone are in `verbs`. A change to anything here or there needs a golden journal
(`tests/replay/golden`) and a line in the changelog. Fields are only ever added, with a default that
means what the field's absence meant.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

import msgspec
from msgspec import Raw, field

from callsheet.core.plan.artifact import Artifact
from callsheet.core.plan.plan import NOTHING, Cost, Document, Plan, Step
from callsheet.core.plan.toolspec import ToolSpec
from callsheet.core.run import agents, verbs
from callsheet.core.run.entry import Entry
from callsheet.core.run.provisions import Provisions
from callsheet.core.value import Json
from callsheet.errors import ErrorClass, InputError

CORE_VERSION = 4
"""How entries are understood. Since 2, an attempt that is `lost` and says that nothing happened has
not begun: it counts neither as lost nor as a call. Since 3, plans may say `${outcomes.ID}` and
`within`, and steps add steps and say text: a version that knows none of it would wait for other
steps, and for longer. Since 4, steps are agents, and whoever seals a run says what it gives."""
DECLARED_CONDITIONS = "declared_conditions"
"""A `when` on a field that its producer never gives fails the step; without it, it is skipped."""
FLAGS: tuple[str, ...] = (DECLARED_CONDITIONS,)
"""Behaviour switched on for new runs; recorded in each, so old runs keep theirs."""
KNOWN_FLAGS: frozenset[str] = frozenset(FLAGS)
"""All that ever were; a run with another one was written by a newer version."""

Outcome = Literal["succeeded", "failed", "cancelled", "lost"]
Verdict = Literal["run", "skip"]
Copied = Literal["succeeded", "skipped", "failed", "cancelled"]
QuestionKind = Literal["question", "approval", "doubt"]
EndState = Literal["succeeded", "failed", "cancelled", "undone", "stuck"]
CauseKind = Literal["failure", "cancel", "request", "budget"]

NULL = Raw(b"null")


class Failure(Document, frozen=True):
    """What went wrong, for the policies (`error_class`) and for a person (`message`)."""

    error_class: ErrorClass
    message: str
    type: str = ""
    """The exception's name, for whoever debugs the tool."""
    retry_after: float | None = None
    nothing_happened: bool = False
    """The error itself says that the effect is not there."""
    traceback: str = ""
    """Where in the tool it was raised: the author's own frames. Nothing is decided by it."""

    def to_json(self) -> dict[str, Json]:
        """For whoever asks what became of a step: `{class, message, type}`."""
        said: dict[str, Json] = {"class": self.error_class, "message": self.message}
        return {**said, "type": self.type} if self.type else said


class Cause(Document, frozen=True):
    """Why a run stopped or was taken back."""

    kind: CauseKind
    step: str | None = None
    message: str = ""
    by: str | None = None

    def to_json(self) -> dict[str, Json]:
        """As plain data, without what is merely default."""
        built: dict[str, Json] = msgspec.to_builtins(self)
        return built


class UndoCall(Document, frozen=True):
    """A call that takes back: a template at the start of an attempt, resolved with its outcome."""

    tool: str
    args: Raw
    needs_output: bool = False
    """It cannot be made while the output is unknown."""
    resolved: bool = False
    """The arguments are values, not templates."""
    error: str = ""
    """Why it cannot be made at all."""
    stored: str = ""
    """Digest of the arguments, when they are too large to stand here."""


class Refers(Document, frozen=True):
    """The steps that a value refers to which does not stand here: by that its step waits."""

    steps: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()


class ParentStep(Document, frozen=True):
    """The step of another run that a child run is."""

    run: str
    step: str
    attempt: int = 1


class ForkedFrom(Document, frozen=True):
    """The run that a run was forked from, and at which step."""

    run: str
    step: str


class RunStarted(Entry, frozen=True):
    """The run exists. Holds all that replay needs: the plan and what its tools declare."""

    run: str
    plan: Plan
    inputs: Raw
    tools: dict[str, ToolSpec]
    """Without schemas and descriptions."""
    seed: str
    # No defaults: an old journal must never be read with the versions of a newer release.
    format: int
    core: int
    flags: tuple[str, ...]
    key: str | None = None
    tenant: str = "default"
    open: bool = False
    """Steps may be added until it is sealed."""
    children: dict[str, Plan] = field(default_factory=dict)
    """The saved plans that its steps name, as they were when it started."""
    parent: ParentStep | None = None
    forked_from: ForkedFrom | None = None
    reserves: Cost = NOTHING
    """What it sets aside of its tenant's account."""
    consumed: tuple[str, ...] = ()
    """Digests of the artifacts in its inputs."""
    subject: str | None = None
    """What it is about, in the words of whoever started it (`project:p_7k2m`)."""
    root: str | None = None
    """Of a child run: the run at the top of its family."""
    provisions: Provisions | None = None
    """What it may use, for whoever goes on with it; nothing follows from it."""
    request: str | None = None
    """The request that had been left for it, by a process that does not drive."""


class StepsAdded(Entry, frozen=True):
    """An open run has more steps than before."""

    steps: tuple[Step, ...]
    tools: dict[str, ToolSpec] = field(default_factory=dict)
    """Those that the run did not know yet."""
    children: dict[str, Plan] = field(default_factory=dict)
    by: str | None = None
    request: str | None = None
    step: str | None = None
    """The step that has added them from inside; None: somebody has from outside."""
    attempt: int | None = None
    refers: dict[str, Refers] = field(default_factory=dict)
    """Step to what its arguments refer to, where those are too large to stand here."""


class RunSealed(Entry, frozen=True):
    """An open run takes no more steps: it ends when those it has are done."""

    by: str | None = None
    request: str | None = None
    step: str | None = None
    """The step that has sealed it from inside."""
    attempt: int | None = None
    output: Json = None
    """What the run gives, as a plan says it; None: as its plan says."""


class StepCopied(Entry, frozen=True):
    """A step that another run has done: its outcome stands here too, its effect is not owed."""

    step: str
    outcome: Copied
    output: Raw = NULL
    artifacts: tuple[Artifact, ...] = ()
    reason: str = ""
    """Why it was skipped, or how it failed."""
    error: Failure | None = None
    """How it failed, in full: what refers to its outcome sees it."""
    maybe: bool = False
    """It did not succeed, but its effect may be there; the other run's to take back."""


class StepCached(Entry, frozen=True):
    """A read that was not made again: the same call of another run says what it gives."""

    step: str
    key: str
    source: str
    """The run that made the call."""
    source_step: str
    output: Raw = NULL
    artifacts: tuple[Artifact, ...] = ()


class StepDecided(Entry, frozen=True):
    """Whether a step runs; with the keys it touches, when they were not known before."""

    step: str
    verdict: Verdict
    reason: str = ""
    touches: tuple[str, ...] | None = None


class StepExpanded(Entry, frozen=True):
    """How many items a `for_each` turned out to have."""

    step: str
    count: int
    items: Raw = NULL
    """The items, so that each is resolved from the same list for ever."""


class StepRefused(Entry, frozen=True):
    """A step that could not even be started: it failed without an attempt."""

    step: str
    error: Failure


class StepDelayed(Entry, frozen=True):
    """Admission holds a step back for longer than a moment, and says why."""

    step: str
    reason: str
    until: datetime | None = None


class AttemptStarted(Entry, frozen=True):
    """The tool is about to be called. Durable before the call."""

    step: str
    attempt: int
    args: Raw
    undo: UndoCall | None = None
    reserved: Cost = NOTHING
    consumed: tuple[str, ...] = ()
    """Digests of the artifacts in its arguments."""


class CheckpointSaved(Entry, frozen=True):
    """Something to remember in the middle of an attempt; the next attempt gets it back."""

    step: str
    attempt: int
    data: Raw


class TextEmitted(Entry, frozen=True):
    """What a step has said while it works, since it was last written down."""

    step: str
    attempt: int
    offset: int
    """Characters of the step's text before this, those of earlier attempts among them."""
    text: str


class AttemptEnded(Entry, frozen=True):
    """What became of an attempt. Durable before anything that depends on it."""

    step: str
    attempt: int
    outcome: Outcome
    output: Raw = NULL
    error: Failure | None = None
    """With `lost`: only if it is known that nothing happened, since it had not begun."""
    cost: Cost = NOTHING
    undo: UndoCall | None = None
    """The call that would take this one back, resolved."""
    abandoned: bool = False
    """The tool was told to stop, did not, and could not be killed: it may still be running."""
    artifacts: tuple[Artifact, ...] = ()
    """What it produced: all that its output refers to and its arguments did not."""
    cache_key: str = ""
    """Under which the output may serve other runs."""
    kept: Cost = NOTHING
    """Of a sub-plan: what its undo may cost."""


class TimerFired(Entry, frozen=True):
    """A time that a step was waiting for has come."""

    step: str
    attempt: int
    """The attempt that had ended; 0 for a question's timeout."""


class SecondsSpent(Entry, frozen=True):
    """The run's cap on running time has been reached."""

    seconds: float


class QuestionAsked(Entry, frozen=True):
    """A person is asked: a question, an approval, or about a doubt."""

    step: str
    question: str
    """The id: `step#n`, counted from 1 in each step."""
    ask: QuestionKind
    text: str
    choices: tuple[str, ...] = ()
    digest: str = ""
    """Of the arguments that are to be approved: an approval holds for these alone."""
    args: Raw = NULL


class AnswerRecorded(Entry, frozen=True):
    """The answer; each question has one."""

    step: str
    question: str
    answer: Raw
    output: Raw = NULL
    """With `happened`: what the call returned, as far as the person knows."""
    cost: Cost = NOTHING
    """With `happened`: what the call is taken to have cost."""
    by: str | None = None
    request: str | None = None


class RunPaused(Entry, frozen=True):
    """Nothing starts until it is resumed."""

    by: str | None = None
    request: str | None = None


class RunResumed(Entry, frozen=True):
    """Steps may start again."""

    by: str | None = None
    request: str | None = None


class RunRecovered(Entry, frozen=True):
    """Nobody drove the run for a while (its process had died); from here on somebody does."""


class CancelRequested(Entry, frozen=True):
    """No attempt starts after this."""

    by: str | None = None
    reason: str = ""
    request: str | None = None


class UndoRequested(Entry, frozen=True):
    """Take back what is owed; with `to`, keep that step and what it needed."""

    to: str | None = None
    by: str | None = None
    request: str | None = None


class UndoStarted(Entry, frozen=True):
    """The undo tool is about to be called."""

    step: str
    attempt: int
    tool: str
    args: Raw


class UndoEnded(Entry, frozen=True):
    """What became of an undo attempt; also of one that could not even be started."""

    step: str
    attempt: int
    outcome: Outcome
    output: Raw = NULL
    error: Failure | None = None
    cost: Cost = NOTHING


class ProblemNoted(Entry, frozen=True):
    """Something a person should know that changes nothing about the run."""

    message: str
    step: str | None = None


class RunEnded(Entry, frozen=True):
    """The run has ended; every step of it is final."""

    state: EndState
    cause: Cause | None = None
    output: Raw = NULL
    digest: str = ""
    """Of the snapshot before this entry: what a replay must arrive at, byte for byte."""
    spent: Cost = NOTHING
    """What the run has cost, all its undos included."""


AnyEntry: TypeAlias = (
    RunStarted
    | StepsAdded
    | RunSealed
    | StepCopied
    | StepCached
    | StepDecided
    | StepExpanded
    | StepRefused
    | StepDelayed
    | AttemptStarted
    | CheckpointSaved
    | TextEmitted
    | AttemptEnded
    | TimerFired
    | SecondsSpent
    | verbs.StepExpired
    | QuestionAsked
    | AnswerRecorded
    | RunPaused
    | RunResumed
    | RunRecovered
    | CancelRequested
    | verbs.StopRequested
    | verbs.RetryRequested
    | verbs.RunReopened
    | verbs.StepUndoRequested
    | agents.AgentChosen
    | agents.AgentSaid
    | UndoRequested
    | UndoStarted
    | UndoEnded
    | ProblemNoted
    | RunEnded
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)


def encode(entry: AnyEntry) -> bytes:
    """The entry as one line of JSON."""
    return _encoder.encode(entry)


def decode(data: bytes) -> AnyEntry:
    """The entry that a line of JSON stands for.

    Raises:
        msgspec.MsgspecError: it stands for none.
    """
    try:
        return _decoder.decode(data)
    except RecursionError as exc:
        raise msgspec.ValidationError("nested too deeply") from exc


def must_read_back(entry: AnyEntry) -> None:
    """Refuse an entry that could be written and never be read: nothing could mend its journal.

    Raises:
        InputError: something in it is not what its type promises.
    """
    try:
        decode(encode(entry))
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as exc:
        raise InputError(f"This cannot be written down: {exc}.") from exc


LARGE_FIELDS: dict[type[Entry], tuple[str, ...]] = {
    StepExpanded: ("items",),
    StepCopied: ("output",),
    StepCached: ("output",),
    AttemptStarted: ("args",),
    CheckpointSaved: ("data",),
    AttemptEnded: ("output",),
    QuestionAsked: ("args",),
    AnswerRecorded: ("answer", "output"),
    UndoStarted: ("args",),
    UndoEnded: ("output",),
    RunEnded: ("output",),
}
"""Where a value may be large. Inputs are not among them: a start key stands for them."""
