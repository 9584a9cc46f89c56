"""Keys: made once, kept as a hash, found by it, revoked."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from callsheet.core import given
from callsheet.core.run.start import must_name_tenant
from callsheet.errors import InputError
from callsheet.runtime.clock import SystemClock
from callsheet.serve.access.caller import Caller, Limits, scopes_of
from callsheet.serve.tables.branch import BRANCH
from callsheet.serve.tables.moment import stamp
from callsheet.serve.tables.rows import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection, Row

    from callsheet.core.value import Json
    from callsheet.engine.engine import Engine
    from callsheet.ports import Clock

PREFIX = "cs_"
FRESH = timedelta(seconds=1)
"""How long a key that was found is believed: so long, at most, one that another process revokes
is still good here."""
MOST_FRESH = 10_000
MOST_NAME = 100


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a key; the key itself is not."""

    id: str
    tenant: str
    name: str
    scopes: tuple[str, ...]
    limits: Limits
    made_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    def good(self, now: datetime) -> bool:
        """Whether it opens anything."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)

    @property
    def caller(self) -> Caller:
        """Whoever has it."""
        return Caller(
            tenant=self.tenant,
            name=self.name,
            scopes=frozenset(self.scopes),
            key=self.id,
            limits=self.limits,
        )

    def to_json(self) -> dict[str, Json]:
        """As plain data: every field."""
        built: dict[str, Json] = msgspec.to_builtins(self)
        return built


def hash_of(secret: str) -> str:
    """What is kept of a key or a ticket; both are random, so that nothing slow is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


def minted() -> str:
    """A new key."""
    return PREFIX + secrets.token_urlsafe(32)


class Keys:
    """The keys of a home or database."""

    def __init__(self, engine: Engine, clock: Clock | None = None) -> None:
        self._database = engine.database(BRANCH)
        self._clock: Clock = clock or SystemClock()
        self._fresh: dict[str, tuple[datetime, Key]] = {}

    async def new(
        self,
        tenant: str,
        name: str,
        scopes: Iterable[str],
        *,
        expires: timedelta | None = None,
        limits: Limits | None = None,
    ) -> tuple[Key, str]:
        """Make a key; it is told this once, and never again.

        Raises:
            InputError: the tenant, the name or a scope is none.
        """
        must_name_tenant(given.text("tenant", tenant))
        if not given.text("name", name).isprintable() or not 0 < len(name) <= MOST_NAME:
            raise InputError(f"A key needs a name of at most {MOST_NAME} characters.")
        secret, now = minted(), self._clock.now()
        key = Key(
            id=f"key_{self._clock.chance():016x}",
            tenant=tenant,
            name=name,
            scopes=scopes_of(scopes),
            limits=limits or Limits(),
            made_at=now,
            expires_at=None if expires is None else now + expires,
        )

        def act(connection: Connection) -> None:
            from callsheet.serve.tables.schema import keys

            connection.execute(keys.insert().values(digest=hash_of(secret), **_row_of(key)))

        await self._database.write(act)
        return key, secret

    async def find(self, secret: str) -> Key | None:
        """The key, if it is good. One that is not costs what one that never was does."""
        digest, now = hash_of(secret), self._clock.now()
        until, key = self._fresh.get(digest, (now, None))
        if key is None or until <= now:
            key = await self._read(digest)
            if key is None or not key.good(now):
                self._fresh.pop(digest, None)
                return None
            if len(self._fresh) >= MOST_FRESH:
                self._fresh.clear()
            self._fresh[digest] = now + FRESH, key
        return key if key.good(now) else None

    async def _read(self, digest: str) -> Key | None:
        def act(connection: Connection) -> Row[tuple[object, ...]] | None:
            from callsheet.serve.tables.schema import keys

            return connection.execute(keys.select().where(keys.c.digest == digest)).first()

        row = await self._database.read(act)
        return None if row is None else _key_of(row)

    async def get(self, key: str) -> Key | None:
        """The key of an id, good or not."""
        return next((each for each in await self.list() if each.id == key), None)

    async def list(self, tenant: str | None = None) -> Sequence[Key]:
        """All keys, or those of a tenant, oldest first."""

        def act(connection: Connection) -> Sequence[Row[tuple[object, ...]]]:
            from callsheet.serve.tables.schema import keys

            every = keys.select().order_by(keys.c.made_at, keys.c.id)
            return connection.execute(
                every if tenant is None else every.where(keys.c.tenant == tenant)
            ).all()

        return [_key_of(row) for row in await self._database.read(act)]

    async def revoke(self, key: str, *, tenant: str | None = None) -> bool:
        """Let a key open nothing any more; False: there is none, or none of this tenant."""
        now = stamp(self._clock.now())

        def act(connection: Connection) -> int:
            from callsheet.serve.tables.schema import keys

            there = keys.c.id == key
            if tenant is not None:
                there &= keys.c.tenant == tenant
            found = connection.execute(keys.select().where(there)).first()
            if found is not None and found.revoked_at is None:
                connection.execute(keys.update().where(there).values(revoked_at=now))
            return found is not None

        is_there = await self._database.write(act)
        self._fresh.clear()
        return bool(is_there)


def _row_of(key: Key) -> dict[str, object]:
    row: dict[str, object] = msgspec.to_builtins(key)
    for name in ("scopes", "limits"):
        row[name] = msgspec.json.encode(row[name]).decode()
    for name in ("made_at", "expires_at", "revoked_at"):
        at: datetime | None = getattr(key, name)
        row[name] = None if at is None else stamp(at)
    return row


def _key_of(row: Row[tuple[object, ...]]) -> Key:
    found = plain(row)
    del found["digest"]
    for name in ("scopes", "limits"):
        found[name] = msgspec.json.decode(found[name])
    return msgspec.convert(found, Key)
