"""The context of a tool that is not async: what is awaited elsewhere blocks here.

It knows neither threads nor processes, only a line to whoever listens on the event loop.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol, cast

from msgspec import structs

from callsheet.core.plan.artifact import Artifact, artifact_of
from callsheet.tools.message import Charge, Checkpoint, Fetch, Keep, Logged, Progressed
from callsheet.tools.output import as_json, is_plain

if TYPE_CHECKING:
    import threading

    from callsheet.core.ids import RunId, StepKey
    from callsheet.core.value import Json
    from callsheet.tools.message import Answer, Question


class Line(Protocol):
    """The way from a blocking tool to the event loop. Any thread may use it."""

    stop: threading.Event
    """Set when the tool is told to stop."""

    def post(self, message: Progressed | Logged) -> None:
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
    ) -> None:
        self.run = run
        self.step = step
        self.attempt = attempt
        self.key = key
        """The idempotency key: the same for all attempts of this step."""
        self.saved = saved
        """What `checkpoint` was last given by an earlier attempt of this step, or None."""
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

    def checkpoint(self, data: Json) -> None:
        """Journal something that the next attempt must have. Returns when it is durable."""
        self._ask(Checkpoint(data=as_json("checkpoint", data)))

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
            raise RuntimeError(answer.problem)
        return answer.value


def _cancelled() -> BaseException:
    # Imported here: a worker process needs nothing else of it, and it is a fifth of what it loads.
    from asyncio import CancelledError

    return CancelledError()


def _sayable(fields: dict[str, object]) -> dict[str, Json]:
    plain = {name: item if is_plain(item) else repr(item) for name, item in fields.items()}
    return cast("dict[str, Json]", plain)
