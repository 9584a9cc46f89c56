"""What a tool is told, and what it may say, while it works."""

from __future__ import annotations

import asyncio
import math
import mimetypes
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, SupportsFloat, cast

from callsheet.core import given
from callsheet.core.ids import idempotency_key
from callsheet.core.plan.addition import Addition, plain_steps, saved_plans_in
from callsheet.core.plan.artifact import ANY_TYPE, Artifact, artifacts_in
from callsheet.core.plan.plan import Cost
from callsheet.core.run.start import TENANT
from callsheet.errors import (
    InputError,
    InvalidError,
    RequestRefusedError,
    StoreReadOnlyError,
    UnknownArtifactError,
)
from callsheet.runtime.belonging import must_be_own
from callsheet.runtime.log import LazyLog
from callsheet.runtime.outage import outlast
from callsheet.runtime.secrets import NOT_ANY, hide, hide_in
from callsheet.runtime.text import Veil

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from callsheet.core.ids import RunId, StepKey
    from callsheet.core.past.outputs import Outputs
    from callsheet.core.plan.plan import Step
    from callsheet.core.run.agents import AgentChosen
    from callsheet.core.value import Json
    from callsheet.ports import ArtifactStore, Branch, Clock, Database, Lineage, Log
    from callsheet.runtime.growth import Growth
    from callsheet.runtime.secrets import Revealed

GRACE = 10.0
MOST_CHARGED = 1_000_000_000
"""USD or credits of one call: no sum of them is infinite."""
MOST_TOKENS = 10**15
_NO_PINS: frozenset[str] = frozenset()


class Listener(Protocol):
    """Who a context speaks to: the loop of its run."""

    clock: Clock
    artifacts: ArtifactStore
    growth: Growth
    outputs: Outputs

    async def save_checkpoint(self, step: StepKey, attempt: int, data: Json) -> None:
        """Journal it; returns when it is durable."""
        ...

    def say_progress(self, step: StepKey, fraction: float | None, message: str) -> None:
        """Pass it on to watchers."""
        ...


class Beside(Protocol):
    """What a call may ask of the store, beside its run."""

    lineage: Lineage

    @property
    def lend(self) -> Callable[[Branch], Database]:
        """As `Store.lend`."""
        ...


class CallContext:
    """The context of one call; implements `ports.Context`."""

    __slots__ = (
        "_beside",
        "_emitted",
        "_listener",
        "_scratch",
        "_undo",
        "_veil",
        "attempt",
        "cancelled",
        "cost",
        "grace",
        "over",
        "pins",
        "run",
        "saved",
        "secrets",
        "spoiled",
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
        beside: Beside | None = None,
    ) -> None:
        self._listener = listener
        self._beside = beside
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
        self.spoiled: InvalidError | None = None
        """Why it fails, whatever the tool makes of it."""
        self._veil: Veil | None = None
        self._emitted: str | None = None

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
        if fraction is not None:
            fraction = float(given.of_type("fraction", fraction, (int, float), "a number"))
        said = printable(given.of_type("message", message, str, "a string"))
        if self.secrets:
            said = hide(said, self.secrets)
        known = fraction is not None and math.isfinite(fraction)
        self._listener.say_progress(self.step, fraction if known else None, said)

    async def checkpoint(self, data: Json) -> None:
        """Journal something that the next attempt must have.

        Raises:
            RequestRefusedError: this attempt is over; perhaps there is already another one.
        """
        self._must_go_on()
        kept = self._kept("data", data)
        await self._listener.save_checkpoint(self.step, self.attempt, kept)

    def emit(self, text: str) -> None:
        """Add to what the step says: for watchers at once, in the journal a moment later.

        Raises:
            InputError: it is no text.
            InvalidError: the step says more than it may; the attempt fails.
            RequestRefusedError: this attempt is over.
        """
        self._must_go_on()
        said = given.text("text", text)
        if self.secrets:
            self._veil = self._veil or Veil(self.secrets.looks)
            said = self._veil.shown(said)
        self._say(said)

    def conclude(self) -> None:
        """The call ends: nothing follows what was held back of its text."""
        if self._veil is not None and not self.over:
            with suppress(InvalidError):
                self._say(self._veil.rest())

    def _say(self, said: str) -> None:
        try:
            if said:
                self._listener.growth.texts.say(self.step, self.attempt, said)
        except InvalidError as exc:
            self.spoiled = exc
            raise

    @property
    def emitted(self) -> str:
        """What earlier attempts of this step have said, as far as it was journalled."""
        if self._emitted is None:
            self._emitted = self._listener.growth.texts.emitted(self.step)
        return self._emitted

    @property
    def seconds(self) -> float:
        """How long the run has been running: not paused, and not waiting for a person."""
        return self._listener.growth.seconds()

    async def add(
        self, steps: Sequence[Step | Mapping[str, object]], checkpoint: Json = None
    ) -> None:
        """Add steps to the run, which must be open; with a checkpoint in the same append.

        Raises:
            PlanError: they do not check; nothing was added.
            RequestRefusedError: the run takes no steps, or this attempt is over.
            InvalidError: an earlier attempt has added another step of the same id.
        """
        self._must_go_on()
        kept = None if checkpoint is None else self._kept("checkpoint", checkpoint)
        addition = await self._addition(steps)
        try:
            await self._listener.growth.add(self.step, self.attempt, addition, kept)
        except InvalidError as exc:
            self.spoiled = exc
            raise

    @property
    def grown(self) -> tuple[Step, ...]:
        """The steps that were added from inside the run so far, by this step or by others."""
        return self._listener.growth.grown()

    async def then(
        self,
        steps: Sequence[Step | Mapping[str, object]] = (),
        *,
        seal: bool = False,
        output: Json = None,
    ) -> None:
        """Have steps follow, and the run sealed, if this attempt succeeds: written with its end.

        Raises:
            PlanError: they do not check; nothing will be added.
            RequestRefusedError: the run takes no steps, or this attempt is over.
            InvalidError: an earlier attempt has added another step of the same id.
        """
        self._must_go_on()
        given.flag("seal", seal)
        await self._follow(steps, seal=seal, output=self._kept("output", output))

    async def choose(self, steps: Sequence[Mapping[str, object]], chosen: AgentChosen) -> None:
        """Have steps follow in which a certain agent answers, as `then`."""
        self._must_go_on()
        await self._follow(steps, chosen=(chosen,))

    async def tell(self, sender: str, to: str, content: Artifact) -> None:
        """Write down that an agent has said something to another; durable when it returns."""
        self._must_go_on()
        growth = self._listener.growth
        await growth.say(self.step, self.attempt, sender, to, content.digest)

    @property
    def scope(self) -> str:
        """Where the context of its run lies: what the run is about, or the run at the top."""
        outputs = self._listener.outputs
        return outputs.subject or f"run:{outputs.root}"

    @property
    def spent(self) -> Cost:
        """What its run has spent so far."""
        return self._listener.growth.spent()

    async def _follow(
        self,
        steps: Sequence[Step | Mapping[str, object]],
        *,
        seal: bool = False,
        output: Json = None,
        chosen: tuple[AgentChosen, ...] = (),
    ) -> None:
        addition = await self._addition(steps)
        self._must_go_on()
        if output is not None and not seal:
            raise InputError("What the run gives is said when it is sealed: write seal=True.")
        try:
            self._listener.growth.promise(
                self.step, self.attempt, addition, seal=seal, output=output, chosen=chosen
            )
        except InvalidError as exc:
            self.spoiled = exc
            raise

    async def stop(self, step: str) -> None:
        """Stop a step that this one has added; what it says again changes nothing.

        Raises:
            RequestRefusedError: this step has not added it, or it cannot be stopped.
        """
        self._must_go_on()
        await self._listener.growth.stop(self.step, self.attempt, given.text("step", step))

    async def undo(self, step: str) -> None:
        """Take back what a step did that this one has added; said again, it changes nothing.

        Raises:
            RequestRefusedError: this step has not added it, or it cannot be taken back.
        """
        self._must_go_on()
        await self._listener.growth.undo(self.step, self.attempt, given.text("step", step))

    async def _addition(self, steps: object) -> Addition:
        plain = plain_steps(steps)
        if self.secrets:
            plain = cast("list[dict[str, Json]]", [hide_in(each, self.secrets) for each in plain])
        names = list(saved_plans_in(plain))
        plans = await self._listener.growth.saved_plans(names) if names else {}
        return Addition(steps=plain, plans=plans)

    def _must_go_on(self) -> None:
        if self.over:
            raise RequestRefusedError(f"Attempt {self.attempt} of step {self.step!r} is over.")

    def _kept(self, name: str, data: object) -> Json:
        """A value as it is written down."""
        kept = given.json(name, data)
        return hide_in(kept, self.secrets) if self.secrets else kept

    async def store(
        self, data: bytes | str | Path, *, media_type: str = "", name: str = ""
    ) -> Artifact:
        """Keep bytes, text or a file as an artifact, to be named in the output."""
        is_text = isinstance(data, str)
        name, media_type = name_of(data, name), given.text("media_type", media_type)
        kept = bytes_of(data)

        async def put() -> tuple[str, int]:
            self._must_go_on()
            return await self._listener.artifacts.put(kept)

        # A disk that is full is not the tool's fault: there will be room again.
        clock = self._listener.clock
        digest, size = await outlast(put, clock, run=self.run, unless=(StoreReadOnlyError,))
        self.pins |= {digest}
        kind = media_type or media_type_of(name, is_text=is_text)
        return Artifact(digest=digest, media_type=kind, size=size, name=name)

    async def vouch(self, output: Json, args: Json) -> None:
        """See that an output names nothing that is not its tenant's.

        Raises:
            ValueError: it does.
        """
        given = {*self.pins, *(each.digest for each in artifacts_in(args))}
        assert self._beside is not None, "a call of a run"
        await must_be_own(self._beside.lineage, self.tenant, output, given)

    async def load(self, artifact: Artifact) -> bytes:
        """The bytes of an artifact."""
        return await self._listener.artifacts.get(_digest(artifact))

    async def file(self, artifact: Artifact) -> Path:
        """A file with the bytes of an artifact, for reading, as long as the call goes on."""
        artifacts = self._listener.artifacts
        _digest(artifact)
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

    def database(self, branch: Branch) -> Database:
        """The engine's database, for the tables of the app that a tool belongs to."""
        assert self._beside is not None, "a call of a run"
        return self._beside.lend(branch)

    def release(self) -> None:
        """The call is over: what was laid out for it is cleared away."""
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = None

    def charge(self, *, usd: float = 0.0, credits: float = 0.0, tokens: int = 0) -> None:
        """Say what the call has cost."""
        spent = Cost(
            usd=_amount("usd", usd), credits=_amount("credits", credits), tokens=_tokens(tokens)
        )
        total = self.cost.plus(spent) if self.cost else spent
        if max(total.usd, total.credits) > MOST_CHARGED or total.tokens > MOST_TOKENS:
            raise InputError(
                f"One call cannot cost more than {MOST_CHARGED:,} USD or credits, or "
                f"{MOST_TOKENS:,} tokens."
            )
        self.cost = total

    async def sleep(self, seconds: float) -> None:
        """Wait on the engine's clock."""
        await self._listener.clock.sleep(
            max(0.0, given.of_type("seconds", seconds, (int, float), "a number"))
        )


def media_type_of(name: str, *, is_text: bool = False) -> str:
    """The media type that a file's name suggests."""
    guessed, _ = mimetypes.guess_type(name)
    return guessed or ("text/plain; charset=utf-8" if is_text else ANY_TYPE)


def bytes_of(data: bytes | str | Path) -> bytes | Path:
    """What is kept of bytes, text or a file.

    Raises:
        InputError: it is something else.
    """
    if isinstance(data, (bytes, Path)):
        return data
    if isinstance(data, (bytearray, memoryview)):
        return bytes(data)
    if not isinstance(data, str):
        raise given.wrong("data", "bytes, text or a Path", data)
    return given.text("data", data).encode()


def name_of(data: object, name: object) -> str:
    """What an artifact is called: what it is given, or the name of its file.

    On most systems a file's name may be any bytes. Those that are no text are spelled out, so that
    the name can be written down and printed everywhere.

    Raises:
        InputError: the name that was given is no text.
    """
    given.of_type("name", name, str, "a string")
    said = name or (data.name if isinstance(data, Path) else "")
    return printable(str(said))


def printable(text: str) -> str:
    """Text as it can be written everywhere: half a surrogate pair is spelled out."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _amount(name: str, charged: object) -> float:
    # A Decimal, or a number of another library, is as good as a float.
    return given.number(name, float(charged) if isinstance(charged, SupportsFloat) else charged)


def _tokens(charged: object) -> int:
    return int(_amount("tokens", charged))


def _digest(artifact: object) -> str:
    return given.of_type("artifact", artifact, Artifact, "an Artifact").digest
