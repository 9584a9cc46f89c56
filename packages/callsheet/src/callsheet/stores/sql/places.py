"""`Places` on SQL: where what lies beside the database is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.ports import Place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet.stores.sql.access import Access
    from callsheet.stores.sql.session import Session


class SqlPlaces:
    """`Places` on SQL."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._sql = access.statements

    async def all(self) -> Mapping[str, Place]:
        """Every place that is known, by what lies there."""
        rows = await self._access.reader.all(self._sql.places.bind())
        return {name: Place(where=where, mark=mark) for name, where, mark in rows}

    async def settle(self, name: str, place: Place) -> None:
        """Say where something lies from now on."""
        self._access.must_drive()

        def act(session: Session) -> None:
            self._access.must_drive()
            session.do(self._sql.forget_place.bind(name=name))
            session.insert(self._sql.settle_place.text, [(name, place.where, place.mark)])

        await self._access.writer.call(act)

    async def are_needed(self) -> bool:
        """Whether any entry names bytes that lie beside the database."""
        return await self._access.reader.one(self._sql.any_artifact.bind()) is not None
