"""A context in memory: it remembers what tools say to it."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from callsheet.core.ids import RunId, StepKey
from callsheet.core.plan.artifact import Artifact
from callsheet.runtime.secrets import NOT_ANY, Revealed
from callsheet.stores.memory.store import MemoryStore

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet.core.plan.plan import Step
    from callsheet.core.value import Json
    from callsheet.ports import Branch, Database

PATIENCE = 180.0
"""Seconds after which a test that waits has failed."""


@dataclass
class FakeLog:
    """What was logged: level, event, fields."""

    said: list[tuple[str, str, dict[str, object]]] = field(default_factory=list)

    def info(self, event: str, **fields: object) -> None:
        self.said.append(("info", event, fields))

    def warning(self, event: str, **fields: object) -> None:
        self.said.append(("warning", event, fields))

    def events(self) -> list[str]:
        return [event for _, event, _ in self.said]


@dataclass
class FakeContext:
    """Implements `ports.Context`."""

    run: RunId = field(default=RunId("r1"))
    tenant: str = "default"
    secrets: Revealed = field(default_factory=lambda: NOT_ANY)
    step: StepKey = field(default=StepKey("s1"))
    attempt: int = 1
    key: str = "key-1"
    saved: Json = None
    grace: float = 5.0
    cancelled: bool = False
    log: FakeLog = field(default_factory=FakeLog)
    progressed: list[tuple[float | None, str]] = field(default_factory=list)
    checkpoints: list[Json] = field(default_factory=list)
    charges: list[tuple[float, float, int]] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)
    sleeps_for_ever: bool = False
    checkpoint_error: Exception | None = None
    added: list[tuple[object, Json]] = field(default_factory=list)
    promised: list[tuple[object, bool]] = field(default_factory=list)
    add_error: Exception | None = None
    emitted: str = ""
    stopped: list[str] = field(default_factory=list)
    undone: list[str] = field(default_factory=list)
    seconds: float = 0.0
    texts: list[str] = field(default_factory=list)
    artifacts: dict[str, bytes] = field(default_factory=dict)
    directory: Path | None = None
    """Where artifacts are handed out as files."""
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    """Set by any progress: how a tool tells the test that it has begun."""

    def progress(self, fraction: float | None = None, message: str = "") -> None:
        self.progressed.append((fraction, message))
        self.heard.set()

    async def checkpoint(self, data: Json) -> None:
        if self.checkpoint_error is not None:
            raise self.checkpoint_error
        self.checkpoints.append(data)

    def emit(self, text: str) -> None:
        self.texts.append(text)

    async def add(
        self, steps: Sequence[Step | Mapping[str, object]], checkpoint: Json = None
    ) -> None:
        if self.add_error is not None:
            raise self.add_error
        self.added.append((list(steps), checkpoint))

    @property
    def grown(self) -> tuple[Step, ...]:
        return ()

    async def then(
        self,
        steps: Sequence[Step | Mapping[str, object]] = (),
        *,
        seal: bool = False,
        output: Json = None,
    ) -> None:
        self.promised.append((list(steps), seal))

    async def stop(self, step: str) -> None:
        self.stopped.append(step)

    async def undo(self, step: str) -> None:
        self.undone.append(step)

    def charge(self, *, usd: float = 0.0, credits: float = 0.0, tokens: int = 0) -> None:
        self.charges.append((usd, credits, tokens))

    async def store(
        self, data: bytes | str | Path, *, media_type: str = "", name: str = ""
    ) -> Artifact:
        content = _bytes_of(data)
        digest = hashlib.sha256(content).hexdigest()
        self.artifacts[digest] = content
        return Artifact(digest=digest, media_type=media_type or "x/y", size=len(content), name=name)

    async def load(self, artifact: Artifact) -> bytes:
        return self.artifacts[artifact.digest]

    async def file(self, artifact: Artifact) -> Path:
        assert self.directory is not None, "this context has no place for files"
        path = self.directory / artifact.digest
        path.write_bytes(self.artifacts[artifact.digest])
        return path

    def database(self, branch: Branch) -> Database:
        return MemoryStore().lend(branch)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if self.sleeps_for_ever:
            await asyncio.Event().wait()

    async def wait_heard(self) -> str:
        """Wait until the tool says something, and give what it said."""
        async with asyncio.timeout(PATIENCE):
            await self.heard.wait()
        self.heard.clear()
        return self.progressed[-1][1]


def _bytes_of(data: bytes | str | Path) -> bytes:
    if isinstance(data, Path):
        return data.read_bytes()
    return data.encode() if isinstance(data, str) else data
