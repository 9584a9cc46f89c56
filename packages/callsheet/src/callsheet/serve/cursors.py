"""Cursors: where a list goes on, signed, so that nobody makes one up."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING

from callsheet.serve.problems import Refusal
from callsheet.serve.tables.branch import BRANCH

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from callsheet.engine.engine import Engine

_SIGNATURE = 12
"""Bytes of it that are enough."""


class Cursors:
    """Makes cursors and reads them, in every process on one database alike."""

    def __init__(self, engine: Engine) -> None:
        self._database = engine.database(BRANCH)
        self._secret = b""

    async def open(self) -> None:
        """Find the secret that they are signed with; made once, for all processes."""
        made = secrets.token_hex(32)

        def act(connection: Connection) -> str:
            from callsheet.serve.tables.schema import secrets as kept

            found = connection.scalar(kept.select().where(kept.c.name == "cursors"))
            if found is None:
                connection.execute(kept.insert().values(name="cursors", value=made))
                return made
            row = connection.execute(kept.select().where(kept.c.name == "cursors")).one()
            return str(row.value)

        self._secret = (await self._database.write(act)).encode()

    def make(self, tenant: str, listed: str, last: str) -> str:
        """A cursor that goes on after `last`, in a list of this name, for this tenant."""
        text = last.encode()
        return _spelled(self._sign(tenant, listed, text) + text)

    def read(self, tenant: str, listed: str, cursor: str | None) -> str | None:
        """What a list goes on after; None: it begins.

        Raises:
            Refusal: it was not made here, or for another list.
        """
        if cursor is None:
            return None
        try:
            found = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        except (binascii.Error, ValueError) as exc:
            raise _forged() from exc
        signature, text = found[:_SIGNATURE], found[_SIGNATURE:]
        if not hmac.compare_digest(signature, self._sign(tenant, listed, text)):
            raise _forged()
        return text.decode()

    def _sign(self, tenant: str, listed: str, text: bytes) -> bytes:
        signed = f"{tenant}\0{listed}\0".encode() + text
        return hmac.digest(self._secret, signed, hashlib.sha256)[:_SIGNATURE]


def _spelled(found: bytes) -> str:
    return base64.urlsafe_b64encode(found).rstrip(b"=").decode()


def _forged() -> Refusal:
    return Refusal(400, "cursor", "This is no cursor of this list. Begin without one.")
