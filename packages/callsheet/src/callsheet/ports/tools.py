"""Tools: what there is to be called, and what a call is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from callsheet.core.ids import RunId, StepKey
    from callsheet.core.plan.artifact import Artifact
    from callsheet.core.plan.plan import Step
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.run.provisions import Provisions
    from callsheet.core.value import Json
    from callsheet.ports.database import Branch, Database


class Log(Protocol):
    """A structured logger: a constant event name and fields (structlog's shape)."""

    def info(self, event: str, **fields: object) -> object:
        """For the record."""
        ...

    def warning(self, event: str, **fields: object) -> object:
        """For somebody to look at."""
        ...


class GivenSecrets(Protocol):
    """The secrets that stand in the arguments of a call, without being told which they are."""

    def in_text(self, text: str) -> str | None:
        """The name of a secret that stands in a text; None: there is none."""
        ...

    def kept_from(self, host: str) -> str | None:
        """The name of a secret that must not be sent to a host; None: there is none."""
        ...


class Context(Protocol):
    """What a tool is told about the call it serves, and what it may say while it works."""

    run: RunId
    tenant: str
    """Whose run it is."""
    step: StepKey
    attempt: int
    saved: Json
    """What `checkpoint` was last given by an earlier attempt of this step, or None."""
    grace: float
    """Seconds a tool that is told to stop has before it is killed or abandoned."""

    @property
    def key(self) -> str:
        """The idempotency key: the same for all attempts of this step."""
        ...

    @property
    def secrets(self) -> GivenSecrets:
        """What must not be shown or sent anywhere."""
        ...

    @property
    def log(self) -> Log:
        """A logger that says which call it is."""
        ...

    @property
    def cancelled(self) -> bool:
        """Whether the tool has been told to stop."""
        ...

    def progress(self, fraction: float | None = None, message: str = "") -> None:
        """Say how far it is; for watchers, never journalled."""
        ...

    async def checkpoint(self, data: Json) -> None:
        """Journal something (a provider's job id) that the next attempt must have."""
        ...

    @property
    def emitted(self) -> str:
        """What earlier attempts of this step have said, as far as it was journalled."""
        ...

    @property
    def seconds(self) -> float:
        """How long the run has been running: not paused, and not waiting for a person."""
        ...

    def emit(self, text: str) -> None:
        """Add to what the step says (`Text`): for watchers at once, and journalled."""
        ...

    async def add(
        self, steps: Sequence[Step | Mapping[str, object]], checkpoint: Json = None
    ) -> None:
        """Add steps to the run, which must be open; durable when it returns.

        The checkpoint is saved in the same append. The steps may start before this returns. What
        an earlier attempt has added is not added again; another step of the same id is refused.
        """
        ...

    @property
    def grown(self) -> tuple[Step, ...]:
        """The steps that were added from inside the run so far, by this step or by others."""
        ...

    async def then(
        self,
        steps: Sequence[Step | Mapping[str, object]] = (),
        *,
        seal: bool = False,
        output: Json = None,
    ) -> None:
        """Have steps follow this attempt, and the run sealed: checked now, written with its end.

        Only if it succeeds. Called again, it adds to what was said before. Whoever seals the run
        may say what it gives, as a plan says it in `output`.
        """
        ...

    async def stop(self, step: str) -> None:
        """Stop a step that this one has added, and no other; durable when it returns."""
        ...

    async def undo(self, step: str) -> None:
        """Take back what a step did that this one has added; durable when it returns."""
        ...

    async def store(
        self, data: bytes | str | Path, *, media_type: str = "", name: str = ""
    ) -> Artifact:
        """Keep bytes, text or a file as an artifact, to be named in the output.

        Without a media type it is guessed from the name. Not kept for long unless the output of
        this call, or a checkpoint, names it.
        """
        ...

    async def load(self, artifact: Artifact) -> bytes:
        """The bytes of an artifact."""
        ...

    async def file(self, artifact: Artifact) -> Path:
        """A file with the bytes of an artifact, for reading, as long as the call goes on."""
        ...

    def database(self, branch: Branch) -> Database:
        """The engine's database, for the tables of the app that a tool belongs to.

        For tools on the event loop; what is written there is in no journal.
        """
        ...

    def charge(self, *, usd: float = 0.0, credits: float = 0.0, tokens: int = 0) -> None:
        """Say what the call has cost; added up, and instead of the declared cost."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait on the engine's clock."""
        ...


class Toolbox(Protocol):
    """The tools there are."""

    def spec(self, name: str) -> ToolSpec | None:
        """A tool's declaration, or None if there is no such tool."""
        ...

    def names(self) -> Sequence[str]:
        """All of them, sorted."""
        ...

    async def call(self, name: str, args: dict[str, Json], ctx: Context) -> Json:
        """Call a tool and return its output as a JSON value.

        Any exception may come out of it; a `ToolError` says what class it is. Cancelling this
        coroutine tells the tool to stop; it ends within `ctx.grace`, unless the tool is a
        coroutine that does not listen. A thread that does not is left behind (`AbandonedError`).
        """
        ...

    async def close(self) -> None:
        """Stop whatever the tools have running."""
        ...


class Provisioner(Protocol):
    """What runs that are started here may use."""

    def provisions(self, tools: Iterable[str], secrets: Iterable[str]) -> Provisions:
        """What a run of these tools may use, that names these secrets."""
        ...


class Secrets(Protocol):
    """Values that are known at the call only."""

    def get(self, name: str) -> str | None:
        """The secret, or None if nobody has set it."""
        ...
