"""The context of a tool that is not async: what is awaited elsewhere blocks here.

It knows neither threads nor processes, only a line to whoever listens on the event loop.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol, cast

from msgspec import structs

from callsheet import errors
from callsheet.core import given
from callsheet.core.plan.addition import plain_steps
from callsheet.core.plan.artifact import Artifact, artifact_of
from callsheet.tools.message import (
    Add,
    Charge,
    Checkpoint,
    Emitted,
    Fetch,
    Halt,
    HowLong,
    Keep,
    Logged,
    Progressed,
    TakeBack,
    Then,
)
from callsheet.tools.output import as_json, is_plain

if TYPE_CHECKING:
    import threading
    from collections.abc import Mapping, Sequence

    from callsheet.core.ids import RunId, StepKey
    from callsheet.core.plan.plan import Step
    from callsheet.core.value import Json
    from callsheet.tools.message import Answer, Question


class Line(Protocol):
    """The way from a blocking tool to the event loop. Any thread may use it."""

    stop: threading.Event
    """Set when the tool is told to stop."""

    def post(self, message: Progressed | Emitted | Logged) -> None:
        """Say something. Lost when nobody listens any more."""
        ...

    def ask(self, question: Question) -> Answer:
        """Say something and wait until it is done."""
        ...


class BlockingLog:
    """A structured logger whose words are said on the event loop's side."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def info(self, event: str, **fields: object) -> None:
        """For the record."""
        self._line.post(Logged(level="info", event=event, fields=_sayable(fields)))

    def warning(self, event: str, **fields: object) -> None:
        """For somebody to look at."""
        self._line.post(Logged(level="warning", event=event, fields=_sayable(fields)))


class SyncContext:
    """What a sync tool is told about its call; like `Context`, but its methods block."""

    def __init__(  # noqa: PLR0913 -- the fields of `Context`, and the line
        self,
        line: Line,
        *,
        run: RunId,
        step: StepKey,
        attempt: int,
        key: str,
        saved: Json,
        grace: float,
        emitted: str = "",
    ) -> None:
        self.run = run
        self.step = step
        self.attempt = attempt
        self.key = key
        """The idempotency key: the same for all attempts of this step."""
        self.saved = saved
        """What `checkpoint` was last given by an earlier attempt of this step, or None."""
        self.emitted = emitted
        """What earlier attempts of this step have said, as far as it was journalled."""
        self.grace = grace
        """Seconds the tool has when it is told to stop."""
        self.log = BlockingLog(line)
        self._line = line

    @property
    def cancelled(self) -> bool:
        """Whether the tool has been told to stop."""
        return self._line.stop.is_set()

    def progress(self, fraction: float | None = None, message: str = "") -> None:
        """Say how far it is; for watchers, never journalled."""
        self._line.post(Progressed(fraction=fraction, message=message))

    @property
    def seconds(self) -> float:
        """How long the run has been running: not paused, and not waiting for a person."""
        return float(str(self._ask(HowLong())))

    def emit(self, text: str) -> None:
        """Add to what the step says (`Text`): for watchers at once, and journalled."""
        self._line.post(Emitted(text=given.text("text", text)))

    def checkpoint(self, data: Json) -> None:
        """Journal something that the next attempt must have. Returns when it is durable."""
        self._ask(Checkpoint(data=as_json("checkpoint", data)))

    def add(self, steps: Sequence[Step | Mapping[str, object]], checkpoint: Json = None) -> None:
        """Add steps to the run, which must be open, and save a checkpoint; durable on return."""
        kept = None if checkpoint is None else as_json("checkpoint", checkpoint)
        self._ask(Add(steps=plain_steps(steps), checkpoint=kept))

    def then(
        self,
        steps: Sequence[Step | Mapping[str, object]] = (),
        *,
        seal: bool = False,
        output: Json = None,
    ) -> None:
        """Have steps follow this attempt, and the run sealed, if it succeeds."""
        gives = None if output is None else as_json("output", output)
        self._ask(Then(steps=plain_steps(steps), seal=given.flag("seal", seal), output=gives))

    def stop(self, step: str) -> None:
        """Stop a step that this one has added, and no other; durable when it returns."""
        self._ask(Halt(step=given.text("step", step)))

    def undo(self, step: str) -> None:
        """Take back what a step did that this one has added; durable when it returns."""
        self._ask(TakeBack(step=given.text("step", step)))

    def store(self, data: bytes | str | Path, *, media_type: str = "", name: str = "") -> Artifact:
        """Keep bytes, text or a file as an artifact, to be named in the output."""
        about = Keep(data=None, media_type=media_type, name=name)
        if isinstance(data, Path):
            about = structs.replace(about, path=str(data.resolve()), name=name or data.name)
        elif isinstance(data, str):
            about = structs.replace(about, data=data.encode(), is_text=True)
        else:
            about = structs.replace(about, data=data)
        kept = artifact_of(self._ask(about))
        assert kept is not None, "that is what a `Keep` is answered with"
        return kept

    def load(self, artifact: Artifact) -> bytes:
        """The bytes of an artifact."""
        return self.file(artifact).read_bytes()

    def file(self, artifact: Artifact) -> Path:
        """A file with the bytes of an artifact, for reading, as long as the call goes on."""
        return Path(str(self._ask(Fetch(artifact=artifact))))

    def database(self, branch: object) -> NoReturn:
        """Not to be had here: a tool that keeps tables is async.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError(f"{branch!r} cannot be reached from here: make the tool async.")

    def charge(self, *, usd: float = 0.0, credits: float = 0.0, tokens: int = 0) -> None:
        """Say what the call has cost; added up, and instead of the declared cost."""
        self._ask(Charge(usd=usd, credits=credits, tokens=tokens))

    def sleep(self, seconds: float) -> None:
        """Wait. When the tool is told to stop, this raises `asyncio.CancelledError` at once."""
        if self._line.stop.wait(seconds):
            raise _cancelled()

    def _ask(self, question: Question) -> Json:
        answer = self._line.ask(question)
        if answer.cancelled:
            raise _cancelled()
        if answer.problem is not None:
            raise _error_of(answer)
        return answer.value


def _error_of(answer: Answer) -> Exception:
    """What is raised on the other side is raised here, as far as both know it."""
    kind = getattr(errors, answer.kind, None) if answer.kind else None
    if isinstance(kind, type) and issubclass(kind, errors.CallsheetError):
        return kind(answer.problem or "")
    return RuntimeError(answer.problem)


def _cancelled() -> BaseException:
    # Imported here: a worker process needs nothing else of it, and it is a fifth of what it loads.
    from asyncio import CancelledError

    return CancelledError()


def _sayable(fields: dict[str, object]) -> dict[str, Json]:
    plain = {name: item if is_plain(item) else repr(item) for name, item in fields.items()}
    return cast("dict[str, Json]", plain)
