"""Tickets: for what cannot send a header. Good for one path, once, for a minute."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec

from callsheet.serve.access.keys import hash_of
from callsheet.serve.tables.branch import BRANCH
from callsheet.serve.tables.moment import stamp

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from callsheet.engine.engine import Engine
    from callsheet.ports import Clock

GOOD_FOR = timedelta(seconds=60)


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """What a ticket is good for."""

    key: str | None
    """Whose it is, by the id of the key; None: nobody's."""
    path: str


class Tickets:
    """The tickets that nobody has used yet; any process on the database takes them."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._database = engine.database(BRANCH)
        self._clock = clock

    async def new(self, ticket: Ticket) -> str:
        """Make one; those that nobody has used in time are forgotten."""
        secret, now = "ct_" + secrets.token_urlsafe(24), self._clock.now()

        def act(connection: Connection) -> None:
            from callsheet.serve.tables.schema import tickets

            old = tickets.c.expires_at < stamp(now)
            connection.execute(tickets.delete().where(old))
            connection.execute(
                tickets.insert().values(
                    digest=hash_of(secret),
                    key=ticket.key,
                    path=ticket.path,
                    expires_at=stamp(now + GOOD_FOR),
                )
            )

        await self._database.write(act)
        return secret

    async def take(self, secret: str, path: str) -> Ticket | None:
        """Use one up; None: there is none, or it is not good for this path."""
        now = stamp(self._clock.now())

        def act(connection: Connection) -> tuple[str | None, str] | None:
            from callsheet.serve.tables.schema import tickets

            this = tickets.c.digest == hash_of(secret)
            row = connection.execute(tickets.select().where(this)).first()
            connection.execute(tickets.delete().where(this))
            if row is None or row.path != path or row.expires_at < now:
                return None
            return row.key, row.path

        found = await self._database.write(act)
        return None if found is None else Ticket(key=found[0], path=found[1])
