"""Commands: what `decide` names to be done. Imperatives; the driver does them and journals it."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from callsheet.core.ids import StepKey
from callsheet.core.run.entries import Cause, EndState, Failure, QuestionKind


class SkipStep(msgspec.Struct, frozen=True, kw_only=True):
    """Journal that a step is skipped."""

    step: StepKey
    reason: str


class ExpandStep(msgspec.Struct, frozen=True, kw_only=True):
    """Resolve a `for_each` and journal how many items it has."""

    step: StepKey


class DecideStep(msgspec.Struct, frozen=True, kw_only=True):
    """Resolve a step's `when` and touches and journal what came of it."""

    step: StepKey


class AskStep(msgspec.Struct, frozen=True, kw_only=True):
    """Ask a person."""

    step: StepKey
    ask: QuestionKind


class RefuseStep(msgspec.Struct, frozen=True, kw_only=True):
    """Fail a step that can never be started."""

    step: StepKey
    error: Failure


class StartAttempt(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Call the step's tool, if admission lets it."""

    step: StepKey
    attempt: int


class StopAttempts(msgspec.Struct, frozen=True, kw_only=True):
    """Tell everything that is running to stop."""


class StartUndo(msgspec.Struct, frozen=True, kw_only=True):
    """Call the step's undo."""

    step: StepKey
    attempt: int


class EndRun(msgspec.Struct, frozen=True, kw_only=True):
    """Journal the end of the run."""

    state: EndState
    cause: Cause | None


Command: TypeAlias = (
    SkipStep
    | ExpandStep
    | DecideStep
    | AskStep
    | RefuseStep
    | StartAttempt
    | StopAttempts
    | StartUndo
    | EndRun
)


def begins(command: Command) -> bool:
    """Whether something new begins by it; also a question's time to answer."""
    is_question = isinstance(command, AskStep) and command.ask == "question"
    return is_question or isinstance(command, (StartAttempt, StartUndo))
