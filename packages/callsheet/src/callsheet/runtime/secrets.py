"""Secrets: given to a tool at the call, and never written down.

Where `${secrets.NAME}` stands, the journal has just that text, and so has everything that the tool
says back with the secret in it. The call itself is resolved again, from the plan: text that merely
looks like a reference, in the output of some other tool, stays text.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

from callsheet.errors import DeniedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from callsheet.core.value import Json
    from callsheet.ports import Secrets

PREFIX = "CALLSHEET_SECRET_"
SHORTEST = 4
"""A secret shorter than this is not looked for in what a tool says: it would be everywhere."""

SHORTEST_LINE = 8
"""The same for a line of a secret that has several, as a key does."""


class EnvironmentSecrets:
    """`ports.Secrets` from environment variables: `CALLSHEET_SECRET_NAME`."""

    def get(self, name: str) -> str | None:
        """The secret, or None if nobody has set it."""
        # Set to nothing is not set: a shell does that with a variable it does not know.
        return os.environ.get(PREFIX + name) or None


class GivenSecrets:
    """`ports.Secrets` from a mapping, then from the environment."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = dict(given)
        self._environment = EnvironmentSecrets()

    def get(self, name: str) -> str | None:
        """The secret, or None if nobody has set it."""
        found = self._given.get(name)
        return self._environment.get(name) if found is None else found


def secrets_of(given: Mapping[str, str] | Secrets | None) -> Secrets:
    """The secrets that an engine was given, or those of the environment."""
    if given is None:
        return EnvironmentSecrets()
    return GivenSecrets(given) if isinstance(given, Mapping) else given


def names_as_values(names: Iterable[str]) -> dict[str, Json]:
    """What stands for secrets in everything that is written down."""
    return {name: f"${{secrets.{name}}}" for name in names}


def reveal(secrets: Secrets, names: Iterable[str]) -> dict[str, str]:
    """The secrets themselves.

    Raises:
        DeniedError: some are not set; nothing was called.
    """
    found = {name: secrets.get(name) for name in names}
    missing = [name for name, secret in found.items() if secret is None]
    if missing:
        variables = ", ".join(PREFIX + name for name in missing)
        raise DeniedError(f"Secrets are not set: {', '.join(missing)}. Set {variables}.")
    return {name: secret for name, secret in found.items() if secret is not None}


def hide(text: str, secrets: Mapping[str, str]) -> str:
    """A text with the names of secrets where they stood themselves."""
    looks = ((look, name) for name, secret in secrets.items() for look in _looks_of(secret))
    for look, name in sorted(looks, key=lambda pair: (-len(pair[0]), pair)):
        text = text.replace(look, f"${{secrets.{name}}}")
    return text


def _looks_of(secret: str) -> Iterator[str]:
    """How a secret may stand in what a tool says: as it is, quoted, or line by line."""
    if len(secret) < SHORTEST:
        return
    yield secret
    # As in the repr of an error, in JSON inside a text, in a URL.
    yield from {repr(secret)[1:-1], json.dumps(secret)[1:-1], quote(secret, safe="")} - {secret}
    lines = secret.splitlines()
    if len(lines) > 1:
        yield from (line for line in lines if len(line) >= SHORTEST_LINE)


def hide_in(value: Json, secrets: Mapping[str, str]) -> Json:
    """A value with the names of secrets where they stood themselves."""
    if isinstance(value, str):
        return hide(value, secrets)
    if isinstance(value, list):
        return [hide_in(item, secrets) for item in value]
    if isinstance(value, dict):
        return {hide(key, secrets): hide_in(item, secrets) for key, item in value.items()}
    return value
