"""Where a database is: a URL, taken apart, whose password is never shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from callsheet.errors import InputError, StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_SCHEMES = ("postgresql://", "postgres://")
_SOCKET = "/"


def is_address(home: str | Path) -> bool:
    """Whether a home is a database's URL and not a directory.

    Raises:
        InputError: it is a URL of something else.
    """
    if not isinstance(home, str) or "://" not in home:
        return False
    if home.startswith(_SCHEMES):
        return True
    scheme = home.partition("://")[0]
    raise InputError(
        f"A home is a directory or postgresql://user@host/database; {scheme + '://'!r} is neither."
    )


@dataclass(frozen=True, slots=True)
class Address:
    """A database, and how to connect to it."""

    params: Mapping[str, str] = field(repr=False)
    """As libpq names them. May hold a password."""
    shown: str
    """For people: user, host and database, without the password."""

    @classmethod
    def of(cls, url: str) -> Address:
        """Take a URL apart.

        Raises:
            InputError: it is not one that PostgreSQL understands.
            StoreError: the driver is not installed.
        """
        try:
            from psycopg import Error
            from psycopg.conninfo import conninfo_to_dict
        except ImportError as exc:
            raise StoreError(
                "PostgreSQL needs a driver that is not installed: pip install "
                "'callsheet[postgres]'."
            ) from exc
        try:
            params = {name: str(value) for name, value in conninfo_to_dict(url).items()}
        except Error:
            # What they say may quote the password, so it is not even the cause.
            params = {}
        # A password with an unencoded slash ends up in other parts, which are shown.
        suspicious = params.get("host", "") + params.get("dbname", "")
        if not params or "@" in suspicious or not params.get("port", "1").isdecimal():
            raise InputError(
                "The URL of the database cannot be understood. Write it as in "
                "postgresql://user@host:5432/database; characters that mean something in a URL "
                "are written %40 (@), %3A (:), %2F (/), %25 (%)."
            )
        return cls(params, _shown(params))


def _shown(params: Mapping[str, str]) -> str:
    user = f"{params['user']}@" if "user" in params else ""
    host = params.get("host", params.get("hostaddr", ""))
    if host.startswith(_SOCKET):
        host = ""
    port = f":{params['port']}" if host and "port" in params else ""
    return f"postgresql://{user}{host}{port}/{params.get('dbname', '')}"
