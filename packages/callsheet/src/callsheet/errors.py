"""Every error Callsheet raises, as one tree.

* CallsheetError
  x InputError                what was handed in is wrong; nothing was spent or written (exit 2)
    + PlanError               a plan that does not check: carries every problem with its place
    + InputsError             the inputs of a run do not fit the plan
    + ConfigurationError      a configuration that does not check: carries every problem
    + ReferenceSyntaxError    a `${…}` that cannot be understood
    + ToolDefinitionError     a tool that cannot be registered
    + UnknownRunError         there is no such run
    + UnknownPlanError        there is no such saved plan
    + MissingToolsError       a run that needs tools which are not here
    + MissingValueError       a run whose large values are not where they were kept
    + KeyReusedError          the same start key with other content
    + UnknownArtifactError    there is no such artifact
    + MissingSecretsError     secrets that a plan names and nobody has set
    + LedgerShortError        the tenant's account does not cover what the run may spend
    + StaleContextError       the context item has changed since it was read
    + RequestRefusedError     a request that the run's state does not allow
      - TurnRunningError      the conversation has a turn that goes on; `turn` names it
    + ReplayImpossibleError   a journal that cannot be replayed at all
  x StoreError                the home or database cannot be used
    + StoreBusyError          another process holds this home, or the database is locked
      - RequestPendingError   a request is recorded, and nobody is there to serve it yet
      - DrivenElsewhereError  another process drives the run
      - DriverReplacedError   another process has taken over what this one was driving
    + StoreMissingError       there is nothing there
    + StoreReadOnlyError      it cannot be written
    + StoreFullError          the disk is full
    + StoreCorruptError       it is damaged, truncated or not ours
    + StoreVersionError       it was written by a newer version
    + StaleWriteError         the journal is no longer as long as the writer believed
  x EngineClosedError         the engine was closed while somebody was still using it
  x RunFailedError            raised by `Result.raise_for_state`: the run did not succeed
  x ToolError                 raised by tools: what became of a call (`error_class` says which way)
    + TransientError          may work if tried again
      - NotDoneError          may work if tried again, and certainly nothing happened
    + RateLimitedError        too many calls; `retry_after` says when
    + ToolTimeoutError        took too long
      - AbandonedError        told to stop, did not, and may still be running
    + InvalidError            the arguments are wrong
      - NullReferenceError    references that are null where none is allowed
    + DeniedError             not allowed
      - RefusedError          a model, or its provider, will not answer this
    + FatalError              will not work, however often it is tried

`code` and `retryable` stand on the class: a program reads those, a person reads the message.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, runtime_checkable

from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ErrorClass = Literal[
    "transient", "rate_limited", "timeout", "invalid", "denied", "cancelled", "fatal"
]


class CallsheetError(Exception):
    """Something went wrong in Callsheet."""

    code: ClassVar[str] = "error"
    retryable: ClassVar[bool] = False

    def __init__(self, message: str = "") -> None:
        super().__init__(message or (self.__doc__ or "").strip())

    @property
    def message(self) -> str:
        """The sentence for a person."""
        return str(self.args[0])

    def to_json(self) -> dict[str, object]:
        """As plain data: `{code, message, problems}`."""
        return {"code": self.code, "message": self.message, "problems": []}


@runtime_checkable
class _Problem(Protocol):
    """What problems of the core look like from here, below it."""

    def to_json(self) -> dict[str, object]: ...


class InputError(CallsheetError):
    """What was handed in is wrong."""

    code = "input"

    def __init__(self, message: str = "", problems: Iterable[object] = ()) -> None:
        super().__init__(message)
        self.problems: tuple[object, ...] = tuple(problems)
        """`callsheet.types.Problem`s, if there are places: every one that was found."""

    @override
    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.problems)

    @override
    def to_json(self) -> dict[str, object]:
        problems = [each.to_json() for each in self.problems if isinstance(each, _Problem)]
        return {**super().to_json(), "problems": problems}


class PlanError(InputError):
    """The plan does not check."""

    code = "plan"


class InputsError(PlanError):
    """The inputs do not fit the plan."""

    code = "inputs"


class ConfigurationError(PlanError):
    """The configuration does not check."""

    code = "configuration"


class ReferenceSyntaxError(InputError):
    """A reference cannot be understood."""

    code = "reference"

    def __init__(
        self,
        message: str = "",
        *,
        place: tuple[str | int, ...] = (),
        text: str = "",
        what: str = "",
        fix: str = "",
    ) -> None:
        super().__init__(message)
        self.place = place
        """Where it stands, within the value it was found in."""
        self.text = text
        self.what = what
        self.fix = fix
        """What to write instead."""

    @override
    def __reduce__(self) -> tuple[object, ...]:
        state = {"place": self.place, "text": self.text, "what": self.what, "fix": self.fix}
        return type(self), (self.message,), state


class ToolDefinitionError(InputError):
    """The tool cannot be registered."""

    code = "tool_definition"


class UnknownRunError(InputError):
    """There is no such run."""

    code = "unknown_run"


class UnknownPlanError(InputError):
    """There is no such saved plan."""

    code = "unknown_plan"


class MissingToolsError(InputError):
    """The run needs tools that are not here."""

    code = "missing_tools"


class MissingValueError(InputError):
    """A value of the run is not where it was kept."""

    code = "missing_value"


class KeyReusedError(InputError):
    """This start key was used for another plan or other inputs."""

    code = "key_reused"


class UnknownArtifactError(InputError):
    """There is no such artifact."""

    code = "unknown_artifact"


class MissingSecretsError(InputError):
    """The plan names secrets that are not set."""

    code = "missing_secrets"


class LedgerShortError(InputError):
    """The tenant's account does not cover what the run may spend."""

    code = "ledger_short"


class StaleContextError(InputError):
    """The context item has changed since it was read."""

    code = "stale_context"


class RequestRefusedError(InputError):
    """The run's state does not allow this request."""

    code = "request_refused"


class TurnRunningError(RequestRefusedError):
    """The conversation has a turn that goes on."""

    code = "turn_running"

    def __init__(
        self, message: str = "", problems: Iterable[object] = (), *, turn: str = ""
    ) -> None:
        super().__init__(message, problems)
        self.turn = turn
        """The one that goes on: to be waited for, or cancelled."""

    @override
    def __reduce__(self) -> tuple[object, ...]:
        return partial(type(self), turn=self.turn), (self.message, self.problems)

    @override
    def to_json(self) -> dict[str, object]:
        return {**super().to_json(), "turn": self.turn}


class ReplayImpossibleError(InputError):
    """The journal cannot be replayed."""

    code = "replay_impossible"


class StoreError(CallsheetError):
    """The store cannot be used."""

    code = "store"


class StoreBusyError(StoreError):
    """Another process holds the store."""

    code = "store_busy"
    retryable = True


class RequestPendingError(StoreBusyError):
    """The request is recorded; it takes effect when somebody drives the run."""

    code = "request_pending"


class DrivenElsewhereError(StoreBusyError):
    """Another process drives the run, and is alive."""

    code = "driven_elsewhere"
    retryable = False


class DriverReplacedError(StoreBusyError):
    """Another process has taken over what this one was driving."""

    code = "driver_replaced"
    retryable = False


class StoreMissingError(StoreError):
    """There is no store there."""


class StoreReadOnlyError(StoreError):
    """The store cannot be written."""

    code = "store_read_only"


class StoreFullError(StoreError):
    """The disk is full."""

    code = "store_full"


class StoreCorruptError(StoreError):
    """The store is damaged or not a Callsheet store."""

    code = "store_corrupt"


class StoreVersionError(StoreError):
    """The store was written by a newer version of Callsheet."""

    code = "store_version"


class StaleWriteError(StoreError):
    """The journal has grown since it was read: another process drives this run."""

    code = "stale_write"


class EngineClosedError(CallsheetError):
    """The engine was closed; the run is kept and goes on when it is opened again."""

    code = "engine_closed"
    retryable = True


class RunFailedError(CallsheetError):
    """The run did not succeed."""

    code = "run_failed"

    def __init__(self, message: str = "", *, result: object = None) -> None:
        super().__init__(message)
        self.result = result
        """The `Result` of the run."""

    @override
    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message,), {"result": self.result}


class ToolError(CallsheetError):
    """A tool's word on what became of a call."""

    code = "tool"
    error_class: ClassVar[ErrorClass] = "fatal"
    nothing_happened: ClassVar[bool] = True
    """False: the effect may be there all the same, so a write must not be blindly repeated."""

    def __init__(self, message: str = "", *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds until it makes sense to try again; None when the tool does not know."""

    @override
    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message,), {"retry_after": self.retry_after}


class TransientError(ToolError):
    """It may work if tried again."""

    code = "transient"
    error_class = "transient"
    retryable = True
    nothing_happened = False


class NotDoneError(TransientError):
    """Nothing happened, and it may work if tried again."""

    code = "not_done"
    nothing_happened = True


class RateLimitedError(ToolError):
    """Too many calls."""

    code = "rate_limited"
    error_class = "rate_limited"
    retryable = True


class ToolTimeoutError(ToolError):
    """It took too long."""

    code = "timeout"
    error_class = "timeout"
    retryable = True
    nothing_happened = False


class AbandonedError(ToolTimeoutError):
    """It was told to stop, did not, and may still be running."""

    code = "abandoned"
    has_ended: Callable[[], bool] | None = None
    """Asked later, whether it no longer is."""


class InvalidError(ToolError):
    """The arguments are wrong."""

    code = "invalid"
    error_class = "invalid"


class NullReferenceError(InvalidError):
    """A reference is null where none is allowed."""

    code = "null_reference"

    def __init__(
        self,
        message: str = "",
        *,
        retry_after: float | None = None,
        nulls: Sequence[tuple[tuple[str | int, ...], str]] = (),
    ) -> None:
        super().__init__(message, retry_after=retry_after)
        self.nulls = tuple(nulls)
        """Every one of them: its place, and its expression."""

    @override
    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message,), {"retry_after": self.retry_after, "nulls": self.nulls}


class DeniedError(ToolError):
    """Not allowed."""

    code = "denied"
    error_class = "denied"


class RefusedError(DeniedError):
    """A model, or its provider, will not answer this: no other one is asked instead."""

    code = "refused"


class FatalError(ToolError):
    """It will not work, however often it is tried."""

    code = "fatal"


def kind_of(code: str) -> type[CallsheetError] | None:
    """The error of a code, for whoever is told of one that was raised elsewhere."""
    waiting: list[type[CallsheetError]] = [CallsheetError]
    while waiting:
        kind = waiting.pop()
        if vars(kind).get("code") == code:
            return kind
        waiting += kind.__subclasses__()
    return None
