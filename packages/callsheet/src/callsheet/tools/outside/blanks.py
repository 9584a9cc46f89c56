"""Texts with blanks: `${args.NAME}`, `${env.NAME}` and `${key}`. Declared tools are made of them.

A blank is filled with a value and never looked at again: what is filled in cannot become another
blank, another word of a command, or another part of a URL.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, cast

import msgspec

from callsheet.core.refs.filling import text_of
from callsheet.core.refs.template import Slot, take_apart
from callsheet.core.refs.traps import Fault
from callsheet.core.spellings import looks_of
from callsheet.errors import FatalError, InvalidError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from callsheet.core.value import Json

_ARGS = re.compile(r"args((?:\.[A-Za-z_][A-Za-z0-9_-]*)+)\Z")
_ENV = re.compile(r"env\.([A-Za-z_][A-Za-z0-9_]*)\Z")
_SHORTEST_SECRET = 6
"""Shorter texts stand in messages for other reasons."""
_CREDENTIAL = re.compile(r"auth|cookie|credential|key|pass|secret|session|signature|token")
"""Names of headers that show who is asking."""


class Blank(msgspec.Struct, frozen=True):
    """One `${…}`."""

    root: Literal["args", "env", "key"]
    path: tuple[str, ...] = ()


@lru_cache(maxsize=1_024)
def parts_of(text: str) -> tuple[str | Blank, ...]:
    """Text and blanks in turn; `$${` stands for the text `${`.

    Raises:
        ValueError: something stands in a `${…}` that is none of the three.
    """
    parts = take_apart(text)
    if isinstance(parts, Fault):
        raise ValueError(f"{parts.what}. {parts.fix}")  # noqa: TRY004 -- it is a wrong text
    return tuple(_blank(part.text) if isinstance(part, Slot) else part for part in parts)


def _blank(text: str) -> Blank:
    if text == "key":
        return Blank("key")
    if found := _ARGS.match(text):
        return Blank("args", tuple(found[1].split(".")[1:]))
    if found := _ENV.match(text):
        return Blank("env", (found[1],))
    msg = f"${{{text}}} cannot be filled; write ${{args.NAME}}, ${{env.NAME}} or ${{key}}"
    raise ValueError(msg)


def blanks_in(value: object) -> Iterator[Blank]:
    """All blanks of a text, or of all texts in a JSON value.

    Raises:
        ValueError: as `parts_of`.
    """
    if isinstance(value, str):
        yield from (part for part in parts_of(value) if isinstance(part, Blank))
    elif isinstance(value, (Mapping, list, tuple)):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from blanks_in(each)


def blanks_of(*values: object) -> list[Blank]:
    """The blanks of all values that have no fault."""
    found: list[Blank] = []
    for each in values:
        try:
            found += blanks_in(each)
        except ValueError:  # whoever looks at this value alone says so
            continue
    return found


@dataclass(slots=True)
class Filling:
    """What the blanks of one call are filled with."""

    args: Mapping[str, Json]
    key: str
    _secrets: dict[str, str] = field(default_factory=dict)
    """From the environment: value to name."""
    _credentials: dict[str, str] = field(default_factory=dict)
    """Those that show who is asking: name to value."""

    def json(self, value: Json) -> Json:
        """The value, filled. A text that is one whole blank becomes what fills it, type and all."""
        if isinstance(value, str):
            parts = parts_of(value)
            if len(parts) == 1 and isinstance(parts[0], Blank):
                return self._value(parts[0])
            return self.text(value)
        if isinstance(value, dict):
            return {name: self.json(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self.json(each) for each in value]
        return value

    def text(self, text: str, spell: Callable[[str], str] = str) -> str | None:
        """The text, filled, each value spelled so; None if one of them is null."""
        filled = ""
        for part in parts_of(text):
            if isinstance(part, str):
                filled += part
                continue
            found = self._value(part)
            if found is None:
                return None
            filled += spell(text_of(found))
        return filled

    def header(self, name: str, form: str) -> str | None:
        """A header, filled. What one from the environment shows who is asking with is hidden."""
        filled = self.text(form)
        if _CREDENTIAL.search(name.lower()):
            for blank in blanks_in(form):
                if blank.root == "env":
                    self._credentials[blank.path[0]] = self._variable(blank.path[0])
        return filled

    def hide(self, said: Json) -> Json:
        """What came back, with the names of credentials where they stood themselves.

        A server that was sent one may repeat it; from there it would go into the journal, and to a
        model.
        """
        if not self._credentials:
            return said
        return _hidden(said, looks_of(self._credentials))

    def redact(self, text: str) -> str:
        """The text, with the names of environment variables where their values stood."""
        for value, name in self._secrets.items():
            text = text.replace(value, f"${name}")
        return text

    def _value(self, blank: Blank) -> Json:
        if blank.root == "key":
            return self.key
        if blank.root == "env":
            return self._variable(blank.path[0])
        found: Json = cast("dict[str, Json]", self.args)
        for name in blank.path:
            if not isinstance(found, dict) or name not in found:
                raise InvalidError(f"Wrong arguments: args.{'.'.join(blank.path)} is missing.")
            found = found[name]
        return found

    def _variable(self, name: str) -> str:
        value = os.environ.get(name)
        if value is None:
            raise FatalError(f"The environment variable {name} is not set. Set it and start again.")
        if len(value) >= _SHORTEST_SECRET:
            self._secrets[value] = name
        return value


def _hidden(said: Json, looks: list[tuple[str, str]]) -> Json:
    if isinstance(said, str):
        for look, name in looks:
            if look in said:
                said = said.replace(look, f"${{env.{name}}}")
        return said
    if isinstance(said, list):
        return [_hidden(each, looks) for each in said]
    if isinstance(said, dict):
        return {str(_hidden(key, looks)): _hidden(each, looks) for key, each in said.items()}
    return said
