"""Writes under a key: the same key is the same write, and returns what it returned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.core.run.start import TENANT
from callsheet.errors import KeyReusedError
from callsheet.stores.sql.records import stamp

if TYPE_CHECKING:
    from datetime import datetime

    from callsheet.stores.sql.session import Session
    from callsheet.stores.sql.statements import Statements


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """A key, what it is good for, and what is written under it."""

    scope: str
    key: str | None
    """None: there is none, and every write is its own."""
    content: str

    def answer(self, session: Session, sql: Statements) -> str | None:
        """What came of the write that was made under it; None: there was none.

        Raises:
            KeyReusedError: something else was written under it.
        """
        if self.key is None:
            return None
        row = session.one(sql.write_of_key.bind(scope=self.scope, key=self.key))
        if row is None:
            return None
        if row[0] != self.content:
            raise other_content(self.key)
        return str(row[1])

    def keep(self, session: Session, sql: Statements, answer: str, at: datetime) -> None:
        """Note what came of a write, in its own transaction."""
        if self.key is not None:
            row = (self.scope, self.key, self.content, answer, stamp(at))
            session.insert(sql.keep_write.text, [row])


def plans_of(tenant: str) -> str:
    """What keys of saved plans are good for: the plans of one tenant."""
    return "plans" if tenant == TENANT else f"plans:{tenant}"


def other_content(key: str) -> KeyReusedError:
    """A key is used for two things."""
    return KeyReusedError(
        f"Something else was written with the key {key!r}. Use a new key, or write the same."
    )
