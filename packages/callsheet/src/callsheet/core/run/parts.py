"""Parts of entries: what several kinds of them are made of. As much a format as those are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Raw

from callsheet.core.plan.plan import Document
from callsheet.errors import ErrorClass

if TYPE_CHECKING:
    from callsheet.core.value import Json

CauseKind = Literal["failure", "cancel", "request", "budget"]


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
