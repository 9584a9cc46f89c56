"""`PlanShelf` on SQL: saved plans, every version."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from callsheet.core.plan.saved import SavedPlan
from callsheet.core.run.start import TENANT
from callsheet.stores import refusals
from callsheet.stores.sql import records
from callsheet.stores.sql.keyed import Key, plans_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.plan.plan import Plan
    from callsheet.stores.sql.access import Access
    from callsheet.stores.sql.session import Row, Session


class SqlShelf:
    """`PlanShelf` on SQL."""

    def __init__(self, access: Access) -> None:
        self._reader = access.reader
        self._writer = access.writer
        self._sql = access.statements

    async def save(
        self, plan: Plan, at: datetime, *, key: str | None = None, tenant: str = TENANT
    ) -> SavedPlan:
        """Save under the plan's name. The same content as the newest version is that version."""
        body = records.encode(plan)
        once = Key(scope=plans_of(tenant), key=key, content=plan.digest)

        def act(session: Session) -> SavedPlan:
            made = once.answer(session, self._sql)
            if made is not None:
                row = session.one(
                    self._sql.version.bind(tenant=tenant, name=plan.name, version=int(made))
                )
                return _saved(
                    row or (plan.name, int(made), plan.digest, body, at.isoformat(), tenant)
                )
            newest = session.one(self._sql.newest.bind(tenant=tenant, name=plan.name))
            if newest is not None and newest[2] == plan.digest:
                once.keep(session, self._sql, str(newest[1]), at)
                return _saved(newest)
            version = newest[1] + 1 if newest else 1
            row = (plan.name, version, plan.digest, body, at.isoformat(), tenant)
            session.insert(self._sql.save.text, [row])
            once.keep(session, self._sql, str(version), at)
            return _saved(row)

        saved = await self._writer.call(act)
        assert isinstance(saved, SavedPlan)
        return saved

    async def get(
        self, name: str, version: int | None = None, *, tenant: str = TENANT
    ) -> SavedPlan | None:
        """A version, or the newest."""
        if version is None:
            query = self._sql.newest.bind(tenant=tenant, name=name)
        else:
            query = self._sql.version.bind(tenant=tenant, name=name, version=version)
        row = await self._reader.one(query)
        return _saved(row) if row else None

    async def list(self, *, tenant: str | None = TENANT) -> Sequence[SavedPlan]:
        """The newest version of each, by name."""
        rows = await self._reader.all(self._sql.shelf.bind(tenant=tenant))
        return [_saved(row) for row in rows]

    async def versions(self, name: str, *, tenant: str = TENANT) -> Sequence[SavedPlan]:
        """All versions, oldest first."""
        rows = await self._reader.all(self._sql.versions.bind(tenant=tenant, name=name))
        return [_saved(row) for row in rows]

    async def delete(self, name: str, *, tenant: str = TENANT) -> bool:
        """Remove all versions, unless an open run is of one of them."""

        def act(session: Session) -> bool:
            user = session.one(self._sql.user_of_plan.bind(tenant=tenant, name=name))
            if user is not None:
                raise refusals.plan_in_use(name, user[0])
            return session.run(self._sql.forget_plan.bind(tenant=tenant, name=name)) > 0

        return bool(await self._writer.call(act))


def _saved(row: Row) -> SavedPlan:
    name, version, _, body, saved_at, tenant = row
    return records.saved_plan(
        name=name,
        version=version,
        text=body,
        saved_at=datetime.fromisoformat(saved_at),
        tenant=tenant,
    )
