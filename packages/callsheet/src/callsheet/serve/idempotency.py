"""Answers kept under the key that a client chose: the same request again gets the same answer."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
from starlette.responses import Response

from callsheet.errors import CallsheetError
from callsheet.runtime.log import log
from callsheet.serve.gathered import Gathered
from callsheet.serve.problems import Refusal
from callsheet.serve.tables.branch import BRANCH
from callsheet.serve.tables.moment import stamp

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sqlalchemy import Connection

    from callsheet.engine.engine import Engine
    from callsheet.ports import Clock

KEPT = timedelta(days=7)
HELD = timedelta(seconds=5)
"""How long a process that says nothing is believed to be at work on a request."""
RENEWED = 2.0
LOOK = 0.05
"""How often somebody looks whether another process has answered, in seconds."""
PRUNED = 3600.0
_TOLD = ("content-type", "location", "etag")
"""The headers that are told again."""
_NOT_KEPT = frozenset({401, 403, 408, 413, 429})
"""Refusals that are about the moment, not about the request."""


class Kept(msgspec.Struct, frozen=True):
    """An answer, as it is kept."""

    status: int
    headers: dict[str, str]
    body: str


class Answers:
    """The answers of the last days."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._database = engine.database(BRANCH)
        self._gathered = Gathered(self._database)
        self._clock = clock
        self._holder = f"{clock.chance():016x}"
        self._here: dict[tuple[str, str], asyncio.Event] = {}
        """What this very process is at work on."""
        self._held: set[tuple[str, str]] = set()
        """What it has claimed, and not settled."""

    async def once(
        self, tenant: str, key: str, request: str, act: Callable[[], Awaitable[Response]]
    ) -> Response:
        """The answer to a request: made now, or as it was made before.

        Raises:
            Refusal: the key was used for another request.
        """
        name = tenant, key
        while (busy := self._here.get(name)) is not None:
            await busy.wait()
        self._here[name] = asyncio.Event()
        try:
            while True:
                found = await self.claim(tenant, key, request)
                if isinstance(found, Kept):
                    return _again(found)
                if found:
                    return await self._answer(tenant, key, act)
                await self._clock.sleep(LOOK)  # another process is at work on it
        finally:
            self._here.pop(name).set()

    async def _answer(
        self, tenant: str, key: str, act: Callable[[], Awaitable[Response]]
    ) -> Response:
        kept: Kept | None = None
        self._held.add((tenant, key))
        try:
            response = await act()
            if response.status_code < 500 and response.status_code not in _NOT_KEPT:  # noqa: PLR2004 -- a status
                kept = _kept(response)
            return response
        finally:
            self._held.discard((tenant, key))
            await self._settle(tenant, key, kept)

    async def claim(self, tenant: str, key: str, request: str) -> Kept | bool:
        """The answer that is there; or whether it is ours to make."""
        now = self._clock.now()
        until = stamp(now + HELD)

        def act(connection: Connection) -> tuple[object, ...]:
            from callsheet.serve.tables.schema import answers

            this = (answers.c.tenant == tenant) & (answers.c.key == key)
            row = connection.execute(answers.select().where(this)).first()
            if row is not None and row.until < stamp(now):
                # Older than it is kept, or of a process that is gone: as if it had not been.
                connection.execute(answers.delete().where(this))
                row = None if row.status is not None or row.request == request else row
            if row is None:
                connection.execute(
                    answers.insert().values(
                        tenant=tenant, key=key, request=request, holder=self._holder, until=until
                    )
                )
                return (True,)
            if row.request != request:
                return ("other",)
            if row.status is None:
                return (row.holder == self._holder,)  # ours: made a moment ago, and asked again
            return row.status, row.headers, row.body

        found = await self._gathered.write(act)
        if found == ("other",):
            raise Refusal(
                409,
                "idempotency_key_reused",
                "This Idempotency-Key was used for another request. Use a new one.",
            )
        if len(found) == 1:
            return bool(found[0])
        status, headers, body = found
        return Kept(int(str(status)), msgspec.json.decode(str(headers)), str(body))

    async def renew(self) -> None:
        """Say again and again that this process is at work on what it has claimed."""
        while True:
            await self._clock.sleep(RENEWED)
            until = stamp(self._clock.now() + HELD)
            for tenant, key in tuple(self._held):
                try:
                    await self._update(tenant, key, until=until)
                except CallsheetError as error:
                    log.warning("answers.unrenewed", error=error.message)

    async def _settle(self, tenant: str, key: str, kept: Kept | None) -> None:
        if kept is None:
            await self._update(tenant, key, until="")
            return
        await self._update(
            tenant,
            key,
            until=stamp(self._clock.now() + KEPT),
            status=kept.status,
            headers=msgspec.json.encode(kept.headers).decode(),
            body=kept.body,
        )

    async def _update(self, tenant: str, key: str, **values: object) -> None:
        def act(connection: Connection) -> None:
            from callsheet.serve.tables.schema import answers

            this = (answers.c.tenant == tenant) & (answers.c.key == key)
            ours = this & (answers.c.holder == self._holder) & answers.c.status.is_(None)
            if values == {"until": ""}:
                connection.execute(answers.delete().where(ours))
            else:
                connection.execute(answers.update().where(ours).values(**values))

        await self._gathered.write(act)

    async def prune(self) -> None:
        """Forget what is older than it is kept, now and every hour."""

        def act(connection: Connection) -> None:
            from callsheet.serve.tables.schema import answers

            old = answers.c.until < stamp(self._clock.now())
            connection.execute(answers.delete().where(old))

        while True:
            await self._clock.sleep(PRUNED)
            await self._database.write(act)


def _kept(response: Response) -> Kept:
    headers = {name: text for name in _TOLD if (text := response.headers.get(name))}
    hidden: bytes | None = getattr(response, "kept", None)
    body = bytes(response.body) if hidden is None else hidden
    return Kept(response.status_code, headers, body.decode())


def _again(kept: Kept) -> Response:
    headers = {**kept.headers, "Idempotent-Replayed": "true"}
    return Response(kept.body.encode(), kept.status, headers=headers)
