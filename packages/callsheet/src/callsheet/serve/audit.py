"""The audit: who changed what, when, from where, and what came of it. Lines are only ever added."""

from __future__ import annotations

import asyncio
from collections import deque
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from callsheet.errors import CallsheetError
from callsheet.runtime.log import log
from callsheet.serve.tables.branch import BRANCH
from callsheet.serve.tables.moment import stamp
from callsheet.serve.tables.rows import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection
    from starlette.types import Scope

    from callsheet.core.value import Json
    from callsheet.engine.engine import Engine
    from callsheet.ports import Clock
    from callsheet.serve.access.caller import Caller

EVERY = 0.25
"""Lines are written together, so often; runs themselves say in their journals who did what."""
MOST_WAITING = 100_000


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One change, or one that was refused."""

    id: str
    tenant: str
    at: datetime
    who: str
    key: str | None
    address: str
    method: str
    path: str
    status: int
    request: str

    def to_json(self) -> dict[str, Json]:
        """As plain data: every field."""
        built: dict[str, Json] = msgspec.to_builtins(self)
        return built


class Audit:
    """The lines of a home or database."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._database = engine.database(BRANCH)
        self._clock = clock
        self._waiting: deque[Line] = deque()
        self._writing = asyncio.Lock()

    def note(self, scope: Scope, caller: Caller, status: int) -> None:
        """Note that a request was answered; it is written in a moment."""
        now = self._clock.now()
        client = scope.get("client")
        self._waiting.append(
            Line(
                id=f"a{int(now.timestamp() * 1000):012x}{scope['request_id'][-16:]}",
                tenant=caller.tenant,
                at=now,
                who=caller.name,
                key=caller.key,
                address=client[0] if client else "",
                method=scope["method"],
                path=_shown(scope["path"]),
                status=status,
                request=scope["request_id"],
            )
        )

    async def write(self) -> None:
        """Write what is noted; returns when all that was noted before is written."""
        async with self._writing:
            await self._write()

    async def _write(self) -> None:
        lines = [self._waiting.popleft() for _ in range(len(self._waiting))]
        if not lines:
            return
        rows = [{**msgspec.to_builtins(line), "at": stamp(line.at)} for line in lines]

        def act(connection: Connection) -> None:
            from callsheet.serve.tables.schema import audit

            connection.execute(audit.insert(), rows)

        try:
            await self._database.write(act)
        except CallsheetError as error:
            log.warning("audit.unwritten", lines=len(lines), error=error.message)
            if len(self._waiting) + len(lines) <= MOST_WAITING:
                self._waiting.extendleft(reversed(lines))

    async def keep_writing(self) -> None:
        """Write again and again."""
        while True:
            await self._clock.sleep(EVERY)
            await self.write()

    async def lines(self, tenant: str, *, limit: int, before: str | None = None) -> Sequence[Line]:
        """Lines of a tenant, newest first."""
        await self.write()

        def act(connection: Connection) -> list[dict[str, object]]:
            from callsheet.serve.tables.schema import audit

            asked = audit.select().where(audit.c.tenant == tenant)
            if before is not None:
                asked = asked.where(audit.c.id < before)
            found = connection.execute(asked.order_by(audit.c.id.desc()).limit(limit))
            return [plain(row) for row in found]

        return [msgspec.convert(row, Line) for row in await self._database.read(act)]


def _shown(path: str) -> str:
    """A path, as text that every database keeps."""
    return path.encode("utf-8", "replace").decode().replace("\0", "\\0")[:2000]
