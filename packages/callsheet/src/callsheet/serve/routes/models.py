"""The shapes of bodies and answers, as the OpenAPI document tells them.

Bodies are read with these: whatever is not in them is refused by name. Answers are not made with
them but by `to_json` of what the engine returns, which is the one spelling there is; a test holds
the two together.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

PlanDocument = Annotated[
    dict[str, Any] | str,
    Field(description="A plan: the document itself, or its text as YAML or JSON."),
]
Name = Annotated[str, StringConstraints(min_length=1, max_length=1000)]


class Body(BaseModel):
    """What is handed in: nothing is guessed, nothing unknown is taken."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Told(BaseModel):
    """What is answered."""

    model_config = ConfigDict(extra="allow")


# Plans


class PlanBody(Body):
    """A plan to be checked or saved."""

    plan: PlanDocument


class PreflightBody(Body):
    """A plan to be looked at before it runs."""

    plan: PlanDocument
    inputs: dict[str, Any] | None = None


class ProblemTold(Told):
    """One thing that is wrong."""

    severity: Literal["error", "warning"]
    place: str
    what: str


class CheckTold(Told):
    """What came of a check."""

    ok: bool
    problems: list[ProblemTold]


class PreflightTold(Told):
    """What a run will probably take."""

    plan: str
    digest: str
    waves: list[list[str]]
    width: int
    critical_path: list[str]
    seconds: dict[str, Any] | None
    cost: dict[str, Any]
    suggestions: list[Any]


class SavedPlanTold(Told):
    """One version of a saved plan."""

    name: str
    version: int
    digest: str
    steps: int
    description: str
    saved_at: str


class WholePlanTold(SavedPlanTold):
    """A saved plan with the plan itself."""

    plan: dict[str, Any]


# Runs


class StartBody(Body):
    """A run to be started: of a plan, or of a saved one."""

    plan: PlanDocument | None = None
    plan_id: Name | None = Field(
        None, description="A saved plan: `name`, `name@version`, or its digest."
    )
    inputs: dict[str, Any] | None = None
    key: Name | None = Field(None, description="The same key and content is the same run.")
    open: bool = Field(False, description="Whether it takes more steps until it is sealed.")
    subject: Name | None = None


class StartedTold(Told):
    """A run that was started."""

    run: str
    state: str
    plan: str
    started_at: str
    links: dict[str, str]


class QuestionTold(Told):
    """What a person is being asked."""

    id: str
    step: str
    ask: Literal["question", "approval", "doubt"]
    text: str
    choices: list[str]
    args: Any = None


class StepTold(Told):
    """One step of a run."""

    state: str
    attempts: int
    cost: dict[str, float]
    label: str


class RunTold(Told):
    """A run, as it stands."""

    run: str
    plan: str
    state: str
    paused: bool
    interrupted: bool
    cause: dict[str, Any] | None
    output: Any
    steps: dict[str, StepTold]
    cost: dict[str, float]
    seconds: float
    problems: list[dict[str, Any]]
    questions: list[QuestionTold]


class HeadTold(Told):
    """A run in a list."""

    run: str
    plan: str
    state: str
    paused: bool
    interrupted: bool
    started_at: str
    ended_at: str | None
    key: str | None
    subject: str | None


class CancelBody(Body):
    """Why a run, or a step, is stopped."""

    reason: str = Field("", max_length=10_000)


class UndoBody(Body):
    """What is to be taken back: all of it, or only some."""

    to: Name | None = Field(None, description="Keep this step, and what it needed.")
    only: Name | None = Field(None, description="Take back what this step did, and nothing else.")


class AnswerBody(Body):
    """An answer to a question, an approval or a doubt."""

    question: Name = Field(description="The id of the question, as the run tells it.")
    answer: Any
    output: Any = Field(None, description="With `happened`: what the call returned.")


class ForkBody(Body):
    """A run to be made of another, from a step on."""

    step: Name
    args: dict[str, Any] | None = None
    key: Name | None = None
    repeat_writes: bool = False


class ServedTold(Told):
    """What became of a request to a run."""

    run: str
    request: str
    served: bool


class ReplayTold(Told):
    """Whether the journal says the same again."""

    run: str
    entries: int
    same: bool
    digest: str


class AttemptTold(Told):
    """One try of a step."""

    step: str
    attempt: int
    undo: bool
    outcome: str | None


class RepeatTold(Told):
    """A write that would be done again."""

    step: str
    tool: str
    idempotent: bool


class OpenQuestionTold(QuestionTold):
    """A question, and whose it is."""

    run: str
    plan: str
    tenant: str


# The rest


class ToolTold(Told):
    """What a tool says of itself."""

    name: str
    version: str
    effect: Literal["read", "write"]
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any] | None


class ArtifactTold(Told):
    """What stands for an artifact in the inputs of a run."""

    media_type: str
    size: int
    name: str = ""


class ListedArtifactTold(Told):
    """An artifact that is kept, and who made it."""

    media_type: str
    size: int
    run: str | None
    step: str | None
    tool: str | None
    used_by: int
    written_at: str | None


class LineageTold(Told):
    """What was made of what."""

    roots: list[Any]
    artifacts: list[dict[str, Any]]
    calls: list[dict[str, Any]]
    links: list[dict[str, Any]]
    cut: bool


class AccountTold(Told):
    """Where an account stands."""

    tenant: str
    granted: dict[str, float]
    available: dict[str, float]
    reserved: dict[str, float]
    spent: dict[str, float]


class PostingTold(Told):
    """One line of an account."""

    number: int
    tenant: str
    at: str
    kind: Literal["grant", "reserve", "charge", "refund"]
    amount: dict[str, float]


class StatementTold(Told):
    """An account over a time."""

    tenant: str
    since: str | None
    until: str | None
    opening: AccountTold
    postings: list[PostingTold]
    closing: AccountTold


class GrantBody(Body):
    """What is put into an account."""

    tenant: Name
    usd: float = Field(0.0, ge=0, lt=1e9)
    credits: float = Field(0.0, ge=0, lt=1e9)
    tokens: int = Field(0, ge=0, lt=10**12)
    note: str = Field("", max_length=1000)


class ContextTold(Told):
    """An item of shared data."""

    scope: str
    name: str
    version: int
    size: int
    saved_at: str
    expires_at: str | None


class WholeContextTold(ContextTold):
    """An item of shared data, with its value."""

    value: Any


class ContextBody(Body):
    """A value to be shared."""

    value: Any
    ttl: float | None = Field(None, gt=0, le=10**9, description="Seconds until it expires.")


class KeyBody(Body):
    """A key to be made."""

    name: Name
    tenant: Name | None = None
    scopes: list[str] = Field(min_length=1)
    expires: float | None = Field(None, gt=0, le=10**10, description="Seconds from now.")


class KeyTold(Told):
    """What is known of a key."""

    id: str
    tenant: str
    name: str
    scopes: list[str]
    made_at: str
    expires_at: str | None
    revoked_at: str | None


class NewKeyTold(KeyTold):
    """A key that was just made."""

    key: str | None = Field(description="The key itself, told this once; null when told again.")


class AuditTold(Told):
    """One change."""

    id: str
    at: str
    who: str
    method: str
    path: str
    status: int
    request: str


class TicketBody(Body):
    """What a ticket is wanted for."""

    path: str = Field(min_length=1, max_length=2000, description="As in /api/runs/r00…/events.")


class TicketTold(Told):
    """A ticket: once, for a minute, as `?ticket=`."""

    ticket: str
    expires_in: int


class ProblemAnswer(BaseModel):
    """What went wrong (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    retryable: bool
    request: str
    problems: list[ProblemTold] = []
    turn: str | None = Field(None, description="With `turn_running`: the one that goes on.")
