"""Where runs are kept: a directory, a database whose password is never shown, or a service."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

from typing_extensions import override

LOCAL = Path(".callsheet")
"""What belongs to a database and is a file lies here."""


@dataclass(frozen=True, slots=True)
class Place:
    """A home, as the command line names it."""

    opened: Path | str = field(repr=False)
    """What an engine is opened on."""

    @classmethod
    def of(cls, text: str | Place) -> Place:
        """The place that a word of the command line means."""
        if isinstance(text, Place):
            return text
        return cls(text if "://" in text else Path(text))

    @property
    def is_directory(self) -> bool:
        """Whether it is one, and no database."""
        return isinstance(self.opened, Path)

    @property
    def is_service(self) -> bool:
        """Whether it is one that a service has, and is asked of that."""
        return isinstance(self.opened, str) and self.opened.startswith(("http://", "https://"))

    @property
    def directory(self) -> Path:
        """Where its files are."""
        return self.opened if isinstance(self.opened, Path) else LOCAL

    def may_exist(self) -> bool:
        """Whether it is worth looking; only a directory is known not to be there."""
        return isinstance(self.opened, str) or self.opened.exists()

    @override
    def __str__(self) -> str:
        return str(self.opened) if isinstance(self.opened, Path) else _shown(self.opened)


def _shown(url: str) -> str:
    """A URL without its password, wherever that stands."""
    scheme = url.partition("://")[0]
    try:
        parts = urlsplit(url)
    except ValueError:
        return f"{scheme}://…"
    if "@" in parts.path + parts.query + parts.fragment:
        return f"{scheme}://…"  # a password with a character that should have been encoded
    user, at, host = parts.netloc.rpartition("@")
    others = [(name, said) for name, said in parse_qsl(parts.query) if name != "password"]
    query = f"?{urlencode(others, safe='/')}" if others else ""
    return f"{scheme}://{user.partition(':')[0]}{at}{host}{parts.path}{query}"
