"""Which configurations of homes are followed: what a repository brings along is not, unasked.

A configuration names programs to run. One that is named by whoever opens an engine is theirs. One
that merely lies in a home is followed if this user's engine has made the home, or if somebody has
said so of exactly this content. What was said is kept outside of all homes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from callsheet.errors import ConfigurationError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.core.value import Json

MARK = "home.id"
"""A file that says which home it is: a copy of the directory under the same path is another one."""
LARGEST = 1_000_000
"""Bytes of what is kept before what is not there any more is left out."""


class TrustedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration, or a home by its mark, that is followed."""

    path: str
    owner: int
    """The user that the file belongs to."""
    digest: str
    """Of its content."""

    def to_json(self) -> dict[str, Json]:
        """As plain data."""
        return {"path": self.path, "owner": self.owner, "digest": self.digest}


class Trust:
    """What is kept of one user's trust."""

    def __init__(self, file: Path | None = None) -> None:
        """Keep it in a file; None: `callsheet/trusted` in the user's directory for state."""
        self._file = file or _state() / "callsheet" / "trusted"

    def list(self) -> list[TrustedFile]:
        """Everything that is trusted, by path."""
        return sorted(self._read().values(), key=lambda each: each.path)

    def add(self, file: Path) -> TrustedFile:
        """Trust a configuration, with the content that it has now.

        Raises:
            InputError: it cannot be read, or this cannot be kept.
        """
        try:
            seen = _seen(file)
            self._append(seen)
        except OSError as exc:
            raise InputError(f"{str(file)!r} cannot be trusted: {exc.strerror}.") from exc
        return seen

    def remove(self, file: Path) -> bool:
        """Trust a configuration, or what lies in a home, no longer; False: it was not trusted."""
        known = self._read()
        name = _name(file)
        gone = [path for path in known if path in (name, _name(file.parent / MARK))]
        self._write(each for path, each in known.items() if path not in gone)
        return bool(gone)

    def check(self, file: Path) -> None:
        """Let a configuration pass that lies in a home.

        Raises:
            ConfigurationError: nobody has said that it may be followed; says what to do.
        """
        known = self._read()
        for each in (file, file.parent / MARK):
            with contextlib.suppress(OSError):
                if known.get(_name(each)) == _seen(each):
                    return
        raise ConfigurationError(
            f"{file} is not used: it came from elsewhere, or has changed since it was trusted. "
            f"It can run programs as you. Read it, and then: callsheet trust {file} (or name "
            f"it: --config {file})."
        )

    def is_made_here(self, home: Path) -> bool:
        """Whether this user's engine has made a home: then what is written in it is theirs."""
        mark = home / MARK
        with contextlib.suppress(OSError):
            return self._read().get(_name(mark)) == _seen(mark)
        return False

    def enter(self, home: Path) -> None:
        """A home has just been made here. That it cannot be noted is no reason not to go on."""
        mark = home / MARK
        with contextlib.suppress(OSError):
            handle = os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with open(handle, "w", encoding="ascii") as file:  # noqa: PTH123 -- of a descriptor
                file.write(os.urandom(16).hex())
            self._append(_seen(mark))

    def _read(self) -> dict[str, TrustedFile]:
        try:
            with self._file.open("rb") as file:
                found = os.fstat(file.fileno())
                lines = file.read().splitlines()
        except OSError:
            return {}
        if found.st_uid != os.geteuid() or found.st_mode & 0o022:
            raise ConfigurationError(
                f"{self._file} can be written by others, so it is ignored. Remove it."
            )
        known: dict[str, TrustedFile] = {}
        for line in lines:
            # A line that was not finished says nothing.
            with contextlib.suppress(msgspec.DecodeError):
                each = msgspec.json.decode(line, type=TrustedFile)
                known[each.path] = each
        return known

    def _append(self, seen: TrustedFile) -> None:
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        handle = os.open(self._file, flags, 0o600)
        try:
            os.write(handle, msgspec.json.encode(seen) + b"\n")
            is_large = os.fstat(handle).st_size > LARGEST
        finally:
            os.close(handle)
        if is_large:
            self._write(each for each in self._read().values() if Path(each.path).exists())

    def _write(self, known: Iterable[TrustedFile]) -> None:
        text = b"".join(msgspec.json.encode(each) + b"\n" for each in known)
        if not text and not self._file.exists():
            return
        draft = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
        handle = os.open(draft, flags, 0o600)
        with open(handle, "wb") as file:  # noqa: PTH123 -- of a descriptor
            file.write(text)
        draft.replace(self._file)


def _state() -> Path:
    named = os.environ.get("XDG_STATE_HOME", "")
    # One that is not absolute is to be ignored, says the specification.
    return Path(named) if named.startswith("/") else Path("~/.local/state").expanduser()


def _name(file: Path) -> str:
    return str(file.resolve())


def _seen(file: Path) -> TrustedFile:
    with file.open("rb") as opened:
        owner = os.fstat(opened.fileno()).st_uid
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    return TrustedFile(path=_name(file), owner=owner, digest=digest)
