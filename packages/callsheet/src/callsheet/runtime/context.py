"""What a tool is told, and what it may say, while it works."""

from __future__ import annotations

import asyncio
import math
import mimetypes
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from callsheet.core.ids import idempotency_key
from callsheet.core.plan.artifact import ANY_TYPE, Artifact
from callsheet.core.plan.plan import Cost
from callsheet.core.run.start import TENANT
from callsheet.errors import RequestRefusedError, StoreFullError, UnknownArtifactError
from callsheet.runtime.log import LazyLog
from callsheet.runtime.secrets import NOT_ANY, hide, hide_in

if TYPE_CHECKING:
    from callsheet.core.ids import RunId, StepKey
    from callsheet.core.value import Json
    from callsheet.errors import CallsheetError
    from callsheet.ports import ArtifactStore, Clock, Log
    from callsheet.runtime.secrets import Revealed

GRACE = 10.0
_NO_PINS: frozenset[str] = frozenset()


class Listener(Protocol):
    """Who a context speaks to: the loop of its run."""

    clock: Clock
    artifacts: ArtifactStore

    async def save_checkpoint(self, step: StepKey, attempt: int, data: Json) -> None:
        """Journal it; returns when it is durable."""
        ...

    def say_progress(self, step: StepKey, fraction: float | None, message: str) -> None:
        """Pass it on to watchers."""
        ...

    def interrupt(self, step: StepKey, error: CallsheetError) -> None:
        """Drive the run no further: what a call of its gives cannot be kept now."""
        ...


class CallContext:
    """The context of one call; implements `ports.Context`."""

    __slots__ = (
        "_listener",
        "_scratch",
        "_undo",
        "attempt",
        "cancelled",
        "cost",
        "grace",
        "over",
        "pins",
        "run",
        "saved",
        "secrets",
        "step",
        "tenant",
    )

    def __init__(  # noqa: PLR0913 -- the fields of `Context`
        self,
        listener: Listener,
        run: RunId,
        step: StepKey,
        attempt: int,
        *,
        undo: bool,
        saved: Json,
        secrets: Revealed = NOT_ANY,
        tenant: str = TENANT,
    ) -> None:
        self._listener = listener
        self.run = run
        self.step = step
        self.attempt = attempt
        self._undo = undo
        self.saved = saved
        self.grace = GRACE
        self.cancelled = False
        self.over = False
        """It has an end in the journal; a tool that was left behind does not know of it."""
        self.cost: Cost | None = None
        self.pins: frozenset[str] = _NO_PINS
        """Artifacts that are not to be collected while the call goes on."""
        self.secrets = secrets
        self.tenant = tenant
        self._scratch: Path | None = None

    @property
    def key(self) -> str:
        """The idempotency key. Most tools never look at it, so it is made when one does."""
        return idempotency_key(self.run, self.step, undo=self._undo)

    @property
    def log(self) -> Log:
        """A logger that says which call it is."""
        return LazyLog(hiding=self.secrets, run=self.run, step=self.step, attempt=self.attempt)

    def progress(self, fraction: float | None = None, message: str = "") -> None:
        """Say how far it is."""
        said = hide(message, self.secrets) if self.secrets else message
        self._listener.say_progress(self.step, fraction, said)

    async def checkpoint(self, data: Json) -> None:
        """Journal something that the next attempt must have.

        Raises:
            RequestRefusedError: this attempt is over; perhaps there is already another one.
        """
        if self.over:
            raise RequestRefusedError(f"Attempt {self.attempt} of step {self.step!r} is over.")
        kept = hide_in(data, self.secrets) if self.secrets else data
        await self._listener.save_checkpoint(self.step, self.attempt, kept)

    async def store(
        self, data: bytes | str | Path, *, media_type: str = "", name: str = ""
    ) -> Artifact:
        """Keep bytes, text or a file as an artifact, to be named in the output."""
        is_text = isinstance(data, str)
        name = name or (data.name if isinstance(data, Path) else "")
        try:
            digest, size = await self._listener.artifacts.put(bytes_of(data))
        except StoreFullError as exc:
            # Not the tool's fault: it has not failed, and is called again when there is room.
            if not self.over:
                self._listener.interrupt(self.step, exc)
            raise
        self.pins |= {digest}
        kind = media_type or media_type_of(name, is_text=is_text)
        return Artifact(digest=digest, media_type=kind, size=size, name=name)

    async def load(self, artifact: Artifact) -> bytes:
        """The bytes of an artifact."""
        return await self._listener.artifacts.get(artifact.digest)

    async def file(self, artifact: Artifact) -> Path:
        """A file with the bytes of an artifact, for reading, as long as the call goes on."""
        artifacts = self._listener.artifacts
        found = artifacts.path(artifact.digest)
        if found is not None:
            if await artifacts.size(artifact.digest) is None:
                raise UnknownArtifactError(f"There is no artifact {artifact.digest}.")
            return found
        self._scratch = self._scratch or Path(
            await asyncio.to_thread(tempfile.mkdtemp, prefix="callsheet-")
        )
        path = self._scratch / artifact.digest
        with path.open("wb") as file:
            async for piece in artifacts.read(artifact.digest):
                await asyncio.to_thread(file.write, piece)
        return path

    def release(self) -> None:
        """The call is over: what was laid out for it is cleared away."""
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = None

    def charge(self, *, usd: float = 0.0, credits: float = 0.0, tokens: int = 0) -> None:
        """Say what the call has cost."""
        spent = Cost(usd=_amount(usd), credits=_amount(credits), tokens=int(_amount(tokens)))
        self.cost = self.cost.plus(spent) if self.cost else spent

    async def sleep(self, seconds: float) -> None:
        """Wait on the engine's clock."""
        await self._listener.clock.sleep(seconds)


def media_type_of(name: str, *, is_text: bool = False) -> str:
    """The media type that a file's name suggests."""
    guessed, _ = mimetypes.guess_type(name)
    return guessed or ("text/plain; charset=utf-8" if is_text else ANY_TYPE)


def bytes_of(data: bytes | str | Path) -> bytes | Path:
    """What is kept of bytes, text or a file."""
    return data.encode() if isinstance(data, str) else data


def _amount(number: float) -> float:
    amount = float(number)
    if not (math.isfinite(amount) and amount >= 0):
        raise ValueError(f"A charge is a finite number, not negative; this one is {number!r}.")
    return amount
