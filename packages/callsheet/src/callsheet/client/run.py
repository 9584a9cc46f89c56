"""The handle of a run that a service drives.

It stands as its journal tells it: the entries are read over HTTP and folded here, exactly as the
service folds them, so that what is shown here and there is the same.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import httpx
import msgspec
from typing_extensions import override

from callsheet.client.connection import named, refuse
from callsheet.core.ids import RunId
from callsheet.core.plan.addition import plain_steps
from callsheet.core.run.entries import decode
from callsheet.core.run.step import RunState
from callsheet.errors import (
    EngineClosedError,
    RequestPendingError,
    StoreError,
    UnknownRunError,
)
from callsheet.runtime.checker import steps_in
from callsheet.runtime.feed import Event, Progress, Text
from callsheet.runtime.run import Run

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence

    from callsheet.client.connection import Connection
    from callsheet.core.index.heads import RunHead
    from callsheet.core.past.result import Result
    from callsheet.core.plan.plan import Step
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.value import Json
    from callsheet.ports import Clock, Store
    from callsheet.runtime.feed import Told
    from callsheet.runtime.runtime import Runtime

POLL = 0.2
AWAY = timedelta(seconds=60)
_SAID: dict[str, type[Progress | Text]] = {"progress": Progress, "text": Text}
"""What is told without a number."""


class Desk:
    """Runs, as a service tells of them (`follower.Runs`)."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.journal = self

    def loop_of(self, run: RunId) -> None:
        """None is driven here."""

    async def view(
        self, run: RunId, *, after: int = 0, limit: int | None = None
    ) -> tuple[Sequence[AnyEntry], list[Any]]:
        """The entries after one, with every value in its place."""
        del limit
        try:
            return await self.entries(run, after, whole=True), []
        except UnknownRunError:
            return [], []

    async def entries(self, run: RunId, after: int, *, whole: bool) -> list[AnyEntry]:
        """The entries after one, as they are now."""
        answer = await self.connection.ask(
            "GET",
            named("runs", run, "events"),
            asked={"after": after, "follow": False, "whole": whole},
        )
        return [_entry(line) for line in answer.content.splitlines()]

    async def head(self, run: RunId) -> RunHead | None:
        """Nobody asks: what cannot be read is the service's to tell."""
        del run
        return None


class Patience:
    """For how long a service that is away is waited for."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.renew()

    def renew(self) -> None:
        """It has answered."""
        self._until = self._clock.now() + AWAY

    def spend(self) -> None:
        """It has not. To be called while that is being handled.

        Raises:
            StoreError: it has been away for too long.
        """
        if self._clock.now() > self._until:
            raise  # noqa: PLE0704 -- what the caller handles


class ClientRun(Run):
    """One run of a service."""

    def __init__(self, run: str, connection: Connection) -> None:
        self._desk = Desk(connection)
        self._connection = connection
        # It asks of them what `Desk` has; whatever else they do is done by the service.
        super().__init__(
            RunId(run), cast("Runtime", self._desk), cast("Store", None), connection.clock
        )

    @property
    @override
    def is_driven_here(self) -> bool:
        """Whether it was begun, or asked to go on, by this client, who then stays with it."""
        return self.id in self._connection.mine

    @override
    async def is_driven(self) -> bool:
        found = await self._connection.get(named("runs", self.id), steps="none", outputs=False)
        return not found["interrupted"]

    @override
    async def provisions(self) -> None:
        """Nothing: what a run may use is the service's."""

    @override
    async def missing(self) -> list[str]:
        """Nothing: a service has what it needs, or says so itself."""
        return []

    @override
    async def events(self, after: int = 0) -> AsyncIterator[Told]:
        path, seq = named("runs", self.id, "events"), after
        patience = Patience(self._clock)
        while True:
            async with aclosing(heard(self._connection, path, seq, self.id)) as every:
                async for told in every:
                    if isinstance(told, Event):
                        seq = told.seq
                    yield told
            try:
                if await self._has_ended(seq):
                    return
                patience.renew()
            except StoreError:  # it is away: it is waited for, for a while
                patience.spend()
            await self._clock.sleep(POLL)

    async def _has_ended(self, seq: int) -> bool:
        """Whether it has, and all of it was told: then the service has nothing to stream."""
        answer = await self._connection.ask(
            "GET", named("runs", self.id, "events"), asked={"after": seq, "follow": False}
        )
        state = await self._connection.get(named("runs", self.id), steps="none", outputs=False)
        return not answer.content and RunState(state["state"]).ended

    @override
    async def journal(self, after: int = 0, *, whole: bool = False) -> list[AnyEntry]:
        return await self._desk.entries(self.id, after, whole=whole)

    @override
    async def wait(self) -> Result:
        async for _ in self.events():
            pass
        return await self.status()

    @override
    async def pause(self, *, by: str | None = None) -> None:
        await self._post("pause")

    @override
    async def resume(self, *, by: str | None = None) -> None:
        await self._post("resume")

    @override
    async def cancel(self, *, reason: str = "", by: str | None = None) -> None:
        await self._post("cancel", {"reason": reason})

    @override
    async def undo(
        self, to: str | None = None, *, only: str | None = None, by: str | None = None
    ) -> None:
        await self._post("undo", {"to": to, "only": only})

    @override
    async def stop(self, step: str, *, reason: str = "", by: str | None = None) -> None:
        await self._post("steps", step, "cancel", {"reason": reason})

    @override
    async def retry(self, step: str, *, by: str | None = None) -> None:
        await self._post("steps", step, "retry")

    @override
    async def seal(self, *, by: str | None = None) -> None:
        await self._post("seal")

    @override
    async def add(
        self, steps: Sequence[Step | Mapping[str, Json]] | str | Path, *, by: str | None = None
    ) -> None:
        if isinstance(steps, (str, Path)):
            steps = await asyncio.to_thread(steps_in, Path(steps))
        await self._post("steps", plain_steps(steps))

    @override
    async def answer(
        self,
        step: str,
        answer: Json,
        *,
        output: Json = None,
        by: str | None = None,
        question: str | None = None,
    ) -> None:
        if question is None:
            asked = [each.id for each in (await self.status()).questions if each.step == step]
            # Without one, the service says why: it is answered, or was never asked.
            question = asked[0] if asked else f"{step}#0"
        await self._post("answer", {"question": question, "answer": answer, "output": output})

    @override
    async def _not_begun(self) -> Result | None:
        # A service begins what it takes; whether there is such a run is all that is asked.
        await self._connection.get(named("runs", self.id), steps="none", outputs=False)
        return None

    async def _post(self, *words: Any) -> None:
        body = words[-1] if not isinstance(words[-1], str) else None
        path = words if body is None else words[:-1]
        self._connection.mine.add(self.id)
        try:
            await self._connection.post(named("runs", self.id, *path), body)
        except RequestPendingError:
            raise RequestPendingError(
                f"The request is recorded. Nobody drives run {self.id!r} now; it takes effect when "
                "somebody does."
            ) from None


async def heard(
    connection: Connection, path: str, after: int, run: str = "", **asked: object
) -> AsyncGenerator[Told, None]:
    """What a stream tells, until it ends or is lost: whoever reads goes on after that.

    Raises:
        CallsheetError: it is refused.
    """
    try:
        async with connection.stream(path, after, asked) as answer:
            if answer.is_error:
                content = await answer.aread()
                with suppress(StoreError, EngineClosedError):
                    refuse(answer.status_code, content)
                return
            async for line in answer.aiter_lines():
                told = told_by(run, line)
                if told is not None:
                    yield told
    except httpx.TransportError:
        return


def told_by(run: str, line: str) -> Told | None:
    """What a line of a stream tells; None: nothing that is told here."""
    if not line:
        return None
    found: dict[str, Any] = msgspec.json.decode(line)
    if "event" in found and "seq" not in found:
        kind = _SAID.get(found["event"])
        return None if kind is None else msgspec.convert(found["data"], kind)
    position = found.pop("position", None)
    name = run if position is None else found["run"]
    seq = found.pop("seq")
    entry = decode(msgspec.json.encode(found))
    return Event(run=RunId(name), seq=seq, entry=entry, position=position)


def _entry(line: bytes) -> AnyEntry:
    found = msgspec.json.decode(line)
    del found["seq"]
    return decode(msgspec.json.encode(found))
